"""Walks through whole games, for tests that look at them on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import flagplot
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.players import player


def moments(name: str, seed: int = 5, every: int = 15, longest: int = 150) -> Iterator[Game[Any]]:
    """A game between players at random, now and then."""
    game = flagplot.load(name, seed=seed)
    players = {side: player("random", seed) for side in game.sides}
    for stop in range(0, longest, every):
        game.play(players, until=stop)
        yield game
        if game.pending is None:
            return


def decisions(game: Game[Any]) -> Iterator[Choose[Any]]:
    """Each decision to the end of the game; whoever reads them answers. Dice are rolled."""
    while game.pending is not None:
        if isinstance(game.pending, Choose):
            yield game.pending
        else:
            game.roll()
