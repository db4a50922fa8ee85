"""A map as the rules ask of it: terrain, names, straits, fronts, sea paths and distances.

A `Mapboard` is plain data and small, so that it can be part of the setting of a game. What follows from it (terrain by
hex, who lies beside whom at sea, distances) is worked out once for equal boards and kept in its `_Atlas`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from flagplot.awaw.mapboard.hexes import Hex, distance, hex_text, middle, neighbours, read_hex, steps
from flagplot.kernel.errors import UnknownName
from flagplot.kernel.rules import rule


class Terrain(StrEnum):
    """What a hex holds: land units need land, ships need water."""

    SEA = "sea"
    LAND = "land"
    COAST = "coast"
    """Land and sea: ships and land units enter it."""
    ISLAND = "island"
    """A one-hex island, with water around it."""


SIGNS = {"~": Terrain.SEA, "#": Terrain.LAND, "+": Terrain.COAST, "o": Terrain.ISLAND}
"""How terrain is drawn."""
OFF_MAP = "."
"""How a place is drawn at which there is no hex."""
WATER = frozenset({Terrain.SEA, Terrain.COAST, Terrain.ISLAND})


class Label(NamedTuple):
    """A name on the map: a port, a city, a stretch of sea."""

    id: str
    name: str
    at: Hex
    port: bool = False


class Strait(NamedTuple):
    """21.211: a hexside through which ships pass from one sea into another; the Kiel canal is one too."""

    name: str
    one: Hex
    other: Hex


class Box(NamedTuple):
    """A mapboard or SW box, and the hexes at the edge of the map from which ships enter it."""

    id: str
    name: str
    edges: tuple[Hex, ...]


@dataclass(frozen=True, slots=True)
class Mapboard:
    """A map. Hexes are axial coordinates (see `hexes`); dictionaries that it gives away are read-only."""

    name: str
    title: str
    about: str
    pacific: bool
    """The theatre: ranges and distances of the Pacific differ from those of Europe."""
    origin: Hex
    """Column and row, counted from 0, at which (0, 0) lies in the drawing."""
    rows: tuple[str, ...]
    """The terrain, one sign a hex; odd rows are shifted half a hex to the east."""
    places: tuple[Label, ...] = ()
    sides: tuple[Strait, ...] = ()
    """The straits."""
    isthmuses: tuple[tuple[Hex, Hex], ...] = ()
    """Hexsides between two water hexes that no ship can cross."""
    front_rows: tuple[str, ...] = ()
    front_names: tuple[tuple[str, str], ...] = ()
    boxes: tuple[Box, ...] = ()

    def __hash__(self) -> int:
        return hash(self.name)  # asked often: what else differs is for equality to find out

    # --- what is where ------------------------------------------------------------------------------------------

    @property
    def terrain(self) -> Mapping[Hex, Terrain]:
        """The terrain of every hex, row by row from the north, each row from the west."""
        return _atlas(self).terrain

    @property
    def labels(self) -> Mapping[str, Hex]:
        """Where each named place lies, by its id."""
        return _atlas(self).labels

    @property
    def names(self) -> Mapping[Hex, str]:
        """The name of each named hex; the first one, if it has several."""
        return _atlas(self).names

    @property
    def straits(self) -> Mapping[frozenset[Hex], str]:
        """The name of each strait, by the two hexes on its sides."""
        return _atlas(self).straits

    @property
    def barred(self) -> frozenset[frozenset[Hex]]:
        """The hexsides between water hexes that no ship can cross, as pairs of hexes."""
        return _atlas(self).barred

    @property
    def ports(self) -> tuple[Label, ...]:
        """The places that are ports."""
        return tuple(place for place in self.places if place.port)

    def __contains__(self, at: object) -> bool:
        return at in _atlas(self).terrain

    def is_water(self, at: Hex) -> bool:
        """Whether ships may enter the hex: sea, coast, or a one-hex island."""
        return _atlas(self).terrain.get(at) in WATER

    def is_land(self, at: Hex) -> bool:
        """Whether the hex holds land: land, coast, or a one-hex island."""
        return _atlas(self).terrain.get(at, Terrain.SEA) is not Terrain.SEA

    def is_edge(self, at: Hex) -> bool:
        """Whether the hex lies at the edge of the map."""
        return at in self and any(beside not in self for beside in neighbours(at))

    def front(self, at: Hex) -> str:
        """The front that a hex belongs to; nothing if the map has none there."""
        return _atlas(self).fronts.get(at, "")

    # --- by sea -------------------------------------------------------------------------------------------------

    def sea_neighbours(self, at: Hex) -> tuple[Hex, ...]:
        """The hexes that ships may enter from this one, clockwise from the east; straits among them."""
        return _atlas(self).beside.get(at, ())

    def sea_distance(self, one: Hex, other: Hex, closed: Iterable[str] = ()) -> int | None:
        """How many hexes ships enter from one hex to another, 0 if it is the same; None if there is no way by sea.

        `closed` names straits through which these ships may not pass, such as the canal of an enemy.
        """
        return self.sea_distances(one, closed).get(other)

    def sea_distances(self, start: Hex, closed: Iterable[str] = ()) -> Mapping[Hex, int]:
        """The sea distance to every hex that ships can reach from here, the nearest first."""
        return _atlas(self).distances(start, frozenset(closed))

    def sea_path(
        self, start: Hex, end: Hex, via: Sequence[Hex] = (), closed: Iterable[str] = ()
    ) -> tuple[Hex, ...] | None:
        """The shortest way by sea, both ends included, through the `via` hexes in that order.

        Among equally short ones it passes the fewest straits, and keeps to open sea and near to the straight line.

        None if there is no such way. The same question always has the same answer.
        """
        shut = frozenset(closed)
        path: tuple[Hex, ...] = (start,) if self.is_water(start) else ()
        for here, there in zip((start, *via), (*via, end), strict=True):
            leg = _atlas(self).path(here, there, shut)
            if leg is None:
                return None
            path += leg[1:]
        return path

    def is_sea_path(self, path: Sequence[Hex], closed: Iterable[str] = ()) -> bool:
        """Whether ships can move along these hexes, each beside the one before."""
        shut = frozenset(closed)
        return all(map(self.is_water, path)) and all(
            there in self.sea_neighbours(here) and self.strait_between(here, there) not in shut
            for here, there in pairwise(path)
        )

    @rule("22.13A")
    def legs(self, path: Sequence[Hex]) -> tuple[tuple[int, int], ...]:
        """22.13A: a path in its parts on each side of straits, each as the places of its first and last hex in it.

        A path without straits is one part. Each part is an activity of its own for interception.
        """
        return _legs(self, tuple(path))

    def strait_between(self, one: Hex, other: Hex) -> str:
        """The name of the strait between two adjacent hexes, or nothing."""
        return _atlas(self).straits.get(frozenset((one, other)), "")

    def straits_along(self, path: Sequence[Hex]) -> tuple[str, ...]:
        """The straits that a path passes through, in order."""
        names = [self.strait_between(one, other) for one, other in pairwise(path)]
        return tuple(name for name in names if name)

    # --- in words -----------------------------------------------------------------------------------------------

    def name_of(self, at: Hex) -> str:
        """What people call a hex: its name, or the way to it from the nearest named one. No two share a name."""
        return _name_of(self, at)

    def find(self, text: str) -> Hex:
        """The hex that people mean: by a place's id or name, by `q,r`, or as `name_of` calls it."""
        atlas = _atlas(self)
        wanted = folded(text)
        if wanted in atlas.called:
            return atlas.called[wanted]
        at = read_hex(text)
        if at is not None and at in atlas.terrain:
            return at
        if at is not None:
            raise UnknownName("this hex is not on the map", given=text, allowed=[_extent(atlas.terrain)])
        for hex_ in atlas.terrain if " of " in text else ():
            if folded(self.name_of(hex_)) == wanted:
                return hex_
        ids = list(atlas.labels)
        close = dict.fromkeys(
            self._id_at(atlas.called[name]) for name in get_close_matches(wanted, atlas.called, 5, 0.5)
        )
        raise UnknownName("no such place on this map", given=text, allowed=[*(close or ids), "a hex such as 0,0"])

    def _id_at(self, at: Hex) -> str:
        return next(place.id for place in self.places if place.at == at)


# --- worked out once --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Atlas:
    """What follows from a board."""

    terrain: Mapping[Hex, Terrain]
    labels: Mapping[str, Hex]
    names: Mapping[Hex, str]
    called: dict[str, Hex]
    fronts: Mapping[Hex, str]
    straits: Mapping[frozenset[Hex], str]
    barred: frozenset[frozenset[Hex]]
    beside: dict[Hex, tuple[Hex, ...]]
    reached: dict[tuple[Hex, frozenset[str]], Mapping[Hex, int]] = field(default_factory=dict)
    passed: dict[tuple[Hex, frozenset[str]], dict[Hex, int]] = field(default_factory=dict)
    paths: dict[tuple[Hex, Hex, frozenset[str]], tuple[Hex, ...] | None] = field(default_factory=dict)

    def distances(self, start: Hex, closed: frozenset[str]) -> Mapping[Hex, int]:
        found = self.reached.get((start, closed))
        if found is None:
            found = self.reached[start, closed] = MappingProxyType(self._spread(start, closed))
        return found

    def _spread(self, start: Hex, closed: frozenset[str]) -> dict[Hex, int]:
        """Breadth first from a water hex."""
        far = {start: 0} if start in self.beside else {}
        waiting = deque(far)
        while waiting:
            here = waiting.popleft()
            for there in self.beside[here]:
                if there not in far and not (closed and self.is_shut(here, there, closed)):
                    far[there] = far[here] + 1
                    waiting.append(there)
        return far

    def is_shut(self, one: Hex, other: Hex, closed: frozenset[str]) -> bool:
        return self.straits.get(frozenset((one, other)), "") in closed

    def _ashore(self, at: Hex) -> bool:
        return self.terrain[at] is not Terrain.SEA

    def path(self, start: Hex, end: Hex, closed: frozenset[str]) -> tuple[Hex, ...] | None:
        key = start, end, closed
        if key not in self.paths:
            self.paths[key] = self._way(start, end, closed)
        return self.paths[key]

    def _way(self, start: Hex, end: Hex, closed: frozenset[str]) -> tuple[Hex, ...] | None:
        """From the end back towards the start: through few straits, by open sea, and near to the straight line."""
        far = self.distances(start, closed)
        if end not in far:
            return None
        passed = self.passed.get((start, closed))
        if passed is None:
            passed = self.passed[start, closed] = self._passed(far, closed)
        way = [end]
        while way[-1] != start:
            here = way[-1]
            fewest = [
                there
                for there in self._nearer(far, here, closed)
                if passed.get(there, 0) + self._is_strait(here, there) == passed.get(here, 0)
            ]
            way.append(min(fewest, key=lambda there: (self._ashore(there), _off_line(start, end, there), there)))
        return tuple(reversed(way))

    def _passed(self, far: Mapping[Hex, int], closed: frozenset[str]) -> dict[Hex, int]:
        """How many straits a shortest way to each hex must pass; nothing on a map without straits."""
        passed: dict[Hex, int] = {}
        for here in far if self.straits else ():  # the nearest first
            before = self._nearer(far, here, closed)
            passed[here] = min([passed[there] + self._is_strait(here, there) for there in before], default=0)
        return passed

    def _nearer(self, far: Mapping[Hex, int], here: Hex, closed: frozenset[str]) -> list[Hex]:
        """The hexes from which a shortest way enters a hex."""
        return [
            there
            for there in self.beside[here]
            if far.get(there, -1) == far[here] - 1 and not (closed and self.is_shut(here, there, closed))
        ]

    def _is_strait(self, one: Hex, other: Hex) -> bool:
        return frozenset((one, other)) in self.straits


@lru_cache(maxsize=4096)
def _name_of(board: Mapboard, at: Hex) -> str:
    names = _atlas(board).names
    if at in names:
        return names[at]
    if not names:
        return f"hex {hex_text(at)}"
    nearest = min(names, key=lambda named: distance(named, at))
    way = steps(nearest, at)
    first = f"{way[0][0]} hex{'es' * (way[0][0] > 1)} {way[0][1]}"
    second = f", {way[1][0]} {way[1][1]}" if len(way) > 1 else ""
    return f"{first}{second} of {names[nearest]}"


@lru_cache(maxsize=4096)
def _legs(board: Mapboard, path: tuple[Hex, ...]) -> tuple[tuple[int, int], ...]:
    cuts = [place for place in range(1, len(path)) if board.strait_between(path[place - 1], path[place])]
    return tuple(zip([0, *cuts], [*(cut - 1 for cut in cuts), len(path) - 1], strict=True)) if path else ()


@lru_cache(maxsize=64)
def kept(board: Mapboard) -> Mapboard:
    """The first of all equal boards: of one and the same it is known at once that it is equal."""
    return board


@lru_cache(maxsize=64)
def _atlas(board: Mapboard) -> _Atlas:
    drawn = {at: sign for at, sign in _signs(board.rows, board.origin) if sign != OFF_MAP}
    terrain = {at: SIGNS[sign] for at, sign in drawn.items()}
    straits = {frozenset((side.one, side.other)): side.name for side in board.sides}
    barred = frozenset(map(frozenset, board.isthmuses))
    water = {at for at, kind in terrain.items() if kind in WATER}
    fronts = dict(board.front_names)
    names: dict[Hex, str] = {}
    called: dict[str, Hex] = {}
    for place in board.places:
        names.setdefault(place.at, place.name)
        called.setdefault(folded(place.id), place.at)
        called.setdefault(folded(place.name), place.at)
    return _Atlas(
        terrain=MappingProxyType(terrain),
        labels=MappingProxyType({place.id: place.at for place in board.places}),
        names=MappingProxyType(names),
        called=called,
        fronts=MappingProxyType(
            {at: fronts[sign] for at, sign in _signs(board.front_rows, board.origin) if sign in fronts}
        ),
        straits=MappingProxyType(straits),
        barred=barred,
        beside={
            at: tuple(there for there in neighbours(at) if there in water and frozenset((at, there)) not in barred)
            for at in terrain
            if at in water
        },
    )


def hex_at(column: int, row: int, origin: Hex) -> Hex:
    """The hex that is drawn in a column and row, if (0, 0) is drawn at the origin."""
    return column - row // 2 - (origin[0] - origin[1] // 2), row - origin[1]


def _signs(rows: Sequence[str], origin: Hex) -> Iterable[tuple[Hex, str]]:
    for row, signs in enumerate(rows):
        for column, sign in enumerate(signs):
            yield hex_at(column, row, origin), sign


def _off_line(start: Hex, end: Hex, at: Hex) -> float:
    """How far a hex lies off the straight line, times the length of that; rounded, so that all machines agree."""
    (x, y), (to_x, to_y), (at_x, at_y) = middle(start), middle(end), middle(at)
    return round(abs((to_x - x) * (at_y - y) - (to_y - y) * (at_x - x)), 6)


def folded(text: str) -> str:
    """A name without regard to capitals, blanks and hyphens."""
    return " ".join(text.casefold().replace("-", " ").replace("_", " ").split())


def _extent(terrain: Mapping[Hex, Terrain]) -> str:
    qs, rs = [at[0] for at in terrain], [at[1] for at in terrain]
    return f"q from {min(qs)} to {max(qs)}, r from {min(rs)} to {max(rs)}"
