"""Staging (18.2): air units change base at the beginning of the movement phase, and what is done about bases that hold
too much (18.15)."""

from __future__ import annotations

from flagplot.awaw.air_units import Counted, Lost, Unit, take
from flagplot.awaw.basing import staging_range
from flagplot.awaw.counterair import put_together
from flagplot.awaw.procedures import crowding, staging
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.basing.base_changes import BaseChange, change_base, described_as, described_there, tag_of
from flagplot.awaw.turn.basing.relocation import relocate
from flagplot.awaw.turn.basing.rooms import excess, fits
from flagplot.awaw.turn.marks import SHIPPED, STAGED, clip, free_of, marked
from flagplot.awaw.turn.missions.overflight import air_distance
from flagplot.awaw.turn.nations import RUSSIA, WESTERN_ALLIES, faction_of
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

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


def not_staged(state: State, which: Unit) -> Refusal | None:
    """Why none of some units may stage."""
    if able_to_stage(state, which):
        return None
    if not which.is_factor and not which.is_naval:
        return Refusal("only whole factors stage, and its squadrons make none", "18.21")
    return Refusal("already staged this phase, or was carried by sea", "18.24.1")


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


STAGING = BaseChange(
    verb="stage",
    doing="staging",
    past="staged",
    rule="18.21",
    mark=STAGED,
    able=able_to_stage,
    refusal=not_staged,
    bases=staging_bases,
    nowhere=Refusal("no friendly base with room within twice its range", "18.21"),
)


@staging.segment("18.21", "Air units stage, one after the other")
@rule("18.21", "18.22")
def stage_units(state: State) -> Script[Next]:
    """18.21: the moving side stages as many units as it likes, each once; nobody intercepts them (18.22)."""
    moved = yield from change_base(state, STAGING)
    return stage_units if moved else None


@staging.segment("18.15", "Overfull bases are relieved")
def end_staging(state: State) -> Script[Next]:
    yield from relieve(state, state.moving)
    return END


# --- too much air -----------------------------------------------------------------------------------------------


@crowding.segment("18.15", "Air units over a base's capacity move or are lost")
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
                full = ("{}: {} over capacity: {} lost", state.name(side), state.place(base).name)
                yield Note((*full, Lost([(which, 1)])), "18.15")
                continue
            question = ("Choose a base for {}", described_as(which, 1))
            haven: str = yield Choose(side, ("surplus", which.tag), [*havens], question, labels, "18.15")
            relocate(state, which, 1, haven)
            words = ("{}: {} moves from {} to {}", state.name(side), Counted(which, 1), state.place(base).name)
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
    question = ("{} is over capacity. Move what?", state.place(base).name)
    chosen: str = yield Choose(side, ("surplus", base), [*named], question, labels, "18.15")
    return named[chosen]
