"""A game that keeps its tape: every answer on it, what players add to the dice, and the save that follows it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from flagplot.kernel.ahead import OrderAhead
from flagplot.kernel.dice import Committed, Dice, read_contribution
from flagplot.kernel.errors import BadValue, DiceError, IllegalAnswer, SaveError, UnknownName
from flagplot.kernel.log import FORCED
from flagplot.kernel.plain_data import digest, to_plain
from flagplot.kernel.procedures import HasFrames
from flagplot.kernel.progress import Progress
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.ruleset import Ruleset
from flagplot.kernel.save_lines import FORMAT
from flagplot.kernel.tape import Follower, SaveFile, Tape
from flagplot.kernel.tape_rules import TapeRules
from flagplot.version import __version__

S = TypeVar("S", bound=HasFrames)

NO_PLEDGE = "0" * 64


class Recording(Progress[S]):
    """The tape of a game is the truth: a line is on it, and on the disk, before the answer counts."""

    def __init__(
        self,
        ruleset: Ruleset[S],
        scenario: Mapping[str, Any],
        options: Any,
        state: S,
        dice: Dice,
        seats: Mapping[str, str] | None = None,
    ) -> None:
        """`seats` says who holds each side, in a game of a web table: then the tape proves who had a part in the
        dice."""
        super().__init__(ruleset, scenario, options, state)
        self.dice = dice
        self.orders_ahead: dict[str, tuple[OrderAhead, ...]] = {}
        """What each side has decided about questions that come after the enemy's next decisions. Not saved."""
        self.tape_rules = self._tape_rules_of(seats)
        self._tape = Tape(self.header()) if isinstance(dice, Committed) else None
        self._file: Follower | None = None
        self._run()

    # --- what players add to the dice, and who they are -----------------------------------------------------------

    def contribute(self, side: str, contribution: str) -> None:
        """Put something of a side's own on the tape, hexadecimal digits that it drew by itself. It changes nothing but
        the head of the tape, and all committed dice from there on."""
        if side not in self.sides:
            raise UnknownName("no such side", given=side, allowed=list(self.sides))
        if self.pending is None:
            raise IllegalAnswer("the game is over: nothing can be added to its dice", given=contribution)
        if not isinstance(self.dice, Committed):
            raise DiceError("only committed dice take contributions", given=self.dice.header["kind"])
        self._head()  # a copy with other dice has no tape until somebody asks
        self._record({"side": side, "contribute": read_contribution(contribution)})

    @property
    def contributors(self) -> tuple[str, ...]:
        """The sides that have added something of their own to the dice."""
        return tuple(self.tape_rules.contributed)

    def pledge(self, side: str, pledge: str) -> None:
        """A side's client promises bytes for a later roll: the SHA-256 of 32 bytes that it has drawn."""
        self._record({"side": side, "pledge": pledge})

    def reveal(self, side: str, revealed: str) -> None:
        """A side's client adds the bytes that it had pledged to the dice to be rolled now. It pledges others when they
        have fallen: a new pledge before them would be bytes that it could choose."""
        self._record({"side": side, "reveal": revealed})

    def skip(self, side: str) -> None:
        """A side has not revealed its bytes in time; its pledge is void."""
        self._record({"side": side, "skip": self.open_pledges.get(side, NO_PLEDGE)})

    def change_seat(self, side: str, holder: str) -> None:
        """Somebody else holds the seat of a side from now on."""
        self._record({"side": side, "seat": holder})

    @property
    def seats(self) -> Mapping[str, str] | None:
        """Who holds each side now, in a game of a web table."""
        return None if self.tape_rules.seats is None else self.tape_rules.holders

    @property
    def open_pledges(self) -> Mapping[str, str]:
        """The pledge of each side that has one open."""
        return self.tape_rules.pledges

    @property
    def _awaits_fresh_bytes(self) -> bool:
        """At a web table nothing may come between an answer and its dice but fresh bytes for them."""
        return self.tape_rules.seats is not None and isinstance(self.pending, Roll)

    def _tape_rules_of(self, seats: Mapping[str, str] | None) -> TapeRules:
        committed = self.dice.header["kind"] == "committed"
        if seats is not None:
            if tuple(seats) != self.sides:
                raise BadValue("the seats are not those of the sides", given=", ".join(seats), allowed=list(self.sides))
            if not committed:
                raise DiceError("a web table has committed dice", given=self.dice.header["kind"])
        return TapeRules(seats, committed=committed)

    def check_line(self, body: Mapping[str, Any]) -> None:
        """Refuse a line that may not stand here on the tape. Whether its answer is allowed is not asked."""
        awaits = "roll" if isinstance(self.pending, Roll) else "end" if self.pending is None else "choice"
        if fault := self.tape_rules.fault(body, awaits):
            raise IllegalAnswer(fault)

    def note_line(self, body: Mapping[str, Any], mark: str) -> None:
        """A line stands on the tape."""
        self.tape_rules.note(body, mark, self.turn)
        if "contribute" in body:
            self._sealed, self._seal = self.turn, "somebody has added to the dice"

    # --- the tape -----------------------------------------------------------------------------------------------

    def header(self) -> dict[str, Any]:
        """The first line of a save: all that the answers are answers to."""
        return {
            "flagplot": FORMAT,
            "program": __version__,
            "game": self.ruleset.name,
            "rules": self.ruleset.version,
            "scenario": self.scenario,
            "options": to_plain(self.options),
            **given(seats=self.tape_rules.seats),
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

    def _finish(self) -> None:
        super()._finish()
        if self._tape is not None:
            self._close()

    def _close(self) -> None:
        """Put the closing line on the tape. It opens the secret, so the copy beside the save is no longer needed."""
        self._seal_end()
        try:
            self._record(self._closing())
        except SaveError as fault:
            raise SaveError(
                f"the game is over and its last answer is saved, but not its closing line, which resuming it will add: "
                f"{fault.message}",
                given=fault.given,
            ) from fault
        if self._file is not None:
            self._file.end()

    def _seal_end(self) -> None:
        if isinstance(self.dice, Committed):
            self._sealed, self._seal = self.turn, "the secret of the dice was opened"

    def _closing(self) -> dict[str, Any]:
        closing: dict[str, Any] = {"end": self.ending()}
        if isinstance(self.dice, Committed):
            closing["secret"] = self.dice.secret
        return closing

    def ending(self) -> dict[str, Any]:
        """What the closing line says of a finished game: its result, and the hash of its last state, in the form that
        the saves of its ruleset have had from the first."""
        form = getattr(self.ruleset, "save_form", to_plain)
        return {"result": self.ruleset.result(self.state), "state": digest(form(self.state))}

    def _head(self) -> str:
        if self._tape is None:
            self._tape = self.tape()
        return self._tape.head

    def _record(self, body: dict[str, Any]) -> None:
        """Put a line on the tape; if the game is being saved it is on the disk before it counts."""
        self.check_line(body)
        assert self._tape is not None
        text, mark = self._tape.line(body)
        if self._file is not None:
            self._file.append(text)
        self._tape.add(text, mark)
        self.note_line(body, mark)

    def save(self, path: str | Path, *, follow: bool = True, overwrite: bool = False) -> None:
        """Write the game to a file. From then on, unless `follow` is false, each answer is on disk before it counts."""
        path = Path(path)
        if isinstance(self._file, SaveFile) and self._file.path == path:
            return
        secret = self.dice.secret if isinstance(self.dice, Committed) and self.pending is not None else None
        tape = self.tape()
        file = SaveFile.create(path, tape.texts, secret=secret, overwrite=overwrite)
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

    def detach(self) -> tuple[Tape | None, Follower | None]:
        """Put tape and file aside, to go through lines that are on them already; `attach` puts them back."""
        aside = self._tape, self._file
        self._tape, self._file = None, None
        return aside

    def attach(self, tape: Tape, file: Follower | None, *, closed: bool) -> None:
        """Go on from a save that was read: further answers are chained to it (and written to the file).

        A save may have been cut off between the last answer and the closing line, which is then added."""
        self._tape, self._file = tape, file
        if self.pending is None and not closed:
            self._close()
        elif self.pending is None:
            self._seal_end()


def given(**parts: Any) -> dict[str, Any]:
    """The parts of a line that there are."""
    return {name: part for name, part in parts.items() if part}
