"""A position played again in another state: the segment from its border, with the answers that a side may know.

A position is a state at the border before a segment and the answers since. What a side knows of these answers are its
own, the open ones of the enemy, and the faces and readings of all dice. Secret answers of the enemy it does not know:
in another state they are given by whoever plays the enemy there. If all that the side has seen comes up again, and it
is asked the same question in the end, the state fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from flagplot.kernel.game import Game, Player
from flagplot.kernel.log import FORCED, Event, is_secret_from
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.playout import Answer
from flagplot.kernel.procedures import Border, story
from flagplot.kernel.requests import Choose, Faces, Note, Roll
from flagplot.kernel.ruleset import Ruleset
from flagplot.kernel.views import View


class Position:
    """As much of a game as a view needs."""

    __slots__ = ("pending", "ruleset", "state")

    def __init__(self, ruleset: Ruleset[Any], state: Any) -> None:
        self.ruleset = ruleset
        self.state = state
        self.pending = None


class Stand(NamedTuple):
    """Where a game stands: the state as the segment began, what was asked and answered in it so far, and the state
    that has come of it."""

    state: Any
    events: tuple[Event, ...]
    now: Any


def stand_of(game: Game[Any]) -> Stand:
    """The last border before the pending question, found by playing on from one that the game remembers."""
    mark = game.border
    state, events = copy_of(mark.state), list(game.events[mark.logged :])
    last = Stand(mark.state, tuple(events), game.state)
    script = story(game.ruleset.procedures, state, before=True)  # when plain segments have been gone through
    place = 0
    answer: Any = None
    while True:
        request = script.send(answer)
        if isinstance(request, Border):
            last, answer = Stand(copy_of(state), tuple(events[place:]), game.state), None
            continue
        if isinstance(request, Choose) and not _is_asked(request):
            place += bool(request.secret)  # it stands among the events, as a choice that left none
            answer = request.values[0]
            continue
        if place == len(events):
            return last
        _, given = events[place]
        place += 1
        if isinstance(request, Choose):
            answer = request.values[given]
        else:
            answer = request.reads(given) if isinstance(request, Roll) else None


def _is_asked(request: Choose[Any]) -> bool:
    return len(request.values) > 1 or request.always


class SeenChoice(NamedTuple):
    """An answer that a side knows of: its own, or an open one of the enemy."""

    side: str
    text: str


class SeenRoll(NamedTuple):
    """A roll: its faces, and what was read."""

    side: str
    faces: Faces
    reading: str


Seen: TypeAlias = SeenChoice | SeenRoll
Asked: TypeAlias = tuple[str | tuple[str, ...], tuple[Any, ...]]
"""What a side is asked: the verb and the values of its question."""


def seen_by(events: Sequence[Event], side: str) -> tuple[Seen, ...]:
    """The answers since the border that a side may know, as plain data."""
    return tuple(_seen(events, side))


def _seen(events: Sequence[Event], side: str) -> Iterator[Seen]:
    for request, answer in events:
        if isinstance(request, Note) or answer == FORCED:
            continue
        if isinstance(request, Roll):
            yield SeenRoll(request.side, tuple(answer), str(request.reads(answer)))
        elif not is_secret_from(request, side):
            yield SeenChoice(request.side, request.option(answer).text)


def asked_in(request: Choose[Any]) -> Asked:
    """What a question asks, as plain data."""
    return request.verb, tuple(request.values)


class Reached(NamedTuple):
    """The question that a side is asked in another state, and all answers of the segment up to it."""

    answers: tuple[Any, ...]
    request: Choose[Any]
    given: tuple[Answer, ...] = ()
    """The same as texts and faces, without those that were forced: where a playout begins."""


class Replay:
    """The answers of a side's position, to be given again in other states."""

    def __init__(
        self, ruleset: Ruleset[Any], side: str, seen: Sequence[Seen], asked: Asked, players: Mapping[str, Player]
    ) -> None:
        self.ruleset = ruleset
        self.side = side
        self.players = players
        self.seen = tuple(seen)
        self.asked = asked

    @property
    def own(self) -> list[str]:
        """The side's own answers in this segment so far, as texts."""
        return [one.text for one in self.seen if isinstance(one, SeenChoice) and one.side == self.side]

    def reach(self, state: Any) -> Reached | None:
        """The side's question in this state, or nothing if the state does not fit what the side has seen."""
        state = copy_of(state)
        script = story(self.ruleset.procedures, state)
        answers: list[Any] = []
        given: list[Answer] = []
        left = list(self.seen)
        answer: Any = None
        while not isinstance(request := script.send(answer), Border):
            if isinstance(request, Note):
                answer = None
                continue
            if isinstance(request, Choose) and not _is_asked(request):
                answer = request.values[0]
            elif isinstance(request, Choose) and is_secret_from(request, self.side):
                answer = chosen_by(self.ruleset, self.players, state, request)
                given.append(request.option(request.values.index(answer)).text)
            elif not left:
                return self._reached(request, answers, given)
            else:
                found = again(request, left.pop(0))
                if found is None:
                    return None
                answer, given_again = found
                given.append(given_again)
            answers.append(answer)
        return None

    def _reached(self, request: Choose[Any] | Roll[Any], answers: list[Any], given: list[Answer]) -> Reached | None:
        if not isinstance(request, Choose) or request.side != self.side:
            return None
        same = asked_in(request) == self.asked
        return Reached(tuple(answers), request, tuple(given)) if same else None


def again(request: Choose[Any] | Roll[Any], seen: Seen) -> tuple[Any, Answer] | None:
    """What an answer of the game means in another state, and its text or faces; nothing if it could not have been given
    or read there."""
    if seen.side != request.side:
        return None
    if isinstance(request, Roll):
        if not isinstance(seen, SeenRoll) or len(seen.faces) != request.dice:
            return None
        reading = request.reads(seen.faces)
        return (reading, seen.faces) if str(reading) == seen.reading else None
    option = request.find(seen.text) if isinstance(seen, SeenChoice) else None
    return None if option is None else (option.value, option.text)


def chosen_by(ruleset: Ruleset[Any], players: Mapping[str, Player], state: Any, request: Choose[Any]) -> Any:
    """What the player of a side answers."""
    view = View(Position(ruleset, state), request.side)  # type: ignore[arg-type]
    answer = players[request.side].choose(view, request)
    option = request.find(answer if isinstance(answer, str) else answer.text)
    assert option is not None, f"{answer} is not offered: {request}"
    return option.value


def through_segment(
    ruleset: Ruleset[Any],
    players: Mapping[str, Player],
    state: Any,
    given: Sequence[Any] = (),
    roll: Callable[[Roll[Any]], Any] | None = None,
) -> None:
    """Go through the next segment: with some answers given, then with those of the players and the dice of `roll`."""
    script = story(ruleset.procedures, state)
    left, answer = list(given), None
    while not isinstance(request := script.send(answer), Border):
        if isinstance(request, Note):
            answer = None
        elif left:
            answer = left.pop(0)
        elif isinstance(request, Roll):
            assert roll is not None, f"no dice are expected here: {request}"
            answer = roll(request)
        elif len(request.values) == 1:
            answer = request.values[0]
        else:
            answer = chosen_by(ruleset, players, state, request)
