"""A view as rows: everything in it is a thing, and each thing is told as one row, in the order of the view.

Agents look often, and little changes between two looks. So what was told is remembered: the parts of a view as long as
what they are made from stays as it is, and in a part that has changed the things that have not.
"""

from __future__ import annotations

from dataclasses import is_dataclass
from enum import Enum
from functools import cache, reduce
from operator import or_
from typing import Any, get_args, get_type_hints

from flagplot.envs.rows import ENOUGH, ROW, WORDS, Around, row_of, row_of_entry
from flagplot.envs.watching import ALWAYS, Watch
from flagplot.kernel.plain_data import key_of
from flagplot.kernel.view_types import Hidden, Parts, Seen, Source, part
from flagplot.kernel.views import View

Rows = list[bytes]
"""Rows of things, as the bytes of their numbers."""


class Teller:
    """Tells views as rows, and remembers what it has told."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._remembered = 0
        self._spots: dict[Around, _Spot] = {}

    def rows(self, view: View) -> Rows:
        """All that a view shows; several rows may come in one piece."""
        if self._remembered > ENOUGH:
            self._forget()
        rows: Rows = []
        position, spot = view.glance(), self._spot(Around(view.side))
        if isinstance(position, Parts):
            self._parts(rows, position, spot)
        elif isinstance(position, Seen):
            self._thing(rows, position, spot)
        else:
            _plain(rows, position, "", spot.around)
        return rows

    def _spot(self, around: Around) -> _Spot:
        spot = self._spots.get(around)
        if spot is None:
            spot = self._spots[around] = _Spot(around)
        return spot

    # --- views, part by part ------------------------------------------------------------------------------------

    def _parts(self, rows: Rows, thing: Parts[Any], spot: _Spot) -> None:
        """The row of a view, and after it those of what is in it."""
        kind: Any = type(thing)
        state = thing.now
        last = spot.views.get(kind)
        if last is None:
            last = spot.views[kind] = _View(kind, type(state))
        changed = last.watch.look(state)
        if changed & last.any:
            self._again(thing, last, changed, spot)
        rows.append(last.row)
        rows += last.rows

    def _again(self, thing: Parts[Any], last: _View, changed: int, spot: _Spot) -> None:
        """Tell the parts of a view anew whose sources have changed."""
        told, inner, is_new = last.told, list[tuple[int, Any]](), not last.row
        for place, (make, bits) in enumerate(last.parts):
            if bits & changed:
                value = make(thing)
                if _is_inner(value):
                    inner.append((place, value))
                    value = None
                else:
                    last.rows[place] = b""
                if value is not told[place] and value != told[place]:
                    told[place], is_new = value, True
        if is_new:
            last.row, within = self._row(type(thing), last.names, [_word(value) for value in told], spot)
            if within is not last.within:
                last.within, inner = within, self._all(thing, last)
        for place, value in inner:
            last.rows[place] = self._block(value, last.within, last.names[place])

    def _all(self, thing: Parts[Any], last: _View) -> list[tuple[int, Any]]:
        """All things in a view: where they stand has changed, or nobody has looked before."""
        made = [(place, make(thing)) for place, (make, _) in enumerate(last.parts)]
        return [(place, value) for place, value in made if _is_inner(value)]

    def _block(self, value: Any, spot: _Spot, name: str) -> bytes:
        if not value:
            return b""
        rows: Rows = []
        self._inside(rows, value, spot, name)
        return b"".join(rows)

    # --- things -------------------------------------------------------------------------------------------------

    def _thing(self, rows: Rows, thing: Seen, spot: _Spot) -> None:
        """The row of a thing, and after it those of what is in it."""
        same = spot.same.get(id(thing))
        if same is not None:
            rows.append(same[1])
            return
        known = thing.__dict__
        kind: Any = type(thing)
        if "_later" in known:
            self._from_source(rows, thing, spot)
            return
        names, is_leaf = _fields_of(kind)
        values = [known[name] for name in names]
        if not is_leaf:
            self._tell(rows, kind, names, values, spot)
            return
        key = (kind, *values)
        row = spot.leaves.get(key)
        if row is None:
            row = spot.leaves[key] = self._row(kind, names, [_word(value) for value in values], spot)[0]
            spot.same[id(thing)] = thing, row
            self._remembered += 2
        rows.append(row)

    def _from_source(self, rows: Rows, thing: Seen, spot: _Spot) -> None:
        """The rows of a thing that is made from a source: as long as that does not change they do not."""
        kind: Any = type(thing)
        source = thing.__dict__["_later"][1]
        if not is_dataclass(source):  # nobody can tell whether it has changed
            self._tell(rows, kind, _fields_of(kind)[0], _values_of(thing), spot)
            return
        key = _given(thing), key_of(source)
        told = spot.sources.get(key)
        if told is None:
            fresh: Rows = []
            self._tell(fresh, kind, _fields_of(kind)[0], _values_of(thing), spot)
            told = spot.sources[key] = b"".join(fresh)
            self._remembered += len(told) // ROW
        rows.append(told)

    def _tell(self, rows: Rows, kind: type, names: tuple[str, ...], values: list[Any], spot: _Spot) -> None:
        """The row of a thing with these fields, and the rows of what is in it."""
        inner = list[tuple[str, Any]]()
        for place, value in enumerate(values):
            way = _WAYS[type(value)]
            if way is _Way.THING or (way is _Way.SEVERAL and _are_things(value)):
                if value:
                    inner.append((names[place], value))
                values[place] = None
            elif way is _Way.WORD:
                values[place] = value.value
        row, within = self._row(kind, names, values, spot)
        rows.append(row)
        for name, value in inner:
            self._inside(rows, value, within, name)

    def _row(self, kind: type, names: tuple[str, ...], values: list[Any], spot: _Spot) -> tuple[bytes, _Spot]:
        """The row of a thing, made once for all that are alike, and where the things in it are."""
        key = (kind, *values)
        made = spot.alike.get(key)
        if made is None:
            row, within = row_of(kind, names, values, spot.around)
            made = spot.alike[key] = row, self._spot(within)
            self._remembered += 1
        return made

    def _inside(self, rows: Rows, value: Any, spot: _Spot, name: str) -> None:
        if type(value) is tuple:
            for one in value:
                self._thing(rows, one, spot)
        elif isinstance(value, dict):
            for key, one in value.items():
                self._entry(rows, str(key), one, spot, name)
        elif isinstance(value, Seen):
            self._thing(rows, value, spot)
        else:
            self._parts(rows, value, spot)

    def _entry(self, rows: Rows, key: str, value: Any, spot: _Spot, name: str) -> None:
        """What a table in a view says of a key: a thing, several, or a number or a word."""
        if isinstance(value, int | float | str):
            if name not in WORDS:
                rows.append(row_of_entry(name, key, value, spot.around))
        elif value:
            if isinstance(value, Parts | Seen | dict) or _are_things(value):
                within = spot.under.get(key)
                if within is None:
                    within = spot.under[key] = self._spot(spot.around.under(key))
                self._inside(rows, value, within, name)
            else:
                rows.append(row_of_entry(name, key, str(value), spot.around))


class _Spot:
    """Where things in a view are, and what was told of those there: of the same thing, of one alike, of one from the
    same source."""

    __slots__ = ("alike", "around", "leaves", "same", "sources", "under", "views")

    def __init__(self, around: Around) -> None:
        self.around = around
        self.same: dict[int, tuple[Seen, bytes]] = {}
        self.leaves: dict[tuple[Any, ...], bytes] = {}
        self.alike: dict[tuple[Any, ...], tuple[bytes, _Spot]] = {}
        self.sources: dict[tuple[Any, Any], bytes] = {}
        self.views: dict[type, _View] = {}
        self.under: dict[str, _Spot] = {}


class _View:
    """What was last told of a kind of view, part by part."""

    __slots__ = ("any", "names", "parts", "row", "rows", "told", "watch", "within")

    def __init__(self, kind: type[Parts[Any]], state: type) -> None:
        self.names = tuple([name for name in kind._names if name not in WORDS])
        parts: list[part[Any, Any]] = [getattr(kind, name) for name in self.names]
        self.watch = Watch(list(dict.fromkeys([source for one in parts for source in one.sources or ()])), state)
        self.parts = [(one.make, self._bits(one.sources)) for one in parts]
        """What makes each part, and the bits of what it is made from."""
        self.any = reduce(or_, [bits for _, bits in self.parts])
        self.told: list[Any] = [None] * len(parts)
        """What its own row tells of each."""
        self.rows = [b""] * len(parts)
        """The rows of what is in each."""
        self.row = b""
        self.within: Any = None

    def _bits(self, sources: tuple[Source, ...] | None) -> int:
        return ALWAYS if sources is None else sum([self.watch.bits[source] for source in sources])


def _given(thing: Seen) -> tuple[Any, ...]:
    """What a thing has that is not made from its source; what is in it has the same source."""
    kind: Any = type(thing)
    known = thing.__dict__
    _, source, made = known["_later"]
    given: list[Any] = [id(made)]
    for name in _names_given(kind, tuple(made)):
        value = known[name]
        if isinstance(value, Seen):
            assert value.__dict__["_later"][1] is source, "it would change without its source"
            value = _given(value)
        given.append(value)
    return tuple(given)


@cache
def _names_given(kind: Any, made: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([name for name in _fields_of(kind)[0] if name not in made])


def _values_of(thing: Seen) -> list[Any]:
    """The fields of a thing, those that are not there yet made from its source."""
    kind: Any = type(thing)
    known = thing.__dict__
    _, source, made = known["_later"]
    return [known[name] if name in known else made[name](source) for name in _fields_of(kind)[0]]


@cache
def _fields_of(kind: Any) -> tuple[tuple[str, ...], bool]:
    """The fields of a kind of thing that arrays hold, and whether none of them has things in it; words for people are
    left out, unless they may be hidden."""
    hints = get_type_hints(kind)
    names = tuple([name for name in kind._names if name not in WORDS or Hidden in get_args(hints[name])])
    return names, not any([_holds_things(hints[name]) for name in names])


def _holds_things(hint: Any) -> bool:
    if isinstance(hint, type):
        return issubclass(hint, Seen | Parts | dict)
    return any(map(_holds_things, get_args(hint))) or getattr(hint, "__origin__", None) is dict


class _Way(Enum):
    """How a value is told, if not as it is."""

    THING = 1
    SEVERAL = 2
    WORD = 3


class _Ways(dict[type, _Way | None]):
    def __missing__(self, kind: type) -> _Way | None:
        if issubclass(kind, Parts | Seen | dict):
            way: _Way | None = _Way.THING
        elif kind is tuple:
            way = _Way.SEVERAL
        else:
            way = _Way.WORD if issubclass(kind, Enum) and kind is not Hidden else None
        self[kind] = way
        return way


_WAYS = _Ways()


def _are_things(value: tuple[Any, ...]) -> bool:
    return bool(value) and isinstance(value[0], Seen)


def _is_inner(value: Any) -> bool:
    way = _WAYS[type(value)]
    return way is _Way.THING or (way is _Way.SEVERAL and _are_things(value))


def _word(value: Any) -> Any:
    return value.value if _WAYS[type(value)] is _Way.WORD else value


def _plain(rows: Rows, data: Any, path: str, around: Around) -> None:
    """The view of a game that has no types of its own, leaf by leaf."""
    if isinstance(data, dict):
        for key, value in data.items():
            _plain(rows, value, f"{path}.{key}", around)
    elif isinstance(data, list | tuple):
        for place, value in enumerate(data):
            _plain(rows, value, f"{path}.{place}", around)
    else:
        rows.append(row_of_entry(path, "", data if isinstance(data, int | float) else str(data), around))
