"""The squadrons of one army air factor against several bases (23.152B-C), in an air turn.

Factors that counterair a base with naval air break down. Some of their squadrons may fly against other bases with naval
air in the same phase: none stays out of the fighting, and all are put together when the last counterair is over.
"""

from __future__ import annotations

from flagplot.awaw.air_units import ARMY_ROLES, Arm, Counted, Force, Listed, Role, Unit, add, take
from flagplot.awaw.basing import distance
from flagplot.awaw.conversion import break_down, factors_from
from flagplot.awaw.counterair import drop_left_over, how_many
from flagplot.awaw.operations.base_targets import LAND_BASED, enemy_bases
from flagplot.awaw.operations.state import BaseStrike, OperationState
from flagplot.kernel.procedures import Call
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words


@rule("23.152B", "23.152C")
def other_bases(state: OperationState, which: Unit, base: str = "") -> list[str]:
    """23.152C: the bases with naval air, as far as everybody can see, that squadrons of this kind could counterair
    beside a base; land-based air has not attacked them in this phase."""
    attacked = state.attacked_by_land if state.attacked_in == state.stage else []
    return [
        other
        for other in enemy_bases(state, state.setting.attacker)
        if other != base
        and other not in attacked
        and has_naval_air(state, other)
        and distance(state.place(which.home).at, state.place(other).at) <= which.reach
    ]


def has_naval_air(state: OperationState, base: str) -> bool:
    return any([which.is_naval for which in state.sites[base].air])


@rule("23.152B", "23.152C")
def divide(state: OperationState, raid: BaseStrike, flying: Force) -> Script[Force]:
    """23.152C: of army air that flies against a base with naval air the attacker keeps some squadrons for other such
    bases, each of which they have to counterair in this phase (23.152B). Gives those who fly here. Nothing breaks down
    before all is said: the enemy sees his bases."""
    base = raid.mission.target
    first = raid.sortie == 1 and raid.carriers == LAND_BASED
    if not first or not state.divides_air or not has_naval_air(state, base):
        return flying
    apart: Force = {}
    for which, number in flying.items():
        squadrons = number * which.size if which.arm is Arm.ARMY else 0
        if not squadrons or not other_bases(state, which, base):
            continue
        others = [other for other in flying if other != which and apart.get(other, 0) < flying[other] * other.size]
        most = squadrons - (not others)  # somebody flies against this base
        question = ("{}: how many of the {} squadrons fly against other bases with naval air?", Counted(which, number))
        verb, numbers = ("divide", which.tag), range(most + 1)
        some: int = yield Choose(raid.mission.side, verb, numbers, (*question, squadrons), how_many, "23.152C")
        if some:
            apart[which] = some
    here: Force = dict(flying)
    for which, some in apart.items():
        _keep(state, here, which, some)
        if which in raid.flown:
            take(raid.flown, which, some)
    return here


def _keep(state: OperationState, here: Force, which: Unit, number: int) -> None:
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
def next_errand(state: OperationState) -> Script[Call | None]:
    """23.152B: squadrons that were kept for other bases with naval air attack one now, and none is withheld. If there
    is no such base any more they have flown in vain."""
    side = state.setting.attacker
    reach = {which: other_bases(state, which) for which in state.divided}
    bases = [base for base in enemy_bases(state, side) if any([base in some for some in reach.values()])]
    if not bases:
        yield Note(("{} find no base with naval air: {}", state.name(side), Listed(state.divided.items())), "23.152B")
        for which, number in state.divided.items():
            take(state.sites[which.home].committed, which, number)
        stand_apart(state, state.divided)
        state.divided = {}
        return None
    labels: dict[str, Words] = {base: state.place(base).name for base in bases}
    question = "Which base do the squadrons that were kept back counterair?"
    chosen: str = yield Choose(side, "divided", bases, question, labels, "23.152B")
    return Call("base-strike", (chosen, LAND_BASED))


@rule("23.152B")
def bound_for(state: OperationState, base: str) -> Force:
    """The squadrons that were kept back and have this base in range: they have to fly against it."""
    aim = state.place(base)
    bound: Force = {}
    for which, number in list(state.divided.items()):
        if distance(state.place(which.home).at, aim.at) <= which.reach:
            take(state.divided, which, number)
            take(state.sites[which.home].committed, which, number)
            bound[which] = number
    return bound


# --- afterwards -------------------------------------------------------------------------------------------------


@rule("23.152D")
def stand_apart(state: OperationState, flown: Force) -> None:
    """23.152D: army air squadrons that have flown are inverted in their base, and put together only when all counterair
    of the phase is over."""
    for which, number in flown.items():
        if which.role not in ARMY_ROLES:
            continue
        air = state.sites[which.home].air
        there = min(number, air.get(which, 0))
        if there:
            take(air, which, there)
            add(air, which.turned(inverted=True), there)
            add(state.scattered, which.turned(inverted=True), there)


@rule("23.152D", "23.144")
def reunite(state: OperationState) -> Script[None]:
    """23.152D: all counterair of the phase is over: the squadrons that have flown are put together, base by base, into
    inverted factors."""
    parts: dict[tuple[str, str], Force] = {}
    for which, number in state.scattered.items():
        there = min(number, state.sites[which.home].air.get(which, 0))
        if there:
            take(state.sites[which.home].air, which, there)
            parts.setdefault((which.home, which.nation), {})[which] = there
    for (home, _), squadrons in parts.items():
        yield from drop_left_over(state, squadrons)
        factors = factors_from(sum(squadrons.values()))
        if factors:
            add(state.sites[home].air, next(iter(squadrons)).counted(Role.FACTORS), factors)
    state.scattered = {}
