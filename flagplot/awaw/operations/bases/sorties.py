"""Air units between the sorties of an attack on a base: factors and squadrons, and the way home (23.14, 18.524)."""

from __future__ import annotations

from flagplot.awaw.air_units import ARMY_ROLES, Arm, Counted, Force, Listed, Role, Unit, add, take
from flagplot.awaw.conversion import break_down, factors_from, uninverted_factors
from flagplot.awaw.counterair import drop_left_over, invert_some
from flagplot.awaw.operations.bases.targets import LAND_BASED, carrier_forces
from flagplot.awaw.operations.passage.naval_air import used_by
from flagplot.awaw.state.air import Site
from flagplot.awaw.state.operation import BaseStrike, NavalForce
from flagplot.awaw.state.state import State
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import how_many


def _in_parts(which: Unit) -> bool:
    """Whether it is a squadron of a broken factor."""
    return not which.is_factor and not which.is_naval


# --- factors and squadrons --------------------------------------------------------------------------------------


@rule("23.142A")
def form_up_again(state: State, force: Force, aborted: Force) -> Script[tuple[Force, Force]]:
    """23.142A: as `whole_again`, and a squadron that is left over of a base is eliminated."""
    yield from drop_left_over(state, force)
    return whole_again(force, aborted)


@rule("23.141A.1", "23.142A", "23.144", "23.412B.1", "23.423")
def whole_again(force: Force, aborted: Force) -> tuple[Force, Force]:
    """23.141A: army air that goes on to the ships does so in factors: those who go on, and those who return.

    A factor goes on only if it is made of one squadron of each kind that was not aborted; one that some aborted
    squadron completes returns and may fly again, any other is inverted (23.144).
    """
    on: Force = {}
    home: Force = {}
    parts: dict[tuple[str, str, Arm], Force] = {}
    for which, number in force.items():
        if _in_parts(which):
            parts.setdefault((which.home, which.nation, which.arm), {})[which] = number
        else:
            down = aborted.get(which, 0)
            _add_some(on, which, number - down)
            _add_some(home, which, down)
    for (_, _, arm), squadrons in parts.items():
        factor = next(iter(squadrons)).counted(Role.FACTORS)
        now = uninverted_factors(arm, {which: number - aborted.get(which, 0) for which, number in squadrons.items()})
        later = uninverted_factors(arm, squadrons)
        _add_some(on, factor, now)
        _add_some(home, factor, later - now)
        _add_some(home, factor.turned(inverted=True), factors_from(sum(squadrons.values())) - later)
    return on, home


def _add_some(force: Force, which: Unit, number: int) -> None:
    if number > 0:
        add(force, which, number)


@rule("23.141A.1", "23.141A", "23.144", "23.162")
def form_factors(site: Site) -> None:
    """23.141A: the squadrons of a base make as many uninverted factors as they can, to fly a mission. Those that are
    committed, or were used at sea (23.162), are not among them, and whoever is over stays a squadron: only who flies
    is put together."""
    parts: dict[tuple[str, Arm], Force] = {}
    for which, number in site.air.items():
        free = number - site.used.get(which, 0) - site.committed.get(which, 0)
        if _in_parts(which) and which.strength and not which.inverted and free > 0:
            parts.setdefault((which.nation, which.arm), {})[which] = free
    for (_, arm), squadrons in parts.items():
        whole = uninverted_factors(arm, squadrons)
        if whole:
            for which in squadrons:
                take(site.air, which, whole if arm is Arm.ARMY else 3 * whole)
            add(site.air, next(iter(squadrons)).counted(Role.FACTORS), whole)


@rule("23.141A.1", "23.462B", "23.54")
def regroup(state: State, raid: BaseStrike) -> None:
    """23.462B: to pursue ships that leave the base is part of the mission, so those who did may fly against it again.
    Factors that broke up for it are put together (23.141A); not those that are in the middle of a combat in squadrons
    (23.141A.2)."""
    flown = break_down(raid.flown)
    for which, number in used_by(state, raid.mission.side).items():
        since = number - raid.used.get(which, 0)
        if since > 0 and which in flown:
            pursued = min(since, flown[which])
            take(state.sites[which.home].used, which, pursued)
    if not any([_in_parts(which) for which in raid.flown]):
        for key in state.of_side(raid.mission.side):
            form_factors(state.sites[key])


# --- the way home -----------------------------------------------------------------------------------------------


@rule("18.524A", "18.524B", "18.46", "23.462B")
def fly_home(state: State, raid: BaseStrike, back: Force) -> Script[None]:
    """18.524: attackers return to their bases or carriers. Land-based ones are inverted when the attack is over: until
    then they may fly again, and pursue ships that leave the base (23.462B)."""
    side = raid.mission.side
    if raid.carriers == LAND_BASED:
        for which, number in back.items():
            add(state.sites[which.home].air, which, number)
            if not which.inverted:
                add(raid.flown, which, number)
    else:
        words = ("{}: landing squadrons on carriers", state.name(side))
        several = len(carrier_forces(state, raid.carriers)) > 1
        yield from secretly(side, words, _go_aboard(state, raid, back), "18.524", anyway=several)
        raid.launched = {}
    yield Note(("{}: {} back from the attack", state.name(side), Listed(back.items())), "18.524")


@rule("18.524B", "17.3124.2")
def _go_aboard(state: State, raid: BaseStrike, back: Force) -> Script[None]:
    """18.524B: squadrons return to the carriers that launched them; of several forces the owner says which has lost
    how many."""
    for which, number in back.items():
        forces = {key: launched[which] for key, launched in raid.launched.items() if which in launched}
        rest = sum(forces.values())
        for key, launched in forces.items():
            rest -= launched
            values = range(max(0, number - rest), min(launched, number) + 1)
            force: NavalForce = state.operation.fleet[key]
            question = ("Of {} back: how many to {}?", Counted(which, number), force.marker)
            some: int = yield Choose(force.side, ("recover", key, which.tag), values, question, how_many, "18.524")
            if some:
                add(force.group.air, which, some)
                number -= some


@rule("18.524A", "23.152D", "23.144")
def stand_down(state: State, flown: Force) -> Script[None]:
    """18.524A: land-based air that has flown is inverted where it is; its squadrons are put together first (23.152D).
    Factors that broke up to pursue ships are inverted as squadrons."""
    broken: dict[tuple[str, str, Arm], Force] = {}
    for which, number in flown.items():
        air = state.sites[which.home].air
        there = min(number, air.get(which, 0))
        if there:
            take(air, which, there)
            if _in_parts(which):
                broken.setdefault((which.home, which.nation, which.arm), {})[which] = there
            else:
                add(air, which.turned(inverted=True), there)
        if which.is_factor:
            _invert_parts(state.sites[which.home], which, number - there)
    yield from _make_factors(state, broken)


@rule("23.152D", "23.144")
def _make_factors(state: State, parts: dict[tuple[str, str, Arm], Force]) -> Script[None]:
    """23.152D: squadrons that have flown become inverted factors in their bases."""
    for (home, _, _), squadrons in parts.items():
        yield from drop_left_over(state, squadrons)
        factors = factors_from(sum(squadrons.values()))
        if factors:
            add(state.sites[home].air, next(iter(squadrons)).counted(Role.FACTORS).turned(inverted=True), factors)


@rule("23.152D", "23.144")
def reunite(state: State) -> Script[None]:
    """23.152D: all counterair of the phase is over: the squadrons that have flown are put together, base by base, into
    inverted factors."""
    parts: dict[tuple[str, str, Arm], Force] = {}
    for which, number in state.scattered.items():
        there = min(number, state.sites[which.home].air.get(which, 0))
        if there:
            take(state.sites[which.home].air, which, there)
            parts.setdefault((which.home, which.nation, which.arm), {})[which] = there
    yield from _make_factors(state, parts)
    state.scattered = {}


def _invert_parts(site: Site, factor: Unit, number: int) -> None:
    roles = ARMY_ROLES if factor.arm is Arm.ARMY else (Role.SQUADRONS,) * 3
    for role in roles:
        which = factor.counted(role)
        used = min(invert_some(site, which, number), site.used.get(which, 0))
        if used:
            take(site.used, which, used)
