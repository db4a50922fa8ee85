"""A game: a state, the script of the segment that is being played, and everything answered so far.

The position inside a segment is the state at its start (the border) plus the answers since. So a copy or a
take-back runs at most one segment again, and a save is nothing but the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from flagplot.kernel.dice import Committed, Dice, read_faces
from flagplot.kernel.errors import IllegalAnswer, SaveError, StaleAnswer, UndoRefused, UnknownName
from flagplot.kernel.log import FORCED, Entry, Event, read_log
from flagplot.kernel.plain import copy_of, digest, to_plain
from flagplot.kernel.procedures import HasFrames, Next, begin, proceed
from flagplot.kernel.requests import Choose, Faces, Note, Option, Roll, Script
from flagplot.kernel.ruleset import UMPIRE, Ruleset
from flagplot.kernel.tape import FORMAT, SaveFile, Tape, secret_path, write_secret
from flagplot.kernel.views import View

S = TypeVar("S", bound=HasFrames)


class Player(Protocol):
    """Anything that answers for a side from that side's view."""

    def choose(self, view: View, request: Choose[Any]) -> Option[Any] | str: ...


class Border(NamedTuple):
    """The start of a segment: how many answers had been given, the state (never changed), how long the log was."""

    turn: int
    state: Any
    logged: int


class Game(Generic[S]):
    """One game of any ruleset. `pending` is what it waits for: a `Choose`, a `Roll`, or None at the end."""

    def __init__(
        self, ruleset: Ruleset[S], scenario: Mapping[str, Any], options: Any, state: S, dice: Dice
    ) -> None:
        self.ruleset = ruleset
        self.scenario = scenario
        self.options = options
        self.dice = dice
        self.state = state
        self.pending: Choose[Any] | Roll[Any] | None = None
        self.turn = 0
        self._rolls = 0
        self._events: list[Event] = []
        self._since: list[Any] = []
        self._sealed = 0
        self._seal = ""
        self._tape = Tape(self.header()) if isinstance(dice, Committed) else None
        self._file: SaveFile | None = None
        self._script: Script[Next]
        self._borders: list[Border] = []
        self._enter()
        self._run(None)

    # --- answering ----------------------------------------------------------------------------------------------

    def choose(self, answer: Option[Any] | str, *, at: int | None = None) -> None:
        """Answer the pending choice with one of its options, or its text.

        `at` names the moment that the answer is meant for (the `turn` at which it was asked): a page or a letter may
        be slow, and an answer to an older question is refused rather than taken for this one.
        """
        self._expect(at)
        request = self.pending
        if not isinstance(request, Choose):
            waits = "the game is over" if request is None else f"dice are to be rolled now: {request}"
            raise IllegalAnswer(f"nothing is to be chosen: {waits}", given=answer)
        option = answer if isinstance(answer, Option) and answer.request is request else request.find(str(answer))
        if option is None:
            offered = [offer.text for offer in request.options]
            raise IllegalAnswer("this is not offered", given=answer, allowed=offered, rule=", ".join(request.rules))
        if self._tape is not None:
            self._record({"side": request.side, "choose": option.text})
        self.turn += 1
        self._since.append(option.index)
        self._events.append((request, option.index))
        self._run(option.value)

    def roll(self, faces: Any = None, *, at: int | None = None) -> Faces:
        """Roll the pending dice: the game's own, or the given faces. The faces are returned."""
        self._expect(at)
        request = self.pending
        if not isinstance(request, Roll):
            waits = "the game is over" if request is None else f"a choice is to be made now: {request}"
            raise IllegalAnswer(f"no dice are to be rolled: {waits}", given=faces)
        if faces is None:
            fallen = self.dice.faces(request, self._rolls, self._head)
        else:
            fallen = read_faces(faces, request.dice)
        reading = request.reads(fallen)
        if self._tape is not None:
            self._record({"side": request.side, "roll": list(fallen)})
        self.turn += 1
        self._rolls += 1
        self._since.append(fallen)
        self._events.append((request, fallen))
        self._sealed, self._seal = self.turn, "a die was rolled"
        self._run(reading)
        return fallen

    def play(
        self, players: Mapping[str, Player], until: Callable[[Game[S]], bool] | int | None = None
    ) -> dict[str, Any] | None:
        """Let players answer until the end, until `until` (a number of answers or a test), or until a side
        chooses that has no player. Returns the result if the game is over."""
        stop = (lambda game: game.turn >= until) if isinstance(until, int) else until
        while (request := self.pending) is not None and not (stop and stop(self)):
            if isinstance(request, Roll):
                self.roll()
            elif request.side in players:
                self.choose(players[request.side].choose(View(self, request.side), request))
            else:
                break
        return self.result

    def _expect(self, at: int | None) -> None:
        if at is not None and at != self.turn:
            raise StaleAnswer(f"this answers question {at}, but the game is at {self.turn}", given=at)

    # --- running the scripts ------------------------------------------------------------------------------------

    def _enter(self) -> None:
        """Begin the segment on top of the stack: remember the border and forget those that undo cannot reach."""
        borders = self._borders
        borders.append(Border(self.turn, copy_of(self.state), len(self._events)))
        while len(borders) > 1 and borders[1].turn <= self._sealed:
            del borders[0]
        self._since = []
        self._script = begin(self.ruleset.procedures, self.state)

    def _run(self, answer: Any) -> None:
        """Go on with an answer until something is asked, or to the end."""
        while True:
            try:
                request = self._script.send(answer)
            except StopIteration as stop:
                proceed(self.ruleset.procedures, self.state.frames, stop.value)
                if not self.state.frames:
                    self._finish()
                    return
                self._enter()
                answer = None
                continue
            if isinstance(request, Note):
                self._events.append((request, None))
                if request.reveals:
                    self._sealed, self._seal = self.turn, "something hidden was revealed"
                answer = None
            elif isinstance(request, Choose) and len(request.values) == 1:
                if request.secret:
                    self._events.append((request, FORCED))
                answer = request.values[0]
            else:
                self.pending = request
                return

    def _finish(self) -> None:
        self.pending = None
        if self._tape is not None:
            self._close()

    def _again(self, border: Border, answers: list[Any]) -> None:
        """Run the segment at a border again with some answers; the tape is not touched."""
        tape, self._tape = self._tape, None
        self.turn = border.turn
        self.state = copy_of(border.state)
        del self._events[border.logged :]
        self._since = []
        self._script = begin(self.ruleset.procedures, self.state)
        self._run(None)
        for answer in answers:
            if isinstance(answer, int):
                self.choose(self.pending.option(answer))  # type: ignore[union-attr]
            else:
                self._rolls -= 1
                self.roll(answer)
        self._tape = tape

    # --- copy and undo ------------------------------------------------------------------------------------------

    def copy(self, dice: Dice | None = None) -> Game[S]:
        """An independent game at the same point, with other dice if given. It shares no save: its answers go nowhere."""
        twin: Game[S] = Game.__new__(type(self))
        twin.ruleset, twin.scenario, twin.options, twin.dice = self.ruleset, self.scenario, self.options, dice or self.dice
        twin._rolls, twin._sealed, twin._seal = self._rolls, self._sealed, self._seal
        twin._events = self._events[:]
        twin._borders = self._borders[:]
        twin._tape, twin._file = None, None
        twin.pending = None
        twin.turn = self.turn
        if self.pending is None:
            twin.state, twin._since, twin._script = copy_of(self.state), [], self._script
        else:
            twin._again(self._borders[-1], self._since)
        twin._tape = self._tape.copy() if self._tape and not dice else None
        return twin

    def undo(self, side: str | None = None) -> None:
        """Take the last choice back. Refused once a die was rolled, something was revealed or the other side chose."""
        if self.turn == 0:
            raise UndoRefused("nothing has been answered yet")
        if self._sealed >= self.turn:
            raise UndoRefused(f"{self._seal} since then")
        last = self._last_chooser()
        if side is not None and side != last:
            raise UndoRefused(f"{last} has chosen since then", given=side)
        if self._tape is not None:
            self._record({"side": last, "undo": self.turn})
        target = self.turn - 1
        while self._borders[-1].turn > target:
            self._borders.pop()
        border = self._borders[-1]
        self._again(border, self._answers(border, target))

    def _last_chooser(self) -> str:
        return next(
            request.side
            for request, answer in reversed(self._events)
            if isinstance(request, Choose) and answer != FORCED
        )

    def _answers(self, border: Border, target: int) -> list[Any]:
        """The first answers after a border, up to the `target`-th of the game, from the events."""
        answers = [answer for _, answer in self._events[border.logged :] if answer is not None and answer != FORCED]
        return answers[: target - border.turn]

    # --- looking ------------------------------------------------------------------------------------------------

    @property
    def sides(self) -> tuple[str, ...]:
        return self.ruleset.sides(self.state)

    def view(self, side: str) -> View:
        """What that side (or the ``umpire``) may know now."""
        return View(self, self._known(side))

    def log(self, side: str) -> list[Entry]:
        """The log as that side (or the ``umpire``) may read it."""
        return read_log(self._events, self._known(side))

    @property
    def result(self) -> dict[str, Any] | None:
        """How the game ended, or None while it goes on."""
        return self.ruleset.result(self.state) if self.pending is None else None

    def _known(self, side: str) -> str:
        if side not in self.sides and side != UMPIRE:
            raise UnknownName("there is no such side", given=side, allowed=[*self.sides, UMPIRE])
        return side

    # --- the tape -----------------------------------------------------------------------------------------------

    def header(self) -> dict[str, Any]:
        """The first line of a save: all that the answers are answers to."""
        from flagplot import __version__

        return {
            "flagplot": FORMAT,
            "program": __version__,
            "game": self.ruleset.name,
            "rules": self.ruleset.version,
            "scenario": self.scenario,
            "options": to_plain(self.options),
            "dice": self.dice.header,
        }

    def tape(self) -> Tape:
        """The tape so far: header, answers and, at the end, the closing line."""
        if self._tape is not None:
            return self._tape
        tape = Tape(self.header())
        for request, answer in self._events:
            if isinstance(request, Roll):
                tape.add(*tape.line({"side": request.side, "roll": list(answer)}))
            elif isinstance(request, Choose) and answer != FORCED:
                tape.add(*tape.line({"side": request.side, "choose": request.option(answer).text}))
        if self.pending is None:
            tape.add(*tape.line(self._closing()))
        return tape

    def _close(self) -> None:
        """Put the closing line on the tape. It opens the secret, so the copy beside the save is no longer needed."""
        self._record(self._closing())
        if self._file is not None:
            secret_path(self._file.path).unlink(missing_ok=True)

    def _closing(self) -> dict[str, Any]:
        closing: dict[str, Any] = {"end": {"result": self.ruleset.result(self.state), "state": digest(self.state)}}
        if isinstance(self.dice, Committed):
            closing["secret"] = self.dice.secret
        return closing

    def _head(self) -> str:
        if self._tape is None:
            self._tape = self.tape()
        return self._tape.head

    def _record(self, body: dict[str, Any]) -> None:
        """Put a line on the tape; if the game is being saved it is on the disk before it counts."""
        assert self._tape is not None
        text, mark = self._tape.line(body)
        if self._file is not None:
            self._file.append(text)
        self._tape.add(text, mark)

    def save(self, path: str | Path, *, follow: bool = True, overwrite: bool = False) -> None:
        """Write the game to a file. From then on, unless `follow` is false, each answer is on disk before it counts."""
        path = Path(path)
        if self._file is not None and self._file.path == path:
            return
        if isinstance(self.dice, Committed) and self.pending is not None:
            if path.exists() and not overwrite:
                raise SaveError("there is a file of this name already; it is left as it is", given=path)
            write_secret(path, self.dice.secret)
        tape = self.tape()
        file = SaveFile.create(path, tape.texts, overwrite=overwrite)
        if follow:
            self.stop_saving()
            self._tape, self._file = tape, file
        else:
            file.close()

    def stop_saving(self) -> None:
        """Let go of the save that this game follows; the file stays as it is."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def attach(self, tape: Tape, file: SaveFile | None, *, closed: bool) -> None:
        """Go on from a save that was read: further answers are chained to it (and written to the file).

        A save may have been cut off between the last answer and the closing line, which is then added."""
        self._tape, self._file = tape, file
        if self.pending is None and not closed:
            self._close()
