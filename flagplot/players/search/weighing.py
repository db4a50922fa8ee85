"""What was found out about a decision: each option with what it brings, its error and the number of playouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from flagplot.players.search.judging import Worth


class Mean(NamedTuple):
    """An average and its standard error."""

    mean: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        number = len(values)
        if not number:
            return cls(0.0, 0.0)
        mean = sum(values) / number
        if number == 1:
            return cls(mean, 1.0)
        variance = sum([(one - mean) ** 2 for one in values]) / (number - 1)
        return cls(mean, sqrt(variance / number))


@dataclass(frozen=True, slots=True)
class Weighed:
    """One option."""

    text: str
    label: str
    playouts: int
    value: Mean
    """From -1 (all is lost) to 1."""
    better: Mean
    """How much better than what the doctrine would do, in the same trials."""
    own: float
    """What the side loses in all, on average."""
    enemy: float
    won: float
    """How often the side wins, less how often the enemy does."""
    chance: float = 0.0
    """How often it is chosen, where the choice is secret and mixed."""


def weighed(text: str, label: str, found: Sequence[Worth], reference: Sequence[Worth], chance: float = 0.0) -> Weighed:
    """What the trials of an option say, beside those of the doctrine's."""
    number = max(1, len(found))
    paired = [one.value - other.value for one, other in zip(found, reference, strict=False)]
    return Weighed(
        text,
        label,
        len(found),
        Mean.of([one.value for one in found]),
        Mean.of(paired),
        sum([one.own for one in found]) / number,
        sum([one.enemy for one in found]) / number,
        sum([one.won for one in found]) / number,
        chance,
    )
