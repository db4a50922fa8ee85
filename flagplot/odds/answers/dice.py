"""Sums of dice, exactly: by folding, so that thirty dice are no more trouble than two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from flagplot.kernel.requests import Roll
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import outcomes

CERTAINLY_NOTHING = Distribution({0: Fraction(1)})


def plus(one: Distribution[int], other: Distribution[int]) -> Distribution[int]:
    """The sum of two numbers that hang on different dice."""
    return Distribution(_fold(one.chances, other.chances, Fraction(0)))


def _fold(one: Mapping[int, Any], other: Mapping[int, Any], nothing: Any) -> dict[int, Any]:
    sums: dict[int, Any] = {}
    for number, weight in one.items():
        for more, another in other.items():
            sums[number + more] = sums.get(number + more, nothing) + weight * another
    return sums


def sum_of_dice(dice: int) -> Distribution[int]:
    """The chances of each sum of so many dice."""
    ways = {0: 1}
    for _ in range(dice):
        ways = _fold(ways, dict.fromkeys(range(1, 7), 1), 0)
    return Distribution({number: Fraction(some, 6**dice) for number, some in ways.items()})


def reading_of(roll: Roll[Any], number: Callable[[Any], int]) -> Distribution[int]:
    """The chances of a number that is read off a roll."""
    read = {reading: Fraction(ways, 6**roll.dice) for reading, ways in outcomes(roll.reads, roll.dice)}
    return Distribution(read).of(number)
