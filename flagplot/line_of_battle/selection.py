"""Step 1: whether a round is a Day Action or a Night Action."""

from __future__ import annotations

from functools import partial

from flagplot.kernel.ledger import Ledger, Line
from flagplot.kernel.naming import in_sentence
from flagplot.kernel.requests import Choose, Faces, Note, Roll, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.line_of_battle.state import DAY, NIGHT, Setting, State

LABELS = {DAY: "Day: attack with aircraft and torpedoes", NIGHT: "Night: attack with guns or torpedoes"}


@rule("LOB-01", "LOB-09")
def select(state: State, side: str) -> Script[None]:
    """LOB-09: a faction names Day or Night. Neither knows the other's choice before both are made."""
    openly = state.setting.options.day_night_choice == "phasing-first"
    question = ("Round {}: fight by day or night?", state.round)
    secret = "" if openly else ("{}: choosing day or night", state.name(side))
    chosen: str = yield Choose(side, "select", (DAY, NIGHT), question, LABELS, "LOB-09", secret)
    (state.selected if openly else state.hidden)[side] = chosen


@rule("LOB-01", "LOB-09", "LOB-10")
def settle(state: State) -> Script[None]:
    """LOB-09, LOB-10: the choices are shown; where they differ, the higher roll's choice holds, a tie is the
    non-phasing faction's."""
    setting = state.setting
    if state.hidden:
        state.selected, state.hidden = state.hidden, {}
        first, second = [(state.selected[side].title(), in_sentence(state.name(side))) for side in setting.sides]
        yield disclosed(("Selected: {} by {}, {} by {}", *first, *second), "LOB-09", True)
    one, other = [state.selected[side] for side in setting.sides]
    agreed, totals = one == other, []
    if not (agreed and setting.options.same_choice == "no-roll"):
        for side in setting.sides:
            total: int = yield selection_roll(state, side)
            totals.append(total)
    if agreed:
        state.action = one
        how = "whatever the rolls" if totals else "no roll"
        yield Note(("Both chose it: {} Action, {} (assumed)", one.title(), how), "LOB-09")
        return
    if totals[0] == totals[1] and setting.options.tied_selection == "day-then-night":
        state.action, state.after = DAY, NIGHT
        yield Note("Equal rolls: Day Action, then Night Action (assumed)", "LOB-10")
        return
    winner = setting.phasing if totals[0] > totals[1] else setting.other
    state.action = state.selected[winner]
    tie = ", which wins ties" if totals[0] == totals[1] else ""
    words = ("{} against {}: {} Action, chosen by {}{}", *totals, state.action.title(), state.name(winner), tie)
    yield Note(words, "LOB-10" if tie else "LOB-09")


@rule("LOB-09")
def selection_roll(state: State, side: str) -> Roll[int]:
    """LOB-09: one die with the modifiers of the faction."""
    choice = state.selected[side]
    ledger = selection_modifiers(state.setting, side, choice)
    purpose = ("{}: roll for {} Action", state.name(side), choice.title())
    return Roll(side, 1, purpose, partial(_total, ledger.total), "LOB-09", ledger)


def _total(modifier: int, faces: Faces) -> int:
    return sum(faces) + modifier


@rule("LOB-11", "LOB-12")
def selection_modifiers(setting: Setting, side: str, choice: str) -> Ledger:
    """LOB-11, LOB-12: +1 for choosing day; +1 for an air base within three hexes, if the battle hex is all sea."""
    lines = [Line(1, "Day Action chosen", "LOB-11")] if choice == DAY else []
    if setting.air_bases[side] and setting.all_sea and _base_counts(setting, choice):
        lines.append(Line(1, "air base within three hexes of an All-Sea Hex", "LOB-12"))
    return Ledger(lines)


def _base_counts(setting: Setting, choice: str) -> bool:
    return choice == DAY or setting.options.air_base_bonus == "either-choice"
