"""Support by offensive patrols (22.163, 21.4182): no dice; the nearer they are the sooner they join."""

from __future__ import annotations

from flagplot.awaw.operations.companions import may_cooperate, nations
from flagplot.awaw.operations.state import Encounter, OperationState
from flagplot.awaw.operations.words import hexes_long
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

OFFENSIVE = "offensive"
AT_ONCE = 3
"""Hexes within which a patrol joins in the first round (22.163B)."""


@rule("22.163B", "22.163C", "T22.21-14")
def support_round(hexes: int, *, pacific: bool) -> int:
    """22.163: within three hexes a patrol joins in the first round; beyond, one round later for every four hexes begun,
    two in the Pacific."""
    if hexes <= AT_ONCE:
        return 1
    return 2 + (hexes - AT_ONCE - 1) // (2 if pacific else 4)


@rule("22.163", "22.163A", "22.11D", "SOP-NI-F.2.a", "SOP-PA-E.2", "22.916B", "22.33", "22.141E")
def offer_support(state: OperationState, meeting: Encounter) -> Script[None]:
    """22.163: patrols of the side that was intercepted, submarines too, may come to its aid in the interception hex and
    nowhere else; each is asked. British and French ones that do not cooperate give no help (22.141E)."""
    target = state.voyages[meeting.target]
    side, friends = target.side, nations(state, target)
    for key, (name, at) in _patrols(state, side, friends).items():
        sails = state.plan.board.sea_distance(at, meeting.at)
        if sails is None:
            continue
        joins = support_round(sails, pacific=state.setting.pacific)
        question = ("{} is {} away and could join in round {}: does it?", name, hexes_long(sails), joins)
        chosen: str = yield Choose(side, ("support", key), (STAY, GO), question, _ANSWERS, "22.163")
        if chosen == GO:
            meeting.supporting[key] = joins
            yield Note(("{}: a patrol comes to support, to join in round {}", state.name(side), joins), "22.163")


STAY, GO = "stay", "go"
_ANSWERS: dict[str, Words] = {STAY: "it stays in its patrol hex", GO: "it comes to support"}


def _patrols(state: OperationState, side: str, friends: set[str]) -> dict[str, tuple[str, tuple[int, int]]]:
    """The offensive patrols of a side that act together with ships of some nations, and where they are."""
    forces = {
        key: (force.marker, force.at)
        for key, force in state.fleet_of(side).items()
        if force.patrol == OFFENSIVE
        and force.tried != state.now
        and may_cooperate(state, friends | {which.nation for which in force.group.ships})
    }
    submarines = {
        key: (f"the submarines in {state.plan.board.name_of(flotilla.at)}", flotilla.at)
        for key, flotilla in state.boats()
        if flotilla.side == side
        and flotilla.patrol == OFFENSIVE
        and flotilla.factors
        and may_cooperate(state, friends | {flotilla.nation})
    }
    return forces | submarines
