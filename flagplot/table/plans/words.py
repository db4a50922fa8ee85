"""How a game's plans and news are told on a page: what buttons say, what tables count, the headings of the log.

That is data of the game, `plans.toml` beside its `levels.toml`; here it is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from flagplot import library
from flagplot.kernel.sheets import Field

CONFIRM, CONTINUE = "Confirm", "Continue"
NUMBER = re.compile(r"\d+\.\d+")
"""A rule without the letters and numbers of its parts."""
MANY = 2
"""Kinds of decisions that a plan may have and still be called after one of them."""
LONGEST = 30
"""Letters of an option that fit on a button."""
NOTHING = frozenset({"0", "none", "no", "done", "stay", "hold", "alone"})
"""How the texts of options end that do nothing."""


class Button(NamedTuple):
    """What the button of a plan says."""

    kinds: frozenset[str]
    ask: str
    """The question above a plan of several decisions."""
    do: str
    no: str


class Counted(NamedTuple):
    """A table of counts: its title, and what the total is a total of."""

    title: str
    total: str
    enemy: bool = False
    """Whether numbers in its keys are groups of the enemy."""


class Mission(NamedTuple):
    """A column of the grid of an air phase."""

    title: str
    task: str
    choose: tuple[str, ...] = ()
    """Keys of the question which target, or from which base."""
    counts: tuple[str, ...] = ()
    """Kinds of the questions how many."""
    follow: tuple[str, ...] = ()
    """Kinds of questions that settle details: which units of a base, where to."""
    alone: tuple[str, ...] = ()
    """Kinds of counts that come without a question before them."""
    stay: bool = False
    """Whether units can do it and fly a mission too."""

    def begins(self, one: Field) -> bool:
        """Whether a question begins a column of this mission."""
        return one.key.partition("#")[0] in self.choose or (one.counts and one.family in self.alone)


class PlanWords(NamedTuple):
    """The words of one game."""

    buttons: tuple[Button, ...]
    mixed: Button
    """Of a plan with many kinds of decisions."""
    numbers: frozenset[str]
    """Kinds of questions whose numbers are names: of combat groups, of ranks."""
    tables: Mapping[str, Counted]
    chapters: Mapping[str, str]
    missions: tuple[Mission, ...] = ()
    on_map: frozenset[str] = frozenset()
    """Kinds of questions whose answers are places or paths on the map."""
    shares: Mapping[str, str] = MappingProxyType({})
    """Kinds of questions that ask target by target, each with the kind of those that then ask how many."""

    def mission(self, one: Field) -> Mission | None:
        """The mission whose column a question begins."""
        return next((mission for mission in self.missions if mission.begins(one)), None)

    def button(self, fields: Sequence[Field], many: int = MANY) -> str:
        """What the button of a plan with these open fields says: what is done, if anything is."""
        found = self._buttons(fields, many)
        if not found:
            return (_deed(fields[0]) if len(fields) == 1 else CONFIRM) if fields else CONTINUE
        done = [one for one in found if not one.no or not self._is_idle(one, fields)]
        return done[0].do if done else found[0].no

    def ask(self, fields: Sequence[Field], many: int = MANY) -> str:
        """The question above a plan of several decisions; nothing if the data has none."""
        found = self._buttons(fields, many)
        return found[0].ask if found else ""

    def _buttons(self, fields: Sequence[Field], many: int) -> Sequence[Button]:
        kinds = {field.family for field in fields}
        found = [one for one in self.buttons if one.kinds & kinds]
        return found if len(found) <= many else [self.mixed]

    def _is_idle(self, one: Button, fields: Sequence[Field]) -> bool:
        return all(does_nothing(field) for field in fields if field.family in one.kinds)

    def chapter(self, rule: str) -> str:
        """The heading of the step that a line of this rule begins; nothing if it begins none. Rules within a rule,
        22.61D in 22.61, count as that one."""
        number = rule.partition("#")[0]
        whole = NUMBER.match(number)
        return self.chapters.get(number) or (self.chapters.get(whole[0], "") if whole else "")


def _deed(field: Field) -> str:
    """What the button of a single choice says that the data has no words for: the choice, if that is a short one."""
    return CONFIRM if field.counts or not 1 < len(field.label) <= LONGEST else field.label


def does_nothing(field: Field) -> bool:
    """Whether the value of a field is that nothing is done."""
    return field.chosen.rpartition(":")[2] in NOTHING


@cache
def words_of(game: str) -> PlanWords:
    """The words of a game."""
    data = library.words_of(game)
    if not data:  # a game of another package, without words of its own
        return PlanWords((), Button(frozenset(), "Your plan", CONFIRM, ""), frozenset(), {}, {})
    return PlanWords(
        tuple(Button(frozenset(one["kinds"]), one["ask"], one["do"], one.get("not", "")) for one in data["button"]),
        Button(frozenset(), data["mixed"]["ask"], data["mixed"]["do"], ""),
        frozenset(data["numbers"]["kinds"]),
        {kind: Counted(**one) for kind, one in data["tables"].items()},
        data["chapters"],
        tuple(Mission(**{name: _frozen(value) for name, value in one.items()}) for one in data.get("missions", ())),
        frozenset(data.get("map", {}).get("kinds", ())),
        {one["choose"]: one["count"] for one in data.get("shares", ())},
    )


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
