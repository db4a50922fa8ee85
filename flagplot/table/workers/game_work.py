"""What is worked out from the lines of a game in a process of its own (`Calculator.run`): odds, hints, a review."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from flagplot import library
from flagplot.kernel.game import Game
from flagplot.kernel.levels import SEAT_LEVELS, Level
from flagplot.kernel.saves import begin_tape, follow_line
from flagplot.odds.enumerator import Limits
from flagplot.odds.position import LIMITS, can_be_asked, position
from flagplot.odds.position_answer import PositionAnswer
from flagplot.players.search.hints import Hints, hints
from flagplot.players.search.thought import Thought
from flagplot.review.deciding import Judged, judged_from
from flagplot.review.reasons import reason
from flagplot.table.plans.orders import answers_by, read_orders_text

TRIALS = 2_000
"""Trials of each option where it cannot be exact; mostly time ends them."""
QUICK = 0.8
"""Seconds for odds that nobody has asked for."""
FIRST = 1.5
"""Seconds for a first answer that is sampled; twice as many whenever somebody wants a better one."""
DEEP = 6
"""Decisions of a plan, from its end, that are tried for one that has odds."""


class PlanAsked(NamedTuple):
    """A plan that a staff is to think about."""

    lines: list[str]
    """Those of the tape."""
    side: str
    level: Level
    rank: str
    seed: int
    orders: str
    """The side's standing orders."""


def game_of(lines: Sequence[str]) -> Game[Any]:
    """The game of the lines that were sent."""
    first, *rest = lines
    game = begin_tape(first, library.ruleset, None)
    for text in rest:
        follow_line(game, text)
    return game


def judged(lines: Sequence[str], side: str, first: int, seconds: float) -> Judged:
    """What decisions of a side were worth, from one of them on, as many as the time allows."""
    return judged_from(game_of(lines), side, first, seconds)


def hinted(lines: Sequence[str], side: str, level: str) -> Hints:
    """What the staff of a side would do about all that it decides now, from what the side knows."""
    return hints(game_of(lines), side, SEAT_LEVELS[level] or Level.ROUTINE)


def planned(asked: PlanAsked, seconds: float) -> Hints:
    """The same by a staff of the rank that the side has chosen, with more time."""
    orders = answers_by(read_orders_text(asked.orders, asked.side) if asked.orders else [])
    ranked: dict[str, Any] = {"rank": asked.rank, "seed": asked.seed, "seconds": seconds}
    return hints(game_of(asked.lines), asked.side, asked.level, orders=orders, **ranked)


def reasoned(lines: Sequence[str], side: str, number: int, rank: str, seed: int) -> Thought | None:
    """What was weighed in a decision of a finished game."""
    return reason(game_of(lines), side, number, rank=f"{rank}:seconds=3", seed=seed)


# --- odds ---------------------------------------------------------------------------------------------------------


class OddsAsked(NamedTuple):
    """What a side wants to know about its question, or about its plan."""

    side: str
    plan: tuple[str, ...] = ()
    quick: bool = False
    """Nobody has asked for it: exact and soon, or not at all."""
    more: int = 0
    """How often a better estimate was wanted."""
    believe: str = ""


def position_odds(lines: Sequence[str], asked: OddsAsked, seconds: float) -> PositionAnswer:
    """What comes of each option of the pending question, or of a plan, as far as its side knows."""
    game, side = game_of(lines), asked.side
    limits = Limits(LIMITS.states, min(seconds, QUICK if asked.quick else FIRST * 2**asked.more))
    how: dict[str, Any] = {"limits": limits, "trials": 0 if asked.quick else TRIALS, "believe": asked.believe}
    if not asked.plan:
        return position(game, side, **how)
    at, only = decisive(game, side, asked.plan)
    return position(at, side, only=only, **how)


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
