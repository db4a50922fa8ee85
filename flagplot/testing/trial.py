"""One game on trial: what the checks look at, and what they remember of the moments before."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol, TypeAlias

from flagplot.kernel.dice import Dice
from flagplot.kernel.errors import UndoRefused
from flagplot.kernel.game import Game
from flagplot.kernel.log import Entry, Event, LogReader
from flagplot.kernel.plain_data import canonical, copy_of
from flagplot.kernel.progress import Checkpoint
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.ruleset import UMPIRE, Ruleset
from flagplot.kernel.views import View, options_of
from flagplot.kernel.words import say
from flagplot.testing.report import Report

TAKEN_BACK = 0.08
"""How often a choice is taken back as soon as it was made, if the game lets it be."""


class Laws(Protocol):
    """What must be true of the states of one game of some ruleset. Each method says in words what is not."""

    def always(self, state: Any) -> Iterable[str]:
        """Of the state at any moment, in the middle of a segment too."""
        ...

    def step(self, before: Any, after: Any) -> Iterable[str]:
        """Of the states at two borders that follow each other; at the start both are the opening."""
        ...


Enact = Callable[[Any], Laws]
"""Makes the laws of a game from its opening state."""


class Setup(NamedTuple):
    """A scenario that is ready to be played any number of times."""

    label: str
    ruleset: Ruleset[Any]
    scenario: Mapping[str, Any]
    options: Any
    opening: Any
    enact: Enact | None = None

    def game(self, dice: Dice) -> Game[Any]:
        return Game(self.ruleset, self.scenario, self.options, copy_of(self.opening), dice)


Snapshot: TypeAlias = dict[str, str]
"""All that can be known of a game at a moment, as texts by name; equal games have equal snapshots."""


class Reading(LogReader):
    """Reads the logs of a game and of its copies for one reader. They share most of their events, and to put those into
    words for each of them would take longer than all else, so the words of the game's own events are remembered. That
    words stand as they were told is a check of its own: `log_checks.words_stand_as_they_were_told`."""

    def __init__(self, reader: str) -> None:
        super().__init__(reader)
        self._own = False
        self._told: dict[int, tuple[Event, Entry | None]] = {}
        """By the identity of an event; the event is kept, so that no other has the same."""
        self._texts: dict[int, str] = {}
        """By the identity of an entry."""

    def read(self, game: Game[Any], *, own: bool) -> str:
        """The log of a game as JSON; `own` if it is the game whose events are remembered."""
        self._own, self._entries = own, []
        for event in game.events:
            self.add(event)
        texts = [self._texts.get(id(entry)) or as_json(entry.as_dict()) for entry in self.entries(game.pending)]
        return f"[{', '.join(texts)}]"

    def _entry(self, event: Event) -> Entry | None:
        if id(event) in self._told:
            return self._told[id(event)][1]
        entry = super()._entry(event)
        if self._own:
            self._told[id(event)] = event, entry
            if entry is not None:
                self._texts[id(entry)] = as_json(entry.as_dict())
        return entry


def _timeless(view: View) -> dict[str, Any]:
    """A view without its moment, which after an undo is another one although everything else is the same again."""
    return {name: part for name, part in view.as_dict().items() if name != "moment"}


def quick(game: Game[Any]) -> tuple[object, ...]:
    """Enough of a game to see whether anything changed in it."""
    return game.turn, len(game.events), id(game.pending), canonical(game.state)


def unlike(ours: Snapshot, theirs: Snapshot) -> Iterator[str]:
    """The first thing in which two snapshots are not the same."""
    for name, text in ours.items():
        if text != theirs[name]:
            yield f"the {name} is not the same: {difference(text, theirs[name])}"
            return


as_json: Callable[[Any], str] = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def log_of(game: Game[Any], reader: str) -> list[dict[str, Any]]:
    return [entry.as_dict() for entry in game.log(reader)]


def asked_of(game: Game[Any]) -> dict[str, Any] | None:
    """The pending request as plain data, for whoever may see all of it."""
    request = game.pending
    if isinstance(request, Choose):
        return {"side": request.side, "choose": say(request.question), "options": options_of(request)}
    if isinstance(request, Roll):
        return {
            "side": request.side,
            "roll": say(request.purpose),
            "dice": request.dice,
            "ledger": request.ledger.as_dict(),
        }
    return None


def difference(ours: str, theirs: str) -> str:
    """Where two texts part, with a little of what stands around."""
    place = next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    around = slice(max(0, place - 60), place + 40)
    return f"“…{ours[around]}…” and “…{theirs[around]}…”"


LEAVING = frozenset({"withdraw", "retreat"})
"""Questions that would end most battles at once if any answer were as likely as the next; the first one is to stay."""
STAYS = 0.7


@dataclass(slots=True)
class Trial:
    """A game that is played at random from a seed. The answers depend on the seed alone, not on what is checked."""

    setup: Setup
    seed: int
    game: Game[Any]
    report: Report
    folder: Path
    laws: Laws | None
    told: list[dict[str, dict[str, Any] | None]] = field(default_factory=list)
    """Each event's entry in the log of each reader, as it read when it was new."""
    seen: dict[int, Snapshot] = field(default_factory=dict)
    """Snapshots of moments before this one, by the number of answers."""
    shared: list[tuple[Any, str]] = field(default_factory=list)
    """Parts of the state that copies share, with the text that they had at the start."""
    border: Checkpoint | None = None
    """The last border that the laws were held against."""
    moments: dict[str, int] = field(default_factory=dict)
    """The moment of the last question that each reader could answer."""
    answers: int = 0
    _now: Snapshot | None = None
    _logs: dict[str, Reading] = field(default_factory=dict)
    _chance: Random = field(init=False)

    def __post_init__(self) -> None:
        self._chance = Random(f"answers {self.seed}")

    @property
    def readers(self) -> tuple[str, ...]:
        return (*self.game.sides, UMPIRE)

    @property
    def now(self) -> Snapshot:
        """The game at this moment, as it was when a check first looked at all of it."""
        if self._now is None:
            self._now = self.snapshot(self.game)
        return self._now

    def snapshot(self, game: Game[Any]) -> Snapshot:
        """All of the game on trial, or of another that came from it."""
        return {
            "number of answers": str(game.turn),
            "state": canonical(game.state),
            "pending request": as_json(asked_of(game)),
            **{f"log of {reader}": self.log(game, reader) for reader in self.readers},
            **{f"view of {reader}": as_json(_timeless(game.view(reader))) for reader in self.readers},
        }

    def log(self, game: Game[Any], reader: str) -> str:
        """The log of a game as JSON."""
        reading = self._logs.setdefault(reader, Reading(reader))
        return reading.read(game, own=game is self.game)

    def chance(self, purpose: str) -> Random:
        """Chance for one check at this moment; it does not touch the course of the game."""
        return Random(f"{purpose} {self.seed} {self.answers}")

    def answer(self) -> None:
        """Give the next answer: the dice fall, or a side takes any option, and now and then takes it back."""
        game, chance = self.game, self._chance
        self.answers += 1
        self._now = None
        request = game.pending
        if isinstance(request, Roll):
            game.roll()
        elif request is not None:
            index = chance.randrange(len(request))
            if request.verb in LEAVING and chance.random() < STAYS:
                index = 0
            option = request.option(index)
            game.choose(option if chance.random() < 0.5 else option.text)
            if chance.random() < TAKEN_BACK:
                self._take_back()

    def _take_back(self) -> None:
        try:
            self.game.undo()
        except UndoRefused:
            return
        for turn in [turn for turn in self.seen if turn > self.game.turn]:
            del self.seen[turn]


def go_on(game: Game[Any], chance: Random, answers: int) -> None:
    """Let a game go on at random for so many answers, or to its end."""
    for _ in range(answers):
        request = game.pending
        if isinstance(request, Roll):
            game.roll()
        elif request is not None:
            game.choose(request.option(chance.randrange(len(request))))
