"""Staging (18.2): air units change base at the beginning of the movement phase, and what is done about bases that hold
too much (18.15)."""

from __future__ import annotations

from flagplot.awaw.air_units import Counted, Lost, Unit, take
from flagplot.awaw.basing import staging_range
from flagplot.awaw.counterair import how_many, put_together
from flagplot.awaw.procedures import crowding, staging
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.basing.relocation import relocate
from flagplot.awaw.turn.basing.rooms import excess, fits
from flagplot.awaw.turn.marks import SHIPPED, STAGED, clip, free_of, marked, set_mark
from flagplot.awaw.turn.missions.overflight import air_distance
from flagplot.awaw.turn.nations import RUSSIA, WESTERN_ALLIES, faction_of
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

DONE = "done"
MOVING, BOTH = "moving", "both"
"""Whose bases are looked at."""
BOXES = {"australia": WESTERN_ALLIES, "india": WESTERN_ALLIES, "urals": RUSSIA}
"""18.23: the mapboard boxes to which air units stage, and whose."""


# --- who may go where -------------------------------------------------------------------------------------------


@rule("18.21", "18.24.1", "18.15")
def able_to_stage(state: State, which: Unit) -> int:
    """18.21: how many of such units in their base may stage, inverted or not: those that have not done so, and were not
    sea transported in this turn (18.24). Army air moves in whole factors."""
    if not which.is_factor and not which.is_naval:
        return 0
    return max(0, free_of(state, STAGED, which) - marked(state, SHIPPED, which))


@rule("18.21", "18.21A", "18.21B", "18.21C", "18.21D", "18.21D.1", "18.22.1", "18.143.1")
def staging_bases(state: State, which: Unit) -> dict[str, int]:
    """18.21: the bases to which a unit may stage, on whatever front and however supplied, and for how many there is
    room: within twice its range, and held by its side as the movement phase began, or gained without fighting since.
    New airbases are among them (18.143)."""
    side = state.place(which.home).side
    bases = [base for base in state.of_side(side) if base != which.home and not state.place(base).afloat]
    return {
        base: number
        for base in bases
        if _was_held(state, base, side)
        and may_enter(state, which, base)
        and in_staging_range(state, which, base)
        and (number := fits(state, which, base))
    }


@rule("18.21B", "18.21C")
def _was_held(state: State, base: str, side: str) -> bool:
    """18.21: bases that ground units have taken in this phase are closed; those gained by association or diplomacy are
    not."""
    turn = state.turn
    return turn.held_at_start.get(base, side) == side or base in turn.plan.gained


@rule("18.21", "18.22.2")
def in_staging_range(state: State, which: Unit, base: str) -> bool:
    """18.21: twice the range of a unit, around neutral land."""
    far = air_distance(state, state.place(which.home).at, state.place(base).at)
    return far is not None and far <= staging_range(which.reach)


@rule("18.23")
def may_enter(state: State, which: Unit, base: str) -> bool:
    """18.23: off the map air units stage only to the Australia and India boxes, if they are Western Allied, and to the
    Urals box, if they are Russian; and from these back onto the map."""
    boxes = [key for key in (which.home, base) if state.place(key).box]
    return all([_staging_box(state, key) == faction_of(state, which.nation) for key in boxes])


def _staging_box(state: State, key: str) -> str:
    """The alliance faction that stages to a box, if any does."""
    words = f"{key} {state.place(key).name}".casefold().replace("-", " ").split()
    return next((faction for name, faction in BOXES.items() if name in words), "")


# --- staging ----------------------------------------------------------------------------------------------------


@staging.segment("18.21", "Air units stage, one after the other")
@rule("18.21", "18.22", "18.143.2", "18.15")
def stage_units(state: State) -> Script[Next]:
    """18.21: the moving side stages as many units as it likes, each once; nobody intercepts them (18.22). While a base
    holds too much, and somebody can leave it, it is not done (18.143)."""
    side = state.moving
    ways = _ways(state, side)
    if not ways:
        return None
    must = [base for base in ways if excess(state, base)]
    home = yield from _choose_home(state, side, [*ways], must)
    if home == DONE:
        return None
    which = yield from choose_units(state, side, ways[home], "stage", "18.21")
    base = yield from _choose_base(state, side, which)
    most = min(able_to_stage(state, which), staging_bases(state, which)[base])
    question = ("How many of {} stage to {}?", Counted(which, most), state.place(base).name)
    verb = ("stage", base, which.tag)
    number: int = yield Choose(side, verb, range(1, most + 1), question, how_many, "18.21")
    landed = relocate(state, which, number, base)
    set_mark(state, STAGED, landed, number)
    words = ("{}: staged from {} to {}: {}", state.name(side), state.place(home).name, state.place(base).name)
    yield Note((*words, Counted(which, number)), "18.21")
    return stage_units


def _ways(state: State, side: str) -> dict[str, list[Unit]]:
    """By base: the units in it that may stage somewhere."""
    found: dict[str, list[Unit]] = {}
    for home in state.of_side(side):
        if not state.place(home).afloat:
            able = [which for which in state.sites[home].air if able_to_stage(state, which)]
            if units := [which for which in able if staging_bases(state, which)]:
                found[home] = units
    return found


def _choose_home(state: State, side: str, homes: list[str], must: list[str]) -> Script[str]:
    labels: dict[str, Words] = {home: state.place(home).name for home in homes}
    if not must:
        labels[DONE] = "nobody stages any more"
    able = homes if must else [*homes, DONE]
    question = "From which base do air units stage?"
    chosen: str = yield Choose(side, "stage", able, question, labels, "18.143" if must else "18.21")
    return chosen


def choose_units(state: State, side: str, units: list[Unit], what: str, number: str) -> Script[Unit]:
    """Which kind of unit in a base stages or redeploys, in the words of the map."""
    home = units[0].home
    named = {tag_of(which): which for which in units}
    labels: dict[str, Words] = {tag: described_there(state, which) for tag, which in named.items()}
    question = ("{}: which air units {}?", state.place(home).name, what)
    chosen: str = yield Choose(side, ("units", home), [*named], question, labels, number)
    return named[chosen]


def tag_of(which: Unit) -> str:
    return f"{which.nation}:{which.arm}:{which.role}{':inverted' * which.inverted}"


def described_there(state: State, which: Unit) -> Words:
    return described_as(which, state.sites[which.home].air[which])


def described_as(which: Unit, number: int) -> Words:
    """So many units, and whether they are inverted: ``2 German army air factors, inverted``."""
    return ("{}{}", Counted(which, number), ", inverted" * which.inverted)


def _choose_base(state: State, side: str, which: Unit) -> Script[str]:
    bases = staging_bases(state, which)
    labels: dict[str, Words] = {base: state.place(base).name for base in bases}
    question = ("Which is the new base of {}?", described_as(which, able_to_stage(state, which)))
    base: str = yield Choose(side, ("stage", which.home, tag_of(which)), [*bases], question, labels, "18.21")
    return base


@staging.segment("18.15", "Bases that hold too much are put right")
def end_staging(state: State) -> Script[Next]:
    yield from relieve(state, state.moving)
    return END


# --- too much air -----------------------------------------------------------------------------------------------


@crowding.segment("18.15", "Air units beyond what a base holds move, or are lost")
@rule("18.15", "18.143.2")
def relieve_bases(state: State, who: str) -> Script[Next]:
    """18.15: after sea transport that failed, or an airbase that was taken up, a base may hold too much: with the phase
    the excess moves to another base, or is eliminated. With the player turn that is so for both sides: squadrons that
    have fled and are put together again may need more room than they took."""
    for side in (state.moving,) if who == MOVING else state.sides:
        yield from relieve(state, side)
    return END


@rule("18.15")
def relieve(state: State, side: str) -> Script[None]:
    """18.15: the owner says which air units leave a base that holds too much, and where they go; if no base is in reach
    and has room they are eliminated."""
    for base in state.of_side(side):
        if excess(state, base):
            yield from put_together(state, state.sites[base])
        while excess(state, base):
            which = yield from _choose_surplus(state, side, base)
            havens = _refuges(state, which)
            labels: dict[str, Words] = {haven: state.place(haven).name for haven in havens}
            if not havens:
                take(state.sites[base].air, which, 1)
                state.lose({which: 1})
                clip(state)
                full = ("{}: too much air in {}: {} lost", state.name(side), state.place(base).name)
                yield Note((*full, Lost([(which, 1)])), "18.15")
                continue
            question = ("Where does {} go?", described_as(which, 1))
            haven: str = yield Choose(side, ("surplus", which.tag), [*havens], question, labels, "18.15")
            relocate(state, which, 1, haven)
            words = ("{}: {} leaves {} for {}", state.name(side), Counted(which, 1), state.place(base).name)
            yield Note((*words, state.place(haven).name), "18.15")


def _refuges(state: State, which: Unit) -> list[str]:
    """18.15: the other bases and boxes in staging range that have room, of those that the side held before."""
    side = state.place(which.home).side
    return [
        base
        for base in state.of_side(side)
        if base != which.home
        and not state.place(base).afloat
        and _was_held(state, base, side)
        and in_staging_range(state, which, base)
        and fits(state, which, base)
    ]


def _choose_surplus(state: State, side: str, base: str) -> Script[Unit]:
    """Which kind of unit leaves: one that can go somewhere, if there is any."""
    air = [*state.sites[base].air]
    able = [which for which in air if _refuges(state, which)] or air
    named = {tag_of(which): which for which in able}
    labels: dict[str, Words] = {tag: described_there(state, which) for tag, which in named.items()}
    question = ("Too much air in {}: what leaves it?", state.place(base).name)
    chosen: str = yield Choose(side, ("surplus", base), [*named], question, labels, "18.15")
    return named[chosen]
