"""Answers to questions of odds: for people as text, for programs as data, for notebooks as a drawing."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flagplot.kernel.ledger import Ledger
from flagplot.kernel.plugins import Picture, plugin
from flagplot.kernel.requests import Roll
from flagplot.kernel.results import Result
from flagplot.kernel.words import say
from flagplot.odds.chances import DIGITS, NEGLIGIBLE, Distribution

BAR = 30
"""The width of the bar that stands for certainty."""
MOST_LEDGERS = 16


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that was asked about: a number of hits or losses, or one of a few outcomes in words."""

    title: str
    chances: Distribution[Any]

    @property
    def is_number(self) -> bool:
        return all([isinstance(outcome, int) for outcome in self.chances])

    def lines(self) -> list[str]:
        """A line for each outcome: its chance, for numbers the chance of at least so many, and a bar.

        Of an answer that is not whole the chances are what is certain of them, and the average is of what was followed.
        """
        rows = sorted(self.chances) if self.is_number else sorted(self.chances, key=lambda one: -self.chances[one])
        width = max([len(str(one)) for one in rows], default=1)
        lines = [f"{self.title}: {self.average}" if self.average else self.title]
        left = self.chances.total
        for one in rows:
            chance = self.chances[one]
            or_more = f"  {percent(left)} or more" if self.is_number else ""
            bar = "#" * round(float(chance) * BAR)
            lines.append(f"  {one!s:>{width}}  {percent(chance)}{or_more}  {bar}".rstrip())
            left -= chance
        return lines

    @property
    def average(self) -> str:
        """The average of a number in words, and of what it is one if something is left over."""
        if not self.chances:
            return "nothing was followed to its end"
        followed = "" if self.chances.left_over < NEGLIGIBLE else ", of what was followed to its end"
        return f"{float(self.mean):.3f} on average{followed}" if self.is_number else ""

    @property
    def mean(self) -> Fraction:
        """The expectation of a number; if something is left over, of what was followed to its end."""
        total = self.chances.total
        return self.chances.mean(lambda number: number) / total if total else Fraction(0)

    def as_dict(self) -> dict[str, Any]:
        seen: dict[str, Any] = {"title": self.title, "chances": self.chances.as_dict()}
        if self.is_number and self.chances:
            seen["mean"] = {"fraction": str(self.mean), "number": float(self.mean)}
            if self.chances.left_over >= NEGLIGIBLE:
                seen["mean"]["of"] = "what was followed to its end"
            seen["at_least"] = {
                str(number): float(self.chances.chance(lambda other, least=number: other >= least))  # type: ignore[misc]
                for number in sorted(self.chances)
            }
        return seen


def percent(chance: Fraction) -> str:
    """A chance as people read it; what is not nothing never reads as nothing."""
    share = float(chance) * 100
    if 0 < share < 0.01:
        return " <0.01%"
    return f"{share:6.2f}%"


class Hits(int):
    """The hits of a ship of some size, as people read them: ``2 damaged``, ``3 sunk``."""

    size: int

    @classmethod
    def of(cls, hits: int, size: int) -> Hits:
        made = cls(hits)
        made.size = size
        return made

    def __str__(self) -> str:
        sunk, damaged = self >= self.size, 0 < self == self.size - 1
        return f"{int(self)}{' sunk' * sunk}{' damaged' * damaged}"


@dataclass(frozen=True, slots=True, repr=False)
class Answer(Result):
    """Everything that is said about one question."""

    question: str
    parts: tuple[Part, ...]
    ledgers: tuple[tuple[str, Ledger], ...] = ()
    policies: tuple[str, ...] = ()
    """How the sides were taken to decide."""
    options: dict[str, Any] = field(default_factory=dict)
    """Readings that differ from the usual."""
    states: int = 0
    left_over: Fraction = Fraction(0)
    """The chance of what was not followed to its end; nothing or next to nothing if the answer is whole."""

    @property
    def is_whole(self) -> bool:
        return self.left_over < NEGLIGIBLE

    def __str__(self) -> str:
        lines = [self.question, ""]
        for part in self.parts:
            lines += [*part.lines(), ""]
        for title, ledger in self.ledgers:
            lines += [f"{title}:", *[f"  {line}" for line in str(ledger).splitlines()]]
        lines += [f"Assumed: {words}" for words in self.policies]
        lines += [f"Option {name} = {value}" for name, value in self.options.items()]
        return "\n".join([*lines, self.soundness])

    @property
    def soundness(self) -> str:
        """Whether it is exact, and how much is missing."""
        if self.is_whole:
            return f"Exact to {DIGITS} digits." if self.left_over else "Exact."
        share = percent(self.left_over).strip()
        missing = f"Incomplete: {share} of the outcomes were not followed to the end."
        return f"{missing} The rest is exact; averages are of the rest."

    def as_dict(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "parts": [part.as_dict() for part in self.parts],
            "ledgers": [{"title": title, **ledger.as_dict()} for title, ledger in self.ledgers],
            "policies": list(self.policies),
            "options": dict(self.options),
            "exact": self.is_whole,
            "states": self.states,
            "left_over": f"{self.left_over.numerator}/{self.left_over.denominator}",
        }

    def rows(self) -> list[dict[str, Any]]:
        return [
            {"part": part.title, "outcome": str(outcome), "chance": float(part.chances[outcome])}
            for part in self.parts
            for outcome in (sorted(part.chances) if part.is_number else part.chances)
        ]

    def drawn(self, columns: int | None = None) -> Picture:
        """A chart of it; `columns` says how many panels stand beside each other."""
        picture: Picture = plugin("draw_answer")(self, columns)
        return picture

    def _repr_svg_(self) -> str:
        return self.drawn().svg()


class Ledgers:
    """Collects the ledgers of rolls as an enumerator meets them, each purpose and ledger once."""

    def __init__(self, most: int = 12) -> None:
        self.most = most
        self._met: set[tuple[object, int]] = set()
        self._kept: list[tuple[str, Ledger]] = []

    def __call__(self, roll: Roll[Any]) -> None:
        key = (roll.purpose if isinstance(roll.purpose, str) else roll.purpose[0], id(roll.reads))
        if key not in self._met and len(self._kept) < self.most and len(roll.ledger):
            self._met.add(key)
            entry = (say(roll.purpose), roll.ledger)
            if entry not in self._kept:
                self._kept.append(entry)

    @property
    def kept(self) -> tuple[tuple[str, Ledger], ...]:
        return tuple(self._kept)


class Reasons:
    """Collects the ledgers of rolls: each kind of roll with each total once, whatever row of a table it is read in."""

    def __init__(self) -> None:
        self._kept: dict[tuple[object, int], tuple[str, Ledger]] = {}

    def __call__(self, roll: Roll[Any]) -> None:
        if len(self._kept) < MOST_LEDGERS and len(roll.ledger):
            key = (_without_numbers(roll.purpose), roll.ledger.total)
            if key not in self._kept:
                self._kept[key] = (say(roll.purpose).partition(", row ")[0], roll.ledger)

    @property
    def kept(self) -> tuple[tuple[str, Ledger], ...]:
        return tuple(self._kept.values())


def _without_numbers(words: object) -> object:
    """A sentence without what is counted in it, as a key."""
    if isinstance(words, tuple):
        return tuple([_without_numbers(part) for part in words if not isinstance(part, int)])
    return words
