"""What a roll came to, as people say it: the cell ``1/2`` of a table is "1 eliminated, 2 aborted".

That is data of the game, `readings` in its `plans.toml`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from flagplot import library


class Reading(NamedTuple):
    """How the cells of a table are said."""

    rules: frozenset[str]
    """Of the rolls that are read in it."""
    parts: tuple[str, ...]
    """What each number of a cell counts."""
    none: str

    def say(self, cell: str) -> str:
        numbers = cell.split("/")
        if not all(number.isdecimal() for number in numbers):
            return cell
        some = zip(numbers, self.parts, strict=False)
        return ", ".join([f"{number} {what}" for number, what in some if int(number)]) or self.none


def in_words(game: str, rule: str, cell: str) -> str:
    """What a roll by a rule came to, in words if the game has words for the cells of that table."""
    return next((one.say(cell) for one in _readings(game) if rule in one.rules), cell)


@cache
def _readings(game: str) -> Sequence[Reading]:
    told = library.words_of(game).get("readings", ())
    return [Reading(frozenset(one["rules"]), tuple(one["parts"]), one["none"]) for one in told]
