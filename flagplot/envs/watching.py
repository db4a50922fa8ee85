"""What has changed in a state since it was last looked at: states change in place, so keys of them are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_origin, get_type_hints

from flagplot.kernel.plain_data import keyer_of
from flagplot.kernel.view_types import Source

Keys = tuple[Any, ...]
ALWAYS = 1
"""The bit of what is made anew at each look."""


class Watch:
    """Looks at some sources of the views of a reader. Each has a bit, and a look tells the bits of those that have
    changed since the last one."""

    __slots__ = ("_read", "bits", "keys")

    def __init__(self, sources: Sequence[Source], state: type, reader: str) -> None:
        self.bits = {source: 2 << place for place, source in enumerate(sources)}
        self._read = _reader(sources, state, reader)
        self.keys: Keys = tuple([object() for _ in sources])
        """What each source was at the last look."""

    def look(self, state: Any) -> int:
        now, changed, bit = self._read(state), ALWAYS, ALWAYS
        for one, was in zip(now, self.keys, strict=True):
            bit += bit
            if one is not was and one != was:
                changed += bit
        self.keys = now
        return changed


def _reader(sources: Sequence[Source], state: type, reader: str) -> Callable[[Any], Keys]:
    """What reads the keys of all sources of a state, written out: agents look often."""
    known: dict[str, Any] = {"reader": reader}
    parts = []
    for place, source in enumerate(sources):
        read = f"state.{source}" if isinstance(source, str) else f"read_{place}(state, reader)"
        kind = _kind_of(source, state) if isinstance(source, str) else None
        known[f"read_{place}"], keyer = source, keyer_of(kind)
        known[f"key_{place}"] = keyer
        if keyer in (None, id):  # what is frozen, or made for us, is its own key
            parts.append(read)
        elif get_origin(kind) in (list, dict):  # most are empty
            parts.append(f"key_{place}(items) if (items := {read}) else ()")
        else:
            parts.append(f"key_{place}({read})")
    made: Callable[[Any], Keys] = eval(f"lambda state: ({', '.join(parts)},)", known)
    return made


def _kind_of(path: str, state: type) -> Any:
    """The annotated kind of something in a state."""
    kind: Any = state
    for name in path.split("."):
        found = getattr(kind, name, None)
        kind = get_type_hints(found.fget)["return"] if isinstance(found, property) else get_type_hints(kind)[name]
    return kind
