"""A player that stays in every battle and leaves all other decisions to the doctrine player.

`choose` is all that a player needs. It is given what its side may know and the question, and returns one of the
question's options. `seed` and `settings` are handed to `__init__` if it asks for them by these names.
"""

from __future__ import annotations

from random import Random
from typing import Any

from flagplot import Choose, Option, View
from flagplot.players import player


class Steadfast:
    """Withdraws only if its nerve fails: ``steadfast:nerve=0.9`` keeps it nine times out of ten."""

    def __init__(self, seed: int = 0, settings: str = "") -> None:
        self.chance = Random(seed)
        name, _, value = (settings or "nerve=1").partition("=")
        if name != "nerve":
            raise ValueError("use nerve=0.9")  # Flagplot shows it to whoever typed the settings
        self.nerve = float(value)
        self.staff = player("doctrine", seed)

    def choose(self, view: View, request: Choose[Any]) -> Option[Any] | str:
        if request.verb == "withdraw" and self.chance.random() < self.nerve:
            return request.options[0]  # to stay is always offered first
        return self.staff.choose(view, request)
