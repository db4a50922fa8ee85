"""What is common to the answers about the air: the ledgers that were met, and chances that are put into words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flagplot.kernel.ledger import Ledger
from flagplot.kernel.requests import Roll
from flagplot.kernel.words import say

MOST_LEDGERS = 16


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


def plural(number: int, one: str) -> str:
    return f"{number} {one}{'s' * (number != 1)}"


def joined(words: Iterable[str]) -> str:
    return ", ".join(filter(None, words))
