"""Bids: what a side must be given beforehand to make a scenario even, measured by games of the doctrine with itself.

A bid is added to the margin of a side, in what the margin counts: naval factors, BRPs, points or units. With it each
side comes out ahead in half of the games. So two people who want a fair battle choose sides: one names a bid, the
other his side.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import sqrt
from statistics import median
from typing import Any, NamedTuple

from flagplot.kernel.data_files import read_data
from flagplot.kernel.naming import in_sentence

FILE = "bids.toml"
ONE = {"naval factors": "naval factor", "BRPs of air": "BRP of air", "points": "point", "units": "unit"}
"""The units of a margin, for one of them."""


class Bid(NamedTuple):
    """What makes a scenario even."""

    side: str
    """Who gets it; nobody if it is 0."""
    amount: int
    low: int
    """The 95 % interval. Below 0: perhaps it is the other side that should get something."""
    high: int
    unit: str
    games: int

    def words(self, name: str) -> str:
        """``even with 3 naval factors for Japan (0 to 6)``; `name` is what the side is called."""
        if not self.amount:
            return "even as it is"
        return f"even with {self.given(name)} ({self.low} to {self.high})"

    def given(self, name: str) -> str:
        """``3 naval factors for Japan``."""
        unit = self.unit if self.amount > 1 else ONE.get(self.unit, self.unit)
        return f"{self.amount} {unit} for {in_sentence(name)}"


def bid_of(scenario: str) -> Bid | None:
    """The bid of a scenario that comes with Flagplot, if it was measured."""
    found = _bids().get(scenario)
    return None if found is None else Bid(**found)


@cache
def _bids() -> dict[str, dict[str, Any]]:
    return read_data("flagplot.simulation", FILE)


def measured(margins: Sequence[int], sides: tuple[str, str], unit: str) -> Bid:
    """The bid that follows from the margins of the first side: their median, which half of the games are above."""
    ranked, number = sorted(margins), len(margins)
    off = 0.98 * sqrt(number)  # the ranks between which the true median lies, 19 times of 20
    low = ranked[max(0, int(number / 2 - off))]
    high = ranked[min(number - 1, int(number / 2 + off))]
    middle = round(median(ranked))
    if middle > 0:
        return Bid(sides[1], middle, low, high, unit, number)
    return Bid(sides[0] if middle else "", -middle, -high, -low, unit, number)
