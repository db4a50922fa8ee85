"""Words that are made only when somebody reads them.

The engine answers tens of thousands of requests a second and almost nobody reads the log of them.
So a sentence is kept as a template with its arguments, ``("{} loses {} {}", "Japan", 2, "NAS")``, and
`say` turns it into text. Arguments must be immutable: the state goes on changing after they are kept.
"""

from __future__ import annotations

from typing import Any, TypeAlias

Words: TypeAlias = str | tuple[Any, ...]


def say(words: Words) -> str:
    """The text of some words: a plain string as it is, a template filled in (its arguments may be words too)."""
    if isinstance(words, str):
        return words
    template, *arguments = words
    return str(template).format(*[say(part) if _is_template(part) else part for part in arguments])


def _is_template(part: object) -> bool:
    return type(part) is tuple and bool(part) and isinstance(part[0], str)


def plural(number: int, one: str) -> str:
    """So many of something whose plural ends in s: ``1 hit``, ``2 hits``."""
    return f"{number} {one}{'s' * (number != 1)}"


def listing(names: list[str], last: str = "and") -> str:
    """A list as people write it: ``a, b and c``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def how_many(count: int) -> Words:
    """A number to choose: ``none``, ``3``."""
    return "none" if count == 0 else ("{}", count)


def capital(name: str) -> str:
    """A name as the beginning of a sentence: ``The Ruhr``."""
    return name[:1].upper() + name[1:]
