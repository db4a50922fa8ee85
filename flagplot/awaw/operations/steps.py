"""Where an operation stands (22.15, the sequence of interception): the steps of a stage, and which of them is played.

What is told follows from the frames alone, so it tells both sides the same.
"""

from __future__ import annotations

from typing import Final

from flagplot.awaw.operations.operation import (
    announce,
    carry_out,
    close_stage,
    contest,
    go_on_patrol,
    open_stage,
    recall_patrols,
    sail,
    sail_home,
    sail_patrols_home,
    strike_from_land,
    strike_from_patrol,
    turn_home,
)
from flagplot.awaw.procedures import (
    announcing,
    attempts,
    base_strike,
    completion,
    interceptions,
    land_strikes,
    patrols,
    stage,
)
from flagplot.awaw.state.operation import Activity
from flagplot.awaw.state.state import State
from flagplot.kernel.view_types import Seen

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
    SAIL: ("forces sail hex by hex; interceptions lead to battle", "22.19"),
    CARRY_OUT: ("forces that have arrived carry out their activities", "22.131"),
    HOME: ("all forces return to base and may be intercepted again", "22.18"),
}

_OF: Final = {
    open_stage.name: ANNOUNCE,
    announce.name: ANNOUNCE,
    go_on_patrol.name: PATROLS,
    strike_from_patrol.name: BASES,
    strike_from_land.name: BASES,
    contest.name: INTERCEPT,
    sail.name: SAIL,
    carry_out.name: CARRY_OUT,
    turn_home.name: HOME,
    sail_home.name: HOME,
    recall_patrols.name: HOME,
    sail_patrols_home.name: HOME,
    close_stage.name: HOME,
}
_CALLED: Final = {
    announcing.name: ANNOUNCE,
    patrols.name: PATROLS,
    base_strike.name: BASES,
    land_strikes.name: BASES,
    completion.name: CARRY_OUT,
}
"""The step of what the operation has called: its own frame has moved on by then."""
_LEVELS: Final = {1: "interceptions", 2: "counter-interceptions", 3: "counter-counter-interceptions"}
_RULES: Final = {1: "22.164A", 2: "22.164B", 3: "22.164C"}


class StepView(Seen):
    """The step that is being played, with the line of them all."""

    stage: str
    title: str
    mark: str
    name: str
    rule: str
    line: dict[str, str]


def present_step(state: State) -> StepView | None:
    """The step that is being played; nothing when the operation is over."""
    frames = state.frames
    if not frames:
        return None
    mark = present_mark(state)
    _, number = LINE[mark]
    name = ""
    for frame in frames:
        if frame.procedure == attempts.name:
            level = int(frame.arguments[1])
            name, number = _LEVELS[level], _RULES[level]
    return StepView(
        stage=state.now,
        title=f"{state.now.capitalize()} stage",
        mark=mark,
        name=name,
        rule=number,
        line={step: LINE[step][0] for step in _steps(state, mark)},
    )


def present_mark(state: State) -> str:
    """The mark of the step that is being played."""
    if not state.frames:
        return ""
    if not (frames := stage.under_way(state.frames)):
        return HOME
    segment, above = frames[0].segment, frames[1:]
    if not above:
        return _OF.get(segment, ANNOUNCE)
    if above[0].procedure == interceptions.name:
        return HOME if above[0].arguments == ("home",) else INTERCEPT
    return _CALLED.get(above[0].procedure) or _OF.get(segment, SAIL)


def _steps(state: State, mark: str) -> list[str]:
    """The steps that the present stage has: patrols where somebody may go on one; bases are not for redeployment."""
    orders = [order for some in state.operation.plan.orders.values() for order in some]
    patrols = any([order.activity is Activity.PATROL and order.stage == state.now for order in orders])
    there = {PATROLS: patrols, BASES: state.now != "redeployment"}
    return [step for step in LINE if there.get(step, True) or step == mark]
