"""Where an operation stands (22.15, the sequence of interception): the steps of a stage, and which of them is played.

What is told follows from the frames alone, so it tells both sides the same.
"""

from __future__ import annotations

from typing import Any, Final

from flagplot.awaw.operations.state import Activity, OperationState

ANNOUNCE, PATROLS, BASES, INTERCEPT, SAIL, CARRY_OUT, HOME = (
    "announce",
    "patrols",
    "bases",
    "intercept",
    "sail",
    "carry-out",
    "home",
)

LINE: Final = {
    ANNOUNCE: ("all naval activities of the stage are announced", "22.15"),
    PATROLS: ("patrols go to their hexes, one after the other", "21.416"),
    BASES: ("bases and ships in port are attacked from the air", "23.51"),
    INTERCEPT: ("interceptions are declared and rolled for", "22.164"),
    SAIL: ("the forces sail hex by hex, and what is intercepted is fought", "22.19"),
    CARRY_OUT: ("those who have arrived carry out their activities", "22.131"),
    HOME: ("everybody returns to base, and may be intercepted again", "22.18"),
}

_OF: Final = {
    "open_stage": ANNOUNCE,
    "announce": ANNOUNCE,
    "go_on_patrol": PATROLS,
    "strike_from_patrol": BASES,
    "strike_from_land": BASES,
    "contest": INTERCEPT,
    "sail": SAIL,
    "carry_out": CARRY_OUT,
    "turn_home": HOME,
    "sail_home": HOME,
    "recall_patrols": HOME,
    "sail_patrols_home": HOME,
    "close_stage": HOME,
}
_CALLED: Final = {
    "announcing": ANNOUNCE,
    "patrols": PATROLS,
    "base-strike": BASES,
    "land-strikes": BASES,
    "completion": CARRY_OUT,
}
"""The step of what the operation has called: its own frame has moved on by then."""
_LEVELS: Final = {1: "interceptions", 2: "counter-interceptions", 3: "counter-counter-interceptions"}
_RULES: Final = {1: "22.164A", 2: "22.164B", 3: "22.164C"}


def present_step(state: OperationState) -> dict[str, Any] | None:
    """The step that is being played, with the line of them all; nothing when the operation is over."""
    frames = state.frames
    if not frames:
        return None
    mark = _mark(state)
    _, number = LINE[mark]
    name = ""
    for frame in frames:
        if frame.procedure == "attempts":
            level = int(frame.arguments[1])
            name, number = _LEVELS[level], _RULES[level]
    return {
        "stage": state.now,
        "title": f"{state.now.capitalize()} stage",
        "mark": mark,
        "name": name,
        "rule": number,
        "line": {step: LINE[step][0] for step in _steps(state, mark)},
    }


def _mark(state: OperationState) -> str:
    place = next((place for place, frame in enumerate(state.frames) if frame.procedure == "stage"), None)
    if place is None:
        return HOME
    segment, above = state.frames[place].segment, state.frames[place + 1 :]
    if not above:
        return _OF.get(segment, ANNOUNCE)
    if above[0].procedure == "interceptions":
        return HOME if above[0].arguments == ("home",) else INTERCEPT
    return _CALLED.get(above[0].procedure) or _OF.get(segment, SAIL)


def _steps(state: OperationState, mark: str) -> list[str]:
    """The steps that the present stage has: patrols where somebody may go on one; bases are not for redeployment."""
    orders = [order for some in state.plan.orders.values() for order in some]
    patrols = any([order.activity is Activity.PATROL and order.stage == state.now for order in orders])
    there = {PATROLS: patrols, BASES: state.now != "redeployment"}
    return [step for step in LINE if there.get(step, True) or step == mark]


def draw_step(step: dict[str, Any] | None) -> list[str]:
    """The line of steps as text, the present one in brackets."""
    if not step:
        return []
    marks = [f"[{mark}]" if mark == step["mark"] else mark for mark in step["line"]]
    name = f" {step['name']}" if step["name"] else ""
    return [f"{step['title']}: {' '.join(marks)}{name} ({step['rule']})"]
