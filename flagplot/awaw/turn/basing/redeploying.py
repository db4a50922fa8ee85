"""Redeployment of air units (28.8), as far as 18.4, 18.48 and 18.7 speak of it.

Chapter 28 is not among our documents: how far and how many air units redeploy is our assumption (`docs/rulings.md`).
"""

from __future__ import annotations

from flagplot.awaw.air_units import Arm, Unit, take
from flagplot.awaw.basing import staging_range
from flagplot.awaw.procedures import redeploying
from flagplot.awaw.state.setting import is_air_base
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Until
from flagplot.awaw.turn.basing.base_changes import BaseChange, change_base
from flagplot.awaw.turn.basing.rooms import fits
from flagplot.awaw.turn.basing.staging import relieve
from flagplot.awaw.turn.marks import REDEPLOYED, free_of
from flagplot.awaw.turn.missions.inversion import form_up, invert
from flagplot.awaw.turn.missions.overflight import air_distance
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Script
from flagplot.kernel.rules import rule


@rule("18.72D.1")
def able_to_redeploy(state: State, which: Unit) -> int:
    """How many of such units in their base may redeploy, inverted or not: each does so once, and a nation no more than
    the scenario lets it."""
    if which.arm is Arm.TRANSPORT and not which.is_factor:
        return 0
    return max(0, min(free_of(state, REDEPLOYED, which), redeployments_left(state, which.nation)))


def not_redeployed(state: State, which: Unit) -> Refusal | None:
    """Why none of some units may redeploy."""
    if able_to_redeploy(state, which):
        return None
    if which.arm is Arm.TRANSPORT and not which.is_factor:
        return Refusal("only whole factors redeploy, and its squadrons make none", "18.72D")
    return Refusal("already redeployed, or its nation has no redeployments left", "18.72D")


def redeployments_left(state: State, country: str) -> int:
    """The air units that a nation may still redeploy in this player turn; those at sea under escort do so now."""
    turn = state.turn
    gone = sum([number for which, number in turn.marks.get(REDEPLOYED, {}).items() if which.nation == country])
    gone += sum([number for which, number in turn.freight.values() if which.nation == country])
    return turn.plan.redeployments.get(country, 9_999) - gone


@rule("18.48", "18.143.1", "18.146.2")
def redeployment_bases(state: State, which: Unit) -> dict[str, int]:
    """18.48: the bases and boxes that a unit can redeploy to, and for how many there is room: by flights from base to
    base, each no longer than it can stage, around neutral land."""
    return {base: number for base in _reached(state, which) if (number := fits(state, which, base))}


def _reached(state: State, which: Unit) -> list[str]:
    """The bases of its side to which a unit can fly, by way of others if the players agree on that."""
    side, far = state.place(which.home).side, staging_range(which.reach)
    waiting = [base for base in state.of_side(side) if base != which.home and not state.place(base).afloat]
    found: list[str] = []
    legs = [which.home]
    while legs:
        start = state.place(legs.pop(0)).at
        for base in list(waiting):
            hexes = air_distance(state, start, state.place(base).at)
            if hexes is not None and hexes <= far:
                waiting.remove(base)
                found.append(base)
                if state.setting.options.air_redeployment == "base-to-base" and _lands(state, which, base):
                    legs.append(base)
    return sorted(found, key=state.of_side(side).index)


def _lands(state: State, which: Unit, base: str) -> bool:
    """Whether such units can base there at all, so that they fly on from there: bare hexes are no bases (18.12)."""
    place = state.place(base)
    return is_air_base(place) or (place.island and which.is_naval)


REDEPLOYMENT = BaseChange(
    verb="redeploy",
    doing="redeploying",
    past="redeployed",
    rule="18.72D",
    mark=REDEPLOYED,
    able=able_to_redeploy,
    refusal=not_redeployed,
    bases=redeployment_bases,
    nowhere=Refusal("no friendly base with room in reach", "18.48"),
)


@redeploying.segment("23.141A", "Squadrons that did nothing at sea are factors again")
def gather(state: State) -> Next:
    form_up(state, state.moving)
    return None


@redeploying.segment("18.72D", "Air units redeploy, one after the other")
@rule("18.42B", "23.164")
def redeploy_units(state: State) -> Script[Next]:
    """18.72D: the moving side redeploys as many units as it may, each once. 23.164: those that have searched, covered
    or attacked at sea are inverted as soon as they do."""
    moved = yield from change_base(state, REDEPLOYMENT)
    if moved is None:
        return None
    if moved.used:
        take(state.sites[moved.which.home].used, moved.which, moved.used)
        invert(state, moved.which, moved.used, "23.164", "was used at sea, and redeployed", Until.NEXT_TURN)
    return redeploy_units


@redeploying.segment("18.15", "Overfull bases are relieved")
def end_redeploying(state: State) -> Script[Next]:
    yield from relieve(state, state.moving)
    return END
