"""Players: anything that answers for a side from that side's view."""

from __future__ import annotations

from collections.abc import Callable

from flagplot.kernel.errors import UnknownName
from flagplot.kernel.game import Player
from flagplot.players.random import RandomPlayer

PLAYERS: dict[str, Callable[[int], Player]] = {"random": RandomPlayer}
"""The players that the program can be, by name; each is made with a seed."""


def player(name: str, seed: int) -> Player:
    """A player by name."""
    if name not in PLAYERS:
        raise UnknownName("there is no such player", given=name, allowed=["human", *PLAYERS])
    return PLAYERS[name](seed)
