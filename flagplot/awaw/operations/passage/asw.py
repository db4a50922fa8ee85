"""Where excess ASW of the SW boxes counts (22.9415)."""

from __future__ import annotations

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.state.setting import Asw
from flagplot.awaw.state.state import State
from flagplot.kernel.rules import rule

WESTERN = "western"


@rule("22.9415B", "22.9415B.1", "22.9415B.2", "22.9415B.3")
def asw_at(state: State, at: Hex) -> dict[str, Asw]:
    """22.9415B: excess ASW counts against all enemy submarine attacks of the player turn, on the Pacific map anywhere,
    in Europe in hexes of the western front. On a map without fronts every hex counts as one of those."""
    operation = state.operation
    asw, board = operation.between.asw, operation.plan.board
    if state.setting.pacific or not board.front_rows or board.front(at).casefold() == WESTERN:
        return asw
    return {}
