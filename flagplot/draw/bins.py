"""Numbers that are too many to be shown one by one: together in steps, and the rare ones at both ends together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count, pairwise
from typing import NamedTuple, TypeVar

Weight = TypeVar("Weight", int, Fraction)

RARE = Fraction(1, 200)
"""What is rarer than this in all, at either end, needs no rows of its own."""


class Bin(NamedTuple):
    """Numbers that are shown together."""

    first: int
    last: int
    label: str

    def weight(self, weights: Mapping[int, Weight]) -> Weight | int:
        return sum([weight for number, weight in weights.items() if self.first <= number <= self.last])

    @property
    def middle(self) -> float:
        return (self.first + self.last) / 2


def bins_of(weights: Mapping[int, int] | Mapping[int, Fraction], most: int) -> list[Bin]:
    """At most so many bins for all the numbers, in their order. Each number has its own if they are few; then it keeps
    the words that it may bring along."""
    if not weights:
        return []
    least, greatest = int(min(weights)), int(max(weights))
    if greatest - least < most:
        words = {int(number): str(number) for number in weights}
        return [Bin(one, one, words.get(one, str(one))) for one in range(least, greatest + 1)]
    low, high = _common(weights)
    step = next(step for step in _steps() if high // step - low // step < most)
    firsts = range(low // step * step, high + 1, step)
    ends = [(first, first + step - 1) for first in firsts]
    few, many = least < firsts[0], greatest > ends[-1][1]
    ends[0] = (least, ends[0][1])
    ends[-1] = (ends[-1][0], greatest)
    bins = [Bin(first, last, _label(first, last)) for first, last in ends]
    if few:
        bins[0] = bins[0]._replace(label=f"up to {bins[0].last}")
    if many:
        bins[-1] = bins[-1]._replace(label=f"{bins[-1].first} or more")
    return bins


def _common(weights: Mapping[int, int] | Mapping[int, Fraction]) -> tuple[int, int]:
    """The numbers between which nearly all the weight lies."""
    limit = RARE * sum(weights.values())
    ordered = sorted(weights)
    return _end(ordered, weights, limit), _end(ordered[::-1], weights, limit)


def _end(ordered: Sequence[int], weights: Mapping[int, int] | Mapping[int, Fraction], limit: Fraction) -> int:
    """The first number up to which there is more than a little."""
    seen: Fraction | int = 0
    for number in ordered:
        seen += weights[number]
        if seen >= limit:
            return int(number)
    return int(ordered[-1])


def _steps() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50, ..."""
    for power in count():
        yield from (10**power, 2 * 10**power, 5 * 10**power)


def _label(first: int, last: int) -> str:
    if first == last:
        return str(first)
    return f"{first} to {last}"


def place_of(number: float, bins: Sequence[Bin]) -> float:
    """Where a number lies among bins: 0 is the middle of the first one, 1 that of the second."""
    if not bins or number <= bins[0].middle:
        return 0.0
    for place, (one, other) in enumerate(pairwise(bins)):
        if number <= other.middle:
            return place + (number - one.middle) / (other.middle - one.middle)
    return float(len(bins) - 1)
