"""The sequence of the page: a battle of one or two rounds, and an attack on a base."""

from __future__ import annotations

from flagplot.kernel.procedures import Call, Next, Procedure
from flagplot.kernel.requests import Note, Script
from flagplot.kernel.rules import rule
from flagplot.line_of_battle import ending, results, selection
from flagplot.line_of_battle.attacks import attacks
from flagplot.line_of_battle.options import house_rules
from flagplot.line_of_battle.state import DAY, State

battle = Procedure("battle", "LOB-01", "Air and naval combat")
base_attack = Procedure("base-attack", "LOB-20", "Base attack")


@battle.segment("LOB-24", "All units stand in the Line of Battle")
@base_attack.segment("LOB-24", "All units stand in the Line of Battle")
def set_up(state: State) -> Script[Next]:
    """LOB-24: the units of both factions stand in their Line of Battle Boxes. The log names house rules."""
    yield Note(("House rules: {}", house_rules(state.setting.options)), "")
    return None


# --- a battle -------------------------------------------------------------------------------------------------------


@battle.segment("LOB-01", "Step 1: the phasing faction selects Day or Night")
@rule("LOB-01", "LOB-06")
def phasing_selects(state: State) -> Script[Next]:
    """LOB-01: each round opens by settling day or night anew."""
    state.round += 1
    state.action, state.selected = "", {}
    yield from results.rejoin(state)
    yield from selection.select(state, state.setting.phasing)
    return None


@battle.segment("LOB-01", "Step 1: the other faction selects Day or Night")
def other_selects(state: State) -> Script[Next]:
    """LOB-01: the other faction, without knowing the phasing one's choice."""
    yield from selection.select(state, state.setting.other)
    return None


@battle.segment("LOB-09", "Step 1: Day Action or Night Action")
def day_or_night(state: State) -> Script[Next]:
    """LOB-09: the choices are shown and, if they differ, rolled for."""
    yield from selection.settle(state)
    return None


# --- a base attack --------------------------------------------------------------------------------------------------


@base_attack.segment("LOB-20", "A base attack round begins")
@rule("LOB-20")
def open_round(state: State) -> Script[Next]:
    """LOB-20: base attack rounds are day rounds, one after the other (an assumption)."""
    state.round += 1
    state.action = DAY
    yield Note(("Base attack round {}: by day, no selection (assumed)", state.round), "LOB-20")
    return None


# --- both -----------------------------------------------------------------------------------------------------------


@battle.segment("LOB-02", "Step 2: the phasing faction attacks")
@base_attack.segment("LOB-02", "Step 2: the phasing faction attacks")
@rule("LOB-02")
def phasing_attacks(state: State) -> Next:
    """LOB-02: the phasing faction goes first."""
    return Call(attacks, (state.setting.phasing,))


@battle.segment("LOB-03", "Step 3: the other faction attacks")
@base_attack.segment("LOB-03", "Step 3: the other faction attacks")
@rule("LOB-03")
def other_attacks(state: State) -> Next:
    """LOB-03: then the other, with all its units: results wait for step 4."""
    return Call(attacks, (state.setting.other,))


@battle.segment("LOB-04", "Step 4: results take effect")
@base_attack.segment("LOB-04", "Step 4: results take effect; Disabled results wait")
def take_effect(state: State) -> Script[Next]:
    """LOB-04: disabled, damaged and sunk units go into their boxes."""
    yield from results.take_effects(state)
    return None


@battle.segment("LOB-25", "The end of the round: the boxes are emptied")
@base_attack.segment("LOB-25", "The end of the round: the boxes are emptied")
def end_of_round(state: State) -> Script[Next]:
    """LOB-25 to LOB-28: the boxes send their units on. After a tied selection the night may still follow."""
    yield from results.empty_boxes(state)
    if state.after:
        state.action, state.after = state.after, ""
        if not state.is_decided():
            return phasing_attacks
    return None


# --- the end of a battle --------------------------------------------------------------------------------------------


@battle.segment("LOB-05", "Step 5: the phasing faction may retreat")
@rule("LOB-05", "LOB-06")
def phasing_retreats(state: State) -> Script[Next]:
    """LOB-05, LOB-06: after the first round only, and only if both still have units to fight with (an assumption)."""
    if state.round == state.setting.rounds:
        return resolve
    if state.is_decided():
        return resolve if state.setting.options.empty_line == "stop" else phasing_selects
    yield from ending.retreat(state, state.setting.phasing)
    return resolve if state.is_decided() else None


@battle.segment("LOB-05", "Step 5: the other faction may retreat; else a second round")
@rule("LOB-05", "LOB-06")
def other_retreats(state: State) -> Script[Next]:
    """LOB-05, LOB-06: then the other faction; if neither retreats there is a second round, and never a third."""
    yield from ending.retreat(state, state.setting.other)
    return resolve if state.is_decided() else phasing_selects


# --- the end of a base attack ---------------------------------------------------------------------------------------


@base_attack.segment("LOB-20", "The next base attack round, if there is one")
def next_round(state: State) -> Next:
    """LOB-20: so many rounds as the scenario says, while both have units there."""
    return None if state.round == state.setting.rounds or state.is_decided() else open_round


@base_attack.segment("LOB-20", "Disabled results of all rounds take effect")
def release(state: State) -> Script[Next]:
    """LOB-20: now that all base attack rounds are over."""
    yield from results.release_disabled(state)
    yield from results.empty_boxes(state)
    return None


@battle.segment("LOB-07", "Step 6: stalemate, success or repulsion")
@base_attack.segment("LOB-07", "Step 6: stalemate, success or repulsion")
@rule("LOB-07")
def resolve(state: State) -> Script[Next]:
    """LOB-07: what the battle comes to, also after a retreat (an assumption)."""
    state.resolution = ending.resolution(state)
    yield Note(("Battle over: {}", ending.ended(state)), "LOB-07")
    return None
