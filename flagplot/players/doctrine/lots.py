"""Secret choices are drawn, so that nobody can count on a habit.

A draw follows from the player's seed and from what its side is asked, and when: the round, the group, the kind of
choice. So it owes nothing to the dice or to what the enemy hides, who is asked twice answers alike, and a seed repeats
a game. A player without a seed does what is usual: odds and exact sums want the same answer each time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any, TypeVar

T = TypeVar("T")


class Lots:
    """The draws of one player for one side."""

    __slots__ = ("_drawn", "_key", "told", "used")

    def __init__(self, seed: int | None = None) -> None:
        self._key = None if seed is None else str(seed).encode()
        self._drawn: dict[str, float] = {}
        """What was drawn at each moment: who plays on from a position many times comes to the same moments."""
        self.used = False
        """Whether anything was drawn: then a player with another seed may answer otherwise."""
        self.told: Callable[[str, Mapping[Any, float], Any], None] | None = None
        """Hears of each new draw: its moment, the weights and the answer."""

    @property
    def draws(self) -> bool:
        """Whether it has a seed to draw by."""
        return self._key is not None

    def draw(self, moment: str, weights: Mapping[T, float], usual: T) -> T:
        """One of some answers by their weights, always the same at the same moment; the usual one without a seed."""
        if self._key is None or len(weights) < 2:
            return usual
        self.used = True
        lot = self._drawn.get(moment)
        if lot is not None:
            return _drawn_by(lot, weights, usual)
        digest = blake2b(moment.encode(), digest_size=8, key=self._key[:64]).digest()
        lot = self._drawn[moment] = int.from_bytes(digest) / 2**64
        answer = _drawn_by(lot, weights, usual)
        if self.told is not None:
            self.told(moment, weights, answer)
        return answer


def _drawn_by(lot: float, weights: Mapping[T, float], usual: T) -> T:
    """The answer that a lot between 0 and 1 falls on."""
    point = lot * sum(weights.values())
    most = 0.0
    for answer, weight in weights.items():
        most += weight
        if point < most:
            return answer
    return usual
