"""Lessons: a coach who says at the first decision of each kind what to look at, what it means and what to try.

A lesson is a data file beside a scenario. Its steps are tied to kinds of decisions, so it cannot fall out of step with
a game: a step is due when a decision of its kind is asked for the first time. Nothing has to be remembered, and whoever
comes back later, or takes something back, finds the lesson where the game stands. It reads nothing but what the side
itself was asked.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from flagplot.kernel.errors import UnknownName
from flagplot.kernel.log import FORCED, Event
from flagplot.kernel.requests import Choose, value_text
from flagplot.library import read_scenario

END = "end"
"""The kind of the last step: when the battle is over."""


@dataclass(frozen=True, slots=True)
class Step:
    """What the coach says."""

    number: int
    title: str
    when: tuple[str, ...]
    """The kinds of decisions at which it is due."""
    text: str
    suggestion: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A guided battle."""

    name: str
    title: str
    scenario: str
    side: str
    opponent: str
    level: str
    about: str
    steps: tuple[Step, ...]


@cache
def lessons() -> dict[str, Lesson]:
    """The lessons that come with it, by name."""
    found = sorted([one for one in files(__name__).iterdir() if one.name.endswith(".toml")], key=lambda one: one.name)
    return {
        one.name.removesuffix(".toml"): _read(one.name.removesuffix(".toml"), one.read_text("utf8")) for one in found
    }


def lesson(name: str) -> Lesson:
    known = lessons()
    if name not in known:
        raise UnknownName("there is no such lesson", given=name, allowed=list(known))
    return known[name]


@cache
def _by_battle() -> dict[tuple[str, str], Lesson]:
    return {(str(read_scenario(one.scenario)["title"]), one.side): one for one in lessons().values()}


def lesson_for(title: str, side: str) -> Lesson | None:
    """The lesson that guides a side through the battle with this title, if there is one."""
    return _by_battle().get((title, side))


def _read(name: str, text: str) -> Lesson:
    data: dict[str, Any] = tomllib.loads(text)
    steps = [
        Step(
            number,
            step["title"],
            tuple(step["when"]),
            " ".join(step["text"].split()),
            step.get("suggestion", ""),
            step.get("rule", ""),
        )
        for number, step in enumerate(data.pop("step"), 1)
    ]
    return Lesson(name, steps=tuple(steps), **data)


class Playing(Protocol):
    """As much of a game as a lesson reads."""

    @property
    def events(self) -> Sequence[Event]: ...
    @property
    def pending(self) -> object: ...


def steps_due(guide: Lesson, game: Playing, asked: Sequence[str]) -> tuple[Step, ...]:
    """The steps for what the side is asked now: those of kinds that it has not answered before. `asked` are the kinds
    of the decisions on its sheet."""
    if game.pending is None:
        asked = [END]
    answered = _answered(game, guide.side)
    return tuple([step for step in guide.steps if not answered & {*step.when} and {*step.when} & {*asked}])


def _answered(game: Playing, side: str) -> set[str]:
    """The kinds of decisions that a side has made."""
    return {
        value_text(request.verb).partition(":")[0]
        for request, answer in game.events
        if isinstance(request, Choose) and request.side == side and answer != FORCED
    }
