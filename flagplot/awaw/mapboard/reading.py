"""Map files: their shape, the drawing in them, and everything that may be wrong with one, told at once.

`docs/maps.md` shows how to draw one by hand.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from flagplot.awaw.mapboard.board import OFF_MAP, SIGNS, Box, Label, Mapboard, Strait, Terrain, folded, hex_at, kept
from flagplot.awaw.mapboard.grids import Grid, line_of
from flagplot.awaw.mapboard.hexes import Hex, distance, read_hex
from flagplot.kernel.errors import Fault, ScenarioError, UnknownName, quoted
from flagplot.kernel.extensions import data_files
from flagplot.kernel.shapes import Anything, Flag, Items, Named, Table, Text, Whole


class MapError(ScenarioError, code="map"):
    """All faults of a map file at once."""

    def __init__(self, name: str, faults: Any) -> None:
        super().__init__(name, faults)
        self.message = f"map {quoted(name)} has {len(self.faults)} fault{'s' * (len(self.faults) != 1)}"


# --- the shape of a file ----------------------------------------------------------------------------------------

_hex = Items("A hex, as two axial coordinates.", Whole("A coordinate.", -999, 999), 2, 2)
_somewhere = Anything("A hex: the id of a place, or two axial coordinates.", "string")
_side = Items("A hexside, as the two hexes that share it.", _somewhere, 2, 2)
_place = Table(
    "A named hex.",
    {"id": Text("A short name for files and commands."), "name": Text("The name for people.")},
    {
        "key": (Text("The sign that stands for it in the drawing."), None),
        "at": (_hex, None),
        "terrain": (Text("What the hex holds.", *[kind.value for kind in Terrain]), None),
        "port": (Flag("Whether it is a port, which ships must be able to reach."), False),
    },
)
_strait = Table("A strait, which divides a path for interception.", {"name": Text("Its name."), "between": _side}, {})
_box = Table(
    "A mapboard or SW box.",
    {
        "id": Text("A short name."),
        "name": Text("The name for people."),
        "edges": Items("The hexes at the edge of the map from which ships enter it.", _somewhere, 1, 200),
    },
    {},
)
_fronts = Table(
    "The fronts, drawn as the map is.",
    {
        "drawing": Text("A grid of the same shape, a sign for each front, and a dot where there is none."),
        "names": Named("The front that each sign stands for.", Text("Its name.")),
    },
    {},
)
FILE = Table(
    "A map.",
    {
        "title": Text("The title for people."),
        "about": Text("What it shows, and how far it is to be trusted."),
        "theatre": Text("Whose ranges apply.", "europe", "pacific"),
        "drawing": Text("The hexes, row by row: one sign each, a blank between, odd rows shifted by one blank."),
    },
    {
        "origin": (_somewhere, None),
        "places": (Items("Named hexes.", _place, 0, 400), []),
        "straits": (Items("The straits.", _strait, 0, 99), []),
        "barred": (Items("Hexsides between water hexes that no ship can cross.", _side, 0, 999), []),
        "fronts": (_fronts, None),
        "boxes": (Items("Boxes beyond the edge.", _box, 0, 20), []),
    },
)


# --- by name, from a file, or as given --------------------------------------------------------------------------


def maps() -> list[str]:
    """The maps that come with Flagplot, and those that other packages bring."""
    return list(data_files("maps"))


def read_map(source: str | Path | Mapping[str, Any]) -> Mapboard:
    """A map: by the name of one that comes with Flagplot, from a TOML file, or from the data of one.

    Raises `UnknownName` if there is none, and `MapError` with all its faults if it is not sound.
    """
    if isinstance(source, Mapping):
        return _Reading(str(source.get("title", "a map")), source).board()
    path = Path(source)
    if path.suffix == ".toml" or path.is_file():
        return _read_text(path.stem, str(source), _text_of(path))
    if str(source) not in maps():
        raise UnknownName("no such map or map file", given=source, allowed=maps())
    return _shipped(str(source))


@cache
def _shipped(name: str) -> Mapboard:
    """A map by name; all games on it share it."""
    return _read_text(name, name, data_files("maps")[name].read_text(encoding="utf8"))


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf8")
    except FileNotFoundError:
        raise UnknownName("no such map file", given=path, allowed=maps()) from None
    except (OSError, UnicodeDecodeError) as fault:
        raise MapError(str(path), [Fault("the file", f"it cannot be read: {fault}")]) from fault


def _read_text(name: str, label: str, text: str) -> Mapboard:
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise MapError(label, [Fault("the file", f"this is not TOML: {fault}")]) from fault
    return _Reading(name, data, label, text).board()


# --- one map ----------------------------------------------------------------------------------------------------


class _Reading:
    """Reads one file; goes on after a fault to find the others."""

    def __init__(self, name: str, data: Mapping[str, Any], label: str = "", text: str = "") -> None:
        self.name, self.label, self.text = name, label or name, text
        self.faults: list[Fault] = []
        self.data = FILE.check(data, "", self.faults)
        self.origin: Hex = (0, 0)
        self.places: list[Label] = []
        self.terrain: dict[Hex, Terrain] = {}

    def board(self) -> Mapboard:
        """The map, or all faults of the file."""
        grid = Grid("drawing", self.data["drawing"], line_of(self.text, 0), self.faults)
        explained = self._keys()
        spots = self._spots(grid, explained)
        self.origin = self._origin(spots)
        rows = tuple("".join(self._sign(sign, explained) for sign in row) for row in grid.rows)
        self.terrain = {
            hex_at(column, row, self.origin): SIGNS[sign]
            for row, signs in enumerate(rows)
            for column, sign in enumerate(signs)
            if sign in SIGNS
        }
        self._name_places(spots)
        straits = self._straits()
        front_rows, front_names = self._fronts(grid)
        board = Mapboard(
            name=self.name,
            title=self.data["title"],
            about=" ".join(self.data["about"].split()),
            pacific=self.data["theatre"] == "pacific",
            origin=self.origin,
            rows=rows,
            places=tuple(self.places),
            sides=straits,
            isthmuses=self._barred(straits),
            front_rows=front_rows,
            front_names=front_names,
            boxes=self._boxes(),
        )
        if not self.faults:
            self._check_water(board)
        if self.faults:
            raise MapError(self.label, self.faults)
        return kept(board)

    # --- signs and places ---------------------------------------------------------------------------------------

    def _keys(self) -> dict[str, dict[str, Any]]:
        """The places that have a sign in the drawing, by that sign."""
        found: dict[str, dict[str, Any]] = {}
        for number, place in enumerate(self.data["places"]):
            where, key = f"places[{number}]", place["key"]
            if (key is None) == (place["at"] is None):
                message = "a place has either a key in the drawing or coordinates: `at = [q, r]`"
                self.faults.append(Fault(where, message))
            if key is None:
                continue
            if len(key) != 1 or key.isspace() or key in SIGNS or key == OFF_MAP:
                taken = " ".join([*SIGNS, OFF_MAP])
                self.faults.append(Fault(f"{where}.key", f"{quoted(key)} is not one sign other than {taken}"))
            elif key in found:
                self.faults.append(Fault(f"{where}.key", f"{quoted(key)} is already {found[key]['name']}"))
            elif place["terrain"] is None:
                self.faults.append(Fault(f"{where}.terrain", "this is missing: a place with a key says what it holds"))
                found[key] = {**place, "terrain": "coast"}
            else:
                found[key] = place
        return found

    def _spots(self, grid: Grid, explained: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[int, int]]:
        """Column and row of each sign that stands for a place."""
        spots: dict[str, tuple[int, int]] = {}
        for row, signs in enumerate(grid.rows):
            for column, sign in enumerate(signs):
                if sign in SIGNS or sign == OFF_MAP:
                    continue
                if sign not in explained:
                    known = f"{' '.join([*SIGNS, OFF_MAP])}, or the key of a place"
                    self.faults.append(Fault(grid.place(row, column), f"{quoted(sign)} is not {known}"))
                elif sign in spots:
                    name = explained[sign]["name"]
                    self.faults.append(Fault(grid.place(row, column), f"{quoted(sign)} ({name}) is drawn twice"))
                else:
                    spots[sign] = (column, row)
        for number, place in enumerate(self.data["places"]):
            if explained.get(place["key"]) and place["key"] not in spots:
                message = f"{quoted(place['key'])} ({place['name']}) is not in the drawing"
                self.faults.append(Fault(f"places[{number}].key", message))
        return spots

    @staticmethod
    def _sign(sign: str, explained: Mapping[str, Mapping[str, Any]]) -> str:
        """What is drawn under a key; what nobody knows is sea."""
        if sign in SIGNS or sign == OFF_MAP:
            return sign
        kind = explained[sign]["terrain"] if sign in explained else "sea"
        return next(drawn for drawn, terrain in SIGNS.items() if terrain == kind)

    def _origin(self, spots: Mapping[str, tuple[int, int]]) -> Hex:
        """Where (0, 0) lies: the id of a place that is drawn, or column and row; without it the north-west corner."""
        given = self.data["origin"]
        if given is None:
            return 0, 0
        if isinstance(given, str):
            for place in self.data["places"]:
                if place["id"] == given and place["key"] in spots:
                    return spots[place["key"]]
            self.faults.append(Fault("origin", f"{quoted(given)} is not the id of a place in the drawing"))
            return 0, 0
        found = _hex.check(given, "origin", self.faults)
        return (found[0], found[1]) if len(found) == 2 else (0, 0)

    def _name_places(self, spots: Mapping[str, tuple[int, int]]) -> None:
        """Where each place lies; ids and names are unique, ports lie at the water."""
        taken: set[str] = set()
        for number, place in enumerate(self.data["places"]):
            where, words = f"places[{number}]", {folded(place["id"]), folded(place["name"])} - {""}
            if words & taken:
                self.faults.append(Fault(where, f"there is another place called {quoted(place['name'])}"))
            taken |= words
            at = self._at(where, place, spots)
            if at is None:
                continue
            if place["port"] and self.terrain.get(at) is Terrain.LAND:
                self.faults.append(Fault(where, f"{place['name']} is a port on land: ships cannot reach it"))
            self.places.append(Label(place["id"], place["name"], at, place["port"]))

    def _at(self, where: str, place: Mapping[str, Any], spots: Mapping[str, tuple[int, int]]) -> Hex | None:
        if place["key"] is not None:
            spot = spots.get(place["key"])
            return None if spot is None else hex_at(*spot, self.origin)
        if place["at"] is None or len(place["at"]) != 2:
            return None
        at = (place["at"][0], place["at"][1])
        if at not in self.terrain:
            self.faults.append(Fault(f"{where}.at", f"{at[0]},{at[1]} is not on the map"))
            return None
        if place["terrain"] is not None and place["terrain"] != self.terrain[at]:
            message = f"{place['name']} is drawn as {self.terrain[at].value}, not as {place['terrain']}"
            self.faults.append(Fault(f"{where}.terrain", message))
        return at

    # --- hexsides, fronts, boxes --------------------------------------------------------------------------------

    def _find(self, given: Any, where: str) -> Hex | None:
        """A hex by the id or name of a place or by coordinates."""
        at = None
        if isinstance(given, str):
            wanted = folded(given)
            named = (one.at for one in self.places if wanted in (folded(one.id), folded(one.name)))
            at = next(named, read_hex(given))
        elif isinstance(given, list | tuple) and len(given) == 2 and all(type(part) is int for part in given):
            at = (given[0], given[1])
        if at is None or at not in self.terrain:
            self.faults.append(Fault(where, f"{quoted(given)} is neither a place nor a hex of the map"))
            return None
        return at

    def _hexside(self, given: Any, where: str, what: str) -> tuple[Hex, Hex] | None:
        """Two adjacent water hexes."""
        found = [self._find(one, f"{where}[{number}]") for number, one in enumerate(given)]
        if len(found) != 2 or found[0] is None or found[1] is None:
            return None
        one, other = found[0], found[1]
        names = f"{quoted(given[0])} and {quoted(given[1])}"
        if distance(one, other) != 1:
            message = f"{what} lies between two adjacent hexes; {names} are {distance(one, other)} hexes apart"
            self.faults.append(Fault(where, message, "21.211" * (what == "a strait")))
            return None
        dry = [part for part, at in zip(given, (one, other), strict=True) if self.terrain[at] is Terrain.LAND]
        if dry:
            self.faults.append(Fault(where, f"{what} lies between two hexes with water; {quoted(dry[0])} has none"))
            return None
        return min(one, other), max(one, other)

    def _straits(self) -> tuple[Strait, ...]:
        found: list[Strait] = []
        for number, strait in enumerate(self.data["straits"]):
            side = self._hexside(strait["between"], f"straits[{number}].between", "a strait")
            if side is None:
                continue
            if any((one.one, one.other) == side for one in found):
                self.faults.append(Fault(f"straits[{number}].between", "this hexside is already a strait"))
            found.append(Strait(strait["name"], *side))
        return tuple(found)

    def _barred(self, straits: tuple[Strait, ...]) -> tuple[tuple[Hex, Hex], ...]:
        found: list[tuple[Hex, Hex]] = []
        for number, given in enumerate(self.data["barred"]):
            side = self._hexside(given, f"barred[{number}]", "a barred hexside")
            if side is None:
                continue
            if side in found:
                self.faults.append(Fault(f"barred[{number}]", "this hexside is barred already"))
            for strait in straits:
                if side == (strait.one, strait.other):
                    message = f"this hexside is {strait.name}: a strait cannot be barred as well"
                    self.faults.append(Fault(f"barred[{number}]", message))
            found.append(side)
        return tuple(found)

    def _fronts(self, grid: Grid) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        if self.data["fronts"] is None:
            return (), ()
        names = self.data["fronts"]["names"]
        drawn = Grid("fronts.drawing", self.data["fronts"]["drawing"], line_of(self.text, 1), self.faults)
        if list(map(len, drawn.rows)) != list(map(len, grid.rows)):
            size = f"{len(grid.rows)} rows of {max(map(len, grid.rows), default=0)}"
            self.faults.append(Fault("fronts.drawing", f"it should have the shape of the map: {size} hexes"))
        for row, signs in enumerate(drawn.rows):
            for column, sign in enumerate(signs):
                if sign != OFF_MAP and sign not in names:
                    message = f"{quoted(sign)} is not {', '.join([*names, OFF_MAP])}"
                    self.faults.append(Fault(drawn.place(row, column), message))
        return tuple(drawn.rows), tuple(names.items())

    def _boxes(self) -> tuple[Box, ...]:
        found: list[Box] = []
        for number, box in enumerate(self.data["boxes"]):
            edges = [self._find(edge, f"boxes[{number}].edges[{place}]") for place, edge in enumerate(box["edges"])]
            if box["id"] in [one.id for one in found]:
                self.faults.append(Fault(f"boxes[{number}].id", f"there is another box called {quoted(box['id'])}"))
            found.append(Box(box["id"], box["name"], tuple(edge for edge in edges if edge is not None)))
        return tuple(found)

    # --- the sea ------------------------------------------------------------------------------------------------

    def _check_water(self, board: Mapboard) -> None:
        """Boxes are entered from water at the edge, and ships can sail from each port to each other one."""
        for number, box in enumerate(board.boxes):
            for place, edge in enumerate(box.edges):
                if not (board.is_edge(edge) and board.is_water(edge)):
                    message = f"{board.name_of(edge)} is no water hex at the edge of the map"
                    self.faults.append(Fault(f"boxes[{number}].edges[{place}]", message))
        ports = board.ports
        if not ports:
            return
        seas = Counter(min(board.sea_distances(port.at)) for port in ports)
        main = max(seas, key=lambda sea: seas[sea])
        for place, label in enumerate(board.places):
            if label.port and min(board.sea_distances(label.at)) != main:
                other = next(port.name for port in ports if min(board.sea_distances(port.at)) == main)
                message = f"no ship can sail from {label.name} to {other}: look at the water around it"
                self.faults.append(Fault(f"places[{place}]", message))
