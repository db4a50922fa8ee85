"""Air units change base: what befell them in this turn, and why they are inverted, goes with them."""

from __future__ import annotations

from flagplot.awaw.air_units import Force, Unit, add, take
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.missions.inversion import moved


def relocate(state: State, which: Unit, number: int, base: str) -> Unit:
    """So many units of a kind go from their base to another: what they are there. Of units that are alike those without
    a mark go first."""
    old, new = state.sites[which.home], state.sites[base]
    landed = state.rebased(which, base)
    there = old.air[which]
    for mark in state.turn.marks.values():
        _carry(mark, mark, which, landed, number, there)
    _carry(old.used, new.used, which, landed, number, there)
    _carry(old.committed, new.committed, which, landed, number, there)
    take(old.air, which, number)
    add(new.air, landed, number)
    if which.inverted:
        moved(state, which, landed, number)
    return landed


def _carry(old: Force, new: Force, which: Unit, landed: Unit, number: int, there: int) -> None:
    """The part of a count that goes along when so many of those there leave."""
    some = min(number, old.get(which, 0) - (there - number))
    if some > 0:
        take(old, which, some)
        add(new, landed, some)


def clip_site(state: State, base: str) -> None:
    """What is remembered of the air in a base never holds for more units than are there."""
    site = state.sites[base]
    for force in (site.used, site.committed):
        for which, number in list(force.items()):
            there = site.air.get(which, 0)
            if number > there:
                take(force, which, number - there)


def clip_down(state: State) -> None:
    """Nor does what is written down of inverted air."""
    turn = state.turn
    left: Force = {}
    kept = []
    for entry in turn.down:
        which = entry.which
        there = left.get(which, state.sites[which.home].air.get(which, 0))
        some = min(entry.number, there)
        left[which] = there - some
        if some:
            kept.append(entry._replace(number=some))
    turn.down = kept
