"""Steps 5 and 6: retreat after the first round, and what the battle comes to."""

from __future__ import annotations

from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words
from flagplot.line_of_battle.state import Box, State

STALEMATE, SUCCESS, REPULSION = "stalemate", "success", "repulsion"
NO_RESOLUTION = "no resolution"
"""What a battle comes to that ends by a retreat, if such battles are not resolved."""

LABELS: dict[str, Words] = {"stay": "Stay and fight", "retreat": "Retreat"}


@rule("LOB-05")
def retreat(state: State, side: str) -> Script[None]:
    """LOB-05: after the first round a faction may leave the battle, all of it (an assumption)."""
    if state.setting.options.retreat == "by-unit":
        for key in state.line(side):
            question: Words = ("Retreat with {}, or fight a second round?", state.unit(key).name)
            chosen: str = yield Choose(side, ("retreat", key), ("stay", "retreat"), question, LABELS, "LOB-05")
            if chosen == "retreat":
                _leave(state, key)
        return
    asked = "Retreat, or fight a second round?"
    chosen = yield Choose(side, "retreat", ("stay", "retreat"), asked, LABELS, "LOB-05")
    if chosen == "retreat":
        for key in state.line(side):
            _leave(state, key)
        yield Note(("{}: all units retreat; no pursuit (assumed)", state.name(side)), "LOB-05")


def _leave(state: State, key: str) -> None:
    marker = state.markers[key]
    marker.box, marker.fate, marker.points = Box.RETREATED, "retreated", 0


@rule("LOB-07")
def resolution(state: State) -> str:
    """LOB-07: success if only phasing units remain in the Line of Battle, repulsion if only the other's; else a
    stalemate (an assumption: the page does not define the words)."""
    if ended_by_retreat(state) and state.setting.options.after_retreat == "no-resolution":
        return NO_RESOLUTION
    phasing, other = [remains(state, side) for side in state.setting.sides]
    if phasing == other:
        return STALEMATE
    return SUCCESS if phasing else REPULSION


def ended_by_retreat(state: State) -> bool:
    """Whether units have retreated and there was no second round."""
    return state.round < state.setting.rounds and any(marker.box is Box.RETREATED for marker in state.markers.values())


def remains(state: State, side: str) -> bool:
    """Whether a faction still holds the Line of Battle."""
    return any([holds(state, key) for key in state.of(side)])


def holds(state: State, key: str) -> bool:
    """Whether a unit holds the Line of Battle for its faction."""
    ships_only = state.setting.options.who_remains == "ships-only"
    return state.markers[key].box is Box.LINE and not (ships_only and state.unit(key).lba)


def winner(state: State) -> str | None:
    """The phasing faction by a success, the other by a repulsion."""
    setting = state.setting
    return {SUCCESS: setting.phasing, REPULSION: setting.other}.get(state.resolution)


def ended(state: State) -> str:
    """Why the battle came to what it did, in words."""
    if won := winner(state):
        return f"{state.resolution}, with nobody but {state.name(won)} left in the Line of Battle"
    if state.resolution == NO_RESOLUTION:
        return "a retreat after the first round, without a resolution"
    both = all(remains(state, side) for side in state.setting.sides)
    return f"stalemate, with {'both factions' if both else 'nobody'} left in the Line of Battle"
