"""Every number carries its reasons: a ledger is lines of (amount, reason, rule number) and their total."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from flagplot.kernel.words import Words, say


class Line(NamedTuple):
    """One reason for a part of a number."""

    amount: int
    words: Words
    rule: str

    def __str__(self) -> str:
        return f"{self.amount:+d}  {say(self.words)} ({self.rule})"

    def as_dict(self) -> dict[str, int | str]:
        return {"amount": self.amount, "reason": say(self.words), "rule": self.rule}


class Ledger:
    """A number that says where it comes from. Immutable; lines that add nothing may stand in it for the reader."""

    __slots__ = ("_lines", "_sign", "total")

    def __init__(self, lines: Iterable[Line] = ()) -> None:
        self._lines = tuple(lines)
        self._sign = 1
        self.total = 0
        for line in self._lines:
            self.total += line[0]

    @property
    def lines(self) -> tuple[Line, ...]:
        if self._sign == 1:
            return self._lines
        return tuple([Line(-amount, words, rule) for amount, words, rule in self._lines])

    def __add__(self, other: Ledger) -> Ledger:
        joined = Ledger.__new__(Ledger)
        joined._lines, joined._sign, joined.total = self.lines + other.lines, 1, self.total + other.total
        return joined

    def __neg__(self) -> Ledger:
        """The same reasons seen from the other side: what helps one side hinders the other (19.31, 22.551)."""
        opposed = Ledger.__new__(Ledger)
        opposed._lines, opposed._sign, opposed.total = self._lines, -self._sign, -self.total
        return opposed

    def capped(self, most: int, words: Words, rule: str) -> Ledger:
        """This ledger with its total held between ``-most`` and ``most``, by a line that says so."""
        excess = max(-most, min(most, self.total)) - self.total
        return self if excess == 0 else Ledger((*self.lines, Line(excess, words, rule)))

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def __int__(self) -> int:
        return self.total

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Ledger) and self.total == other.total and self.lines == other.lines)

    def __hash__(self) -> int:
        """Cheap, since tables are looked up by ledgers: those that differ in their reasons alone are rare."""
        return self.total

    def __str__(self) -> str:
        return "\n".join([*map(str, self.lines), f"{self.total:+d}  total"])

    def __repr__(self) -> str:
        return f"Ledger({list(self.lines)!r})"

    def as_dict(self) -> dict[str, object]:
        return {"total": self.total, "lines": [line.as_dict() for line in self.lines]}


NOTHING = Ledger()
