"""Naval forces: ships by name and type, the air aboard, and what they are at sea for."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.forces import FORCE
from flagplot.builder.draft import Draft
from flagplot.builder.heads import Head
from flagplot.builder.items import Bad, Detail, Item, Name, Units, detail_words
from flagplot.builder.others import add_submarines
from flagplot.builder.pieces import Piece, Statement
from flagplot.builder.vocabulary import ABBREVIATED, fold, ship_called, ship_names, type_words
from flagplot.kernel.errors import quoted
from flagplot.kernel.shapes import Table
from flagplot.kernel.words import plural

assert isinstance(FORCE, Table)
KEYS = frozenset(FORCE.optional)
CRUISER_FACTORS = 2


class Nations:
    """Whose the units of one line are, when the line does not say so of each."""

    def __init__(self, draft: Draft, owner: str, side: str) -> None:
        self.of_side = draft.nations_of(side)
        self.told = owner if owner in self.of_side else ""
        self.last = ""

    def of(self, nation: str) -> str:
        """The nation of a unit: as the unit says, or the head, or the unit before it, or the first of the side."""
        if nation:
            self.last = nation
        return nation or self.told or self.last or (self.of_side[0] if self.of_side else "")


def add_force(draft: Draft, head: Head, side: str, items: list[Item], statement: Statement) -> None:
    """A force of the scenario from the items of its line."""
    name = head.name or ("Force" if not head.piece.text else head.piece.text)
    entry: dict[str, Any] = {"id": _id(draft, head, side), "name": name, "side": side, "ships": []}
    path = draft.add("forces", entry, head.piece)
    draft.line(statement, side, path)
    nations = Nations(draft, head.owner, side)
    for item in items:
        match item:
            case Units(group="light"):
                _add_light(draft, entry, path, item, nations)
            case Units(group="capital"):
                _add_any(draft, entry, path, item, nations)
            case Units(group="air", key="naval" | "elite-naval"):
                _add_air(draft, entry, path, item, nations)
            case Units(group="submarines"):
                add_submarines(draft, side, nations.of(item.nation), item.number, {"accompany": True}, item.piece)
            case Units():
                draft.leave_out(
                    item.piece,
                    f"{quoted(item.piece.text)} is no part of a naval force: give it to a base, "
                    f"such as Midway base: {item.piece.text}",
                )
            case Name():
                add_named(draft, entry, path, item, nations)
            case Detail():
                _add_detail(draft, entry, path, item)
            case Bad():
                refuse_item(draft, item)


def _id(draft: Draft, head: Head, side: str) -> str:
    """Each side may have a TF1 of its own: the ids of a scenario differ all the same."""
    plain = head.id or "force"
    others = {force["id"] for force in draft.document.get("forces", ()) if force["side"] != side}
    return f"{plain}-{side}" if plain in others and not head.tag else plain


def _contingent(entry: dict[str, Any], nation: str) -> tuple[dict[str, Any], int]:
    """The ships of one nation in a force, and their number in its list."""
    ships: list[dict[str, Any]] = entry["ships"]
    for number, part in enumerate(ships):
        if part["nation"] == nation:
            return part, number
    ships.append({"nation": nation})
    return ships[-1], len(ships) - 1


def _add_light(draft: Draft, entry: dict[str, Any], path: str, item: Units, nations: Nations) -> None:
    part, place = _contingent(entry, nations.of(item.nation))
    key, number = item.key, item.number
    if key == "cruisers":
        counters = item.counted == "counters" or (not item.counted and item.word not in ABBREVIATED)
        number = number * CRUISER_FACTORS if counters else number
        ships, odd = divmod(number, CRUISER_FACTORS)
        if not odd:
            draft.note(item.piece, f"{plural(ships, 'cruiser')}, {number} factors")
    if "damaged" in item.marks and key == "cruisers":
        part["damaged_cruisers"] = part.get("damaged_cruisers", 0) + number // CRUISER_FACTORS
    if "laden" in item.marks and key in ("destroyers", "transports"):
        key = f"laden_{key}"
    elif item.marks - {"damaged"} or ("damaged" in item.marks and key != "cruisers"):
        mark = sorted(item.marks)[0]
        draft.leave_out(
            item.piece, f"These cannot be {mark}: leave out the word", item.piece.text.replace(mark, "").strip()
        )
        return
    part[key] = part.get(key, 0) + number
    draft.said(f"{path}.ships[{place}].{key}", item.piece)


def add_named(draft: Draft, entry: dict[str, Any], path: str, item: Name, nations: Nations) -> None:
    """A ship by its name; a wrong name is refused with the one that was meant."""
    found = ship_called(item.piece.text, nations.of_side)
    if found is None:
        meant = refuse_name(draft, item.piece, nations.of_side)
        found = ship_called(meant) if meant else None
        if found is None:
            draft.unread.add(item.piece.line)
            return
    elif fold(found.name) != fold(item.piece.text):
        draft.note(item.piece, found.name)
    nations.of(found.nation)
    part, place = _contingent(entry, found.nation)
    if found.nation not in nations.of_side:
        draft.said(f"{path}.ships[{place}]", item.piece)
    part.setdefault("named", []).append(found.name)
    if item.hits:
        part.setdefault("hits", {})[found.name] = item.hits if item.hits > 0 else (found.factors + 1) // 2
        draft.said(f"{path}.ships[{place}].hits.{found.name}", item.piece)
    draft.ships[found.name] = item.piece


def refuse_name(draft: Draft, piece: Piece, nations: list[str]) -> str:
    """No such ship: what was meant among the ships of its side and the other words of a line. The ship that was meant
    is returned, so that the battle can be shown with it."""
    if (words := draft.meant(fold(piece.text), detail_words())) and not draft.meant(piece.text, ship_names(nations)):
        draft.leave_out(
            piece, f"{quoted(piece.text)} is no ship and no other word of ours. Did you mean {words}?", words
        )
        return ""
    meant = draft.meant(piece.text, ship_names(nations))
    unnamed = "Type a ship of the list, or a number and a type such as 2 CA: cruisers and destroyers have no names"
    instead = f"Did you mean {meant}?" if meant else unnamed
    draft.refuse(piece, f"No ship called {quoted(piece.text)}. {instead}", meant)
    return meant


def refuse_item(draft: Draft, item: Bad) -> None:
    if item.message != "unknown type":
        draft.leave_out(item.piece, item.message, item.suggestion)
        return
    known = [one for one in type_words() if len(one) > 1]
    meant = draft.meant(fold(item.piece.text), known)
    if meant and len(meant) <= 4:
        meant = meant.upper()
    instead = f"Did you mean {meant}?" if meant else "Type CV, BB, BC, CA, DD, TR, NAS or AAF"
    draft.leave_out(item.piece, f"No type of unit called {quoted(item.piece.text)}. {instead}", meant)


def _add_any(draft: Draft, entry: dict[str, Any], path: str, item: Units, nations: Nations) -> None:
    """Ships of a type without names: they get names when all that the text tells are taken."""
    part, place = _contingent(entry, nations.of(item.nation))
    draft.unnamed.append((f"{path}.ships[{place}]", part, item))


def _add_air(draft: Draft, entry: dict[str, Any], path: str, item: Units, nations: Nations) -> None:
    nation = nations.of(item.nation)
    some: dict[str, Any] = {"nation": nation, "squadrons": item.number}
    if item.key == "elite-naval" or "elite" in item.marks:
        some["elite"] = True
    if wrong := sorted(item.marks - {"elite", "regular"}):
        draft.leave_out(item.piece, f"Squadrons aboard cannot be {wrong[0]}: leave out the word")
    entry.setdefault("air", []).append(some)
    draft.said(f"{path}.air[{len(entry['air']) - 1}]", item.piece)
    if "regular" in item.marks:
        draft.regular.add(f"{path}.air[{len(entry['air']) - 1}]")


def _add_detail(draft: Draft, entry: dict[str, Any], path: str, item: Detail) -> None:
    if item.key not in KEYS or (isinstance(item.value, dict) and "marker" in item.value):
        draft.leave_out(item.piece, f"{quoted(item.piece.text)} belongs to a base, not to ships")
        return
    if item.key == "cargo":
        entry |= item.value
        for key in item.value:
            draft.said(f"{path}.{key}", item.piece)
        return
    if item.key == "orders":
        entry.setdefault("orders", []).append(item.value)
        draft.said(f"{path}.orders[{len(entry['orders']) - 1}]", item.piece)
        return
    entry[item.key] = item.value
    draft.said(f"{path}.{item.key}", item.piece)
