"""Exact chances: what can come out, and how likely each of it is, as fractions until somebody wants to see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import Any, Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")
DIGITS = 12
NEGLIGIBLE = Fraction(1, 10**DIGITS)
"""What is less than this is not followed any further: some battles can go on for ever, and hardly ever do."""


class Distribution(Generic[T]):
    """The chance of each outcome. The chances of a complete one are 1 in all; what is missing is `left_over`."""

    __slots__ = ("chances",)

    def __init__(self, chances: Mapping[T, Fraction]) -> None:
        self.chances = {outcome: chance for outcome, chance in chances.items() if chance}

    @property
    def total(self) -> Fraction:
        return sum(self.chances.values(), Fraction(0))

    @property
    def left_over(self) -> Fraction:
        """The chance of everything that was not followed to its end."""
        return 1 - self.total

    def __getitem__(self, outcome: T) -> Fraction:
        return self.chances.get(outcome, Fraction(0))

    def __iter__(self) -> Iterator[T]:
        return iter(self.chances)

    def __len__(self) -> int:
        return len(self.chances)

    def of(self, view: Callable[[T], U]) -> Distribution[U]:
        """The chances of something that follows from the outcome."""
        common = lcm(*[chance.denominator for chance in self.chances.values()])
        merged: dict[U, int] = {}
        for outcome, chance in self.chances.items():
            seen = view(outcome)
            merged[seen] = merged.get(seen, 0) + chance.numerator * (common // chance.denominator)
        return Distribution({outcome: Fraction(ways, common) for outcome, ways in merged.items()})

    def chance(self, test: Callable[[T], bool]) -> Fraction:
        """The chance that something is true of the outcome."""
        return sum([chance for outcome, chance in self.chances.items() if test(outcome)], Fraction(0))

    def mean(self, number: Callable[[T], Fraction | int]) -> Fraction:
        """The expectation of a number that follows from the outcome."""
        return sum([number(outcome) * chance for outcome, chance in self.chances.items()], Fraction(0))

    def variance(self, number: Callable[[T], Fraction | int]) -> Fraction:
        mean = self.mean(number)
        return self.mean(lambda outcome: (number(outcome) - mean) ** 2)

    def as_dict(self) -> dict[str, Any]:
        """For programs: each outcome by its text, as a fraction and as a number."""
        return {
            str(outcome): {"fraction": f"{chance.numerator}/{chance.denominator}", "chance": float(chance)}
            for outcome, chance in self.chances.items()
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Distribution) and self.chances == other.chances

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join([f"{outcome}: {float(chance):.4f}" for outcome, chance in self.chances.items()])
        return f"Distribution({shown})"
