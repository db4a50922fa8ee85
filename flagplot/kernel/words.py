"""Words that are made only when somebody reads them.

The engine answers tens of thousands of requests a second and almost nobody reads the log of them.
So a sentence is kept as a template with its arguments, ``("{} loses {} {}", "Japan", 2, "NAS")``, and
`say` turns it into text. Arguments must be immutable: the state goes on changing after they are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


def sentence(words: Words) -> str:
    """The text of some words, with a capital letter to begin with."""
    return capital(say(words))


def answered(question: Words, label: Words) -> str:
    """A question and its answer on one line: ``Strike CG 6? Hold back``, ``Choose a target: Kongo``."""
    asked = sentence(question)
    return f"{asked}{'' if asked.endswith(('?', '.')) else ':'} {say(label)}"


def plural(number: int, one: str, many: str = "") -> str:
    """A number of something: ``1 hit``, ``2 hits``; `many` where the plural does not just end in s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def count_times(often: int) -> str:
    """How often: ``once``, ``twice``, ``3 times``."""
    return {1: "once", 2: "twice"}.get(often, f"{often} times")


def listing(names: list[str], last: str = "and") -> str:
    """A list as people write it: ``a, b and c``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


class Listing(tuple[object, ...]):
    """Such a list, put into words only when somebody reads it."""

    __slots__ = ()

    def __str__(self) -> str:
        return listing([*map(str, self)])


CountLabel: TypeAlias = Callable[[int], Words] | Mapping[int, Words]
"""What the answers to "how many?" are called."""


def how_many(count: int) -> Words:
    """A number to choose: ``none``, ``3``."""
    return "none" if count == 0 else ("{}", count)


def count_or_not(number: int, many: Words, one: Words, no: Words, yes: Words) -> tuple[Words, CountLabel]:
    """The words for choosing how many of some units, and what its answers are called. Of a single unit nobody asks how
    many: do it, or not."""
    return (one, {0: no, 1: yes}) if number == 1 else (many, how_many)


def titled(key: str) -> str:
    """A key as a title: ``Air bases`` of ``air_bases``."""
    return key.replace("_", " ").capitalize()


def capital(name: str) -> str:
    """A name as the beginning of a sentence: ``The Ruhr``."""
    return name[:1].upper() + name[1:]
