"""How often play reached each rule, by kind of play: the summary that `./bench/run reach --write` leaves behind.

A rule is reached in a kind of play when code that cites it ran in a game of that kind: while its scenario was read, in
a segment, or for a view or the result. What players think does not count. A battle within an operation is part of the
operation, and an attack on a base counts for the game that it is in and once more as a base attack. A rule that is
printed twice is reached under both ids.

`applies` in the register names the kinds of play in which a mechanic must be reached; `unreached.csv` lists those that
are not, each with the reason.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple

from flagplot.register import Rule, read_rows, register, twins

KINDS = {
    "naval-battle": "naval battle",
    "raider-battle": "raider battle",
    "air-phase": "air phase",
    "base-attack": "base attack",
    "operation": "operation",
    "air-turn": "air turn",
    "line-of-battle": "Line of Battle",
}
"""The kinds of play, with their names for people."""
FILE = "reach.csv"


@dataclass(frozen=True, slots=True)
class Reach:
    """What was reached: by rule, by kind of play, how often. `note` says in which run."""

    note: str = ""
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def of(self, rule_id: str) -> dict[str, int]:
        """How often the rule was reached in each kind of play in which it was."""
        return dict(self.counts.get(rule_id, {}))


@dataclass(frozen=True, slots=True)
class Unreached:
    """A mechanic that applies to a kind of play in which it was not reached, and the reason if one is given."""

    rule: Rule
    kind: str
    reason: str = ""

    def as_dict(self) -> dict[str, str]:
        return {"id": self.rule.id, "title": self.rule.title, "kind": self.kind, "reason": self.reason}


class Tally(NamedTuple):
    """Of the mechanics that apply to a kind of play: how many there are, are reached, and are explained instead."""

    applies: int
    reached: int
    explained: int

    @property
    def missing(self) -> int:
        return self.applies - self.reached - self.explained


@cache
def reach() -> Reach:
    """The summary that comes with the program."""
    return parse(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))


@cache
def reasons() -> Mapping[tuple[str, str], str]:
    """Why a mechanic is not reached, by rule and kind of play."""
    rows = read_rows("unreached.csv")
    return MappingProxyType({(row["id"], kind): row["reason"] for row in rows for kind in row["kinds"].split()})


def unreached(found: Reach, rules: Iterable[Rule] | None = None) -> list[Unreached]:
    """The mechanics that apply to a kind of play and are not reached there."""
    return [
        Unreached(rule, kind, reasons().get((rule.id, kind), ""))
        for rule in (register().values() if rules is None else rules)
        for kind in rule.applies.split()
        if kind not in found.of(rule.id)
    ]


def tallies(found: Reach, rules: Iterable[Rule]) -> dict[str, Tally]:
    """For each kind of play, how much of some part of the register is reached."""
    rules = list(rules)
    gaps = unreached(found, rules)
    tallies = {}
    for kind in KINDS:
        applies = sum(kind in rule.applies.split() for rule in rules)
        here = [gap for gap in gaps if gap.kind == kind]
        tallies[kind] = Tally(applies, applies - len(here), sum(bool(gap.reason) for gap in here))
    return tallies


def with_twins(counts: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """The counts of the mechanics, in the order of the register; those of a rule and its twins are added up."""
    total = {}
    for rule in register().values():
        names = [rule.id, *twins().get(rule.id, ())]
        added = {kind: sum(counts.get(name, {}).get(kind, 0) for name in names) for kind in KINDS}
        if rule.is_mechanic:
            total[rule.id] = {kind: number for kind, number in added.items() if number}
    return total


def parse(text: str) -> Reach:
    """A summary from its text: a line on the run, then a row for each mechanic."""
    note, _, table = text.partition("\n")
    rows = csv.DictReader(io.StringIO(table), strict=True)
    counts = {row["id"]: {kind: int(row[kind]) for kind in KINDS if row[kind]} for row in rows}
    return Reach(note.removeprefix("# "), counts)


def written(found: Reach) -> str:
    """The text of a summary."""
    text = io.StringIO()
    text.write(f"# {found.note}\n")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["id", *KINDS])
    table.writerows([rule_id, *[counts.get(kind, "") for kind in KINDS]] for rule_id, counts in found.counts.items())
    return text.getvalue()
