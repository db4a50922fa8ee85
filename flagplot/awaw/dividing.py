"""The squadrons of one army air factor against several bases (23.152B-C).

Factors that counterair a base with naval air break down. Some of their squadrons may fly against other bases with naval
air in the same phase: none stays out of the fighting, and all are put together when the last counterair is over.
"""

from __future__ import annotations

from flagplot.awaw.air_units import Arm, Counted, Force, Listed, Unit, add, take
from flagplot.awaw.conversion import break_down
from flagplot.awaw.counting import Counts
from flagplot.awaw.operations.bases.targets import open_to_land_air
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.missions.overflight import air_hexes
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, how_many


@rule("23.152B", "23.152C")
def naval_bases(state: State) -> list[str]:
    """23.152C: the bases with naval air, as far as everybody can see, that land-based air has not attacked in this
    phase."""
    return [base for base in open_to_land_air(state) if has_naval_air(state, base)]


def has_naval_air(state: State, base: str) -> bool:
    return any([which.is_naval for which in state.sites[base].air])


def _reaches(state: State, which: Unit, base: str) -> bool:
    return air_hexes(state, which.home, state.place(base).at) <= which.reach


@rule("23.152B", "23.152C")
def divide(state: State, base: str, flying: Force) -> Script[Force]:
    """23.152C: of army air that counterairs a base with naval air the attacker keeps some squadrons for other such
    bases, each of which they have to counterair in this phase (23.152B). Gives those who fly here. Nothing breaks down
    before all is said: the enemy sees his bases."""
    if not has_naval_air(state, base):
        return flying
    bases = [other for other in naval_bases(state) if other != base]
    apart: Counts[Unit] = Counts()
    for which, number in flying.items():
        if which.arm is not Arm.ARMY or not any([_reaches(state, which, other) for other in bases]):
            continue
        squadrons = number * which.size
        others = [other for other in flying if other != which and apart[other] < flying[other] * other.size]
        most = squadrons - (not others)  # somebody flies against this base
        question = ("{}: send how many of {} squadrons against other naval air bases?", Counted(which, number))
        verb, numbers = ("divide", which.tag), range(most + 1)
        words, side = (*question, squadrons), state.scene.attacker
        some: int = yield Choose(side, verb, numbers, words, how_many, "23.152C")
        if some:
            apart[which] = some
    here: Force = dict(flying)
    for which, some in apart.items():
        _keep(state, here, which, some)
    return here


def _keep(state: State, here: Force, which: Unit, number: int) -> None:
    """So many squadrons of a kind are kept in their base for other attacks of this phase."""
    site = state.sites[which.home]
    factors = -(-number // 3) if which.is_factor else number
    take(here, which, factors)
    parts = {which: factors}
    if which.is_factor:
        parts = break_down(parts)
        take(site.air, which, factors)
        for part, some in parts.items():
            add(site.air, part, some)
        state.squadrons = True
    for part, some in parts.items():
        kept = min(some, number)
        number -= kept
        if kept:
            add(state.divided, part, kept)
            add(site.committed, part, kept)
        if some > kept:
            add(here, part, some - kept)


@rule("23.152B")
def next_errand(state: State) -> Script[str]:
    """23.152B: squadrons that were kept for other bases with naval air attack one now, and none is withheld: which. If
    there is no such base any more they have flown in vain."""
    _count_again(state)
    if not state.divided:
        return ""
    side = state.scene.attacker
    bases = [base for base in naval_bases(state) if any([_reaches(state, which, base) for which in state.divided])]
    if not bases:
        yield Note(
            ("{}: no base with naval air left for {}", state.name(side), Listed(state.divided.items())), "23.152B"
        )
        for which, number in state.divided.items():
            take(state.sites[which.home].committed, which, number)
        stand_apart(state, state.divided)
        state.divided = {}
        return ""
    labels: dict[str, Words] = {base: ("Attack {}", state.place(base).name) for base in bases}
    question = "Choose a base for the squadrons held back"
    chosen: str = yield Choose(side, "divided", bases, question, labels, "23.152B")
    return chosen


def _count_again(state: State) -> None:
    """Squadrons that were kept back may have been lost, or have left their base, when escaping ships were met."""
    for which, number in list(state.divided.items()):
        site = state.sites[which.home]
        left = min(number, site.air.get(which, 0), site.committed.get(which, 0))
        if left < number:
            take(state.divided, which, number - left)


@rule("23.152B")
def bound_for(state: State, base: str) -> Force:
    """The squadrons that were kept back and have this base in range: they have to fly against it."""
    bound: Force = {}
    for which, number in list(state.divided.items()):
        if _reaches(state, which, base):
            take(state.divided, which, number)
            take(state.sites[which.home].committed, which, number)
            bound[which] = number
    return bound


# --- afterwards -------------------------------------------------------------------------------------------------


@rule("23.152D")
def stand_apart(state: State, flown: Force) -> Force:
    """23.152D: squadrons of factors that have flown are inverted in their base, and put together only when all
    counterair of the phase is over. Gives the others who have flown."""
    others: Force = {}
    for which, number in flown.items():
        if which.is_factor or which.is_naval:
            others[which] = number
            continue
        air = state.sites[which.home].air
        there = min(number, air.get(which, 0))
        if there:
            take(air, which, there)
            add(air, which.turned(inverted=True), there)
            add(state.scattered, which.turned(inverted=True), there)
    return others
