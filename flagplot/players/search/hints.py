"""A hint: what the staff would do now, and why, from what the side knows. It costs nothing but pride."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flagplot.kernel.game import Game
from flagplot.kernel.levels import Level
from flagplot.kernel.requests import Choose
from flagplot.kernel.situations import situation_of
from flagplot.players.ranks import read_budget
from flagplot.players.search.player import SearchPlayer, seed_at
from flagplot.players.search.thinking import think
from flagplot.players.search.thought import Thought

SECONDS = 2.4
"""What all hints of a moment may take together."""
RANK = "commodore"
NOWHERE = "Your staff does not look ahead here: in operations and turns it keeps to its doctrine, which is filled in."
NOTHING = "There is nothing to weigh here: your staff keeps to its doctrine."


def hint(game: Game[Any], side: str, *, rank: str = RANK, seed: int = 0) -> Thought | None:
    """The options of the pending question of a side, weighed from what it knows; None where the staff does not look
    ahead, or the side is not asked."""
    situation = situation_of(game, side)
    if situation is None or len(situation.options) < 2:
        return None
    kind, _, settings = rank.partition(":")
    return think(situation, seed_at(seed, game.moment_of(side)), read_budget(kind, settings))


def hints(game: Game[Any], side: str, level: Level, *, seconds: float = SECONDS, seed: int = 0) -> Sequence[Thought]:
    """The same for all that a side decides now at a level, decision after decision, within some seconds."""
    if situation_of(game, side) is None:
        return ()
    number = max(1, len(game.sheet(side, level=level).open_to(level)))
    budget = read_budget(RANK, "")
    staff = SearchPlayer(seed, budget._replace(seconds=min(budget.seconds, seconds / number)), level=level)
    game.sheet(side, staff=staff, level=level)
    return staff.thoughts


def why_none(game: Game[Any], side: str) -> str:
    """Why there is no hint for a side."""
    request = game.pending
    if not isinstance(request, Choose) or request.side != side:
        return "You are not asked anything now."
    return NOTHING if situation_of(game, side) is not None else NOWHERE
