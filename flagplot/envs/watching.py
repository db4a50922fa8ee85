"""What has changed in a state since it was last looked at: states change in place, so keys of them are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_type_hints

from flagplot.kernel.plain_data import keyer_of
from flagplot.kernel.view_types import Source

Keys = tuple[Any, ...]
ALWAYS = 1
"""The bit of what is made anew at each look."""


class Watch:
    """Looks at some sources of views. Each has a bit, and a look tells the bits of those that have changed since the
    last one."""

    __slots__ = ("_keys", "_read", "bits")

    def __init__(self, sources: Sequence[Source], state: type) -> None:
        self.bits = {source: 2 << place for place, source in enumerate(sources)}
        self._read = _reader(sources, state)
        self._keys: Keys = tuple([object() for _ in sources])

    def look(self, state: Any) -> int:
        now, changed, bit = self._read(state), ALWAYS, ALWAYS
        for one, was in zip(now, self._keys, strict=True):
            bit += bit
            if one is not was and one != was:
                changed += bit
        self._keys = now
        return changed


def _reader(sources: Sequence[Source], state: type) -> Callable[[Any], Keys]:
    """What reads the keys of all sources of a state, written out: agents look often."""
    known: dict[str, Any] = {}
    parts = []
    for place, source in enumerate(sources):
        read = f"state.{source}" if isinstance(source, str) else f"read_{place}(state)"
        known[f"read_{place}"], keyer = source, keyer_of(_kind_of(source, state))
        known[f"key_{place}"] = keyer
        parts.append(read if keyer in (None, id) else f"key_{place}({read})")  # what is frozen is its own key
    reader: Callable[[Any], Keys] = eval(f"lambda state: ({', '.join(parts)},)", known)
    return reader


def _kind_of(source: Source, state: type) -> Any:
    """The annotated kind of a source."""
    if not isinstance(source, str):
        return get_type_hints(source)["return"]
    kind: Any = state
    for name in source.split("."):
        found = getattr(kind, name, None)
        kind = get_type_hints(found.fget)["return"] if isinstance(found, property) else get_type_hints(kind)[name]
    return kind
