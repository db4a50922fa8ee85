"""The rules that a number in some text means: the rule itself or its table, else the nearest rule above it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from flagplot.register import Rule, register

CHILDREN = 6
"""How many parts of a rule that is only a heading are shown."""
NEXT_LEVEL = re.compile(r"\d|[A-Z]|\.\d+|-\d+")


def behind(number: str) -> list[Rule]:
    """The rules that a number in some text means: the rule or its table, else the nearest rule above it."""
    return [part for rule in nearest(number) for part in with_parts(rule)]


def nearest(number: str) -> list[Rule]:
    """The same, but a heading is not replaced by its parts."""
    known = register()
    for number_ in _shortened(number.strip()):
        found = [known[name] for name in (number_, f"T{number_}") if name in known]
        if found:
            return found
    return []


@lru_cache(4096)
def is_known(number: str) -> bool:
    """Whether the register has a rule of this number, or its table, or the rule just above it."""
    known = register()
    return any([name in known or f"T{name}" in known for name in (number, number[:-1].rstrip(".-#")) if name])


def _shortened(number: str) -> Iterable[str]:
    """The number, then the numbers above it: `18.522B.2`, `18.522B`, `18.522`, `18.52`, …"""
    while number:
        yield number
        number = number[:-1].rstrip(".-#")


def with_parts(rule: Rule) -> list[Rule]:
    """A rule that says something itself; in place of a heading the parts below it."""
    if rule.kind != "heading":
        return [rule]
    return parts_of(rule)[:CHILDREN] or [rule]


def parts_of(rule: Rule) -> list[Rule]:
    """The rules one level below a rule."""
    return [
        other
        for other in register().values()
        if other.id.startswith(rule.id) and NEXT_LEVEL.fullmatch(other.id[len(rule.id) :])
    ]
