"""Secret choices are drawn, so that nobody can count on a habit.

A draw follows from the player's seed and from what its side is asked, and when: the round, the group, the kind of
choice. So it owes nothing to the dice or to what the enemy hides, who is asked twice answers alike, and a seed repeats
a game. A player without a seed does what is usual: odds and exact sums want the same answer each time.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


class Lots:
    """The draws of one player for one side."""

    __slots__ = ("_drawn", "_key", "used")

    def __init__(self, seed: int | None = None) -> None:
        self._key = None if seed is None else str(seed).encode()
        self._drawn: dict[str, float] = {}
        """What was drawn at each moment: who plays on from a position many times comes to the same moments."""
        self.used = False
        """Whether anything was drawn: then a player with another seed may answer otherwise."""

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
        if lot is None:
            digest = blake2b(moment.encode(), digest_size=8, key=self._key[:64]).digest()
            lot = self._drawn[moment] = int.from_bytes(digest) / 2**64
        point = lot * sum(weights.values())
        most = 0.0
        for answer, weight in weights.items():
            most += weight
            if point < most:
                return answer
        return usual
