"""A view as rows: everything in it is a thing, and each thing is told as one row, in the order of the view.

Agents look often, and little changes between two looks. So what was told is remembered: the parts of a view as long as
what they are made from stays as it is, and in a part that has changed the things that have not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache, reduce
from operator import itemgetter, or_
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from flagplot.envs.rows import ENOUGH, ROW, WORDS, Around, row_of, row_of_entry
from flagplot.envs.watching import ALWAYS, Keys, Watch
from flagplot.kernel.view_types import HIDDEN, Hidden, Parts, Seen, part
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
        self._readers: dict[str, _Spot] = {}

    def rows(self, view: View) -> Rows:
        """All that a view shows; several rows may come in one piece."""
        if self._remembered > ENOUGH:
            self._forget()
        position, spot = view.glance(), self._readers.get(view.side)
        if spot is None:
            spot = self._readers[view.side] = self._spot(Around(view.side))
        if isinstance(position, Parts):
            return [self._view(position, spot)]
        rows: Rows = []
        if isinstance(position, Seen):
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

    def _view(self, thing: Parts[Any], spot: _Spot) -> bytes:
        """The row of a view, and after it those of what is in it."""
        kind: Any = type(thing)
        last = spot.views.get(kind)
        if last is None:
            last = spot.views[kind] = _View(kind, type(thing.now), spot.around.reader)
        changed = last.watch.look(thing.now)
        is_new = bool(changed & last.any)
        if is_new:
            self._again(thing, last, changed, spot)
        blocks = last.blocks
        for place, make in last.views:
            view = make(thing)
            block = b"" if view is None else self._view(view, last.within)
            if block is not blocks[place]:
                blocks[place], is_new = block, True
        if is_new:
            last.whole = b"".join([last.row, *blocks])
        return last.whole

    def _again(self, thing: Parts[Any], last: _View, changed: int, spot: _Spot) -> None:
        """Tell the parts of a view anew whose sources have changed, or look up what was told of the same sources.

        What is remembered is found by the keys of all that a part is made from for its reader, so equal keys must mean
        that he sees the same, in this game or in any other. Keys may say more than he sees: then the same is told
        again. Either way nothing shows in an array but what the view itself shows."""
        told, is_new, keys = last.told, not last.row, last.watch.keys
        for one in last.parts:
            if not one.bits & changed:
                continue
            if one.others & changed:
                one.meet(keys)
            if one.make_one is not None:
                last.blocks[one.place] = self._one_by_one(thing, one, last)
                continue
            key = one.key_of(keys)
            known = one.known.get(key)
            if known is None:
                known = self._part(thing, one, last, key)
            value, last.blocks[one.place] = known
            if value is not told[one.place] and value != told[one.place]:
                told[one.place], is_new = value, True
        if is_new:
            last.row, within = self._row(type(thing), last.names, [_word(value) for value in told], spot)
            if within is not last.within:  # nobody has looked before, or what is in the view stands elsewhere now
                last.within = within
                last.forget()
                self._again(thing, last, last.any, spot)

    def _part(self, thing: Parts[Any], one: _Part, last: _View, key: Any) -> tuple[Any, bytes]:
        """What the row of a view tells of a part, and the rows of what is in it."""
        value, rows = one.make(thing), list[bytes]()
        if _is_inner(value):
            if value and last.within is not None:
                self._inside(rows, value, last.within, one.name)
            value = None
        told = value, b"".join(rows)
        if key is not None:
            one.known[key] = told
            self._remembered += 1 + len(told[1]) // ROW
        return told

    def _one_by_one(self, thing: Parts[Any], several: _Part, last: _View) -> bytes:
        """Several things that are made one by one: only those whose keys have changed are looked up, and only those
        that are new are made and told."""
        now, was, blocks = last.watch.keys[several.keys_at], several.last, several.blocks
        if len(now) != len(was):
            was, blocks = [None] * len(now), [b""] * len(now)
        for place, entry in enumerate(now):
            if entry != was[place]:
                block = several.known.get(entry)
                blocks[place] = self._one(thing, several, entry, last) if block is None else block
        several.last, several.blocks = now, blocks
        return b"".join(blocks)

    def _one(self, thing: Parts[Any], several: _Part, entry: tuple[Any, object], last: _View) -> bytes:
        rows: Rows = []
        if last.within is not None:
            name, made = entry[0], several.make_one(thing, entry[0])
            if several.by_name:
                self._entry(rows, str(name), made, last.within, several.name)
            else:
                self._inside(rows, made, last.within, several.name)
        block = several.known[entry] = b"".join(rows)
        self._remembered += 1 + len(block) // ROW
        return block

    # --- things -------------------------------------------------------------------------------------------------

    def _thing(self, rows: Rows, thing: Seen, spot: _Spot) -> None:
        """The row of a thing, and after it those of what is in it."""
        kind: Any = type(thing)
        fields, known = _fields_of(kind), thing.__dict__
        later = known.get("_later")
        if later is not None:  # fields that are not there yet are made from its source
            _, source, made = later
            values = [known[name] if name in known else made[name](source) for name in fields.names]
            self._tell(rows, kind, fields, values, spot)
        elif fields.things:
            self._tell(rows, kind, fields, [known[name] for name in fields.names], spot)
        else:
            self._leaf(rows, thing, fields, spot)

    def _leaf(self, rows: Rows, thing: Seen, fields: _Fields, spot: _Spot) -> None:
        """A thing that has none in it: many are shared by all views that show them."""
        same = spot.same.get(id(thing))
        if same is not None:
            rows.append(same[1])
            return
        kind, known = type(thing), thing.__dict__
        values = [known[name] for name in fields.names]
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
            if value is None or value is HIDDEN:
                continue
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
            rows.append(self._view(value, spot))

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

    __slots__ = ("any", "blocks", "names", "parts", "row", "told", "views", "watch", "whole", "within")

    def __init__(self, kind: type[Parts[Any]], state: type, reader: str) -> None:
        self.names = tuple([name for name in kind._names if name not in WORDS])
        parts: list[part[Any, Any]] = [getattr(kind, name) for name in self.names]
        sources = list(dict.fromkeys([source for one in parts for source in one.sources or ()]))
        self.watch = Watch(sources, state, reader)
        self.views = [(place, one.make) for place, one in enumerate(parts) if _holds_views(one)]
        """The places of views in this one, which tell by themselves what has changed, and what makes them."""
        self.parts = [
            _Part(place, self.names[place], one, self.watch) for place, one in enumerate(parts) if not _holds_views(one)
        ]
        """All others."""
        self.any = reduce(or_, [one.bits for one in self.parts])
        self.told: list[Any] = [None] * len(parts)
        """What its own row tells of each."""
        self.blocks = [b""] * len(parts)
        """The rows of what is in each."""
        self.row = self.whole = b""
        self.within: Any = None

    def forget(self) -> None:
        for one in self.parts:
            one.forget()


def _holds_views(one: part[Any, Any]) -> bool:
    hint = get_type_hints(one.make)["return"]
    return any([isinstance(kind, type) and issubclass(kind, Parts) for kind in (hint, *get_args(hint))])


class _Part:
    """A part of a view: the bits of what it is made from, and all that was told of it, by the keys of that."""

    __slots__ = (
        "_known_with", "_others_at", "_shared_at", "bits", "blocks", "by_name", "key_of", "keys_at", "known", "last",
        "make", "make_one", "name", "others", "place",
    )  # fmt: skip

    def __init__(self, place: int, name: str, one: part[Any, Any], watch: Watch) -> None:
        self.place, self.name, self.make = place, name, one.make
        self.make_one: Any = one.one
        """What makes one of several things, if they are made one by one: then the first source has their keys."""
        self.by_name = get_origin(get_type_hints(one.make)["return"]) is dict
        sources, order = one.sources or (), list(watch.bits)
        shared = [source for source in sources if watch.bits[source] & watch.shared]
        keys = [source for source in sources if source not in shared]
        others = keys[1:] if self.make_one else []
        self.bits = sum([watch.bits[source] for source in sources]) or ALWAYS
        self.others = sum([watch.bits[source] for source in (*shared, *others)])
        """The bits of what all things in it are made from."""
        self._shared_at, self._others_at = [[order.index(one) for one in some] for some in (shared, others)]
        places = [order.index(source) for source in keys]
        self.key_of: Callable[[Any], Any] = itemgetter(*places) if places else lambda _: () if sources else None
        self.keys_at = places[0] if places else 0
        self.known: dict[Any, Any] = {}
        self.last: Sequence[Any] = ()
        self.blocks: list[bytes] = []
        """The name and the key that each of several things had, and what was told of it."""
        self._known_with: dict[Any, tuple[list[Any], dict[Any, Any]]] = {}

    def meet(self, keys: Keys) -> None:
        """What all things are made from is not what it was: go on with what is known for that. What copies of a state
        share is known by its id, and kept, so that nothing else can have that id."""
        shared = [keys[place] for place in self._shared_at]
        others = [keys[place] for place in self._others_at]
        _, self.known = self._known_with.setdefault((*map(id, shared), *others), (shared, {}))
        self.last = ()

    def forget(self) -> None:
        self.known, self.last, self._known_with = {}, (), {}


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
    return isinstance(value, (Seen, Parts, dict))  # their union would take longer


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
