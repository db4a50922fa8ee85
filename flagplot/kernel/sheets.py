"""Decision sheets: all that one side can decide now without learning anything in between, as one plan.

The rules ask small questions, one after the other. A sheet runs the story on a copy and gathers the questions of one
side until something happens that this side can read: dice, an open choice of the enemy, news of his secrets. Each
question is a field that the staff, a player who sees the side's view alone, has filled in. The side changes what it
likes and confirms once; its answers go on the tape one by one, all of them or none. No rule knows of sheets.

A decision of the enemy ends it, a secret one too, even one that left him no choice: what comes after it may follow from
his secrets, and then the sheet would tell of them. Beyond a secret one the side may give orders ahead (`ahead`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from flagplot.kernel.errors import IllegalAnswer, UnknownName
from flagplot.kernel.levels import Level, Levels
from flagplot.kernel.log import FORCED, Event, is_secret_from
from flagplot.kernel.procedures import HasFrames
from flagplot.kernel.requests import Choose, Note, Option, Roll, value_text
from flagplot.kernel.ruleset import Ruleset, sight
from flagplot.kernel.views import View
from flagplot.kernel.words import answered, say, sentence


class By(StrEnum):
    """Who chose the value of a field."""

    YOU = "you"
    STAFF = "staff"
    ORDER = "order"
    BEFORE = "before"
    """As you have decided before: held back again, or the same again in another round."""
    FORCED = "forced"


class Offer(NamedTuple):
    """One value that a field may have."""

    text: str
    label: str
    rule: str


class Wait(NamedTuple):
    """What an order ahead waits for."""

    moment: int
    """The side's moment when its question comes."""
    news: tuple[str, ...]
    """What the side will have read by then since its answer before: that the enemy decides in secret."""


class Field(NamedTuple):
    """One question of a sheet with the answer that stands there."""

    key: str
    """The words that its options have in common; a second question of the same words ends in ``#2``."""
    question: str
    offers: tuple[Offer, ...]
    chosen: str
    """The text of the option that is chosen."""
    by: By
    rules: tuple[str, ...]
    level: Level
    counts: bool
    """Whether its values are numbers."""
    order: int = 0
    """The number of the standing order that chose it."""
    dropped: str = ""
    """What you had chosen, if it is not offered any more."""
    wait: Wait | None = None
    """If it must wait for the enemy: what its answer, an order ahead, waits for."""

    @property
    def ahead(self) -> bool:
        """Whether it must wait for the enemy."""
        return self.wait is not None

    @property
    def family(self) -> str:
        """What kind of question it is: ``patrol``, ``against``."""
        return self.key.partition("#")[0].partition(":")[0]

    @property
    def subject(self) -> str:
        """What it is about: a group, a base, a unit; nothing if its kind says it all."""
        return self.key.partition("#")[0].partition(":")[2]

    @property
    def label(self) -> str:
        """The chosen value in words."""
        return next(offer.label for offer in self.offers if offer.text == self.chosen)

    def as_dict(self) -> dict[str, Any]:
        told = self._asdict() | {"by": self.by.value, "level": self.level.value, "rules": list(self.rules)}
        told["offers"], told["ahead"] = [offer._asdict() for offer in self.offers], self.ahead
        del told["wait"]
        return told | {"family": self.family, "subject": self.subject, "label": self.label}


Answers = Mapping[str, str]
"""What a side has chosen itself: for the key of a field the text of an option."""


@dataclass(frozen=True, slots=True, repr=False)
class Sheet:
    """What one side can decide at one moment, with all answers filled in."""

    side: str
    moment: int
    """The side's moment that it is for, see `Game.moment_of`."""
    fields: tuple[Field, ...]
    answers: Answers = field(default_factory=dict)
    """What the side has set; the staff filled in the rest."""
    level: Level = Level.ROUTINE
    """How much the side decides itself."""
    _made_again: Callable[[Answers], Sheet] | None = field(default=None, compare=False, repr=False)

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __getitem__(self, key: str) -> Field:
        for one in self.fields:
            if one.key == key:
                return one
        raise UnknownName("no such decision in this plan", given=key, allowed=[one.key for one in self.fields])

    def open_to(self, level: Level | None = None) -> tuple[Field, ...]:
        """The fields that a player of a level decides himself (that of the sheet, unless another one is named): those
        that leave a choice, matter enough, and that he has left to no order."""
        level = level or self.level
        return tuple([one for one in self.fields if one.by not in (By.FORCED, By.ORDER) and level.asks(one.level)])

    @property
    def now(self) -> tuple[Field, ...]:
        """The fields whose answers go on the tape when it is confirmed; the others are orders ahead."""
        return tuple([one for one in self.fields if not one.ahead])

    @property
    def choices(self) -> tuple[Field, ...]:
        """The fields that leave a choice, whoever makes it."""
        return tuple([one for one in self.fields if one.by is not By.FORCED])

    def set(self, key: str, value: str | int) -> Sheet:
        """The same sheet with another value in one field; what follows from it follows. Raises IllegalAnswer if the
        value is not offered, and StaleAnswer once the game has gone on."""
        return self.having({**self.answers, key: offered(self[key], value)})

    def having(self, answers: Answers) -> Sheet:
        """The same sheet with other answers of the side; those that are not offered fall back to the staff."""
        if self._made_again is None:
            raise IllegalAnswer("this plan was read from data: ask the game for it again")
        return self._made_again(answers)

    def clear(self) -> Sheet:
        """The staff's plan again."""
        return self if self._made_again is None else self._made_again({})

    def as_dict(self) -> dict[str, Any]:
        fields = [one.as_dict() for one in self.fields]
        return {"side": self.side, "moment": self.moment, "fields": fields}

    def __repr__(self) -> str:
        return f"<Sheet of {self.side}: {len(self.fields)} decision{'s' * (len(self.fields) != 1)}>"

    def __str__(self) -> str:
        rows = [
            f"{number:>3}  {answered(one.question, one.label)} ({one.by})" for number, one in enumerate(self.fields, 1)
        ]
        return "\n".join([f"{self.side}: {len(self.fields)} decision{'s' * (len(self.fields) != 1)}", *rows])


def offered(one: Field, value: str | int) -> str:
    """The text of the option that a value names: itself, or what stands after the words in common."""
    common = one.key.partition("#")[0]
    for offer in one.offers:
        if str(value) in (offer.text, offer.text.removeprefix(f"{common}:")):
            return offer.text
    allowed = [offer.text for offer in one.offers]
    raise IllegalAnswer("not one of the answers", given=value, allowed=allowed, rule=", ".join(one.rules))


# --- making a sheet ---------------------------------------------------------------------------------------------


class Playable(Protocol):
    """The copy of a game that a sheet is made on."""

    @property
    def ruleset(self) -> Ruleset[Any]: ...
    @property
    def state(self) -> HasFrames: ...
    @property
    def pending(self) -> Choose[Any] | Roll[Any] | None: ...
    @property
    def events(self) -> Sequence[Event]: ...
    def choose(self, answer: Option[Any] | str) -> None: ...
    def view(self, side: str) -> View: ...


class Staff(Protocol):
    """Who fills in a sheet: any player."""

    def choose(self, view: View, request: Choose[Any]) -> Option[Any] | str: ...


Orders = Callable[[View, Choose[Any]], tuple[Option[Any], int] | None]
"""What standing orders answer to a question, and the number of the one that does; None if none does."""


def no_orders(view: View, request: Choose[Any]) -> None:
    """Nothing was ordered."""


class Chosen(NamedTuple):
    """The answer that stands in a field, and whose it is."""

    text: str
    by: By
    order: int = 0


class Filler(NamedTuple):
    """Who fills in a sheet: the side itself, its standing orders, its staff."""

    answers: Answers
    orders: Orders
    staff: Staff
    levels: Levels
    level: Level
    proposed: Answers
    """What the staff has found out already, by the keys of the fields: it stands where it is offered."""

    def level_of(self, copy: Playable, request: Choose[Any]) -> Level:
        """How much a question matters; what is decided once only at its first time."""
        procedure, word = copy.state.frames[-1].procedure, _first_word(request)
        if _is_moot(copy, request) or self._decided_before(copy, request) is not None:
            return Level.ROUTINE
        if word in self.levels.once and _before(copy, request):
            return Level.ROUTINE
        return self.levels.of(procedure, word)

    def _decided_before(self, copy: Playable, request: Choose[Any]) -> str | None:
        """The answer that the side has given before and that stands: it has held back from what is decided once, or in
        an earlier round; or it is asked just the same again in another one, or has sent all that it could."""
        word, rounds = _first_word(request), self.levels.rounds
        place = f"{copy.state.frames[-1].procedure}/{word}"
        if word in self.levels.once:
            _, text = _before(copy, request) or (None, "")
            return text if text == request.option(0).text else None  # what the rules offer first: no
        if place not in rounds.words | rounds.voyages | rounds.lulls:
            return None
        asked, text = _before(copy, request, rounds.begun, hits=place in rounds.lulls) or (None, "")
        if asked is None or (place in rounds.voyages and say(asked.question) != say(request.question)):
            return None
        return _once_more(asked, text, request)

    def choose(self, copy: Playable, request: Choose[Any], key: str, level: Level) -> Chosen:
        yours = _named(request, self.answers.get(key))
        if yours is not None:
            return Chosen(yours.text, By.YOU)
        view = copy.view(request.side)
        ordered = self.orders(view, request)
        if ordered is not None:
            return Chosen(ordered[0].text, By.ORDER, ordered[1])
        if len(request) == 1:
            return Chosen(request.option(0).text, By.FORCED)
        if not self.level.asks(level) and _is_moot(copy, request):
            return Chosen(request.option(0).text, By.STAFF)
        before = None if self.level.asks(level) else self._decided_before(copy, request)
        if before is not None:
            return Chosen(before, By.BEFORE)
        thought = _named(request, self.proposed.get(key))
        return Chosen(thought.text if thought else str(self.staff.choose(view, request)), By.STAFF)


def _named(request: Choose[Any], wanted: str | None) -> Option[Any] | None:
    """What somebody has set, if it is offered: the text of an option, or what stands after the words in common."""
    if wanted is None:
        return None
    return request.find(wanted) or request.find(f"{value_text(request.verb)}:{wanted}")


def _is_moot(copy: Playable, request: Choose[Any]) -> bool:
    """Whether the game says, by what the side sees, that nothing depends on a decision any more: then what the rules
    offer first, no, is as good as anything."""
    tell: Callable[[Any, str, str], bool] | None = getattr(copy.ruleset, "is_moot", None)
    return tell is not None and tell(copy.ruleset.look(copy.state, request.side), request.side, _first_word(request))


def _first_word(request: Choose[Any]) -> str:
    return value_text(request.verb).partition(":")[0]


def _once_more(asked: Choose[Any], text: str, request: Choose[Any]) -> str | None:
    """What an answer means if its question comes again: the same, if the same is offered, and to hold back, which the
    rules offer first, in any case. Whoever sent all that he could sends all."""
    if text == request.option(0).text or _texts(asked) == _texts(request):
        return text
    counts = all([isinstance(value, int) for value in (*asked.values, *request.values)])
    return _texts(request)[-1] if counts and text == _texts(asked)[-1] else None


def _texts(request: Choose[Any]) -> list[str]:
    return [one.text for one in request.options]


def _before(
    copy: Playable, request: Choose[Any], since: frozenset[str] = frozenset(), *, hits: bool = False
) -> tuple[Choose[Any], str] | None:
    """The last question of the same words to the side, and its answer, since the last note that it could read by one of
    some rules, or, if `hits` matter, of something that was hit."""
    words = value_text(request.verb)
    for asked, answer in reversed(copy.events):
        if not isinstance(asked, Note | Choose) or asked.side not in ("", request.side):
            continue
        if isinstance(asked, Choose):
            if answer != FORCED and value_text(asked.verb) == words:
                return asked, asked.option(answer).text
        elif asked.rule in since or (hits and asked.headline is not None and asked.headline.is_hit):
            return None
    return None


def fill_in(copy: Playable, side: str, filler: Filler, kept: Sequence[Field] = ()) -> tuple[Field, ...]:
    """The fields of a sheet; the copy is played on. `kept` are those at its beginning that are known already. What ends
    it is not told: that too may follow from a secret."""
    fields: list[Field] = []
    seen, in_sight = len(copy.events), sight(copy.ruleset, copy.state, side)
    while True:
        news = copy.events[seen:]
        seen += len(news)
        request = copy.pending
        if not isinstance(request, Choose) or request.side != side or sight(copy.ruleset, copy.state, side) != in_sight:
            return tuple(fields)
        if any([tells(event, side) or _is_enemys(event, side) for event in news]):
            return tuple(fields)
        place = len(fields)
        fields.append(kept[place] if place < len(kept) else filled_in(copy, request, fields, filler))
        copy.choose(fields[-1].chosen)


def tells(event: Event, side: str) -> bool:
    """Whether an event tells a side something about the enemy: news of his secrets that it can read."""
    request = event[0]
    if not isinstance(request, Note) or not request.reveals or request.reveals == side:
        return False
    return request.side in ("", side) or bool(request.twin)


def _is_enemys(event: Event, side: str) -> bool:
    """Whether it is a secret decision of the enemy, even one that left him no choice: that must not show."""
    request, answer = event
    return isinstance(request, Choose) and answer == FORCED and is_secret_from(request, side)


def filled_in(
    copy: Playable, request: Choose[Any], before: Sequence[Field], filler: Filler, wait: Wait | None = None
) -> Field:
    """The field of a question."""
    words = value_text(request.verb)
    times = sum([one.key.partition("#")[0] == words for one in before])
    key = f"{words}#{times + 1}" if times else words
    level = filler.level_of(copy, request)
    chosen = filler.choose(copy, request, key, level)
    return Field(
        key=key,
        question=sentence(request.question),
        offers=tuple([Offer(option.text, option.label, option.rule) for option in request.options]),
        chosen=chosen.text,
        by=chosen.by,
        rules=request.rules,
        level=level,
        counts=all([isinstance(value, int) for value in request.values]),
        order=chosen.order,
        dropped="" if chosen.by is By.YOU else filler.answers.get(key, ""),
        wait=wait,
    )
