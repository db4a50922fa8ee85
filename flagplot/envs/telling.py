"""A view as rows: everything in it is a thing, and each thing is told as one row, in the order of the view.

Agents look often, and little changes between two looks. So what was told is remembered: the parts of a view as long as
what they are made from stays as it is, and in a part that has changed the things that have not.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache, reduce
from operator import or_
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from flagplot.envs.rows import ENOUGH, WORDS, Around, row_of, row_of_entry
from flagplot.envs.watching import ALWAYS, Watch
from flagplot.kernel.view_types import HIDDEN, Hidden, Parts, Seen, Source, part
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
            last = spot.views[kind] = _View(kind, type(state), spot.around.reader)
        changed = last.watch.look(state)
        if changed & last.any:
            self._again(thing, last, changed, spot)
        for place, make in last.views:
            view = make(thing)
            last.rows[place] = b"" if view is None else self._block(thing, view, last, "")
        rows.append(last.row)
        rows += last.rows

    def _again(self, thing: Parts[Any], last: _View, changed: int, spot: _Spot) -> None:
        """Tell the parts of a view anew whose sources have changed."""
        told, inner, is_new = last.told, list[tuple[int, Any]](), not last.row
        for place, make, bits, several in last.parts:
            if not bits & changed:
                continue
            if several is not None:
                inner.append((place, several))
                if several.others & changed:
                    several.known = {}
                continue
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
            last.rows[place] = self._block(thing, value, last, last.names[place])

    def _all(self, thing: Parts[Any], last: _View) -> list[tuple[int, Any]]:
        """All things in a view: where they stand has changed, or nobody has looked before."""
        inner: list[tuple[int, Any]] = []
        for place, make, _, several in last.parts:
            if several is not None:
                several.known = {}
            value = make(thing) if several is None else several
            if _is_inner(value):
                inner.append((place, value))
        return inner

    def _block(self, thing: Parts[Any], value: Any, last: _View, name: str) -> bytes:
        if not value:
            return b""
        if type(value) is _Several:
            return self._one_by_one(thing, value, last, name)
        rows: Rows = []
        self._inside(rows, value, last.within, name)
        return b"".join(rows)

    def _one_by_one(self, thing: Parts[Any], several: _Several, last: _View, name: str) -> bytes:
        """Several things that are made one by one: only those whose keys have changed are made and told again."""
        was, now = several.known, dict[Any, tuple[object, bytes]]()
        for one, key in last.watch.keys[several.place]:
            known = was.get(one)
            if known is None or known[0] != key:
                rows: Rows = []
                made = several.make(thing, one)
                if several.by_name:
                    self._entry(rows, str(one), made, last.within, name)
                else:
                    self._inside(rows, made, last.within, name)
                known = key, b"".join(rows)
            now[one] = known
        several.known = now
        return b"".join([rows for _, rows in now.values()])

    # --- things -------------------------------------------------------------------------------------------------

    def _thing(self, rows: Rows, thing: Seen, spot: _Spot) -> None:
        """The row of a thing, and after it those of what is in it."""
        same = spot.same.get(id(thing))
        if same is not None:
            rows.append(same[1])
            return
        kind: Any = type(thing)
        fields = _fields_of(kind)
        if "_later" in thing.__dict__ or fields.things:
            self._tell(rows, kind, fields, _values_of(thing, fields.names), spot)
            return
        values = _values_of(thing, fields.names)
        key = (kind, *values)
        row = spot.leaves.get(key)
        if row is None:
            row = spot.leaves[key] = self._row(kind, fields.names, [_word(value) for value in values], spot)[0]
            spot.same[id(thing)] = thing, row
            self._remembered += 2
        rows.append(row)

    def _things(self, rows: Rows, things: tuple[Seen, ...], spot: _Spot) -> None:
        """Several things: lists of ships and of air units are shared by all views that show them."""
        same = spot.lists.get(id(things))
        if same is None:
            told: Rows = []
            for one in things:
                self._thing(told, one, spot)
            same = things, b"".join(told)
            if "_later" not in things[0].__dict__:  # it would change with its source
                spot.lists[id(things)] = same
                self._remembered += len(things)
        rows.append(same[1])

    def _tell(self, rows: Rows, kind: type, fields: _Fields, values: list[Any], spot: _Spot) -> None:
        """The row of a thing with these fields, and the rows of what is in it."""
        inner = list[tuple[str, Any]]()
        for place in fields.things:
            value = values[place]
            if _is_inner(value):
                values[place] = None
                if value:
                    inner.append((fields.names[place], value))
        for place in fields.words:
            values[place] = _word(values[place])
        row, within = self._row(kind, fields.names, values, spot)
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
            self._things(rows, value, spot)
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
    """Where things in a view are, and what was told of those there: of the same list, the same thing, one alike."""

    __slots__ = ("alike", "around", "leaves", "lists", "same", "under", "views")

    def __init__(self, around: Around) -> None:
        self.around = around
        self.same: dict[int, tuple[Seen, bytes]] = {}
        self.leaves: dict[tuple[Any, ...], bytes] = {}
        self.alike: dict[tuple[Any, ...], tuple[bytes, _Spot]] = {}
        self.lists: dict[int, tuple[tuple[Seen, ...], bytes]] = {}
        self.views: dict[type, _View] = {}
        self.under: dict[str, _Spot] = {}


class _View:
    """What was last told of a kind of view, part by part."""

    __slots__ = ("any", "names", "parts", "row", "rows", "told", "views", "watch", "within")

    def __init__(self, kind: type[Parts[Any]], state: type, reader: str) -> None:
        self.names = tuple([name for name in kind._names if name not in WORDS])
        parts: list[part[Any, Any]] = [getattr(kind, name) for name in self.names]
        sources = list(dict.fromkeys([source for one in parts for source in one.sources or ()]))
        self.watch = Watch(sources, state, reader)
        self.views = [(place, one.make) for place, one in enumerate(parts) if _holds_views(one)]
        """The places of views in this one, which tell by themselves what has changed, and what makes them."""
        self.parts = [
            (place, one.make, self._bits(one.sources), self._several(one))
            for place, one in enumerate(parts)
            if not _holds_views(one)
        ]
        """The place of each other part, what makes it, the bits of what it is made from, and its things if they are
        made one by one."""
        self.any = reduce(or_, [bits for _, _, bits, _ in self.parts])
        self.told: list[Any] = [None] * len(parts)
        """What its own row tells of each."""
        self.rows = [b""] * len(parts)
        """The rows of what is in each."""
        self.row = b""
        self.within: Any = None

    def _bits(self, sources: tuple[Source, ...] | None) -> int:
        return ALWAYS if sources is None else sum([self.watch.bits[source] for source in sources])

    def _several(self, one: part[Any, Any]) -> _Several | None:
        if one.one is None or one.sources is None:
            return None
        keys, *others = one.sources
        by_name = get_origin(get_type_hints(one.make)["return"]) is dict
        return _Several(one.one, list(self.watch.bits).index(keys), self._bits(tuple(others)), by_name)


def _holds_views(one: part[Any, Any]) -> bool:
    hint = get_type_hints(one.make)["return"]
    return any([isinstance(kind, type) and issubclass(kind, Parts) for kind in (hint, *get_args(hint))])


class _Several:
    """Things in a view that are made one by one: what makes one, the place of their keys among the sources, the bits
    of all other sources, and whether the view has them in a table by their names."""

    __slots__ = ("by_name", "known", "make", "others", "place")

    def __init__(self, make: Callable[[Any, Any], Any], place: int, others: int, by_name: bool) -> None:
        self.make, self.place, self.others, self.by_name = make, place, others, by_name
        self.known: dict[Any, tuple[object, bytes]] = {}
        """By name: the key that each had, and what was told of it."""


def _values_of(thing: Seen, names: tuple[str, ...]) -> list[Any]:
    """The fields of a thing, those that are not there yet made from its source."""
    known = thing.__dict__
    later = known.get("_later")
    if later is None:
        return [known[name] for name in names]
    _, source, made = later
    return [known[name] if name in known else made[name](source) for name in names]


class _Fields(NamedTuple):
    """The fields of a kind of thing that arrays hold, and the places of those that may have things in them, and of
    those that may be members of an enumeration."""

    names: tuple[str, ...]
    things: tuple[int, ...]
    words: tuple[int, ...]


@cache
def _fields_of(kind: Any) -> _Fields:
    """Words for people are left out, unless they may be hidden."""
    hints = get_type_hints(kind)
    names = tuple([name for name in kind._names if name not in WORDS or Hidden in get_args(hints[name])])
    things = [place for place, name in enumerate(names) if _may_hold(hints[name], Seen | Parts | dict)]
    words = [place for place, name in enumerate(names) if _may_hold(hints[name], Enum)]
    return _Fields(names, tuple(things), tuple(words))


def _may_hold(hint: Any, kinds: Any) -> bool:
    if hint is Any or hint is object:
        return True
    if get_args(hint):
        return any([_may_hold(one, kinds) for one in (get_origin(hint), *get_args(hint))])
    return isinstance(hint, type) and hint is not Hidden and issubclass(hint, kinds)


def _are_things(value: tuple[Any, ...]) -> bool:
    return bool(value) and isinstance(value[0], Seen)


def _is_inner(value: Any) -> bool:
    if type(value) is tuple:
        return _are_things(value)
    return isinstance(value, (Seen, Parts, dict, _Several))  # their union would take longer


def _word(value: Any) -> Any:
    return value.value if isinstance(value, Enum) and value is not HIDDEN else value


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
