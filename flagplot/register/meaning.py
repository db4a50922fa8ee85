"""What a rule means for a player: where he meets it, what belongs to it, its exceptions and examples, related rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from flagplot.register import Rule, register, twins
from flagplot.register.reach import KINDS
from flagplot.register.rule_lookup import nearest

CITED = re.compile(r"\b(?:\d\d\.\d+[A-Z]?(?:\.\d+)*|LOB-\d\d|SOP-\w+(?:[-.]\w+)*)\b")
RELATED = 8
"""Related rules that are shown; more would be a list that nobody reads."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """A rule with all that a player wants to know of it."""

    rule: Rule
    above: tuple[Rule, ...]
    """The rules that it is a part of, the widest first."""
    parts: tuple[Rule, ...]
    exceptions: tuple[Rule, ...]
    """Its parts that forbid or limit something."""
    examples: tuple[Rule, ...]
    twins: tuple[Rule, ...]
    """The same rule where it is printed again."""
    related: tuple[Rule, ...]
    """Rules that it cites, that cite it, and those around it."""

    @property
    def met_in(self) -> tuple[str, ...]:
        """The kinds of play in which it comes up."""
        return tuple([KINDS[kind] for kind in self.rule.applies.split()])


def meaning(rule: Rule) -> Meaning:
    """What a rule means. If it only opens a section, what belongs to that section says it."""
    below = _parts().get(rule.id, [])
    forbids = rule.kind != "heading" and rule.kind != "restriction"
    exceptions = tuple([part for part in below if forbids and part.kind == "restriction"])
    examples = tuple([part for part in below if part.kind == "example"])
    return Meaning(
        rule=rule,
        above=_above(rule),
        parts=tuple([part for part in below if part not in exceptions and part not in examples]),
        exceptions=exceptions,
        examples=examples,
        twins=tuple([register()[name] for name in sorted(twins().get(rule.id, ())) if name in register()]),
        related=_related(rule),
    )


@cache
def _parts() -> dict[str, list[Rule]]:
    """By rule: the rules just below it."""
    found: dict[str, list[Rule]] = {}
    for rule in register().values():
        for above in _above(rule)[-1:]:
            found.setdefault(above.id, []).append(rule)
    return found


@cache
def _above(rule: Rule) -> tuple[Rule, ...]:
    """The rules whose numbers its own begins with; a line of a table belongs to that table alone."""
    known, found = register(), list[Rule]()
    name = rule.id.partition("-")[0] + "-" if rule.id.startswith("T") and "-" in rule.id else rule.id
    while name := name[:-1].rstrip(".-#"):
        if name in known:
            found.insert(0, known[name])
    return tuple(found[-1:] if rule.id.startswith("T") else found)


def _related(rule: Rule) -> tuple[Rule, ...]:
    """Those that it cites first, then those that cite it, then its neighbours: parts of the same rule above it. An only
    part has those of the rule that it is a part of, and a chapter the other chapters."""
    citing = _citing().get(rule.id, [])
    known = [*_cited(rule), *citing[: RELATED // 2], *_nearest_to(rule, _beside(rule))]
    found = {one.id: one for one in known if one.id != rule.id}
    if not found:
        above = _above(rule)[-1]
        found = {one.id: one for one in [above, *_nearest_to(above, _beside(above))]}
    return tuple(found.values())[:RELATED]


def _cited(rule: Rule) -> list[Rule]:
    return [one for number in CITED.findall(rule.meaning) for one in nearest(number)[:1]]


@cache
def _citing() -> dict[str, list[Rule]]:
    """By rule: the rules whose words name it."""
    found: dict[str, list[Rule]] = {}
    for rule in register().values():
        for name in dict.fromkeys(one.id for one in _cited(rule)):
            found.setdefault(name, []).append(rule)
    return found


def _beside(rule: Rule) -> list[Rule]:
    above = _above(rule)[-1:]
    return _parts().get(above[0].id, []) if above else [one for one in register().values() if not _above(one)]


def _nearest_to(rule: Rule, beside: list[Rule]) -> list[Rule]:
    place = next((place for place, one in enumerate(beside) if one.id == rule.id), 0)
    near = sorted(range(len(beside)), key=lambda other: abs(other - place))[: RELATED // 2 + 1]
    return [beside[other] for other in sorted(near)]
