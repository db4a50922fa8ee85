"""Orders ahead: what a side decides now about questions that come after a secret decision of the enemy.

What really comes next may follow from the enemy's secrets, so it is not looked at. The side's plan goes on in a game
that is imagined: from the last border between segments on, in a state that was drawn from nothing but what the side
knows, with the answers and dice that it has seen since. Where the enemy decides in secret, a staff of his decides as it
would in that state. So whatever the plan shows the side could have worked out by itself.

An order ahead is given when its question comes, if the side is asked exactly what was planned and has read nothing else
meanwhile. Otherwise it is dropped, and the side is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, Protocol

from flagplot.kernel.errors import IllegalAnswer
from flagplot.kernel.log import FORCED, Event, is_secret_from, read_log
from flagplot.kernel.requests import Choose, Note, Roll
from flagplot.kernel.ruleset import Ruleset, sight
from flagplot.kernel.sheets import Field, Filler, Playable, Sheet, Staff, Wait, filled_in, tells
from flagplot.kernel.views import View
from flagplot.kernel.words import sentence

LONGEST = 500
"""Secret answers of the enemy in a row after which nothing more is planned."""


class Story(Playable, Protocol):
    """A copy of a game that can be played on."""

    def roll(self, faces: Any = None) -> Any: ...
    def moment_of(self, side: str) -> int: ...


# --- a game that fits what a side knows -------------------------------------------------------------------------


def catch_up(imagined: Story, true: Story, side: str, enemy: Staff, logged: int) -> bool:
    """Play an imagined game from a border, at which the log was that long, to where the true one is, as a side has seen
    it. False if it comes to something else: then the side has learnt more than the border tells."""
    for request, answer in true.events[logged:]:
        if isinstance(request, Note) or answer == FORCED:
            continue
        if isinstance(request, Choose) and is_secret_from(request, side):
            continue
        if not (_decided(imagined, side, enemy) and _answer(imagined, request, answer)):
            return False
    return _decided(imagined, side, enemy) and _same(imagined, true, side, logged)


def _decided(game: Story, side: str, enemy: Staff) -> bool:
    """Let the enemy decide in secret until something else is to be done; False if that takes for ever."""
    for _ in range(LONGEST):
        request = game.pending
        if not isinstance(request, Choose) or not is_secret_from(request, side):
            return True
        game.choose(enemy.choose(View(WithoutPast(game), request.side), request))
    return False


class WithoutPast:
    """What the enemy's staff sees of an imagined game: the position. Its past is that of the true game, with all that
    he did in secret."""

    def __init__(self, game: Story) -> None:
        self._game = game

    @property
    def ruleset(self) -> Ruleset[Any]:
        return self._game.ruleset

    @property
    def state(self) -> Any:
        return self._game.state

    @property
    def pending(self) -> Choose[Any] | Roll[Any] | None:
        return self._game.pending

    def log(self, side: str) -> NoReturn:
        raise IllegalAnswer("a game that is imagined keeps no log")

    def moment_of(self, side: str) -> NoReturn:
        raise IllegalAnswer("a game that is imagined counts no moments")


def _answer(game: Story, request: Choose[Any] | Roll[Any], answer: Any) -> bool:
    """Give the answer or the dice of the true game, if the same is asked."""
    asked = game.pending
    if isinstance(request, Roll):
        if not isinstance(asked, Roll) or asked.dice != request.dice:
            return False
        game.roll(answer)
        return True
    option = asked.find(request.option(answer).text) if isinstance(asked, Choose) else None
    if option is None or option.request.side != request.side:
        return False
    game.choose(option)
    return True


def _same(imagined: Story, true: Story, side: str, logged: int) -> bool:
    """Whether a side can see no difference: the same question after the same news."""
    ours, theirs = imagined.pending, true.pending
    if not isinstance(ours, Choose) or not isinstance(theirs, Choose) or ours.side != side:
        return False
    logs = [read_log(game.events[logged:], side, game.pending) for game in (imagined, true)]
    return logs[0] == logs[1] and _asked(ours) == _asked(theirs)


def _asked(request: Choose[Any]) -> tuple[str, tuple[str, ...]]:
    """A question and the texts of its options."""
    return sentence(request.question), tuple([option.text for option in request.options])


# --- the fields of a sheet that must wait -----------------------------------------------------------------------


def fill_ahead(
    copy: Story, side: str, enemy: Staff, filler: Filler, now: Sequence[Field], kept: Sequence[Field] = ()
) -> tuple[Field, ...]:
    """The fields after those that can be answered now, until the side would learn something; the imagined copy is
    played on. `kept` are those at their beginning that are known already."""
    seen, in_sight = len(copy.events), sight(copy.ruleset, copy.state, side)
    for one in now:
        request = copy.pending
        if not isinstance(request, Choose) or request.side != side or request.find(one.chosen) is None:
            return ()
        seen = len(copy.events) + 1
        copy.choose(one.chosen)
    fields: list[Field] = []
    while _decided(copy, side, enemy):
        request, news = copy.pending, copy.events[seen:]
        if not isinstance(request, Choose) or request.side != side or any([tells(event, side) for event in news]):
            break
        if sight(copy.ruleset, copy.state, side) != in_sight:
            break
        wait = Wait(copy.moment_of(side), _read(news, side, request))
        place = len(fields)
        fields.append(kept[place] if place < len(kept) else filled_in(copy, request, [*now, *fields], filler, wait))
        seen = len(copy.events) + 1
        copy.choose(fields[-1].chosen)
    return tuple(fields)


def _read(news: Sequence[Event], side: str, request: Choose[Any]) -> tuple[str, ...]:
    """What a side reads of some events."""
    return tuple([entry.text for entry in read_log(news, side, request)])


# --- orders -----------------------------------------------------------------------------------------------------


class OrderAhead(NamedTuple):
    """One answer that waits for its question."""

    question: str
    offers: tuple[str, ...]
    """The texts of the options that it is to have."""
    chosen: str
    label: str
    """What is chosen, in words."""
    wait: Wait

    def as_dict(self) -> dict[str, Any]:
        told = self._asdict() | {"offers": list(self.offers), "moment": self.wait.moment, "news": list(self.wait.news)}
        del told["wait"]
        return told

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> OrderAhead:
        """An order that was written down."""
        wait = Wait(data["moment"], tuple(data["news"]))
        return cls(data["question"], tuple(data["offers"]), data["chosen"], data["label"], wait)


def orders_ahead(sheet: Sheet) -> tuple[OrderAhead, ...]:
    """The answers of a sheet that must wait for the enemy."""
    return tuple(
        [
            OrderAhead(one.question, tuple([offer.text for offer in one.offers]), one.chosen, one.label, one.wait)
            for one in sheet
            if one.wait is not None
        ]
    )


def fits(game: Story, side: str, order: OrderAhead) -> bool:
    """Whether a side that is asked now is asked what an order answers, and has read only what it expected."""
    request = game.pending
    if not isinstance(request, Choose) or game.moment_of(side) != order.wait.moment:
        return False
    if _asked(request) != (order.question, order.offers):
        return False
    return _read(_since_own_answer(game.events, side), side, request) == order.wait.news


def _since_own_answer(events: Sequence[Event], side: str) -> Sequence[Event]:
    for place in reversed(range(len(events))):
        request, answer = events[place]
        if isinstance(request, Choose) and request.side == side and answer != FORCED:
            return events[place + 1 :]
    return events
