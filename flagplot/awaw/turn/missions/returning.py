"""Air comes home (18.46): to its base or to another."""

from __future__ import annotations

from flagplot.awaw.air_units import Force, From, Listed, Unit, add
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.reach import is_fit
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Down, Until
from flagplot.awaw.turn.basing.displacement import displace
from flagplot.awaw.turn.basing.relocation import relocate
from flagplot.awaw.turn.basing.rooms import fits, lands
from flagplot.awaw.turn.marks import lift, set_mark, without_units
from flagplot.awaw.turn.missions.inversion import flying_distance, invert, side_of
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

HOME, ELSEWHERE = "home", "elsewhere"


@rule("18.46", "18.46.1", "18.42A", "18.524A")
def return_home(state: State, force: Force, at: Hex, by: str, why: str, *, inverted: bool = True) -> Script[None]:
    """18.46: those who were over a hex return to their base, or to another one in range of it that was theirs as the
    phase began. Whoever has flown a mission is inverted under the rule `by` (18.42), and so is who lands elsewhere."""
    if not force:
        return
    side = side_of(state, next(iter(force)))
    free = [which for which, number in force.items() if len(landing_places(state, which, number, at)) > 1]
    home = yield from _all_go_home(state, side, at, len(free))
    for which, number in list(force.items()):
        left = number
        while left:
            left -= yield from _land(state, which, left, at, by, why, inverted=inverted, home=home)
    yield Note(("{}: {} back from {}", state.name(side), Listed(force.items()), hex_name(state, at)), by)


def _all_go_home(state: State, side: str, at: Hex, kinds: int) -> Script[bool]:
    """Whether all return to their own bases: asked once, if several kinds of units have a choice."""
    if kinds < 2:
        return False
    labels: dict[str, Words] = {HOME: "Return to their own bases", ELSEWHERE: "Land some elsewhere"}
    question = ("Return all units to base from {}?", hex_name(state, at))
    chosen: str = yield Choose(side, "land", (HOME, ELSEWHERE), question, labels, "18.46")
    return chosen == HOME


def _land(
    state: State, which: Unit, number: int, at: Hex, by: str, why: str, *, inverted: bool, home: bool
) -> Script[int]:
    """Some units land together in one base, which the owner names if there are several: how many did. With `home` they
    land in their own, if it has room."""
    bases = landing_places(state, which, number, at)
    if home and which.home in bases:
        bases = {which.home: bases[which.home]}
    if not bases:
        yield from _nowhere(state, which, number, by, why)
        return number
    return (yield from land_in(state, which, number, bases, by, why, inverted=inverted))


def land_in(
    state: State, which: Unit, number: int, bases: dict[str, int], by: str, why: str, *, inverted: bool = True
) -> Script[int]:
    """Some units land in one of several bases, as many as it has room for: how many did."""
    freely = not inverted and not which.inverted
    labels: dict[str, Words] = {
        base: ("{}, inverted", state.place(base).name) if freely and base != which.home else state.place(base).name
        for base in bases
    }
    question = _where_to(state, which, number)
    chosen: str = yield Choose(side_of(state, which), ("land", which.tag), [*bases], question, labels, "18.46")
    fit = bases[chosen]
    landed = which if chosen == which.home else state.rebased(which, chosen)
    add(state.sites[chosen].air, landed, fit)
    if chosen != which.home:
        _bring_marks(state, which, landed, fit)
    if inverted or landed.inverted:
        invert(state, landed, fit, by, why)
    elif chosen != which.home:
        invert(state, landed, fit, "18.46", "landed in another base than it came from")
    return fit


def _where_to(state: State, which: Unit, number: int) -> Words:
    return ("Choose a base for {}", From(which, number, state.place(which.home).name))


@rule("18.46", "18.524A")
def choose_landing(state: State, flown: Force, at: Hex) -> Script[Force]:
    """18.46: air that is back in its base from an attack lands in another one after all, if its owner likes: what it is
    where it has landed. Squadrons of a factor stay together in their own base."""
    landed: Force = {}
    free = [which for which, number in flown.items() if len(_landings(state, which, number, at)) > 1]
    home = bool(free) and (yield from _all_go_home(state, side_of(state, free[0]), at, len(free)))
    for which, number in flown.items():
        bases = {which.home: number} if home else _landings(state, which, number, at)
        labels: dict[str, Words] = {base: state.place(base).name for base in bases}
        question = _where_to(state, which, number)
        chosen: str = yield Choose(side_of(state, which), ("land", which.tag), [*bases], question, labels, "18.46")
        if chosen == which.home:
            add(landed, which, number)
            continue
        some = bases[chosen]
        add(landed, relocate(state, which, some, chosen), some)
        if number > some:
            add(landed, which, number - some)
    return landed


def _landings(state: State, which: Unit, number: int, at: Hex) -> dict[str, int]:
    """Where units that are back in their base from an attack can land, and how many of them."""
    there = min(number, state.sites[which.home].air.get(which, 0))
    bases = {which.home: there}
    if there == number and (which.is_factor or which.is_naval):
        bases |= {base: fit for base in _others(state, which, at) if (fit := min(number, fits(state, which, base)))}
    return bases


@rule("18.46", "18.46.1")
def landing_places(state: State, which: Unit, number: int, at: Hex) -> dict[str, int]:
    """18.46: where so many units can land, and how many of them: their own base first, then operational bases in range
    of the hex that they come from which were theirs as the phase began. If some have room for all, these alone."""
    side = side_of(state, which)
    home = [which.home] if state.place(which.home).side == side else []
    bases = (*home, *_others(state, which, at))
    found = {base: fit for base in bases if (fit := min(number, lands(state, which, base)))}
    return {base: fit for base, fit in found.items() if fit == number} or found


def _others(state: State, which: Unit, at: Hex) -> list[str]:
    """The other bases in range of a hex in which some units may land."""
    side = side_of(state, which)
    return [base for base in state.of_side(side) if base != which.home and _is_open(state, which, base, at, side)]


def _is_open(state: State, which: Unit, base: str, at: Hex, side: str) -> bool:
    place = state.place(base)
    if place.box or place.afloat or not is_fit(place) or state.turn.held_at_start.get(base) != side:
        return False
    hexes = flying_distance(state, base, at)
    return hexes is not None and hexes <= which.reach


@rule("18.25.4", "18.46")
def _nowhere(state: State, which: Unit, number: int, by: str, why: str) -> Script[None]:
    """18.25: whoever finds his base too full, and no other in range, is displaced from it; if it was taken meanwhile,
    not before the phase ends."""
    if state.place(which.home).side != side_of(state, which):
        state.turn.absent.append(Down(which, number, by, why, Until.TURN_END))
        return
    add(state.sites[which.home].air, which, number)
    invert(state, which, number, by, why)
    yield from displace(state, which.home, surplus=True)


@rule("18.72D.1")
def _bring_marks(state: State, which: Unit, landed: Unit, number: int) -> None:
    """Units that land in another base than they flew from keep their marks there; those at home keep their own."""
    ready = which.turned(inverted=False)
    for mark in list(state.turn.marks):
        some = lift(state, mark, ready, min(number, without_units(state, mark, ready)))
        set_mark(state, mark, landed, some)


@rule("18.46", "18.524A")
def land_attackers(state: State, flown: Force, base: str) -> Script[Force]:
    """18.46: land-based air returns from an attack on a base: where it is then. In an operation that is where it came
    from; in an air turn it may land in another base of its own in range of the target."""
    if state.turn_if_any is None:
        return flown
    return (yield from choose_landing(state, flown, state.place(base).at))
