"""How far a game has come: its state, the script of the segment that is being played, and everything answered so far.

A position is the state at some border between segments (a checkpoint) plus the answers since. A game that is only
played keeps few checkpoints, because they cost time; one that is copied or taken back keeps one at every border from
then on, so that each further copy runs at most one segment again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from flagplot.kernel.dice import Head
from flagplot.kernel.errors import UnknownName
from flagplot.kernel.log import FORCED, Entry, Event, read_log
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.procedures import Border, Borders, HasFrames, story
from flagplot.kernel.requests import Choose, Faces, Note, Roll
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE, Ruleset

S = TypeVar("S", bound=HasFrames)


class Checkpoint(NamedTuple):
    """A border between segments: how many answers and rolls had been given, the state (never changed), and how long
    the log was."""

    turn: int
    rolls: int
    state: Any
    logged: int


Pick = Callable[[Choose[Any]], int]
"""Says the place of an option, and looks at nothing but the question."""


class Unattended(NamedTuple):
    """What answers at once, while nobody is waited for: the picks of some sides, and the faces of dice."""

    picks: Mapping[str, Pick]
    faces: Callable[[Roll[Any], int, Head], Faces] | None
    head: Head


def _no_head() -> str:
    raise AssertionError("no dice are rolled")


ATTENDED = Unattended({}, None, _no_head)
"""Every answer is waited for."""

STRIDE = 256
"""Answers between the checkpoints of a game that is only played."""

REVEALED = "something hidden was revealed"
"""Why nothing can be taken back from before a note that told something hidden, or dice that show how many there are."""

ROLLED = "a die was rolled"
"""Why nothing can be taken back from before a roll."""


class Progress(Generic[S]):
    """A game that goes on answer by answer. `pending` is what it waits for: a `Choose`, a `Roll`, or None at the
    end."""

    def __init__(self, ruleset: Ruleset[S], scenario: Mapping[str, Any], options: Any, state: S) -> None:
        self.ruleset = ruleset
        self.scenario = scenario
        self.options = options
        self.pending: Choose[Any] | Roll[Any] | None = None
        self.turn = 0
        self.undone = 0
        self._taken_back: dict[str, int] = {}
        self._confirmed = (0, 0)
        """The turns before and after the last sheet."""
        self._rolls = 0
        self._events: list[Event] = []
        self._stride = STRIDE
        self._due = 0
        """The turn from which the next border is to be remembered."""
        self._passing = 0
        """Borders that are told and not remembered."""
        self._sealed = 0
        self._seal = ""
        self._checkpoints: list[Checkpoint] = []
        self._unattended = ATTENDED
        self._tell_story(state)
        self._mark()

    # --- running the scripts ------------------------------------------------------------------------------------

    def _tell_story(self, state: S) -> None:
        """Begin the story of a state, at a border that is remembered."""
        self.state = state
        self._borders = Borders(told=self.turn >= self._due)
        """Whether the border that is remembered last is the last one, and whether the next is to be remembered too."""
        self._send = story(self.ruleset.procedures, state, self._borders).send
        """Tells the story on with the value of an answer."""

    def _mark(self) -> None:
        """Remember this border, and forget the checkpoints that undo cannot reach any more."""
        marks = self._checkpoints
        if marks and marks[-1].turn == self.turn:
            marks.pop()
        marks.append(Checkpoint(self.turn, self._rolls, copy_of(self.state), len(self._events)))
        self._due = self.turn + self._stride
        self._borders.told, self._borders.passed = not self._stride, 0
        while len(marks) > 1 and marks[1].turn <= self._sealed:
            del marks[0]

    def _mark_from_now_on(self) -> None:
        """Remember every border from here on."""
        self._stride, self._due = 0, 0
        self._borders.told = True

    def _run(self, value: Any = None, answered: Event | None = None) -> None:
        """Go on with the value of an answer until something is asked that is not answered at once, or to the end."""
        events, send, borders, turn, due = self._events, self._send, self._borders, self.turn, self._due
        picks, faces, head = self._unattended
        if answered is not None:
            turn += 1
            events.append(answered)
            if turn >= due:
                borders.told = True
        try:
            while True:
                request: Any = send(value)
                kind = type(request)  # these are all that there are, and this is asked very often
                if kind is Choose:
                    values = request.values
                    if len(values) < 2 and not (request.always and values):
                        value = self._forced(request)
                        continue
                    if request.side not in picks:
                        self.pending = request
                        return
                    answer: Any = picks[request.side](request)
                    value = values[answer]
                elif kind is Note:
                    events.append((request, None))
                    if request.reveals:
                        self._sealed, self._seal = turn, REVEALED
                    value = None
                    continue
                elif kind is Border:
                    if not self.state.frames:
                        break
                    if self._passing:
                        self._passing -= 1
                    else:
                        self.turn = turn
                        self._mark()
                        due = self._due
                    value = None
                    continue
                else:
                    if request.secret:
                        self._sealed, self._seal = turn, REVEALED
                    self.pending = request
                    if faces is None:
                        return
                    answer = faces(request, self._rolls, head)
                    value = request.reads(answer)
                    self._rolls += 1
                    self._sealed, self._seal = turn + 1, ROLLED
                turn += 1
                events.append((request, answer))
                if turn >= due:
                    borders.told = True
        finally:
            self.turn = turn
        self._finish()

    def _forced(self, request: Choose[Any]) -> Any:
        """The one value of a choice that leaves none; if it is secret, the other side is still told of a decision."""
        if not request.values:
            raise AssertionError(f"the rules offer nothing: {request}")
        if request.secret:
            self._events.append((request, FORCED))
        return request.values[0]

    def _finish(self) -> None:
        self.pending = None

    def _since(self, mark: Checkpoint, until: int) -> list[Any]:
        """The answers after a checkpoint, up to the `until`-th of the game."""
        answers = [answer for _, answer in self._events[mark.logged :] if answer is not None and answer != FORCED]
        return answers[: until - mark.turn]

    # --- what happened, and what moment it is -------------------------------------------------------------------

    @property
    def sides(self) -> tuple[str, ...]:
        return self.ruleset.sides(self.state)

    @property
    def rolls(self) -> int:
        """How many times dice were rolled."""
        return self._rolls

    @property
    def events(self) -> Sequence[Event]:
        """Everything that was asked, answered and noted so far. The umpire's: no side may see it."""
        return self._events

    @property
    def border(self) -> Checkpoint:
        """The last border between segments that is remembered. Its state must not be changed."""
        return self._checkpoints[-1]

    @property
    def since_border(self) -> list[Any]:
        """What was answered after that border: the places of options, and the faces of dice."""
        return self._since(self.border, self.turn)

    def log(self, side: str) -> list[Entry]:
        """The log as that side (or the ``umpire``) may read it."""
        return read_log(self._events, self._known(side), self.pending)

    @property
    def moment(self) -> int:
        """The umpire's moment: a number that is different for every question of the game, also after an undo."""
        return self.moment_of(UMPIRE)

    def moment_of(self, side: str) -> int:
        """The number of this moment as that side (or the ``umpire``) may know it.

        A side counts its own answers, the rolls, and twice the take-backs that it notices: of its own answers, of
        questions that it was asked, of rolls that were to be made. So at its own questions, and at rolls, its number
        never comes back, and what the other side was asked in secret does not change it. The count is made into a
        number that no other reader can have: what remains in a division by the number of readers says whose it is.
        A neutral answers nothing: he has only the rolls to count, in numbers below zero that no answer can name.
        """
        if side == NEUTRAL:
            return -1 - self._rolls
        readers = (*self.sides, UMPIRE)
        place = readers.index(self._known(side))
        count = self.turn + 2 * self.undone if side == UMPIRE else self._noticed(side)
        return count * len(readers) + place

    def _noticed(self, side: str) -> int:
        """Counted when somebody asks: it would be a waste in a game that is only played."""
        own = [
            request
            for request, answer in self._events
            if isinstance(request, Choose) and request.side == side and answer != FORCED
        ]
        return len(own) + self._rolls + 2 * self._taken_back.get(side, 0)

    @property
    def result(self) -> dict[str, Any] | None:
        """How the game ended, or None while it goes on."""
        return self.ruleset.result(self.state) if self.pending is None else None

    def _known(self, side: str) -> str:
        if side not in self.sides and side not in (UMPIRE, NEUTRAL):
            raise UnknownName("no such side", given=side, allowed=[*self.sides, UMPIRE])
        return side
