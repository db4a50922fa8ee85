"""Where defenders may flee to (18.523): bases of their side within staging range that have room for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from flagplot.awaw.air_units import Unit
from flagplot.awaw.basing import staging_range
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.basing.rooms import taken
from flagplot.kernel.rules import rule

Free = tuple[int, ...]
"""Room left in each shelter, in squadrons."""


class Shelters(NamedTuple):
    """The shelters, in the order of the scenario; an island's place for one naval squadron is a shelter of its own."""

    sites: tuple[str, ...]
    hexes: tuple[int, ...]
    free: Free
    naval_only: tuple[bool, ...]


NO_SHELTERS = Shelters((), (), (), ())


class Party(NamedTuple):
    """Identical units that flee, and the shelters within their reach."""

    which: Unit
    units: int
    reach: tuple[int, ...]


@rule("18.523", "18.523.1")
def shelters(state: State, target: str) -> Shelters:
    """18.523: bases and boxes of the defender that are not counteraired, now or earlier in the phase."""
    found: list[tuple[str, int, int, bool]] = []
    for site, far, squadrons in state.scene.refuges[target]:
        if not is_refuge(state, site):
            continue
        left = squadrons - taken(state, site)
        if left > 0:
            found.append((site, far, left, False))
        if left >= 0 and state.scene.places[site].island:
            found.append((site, far, 1, True))
    return Shelters(*zip(*found, strict=True)) if found else NO_SHELTERS


@rule("18.523", "23.461A")
def is_refuge(state: State, base: str) -> bool:
    """18.523: whether air units may flee to a base: it is not attacked, nor was it earlier in the phase."""
    if state.sites[base].counteraired:
        return False
    sorties = state.battle.sorties
    if sorties and any([sortie.target == base for sortie in sorties]):
        return False
    operation = state.operation_if_any
    return operation is None or base not in operation.raids_now.inverted


@rule("18.523")
def parties(state: State, target: str, known: Shelters) -> list[Party]:
    """18.523: those who must leave, each with the shelters within its staging range."""
    fleeing, (_, hexes, _, naval_only) = [], known
    reaches: dict[tuple[int, bool], tuple[int, ...]] = {}
    for which, number in state.sites[target].air.items():
        flight = which.reach, which.is_naval
        if flight not in reaches:
            reaches[flight] = _reach(hexes, naval_only, staging_range(which.reach), which.is_naval)
        fleeing.append(Party(which, number, reaches[flight]))
    if len(fleeing) > 1:
        fleeing.sort(key=_largest_first)
    return fleeing


@lru_cache(maxsize=1024)
def _reach(hexes: tuple[int, ...], naval_only: tuple[bool, ...], far: int, naval: bool) -> tuple[int, ...]:
    places = enumerate(zip(hexes, naval_only, strict=True))
    return tuple([place for place, (away, ships) in places if away <= far and (naval or not ships)])


def _largest_first(party: Party) -> tuple[int, int]:
    """Those that take most room, and among them those that can go to the fewest shelters."""
    return -party.which.size, len(party.reach)


@rule("18.523", "18.523.1", "18.523.2")
def may_flee(state: State, target: str) -> bool:
    """18.523: whether the defender can leave: only if all his air finds room."""
    known = shelters(state, target)
    if not known.free and state.sites[target].air:
        return False
    return all_fit(parties(state, target, known), known.free)


@rule("18.523.2")
def all_fit(fleeing: list[Party], free: Free) -> bool:
    """18.523: whether every unit finds room: nobody may stay behind."""
    if _fill(fleeing, free):
        return True
    if sum([which.size * units for which, units, _ in fleeing]) > sum(free):
        return False
    ways = {free}
    for which, units, reach in fleeing:
        ways = {left for way in ways for left in _placings(which.size, units, reach, way)}
    return bool(ways)


def _fill(fleeing: list[Party], free: Free) -> bool:
    """Whether everyone fits when each takes the first shelter with room: nearly always so, and quick to see."""
    left = list(free)
    for which, count, reach in fleeing:
        if not count:
            continue
        size = which.size
        for place in reach:
            room = left[place] // size
            if count <= room:
                left[place] -= count * size
                break
            left[place] -= room * size
            count -= room
        else:
            return False
    return True


def _placings(size: int, count: int, reach: tuple[int, ...], free: Free) -> list[Free]:
    """The room left after each way to place so many units of a size in the shelters within reach."""
    if not reach:
        return [] if count else [free]
    first, *others = reach
    found = []
    for number in range(min(count, free[first] // size), -1, -1):
        left = (*free[:first], free[first] - number * size, *free[first + 1 :])
        found += _placings(size, count - number, tuple(others), left)
    return found


def possible(party: Party, shelter: int, count: int, others: list[Party], free: Free) -> Sequence[int]:
    """How many of `count` units left of a party may go to this shelter so that everyone else still finds room."""
    which, _, reach = party
    size = which.size
    later = tuple([place for place in reach if place > shelter])
    most = min(count, free[shelter] // size)

    def fits(number: int) -> bool:
        left = (*free[:shelter], free[shelter] - number * size, *free[shelter + 1 :])
        return all_fit([Party(which, count - number, later), *others], left)

    if all([other.which.size == size for other in others]) and fits(0) and fits(most):
        return range(most + 1)  # units of one size: what is between two ways that fit, fits
    return [number for number in range(most + 1) if fits(number)]
