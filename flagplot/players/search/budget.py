"""How much a player may think: counted in playouts, so that a seed repeats a game, with a cap on the time."""

from __future__ import annotations

from typing import NamedTuple


class Budget(NamedTuple):
    """What one decision may cost."""

    playouts: int
    """In all, over all options."""
    seconds: float
    """The cap. A decision that comes to it depends on the speed of the machine."""
    options: int = 6
    """The most options to compare. If there are more, the doctrine's choice and an even spread of the others."""
    rounds: int | None = None
    """How many rounds of a battle to play on after the current one, before its outlook counts; None: to its end."""
