"""A view as an array of numbers, always of the same size. docs/environments.md describes its fields.

Everything in a view is a thing: the position itself, a combat group, a ship, air units, a base. Each becomes one row of
a table, in the order of the view. Numbers have columns by their names. Words become codes: eight signs from the CRC-32
of the word. So a base has the same code in its own row and in an option that names it.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from flagplot.kernel.errors import BadValue
from flagplot.kernel.requests import Choose, value_text
from flagplot.kernel.view_types import HIDDEN, Parts, Seen
from flagplot.kernel.views import View

VERSION = 1
"""Changes whenever the same view would give another array."""
UNITS, OPTIONS = 192, 64
"""How many rows of things, and how many options, there is room for unless somebody asks for more or fewer."""
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
HEAD = ("asked", "offered", *[f"verb{bit}" for bit in range(CODE)])
OPTION = ("offered", "number", *[f"words{bit}" for bit in range(CODE)])
"""The columns of the table of options."""

_AT = {name: len(PLACES) + place * CODE for place, name in enumerate(CODES)}
_NUMBER = {name: COLUMNS.index(name) for name in NUMBERS}
_WHO = frozenset({"id", "nation", "side"})
_WHAT = frozenset({"kind", "arm", "role"})
_WHERE = frozenset({"base", "home", "where", "bound", "to"})
_WORDS = frozenset(
    {"text", "title", "name", "names", "why", "what", "line", "sides", "flags", "meets", "marker", "stages"}
)
"""Fields that tell people what other fields tell programs."""

_PLAIN = frozenset({type(None), bool, int, str})

Array = NDArray[np.float32]


@lru_cache(maxsize=20_000)
def code(word: str) -> Array:
    """Eight signs that stand for a word."""
    bits = crc32(word.encode())
    return np.array([1.0 if bits >> bit & 1 else -1.0 for bit in range(CODE)], np.float32)


class _Context(NamedTuple):
    """What a thing has from the things that it is in."""

    mine: int = 0
    group: int = 0
    x: int = 0
    y: int = 0
    where: str = ""


Rows = list[bytes]
"""The rows of things, each as the bytes of its numbers: they are made once and seen often."""
_Made = tuple[bytes, _Context]
ENOUGH = 50_000
"""Rows that are remembered."""


class Encoder:
    """Makes arrays of one size from the views of one side or several."""

    def __init__(self, units: int = UNITS, options: int = OPTIONS) -> None:
        self.units, self.options = units, options
        self.size = len(HEAD) + units * len(COLUMNS) + options * len(OPTION)
        self._alike: dict[tuple[Any, ...], _Made] = {}
        self._same: dict[tuple[int, _Context], tuple[Seen, bytes]] = {}

    def encode(self, view: View, request: Choose[Any] | None) -> tuple[Array, int]:
        """A view, and what its side is asked, as an array; and how many things there was no room for."""
        array = np.zeros(self.size, np.float32)
        if request is not None:
            self._ask(array, request)
        rows = self._rows(view) if self.units else []
        shown = np.frombuffer(b"".join(rows[: self.units]), np.float32)
        array[len(HEAD) : len(HEAD) + len(shown)] = shown
        return array, max(0, len(rows) - self.units)

    def unpack(self, array: Array) -> dict[str, Array]:
        """The parts of an array: ``head``, ``units`` (things by columns) and ``options``. They share its memory."""
        first, second = len(HEAD), len(HEAD) + self.units * len(COLUMNS)
        return {
            "head": array[:first],
            "units": array[first:second].reshape(self.units, len(COLUMNS)),
            "options": array[second:].reshape(self.options, len(OPTION)),
        }

    def mask(self, request: Choose[Any] | None) -> NDArray[np.int8]:
        """Which actions are options."""
        mask = np.zeros(self.options, np.int8)
        if request is not None:
            self.check_room(request)
            mask[: len(request)] = 1
        return mask

    def check_room(self, request: Choose[Any]) -> None:
        """Refuse a question with more options than there are actions."""
        if len(request) > self.options:
            raise BadValue(f"a question has {len(request)} options: make the environment with actions={len(request)}")

    def _ask(self, array: Array, request: Choose[Any]) -> None:
        self.check_room(request)
        array[0], array[1] = 1, len(request)
        array[2 : len(HEAD)] = code(value_text(request.verb))
        options = np.frombuffer(b"".join([_option(value_text(value)) for value in request.values]), np.float32)
        first = len(array) - self.options * len(OPTION)
        array[first : first + len(options)] = options

    # --- things -------------------------------------------------------------------------------------------------

    def _rows(self, view: View) -> Rows:
        rows: Rows = []
        position = view.position
        if isinstance(position, Parts | Seen):
            self._thing(rows, position, _Context(), view.side)
        else:
            _plain(rows, position, "")
        return rows

    def _thing(self, rows: Rows, thing: Parts[Any] | Seen, around: _Context, side: str) -> None:
        """The row of a thing, and after it those of what is in it."""
        same = self._same.get((id(thing), around))
        if same is not None:
            rows.append(same[1])
            return
        told, inner = list[Any](), list[tuple[str, Any]]()
        for name in thing._names:
            value = getattr(thing, name)
            if type(value) not in _PLAIN:
                if isinstance(value, Parts | Seen | dict) or (type(value) is tuple and _are_things(value)):
                    inner.append((name, value))
                    value = None
                elif isinstance(value, Enum) and value is not HIDDEN:
                    value = value.value
            told.append(value)
        key = (type(thing), around, side, *told)
        made = self._alike.get(key)
        if made is None:
            made = self._alike[key] = _made(thing, told, around, side)
        rows.append(made[0])
        for name, value in inner:
            self._inside(rows, value, made[1], side, name)
        if not inner and isinstance(thing, Seen):
            self._same[id(thing), around] = thing, made[0]
        if len(self._same) + len(self._alike) > ENOUGH:
            self._same.clear()
            self._alike.clear()

    def _inside(self, rows: Rows, value: Any, around: _Context, side: str, name: str) -> None:
        if isinstance(value, Parts | Seen):
            self._thing(rows, value, around, side)
        elif isinstance(value, dict):
            for key, one in value.items():
                self._entry(rows, str(key), one, around, side, name)
        else:
            for one in value:
                self._thing(rows, one, around, side)

    def _entry(self, rows: Rows, key: str, value: Any, around: _Context, side: str, name: str) -> None:
        """What a table in a view says of a key: a thing, several, or a number or a word."""
        if isinstance(value, int | float | str):
            if name not in _WORDS:
                rows.append(_said(name, key, value, around))
        elif value:
            within = around._replace(mine=1) if key == side else around._replace(where=key)
            if isinstance(value, Parts | Seen | dict) or _are_things(value):
                self._inside(rows, value, within, side, name)
            else:
                rows.append(_said(name, key, str(value), around))


def _are_things(value: tuple[Any, ...]) -> bool:
    return bool(value) and isinstance(value[0], Seen)


def _made(thing: Parts[Any] | Seen, told: list[Any], around: _Context, side: str) -> _Made:
    """The row of a thing that was not seen before, and what it hands on to what is in it."""
    row, within, kind = np.zeros(len(COLUMNS), np.float32), around, type(thing).__name__
    for name, value in zip(thing._names, told, strict=True):
        if isinstance(value, int):
            if name in _NUMBER:
                row[_NUMBER[name]] = max(-MOST, min(value, MOST))
            if name == "number":
                within = within._replace(group=value)
        elif name == "side" and isinstance(thing, Seen):
            within = within._replace(mine=1 if value == side else -1)
        elif name == "at" and value:
            within = within._replace(x=value[0], y=value[1])
        elif value is HIDDEN:
            row[2] += 1
        elif name in _WHAT:
            kind += f":{value}"
        elif value and name not in _WORDS:
            _tell(row, name, str(value))
    _place(row, within, kind)
    return row.tobytes(), within


def _place(row: Array, around: _Context, kind: str) -> None:
    row[0], row[1], row[3], row[4], row[5] = 1, around.mine, around.group, around.x, around.y
    row[_AT["what"] : _AT["what"] + CODE] = code(kind)
    if around.where:
        row[_AT["where"] : _AT["where"] + CODE] += code(around.where)


def _tell(row: Array, name: str, word: str) -> None:
    """Add a word to the codes of a row."""
    part = "who" if name in _WHO else "where" if name in _WHERE else "state"
    row[_AT[part] : _AT[part] + CODE] += code(f"{name}={word}" if part == "state" else word)


@lru_cache(maxsize=ENOUGH)
def _said(name: str, key: str, value: float | str, around: _Context) -> bytes:
    """The row of one entry of a table: a number, or a word."""
    row = np.zeros(len(COLUMNS), np.float32)
    if isinstance(value, str):
        _tell(row, "is", value)
    else:
        row[_NUMBER["amount"]] = max(-MOST, min(value, MOST))
    _tell(row, "id", key)
    _place(row, around, name)
    return row.tobytes()


def _plain(rows: Rows, data: Any, path: str) -> None:
    """The view of a game that has no types of its own, leaf by leaf."""
    if isinstance(data, dict):
        for key, value in data.items():
            _plain(rows, value, f"{path}.{key}")
    elif isinstance(data, list | tuple):
        for place, value in enumerate(data):
            _plain(rows, value, f"{path}.{place}")
    else:
        rows.append(_said(path, "", data if isinstance(data, int | float) else str(data), _Context()))


@lru_cache(maxsize=ENOUGH)
def _option(text: str) -> bytes:
    """The row of an option: the codes of its words added up, and its last number."""
    row = np.zeros(len(OPTION), np.float32)
    row[0] = 1
    for word in text.split(":"):
        if word.lstrip("-").isdigit():
            row[1] = max(-MOST, min(int(word), MOST))
        else:
            row[2:] += code(word)
    return row.tobytes()
