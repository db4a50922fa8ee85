"""Step 4 and the end of a round: results take effect together, units go into the boxes and from there where the boxes
send them."""

from __future__ import annotations

from flagplot.kernel.requests import Headline, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import plural
from flagplot.line_of_battle.options import Options
from flagplot.line_of_battle.state import BASE_ATTACK, Box, Marker, State
from flagplot.line_of_battle.units import Unit

UNHURT, DAMAGED, SUNK = "unhurt", "damaged", "sunk"

BOX_RULES = {Box.DISABLED: "LOB-25", Box.DAMAGED: "LOB-26", Box.BOTH: "LOB-27", Box.SUNK: "LOB-28"}


@rule("LOB-22", "LOB-23")
def verdict(unit: Unit, damaged: bool, points: int, options: Options) -> str:
    """LOB-22, LOB-23: points that reach the Defense Factor sink, those that reach the Damage Factor damage; fewer do
    nothing. A counter cannot be damaged twice (an assumption)."""
    factors = unit.factors(damaged)
    if points >= factors.defense:
        return SUNK
    if not factors.damage or points < factors.damage:
        return UNHURT
    if not damaged:
        return DAMAGED
    return SUNK if options.damaged_again == "sinks" else UNHURT


@rule("LOB-04", "LOB-18", "LOB-19", "LOB-20", "LOB-22", "LOB-23")
def take_effects(state: State) -> Script[None]:
    """LOB-04: all results of the round at once. LOB-20: in a base attack Disabled results wait."""
    held = state.setting.kind == BASE_ATTACK
    for key in state.setting.order:
        marker = state.markers[key]
        if marker.box is Box.LINE:
            yield from _take_effect(state, key, disabled=marker.disabled and not held)


def _take_effect(state: State, key: str, *, disabled: bool) -> Script[None]:
    unit, marker = state.unit(key), state.markers[key]
    found = verdict(unit, marker.damaged, marker.points, state.setting.options)
    if found == SUNK and disabled and state.setting.options.disabled_and_sunk == "saved":
        found = DAMAGED if unit.front.damage else UNHURT
    marker.box = box_for(found, disabled=disabled, damaged=marker.damaged)
    if marker.points and found == UNHURT and not disabled:
        yield Note(("{}: {}, without effect", unit.name, plural(marker.points, "damage point")), "LOB-23")
    if marker.box is Box.LINE:
        return
    points = f" ({plural(marker.points, 'damage point')})" if marker.points else ""
    words = ("{} {}{}", unit.name, _state_in_words(unit, marker.box), points)
    told = Headline("sunk" if marker.box is Box.SUNK else "damaged", (f"unit:{key}",))
    yield Note(words, {Box.SUNK: "LOB-22", Box.DISABLED: "LOB-18"}.get(marker.box, "LOB-23"), headline=told)


@rule("LOB-04", "LOB-18", "LOB-27")
def box_for(found: str, *, disabled: bool, damaged: bool) -> Box:
    """LOB-04: sunk goes before all else; a disabled ship that is damaged, now or before, is in the box of both."""
    if found == SUNK:
        return Box.SUNK
    if disabled:
        return Box.BOTH if found == DAMAGED or damaged else Box.DISABLED
    return Box.DAMAGED if found == DAMAGED else Box.LINE


def _state_in_words(unit: Unit, box: Box) -> str:
    return {
        Box.SUNK: unit.word_sunk,
        Box.DAMAGED: unit.word_damaged,
        Box.BOTH: f"{unit.word_damaged} and disabled",
    }.get(box, "disabled")


@rule("LOB-25", "LOB-26", "LOB-27", "LOB-28")
def empty_boxes(state: State) -> Script[None]:
    """LOB-25 to LOB-28: at the end of a round every box but the Line of Battle is emptied, and what was noted is
    wiped off."""
    for key in state.setting.order:
        marker, unit = state.markers[key], state.unit(key)
        was = marker.box
        if was in BOX_RULES:
            leave_box(unit, marker)
            yield Note(("{}: {}", unit.name, WHERE[marker.box]), BOX_RULES[was])
        wipe(state, marker, turned=was is Box.DAMAGED)


WHERE = {
    Box.LINE: "to the Line of Battle, damaged side up",
    Box.DELAY: "to the Naval Warfare Delay Box",
    Box.OUT: "out of play",
}


@rule("LOB-25", "LOB-26", "LOB-27", "LOB-28")
def leave_box(unit: Unit, marker: Marker) -> None:
    """LOB-25 to LOB-28: where the box of a unit sends it, and which side is up."""
    if marker.box in (Box.DAMAGED, Box.BOTH):
        marker.damaged = True
    if marker.box is Box.DAMAGED:
        marker.box = Box.LINE
        return
    sunk = marker.box is Box.SUNK
    marker.fate = unit.word_sunk if sunk else "disabled"
    marker.box = Box.OUT if sunk and not unit.lba else Box.DELAY


@rule("LOB-25", "LOB-27")
def rejoin(state: State) -> Script[None]:
    """LOB-25, LOB-27: disabled ships stay in the Delay Box; with the option they come back for the second round."""
    if state.setting.options.delay_box == "stay":
        return
    for key in state.setting.order:
        marker = state.markers[key]
        if marker.box is Box.DELAY and marker.fate == "disabled":
            marker.box, marker.fate = Box.LINE, ""
            yield Note(("{} returns from the Delay Box (assumed)", state.unit(key).name), "LOB-25")


def wipe(state: State, marker: Marker, *, turned: bool) -> None:
    """Targets and notes of the round are gone; damage points too, unless they are carried on (an assumption)."""
    marker.weapons, marker.target, marker.attacked = "", "", False
    if marker.box is not Box.LINE:
        marker.disabled, marker.points = False, 0
    elif turned or not state.setting.options.carry_damage:
        marker.points = 0


@rule("LOB-20")
def release_disabled(state: State) -> Script[None]:
    """LOB-20: after the last base attack round the Disabled results that were held take effect."""
    for key in state.setting.order:
        marker, unit = state.markers[key], state.unit(key)
        if marker.box is Box.LINE and marker.disabled:
            marker.box = box_for(UNHURT, disabled=True, damaged=marker.damaged)
            yield Note(("{} disabled after the base attack", unit.name), "LOB-20")
