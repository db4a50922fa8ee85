"""What views are made of: typed values that nobody can change, and parts that are made when they are first read.

Two words for what is not there: `None` says that there is none, `HIDDEN` that the reader may not know. `to_json` is the
one place where views become plain data; what is hidden is left out there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from types import UnionType
from typing import (
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    Self,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

S = TypeVar("S")
P = TypeVar("P", bound="Parts[Any]")
T = TypeVar("T")


Still = Callable[[], object]
"""Raises when the moment that is looked at is over."""
ALWAYS: Final[Still] = bool
"""Nobody asks how long the moment lasts."""


class Hidden(Enum):
    """What a reader may not know."""

    HIDDEN = "hidden"

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "HIDDEN"


HIDDEN: Final = Hidden.HIDDEN


def known(value: T | Hidden) -> T:
    """What a reader sees who may know it, as the umpire may know everything."""
    if isinstance(value, Hidden):
        raise ValueError("this is hidden from the reader")
    return value


class _Frozen:
    """Something that is seen: nobody can change it, and it is equal to what looks the same."""

    _names: ClassVar[tuple[str, ...]] = ()
    """What it has, in the order in which it is written."""
    opened: ClassVar[frozenset[str]] = frozenset()
    """Those whose own names stand in their place when it is written."""
    if_any: ClassVar[frozenset[str]] = frozenset()
    """Those that are not written if they are None."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a view cannot be changed ({name})")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all([getattr(self, name) == getattr(other, name) for name in self._names])

    __hash__ = None  # type: ignore[assignment]


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Seen(_Frozen):
    """A value in a view. Its fields are declared as those of a dataclass; making one costs a fifth of that."""

    def __init_subclass__(cls) -> None:
        declared = vars(cls).get("__annotations__", {})
        cls._names = (*cls._names, *[name for name, kind in declared.items() if "ClassVar" not in str(kind)])

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    def __eq__(self, other: object) -> bool:
        """Compared as dicts, which stop at the first difference, unless something is still to be made."""
        if type(other) is not type(self):
            return NotImplemented
        mine, theirs = self.__dict__, other.__dict__
        if "_later" in mine or "_later" in theirs or len(mine) != len(theirs):
            return super().__eq__(other)
        return mine == theirs

    __hash__ = None

    @classmethod
    def later(
        cls, still: Still, source: T, made: Mapping[str, Callable[[T], Any]], given: Mapping[str, Any] | None = None
    ) -> Self:
        """One whose fields, but for those that are given, are made from a source as they are first read, as long as
        `still` does not raise."""
        seen = cls.__new__(cls)
        mine = seen.__dict__
        mine["_later"] = still, source, made
        if given:
            mine.update(given)
        return seen

    def __getattr__(self, name: str) -> Any:
        """A field that is not there yet."""
        mine = self.__dict__
        still, source, made = mine.get("_later") or _NOTHING_LATER
        make = made.get(name)
        if make is None:
            raise AttributeError(f"{type(self).__name__} has no {name}")
        still()
        value = mine[name] = make(source)
        return value

    def settled(self) -> Self:
        """The same with every field made."""
        if "_later" in self.__dict__:
            for name in self._names:
                _settle(getattr(self, name))
            del self.__dict__["_later"]
        return self

    def but(self, **changes: Any) -> Self:
        """The same with other values in some fields."""
        return type(self)(**(self.settled().__dict__ | changes))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([f'{name}={getattr(self, name)!r}' for name in self._names])})"


_NOTHING_LATER: Final[tuple[Still, None, Mapping[str, Callable[[Any], Any]]]] = (bool, None, {})


class part(Generic[P, T]):  # noqa: N801  # a decorator, as property is
    """A part of a view: made by its method when it is first read, and kept."""

    def __init__(self, make: Callable[[P], T]) -> None:
        self.make, self._name, self.__doc__ = make, make.__name__, make.__doc__

    @overload
    def __get__(self, parts: None, owner: type[P]) -> Self: ...
    @overload
    def __get__(self, parts: P, owner: type[P]) -> T: ...
    def __get__(self, parts: P | None, owner: type[P]) -> Self | T:
        if parts is None:
            return self
        made = parts.__dict__[self._name] = self.make(parts)  # from now on it is found there first
        return made


class _Now(Generic[S]):
    """The state that a view looks at, as long as it is that of the view's moment. Where nobody asks how long that
    lasts, it stands in the view itself and is found there first."""

    @overload
    def __get__(self, parts: None, owner: type[Parts[S]]) -> Self: ...
    @overload
    def __get__(self, parts: Parts[S], owner: type[Parts[S]]) -> S: ...
    def __get__(self, parts: Parts[S] | None, owner: type[Parts[S]]) -> Self | S:
        if parts is None:
            return self
        mine = parts.__dict__
        mine["_still"]()
        state: S = mine["_state"]
        return state


class Parts(_Frozen, Generic[S]):
    """A view, part by part. It looks at the state only while the moment that it shows lasts."""

    def __init_subclass__(cls) -> None:
        cls._names = (*cls._names, *[name for name, value in vars(cls).items() if isinstance(value, part)])

    reader: str
    """Who looks: a side, the umpire or a neutral."""
    now: _Now[S] = _Now()
    """The state, as long as it is that of this moment."""
    _still: Still = ALWAYS

    def __init__(self, state: S, reader: str) -> None:
        mine = self.__dict__
        mine["now"] = state
        mine["reader"] = reader

    def while_(self, still: Still) -> Self:
        """The same, to be read only as long as `still` does not raise."""
        mine = self.__dict__
        mine["_still"] = still
        if "now" in mine:
            mine["_state"] = mine.pop("now")
        return self

    @property
    def still(self) -> Still:
        return self._still

    def inner(self, kind: type[P]) -> P:
        """Another view of the same moment for the same reader."""
        made = kind(self.now, self.reader)
        still = self._still
        return made if still is ALWAYS else made.while_(still)

    def settled(self) -> Self:
        """The same with every part made, so that it can be read when the game has gone on."""
        for name in self._names:
            _settle(getattr(self, name))
        self.__dict__.update(_state=None, now=None, _still=ALWAYS)
        return self

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.reader}>"


def _settle(value: object) -> None:
    """Make all that is left to be made in a part of a view. Several values stand side by side, those of a side are
    alike, and there are two sides: so the first and the last tell."""
    kind = type(value)
    if kind in _AS_THEY_ARE:  # most are
        return
    if isinstance(value, tuple):
        if value and isinstance(value[0], Seen) and ("_later" in value[0].__dict__ or "_later" in value[-1].__dict__):
            for one in value:
                _settle(one)
    elif isinstance(value, dict):
        for one in value.values():
            if type(one) not in _AS_THEY_ARE:
                _settle(one)
    elif isinstance(value, (Seen, Parts)):  # their union would take longer
        value.settled()


# --- as plain data ----------------------------------------------------------------------------------------------

_AS_THEY_ARE: Final = frozenset({type(None), bool, int, float, str})


def to_json(seen: Any) -> Any:
    """A view, or a part of one, as JSON knows it."""
    kind = type(seen)
    if kind in _AS_THEY_ARE:
        return seen
    if kind is dict:
        return {str(key): value if type(value) in _AS_THEY_ARE else to_json(value) for key, value in seen.items()}
    if kind is tuple or kind is list:
        return [value if type(value) in _AS_THEY_ARE else to_json(value) for value in seen]
    if isinstance(seen, _Frozen):
        return _written(seen)
    if isinstance(seen, Enum):
        return seen.value
    if isinstance(seen, tuple):
        return {name: to_json(value) for name, value in zip(seen._fields, seen, strict=True)}  # type: ignore[attr-defined]
    raise TypeError(f"not a part of a view: {kind.__name__}")


def _written(seen: _Frozen) -> dict[str, Any]:
    written: dict[str, Any] = {}
    opened, left_out = seen.opened, seen.if_any
    for name in seen._names:
        value = getattr(seen, name)
        if type(value) in _AS_THEY_ARE:  # most are
            if value is not None or (name not in left_out and name not in opened):
                written[name] = value
        elif value is HIDDEN:
            continue
        elif name in opened:
            written |= _written(value)
        else:
            written[name] = to_json(value)
    return written


# --- and back ---------------------------------------------------------------------------------------------------

Reader = Callable[[Any], Any]
V = TypeVar("V", bound=Seen)


def from_json(kind: type[V], data: Any) -> V:
    """The value that `to_json` wrote; what it left out is hidden, or None where None is left out."""
    annotated: Any = kind
    value: V = _reader(annotated)(data)
    return value


@cache
def _reader(kind: Any) -> Reader:
    """What reads a value of an annotated kind."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType or origin is Union:
        some = _reader(next(one for one in inner if one not in (Hidden, type(None))))
        return lambda data: None if data is None else some(data)
    if origin is tuple:
        each = _reader(inner[0])
        return lambda data: tuple([each(one) for one in data])
    if origin is dict:
        each = _reader(inner[1])
        return lambda data: {key: each(one) for key, one in data.items()}
    if isinstance(kind, type) and issubclass(kind, Seen):
        return _value_reader(kind)
    return kind if isinstance(kind, type) and issubclass(kind, Enum) else lambda data: data


def _value_reader(kind: type[Seen]) -> Reader:
    hints = get_type_hints(kind)
    readers = {name: _reader(hints[name]) for name in kind._names}
    first = {name: _names_in(hints[name])[0] for name in kind.opened}
    left_out = {name: None if name in kind.if_any or _may_be_none(hints[name]) else HIDDEN for name in kind._names}

    def read(data: Any) -> Seen:
        fields: dict[str, Any] = {}
        for name, reader in readers.items():
            told = data if first.get(name) in data else data.get(name, HIDDEN)
            fields[name] = left_out[name] if told is HIDDEN else reader(told)
        return kind(**fields)

    return read


def _names_in(hint: Any) -> tuple[str, ...]:
    """The names of a value that is opened."""
    kind = next(one for one in get_args(hint) or (hint,) if isinstance(one, type) and issubclass(one, Seen))
    return kind._names


def _may_be_none(hint: Any) -> bool:
    return type(None) in get_args(hint)
