"""State is plain data: here it is copied, written as JSON, read back and hashed, for every ruleset alike.

A state is made of dataclasses with slots, named tuples, enums, numbers, strings, lists, tuples, dicts whose keys are
strings, and things that `str` writes and their class's `parse` reads back, as keys or as parts. Named tuples, tuples
and frozen dataclasses are taken as immutable and shared between copies; lists, dicts and other dataclasses are copied.
What to do with a class is worked out once from its annotations.
"""

from __future__ import annotations

import hashlib
import json
import types
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
Copier = Callable[[Any], Any]


def copy_of(thing: T) -> T:
    """A copy that shares nothing that can change."""
    kind: Any = type(thing)
    copier = _copier(kind)
    copied: T = copier(thing) if copier else thing
    return copied


def to_plain(thing: Any) -> Any:
    """The thing as JSON knows it."""
    kind: Any = type(thing)
    return thing if kind in _AS_THEY_ARE else _writer(kind)(thing)  # most parts of a state are as JSON has them


def from_plain(kind: type[T], data: Any) -> T:
    """The thing that `to_plain` wrote, as a `kind`."""
    annotated: Any = kind
    thing: T = _reader(annotated)(data)
    return thing


def canonical(thing: Any) -> str:
    """The one text of a thing: equal things have equal texts."""
    return _canonical(to_plain(thing))


_canonical = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False
).encode  # plain data has no circles


def digest(thing: Any) -> str:
    """A stable hash of the thing's canonical text."""
    return hashlib.sha256(canonical(thing).encode()).hexdigest()


# --- writing ----------------------------------------------------------------------------------------------------

_AS_THEY_ARE = frozenset({type(None), bool, int, str})


@cache
def _writer(kind: Any) -> Copier:
    """How a value of this class is written as plain data."""
    if issubclass(kind, dict):
        return _plain_dict
    if issubclass(kind, Enum):
        return attrgetter("value")
    if issubclass(kind, bool | int | str):
        return lambda thing: thing
    if is_dataclass(kind):
        return _dataclass_writer(kind)
    if issubclass(kind, tuple | list):
        return _plain_list
    if hasattr(kind, "parse"):
        return str
    raise TypeError(f"not plain data: {kind.__name__}")


def _plain_dict(items: dict[Any, Any]) -> dict[str, Any]:
    return {str(key): part if type(part) in _AS_THEY_ARE else to_plain(part) for key, part in items.items()}


def _plain_list(items: Iterable[Any]) -> list[Any]:
    return [part if type(part) in _AS_THEY_ARE else to_plain(part) for part in items]


def _dataclass_writer(kind: Any) -> Copier:
    """Written out for this class as its copier is: the canonical text of a state is asked for often."""
    known: dict[str, Any] = {"as_they_are": _AS_THEY_ARE, "writer": _writer}
    parts = [
        f"{part.name!r}: part if type(part := thing.{part.name}) in as_they_are else writer(type(part))(part)"
        for part in fields(kind)
    ]
    write: Copier = eval(f"lambda thing: {{{', '.join(parts)}}}", known)
    return write


# --- copying ----------------------------------------------------------------------------------------------------


@cache
def _copier(kind: Any) -> Copier | None:
    """How a value of this annotated kind is copied; None if it may be shared."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is list or kind is list:
        return _list_copier(_copier(arguments[0]) if arguments else None)
    if origin is dict or kind is dict:
        return _dict_copier(_copier(arguments[1]) if arguments else None)
    if origin in (Union, types.UnionType):
        return _optional_copier(kind, [_copier(part) for part in arguments if part is not type(None)])
    if is_dataclass(kind) and not kind.__dataclass_params__.frozen:  # type: ignore[union-attr]
        return _dataclass_copier(kind)
    return None


def _list_copier(inner: Copier | None) -> Copier:
    return (lambda items: [*map(inner, items)]) if inner else list.copy


def _dict_copier(inner: Copier | None) -> Copier:
    return (lambda items: {key: inner(item) for key, item in items.items()} if items else {}) if inner else dict.copy


def _optional_copier(kind: Any, inner: list[Copier | None]) -> Copier | None:
    """Only ``X | None`` may hold something that must be copied: a union of two such kinds would be ambiguous."""
    copiers = [copier for copier in inner if copier]
    if len(inner) > 1 and copiers:
        raise TypeError(f"{kind}: only one kind beside None may be copied")
    if not copiers:
        return None
    copier = copiers[0]
    return lambda item: None if item is None else copier(item)


def _dataclass_copier(kind: Any) -> Copier:
    """A copier written out for this class, as dataclasses write their constructors: states are copied often."""
    hints = get_type_hints(kind)
    known: dict[str, Any] = {"kind": kind, "new": object.__new__}
    lines = ["def copy(thing):", "made = new(kind)"]
    for part in fields(kind):
        copier = known[f"copy_{part.name}"] = _copier(hints[part.name])
        there = f"thing.{part.name}"
        if copier in (list.copy, dict.copy):
            there += ".copy()"
        elif copier:
            there = f"copy_{part.name}({there})"
        lines.append(f"made.{part.name} = {there}")
    exec("\n    ".join([*lines, "return made"]), known)
    copy: Copier = known["copy"]
    return copy


# --- comparing --------------------------------------------------------------------------------------------------


def key_of(thing: Any) -> Any:
    """A hashable key of all that can change in a thing: equal keys, equal things, in the order in which dicts stand.

    Frozen parts count as what they are: copies share them, so they are compared by identity.
    """
    kind: Any = type(thing)
    keyer = _keyer(kind)
    return keyer(thing) if keyer else thing


@cache
def _keyer(kind: Any) -> Copier | None:
    """How a value of this annotated kind is made hashable; None if it is already."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is list or kind is list:
        inner = _keyer(arguments[0]) if arguments else None
        return _list_keyer(inner) if inner else tuple
    if origin is dict or kind is dict:
        inner = _keyer(arguments[1]) if arguments else None
        return _dict_keyer(inner) if inner else _counts_key
    if origin in (Union, types.UnionType):
        inner = next(filter(None, map(_keyer, [part for part in arguments if part is not type(None)])), None)
        return _optional_keyer(inner) if inner else None
    if is_dataclass(kind):
        return id if kind.__dataclass_params__.frozen else _dataclass_keyer(kind)  # type: ignore[union-attr]
    return None


def _counts_key(items: dict[Any, Any]) -> tuple[Any, ...]:
    return (*items, *items.values()) if items else ()


def _list_keyer(inner: Copier) -> Copier:
    return lambda items: tuple([inner(item) for item in items]) if items else ()


def _optional_keyer(inner: Copier) -> Copier:
    return lambda item: None if item is None else inner(item)


def _dict_keyer(inner: Copier) -> Copier:
    return lambda items: (*items, *[inner(item) for item in items.values()]) if items else ()


def _dataclass_keyer(kind: Any) -> Copier:
    return keyer_of_fields(kind, *[part.name for part in fields(kind)])


def keyer_of_fields(kind: Any, *paths: str) -> Copier:
    """What makes a key of some fields of a dataclass, by their paths (``this_round.results``).

    Written out for this class as its copier is; most of what is in a state is a dict of counts, often empty."""
    keyers: dict[str, Any] = {}
    parts = []
    for place, path in enumerate(paths):
        keyer = keyers[f"key_{place}"] = _keyer(_kind_at(kind, path))
        if keyer is _counts_key:
            parts.append(f"(*items, *items.values()) if (items := thing.{path}) else ()")
        else:
            parts.append(f"key_{place}(thing.{path})" if keyer else f"thing.{path}")
    key: Copier = eval(f"lambda thing: ({', '.join(parts)},)", keyers)
    return key


def _kind_at(kind: Any, path: str) -> Any:
    """The annotated kind of a field."""
    for name in path.split("."):
        kind = get_type_hints(kind)[name]
    return kind


# --- reading ----------------------------------------------------------------------------------------------------


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (list, tuple):
        return _sequence_reader(origin, arguments)
    if origin is dict:
        read_key, read_value = getattr(arguments[0], "parse", str), _reader(arguments[1])
        return lambda data: {read_key(key): read_value(value) for key, value in data.items()}
    if origin in (Union, types.UnionType):
        return _union_reader(arguments)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        readers = {part.name: _reader(hints[part.name]) for part in fields(kind)}
        return lambda data: kind(**{name: read(data[name]) for name, read in readers.items()})  # type: ignore[operator]
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        hints = get_type_hints(kind)
        parts = [_reader(hints[name]) for name in kind._fields]
        return lambda data: kind(*[read(value) for read, value in zip(parts, data, strict=True)])
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    parse: Callable[[Any], Any] = getattr(kind, "parse", lambda data: data)
    return parse


def _sequence_reader(origin: Any, arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    if origin is tuple and not (len(arguments) == 2 and arguments[1] is Ellipsis):
        parts = [_reader(part) for part in arguments]
        return lambda data: tuple(read(value) for read, value in zip(parts, data, strict=True))
    read = _reader(arguments[0])
    return lambda data: origin(read(value) for value in data)


def _union_reader(arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    others = [part for part in arguments if part is not type(None)]
    if len(others) > 1:
        return lambda data: data  # a union of plain scalars, written as they are
    read = _reader(others[0])
    return lambda data: None if data is None else read(data)
