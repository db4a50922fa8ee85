"""The rules behind a question, in our words, from the register."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rich.text import Text

from flagplot.cli.screen import FAINT, STRONG, Line
from flagplot.register import Rule, register

CHILDREN = 6
"""How many parts of a rule that is only a heading are shown."""
NEXT_LEVEL = re.compile(r"\d|[A-Z]|\.\d+|-\d+")


def explained(numbers: Iterable[str]) -> list[Line]:
    """What some rule numbers say."""
    lines = []
    for rule in _each_once(rule for number in numbers for rule in behind(number)):
        title = Text.assemble((f"{rule.id}  ", STRONG), rule.title, (f"  ({rule.kind})", FAINT))
        lines += [Line(title), Line(Text(rule.summary), 2, 0)]
    return lines or [Line(Text("There is nothing about this in the register of rules."))]


def _each_once(rules: Iterable[Rule]) -> list[Rule]:
    return list({rule.id: rule for rule in rules}.values())


def behind(number: str) -> list[Rule]:
    """The rules that a number in some text means: the rule or its table, else the nearest rule above it."""
    known = register()
    for number_ in _shortened(number.strip()):
        found = [known[name] for name in (number_, f"T{number_}") if name in known]
        if found:
            return [part for rule in found for part in _with_parts(rule)]
    return []


def _shortened(number: str) -> Iterable[str]:
    """The number, then the numbers above it: `18.522B.2`, `18.522B`, `18.522`, `18.52`, …"""
    while number:
        yield number
        number = number[:-1].rstrip(".-#")


def _with_parts(rule: Rule) -> list[Rule]:
    """A rule that says something itself; in place of a heading the parts below it."""
    if rule.kind != "heading":
        return [rule]
    parts = [
        other
        for other in register().values()
        if other.id.startswith(rule.id) and NEXT_LEVEL.fullmatch(other.id[len(rule.id) :])
    ]
    return parts[:CHILDREN] or [rule]
