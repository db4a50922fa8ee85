"""A thing in a view as a row of numbers. docs/environments.md describes the columns, and the codes of words.

A row has two parts: where a thing stands, which it shares with others there, and what it is, which it shares with those
that are alike. Both are made once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from struct import Struct
from typing import TypeAlias, TypeVar
from zlib import crc32

MOST = 1000.0
"""No number is larger."""
CODE = 8
CODES = ("state", "what", "who", "where")
STANDS = ("present", "mine", "group", "x", "y", *[f"state{bit}" for bit in range(CODE)])
"""The columns of where a thing stands."""
NUMBERS = (
    "count", "size", "hits", "damaged", "laden", "empty", "inverted", "aborted", "found", "attacks", "revealed",
    "evaded", "told", "small", "carriers", "slow", "cargo", "limit", "ready", "arrives", "target", "surprise", "level",
    "round", "factors", "spent", "lost", "away", "tried", "reached", "worth", "to_x", "to_y", "gunnery", "torpedo",
    "airstrike", "defense", "damage", "bonus", "points", "disabled", "attacked",
)  # fmt: skip
COLUMNS = (*STANDS, *[f"{name}{bit}" for name in CODES[1:] for bit in range(CODE)], *NUMBERS)
"""The columns of the table of things."""
ROW = 4 * len(COLUMNS)
"""How many bytes a row has."""
OPTION = ("offered", "number", *[f"words{bit}" for bit in range(CODE)])
"""The columns of the table of options."""
ENOUGH = 4096
"""How many of each kind are remembered."""

Code: TypeAlias = tuple[float, ...]
Words: TypeAlias = tuple[str, ...]
NOTHING: Code = (0.0,) * CODE
HERE = 0, 0
"""The hex of what stands on no map."""

Key = TypeVar("Key")
Made = TypeVar("Made")


class Remembered(dict[Key, Made]):
    """What is made of something, made when it is first looked up. To find it again takes half as long as to call what
    `lru_cache` makes."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[Key], Made]) -> None:
        self._make = make

    def __missing__(self, key: Key) -> Made:
        if len(self) >= ENOUGH:
            self.clear()
        made = self[key] = self._make(key)
        return made


_NUMBER = {name: place for place, name in enumerate(NUMBERS)}
_EMPTY = [0.0] * len(NUMBERS)
_pack_stands = Struct(f"{len(STANDS)}f").pack
_pack_is = Struct(f"{len(COLUMNS) - len(STANDS)}f").pack
_pack_option = Struct(f"{len(OPTION)}f").pack


@lru_cache(maxsize=ENOUGH)
def code(word: str) -> Code:
    """Eight signs that stand for a word."""
    bits = crc32(word.encode())
    return tuple([1.0 if bits >> bit & 1 else -1.0 for bit in range(CODE)])


@lru_cache(maxsize=ENOUGH)
def codes(words: Words) -> Code:
    """The codes of some words, added up."""
    added = [code(word) for word in words if word]
    return tuple(map(sum, zip(*added, strict=True))) if added else NOTHING


def within_bounds(number: float) -> float:
    return max(-MOST, min(number, MOST))


@lru_cache(maxsize=ENOUGH)
def stands(mine: int, group: int = 0, at: tuple[int, int] = HERE, state: Words = ()) -> bytes:
    """Where a thing stands: whose it is (1 the side's own, -1 the enemy's), in which combat group and hex, and words
    about it."""
    return _pack_stands(1, mine, within_bounds(group), within_bounds(at[0]), within_bounds(at[1]), *codes(state))


def whose(mine: bool) -> int:
    return 1 if mine else -1


def is_(what: Words, who: Words = (), where: Words = (), **numbers: float) -> bytes:
    """What a thing is: words of its kind, its names, its places, and numbers."""
    return row_of(what, who, where, tuple(numbers.items()))


@lru_cache(maxsize=ENOUGH)
def row_of(what: Words, who: Words, where: Words, numbers: tuple[tuple[str, float], ...]) -> bytes:
    row = _EMPTY.copy()
    for name, number in numbers:
        row[_NUMBER[name]] = within_bounds(number)
    return _pack_is(*codes(what), *codes(who), *codes(where), *row)


@lru_cache(maxsize=ENOUGH)
def row_of_option(text: str) -> bytes:
    """The row of an option: the codes of its words added up, and its last number."""
    number, words = 0.0, []
    for word in text.split(":"):
        if word.lstrip("-").isdigit():
            number = within_bounds(int(word))
        else:
            words.append(word)
    return _pack_option(1, number, *codes(tuple(words)))
