"""Nobody sees the state; everybody sees a view. Two states that differ only in secrets give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any
from xml.etree import ElementTree

from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.game import Checkpoint, Game
from flagplot.kernel.log import FORCED, Event
from flagplot.kernel.plain import canonical
from flagplot.kernel.requests import Choose, Note
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.words import say
from flagplot.testing.trial import Trial, as_json, difference, log_of, quick, snapshot, unlike

ANOTHER = 0.6
"""How often another secret answer is given in the second of two paired games."""


def views_are_json(trial: Trial) -> Iterator[str]:
    for reader in trial.readers:
        seen = trial.game.view(reader).as_dict()
        if json.loads(as_json(seen)) != seen:
            yield f"the view of {reader} does not survive JSON"


def views_can_be_read_and_drawn(trial: Trial) -> Iterator[str]:
    for reader in trial.readers:
        view = trial.game.view(reader)
        if not str(view).strip():
            yield f"the view of {reader} has no words"
        ElementTree.fromstring(view._repr_svg_())


def looking_changes_nothing(trial: Trial) -> Iterator[str]:
    """The state is the same after everybody has looked, and a second look shows the same as the first."""
    before = quick(trial.game)
    seen = snapshot(trial.game)
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
    since, before = list(game.events[border.logged :]), canonical(border.state)
    other = game.ruleset.reshuffle(border.state, side, chance)
    if canonical(border.state) != before:
        yield "reshuffle changed the state that it was given"
    if canonical(other) == before and not _chose_in_secret(since, side):
        return  # there is no secret that the side could learn
    first, second = game.from_border(border.state), game.from_border(other)
    for request, answer in filter(_is_answer, since):
        if _revealed(since, second, border):
            break
        yield from _told_apart(first, second, side, closely=False)
        yield from _asked_apart(first, second)
        if not _same_answer(first, second, side, (request, answer), chance):
            report.unlike += 1
            return
    if _revealed(since, second, border):
        report.revealed += 1
        return
    yield from _told_apart(first, second, side, closely=True)
    report.pairs += 1
    report.differed += canonical(first.state) != canonical(second.state)


def _chose_in_secret(since: list[Event], side: str) -> bool:
    """Whether somebody else did."""
    return any(isinstance(request, Choose) and request.secret and request.side != side for request, _ in since)


def _revealed(since: list[Event], second: Game[Any], border: Checkpoint) -> bool:
    """Whether something hidden has come to light since the border, in either game."""
    events = [*since, *second.events[border.logged :]]
    return any(isinstance(request, Note) and request.reveals for request, _ in events)


def _is_answer(event: Event) -> bool:
    return not isinstance(event[0], Note) and event[1] != FORCED


def _asked_apart(first: Game[Any], second: Game[Any]) -> Iterator[str]:
    """What will stand in everybody's log of the pending question must be the same, whoever is asked."""
    ours, theirs = _public(first), _public(second)
    if ours != theirs:
        yield f"what will be told of the question: {difference(ours, theirs)}"


def _public(game: Game[Any]) -> str:
    request = game.pending
    return say(request.secret or request.question) if isinstance(request, Choose) else str(request)


def _same_answer(first: Game[Any], second: Game[Any], side: str, event: Event, chance: Random) -> bool:
    """Give both games an answer; False if the enemy could not have answered so in the second."""
    request, answer = event
    asked = second.pending
    if not isinstance(request, Choose) or not isinstance(asked, Choose):
        first.roll(answer)
        second.roll(answer)
        return True
    first.choose(request.option(answer).text)
    if request.secret and request.side != side and chance.random() < ANOTHER:
        second.choose(asked.option(chance.randrange(len(asked))))
        return True
    option = asked.find(request.option(answer).text)
    if option is not None:
        second.choose(option)
    return option is not None


def _told_apart(first: Game[Any], second: Game[Any], side: str, *, closely: bool) -> Iterator[str]:
    ours, theirs = seen_by(first, side, closely), seen_by(second, side, closely)
    for name, text in ours.items():
        if text != theirs[name]:
            yield f"{name} {difference(text, theirs[name])}"
            return


def seen_by(game: Game[Any], side: str, closely: bool = True) -> dict[str, str]:
    """All that reaches a side at a moment, as texts by name."""
    view = game.view(side)
    seen = {"what is asked:": as_json([game.moment, view.asked])}
    if closely:
        seen["the view:"] = as_json(view.as_dict())
        seen["the log:"] = as_json(log_of(game, side))
        seen["the view in words:"] = str(view)
        seen["a refusal:"] = _refusal(game, side)
    return seen


def _refusal(game: Game[Any], side: str) -> str:
    """What a nonsense answer is told, if it is for the side to answer now."""
    if isinstance(game.pending, Choose) and game.pending.side not in (side, UMPIRE):
        return ""
    try:
        game.choose("no-such:answer")
    except FlagplotError as refusal:
        return as_json(refusal.as_dict()) + str(refusal)
    return "accepted"
