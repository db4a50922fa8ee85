"""How well the program plays: five ranks, from one that makes mistakes to one that thinks for as long as it is given.

Budgets are counts of playouts, so that the same seed plays the same game; the cap on the time is far above what they
usually take.
"""

from __future__ import annotations

from collections.abc import Mapping

from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.game import Player
from flagplot.players.by_game import DoctrineByGame
from flagplot.players.doctrine import Doctrine
from flagplot.players.search.budget import Budget
from flagplot.players.search.habits import Slipping
from flagplot.players.search.player import SearchPlayer

ERRORS = 0.35
"""How many answers of an ensign are as they come."""
A_SECOND = 100
"""Playouts that `fleet` makes for each second that it is given."""
BUDGETS: Mapping[str, Budget] = {
    "commodore": Budget(playouts=32, seconds=5.0, options=5),
    "admiral": Budget(playouts=400, seconds=20.0, options=8),
    "fleet": Budget(playouts=10 * A_SECOND, seconds=10.0, options=12),
}
"""The ranks that look ahead, and what each may spend on a decision."""
LARGEST = {"playouts": 100_000, "seconds": 600.0, "options": 100, "rounds": 20}
"""What may be set, each from 1 on."""


def ranked(rank: str, seed: int, settings: str = "") -> Player:
    """A player of a rank: ``admiral``, ``fleet:seconds=30``."""
    if rank in BUDGETS:
        return SearchPlayer(seed, read_budget(rank, settings))
    if settings:
        raise BadValue(f"the player {rank} has no settings", given=settings, allowed=[rank])
    return Slipping(Doctrine(), f"ensign {seed}", ERRORS) if rank == "ensign" else DoctrineByGame(Doctrine(), seed)


def read_budget(rank: str, settings: str) -> Budget:
    """The budget of a rank with some settings: ``playouts=64,seconds=2``. Who sets nothing but seconds gets playouts to
    match."""
    usual, given = BUDGETS[rank], dict[str, float]()
    for entry in filter(None, settings.split(",")):
        name, _, value = entry.partition("=")
        if name not in LARGEST:
            raise UnknownName(f"no such setting of the player {rank}", given=name, allowed=list(LARGEST))
        given[name] = _number(name, entry, value)
    if rank == "fleet" and "playouts" not in given and "seconds" in given:
        given["playouts"] = max(1, int(given["seconds"] * A_SECOND))
    seconds = given.pop("seconds", usual.seconds)
    return usual._replace(seconds=seconds, **{name: int(value) for name, value in given.items()})


def _number(name: str, entry: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    least = 0.1 if name == "seconds" else 1
    if not least <= number <= LARGEST[name]:
        raise BadValue(
            f"this should be a number from {least} to {LARGEST[name]:g}", given=entry, allowed=["seconds=30"]
        )
    return number
