"""What changes between two simulations whose battles met the same dice, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple

from flagplot.kernel.margins import figure_name
from flagplot.kernel.results import Result
from flagplot.simulation.intervals import NINETY_FIVE, wilson
from flagplot.simulation.regression import Estimate, Sample
from flagplot.simulation.simulation import Simulation

SHARES = ("won", "sunk")
"""Figures that are a yes or no in each battle."""
_NOTHING = Estimate(0.0, 0.0, 0.0)


class Difference(NamedTuple):
    """By how much a figure of the second simulation is larger than that of the first, without the luck of the dice."""

    first: float
    mean: float
    error: float
    """The standard error of the difference, from battles in pairs."""
    apart: float
    """The standard error that it would have if both had been played apart, with dice of their own."""

    @property
    def second(self) -> float:
        return self.first + self.mean

    @property
    def interval(self) -> tuple[float, float]:
        """It lies in here with 95 %."""
        return self.mean - NINETY_FIVE * self.error, self.mean + NINETY_FIVE * self.error

    @property
    def is_clear(self) -> bool:
        """Whether it is more than chance would make it."""
        return abs(self.mean) > NINETY_FIVE * self.error

    @property
    def ratio(self) -> float:
        """How many times as many battles would be needed for the same error if both were played apart."""
        return (self.apart / self.error) ** 2 if self.error else 1.0

    def as_dict(self) -> dict[str, float]:
        low, high = self.interval
        return {
            "first": self.first,
            "second": self.second,
            "difference": self.mean,
            "standard_error": self.error,
            "low": low,
            "high": high,
            "variance_ratio": self.ratio,
        }


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Result):
    """Two simulations side by side. Battle by battle they met the same dice wherever the same rule was rolled for."""

    first: Simulation
    second: Simulation
    sample: Sample = field(default_factory=Sample)
    """The differences, battle by battle."""

    @property
    def battles(self) -> int:
        """The battles of each of both."""
        return self.sample.battles

    @property
    def names(self) -> tuple[str, str]:
        """What each of both is called: by what is different."""
        first, second = self.first, self.second
        if first.title != second.title:
            return first.title, second.title
        mine, other = _conditions(first), _conditions(second)
        texts = [", ".join([text for text in one if text not in two]) for one, two in ((mine, other), (other, mine))]
        return texts[0] or "as it is", texts[1] or "changed"

    @property
    def differences(self) -> dict[str, Difference]:
        """By figure, named as in `Simulation.without_luck`: ``won SIDE``, ``FIGURE SIDE``, ``FIGURE more``; and
        ``sunk SIDE NAME`` for a named ship that is in both."""
        pairs, alone = self.sample.estimates(), (self.first.without_luck, self.second.without_luck)
        sides = list(self.first.sides)
        kinds = sorted({name.rpartition(" ")[0] for name in alone[0] | alone[1]} - {"won"})
        wanted = [f"won {side}" for side in sides]
        wanted += [
            name for kind in kinds for side in (*sides, "more") if (name := f"{kind} {side}") in alone[0] | alone[1]
        ]
        wanted += sorted([name for name in pairs if name.startswith("sunk ")])
        return {name: self._difference(name, pairs, alone) for name in wanted}

    def _difference(
        self, name: str, pairs: dict[str, Estimate], alone: tuple[dict[str, Estimate], dict[str, Estimate]]
    ) -> Difference:
        kind, _, which = name.partition(" ")
        found = pairs.get(name, _NOTHING)
        error = found.error
        if kind in SHARES and not found.plain:  # no pair was different so far: that is no proof that none ever is
            error = wilson(0, self.battles)[1] / 2 / NINETY_FIVE
        if kind == "sunk":
            side, _, ship = which.partition(" ")
            one, other = (simulation.fate(side, ship, "sunk") for simulation in (self.first, self.second))
            return Difference(one.share, found.mean, error, sqrt(one.error**2 + other.error**2))
        mine, theirs = (estimates.get(name, _NOTHING) for estimates in alone)
        return Difference(mine.mean, found.mean, error, sqrt(mine.error**2 + theirs.error**2))

    def greatest_error(self) -> float:
        """The greatest standard error of the difference of a winner's share."""
        found = self.differences
        return max([found[f"won {side}"].error for side in self.first.sides])

    @property
    def conditions(self) -> list[str]:
        """What was compared, and how often."""
        first, second = self.names
        pairs = f"{self.battles:,} pair{'s' * (self.battles != 1)} of battles from seed {self.first.plan.seed}"
        about = [f"First: {first}.", f"Second: {second}."] if first != second else []
        return [
            f"{pairs}, with the same dice for the same rules.",
            *about,
            *[self.first.cut_short] * bool(self.stopped),
        ]

    @property
    def stopped(self) -> str:
        """Why there are fewer battles than wanted, if there are."""
        return self.first.stopped

    def told(self) -> Iterator[tuple[str, str, str, Difference]]:
        """For each difference: the side's name, what it is of, its name in `differences`, and itself."""
        for name, one in self.differences.items():
            kind, _, side = name.rpartition(" ")
            ship = ""
            if name.startswith("sunk "):
                kind, side, ship = name.split(" ", 2)
            if side in self.first.sides:
                what = f"{ship} sunk" if ship else figure_name(kind)
                yield self.first.sides[side], what, name, one

    def rows(self) -> list[dict[str, Any]]:
        """How often each side wins and what it loses in both, and the difference with its 95 % interval."""
        return [
            {
                "side": side,
                "what": what,
                "first": one.first,
                "second": one.second,
                "difference": one.mean,
                "low": one.interval[0],
                "high": one.interval[1],
            }
            for side, what, _, one in self.told()
        ]

    def as_dict(self) -> dict[str, Any]:
        return {
            "names": list(self.names),
            "battles": self.battles,
            "complete": not self.stopped,
            "differences": {name: one.as_dict() for name, one in self.differences.items()},
            "first": self.first.as_dict(),
            "second": self.second.as_dict(),
        }

    def __str__(self) -> str:
        lines = [f"{self.first.title}: a comparison", *self.conditions]
        for side, what, name, one in self.told():
            lines.append(f"{side}, {what}: {told_difference(name, one)}")
        return "\n".join(lines)


def told_difference(name: str, one: Difference) -> str:
    """A difference in words: ``41.0 % → 47.5 %, +6.5 % ± 1.2 %``."""
    first, second, mean, error = shown(name, one)
    return f"{first} → {second}, {mean} ± {error}"


def shown(name: str, one: Difference) -> tuple[str, str, str, str]:
    """A difference as people read it: the first, the second, by how much it is larger, and the standard error."""
    if name.partition(" ")[0] not in SHARES:
        return f"{one.first:.2f}", f"{one.second:.2f}", f"{one.mean:+.2f}", f"{one.error:.2f}"
    first, second = [f"{100 * min(1.0, max(0.0, share)):.1f} %" for share in (one.first, one.second)]
    return first, second, f"{100 * one.mean:+.1f} %", f"{100 * one.error:.1f} %"


def _conditions(one: Simulation) -> list[str]:
    players = [f"{name}: {one.plan.players[side]}" for side, name in one.sides.items()]
    return [*players, *[f"{name}={str(value).lower()}" for name, value in one.options.items()]]
