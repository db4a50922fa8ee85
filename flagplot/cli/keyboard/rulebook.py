"""The rules behind a question, in our words, from the register."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from flagplot.cli.screen import FAINT, STRONG, Line
from flagplot.register import Rule
from flagplot.register.rule_lookup import behind as behind


def explained(numbers: Iterable[str]) -> list[Line]:
    """What some rule numbers say: a rule alone is explained in full, several of them in a sentence each."""
    lines, rules = [], _each_once(rule for number in numbers for rule in behind(number))
    for rule in rules:
        title = Text.assemble((f"{rule.id}  ", STRONG), rule.title, (f"  ({rule.kind})", FAINT))
        lines += [Line(title), Line(Text(rule.meaning if len(rules) == 1 else rule.summary), 2, 0)]
    return lines or [Line(Text("No such rule in the register."))]


def _each_once(rules: Iterable[Rule]) -> list[Rule]:
    return list({rule.id: rule for rule in rules}.values())
