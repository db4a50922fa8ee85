"""Coasts from hexes: the outline of the land, smooth, closed, and the same whenever a map is drawn.

The middle of each hex, the middle of each hexside and each corner has a height, from terrain, straits and barred sides.
A coast is the line at half height through the triangles between these points. It is decoration: what a hex holds is
in the map file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from math import cos, pi, sin
from typing import TypeAlias

from flagplot.awaw.mapboard.board import Mapboard, Terrain, hex_at
from flagplot.awaw.mapboard.hexes import Hex, middle, neighbours

Point: TypeAlias = tuple[float, float]
Loop: TypeAlias = tuple[Point, ...]
"""A closed line, without its first point at the end; land lies on its right as one goes along."""
Node: TypeAlias = frozenset[Hex]
"""The middle of a hex, of a hexside between two, or a corner of three."""

SEA, LAND, COAST, ISLAND = Terrain.SEA, Terrain.LAND, Terrain.COAST, Terrain.ISLAND
SHORE = 0.5
INLAND_OR_AT_SEA = ({SEA}, {LAND}, {SEA, ISLAND}, {ISLAND})
"""Around a hex: then no coast comes near it."""
ROUGH = 0.055
"""How far a point of a coast is moved, in hexes, so that it does not look ruled."""
BEYOND = 10
"""How many hexes land goes on beyond the edge of the map."""


@lru_cache(maxsize=64)
def coastlines(board: Mapboard) -> tuple[Loop, ...]:
    """The coasts of a map, in hexes: mainland, islands of several hexes, lakes, and one-hex islands."""
    return (*_Heights(board).contours(), *(_islet(at) for at, kind in board.terrain.items() if kind is ISLAND))


class _Heights:
    """The heights of the points of a map."""

    def __init__(self, board: Mapboard) -> None:
        self.board = board
        self.kinds = _extended(board)
        self.lands = lands(board)
        self.inlets = _inlets(board)
        self.carved = {frozenset(pair) for pair in self.inlets.items()}
        self.known: dict[Node, float] = {}

    def height(self, node: Node) -> float:
        found = self.known.get(node)
        if found is None:
            found = self.known[node] = (self._of_hex, self._of_side, self._of_corner)[len(node) - 1](*sorted(node))
        return found

    def _of_hex(self, at: Hex) -> float:
        if at in self.inlets or at in self.inlets.values():
            return 0.42
        return {LAND: 1.0, COAST: 0.9}.get(self.kinds.get(at, SEA), 0.0)

    def _of_side(self, one: Hex, other: Hex) -> float:
        pair, kinds = frozenset((one, other)), {self.kinds.get(one, SEA), self.kinds.get(other, SEA)}
        if not self.kinds.keys() >= pair or pair in self.carved or pair in self.board.straits:
            return 0.0
        if not kinds.isdisjoint((SEA, ISLAND)):
            return SHORE if LAND in kinds else 0.0
        if LAND in kinds or pair in self.board.barred:
            return 1.0
        beside = [self.kinds.get(at, SEA) for at in set(neighbours(one)) & set(neighbours(other))]
        if LAND in beside:
            return 0.9
        facing = self._has_land(one) and self._has_land(other)  # two shores, and ships pass between them
        return 0.7 if self.lands.get(one) == self.lands.get(other) and not facing else 0.1

    def _has_land(self, at: Hex) -> bool:
        return any([self.kinds.get(beside) is LAND for beside in neighbours(at)])

    def _of_corner(self, *hexes: Hex) -> float:
        kinds = [self.kinds.get(at, SEA) for at in hexes]
        if not self.kinds.keys() >= set(hexes):
            return 0.0
        wet = sum([kind in (SEA, ISLAND) for kind in kinds])
        sides = [self._of_side(one, other) for one, other in _pairs(hexes)]
        if wet == 0:
            narrow = min(sides) < SHORE
            return 0.3 if narrow else 1.0 if LAND in kinds else 0.8
        if wet == 1:
            return 0.55 if LAND in kinds else 0.42 if max(sides) > SHORE else 0.1
        return 0.3 if LAND in kinds else 0.0

    # --- lines --------------------------------------------------------------------------------------------------

    def contours(self) -> Iterator[Loop]:
        """Closed lines at the height of the shore."""
        onward: dict[frozenset[Node], frozenset[Node]] = {}
        where: dict[frozenset[Node], Point] = {}
        for triangle in self._triangles():
            cut = self._cut(triangle)
            if cut:
                start, end = cut
                onward[start] = end
                where[start] = self._crossing(start)
        while onward:
            start, there = onward.popitem()
            line = [where[start]]
            while there != start:
                line.append(where[there])
                there = onward.pop(there)
            if len(line) > 3:
                yield tuple(line)

    def _triangles(self) -> Iterator[tuple[Node, Node, Node]]:
        """Twelve for each hex, all counted the same way round."""
        for at, kind in self.kinds.items():
            around = neighbours(at)
            if {
                kind,
                *[self.kinds.get(beside, SEA) for beside in around],
            } in INLAND_OR_AT_SEA and at not in self.inlets:
                continue
            for number, beside in enumerate(around):
                after = around[(number + 1) % 6]
                corner, here = frozenset((at, beside, after)), frozenset((at,))
                yield here, frozenset((at, beside)), corner
                yield here, corner, frozenset((at, after))

    def _cut(self, triangle: tuple[Node, Node, Node]) -> tuple[frozenset[Node], frozenset[Node]] | None:
        """The two edges of a triangle that a coast crosses, in its direction."""
        dry = [self.height(node) > SHORE for node in triangle]
        if all(dry) or not any(dry):
            return None
        for number in range(3):
            one, other = (number + 1) % 3, (number + 2) % 3
            if dry[one] == dry[other]:
                ends = [frozenset((triangle[number], triangle[end])) for end in (one, other)]
                return (ends[0], ends[1]) if dry[number] else (ends[1], ends[0])
        return None

    def _crossing(self, edge: frozenset[Node]) -> Point:
        """Where a coast crosses an edge, a little out of true."""
        one, other = sorted(edge, key=lambda node: (len(node), sorted(node)))
        low, high = self.height(one), self.height(other)
        share = min(0.85, max(0.15, (SHORE - low) / (high - low)))
        (x, y), (to_x, to_y) = _spot(one), _spot(other)
        turn, far = _chance(repr((sorted(one), sorted(other))))
        x, y = x + share * (to_x - x), y + share * (to_y - y)
        return x + ROUGH * far * cos(turn), y + ROUGH * far * sin(turn)


def _pairs(hexes: Sequence[Hex]) -> list[tuple[Hex, Hex]]:
    return [(hexes[0], hexes[1]), (hexes[1], hexes[2]), (hexes[0], hexes[2])]


def _spot(node: Node) -> Point:
    spots = [middle(at) for at in node]
    return sum([x for x, _ in spots]) / len(spots), sum([y for _, y in spots]) / len(spots)


def _chance(seed: str) -> tuple[float, float]:
    """A direction and a length between 0 and 1, the same for the same place on every machine."""
    one, other = blake2b(seed.encode(), digest_size=2).digest()
    return one / 256 * 2 * pi, other / 255


def _islet(at: Hex) -> Loop:
    """A one-hex island: a little longer one way than the other."""
    (x, y), (lean, size) = middle(at), _chance(f"islet{at}")
    radius = 0.17 + 0.05 * size
    points = []
    for number in range(10):
        angle = 2 * pi * number / 10
        far = radius * (1 + 0.28 * _chance(f"{at}{number}")[1])
        along, across = 1.35 * far * cos(angle), 0.8 * far * sin(angle)
        points.append((x + along * cos(lean) - across * sin(lean), y + along * sin(lean) + across * cos(lean)))
    return tuple(points)


# --- what belongs together --------------------------------------------------------------------------------------


def _extended(board: Mapboard) -> Mapping[Hex, Terrain]:
    """The terrain, and beyond the edge of the map as what lies beside it: there it is only seen, not entered."""
    kinds = dict(board.terrain)
    frame = _frame(board)
    while True:
        around: dict[Hex, list[Terrain]] = {}
        for at in kinds:
            for beside in neighbours(at):
                if beside not in kinds and beside in frame:
                    around.setdefault(beside, []).append(_beyond(board, at, beside, kinds))
        if not around:
            return kinds
        for at, seen in around.items():
            kinds[at] = LAND if seen.count(LAND) * 2 >= len(seen) else SEA


def _frame(board: Mapboard) -> set[Hex]:
    """All hexes of the rectangle that a map is drawn in, and some around it."""
    rows, columns = range(-BEYOND, len(board.rows) + BEYOND), range(-BEYOND, len(board.rows[0]) + BEYOND)
    return {hex_at(column, row, board.origin) for row in rows for column in columns}


def _beyond(board: Mapboard, at: Hex, beside: Hex, kinds: Mapping[Hex, Terrain]) -> Terrain:
    """What a hex off the map is, judged by one beside it: behind a coast it is what is not before it."""
    kind = kinds[at]
    alone = not any([kinds.get(near) in (LAND, COAST) for near in neighbours(at)])
    if kind is not COAST or alone:
        return LAND if kind is LAND else SEA
    before = kinds.get((2 * at[0] - beside[0], 2 * at[1] - beside[1]), SEA)
    return SEA if before in (LAND, COAST) else LAND


def lands(board: Mapboard) -> dict[Hex, Hex | None]:
    """The land that each coast is part of, named by one of its hexes; None for coasts without land behind them.

    Coasts belong to the land beside them, and to coasts on the other side of a hexside that no ship can cross.
    """
    found: dict[Hex, Hex | None] = {at: None for at, kind in board.terrain.items() if kind in (LAND, COAST)}
    for start in found:
        if board.terrain[start] is not LAND or found[start] is not None:
            continue
        found[start], waiting = start, [start]
        while waiting:
            here = waiting.pop()
            for beside in neighbours(here):
                if beside in found and found[beside] is None and _is_one_land(board, here, beside):
                    found[beside] = start
                    waiting.append(beside)
    return found | _capes(board, found)


def _capes(board: Mapboard, found: Mapping[Hex, Hex | None]) -> dict[Hex, Hex | None]:
    """Single coasts without a name that have no land behind them, but coasts of one land beside them, end that."""
    capes: dict[Hex, Hex | None] = {}
    for at, land in found.items():
        around = {
            found[beside] for beside in neighbours(at) if beside in found and not board.strait_between(at, beside)
        }
        if land is None and at not in board.names and len(around) == 1:
            capes[at] = around.pop()
    return capes


def _is_one_land(board: Mapboard, one: Hex, other: Hex) -> bool:
    return LAND in (board.terrain[one], board.terrain[other]) or frozenset((one, other)) in board.barred


def _inlets(board: Mapboard) -> dict[Hex, Hex]:
    """For each port in no open water, and each hex on its way out, the next hex towards the sea."""
    ways: dict[Hex, Hex] = {}
    for port in board.ports:
        at = port.at
        while at not in ways and _is_inland(board, at):
            ways[at] = min(board.sea_neighbours(at), key=lambda beside: _to_sea(board, beside))
            at = ways[at]
    return ways


def _is_inland(board: Mapboard, at: Hex) -> bool:
    around = board.sea_neighbours(at)
    return bool(around) and all([board.terrain[beside] is COAST for beside in around])


def _to_sea(board: Mapboard, at: Hex) -> int:
    """How far a water hex lies from open sea."""
    far = board.sea_distances(at)
    return next((hexes for other, hexes in far.items() if not board.is_land(other)), len(far))
