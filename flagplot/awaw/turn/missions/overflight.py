"""Where air units may fly (18.22, 18.48): over everything that is on the map, but not over neutral land.

Distances for air units go around what is closed to them. On a map without holes and neutral land they are those of the
straight line.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from flagplot.awaw.basing import LONGEST_RANGE, distance, staging_range
from flagplot.awaw.mapboard.board import OFF_MAP, Mapboard
from flagplot.awaw.mapboard.hexes import Hex, neighbours
from flagplot.awaw.state.setting import Scene
from flagplot.awaw.state.state import State
from flagplot.kernel.rules import rule


@rule("18.22.1", "18.22.2", "18.48", "18.23")
def air_distance(state: State, one: Hex, other: Hex) -> int | None:
    """18.22: how many hexes air units fly from one hex to another, whoever holds those between: around neutral land,
    and never off the map but into a box. None if there is no way."""
    board, turn = state.operation.plan.board, state.turn
    if _is_open(board) and not turn.plan.neutral and not turn.plan.neutral_sides:
        return distance(one, other)
    if one not in board:
        one, other = other, one
    if one not in board:
        return distance(one, other)
    if other in board:
        return _spread(board, turn.plan.neutral, turn.plan.neutral_sides, one).get(other)
    exits = _exits(board, turn.plan.neutral, turn.plan.neutral_sides, one)
    return min([hexes + distance(at, other) for at, hexes in exits.items()], default=None)


@rule("18.48")
def air_hexes(state: State, base: str, at: Hex) -> int:
    """18.48: how far a hex is from a base for air units that fly a mission; in an air turn they go around neutral land,
    and a hex to which there is no way is farther than anybody flies."""
    start = state.place(base).at
    if state.turn_if_any is None:
        return distance(start, at)
    far = air_distance(state, start, at)
    return FARTHER if far is None else far


@lru_cache(maxsize=64)
def _is_open(board: Mapboard) -> bool:
    """Whether the map has no holes."""
    return not any([OFF_MAP in row for row in board.rows])


@lru_cache(maxsize=1024)
@rule("18.22.2")
def _spread(
    board: Mapboard, neutral: tuple[Hex, ...], closed: tuple[tuple[Hex, Hex], ...], start: Hex
) -> Mapping[Hex, int]:
    """18.22: breadth first over the map: hexes that are neutral altogether are closed, and so are hexsides of neutral
    land alone between hexes that are part water."""
    barred, shut, terrain = frozenset(neutral), frozenset(map(frozenset, closed)), board.terrain
    far = {start: 0}
    waiting = deque(far)
    while waiting:
        here = waiting.popleft()
        for there in neighbours(here):
            if there in terrain and there not in far and there not in barred and frozenset((here, there)) not in shut:
                far[there] = far[here] + 1
                waiting.append(there)
    return far


@lru_cache(maxsize=1024)
@rule("18.22.2", "18.23")
def _exits(
    board: Mapboard, neutral: tuple[Hex, ...], closed: tuple[tuple[Hex, Hex], ...], start: Hex
) -> Mapping[Hex, int]:
    """18.23: the hexes on the edge of the map, over which air leaves it for a box, and how far they are."""
    far = _spread(board, neutral, closed, start)
    return {at: hexes for at, hexes in far.items() if any([there not in board for there in neighbours(at)])}


@rule("18.48")
def fly_around(state: State, scene: Scene) -> Scene:
    """18.48: missions and flights go around neutral land as staging does: bases that are then out of range are not near
    any more."""
    turn = state.turn
    if not turn.plan.neutral and not turn.plan.neutral_sides:
        return scene
    places = scene.places

    def hexes(one: str, other: str) -> int:
        far = air_distance(state, places[one].at, places[other].at)
        return FARTHER if far is None else far

    near = {
        target: tuple(
            (site, far) for site, _ in entries if (far := hexes(site, target)) <= LONGEST_RANGE or places[site].afloat
        )
        for target, entries in scene.near.items()
    }
    refuges = {
        target: tuple(
            (site, far, holds)
            for site, _, holds in entries
            if (far := hexes(target, site)) <= staging_range(LONGEST_RANGE)
        )
        for target, entries in scene.refuges.items()
    }
    return replace(scene, near=near, refuges=refuges)


FARTHER = 9_999
"""Farther than anybody flies."""
