"""Redeployment of air units (28.8), as far as 18.4, 18.48 and 18.7 speak of it.

Chapter 28 is not among our documents: how far and how many air units redeploy is our assumption (`docs/rulings.md`).
"""

from __future__ import annotations

from flagplot.awaw.air_units import Arm, Counted, Unit, take
from flagplot.awaw.basing import staging_range
from flagplot.awaw.counterair import how_many
from flagplot.awaw.procedures import redeploying
from flagplot.awaw.state.setting import is_air_base
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Until
from flagplot.awaw.turn.basing.relocation import relocate
from flagplot.awaw.turn.basing.rooms import excess, fits
from flagplot.awaw.turn.basing.staging import choose_units, described_as, relieve, tag_of
from flagplot.awaw.turn.marks import REDEPLOYED, free_of, set_mark
from flagplot.awaw.turn.missions.inversion import form_up, invert
from flagplot.awaw.turn.missions.overflight import air_distance
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

DONE = "done"


@rule("18.72D.1")
def able_to_redeploy(state: State, which: Unit) -> int:
    """How many of such units in their base may redeploy, inverted or not: each does so once, and a nation no more than
    the scenario lets it."""
    if which.arm is Arm.TRANSPORT and not which.is_factor:
        return 0
    return max(0, min(free_of(state, REDEPLOYED, which), redeployments_left(state, which.nation)))


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


@redeploying.segment("23.141A", "Squadrons that did nothing at sea are factors again")
def gather(state: State) -> Next:
    form_up(state, state.moving)
    return None


@redeploying.segment("18.72D", "Air units redeploy, one after the other")
@rule("18.143.2", "18.15", "18.42B", "23.164")
def redeploy_units(state: State) -> Script[Next]:
    """18.72D: the moving side redeploys as many units as it may, each once. Those that were used at sea are inverted at
    once if they do (23.164). While a base holds too much, and somebody can leave it, it is not done (18.143)."""
    side = state.moving
    ways = _ways(state, side)
    if not ways:
        return None
    must = [base for base in ways if excess(state, base)]
    labels: dict[str, Words] = {home: state.place(home).name for home in ways}
    labels[DONE] = "nobody redeploys any more"
    able = [*ways] if must else [*ways, DONE]
    question: Words = "From which base do air units redeploy?"
    home: str = yield Choose(side, "redeploy", able, question, labels, "18.143" if must else "18.72D")
    if home == DONE:
        return None
    which = yield from choose_units(state, side, ways[home], "redeploy", "18.72D")
    bases = redeployment_bases(state, which)
    names: dict[str, Words] = {base: state.place(base).name for base in bases}
    question = ("Which is the new base of {}?", described_as(which, able_to_redeploy(state, which)))
    base: str = yield Choose(side, ("redeploy", home, tag_of(which)), [*bases], question, names, "18.72D")
    numbers = range(1, min(able_to_redeploy(state, which), bases[base]) + 1)
    ask = ("How many of {} redeploy to {}?", Counted(which, numbers[-1]), state.place(base).name)
    number: int = yield Choose(side, ("redeploy", base, which.tag), numbers, ask, how_many, "18.72D")
    used = dict(state.sites[base].used)
    landed = relocate(state, which, number, base)
    set_mark(state, REDEPLOYED, landed, number)
    words = ("{}: redeployed from {} to {}: {}", state.name(side), state.place(home).name, state.place(base).name)
    yield Note((*words, Counted(which, number)), "18.72D")
    _invert_used(state, landed, used.get(landed, 0))
    return redeploy_units


def _ways(state: State, side: str) -> dict[str, list[Unit]]:
    """By base: the units in it that may redeploy somewhere."""
    found: dict[str, list[Unit]] = {}
    for home in state.of_side(side):
        if not state.place(home).afloat:
            able = [which for which in state.sites[home].air if able_to_redeploy(state, which)]
            if units := [which for which in able if redeployment_bases(state, which)]:
                found[home] = units
    return found


@rule("23.164", "18.42B")
def _invert_used(state: State, landed: Unit, before: int) -> None:
    """23.164: squadrons that have searched, covered or attacked at sea are inverted as soon as they redeploy."""
    used = state.sites[landed.home].used
    number = used.get(landed, 0) - before
    if number:
        take(used, landed, number)
        invert(state, landed, number, "23.164", "was used at sea, and redeployed", Until.NEXT_TURN)


@redeploying.segment("18.15", "Bases that hold too much are put right")
def end_redeploying(state: State) -> Script[Next]:
    yield from relieve(state, state.moving)
    return END
