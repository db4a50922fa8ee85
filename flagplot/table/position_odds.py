"""The odds of a table's question or plan, reckoned in a process of its own from the lines of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flagplot import library
from flagplot.kernel.game import Game
from flagplot.kernel.saves import begin_tape, follow_line
from flagplot.odds.enumerator import Limits
from flagplot.odds.position import LIMITS, can_be_asked, position
from flagplot.odds.position_answer import PositionAnswer

TRIALS = 2_000
"""Trials of each option where it cannot be exact; mostly time ends them."""
QUICK = 0.8
"""Seconds for odds that nobody has asked for."""
FIRST = 1.5
"""Seconds for a first answer that is sampled; twice as many whenever somebody wants a better one."""
DEEP = 6
"""Decisions of a plan, from its end, that are tried for one that has odds."""


def position_odds(said: Mapping[str, Any], seconds: float) -> PositionAnswer:
    """What comes of each option of the pending question, or of a plan, as far as its side knows."""
    game = game_of(said)
    quick, more = bool(said["quick"]), int(said.get("more", 0))
    limits = Limits(LIMITS.states, min(seconds, QUICK if quick else FIRST * 2**more))
    asked: dict[str, Any] = {
        "limits": limits,
        "trials": 0 if quick else TRIALS,
        "believe": str(said.get("believe", "")),
    }
    side, plan = str(said["side"]), said["plan"]
    if not plan:
        return position(game, side, **asked)
    at, only = decisive(game, side, plan)
    return position(at, side, only=only, **asked)


def game_of(said: Mapping[str, Any]) -> Game[Any]:
    """The game of the lines that were sent."""
    first, *rest = said["lines"]
    game = begin_tape(first, library.ruleset, None)
    for text in rest:
        follow_line(game, text)
    return game


def decisive(game: Game[Any], side: str, plan: Sequence[str]) -> tuple[Game[Any], str]:
    """The last decision of a plan that one procedure decides, with the answers before it given; if there is none, the
    last of all, so that the whole plan is played on."""
    for place in reversed(range(max(0, len(plan) - DEEP), len(plan))):
        at = _before(game, plan, place)
        if can_be_asked(at, side):
            return at, plan[place]
    return _before(game, plan, len(plan) - 1), plan[-1]


def _before(game: Game[Any], plan: Sequence[str], place: int) -> Game[Any]:
    at = game.copy()
    for text in plan[:place]:
        at.choose(text)
    return at
