"""Nobody sees the state; everybody sees a view. Two states that differ only in secrets give the same bytes."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any
from xml.etree import ElementTree

from flagplot.kernel.ahead import orders_ahead
from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.game import Game
from flagplot.kernel.levels import Level
from flagplot.kernel.log import FORCED, Event, is_secret_from, read_log
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.progress import Checkpoint
from flagplot.kernel.requests import Choose, Note, Option, Roll
from flagplot.kernel.views import View
from flagplot.kernel.words import say
from flagplot.testing.trial import Trial, as_json, difference, log_of, quick, unlike

ANOTHER = 0.6
"""How often another secret answer is given in the second of two paired games."""

SHEETS = 60
"""At one in this number of the moments that are compared closely the sheets are compared too: they take longer."""

LONGEST_WAIT = 500
"""Secret answers in a row after which a pair is given up."""


def views_are_json(trial: Trial) -> Iterator[str]:
    for reader in trial.readers:
        if not _survives_json(trial.game.view(reader)):
            yield f"the view of {reader} does not survive JSON"


def _survives_json(view: View) -> bool:
    try:
        seen = view.as_dict()
        return bool(json.loads(as_json(seen)) == seen)
    except (TypeError, ValueError):
        return False


def views_can_be_read_and_drawn(trial: Trial) -> Iterator[str]:
    for reader in trial.readers:
        view = trial.game.view(reader)
        if not str(view).strip():
            yield f"the view of {reader} has no words"
        ElementTree.fromstring(view._repr_svg_())


def looking_changes_nothing(trial: Trial) -> Iterator[str]:
    """The state is the same after everybody has looked, and a second look shows the same as the first."""
    before = quick(trial.game)
    seen = trial.snapshot(trial.game)
    if quick(trial.game) != before:
        yield "the state is not the same after somebody looked at it"
    yield from unlike(seen, trial.now)


def secrets_stay_secret(trial: Trial) -> Iterator[str]:
    """For each side: the state at the last border with other secrets of the enemy, and the answers since (where the
    enemy answered in secret, perhaps others), give it the same view, log, question, options, labels and refusals."""
    for side in trial.game.sides:
        for fault in _paired(trial, side):
            yield f"{side} can tell two states apart that differ in secrets alone: {fault}"


def _paired(trial: Trial, side: str) -> Iterator[str]:
    game, report, chance = trial.game, trial.report, trial.chance(f"pair {side}")
    border = game.border
    since, before = list(game.events[border.logged :]), copy_of(border.state)
    other = game.ruleset.reshuffle(border.state, side, chance)
    if border.state != before:
        yield "reshuffle changed the state that it was given"
    if other == before and not _chose_in_secret(since, side):
        return  # there is no secret that the side could learn
    pair = Pair(game.from_border(border.state), game.from_border(other), side, border, chance)
    answers = deque(filter(_is_answer, since))
    while answers and not _revealed(since, pair.second, border):
        if faults := list(pair.told_apart(closely=False)):
            yield from faults
            return
        if not pair.step(answers):
            report.unlike += 1
            return
    if _revealed(since, pair.second, border):
        report.revealed += 1
        return
    yield from pair.told_apart(closely=True)
    report.pairs += 1
    report.differed += pair.first.state != pair.second.state


def _chose_in_secret(since: list[Event], side: str) -> bool:
    """Whether somebody else did."""
    return any(isinstance(request, Choose) and is_secret_from(request, side) for request, _ in since)


def _revealed(since: list[Event], second: Game[Any], border: Checkpoint) -> bool:
    """Whether something hidden has come to light since the border, in either game."""
    events = [*since, *second.events[border.logged :]]
    return any(isinstance(request, Note) and request.reveals for request, _ in events)


def _is_answer(event: Event) -> bool:
    return not isinstance(event[0], Note) and event[1] != FORCED


@dataclass(slots=True)
class Pair:
    """Two games from one border, whose states there differed in what one side may not know and in nothing else.

    Step by step the first is given the answers of the game on trial and the second the same, except that the enemy may
    decide otherwise in secret. How many questions that takes him may follow from his secrets: so all that he decides
    while the side waits and sees nothing new is one step, in either game of as many answers as it takes there.
    """

    first: Game[Any]
    second: Game[Any]
    side: str
    border: Checkpoint
    chance: Random

    def step(self, answers: deque[Event]) -> bool:
        """Give both games the next of the answers; False if the second cannot be answered so."""
        if self._decides_in_secret(self.first):
            return self._wait(answers)
        request, answer = answers.popleft()
        if isinstance(request, Roll):
            self.first.roll(answer)
            self.second.roll(answer)
            return True
        assert isinstance(request, Choose)
        assert isinstance(self.second.pending, Choose)
        text = request.option(answer).text
        option = self.second.pending.find(text)
        if option is None:
            return False
        self.first.choose(text)
        self.second.choose(option)
        return True

    def _wait(self, answers: deque[Event]) -> bool:
        """Let the enemy decide in secret, in both games, until the side sees something new.

        Where the answers end before that, the second game stays at the beginning of the wait: the side must not see
        how far the enemy has come. False if the enemy finds no end in the second game."""
        ours, theirs = self._sight(self.first), self._sight(self.second)
        given: set[str] = set()
        while self._waits(self.first, ours):
            if not answers:
                return True
            request, answer = answers.popleft()
            assert isinstance(request, Choose)
            text = request.option(answer).text
            self.first.choose(text)
            given.add(text)
        for _ in range(LONGEST_WAIT):
            if not self._waits(self.second, theirs):
                return True
            assert isinstance(self.second.pending, Choose)
            self.second.choose(self._secret_answer(self.second.pending, given))
        return False

    def _secret_answer(self, request: Choose[Any], given: set[str]) -> Option[Any]:
        """One of the answers that were given in the first game, if it is offered, or any other."""
        same = next((option for option in request.options if option.text in given), None)
        if same is None or self.chance.random() < ANOTHER:
            return request.option(self.chance.randrange(len(request)))
        return same

    def _waits(self, game: Game[Any], sight: str) -> bool:
        """Whether the enemy decides in secret and the side still sees what it saw."""
        return self._decides_in_secret(game) and self._sight(game) == sight

    def _decides_in_secret(self, game: Game[Any]) -> bool:
        return isinstance(game.pending, Choose) and is_secret_from(game.pending, self.side)

    def _sight(self, game: Game[Any]) -> str:
        return as_json([game.view(self.side).data, self._news(game)])

    def _news(self, game: Game[Any]) -> list[dict[str, Any]]:
        """The side's log since the border."""
        events = game.events[self.border.logged :]
        return [entry.as_dict() for entry in read_log(events, self.side, game.pending)]

    def told_apart(self, *, closely: bool) -> Iterator[str]:
        """The first thing by which the side, or later everybody's log, could tell the two games apart."""
        ours, theirs = self._shown(self.first, closely), self._shown(self.second, closely)
        for name, text in ours.items():
            if text != theirs[name]:
                yield f"{name} {difference(text, theirs[name])}"
                return
        if closely and self.chance.randrange(SHEETS) == 0:
            plans = self._plans()
            if len({*plans}) > 1:
                yield f"the staff's plan: {difference(*plans)}"

    def _shown(self, game: Game[Any], closely: bool) -> dict[str, str]:
        """All that reaches the side at this moment, or will when the pending request is answered, as texts by name."""
        view, pending = game.view(self.side), game.pending
        shown = {
            "what is asked:": as_json([view.moment, view.asked]),
            "what will be told of the question:": say(pending.public) if pending else "",
            "the log:": as_json(self._news(game)),
        }
        if closely:
            shown["the view:"] = as_json(view.as_dict())
            shown["the log:"] = as_json(log_of(game, self.side))
            shown["the view in words:"] = str(view)
            shown["a refusal:"] = _refusal(game, self.side)
        return shown

    def _plans(self) -> list[str]:
        """What the staff would propose to the side in both games, to an admiral and, with orders ahead, to somebody who
        decides everything; nothing without levels."""
        if not hasattr(self.first.ruleset, "levels"):
            return []
        return [self._plan(game) for game in (self.first, self.second)]

    def _plan(self, game: Game[Any]) -> str:
        admirals, whole = game.sheet(self.side, level=Level.COMMAND), game.sheet(self.side, ahead=True)
        return as_json([admirals.as_dict(), whole.as_dict(), [order.as_dict() for order in orders_ahead(whole)]])


def _refusal(game: Game[Any], side: str) -> str:
    """What a nonsense answer is told: a choice, or dice where it is not for the side to choose."""
    enemys = isinstance(game.pending, Choose) and game.pending.side != side
    try:
        game.roll([0]) if enemys else game.choose("no-such:answer")
    except FlagplotError as refusal:
        return as_json(refusal.as_dict()) + str(refusal)
    return "accepted"
