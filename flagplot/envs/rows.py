"""A thing in a view as a row of numbers. docs/environments.md describes its columns, and the codes of words."""

from __future__ import annotations

from functools import lru_cache
from operator import add
from struct import Struct
from typing import Any, NamedTuple
from zlib import crc32

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

_PART_OF = dict.fromkeys(_WHO, _AT["who"]) | dict.fromkeys(_WHERE, _AT["where"])
_EMPTY = [0.0] * len(COLUMNS)
_PACK = Struct(f"{len(COLUMNS)}f").pack
_PACK_OPTION = Struct(f"{len(OPTION)}f").pack

Code = tuple[float, ...]


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
def code(word: str) -> Code:
    """Eight signs that stand for a word."""
    bits = crc32(word.encode())
    return tuple([1.0 if bits >> bit & 1 else -1.0 for bit in range(CODE)])


def row_of(kind: type, names: tuple[str, ...], told: list[Any], around: Around) -> tuple[bytes, Around]:
    """The row of a thing with these fields, and what it hands on to what is in it."""
    row, what = _EMPTY.copy(), kind.__name__
    reader, mine, group, x, y, where = around
    for name, value in zip(names, told, strict=True):
        if isinstance(value, int):
            if name in _NUMBER:
                row[_NUMBER[name]] = within_bounds(value)
            if name == "number":
                group = value
        elif name == "side" and issubclass(kind, Seen):
            mine = 1 if value == reader else -1
        elif name == "at" and value:
            x, y = value[0], value[1]
        elif value is HIDDEN:
            row[2] += 1
        elif name in _WHAT:
            what += f":{value}"
        elif value and name not in WORDS:
            _tell(row, name, str(value))
    within = Around(reader, mine, group, x, y, where)
    _place(row, within, what)
    return _PACK(*row), within


@lru_cache(maxsize=ENOUGH)
def row_of_entry(name: str, key: str, value: float | str, around: Around) -> bytes:
    """The row of one entry of a table: a number, or a word."""
    row = _EMPTY.copy()
    if isinstance(value, str):
        _tell(row, "is", value)
    else:
        row[_NUMBER["amount"]] = within_bounds(value)
    _tell(row, "id", key)
    _place(row, around, name)
    return _PACK(*row)


@lru_cache(maxsize=ENOUGH)
def row_of_option(text: str) -> bytes:
    """The row of an option: the codes of its words added up, and its last number."""
    row = [1.0, 0.0, *[0.0] * CODE]
    for word in text.split(":"):
        if word.lstrip("-").isdigit():
            row[1] = within_bounds(int(word))
        else:
            _add(row, 2, code(word))
    return _PACK_OPTION(*row)


def within_bounds(number: float) -> float:
    return max(-MOST, min(number, MOST))


def _place(row: list[float], around: Around, kind: str) -> None:
    row[0], row[1], row[3], row[4], row[5] = 1, around.mine, around.group, around.x, around.y
    row[_AT["what"] : _AT["what"] + CODE] = code(kind)
    if around.where:
        _add(row, _AT["where"], code(around.where))


def _tell(row: list[float], name: str, word: str) -> None:
    """Add a word to the codes of a row."""
    place = _PART_OF.get(name)
    if place is None:
        _add(row, _AT["state"], code(f"{name}={word}"))
    else:
        _add(row, place, code(word))


def _add(row: list[float], place: int, signs: Code) -> None:
    row[place : place + CODE] = map(add, row[place : place + CODE], signs)
