"""How a game's plans and news are told on a page: what buttons say, what tables count, the headings of the log.

That is data of the game, `plans.toml` beside its `levels.toml`; here it is read.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from flagplot import library
from flagplot.kernel.sheets import Field

CONFIRM = "Confirm"
NOTHING = frozenset({"0", "none", "no", "done", "stay", "hold", "alone"})
"""How the texts of options end that do nothing."""


class Button(NamedTuple):
    """What the button of a plan says."""

    kinds: frozenset[str]
    do: str
    no: str


class Counted(NamedTuple):
    """A table of counts: its title, and what the total is a total of."""

    title: str
    total: str


class PlanWords(NamedTuple):
    """The words of one game."""

    buttons: tuple[Button, ...]
    numbers: frozenset[str]
    """Kinds of questions whose numbers are names: of combat groups, of ranks."""
    tables: Mapping[str, Counted]
    chapters: Mapping[str, str]

    def button(self, fields: Sequence[Field]) -> str:
        """What the button of a plan with these open fields says."""
        for one in self.buttons:
            mine = [field for field in fields if field.family in one.kinds]
            if mine:
                return one.no if one.no and all(does_nothing(field) for field in mine) else one.do
        return CONFIRM

    def chapter(self, rule: str) -> str:
        """The heading of the step that a line of this rule begins; nothing if it begins none. Rules within a rule,
        22.61D in 22.61, count as that one."""
        number = rule.partition("#")[0]
        return self.chapters.get(number) or self.chapters.get(number.rstrip("ABCDEFGHIJ.123456789"), "")


def does_nothing(field: Field) -> bool:
    """Whether the value of a field is that nothing is done."""
    return field.chosen.rpartition(":")[2] in NOTHING


@cache
def words_of(game: str) -> PlanWords:
    """The words of a game."""
    package = library.RULESETS[game].partition(":")[0].rpartition(".")[0]
    data = tomllib.loads((files(package) / "plans.toml").read_text(encoding="utf8"))
    return PlanWords(
        tuple(Button(frozenset(one["kinds"]), one["do"], one.get("not", "")) for one in data["button"]),
        frozenset(data["numbers"]["kinds"]),
        {kind: Counted(**one) for kind, one in data["tables"].items()},
        data["chapters"],
    )
