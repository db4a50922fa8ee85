"""Drills: a small position, one decision, and what comes of each answer by exact odds.

A drill is a data file: a scenario, the answers and dice that lead to the question, what counts, the best answer and a
sentence on each. The odds are worked out by the rules when somebody asks, so a drill cannot fall out of step with them:
a test plays each of them and compares its best answer with the one in the file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from flagplot.drills.following import followed
from flagplot.kernel.errors import UnknownName
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Roll
from flagplot.library import load
from flagplot.odds.answer import Answer, Part


@dataclass(frozen=True, slots=True)
class Measure:
    """What counts in a drill: a chance, or a number that is counted on average."""

    words: str
    """What it is, as a title: ``Chance to find a group``."""
    plus: tuple[str, ...]
    """The titles of the odds that are good for the side."""
    minus: tuple[str, ...] = ()
    """Those that are bad for it."""
    at_least: int | None = None
    """The chance of so many or more is meant."""
    at_most: int | None = None
    """The chance of so many or fewer is meant."""

    @property
    def is_chance(self) -> bool:
        return self.at_least is not None or self.at_most is not None

    def of(self, parts: Mapping[str, Part]) -> Fraction:
        if not self.is_chance:
            return sum([parts[one].mean for one in self.plus if one in parts], Fraction(0)) - sum(
                [parts[one].mean for one in self.minus if one in parts], Fraction(0)
            )
        (title,) = self.plus
        chances = parts[title].chances
        if self.at_least is not None:
            least = self.at_least
            return chances.chance(lambda number: number >= least)
        most = self.at_most or 0
        return chances.chance(lambda number: number <= most)

    def shown(self, worth: Fraction) -> str:
        return f"{100 * float(worth):.0f} %" if self.is_chance else f"{float(worth):+.2f} factors".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Drill:
    """One decision to practise."""

    name: str
    title: str
    about: str
    """The situation, and what is wanted."""
    side: str
    verb: str
    """The kind of the decision."""
    best: str
    lesson: str
    """What to take away from it."""
    rule: str
    measure: Measure
    scenario: Mapping[str, Any]
    answers: Sequence[str | Sequence[int]]
    """What leads to the question: options by their texts, dice by their faces."""
    why: Mapping[str, str]
    """A sentence on each option, by its text."""
    until: str = ""
    """How far the odds look, where no procedure alone decides: see `flagplot.drills.following`."""
    assume: Mapping[str, str] | Sequence[str] = ()
    """What the side has been told about the enemy."""

    @property
    def counts(self) -> str:
        """What counts, inside a sentence."""
        return self.measure.words[0].lower() + self.measure.words[1:]


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a drill, and what it is worth."""

    text: str
    label: str
    worth: Fraction
    shown: str
    why: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Judged:
    """All options of a drill, by the odds."""

    question: str
    choices: tuple[Choice, ...]
    best: Choice
    until: str
    """How far the odds look, in words."""

    def choice(self, text: str) -> Choice:
        found = [one for one in self.choices if one.text == text]
        if not found:
            raise UnknownName("this is not one of the answers", given=text, allowed=[one.text for one in self.choices])
        return found[0]

    def verdict(self, text: str) -> str:
        """What the staff says of a choice, in one sentence."""
        yours = self.choice(text)
        if yours is self.best:
            return f"{yours.label}: {yours.shown}. The staff would do the same."
        if yours.worth == self.best.worth:
            return f"{yours.label}: {yours.shown}, the same as the staff’s choice, “{self.best.label}”."
        return f"The staff’s choice, “{self.best.label}”: {self.best.shown}. Yours, “{yours.label}”: {yours.shown}."


@cache
def drills() -> dict[str, Drill]:
    """The drills that come with it, by name, in the order in which they are best done."""
    found = [one for one in files(__name__).iterdir() if one.name.endswith(".toml")]
    read = [_read(one.name.removesuffix(".toml"), tomllib.loads(one.read_text("utf8"))) for one in found]
    return {one.name: one for _, one in sorted(read, key=lambda pair: pair[0])}


def drill(name: str) -> Drill:
    known = drills()
    if name not in known:
        raise UnknownName("there is no such drill", given=name, allowed=list(known))
    return known[name]


def _read(name: str, data: dict[str, Any]) -> tuple[int, Drill]:
    place: int = data.pop("place")
    counts: dict[str, Any] = data.pop("measure")
    for titles in ("plus", "minus"):
        counts[titles] = tuple(counts.get(titles, ()))
    for prose in ("about", "lesson"):
        data[prose] = " ".join(data[prose].split())
    return place, Drill(name, measure=Measure(**counts), **data)


def begun(one: Drill) -> Game[Any]:
    """The game of a drill, at its question."""
    game = load({**one.scenario, "title": one.title}, seed=0)
    for answer in one.answers:
        if isinstance(game.pending, Roll):
            game.roll([int(face) for face in answer])
        else:
            game.choose(str(answer))
    assert isinstance(game.pending, Choose)
    return game


@cache
def judged(name: str) -> Judged:
    """Every option of a drill with its odds. The best is worth most; of several the first, which costs least."""
    one = drill(name)
    found = followed(begun(one), one.side, one.until, one.assume)
    choices = []
    for option in found.options:
        worth = one.measure.of({part.title: part for part in option.answer.parts})
        shown = one.measure.shown(worth)
        choices.append(Choice(option.text, option.label, worth, shown, one.why.get(option.text, ""), option.answer))
    best = max(choices, key=lambda choice: choice.worth)
    return Judged(found.question, tuple(choices), best, found.decided_by)
