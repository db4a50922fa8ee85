"""A thing in a view as a row of numbers. docs/environments.md describes its columns, and the codes of words."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from flagplot.kernel.view_types import HIDDEN, Seen

MOST = 1000.0
"""No number is larger."""
CODE = 8
NUMBERS = (
    "count", "size", "hits", "damaged", "factors", "inverted", "aborted", "laden", "empty", "counteraired",
    "squadrons", "naval", "arrives", "task_force", "level", "cargo", "revealed", "defence", "worth", "reached",
    "kamikazes", "rounds", "results", "attacks", "evaded", "round", "over", "lost", "away", "tried",
    "counterair_first", "slow", "patrol_limit", "ready_carrier", "left", "began", "gunnery", "torpedo", "airstrike",
    "defense", "damage", "bonus", "points", "disabled", "attacked", "spent", "advanced", "accompany", "of", "ready",
    "limit", "unbuilt", "used", "growth", "flown", "guns", "cves", "all_sea", "sortie", "surprise", "diverted",
    "target", "moving", "intercepting", "patrol", "number", "amount",
)  # fmt: skip
"""Columns of numbers; `amount` is what a table in a view says of a word, such as the points of a side."""
CODES = ("what", "who", "where", "state")
PLACES = ("present", "mine", "hidden", "group", "x", "y")
COLUMNS = (*PLACES, *[f"{name}{bit}" for name in CODES for bit in range(CODE)], *NUMBERS)
"""The columns of the table of things."""
ROW = 4 * len(COLUMNS)
"""How many bytes a row has."""
OPTION = ("offered", "number", *[f"words{bit}" for bit in range(CODE)])
"""The columns of the table of options."""
WORDS = frozenset(
    {"text", "title", "name", "names", "why", "what", "line", "sides", "flags", "meets", "marker", "stages"}
)
"""Fields that tell people what other fields tell programs."""
ENOUGH = 50_000
"""Rows that are remembered."""

_AT = {name: len(PLACES) + place * CODE for place, name in enumerate(CODES)}
_NUMBER = {name: COLUMNS.index(name) for name in NUMBERS}
_WHO = frozenset({"id", "nation", "side"})
_WHAT = frozenset({"kind", "arm", "role"})
_WHERE = frozenset({"base", "home", "where", "bound", "to"})

Array = NDArray[np.float32]


class Around(NamedTuple):
    """Who looks, and what a thing has from the things that it is in."""

    reader: str
    mine: int = 0
    group: int = 0
    x: int = 0
    y: int = 0
    where: str = ""

    def under(self, key: str) -> Around:
        """Where a table in a view speaks of a key."""
        return self._replace(mine=1) if key == self.reader else self._replace(where=key)


@lru_cache(maxsize=20_000)
def code(word: str) -> Array:
    """Eight signs that stand for a word."""
    bits = crc32(word.encode())
    return np.array([1.0 if bits >> bit & 1 else -1.0 for bit in range(CODE)], np.float32)


def row_of(kind: type, names: tuple[str, ...], told: list[Any], around: Around) -> tuple[bytes, Around]:
    """The row of a thing with these fields, and what it hands on to what is in it."""
    row, within, what = np.zeros(len(COLUMNS), np.float32), around, kind.__name__
    for name, value in zip(names, told, strict=True):
        if isinstance(value, int):
            if name in _NUMBER:
                row[_NUMBER[name]] = max(-MOST, min(value, MOST))
            if name == "number":
                within = within._replace(group=value)
        elif name == "side" and issubclass(kind, Seen):
            within = within._replace(mine=1 if value == around.reader else -1)
        elif name == "at" and value:
            within = within._replace(x=value[0], y=value[1])
        elif value is HIDDEN:
            row[2] += 1
        elif name in _WHAT:
            what += f":{value}"
        elif value and name not in WORDS:
            _tell(row, name, str(value))
    _place(row, within, what)
    return row.tobytes(), within


@lru_cache(maxsize=ENOUGH)
def row_of_entry(name: str, key: str, value: float | str, around: Around) -> bytes:
    """The row of one entry of a table: a number, or a word."""
    row = np.zeros(len(COLUMNS), np.float32)
    if isinstance(value, str):
        _tell(row, "is", value)
    else:
        row[_NUMBER["amount"]] = max(-MOST, min(value, MOST))
    _tell(row, "id", key)
    _place(row, around, name)
    return row.tobytes()


@lru_cache(maxsize=ENOUGH)
def row_of_option(text: str) -> bytes:
    """The row of an option: the codes of its words added up, and its last number."""
    row = np.zeros(len(OPTION), np.float32)
    row[0] = 1
    for word in text.split(":"):
        if word.lstrip("-").isdigit():
            row[1] = max(-MOST, min(int(word), MOST))
        else:
            row[2:] += code(word)
    return row.tobytes()


def _place(row: Array, around: Around, kind: str) -> None:
    row[0], row[1], row[3], row[4], row[5] = 1, around.mine, around.group, around.x, around.y
    row[_AT["what"] : _AT["what"] + CODE] = code(kind)
    if around.where:
        row[_AT["where"] : _AT["where"] + CODE] += code(around.where)


def _tell(row: Array, name: str, word: str) -> None:
    """Add a word to the codes of a row."""
    part = "who" if name in _WHO else "where" if name in _WHERE else "state"
    row[_AT[part] : _AT[part] + CODE] += code(f"{name}={word}" if part == "state" else word)
