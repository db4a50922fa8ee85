"""Ships and air units of a view as rows of a card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from flagplot.awaw.tables.nations import nations
from flagplot.draw.cards import Row
from flagplot.draw.glyphs import Glyph

Data = Mapping[str, Any]

OF_KIND: Final[dict[str, Glyph]] = {
    "cvb": "carrier",
    "cv": "carrier",
    "cvl": "carrier",
    "cve": "carrier",
    "battleship": "battleship",
    "battlecruiser": "battleship",
    "pocket-battleship": "battleship",
    "cruiser": "cruiser",
    "destroyer": "destroyer",
    "transport": "transport",
}


def ship_rows(ships: Sequence[Data], before: str = "", *, lost: bool = False) -> list[Row]:
    """A row for each named ship with its hits, and for each kind of light ships with their number; of ships that are
    lost nothing but what they were."""
    if lost:
        return [Row(_plain(ship), OF_KIND.get(ship["kind"], "cruiser")) for ship in ships]
    several = len({ship["nation"] for ship in ships}) > 1
    return [_ship(ship, before, several) for ship in ships]


def _plain(ship: Data) -> str:
    return str(ship["text"]).partition(" (")[0]


def _ship(ship: Data, before: str, several: bool) -> Row:
    text = _plain(ship)
    if not ship["id"] and not several:
        text = without_nation(text, ship["nation"])
    text = f"{before}{text}"
    glyph = OF_KIND.get(ship["kind"], "cruiser")
    pips = (ship["size"], ship["hits"]) if ship["id"] else None
    words = text
    if pips:
        left = f"{ship['size'] - ship['hits']} of {ship['size']} hits left"
        words = f"{text}, {left}" if ship["hits"] else f"{text}, {ship['size']} hits"
    if ship["damaged"]:
        return Row(f"{text}, damaged", glyph, "hit", pips, f"{words}, damaged")
    return Row(text, glyph, "hit" if ship["hits"] else "plain", pips, words)


def air_rows(flights: Sequence[Data], doing: str = "", *, faint: bool = False) -> list[Row]:
    """A row for each kind of air units; nations are named only if there are several."""
    several = len({flight["nation"] for flight in flights}) > 1
    rows = []
    for flight in flights:
        text = str(flight["text"])
        text = text if several else without_nation(text, flight["nation"])
        marks = [doing] * bool(doing) + ["inverted"] * bool(flight["inverted"])
        marks += [f"{flight['aborted']} aborted"] if flight["aborted"] else []
        words = f"{text}, {', '.join(marks)}" if marks else text
        rows.append(Row(words, "plane", "faint" if faint or flight["inverted"] else "plain"))
    return rows


def without_nation(text: str, nation: str) -> str:
    """``4 Japanese cruisers`` without its nation, ``4 cruisers``."""
    known = nations().get(nation)
    return text.replace(f" {known.adjective} ", " ", 1) if known else text
