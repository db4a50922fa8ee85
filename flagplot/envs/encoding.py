"""A view as an array of numbers, always of the same size. docs/environments.md describes its fields.

Everything in a view is a thing: the position itself, a combat group, a ship, air units, a base. Each becomes one row of
a table, in the order of the view. Numbers have columns by their names. Words become codes: eight signs from the CRC-32
of the word. So a base has the same code in its own row and in an option that names it.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache, lru_cache
from typing import Any, NamedTuple, get_args, get_type_hints
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from flagplot.kernel.errors import BadValue
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.requests import Choose, value_text
from flagplot.kernel.view_types import HIDDEN, Hidden, Parts, Seen
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
ROW = 4 * len(COLUMNS)
"""How many bytes a row has."""
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

Array = NDArray[np.float32]


@lru_cache(maxsize=20_000)
def code(word: str) -> Array:
    """Eight signs that stand for a word."""
    bits = crc32(word.encode())
    return np.array([1.0 if bits >> bit & 1 else -1.0 for bit in range(CODE)], np.float32)


class _Context(NamedTuple):
    """Who looks, and what a thing has from the things that it is in."""

    reader: str
    mine: int = 0
    group: int = 0
    x: int = 0
    y: int = 0
    where: str = ""


@lru_cache(maxsize=10_000)
def _under(around: _Context, key: str) -> _Context:
    """Where a table in a view speaks of a key."""
    return around._replace(mine=1) if key == around.reader else around._replace(where=key)


Rows = list[bytes]
"""Rows of things, as the bytes of their numbers: they are made once and seen often."""
_Made = tuple[bytes, _Context]
ENOUGH = 50_000
"""Rows that are remembered."""


class Encoder:
    """Makes arrays of one size from the views of one side or several."""

    def __init__(self, units: int = UNITS, options: int = OPTIONS) -> None:
        self.units, self.options = units, options
        self.size = len(HEAD) + units * len(COLUMNS) + options * len(OPTION)
        self._forget()

    def _forget(self) -> None:
        """What was told is told again as it was: of the same thing, of one alike, of one from the same source."""
        self._same: dict[tuple[int, _Context], tuple[Seen, bytes]] = {}
        self._leaves: dict[tuple[Any, ...], bytes] = {}
        self._alike: dict[tuple[Any, ...], _Made] = {}
        self._sources: dict[tuple[int, _Context], _FromSource] = {}

    def encode(self, view: View, request: Choose[Any] | None) -> tuple[Array, int]:
        """A view, and what its side is asked, as an array; and how many things there was no room for."""
        array = np.zeros(self.size, np.float32)
        if request is not None:
            self._ask(array, request)
        told = b"".join(self._rows(view)) if self.units else b""
        shown = np.frombuffer(told, np.float32, min(len(told) // 4, self.units * len(COLUMNS)))
        array[len(HEAD) : len(HEAD) + len(shown)] = shown
        return array, max(0, len(told) // ROW - self.units)

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
        if len(self._alike) + len(self._same) + len(self._leaves) + len(self._sources) > ENOUGH:
            self._forget()
        rows: Rows = []
        position, around = view.glance(), _Context(view.side)
        if isinstance(position, Parts):
            self._parts(rows, position, around)
        elif isinstance(position, Seen):
            self._thing(rows, position, around)
        else:
            _plain(rows, position, "", around)
        return rows

    def _parts(self, rows: Rows, thing: Parts[Any], around: _Context) -> None:
        """The row of a view, and after it those of what is in it."""
        kind: Any = type(thing)
        names, makers = _parts_of(kind)
        self._tell(rows, kind, names, [make(thing) for make in makers], around)

    def _thing(self, rows: Rows, thing: Seen, around: _Context) -> None:
        """The row of a thing, and after it those of what is in it."""
        known = thing.__dict__
        if "_later" in known:
            self._from_source(rows, thing, around)
            return
        same = self._same.get((id(thing), around))
        if same is not None:
            rows.append(same[1])
            return
        kind: Any = type(thing)
        names = _fields_of(kind)
        values = [known[name] for name in names]
        key = (kind, around, *values)
        try:
            row = self._leaves.get(key)
        except TypeError:  # there are things in it, which have no hash
            self._tell(rows, kind, names, values, around)
            return
        if row is None:
            row = self._leaves[key] = self._tell(rows, kind, names, values, around)
            self._same[id(thing), around] = thing, row
        else:
            rows.append(row)

    def _from_source(self, rows: Rows, thing: Seen, around: _Context) -> None:
        """The rows of a thing that is made from a source: as long as that does not change they do not."""
        source, given = thing.__dict__["_later"][1], _given(thing)
        last = self._sources.get((id(source), around))
        if last is not None and last.given == given and last.source == source:
            rows.append(last.rows)
            return
        kind: Any = type(thing)
        told: Rows = []
        self._tell(told, kind, _fields_of(kind), _values_of(thing), around)
        joined = b"".join(told)
        rows.append(joined)
        if not isinstance(source, tuple):  # a copy of one would share what can change
            self._sources[id(source), around] = _FromSource(copy_of(source), given, joined)

    def _tell(self, rows: Rows, kind: type, names: tuple[str, ...], values: list[Any], around: _Context) -> bytes:
        """The row of a thing with these fields, and the rows of what is in it; its own row is returned."""
        inner = list[tuple[str, Any]]()
        for place, value in enumerate(values):
            of: Any = type(value)
            way = _way(of)
            if way is _Way.THING or (way is _Way.SEVERAL and _are_things(value)):
                if value:
                    inner.append((names[place], value))
                values[place] = None
            elif way is _Way.WORD:
                values[place] = value.value
        key = (kind, around, *values)
        made = self._alike.get(key)
        if made is None:
            made = self._alike[key] = _made(kind, names, values, around)
        rows.append(made[0])
        for name, value in inner:
            self._inside(rows, value, made[1], name)
        return made[0]

    def _inside(self, rows: Rows, value: Any, around: _Context, name: str) -> None:
        if isinstance(value, Seen):
            self._thing(rows, value, around)
        elif isinstance(value, Parts):
            self._parts(rows, value, around)
        elif isinstance(value, dict):
            for key, one in value.items():
                self._entry(rows, str(key), one, around, name)
        else:
            for one in value:
                self._thing(rows, one, around)

    def _entry(self, rows: Rows, key: str, value: Any, around: _Context, name: str) -> None:
        """What a table in a view says of a key: a thing, several, or a number or a word."""
        if isinstance(value, int | float | str):
            if name not in _WORDS:
                rows.append(_said(name, key, value, around))
        elif value:
            within = _under(around, key)
            if isinstance(value, Parts | Seen | dict) or _are_things(value):
                self._inside(rows, value, within, name)
            else:
                rows.append(_said(name, key, str(value), around))


class _FromSource(NamedTuple):
    """What was last made from a source: what the source was then, what else was given, and the rows."""

    source: Any
    given: tuple[Any, ...]
    rows: bytes


def _given(thing: Seen) -> tuple[Any, ...]:
    """What a thing has that is not made from its source; what is in it has the same source."""
    kind: Any = type(thing)
    known = thing.__dict__
    _, source, made = known["_later"]
    given: list[Any] = [kind, id(made)]
    for name in _fields_of(kind):
        if name not in made:
            value = known[name]
            if isinstance(value, Seen):
                assert value.__dict__["_later"][1] is source, "it would change without its source"
                value = _given(value)
            given.append(value)
    return tuple(given)


def _values_of(thing: Seen) -> list[Any]:
    """The fields of a thing, those that are not there yet made from its source."""
    kind: Any = type(thing)
    known = thing.__dict__
    _, source, made = known["_later"]
    return [known[name] if name in known else made[name](source) for name in _fields_of(kind)]


@cache
def _fields_of(kind: type[Seen]) -> tuple[str, ...]:
    """The fields of a kind of thing that arrays hold; words for people are left out, unless they may be hidden."""
    hints = get_type_hints(kind)
    return tuple([name for name in kind._names if name not in _WORDS or Hidden in get_args(hints[name])])


@cache
def _parts_of(kind: type[Parts[Any]]) -> tuple[tuple[str, ...], tuple[Callable[[Any], Any], ...]]:
    """The parts of a kind of view that arrays hold, and what makes them."""
    names = tuple([name for name in kind._names if name not in _WORDS])
    return names, tuple([getattr(kind, name).make for name in names])


class _Way(Enum):
    """How a value is told, if not as it is."""

    THING = 1
    SEVERAL = 2
    WORD = 3


@cache
def _way(kind: type) -> _Way | None:
    if issubclass(kind, Parts | Seen | dict):
        return _Way.THING
    if kind is tuple:
        return _Way.SEVERAL
    return _Way.WORD if issubclass(kind, Enum) and kind is not Hidden else None


def _are_things(value: tuple[Any, ...]) -> bool:
    return bool(value) and isinstance(value[0], Seen)


def _made(kind: type, names: tuple[str, ...], told: list[Any], around: _Context) -> _Made:
    """The row of a thing that was not seen before, and what it hands on to what is in it."""
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
        elif value and name not in _WORDS:
            _tell(row, name, str(value))
    _place(row, within, what)
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


def _plain(rows: Rows, data: Any, path: str, around: _Context) -> None:
    """The view of a game that has no types of its own, leaf by leaf."""
    if isinstance(data, dict):
        for key, value in data.items():
            _plain(rows, value, f"{path}.{key}", around)
    elif isinstance(data, list | tuple):
        for place, value in enumerate(data):
            _plain(rows, value, f"{path}.{place}", around)
    else:
        rows.append(_said(path, "", data if isinstance(data, int | float) else str(data), around))


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
