"""Paths that nobody has asked for (22.12): the way that an enemy force has still to go, and where others join it.

Known are the hex in which a force is, and where it is bound for unless it is to join another. The way between is drawn;
of forces that are to meet, or to part, all ways at once, and where they do it.
"""

from __future__ import annotations

from random import Random

from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.state.operation import Progress, Voyage
from flagplot.awaw.state.state import State

PATHS = 6
"""How many detours are looked at for another path."""
DETOUR = 4
"""By how many hexes another path may be longer."""


def hide_paths(state: State, enemy: str) -> None:
    """Shortest ways instead of those that a side does not know."""
    for family in _families(state, enemy):
        _sail(state, family, None)


def draw_paths(state: State, enemy: str, chance: Random) -> None:
    """Other ways to the same destinations."""
    for family in _families(state, enemy):
        _sail(state, family, chance)


def forget_meetings(state: State, enemy: str) -> None:
    """Shortest ways also for forces that are to meet, or have parted, of which some have sailed. Where they meet nobody
    knows: it is taken to be where the one that the others join is bound for."""
    voyages = state.operation.voyages
    sure = {key for family in _families(state, enemy) for key in family}
    hidden = {key: voyage for key, voyage in voyages.items() if key not in sure and is_hidden(voyage, enemy)}
    for key, voyage in sorted(hidden.items(), key=lambda entry: bool(entry[1].joins)):
        sailed, end = voyage.path[: max(0, voyage.step)], voyage.path[-1]
        if voyage.joins:
            host = voyages[voyage.joins]
            end = end if host.shown else host.path[-1]
        voyage.path = (*sailed, *(state.operation.plan.board.sea_path(voyage.at, end) or (voyage.at,)))
        met = [at for at in voyage.parts if at in sailed]
        awaits = any([one.joins == key and one.is_open for one in voyages.values()])
        voyage.parts = (*met, end) if awaits else tuple(met)


def seen_so_far(state: State, side: str) -> tuple[tuple[str, Hex, Hex | None, Progress], ...]:
    """Of the enemy's forces whose ways nobody has asked for: where they are, and where they are bound for."""
    return tuple(
        [
            (key, voyage.at, None if voyage.joins else voyage.path[-1], voyage.progress)
            for key, voyage in state.operation.voyages.items()
            if voyage.side != side and not voyage.shown and not voyage.level
        ]
    )


def is_hidden(voyage: Voyage, enemy: str) -> bool:
    """22.12: whether nobody knows how a force is to sail on. Who is awaited in a hex, since it is intercepted there
    together with others (22.141), has shown it."""
    open_ = voyage.side == enemy and voyage.is_open and voyage.halt <= voyage.step
    return open_ and not voyage.shown and not voyage.level


def _families(state: State, enemy: str) -> list[list[str]]:
    """Voyages whose ways are hidden, those together that are to meet or part; the one that the others join is first. Of
    forces that meet, either all ways are hidden and nobody has sailed, or they are as they are."""
    voyages, found = state.operation.voyages, []
    for key, voyage in voyages.items():
        if voyage.joins or voyage.leaves:
            continue
        family = [key, *[other for other, one in voyages.items() if key in (one.joins, one.leaves)]]
        alone, waiting = len(family) == 1, all([voyages[one].progress is Progress.ANNOUNCED for one in family])
        if all([is_hidden(voyages[one], enemy) for one in family]) and (not voyage.parts if alone else waiting):
            found.append(family)
    return found


def _sail(state: State, family: list[str], chance: Random | None) -> None:
    """A way for each of them, by chance or the shortest."""
    voyages, board = state.operation.voyages, state.operation.plan.board
    host = voyages[family[0]]
    sailed = host.path[: max(0, host.step)]
    way = _way(board, host.path[max(0, host.step)], host.path[-1], chance)
    if way is None:
        return
    host.path = (*sailed, *way)
    parts: list[Hex] = []
    for key in family[1:]:
        voyage, at = voyages[key], chance.choice(host.path) if chance else host.path[-1]
        ends = (voyage.path[0], at) if voyage.joins else (at, voyage.path[-1])
        voyage.path = board.sea_path(*ends) or (ends[0],)
        parts.append(at)
    host.parts = tuple(parts)


def _way(board: Mapboard, start: Hex, end: Hex, chance: Random | None) -> tuple[Hex, ...] | None:
    """A way by sea, by chance with a detour that is not too long."""
    straight = board.sea_path(start, end)
    if chance is None or straight is None or start == end:
        return straight
    via = [label.at for label in board.places if board.is_water(label.at) and label.at not in straight]
    for at in chance.sample(via, min(len(via), PATHS)):
        way = board.sea_path(start, end, (at,))
        if way and len(way) <= len(straight) + DETOUR and len(set(way)) == len(way):
            return way
    return straight
