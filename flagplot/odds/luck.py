"""Luck: the rolls of a played game beside what was to be expected of each, by its own dice, table and modifiers.

Every roll can list its outcomes with exact weights, so expectation and variance are exact fractions. What later rolls
are made hangs on earlier ones, but given all that came before, a roll's deviation is zero on average. So the
deviations can be added, and so can their variances.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import erfc, sqrt
from typing import Any, NamedTuple

from flagplot.kernel.effects import effect
from flagplot.kernel.game import Game
from flagplot.kernel.log import is_secret_from
from flagplot.kernel.plugins import Picture, plugin
from flagplot.kernel.requests import Faces, Roll
from flagplot.kernel.results import Result
from flagplot.kernel.words import say

SHOWN = 10
"""How many rolls are named as those that mattered most."""


class Expectation(NamedTuple):
    """What a roll is worth on average, and how far it strays."""

    mean: Fraction
    variance: Fraction


def expectation(roll: Roll[Any]) -> Expectation | None:
    """The exact expectation and variance of what a roll is worth; None if its readings have no measure."""
    ways = 6**roll.dice
    worth: list[tuple[Fraction, int]] = []
    for reading, weight in roll.outcomes().items():
        found = effect(reading)
        if found is None:
            return None
        worth.append((found.amount, weight))
    mean = sum([amount * weight for amount, weight in worth], Fraction()) / ways
    return Expectation(mean, sum([(amount - mean) ** 2 * weight for amount, weight in worth], Fraction()) / ways)


class Rolled(NamedTuple):
    """One roll of the game, and what was to be expected of it."""

    number: int
    """Its place among the rolls of the game, from 1 on."""
    side: str
    purpose: str
    rule: str
    faces: Faces
    reading: str
    unit: str
    amount: Fraction
    expected: Fraction
    variance: Fraction

    @property
    def difference(self) -> Fraction:
        return self.amount - self.expected

    @property
    def deviations(self) -> float:
        """How far it was off, in standard deviations; what is certain is never off."""
        return float(self.difference) / sqrt(self.variance) if self.variance else 0.0

    @property
    def weight(self) -> float:
        """How much it mattered: how unusual it was, times how much was won or lost by it."""
        return abs(self.deviations * float(self.difference))

    def as_dict(self) -> dict[str, Any]:
        return {
            "roll": self.number,
            "side": self.side,
            "purpose": self.purpose,
            "rule": self.rule,
            "faces": list(self.faces),
            "reading": self.reading,
            "unit": self.unit,
            "amount": str(self.amount),
            "expected": str(self.expected),
            "variance": str(self.variance),
            "deviations": self.deviations,
        }


class Balance(NamedTuple):
    """Rolls of one unit together."""

    rolls: int
    amount: Fraction
    expected: Fraction
    variance: Fraction

    @property
    def difference(self) -> Fraction:
        return self.amount - self.expected

    @property
    def error(self) -> float:
        """The standard error: how far off so many rolls usually are."""
        return sqrt(self.variance)

    @property
    def deviations(self) -> float:
        return float(self.difference) / self.error if self.variance else 0.0

    def as_dict(self) -> dict[str, Any]:
        return {
            "rolls": self.rolls,
            "amount": str(self.amount),
            "expected": str(self.expected),
            "variance": str(self.variance),
            "standard_error": self.error,
            "deviations": self.deviations,
        }


def balance(rolls: Iterable[Rolled]) -> Balance:
    """The sums of some rolls, which must be of one unit."""
    some = list(rolls)
    return Balance(
        len(some),
        sum([one.amount for one in some], Fraction()),
        sum([one.expected for one in some], Fraction()),
        sum([one.variance for one in some], Fraction()),
    )


@dataclass(frozen=True, slots=True, repr=False)
class Luck(Result):
    """The rolls of a game as far as the reader may judge them."""

    sides: tuple[str, ...]
    rolls: list[Rolled] = field(default_factory=list)
    unmeasured: dict[str, int] = field(default_factory=dict)
    """By side: rolls whose readings are no numbers."""
    hidden: dict[str, int] = field(default_factory=dict)
    """By side: rolls whose reasons the reader may not know yet."""

    def of(self, side: str) -> list[Rolled]:
        return [one for one in self.rolls if one.side == side]

    def balances(self, side: str) -> dict[str, Balance]:
        """By unit, in the order in which they first came up."""
        units = dict.fromkeys(one.unit for one in self.of(side))
        return {unit: balance(one for one in self.of(side) if one.unit == unit) for unit in units}

    def in_all(self, side: str) -> float:
        """All rolls of a side together, in standard deviations: hits and search results cannot be added, but how
        unusual each roll was can. Rolls that were certain do not count."""
        return together(self.of(side))

    def mattered(self, most: int = SHOWN) -> list[Rolled]:
        """The rolls that mattered most, the weightiest first."""
        weighty = [one for one in self.rolls if one.weight]
        return sorted(weighty, key=lambda one: (-one.weight, one.number))[:most]

    def as_dict(self) -> dict[str, Any]:
        return {
            "sides": {side: self._side(side) for side in self.sides},
            "mattered": [one.as_dict() for one in self.mattered()],
        }

    def rows(self) -> list[dict[str, Any]]:
        """A row for each roll."""
        return [
            {
                "roll": one.number,
                "side": one.side,
                "purpose": one.purpose,
                "faces": " ".join(map(str, one.faces)),
                "reading": one.reading,
                "unit": one.unit,
                "amount": float(one.amount),
                "expected": float(one.expected),
                "deviations": one.deviations,
            }
            for one in self.rolls
        ]

    def __str__(self) -> str:
        told = [
            f"{side}: {len(self.of(side))} rolls, {self.in_all(side):+.2f} standard deviations" for side in self.sides
        ]
        return "\n".join(told)

    def drawn(self) -> Picture:
        """A chart of the rolls that mattered most."""
        picture: Picture = plugin("draw_luck")(self)
        return picture

    def _repr_svg_(self) -> str:
        return self.drawn().svg()

    def _side(self, side: str) -> dict[str, Any]:
        off = self.in_all(side)
        return {
            "rolls": len(self.of(side)),
            "without_measure": self.unmeasured.get(side, 0),
            "hidden": self.hidden.get(side, 0),
            "units": {unit: total.as_dict() for unit, total in self.balances(side).items()},
            "deviations": off,
            "as_far_off": as_far_off(off),
        }


def together(rolls: Sequence[Rolled]) -> float:
    """Some rolls of any units together, in standard deviations."""
    uncertain = [one.deviations for one in rolls if one.variance]
    return sum(uncertain) / sqrt(len(uncertain)) if uncertain else 0.0


def as_far_off(deviations: float) -> float:
    """The share of games with fair dice that are at least so far off, to either side (by the normal distribution)."""
    return erfc(abs(deviations) / sqrt(2))


def luck(game: Game[Any], reader: str) -> Luck:
    """The luck of a game, as its reader, a side or the umpire, may judge it: as long as the game goes on, a side judges
    only rolls whose reasons it may know."""
    reader = game.view(reader).side
    found = Luck(game.sides)
    rolls = [(request, answer) for request, answer in game.events if isinstance(request, Roll)]
    for number, (roll, faces) in enumerate(rolls, start=1):
        if game.pending is not None and is_secret_from(roll, reader):
            found.hidden[roll.side] = found.hidden.get(roll.side, 0) + 1
            continue
        rolled = _judged(number, roll, faces)
        if rolled is None:
            found.unmeasured[roll.side] = found.unmeasured.get(roll.side, 0) + 1
        else:
            found.rolls.append(rolled)
    return found


def _judged(number: int, roll: Roll[Any], faces: Faces) -> Rolled | None:
    reading = roll.reads(faces)
    worth = effect(reading)
    expected = expectation(roll) if worth is not None else None
    if worth is None or expected is None:
        return None
    return Rolled(
        number, roll.side, say(roll.purpose), roll.rule, faces, str(reading), worth.unit, worth.amount, *expected
    )
