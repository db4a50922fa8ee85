"""Places by name: the base that a force came from or lies in, where it may go, the ports of a map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.awaw.checks.kinds import ON_MAP
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import hex_text, read_hex
from flagplot.awaw.mapboard.reading import maps, read_map
from flagplot.builder.draft import Draft
from flagplot.builder.history import places
from flagplot.builder.pieces import Piece
from flagplot.builder.vocabulary import fold, slug
from flagplot.kernel.errors import FlagplotError


def settle(draft: Draft) -> None:
    """Turn the names of places into the short names that the scenario knows them by."""
    _from_their_places(draft)
    if draft.document["kind"] in ON_MAP:
        _settle_on_map(draft)
        return
    known = _bases(draft.document)
    for group in ("forces", "submarines"):
        for entry in draft.document.get(group, ()):
            if "base" in entry:
                entry["origin"] = entry.pop("base")
            if "origin" in entry:
                entry["origin"] = known.get(_plain(entry["origin"]), entry["origin"])


def _from_their_places(draft: Draft) -> None:
    """``Truk: Shokaku, CA8, DD2``, as published set-ups have it, is a force from Truk, not a force called so."""
    board = _board(draft.document.get("map"))
    ports = {_plain(one.name) for one in board.places if one.port} if board is not None else set(places())
    for entry in draft.document.get("forces", ()):
        if _plain(entry["name"]) in ports and entry["id"] == slug(entry["name"]):
            if not {"base", "origin"} & set(entry):
                entry["origin"] = entry["name"]
            entry["name"] = f"{entry['name']} Force"
            entry["id"] = slug(entry["name"])


def _bases(document: Mapping[str, Any]) -> dict[str, str]:
    """The bases of a scenario, by their folded names."""
    return {_plain(name): entry["id"] for entry in document.get("bases", ()) for name in (entry["id"], entry["name"])}


def _plain(name: str) -> str:
    return fold(name).removeprefix("the ")


def _settle_on_map(draft: Draft) -> None:
    board = _board(draft.document.get("map"))
    for group in ("forces", "flotillas"):
        for number, entry in enumerate(draft.document.get(group, ())):
            path = f"{group}[{number}]"
            piece = draft.spans.get(f"{path}.base") or draft.spans.get(f"{path}.origin") or draft.spans[path]
            if "origin" in entry:
                entry.setdefault("base", entry.pop("origin"))
            if "base" in entry:
                entry["base"] = _port(draft, board, entry["base"], entry["side"], piece)
            if "patrol" in entry:
                entry["patrol"] = _place(draft, board, entry["patrol"])
            for order in entry.get("orders", ()):
                order["to"] = _place(draft, board, order["to"])
    for key in ("ground", "zones"):
        if isinstance(some := draft.document.get(key), dict):
            draft.document[key] = {_bases(draft.document).get(_plain(name), name): one for name, one in some.items()}
    for line in draft.document.get("supply_lines", ()):
        line |= {key: _bases(draft.document).get(_plain(line[key]), line[key]) for key in ("from", "to")}


def _board(name: Any) -> Mapboard | None:
    try:
        return read_map(name) if name in maps() else None
    except FlagplotError:
        return None


def _place(draft: Draft, board: Mapboard | None, text: str) -> str:
    """A place as the scenario writes it: a base, a place of the map or a box by its short name, else a hex."""
    known = _bases(draft.document)
    if board is not None:
        boxes = {_plain(box.id): box.id for box in board.boxes}
        labels = {_plain(name): one.id for one in board.places for name in (one.id, one.name)}
        known = {**boxes, **labels, **known}
    at = read_hex(text)
    return known.get(_plain(text), hex_text(at) if at else text)


def _port(draft: Draft, board: Mapboard | None, text: str, side: str, piece: Piece) -> str:
    """The base that a force lies in; a port of the map that the text does not list is added to the scenario."""
    known = _bases(draft.document)
    if found := known.get(_plain(text)):
        return found
    labels = board.places if board is not None else ()
    place = next((one for one in labels if one.port and _plain(text) in (_plain(one.id), _plain(one.name))), None)
    if place is None:
        ports = [one.name for one in labels if one.port] or [entry["name"] for entry in draft.document.get("bases", ())]
        draft.refuse_word(Piece(text, piece.line, piece.column + max(0, piece.text.find(text))), "port", ports)
        draft.unread.add(piece.line)
        return text
    draft.add("bases", {"id": place.id, "name": place.name, "side": side, "ports": 1}, piece)
    draft.note(piece, f"{place.name}: a port", estimate=True)
    return place.id
