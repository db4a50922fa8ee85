"""How sure a figure is: intervals for shares, and the spread of numbers that were counted."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any, NamedTuple

NINETY_FIVE = 1.959963984540054
"""Within so many standard deviations lie 95 % of a normal distribution."""


def percent(share: float) -> str:
    """A share as people read it."""
    return f"{100 * share:.1f} %"


def between(low: float, high: float) -> str:
    """An interval of shares as people read it."""
    return f"{100 * low:.1f} to {percent(high)}"


class Share(NamedTuple):
    """How often something was so, and between which shares the truth lies with 95 % (Wilson's interval)."""

    times: int
    of: int

    @property
    def share(self) -> float:
        return self.times / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.times, self.of)

    @property
    def error(self) -> float:
        """The standard error; unknown, and so zero, with a single trial."""
        return sqrt(self.share * (1 - self.share) / (self.of - 1)) if self.of > 1 else 0.0

    def as_dict(self) -> dict[str, Any]:
        low, high = self.interval
        return {"times": self.times, "share": self.share, "low": low, "high": high}


def wilson(times: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a share. It stays within 0 and 1, and holds for few trials and for rare things; of
    nothing tried, nothing is known."""
    return wilson_of(times / of, of) if of else (0.0, 1.0)


def wilson_of(share: float, of: float) -> tuple[float, float]:
    """The same for a share that is as sure as so many trials would make it."""
    square = NINETY_FIVE**2
    middle = (share * of + square / 2) / (of + square)
    half = NINETY_FIVE / (of + square) * sqrt(share * (1 - share) * of + square / 4)
    low = 0.0 if share == 0 else max(0.0, middle - half)
    high = 1.0 if share == 1 else min(1.0, middle + half)
    return low, high


class Spread:
    """Whole numbers and how often each came up."""

    __slots__ = ("counts", "of")

    def __init__(self, counts: Mapping[int, int], of: int | None = None) -> None:
        """If there were more trials than are counted, the others were zero."""
        counted = sum(counts.values())
        self.of = counted if of is None else of
        zeros = self.of - counted + counts.get(0, 0)
        self.counts = dict(sorted({**counts, **({0: zeros} if zeros else {})}.items()))

    @property
    def mean(self) -> float:
        return self._total / self.of if self.of else 0.0

    @property
    def _total(self) -> int:
        return sum([number * times for number, times in self.counts.items()])

    @property
    def error(self) -> float:
        """The standard error of the mean; unknown, and so zero, with a single trial."""
        if self.of < 2:
            return 0.0
        squares = sum([number * number * times for number, times in self.counts.items()])
        return sqrt((squares * self.of - self._total**2) / (self.of**2 * (self.of - 1)))

    def quantile(self, percent: int) -> int:
        """The least number that at least so many per cent of the trials did not exceed."""
        seen = 0
        for number, times in self.counts.items():
            seen += times
            if 100 * seen >= percent * self.of:
                return number
        return 0

    @property
    def least(self) -> int:
        return next(iter(self.counts), 0)

    @property
    def most(self) -> int:
        return next(reversed(self.counts), 0)

    def as_dict(self) -> dict[str, Any]:
        return {
            "mean": self.mean,
            "standard_error": self.error,
            "least": self.least,
            "most": self.most,
            "percentiles": {str(percent): self.quantile(percent) for percent in (5, 25, 50, 75, 95)},
            "distribution": {str(number): times for number, times in self.counts.items()},
        }
