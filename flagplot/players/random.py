"""A player without a plan: every option is as likely as the next."""

from __future__ import annotations

from random import Random
from typing import Any

from flagplot.kernel.game import Blind
from flagplot.kernel.requests import Choose

LEAVING = ("withdraw", "retreat")
"""The verbs of questions whether to leave a battle."""
STAYING = ("none", "stay")
"""Answers to them by which nobody leaves."""


class RandomPlayer(Blind):
    """Picks any option with equal chance; one that stays never leaves a battle of its own will."""

    def __init__(self, seed: int, *, stays: bool = False) -> None:
        self._chance = Random(seed).random
        self._stays = stays

    def pick(self, request: Choose[Any]) -> int:
        if self._stays and (request.verb if isinstance(request.verb, str) else request.verb[0]) in LEAVING:
            for place, value in enumerate(request.values):
                if value in STAYING:
                    return place
        return int(self._chance() * len(request.values))
