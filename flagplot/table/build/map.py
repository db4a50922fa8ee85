"""The map of an operation that somebody types: where forces and bases are, and putting them where a hex is clicked.

A click is an edit of the text like any other: the line of the force or base is written anew, or a line is added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from hashlib import blake2b
from typing import Any, NamedTuple

from flagplot.awaw.checks.kinds import ON_MAP
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import Hex, hex_text, read_hex
from flagplot.awaw.mapboard.reading import maps, read_map
from flagplot.board.model import MapBase, MapCounter, MapItem, SeaMap
from flagplot.builder import read
from flagplot.draw.map.page import ground_layers, moving_layers, places_in_words
from flagplot.kernel.words import capital
from flagplot.table.build.edits import line_again
from flagplot.table.build.trays import Side

STANDING = {"ports": "port", "airbases": "airbase"}
"""What may be put on a map, by its key in the scenario."""
MAY = "may "
"""How what is sent somewhere begins, rather than put there."""


class Chart(NamedTuple):
    """A map with what stands on it, as a page shows it."""

    title: str
    ground: str
    layers: str
    words: tuple[tuple[Hex, str, str], ...]
    """What is where: hex, name of the place, what there is."""
    things: tuple[tuple[str, str], ...]
    """What can be placed, and how people call it."""
    spots: tuple[tuple[str, str], ...]
    """Where it can be put without a click: the places that have names."""

    @property
    def mark(self) -> str:
        """Stands for the ground, which is sent again only if it is another."""
        return blake2b(self.ground.encode(), digest_size=8).hexdigest()


def chart_of(draft: Mapping[str, Any], sides: tuple[Side, ...]) -> Chart | None:
    """The map of an operation; nothing if it has none of ours."""
    board = _board(draft)
    if board is None or draft.get("kind") not in ON_MAP:
        return None
    where = dict(_standing_at(draft, board))
    bases = tuple(_bases(draft, where))
    items = tuple(_items(sides, where))
    sea = SeaMap(items, (), (), (), {side.id: side.name for side in sides}, bases)
    return Chart(
        board.title,
        ground_layers(board, bases),
        moving_layers(board, sea),
        tuple(places_in_words(sea, board)),
        tuple(_things(draft, sides)),
        tuple([(one.id, capital(one.name)) for one in sorted(board.places, key=lambda one: one.name)]),
    )


def _board(draft: Mapping[str, Any]) -> Mapboard | None:
    chosen = draft.get("map")
    return read_map(chosen) if isinstance(chosen, str) and chosen in maps() else None


def _base_hex(base: Mapping[str, Any], board: Mapboard) -> Hex | None:
    at = base.get("at")
    if isinstance(at, list) and len(at) == 2:
        return at[0], at[1]
    return board.labels.get(base.get("place") or base["id"])


def _standing_at(draft: Mapping[str, Any], board: Mapboard) -> Iterator[tuple[str, Hex]]:
    """The hex of each base, force and flotilla that has one, by its place in the scenario."""
    homes = {base["id"]: _base_hex(base, board) for base in draft.get("bases", ())}
    for number, base in enumerate(draft.get("bases", ())):
        if (at := homes[base["id"]]) is not None and at in board:
            yield f"bases[{number}]", at
    for group in ("forces", "flotillas"):
        for number, entry in enumerate(draft.get(group, ())):
            patrol = str(entry.get("patrol", ""))
            at = read_hex(patrol) or board.labels.get(patrol) or homes.get(patrol) or homes.get(entry.get("base", ""))
            if at is not None and at in board:
                yield f"{group}[{number}]", at


def _bases(draft: Mapping[str, Any], where: Mapping[str, Hex]) -> Iterator[MapBase]:
    for number, base in enumerate(draft.get("bases", ())):
        if (at := where.get(f"bases[{number}]")) is not None:
            yield MapBase(at, base["name"], base["side"], tuple([STANDING[key] for key in STANDING if base.get(key)]))


def _items(sides: tuple[Side, ...], where: Mapping[str, Hex]) -> Iterator[MapItem]:
    """Each tray as one counter; a base only if air units are there."""
    for side in sides:
        for tray in side.trays:
            at = where.get(tray.path)
            if at is None or not tray.counters:
                continue
            first = tray.counters[0]
            ships = [one for one in tray.counters if one.silhouette != "plane"]
            value = sum([one.factors for one in ships]) or sum([one.count for one in tray.counters])
            counter = MapCounter(side.nation, first.silhouette, str(value), tray.title)
            yield MapItem(at, side.id, tray.title, tray.title, tray.path, (counter,))


def _things(draft: Mapping[str, Any], sides: tuple[Side, ...]) -> Iterator[tuple[str, str]]:
    for side in sides:
        for tray in side.trays:
            yield tray.path, f"{tray.title} ({side.name})" if tray.title == "Submarines" else tray.title
            if tray.path.startswith("forces") and side.id == draft.get("attacker"):
                yield f"{MAY}{tray.path}", f"{tray.title} may patrol to…"
        for key, word in STANDING.items():
            yield f"{key} {side.id}", f"A new {word} of {side.name}"


# --- placing ------------------------------------------------------------------------------------------------------


def placed(text: str, what: str, where: str) -> str:
    """The text with something at a hex or a named place of its map. A force in a port lies there, at sea it is on
    patrol; a base moves; a port or airbase is added."""
    reading = read(text)
    document, board = deepcopy(reading.draft), _board(reading.draft)
    at = (read_hex(where) or board.labels.get(where)) if board is not None else None
    if board is None or at is None or at not in board:
        return text
    key, _, side = what.partition(" ")
    if key in STANDING:
        return f"{text.rstrip()}\n{_new(document, board, STANDING[key], side, at)}\n"
    path = what.removeprefix(MAY)
    entry = _entry(document, path)
    if entry is None:
        return text
    if what.startswith(MAY):
        order = {"activity": "patrol", "to": _name(document, board, at)}
        entry["orders"] = [*[one for one in entry.get("orders", ()) if one != order], order]
    elif path.startswith("bases"):
        entry["at"] = [*at]
        entry.pop("place", None)
    else:
        _put(document, board, entry, at)
    return line_again(text, reading, document, path)


def _entry(document: Mapping[str, Any], path: str) -> dict[str, Any] | None:
    group, _, number = path.partition("[")
    entries = document.get(group, ()) if group in ("forces", "flotillas", "bases") else ()
    found = number.rstrip("]")
    return entries[int(found)] if found.isdecimal() and int(found) < len(entries) else None


def _put(document: Mapping[str, Any], board: Mapboard, entry: dict[str, Any], at: Hex) -> None:
    """In the port of the hex, if there is one for this side, else at sea."""
    home = _home(document, board, entry["side"], at)
    if home:
        entry["base"] = home
        entry.pop("patrol", None)
    elif board.is_water(at):
        entry["patrol"] = hex_text(at)


def _home(document: Mapping[str, Any], board: Mapboard, side: str, at: Hex) -> str:
    """The base that a force of a side may lie in: its own, or a port of the map that nobody has yet."""
    here = [base for base in document.get("bases", ()) if _base_hex(base, board) == at]
    own = [str(base["id"]) for base in here if base["side"] == side and base.get("ports")]
    free = [] if here else [one.name for one in board.ports if one.at == at]
    return next(iter([*own, *free]), "")


def _name(document: Mapping[str, Any], board: Mapboard, at: Hex) -> str:
    """A hex as an order names it: by its base or its name on the map, else by its numbers."""
    bases = [str(base["id"]) for base in document.get("bases", ()) if _base_hex(base, board) == at]
    places = [one.id for one in board.places if one.at == at]
    return next(iter([*bases, *places]), hex_text(at))


def _new(document: Mapping[str, Any], board: Mapboard, word: str, side: str, at: Hex) -> str:
    """The line of a new base, called as its hex, or by a number."""
    taken = {base["name"] for base in document.get("bases", ())}
    named = [one.name for one in board.places if one.at == at]
    numbered = [f"{capital(word)} {number}" for number in range(1, len(taken) + 2)]
    name = next(one for one in [*named, *numbered] if one not in taken)
    owner = next((entry["name"] for entry in document.get("sides", ()) if entry["id"] == side), side)
    return f"{owner} {name} base: at {at[0]},{at[1]}, {word}"
