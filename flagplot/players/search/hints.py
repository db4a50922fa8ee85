"""A hint: what the staff would do now, and why, from what the side knows. It costs nothing but pride."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from flagplot.kernel.game import Game
from flagplot.kernel.levels import Level
from flagplot.kernel.requests import Choose
from flagplot.kernel.sheets import Orders, no_orders
from flagplot.kernel.situations import Situation, situation_of
from flagplot.players.ranks import read_budget
from flagplot.players.search.judging import judge_of
from flagplot.players.search.player import SearchPlayer, seed_at
from flagplot.players.search.thinking import looks_ahead, think
from flagplot.players.search.thought import Thought

SECONDS = 2.2
"""What all hints of a moment may take together."""
RANK = "commodore:playouts=64"
"""Who gives hints: twice as thorough as an opponent of this rank, since there are fewer of them."""
NOWHERE = "Your staff does not look ahead here: it keeps to its doctrine."
NOTHING = "There is nothing to weigh here: your staff keeps to its doctrine."
NOT_ASKED = "You are not asked anything now."


class Hints(NamedTuple):
    """What the staff would do about all that a side decides now."""

    thoughts: tuple[Thought, ...] = ()
    answers: Mapping[str, str] = {}
    """By the key of a field of the plan: the text of the option that the staff would take."""
    why_not: str = ""


def hint(game: Game[Any], side: str, *, rank: str = RANK, seed: int = 0) -> Thought | None:
    """The options of the pending question of a side, weighed from what it knows; None where the staff does not look
    ahead, or the side is not asked."""
    situation = situation_of(game, side)
    if situation is None or not looks_ahead(situation):
        return None
    kind, _, settings = rank.partition(":")
    return think(situation, seed_at(seed, game.moment_of(side)), read_budget(kind, settings))


def hints(
    game: Game[Any],
    side: str,
    level: Level,
    *,
    rank: str = RANK,
    seconds: float = SECONDS,
    seed: int = 0,
    orders: Orders = no_orders,
) -> Hints:
    """The same for all that a side decides now at a level, decision after decision, within some seconds. `orders` are
    its standing orders: what they answer is not thought about."""
    if not _is_thought_about(situation_of(game, side)):
        return Hints(why_not=why_none(game, side))
    number = max(1, len(game.sheet(side, orders=orders, level=level).open_to(level)))
    kind, _, settings = rank.partition(":")
    budget = read_budget(kind, settings)
    staff = SearchPlayer(seed, budget._replace(seconds=min(budget.seconds, seconds / number)), level=level)
    sheet = game.sheet(side, staff=staff, orders=orders, level=level)
    if not staff.thoughts:
        return Hints(why_not=NOTHING)
    return Hints(tuple(staff.thoughts), {one.key: one.chosen for one in sheet.open_to(level)})


def _is_thought_about(situation: Situation | None) -> bool:
    """Whether a staff looks ahead in this kind of play. The first question of a plan may leave no choice: those after
    it may."""
    return situation is not None and judge_of(situation.game, situation.kind) is not None


def why_none(game: Game[Any], side: str) -> str:
    """Why there is no hint for a side."""
    request = game.pending
    if not isinstance(request, Choose) or request.side != side:
        return NOT_ASKED
    return NOTHING if _is_thought_about(situation_of(game, side)) else NOWHERE
