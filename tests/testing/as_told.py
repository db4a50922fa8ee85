"""A random game as people are told it, as a number: do two readings of the rules make the same game?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import flagplot
from flagplot.players.random import RandomPlayer


def as_told(source: str | Mapping[str, Any], seed: int, options: Mapping[str, Any] | None = None) -> int:
    """All that is asked, offered, rolled and told in a game of that seed."""
    game = flagplot.load(source, seed=seed, options=options)
    players, told = {side: RandomPlayer(seed) for side in game.sides}, []
    while (request := game.pending) is not None:
        told.append(str(request))
        told += [f"{one.text} {one.label}" for one in request.options] if isinstance(request, flagplot.Choose) else []
        game.play(players, until=game.turn + 1)
    told += [str(entry) for side in game.sides for entry in game.log(side)]
    return hash("\n".join(told))
