"""Players: anything that answers for a side from that side's view."""

from __future__ import annotations

from collections.abc import Callable

from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.game import Player
from flagplot.players.random import RandomPlayer


def _random(seed: int, settings: str) -> Player:
    if settings:
        raise BadValue("the random player has no settings", given=settings, allowed=["random"])
    return RandomPlayer(seed)


def _doctrine(seed: int, settings: str) -> Player:
    from flagplot.players.by_game import DoctrineByGame  # it knows the games; the others need not
    from flagplot.players.doctrine import read_doctrine

    return DoctrineByGame(read_doctrine(settings))


PLAYERS: dict[str, Callable[[int, str], Player]] = {"random": _random, "doctrine": _doctrine}
"""The players that the program can be, by name; each is made with a seed and the text of its settings."""


def player(name: str, seed: int) -> Player:
    """A player by name, with its settings if there are any: ``random``, ``doctrine:withdraw_below=0.3``."""
    kind, _, settings = name.partition(":")
    if kind not in PLAYERS:
        raise UnknownName("no such player", given=name, allowed=["human", *PLAYERS])
    return PLAYERS[kind](seed, settings)


def staff() -> Player:
    """The player who fills in a side's sheets, unless it has chosen another one."""
    return player("doctrine", 0)
