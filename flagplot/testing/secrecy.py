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
from flagplot.testing.trial import Trial, as_json, difference, log_of, snapshot, unlike

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
    """Looked at again, after all the other checks, everything is as it was."""
    yield from unlike(trial.now, snapshot(trial.game))


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
    first, second = game.from_border(border.state), game.from_border(_reshuffled(game, side, chance))
    if canonical(border.state) != before:
        yield "reshuffle changed the state that it was given"
    for event in filter(_is_answer, since):
        if _revealed(since, second, border):
            break
        yield from _told_apart(first, second, side, closely=False)
        if not _same_answer(first, second, side, event, chance):
            report.unlike += 1
            return
    if _revealed(since, second, border):
        report.revealed += 1
        return
    yield from _told_apart(first, second, side, closely=True)
    report.pairs += 1
    report.differed += canonical(first.state) != canonical(second.state)


def _reshuffled(game: Game[Any], side: str, chance: Random) -> Any:
    return game.ruleset.reshuffle(game.border.state, side, chance)


def _revealed(since: list[Event], second: Game[Any], border: Checkpoint) -> bool:
    """Whether something hidden has come to light since the border, in either game."""
    events = [*since, *second.events[border.logged :]]
    return any(isinstance(request, Note) and request.reveals for request, _ in events)


def _is_answer(event: Event) -> bool:
    return not isinstance(event[0], Note) and event[1] != FORCED


def _same_answer(first: Game[Any], second: Game[Any], side: str, event: Event, chance: Random) -> bool:
    """Give both games an answer; False if the enemy could not have answered so in the second."""
    request, answer = event
    if not isinstance(request, Choose):
        first.roll(answer)
        second.roll(answer)
        return True
    first.choose(request.option(answer).text)
    asked = second.pending
    assert isinstance(asked, Choose)
    if request.secret and asked.secret and request.side != side and chance.random() < ANOTHER:
        second.choose(asked.option(chance.randrange(len(asked))))
        return True
    option = asked.find(request.option(answer).text)
    if option is None:
        return False
    second.choose(option)
    return True


def _told_apart(first: Game[Any], second: Game[Any], side: str, *, closely: bool) -> Iterator[str]:
    ours, theirs = seen_by(first, side, closely), seen_by(second, side, closely)
    for name, text in ours.items():
        if text != theirs[name]:
            yield f"{name} {difference(text, theirs[name])}"
            return


def seen_by(game: Game[Any], side: str, closely: bool = True) -> dict[str, str]:
    """All that reaches a side at a moment, as texts by name."""
    view = game.view(side)
    seen = {"what is asked:": as_json([game.turn, view.asked])}
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
