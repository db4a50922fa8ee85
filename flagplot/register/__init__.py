"""The register of rules: every numbered rule of the rulebook, one row each, in our own words.

`register` gives all rules by id, `find` one of them, `meanings` the sentences that explain each further, and `twins`
the ids under which the same rule is printed a second time. What the code and the tests make of the register is counted
in `flagplot.register.coverage`; in which kinds of play its rules come up, in `flagplot.register.reach`.
"""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from flagplot.kernel.errors import UnknownName

NOT_MECHANICS = frozenset({"heading", "note", "pointer"})
"""The kinds of row that ask nothing of the program."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the register."""

    id: str
    source: str
    title: str
    kind: str
    feature: str
    scope: str
    decides: str
    chance: str
    outside: str
    applies: str
    """The kinds of play to which the mechanic applies, see `flagplot.register.reach`."""
    summary: str

    @property
    def is_mechanic(self) -> bool:
        """Whether the rule asks something of the program, and so counts for coverage."""
        return self.kind not in NOT_MECHANICS

    @property
    def chapter(self) -> str:
        """The chapter (``22`` for ``22.451D`` and ``T22.45``), or the aid (``SOP``, ``LOB``)."""
        head = self.id.split("-")[0].split(".")[0]
        return head.removeprefix("T") if head[1:].isdigit() else head

    @property
    def meaning(self) -> str:
        """What it means for the player, in two to five sentences of which the summary is the first."""
        return f"{self.summary} {meanings()[self.id]}" if self.id in meanings() else self.summary

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


@cache
def register() -> Mapping[str, Rule]:
    """All rules by id, in the order of the rulebook."""
    return MappingProxyType({row["id"]: Rule(**row) for row in read_rows("register.csv")})


@cache
def meanings() -> Mapping[str, str]:
    """By rule: the sentences that follow its summary where there is room to explain it."""
    texts = [file.read_text(encoding="utf-8") for file in files(__name__).joinpath("meanings").iterdir()]
    return MappingProxyType({name: words for text in texts for name, words in tomllib.loads(text).items()})


def find(rule_id: str) -> Rule:
    """The rule with this id; `UnknownName` with the nearest ids if there is none."""
    try:
        return register()[rule_id]
    except KeyError:
        raise UnknownName("no such rule", given=rule_id, allowed=near(rule_id, register())) from None


def near(given: str, known: Iterable[str], limit: int = 8) -> list[str]:
    """Ids that may have been meant: those that go on from what was given, then those that look like it."""
    known = list(known)
    longer = [name for name in known if given and name.startswith(given)]
    alike = get_close_matches(given, known, n=4, cutoff=0.7)
    return list(dict.fromkeys(longer[: limit - len(alike)] + alike))


@cache
def twins() -> Mapping[str, frozenset[str]]:
    """For each rule that is printed more than once, the other ids under which it stands."""
    return MappingProxyType(closure((row["id"], row["twin"]) for row in read_rows("twins.csv")))


def closure(pairs: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """Each name with all the others that it is joined to, directly or through others."""
    groups: dict[str, set[str]] = {}
    for one, other in pairs:
        joined = groups.get(one, {one}) | groups.get(other, {other})
        groups.update(dict.fromkeys(joined, joined))
    return {name: frozenset(group - {name}) for name, group in groups.items()}


def read_rows(name: str) -> list[dict[str, str]]:
    """The rows of one table of the register."""
    text = files(__name__).joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text), strict=True))
