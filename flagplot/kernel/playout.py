"""Playing on without a table: the same scripts and players, but no log, no tape and nothing to take back.

Whoever wants many games from one position, to count what comes of them, makes a `Start` once and plays on from it as
often as he likes. The scripts are those of a game of people; only what nobody would read is not kept. So the same dice
and players make the same game: `playout(game, players, dice)` ends as `game.copy(dice)` would after `play(players)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

from flagplot.kernel.dice import Dice
from flagplot.kernel.errors import DiceError, IllegalAnswer
from flagplot.kernel.game import Game, Player, picks_through
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.procedures import Border, Borders, HasFrames, story
from flagplot.kernel.progress import Pick
from flagplot.kernel.requests import Choose, Faces, Note, Option, Roll
from flagplot.kernel.ruleset import Ruleset
from flagplot.kernel.views import View, Window

S = TypeVar("S", bound=HasFrames)
Answer = int | str | Faces
"""What is answered: the place or the text of an option, or the faces of dice."""
Stop = Callable[[S], bool]
NOBODY: Mapping[str, Player] = {}
NO_PICKS: Mapping[str, Pick] = {}


class Start(NamedTuple, Generic[S]):
    """Where playouts begin: a border between segments, and the answers since."""

    ruleset: Ruleset[S]
    state: S
    """The state at the border; it is never changed."""
    answers: Sequence[Answer] = ()
    turn: int = 0
    """How many answers were given before the border, and how many of them were rolls."""
    rolls: int = 0


def start_of(game: Game[S]) -> Start[S]:
    """Where a game stands now."""
    mark = game.last_border()
    return Start(game.ruleset, mark.state, game.since_border, mark.turn, mark.rolls)


class Playout(Generic[S]):
    """A game that is only played on. `pending` is what it waits for, or None at its end and at a border where it was to
    stop."""

    __slots__ = ("_send", "_stop", "pending", "rolls", "ruleset", "state", "turn")

    def __init__(self, start: Start[S], stop: Stop[S] | None = None) -> None:
        self.ruleset, self.turn, self.rolls = start.ruleset, start.turn, start.rolls
        self.state = copy_of(start.state)
        self.pending: Choose[Any] | Roll[Any] | None = None
        self._send = story(start.ruleset.procedures, self.state, Borders(told=stop is not None)).send
        """Tells the story on with the value of an answer."""
        self._stop = stop
        self._go_on(self._send(None))
        for answer in start.answers:
            self.answer(answer)

    @property
    def over(self) -> bool:
        return not self.state.frames

    @property
    def result(self) -> dict[str, Any] | None:
        """How it ended; None if it was not played to its end."""
        return self.ruleset.result(self.state) if self.over else None

    def answer(self, answer: Answer) -> None:
        """Answer what is asked with an option, by its place or its text, or with the faces of dice."""
        self._go_on(self._send(self._value_of(answer)))

    def _value_of(self, answer: Answer) -> Any:
        """What an answer is to the script; it is counted."""
        request, value = self.pending, None
        if isinstance(request, Roll) and isinstance(answer, tuple):
            value = request.reads(answer)
            self.rolls += 1
        elif isinstance(request, Choose) and not isinstance(answer, tuple):
            option = request.find(answer) if isinstance(answer, str) else request.option(answer)
            if option is None:
                offered = [each.text for each in request.options]
                raise IllegalAnswer("not one of the answers", given=answer, allowed=offered)
            value = option.value
        else:
            raise IllegalAnswer("this is not what is asked", given=answer)
        self.turn += 1
        return value

    def play(self, players: Mapping[str, Player], dice: Dice, most: int | None = None) -> None:
        """Let players and dice answer, to the end or to where it stops, with `most` answers in all."""
        if self.pending is not None:
            picks = picks_through(partial(Window, self), players)
            self._go_on(self.pending, players, dice, inf if most is None else most, picks)

    def _go_on(
        self,
        request: Any,
        players: Mapping[str, Player] = NOBODY,
        dice: Dice | None = None,
        most: float = inf,
        picks: Mapping[str, Pick] = NO_PICKS,
    ) -> None:
        """From a request on: run the scripts until something is asked, which players answer if there are dice, to a
        border where it is to stop, or to the end. For sides that have `picks` no player is asked."""
        send, state, stop = self._send, self.state, self._stop
        while True:
            kind = request.__class__  # these are all that there are, and this is asked very often
            if kind is Note:
                value = None
            elif kind is Choose:
                values = request.values
                if len(values) > 1 or (request.always and values):
                    self.pending = request
                    if dice is None or self.turn >= most:
                        return
                    side = request.side
                    if side in picks:
                        value = values[picks[side](request)]
                        self.turn += 1
                    else:
                        value = self._chosen(players[side], request)
                else:
                    value = values[0]
            elif kind is Border:
                if not state.frames or (stop is not None and stop(state)):
                    self.pending = None
                    return
                value = None
            else:
                self.pending = request
                if dice is None or self.turn >= most:
                    return
                value = request.reads(dice.faces(request, self.rolls, _no_head))
                self.turn += 1
                self.rolls += 1
            request = send(value)

    def _chosen(self, player: Player, request: Choose[Any]) -> Any:
        """What a player answers, as a value of the script; it is counted."""
        chosen = player.choose(View(self, request.side), request)
        if isinstance(chosen, Option) and chosen.request is request:
            self.turn += 1
            return chosen.value
        return self._value_of(str(chosen))

    def log(self, side: str) -> NoReturn:
        raise IllegalAnswer("a game that is only played on keeps no log")

    def moment_of(self, side: str) -> NoReturn:
        raise IllegalAnswer("a game that is only played on counts no moments")


def playout(
    start: Start[S] | Game[S],
    players: Mapping[str, Player],
    dice: Dice,
    *,
    first: Sequence[Answer] = (),
    stop: Stop[S] | None = None,
    most: int | None = None,
) -> Playout[S]:
    """Play on from a position, with players for all sides that decide and with dice.

    `first` are answers that are given before the players are asked: the option whose worth is to be found, for
    instance. It ends with the game, or at the first border between segments at which `stop`, asked with the state, says
    so (it may also copy the state: at a border that is a `Start`), or when `most` answers are given.
    """
    played = Playout(start if isinstance(start, Start) else start_of(start), stop)
    for answer in first:
        played.answer(answer)
    played.play(players, dice, most)
    return played


def _no_head() -> str:
    raise DiceError("a game that is only played on has no tape, so it needs dice from a seed")
