"""Small maps: a coast in the south with land behind it, islands in the sea before it, perhaps a strait and a box."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flagplot.awaw.mapboard.board import hex_at
from flagplot.awaw.mapboard.hexes import distance
from flagplot.awaw.operations.bases.port_room import PORT_FACTORS
from flagplot.generating.bases import Hex, base
from flagplot.generating.sketch import SIDES, Sketch, other

COLUMNS, ROWS, COAST = 12, 9, 5
MIDDLE = COLUMNS // 2
BOX = "far-sea"


@dataclass
class Chart:
    """A map with what lies on it. The first side has the west of the coast, the second the east."""

    islands: list[Hex]
    straits: list[tuple[Hex, Hex]]
    boxed: bool
    bases: list[dict[str, Any]] = field(default_factory=list)
    berthed: dict[str, int] = field(default_factory=dict)
    """The naval factors that belong to each port so far."""

    @property
    def sea(self) -> list[Hex]:
        """The open sea."""
        taken = set(self.islands)
        return [at for at in map_hexes(range(COAST)) if at not in taken]

    def ports(self, side: str) -> list[dict[str, Any]]:
        return [entry for entry in self.bases if entry["side"] == side and entry.get("ports")]

    def has_room(self, port: str, factors: int) -> bool:
        """21.11: whether so many factors fit into a port; then they belong to it."""
        full = self.berthed.get(port, 0) + factors
        if full <= PORT_FACTORS or port == BOX:
            self.berthed[port] = full
        return full <= PORT_FACTORS or port == BOX

    def held(self, side: str) -> list[dict[str, Any]]:
        """The bases of a side on the map."""
        return [entry for entry in self.bases if entry["side"] == side and not entry.get("box")]

    def box(self, side: str) -> dict[str, Any] | None:
        """The box, if that side holds it."""
        return next((entry for entry in self.bases if entry.get("box") and entry["side"] == side), None)

    def data(self, pacific: bool) -> dict[str, Any]:
        """The map as a scenario has it."""
        rows = [" " * (row % 2) + " ".join(self._sign(column, row) for column in range(COLUMNS)) for row in range(ROWS)]
        return {
            "title": "A small sea",
            "about": "A coast, land behind it, and islands.",
            "theatre": "pacific" if pacific else "europe",
            "drawing": "\n".join(rows),
            "places": [_label(entry) for entry in self.bases if not entry.get("box")],
            "straits": [{"name": "the Narrows", "between": [[*one], [*two]]} for one, two in self.straits],
            "boxes": [{"id": BOX, "name": "the Far Sea", "edges": [[0, 0]]}] if self.boxed else [],
        }

    def _sign(self, column: int, row: int) -> str:
        if hex_at(column, row, (0, 0)) in self.islands:
            return "o"
        return "~" if row < COAST else "+" if row == COAST else "#"


def _label(entry: dict[str, Any]) -> dict[str, Any]:
    return {"id": entry["id"], "name": entry["name"], "at": entry["at"], "port": bool(entry.get("ports"))}


def map_hexes(rows: range, columns: range = range(COLUMNS)) -> list[Hex]:
    return [hex_at(column, row, (0, 0)) for row in rows for column in columns]


def columns_of(side: str) -> range:
    """The part of the land that a side holds."""
    return range(MIDDLE) if side == SIDES[0] else range(MIDDLE, COLUMNS)


def small_sea(sketch: Sketch) -> Chart:
    """A map with bases of both sides, and a box that the defender holds."""
    islands = _islands(sketch)
    chart = Chart(islands, [], sketch.likely(0.6))
    if sketch.likely(0.4):
        chart.straits.append(((5, 1), (6, 1)))
    holders = [side for side in SIDES for _ in range(len(islands))]
    for number, at in enumerate(islands):
        facts = {"ports": sketch.between(0, 2) and 1, "airbases": sketch.between(0, 1)}
        chart.bases.append(base(sketch, f"island-{number}", sketch.pick(holders), at, island=True, **facts))
    for side in SIDES:
        chart.bases += _mainland(sketch, side)
    if chart.boxed:
        holder = sketch.defender if sketch.likely(0.7) else sketch.attacker
        chart.bases.append({"id": BOX, "name": "the Far Sea", "side": holder, "box": True})
    return chart


def _islands(sketch: Sketch) -> list[Hex]:
    """Two to four one-hex islands, with water around each and clear of the edges."""
    found: list[Hex] = []
    able = map_hexes(range(1, COAST - 1), range(1, COLUMNS - 1))
    for at in sketch.chance.sample(able, len(able)):
        if len(found) < 4 and all(distance(at, taken) > 1 for taken in found):
            found.append(at)
    return found[: sketch.between(2, 4)]


def _mainland(sketch: Sketch, side: str) -> list[dict[str, Any]]:
    """One or two ports on the coast, and perhaps a city behind them."""
    coast = sketch.chance.sample(map_hexes(range(COAST, COAST + 1), columns_of(side)), sketch.between(1, 2))
    found = [
        base(sketch, f"{side}-port-{number}", side, at, ports=1, cities=sketch.between(0, 1), airbases=1 - number)
        for number, at in enumerate(coast)
    ]
    if sketch.likely(0.6):
        at = sketch.pick(map_hexes(range(COAST + 1, ROWS - 1), columns_of(side)))
        found.append(base(sketch, f"{side}-city", side, at, cities=sketch.between(1, 2)))
    return found


def coastal(chart: Chart, side: str) -> list[dict[str, Any]]:
    """The enemy bases that ships can reach: those on islands and on the coast."""
    water = {*chart.islands, *map_hexes(range(COAST, COAST + 1))}
    return [entry for entry in chart.held(other(side)) if (entry["at"][0], entry["at"][1]) in water]
