"""The points of an operation: what they are, and that both sides are told when they have changed."""

from __future__ import annotations

from flagplot.awaw.ships import factors
from flagplot.awaw.state.state import State
from flagplot.kernel.requests import Note
from flagplot.kernel.words import listing


def operation_points(state: State, side: str) -> int:
    """What a side has so far: its activities, and the enemy's factors that are sunk."""
    nations = state.setting.nations[state.other(side)]
    sunk = {which: number for which, number in state.losses.ships.items() if which.nation in nations}
    return state.operation.done.get(side, 0) + factors(sunk)


def points_told(state: State) -> list[Note]:
    """The points of an operation so far, once somebody has some. An air turn has other points too, and announces all of
    them at its end."""
    have = {state.name(side): operation_points(state, side) for side in state.sides}
    if state.turn_if_any is not None or not any(have.values()):
        return []
    return [Note(("Points: {}", listing([f"{name} {number}" for name, number in have.items()])), "")]
