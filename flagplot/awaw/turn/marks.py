"""Marks on counted air units: so many of a kind in a base have staged, were shipped, built or redeployed in this turn.

Units are counted, not named. A mark never holds for more units than are there: whoever leaves a base or is lost takes
its mark along (`clip`), and of units that are alike those without a mark are taken to fly first.
"""

from __future__ import annotations

from flagplot.awaw.air_units import Unit
from flagplot.awaw.counting import add, take
from flagplot.awaw.state.state import State

STAGED = "staged"
"""Has changed base in this movement phase (18.21)."""
SHIPPED = "shipped"
"""Was sea transported in this player turn (18.24)."""
BUILT = "built"
"""Was constructed in this player turn (18.72C)."""
REDEPLOYED = "redeployed"
"""Was moved in this redeployment phase (18.72D)."""


def marked(state: State, mark: str, which: Unit) -> int:
    """How many of the units, in their base, have the mark."""
    return state.turn.marks.get(mark, {}).get(which, 0)


def set_mark(state: State, mark: str, which: Unit, number: int) -> None:
    """So many of the units in their base get the mark."""
    if number > 0:
        add(state.turn.marks.setdefault(mark, {}), which, number)


def lift(state: State, mark: str, which: Unit, number: int) -> int:
    """Up to so many of the units lose the mark: how many did."""
    some = min(number, marked(state, mark, which))
    if some:
        take(state.turn.marks[mark], which, some)
    return some


def free_of(state: State, mark: str, which: Unit) -> int:
    """How many of the units in their base do not have the mark."""
    return max(0, state.sites[which.home].air.get(which, 0) - marked(state, mark, which))


def without_units(state: State, mark: str, which: Unit) -> int:
    """How many of the marks are those of units that are in their base no more."""
    return max(0, marked(state, mark, which) - state.sites[which.home].air.get(which, 0))


def clip(state: State) -> None:
    """No mark holds for more units than there are."""
    for mark, force in state.turn.marks.items():
        for which in list(force):
            lift(state, mark, which, without_units(state, mark, which))


def clear(state: State, *marks: str) -> None:
    """The marks are taken away from everybody."""
    for mark in marks:
        state.turn.marks.pop(mark, None)
