"""A player without a plan: every option is as likely as the next."""

from __future__ import annotations

from random import Random
from typing import Any

from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View


class RandomPlayer:
    """Picks any option with equal chance."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed).random

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        return Option(request, int(self._chance() * len(request.values)))
