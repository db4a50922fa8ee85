"""The searching player: it hands on what its side knows, takes what comes out best, and remembers why."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from flagplot.kernel.levels import Level
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View
from flagplot.players.by_game import DoctrineByGame
from flagplot.players.search.budget import Budget
from flagplot.players.search.thinking import Think, looks_ahead, think
from flagplot.players.search.thought import Thought


class SearchPlayer:
    """Looks ahead where something is to be decided; forced and routine questions are answered by the doctrine."""

    def __init__(self, seed: int, budget: Budget, thinks: Think = think, level: Level = Level.TACTICS) -> None:
        """`level` says which decisions are worth thinking about."""
        self.seed, self.budget, self.level = seed, budget, level
        self.thoughts: list[Thought] = []
        """How it has decided so far."""
        self._doctrine = DoctrineByGame(seed=seed)
        self._think = thinks

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        if len(request.values) == 1:
            return Option(request, 0)
        situation = view.situation
        if not looks_ahead(situation) or not self.level.asks(situation.level):
            return self._doctrine.choose(view, request)
        found = self._think(situation, seed_at(self.seed, view.moment), self.budget)
        option = request.find(found.chosen) if found else None
        if found is None or option is None:
            return self._doctrine.choose(view, request)
        self.thoughts.append(replace(found, number=view.moment))
        return option


def seed_at(seed: int, moment: int) -> int:
    """The seed of one decision."""
    return Random(f"{seed}/{moment}").getrandbits(48)
