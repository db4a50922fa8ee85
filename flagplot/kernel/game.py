"""A game: a state, the script of the segment that is being played, and everything answered so far.

A position is the state at some border between segments (a checkpoint) plus the answers since. So a copy or a take-back
runs a little of the game again, and a save is nothing but the answers. A game that is only played keeps few
checkpoints, because they cost time; one that is copied or taken back keeps one at every border from then on, so that
each further copy runs at most one segment again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from flagplot.kernel.dice import Committed, Dice, Seeded, read_contribution, read_faces
from flagplot.kernel.errors import BadValue, DiceError, IllegalAnswer, SaveError, StaleAnswer, UndoRefused, UnknownName
from flagplot.kernel.levels import Level, Levels
from flagplot.kernel.lines import FORMAT
from flagplot.kernel.log import FORCED, Entry, Event, read_log
from flagplot.kernel.outside import outside
from flagplot.kernel.plain import copy_of, digest, to_plain
from flagplot.kernel.procedures import Border, HasFrames, story
from flagplot.kernel.requests import Choose, Faces, Note, Option, Roll
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE, Ruleset
from flagplot.kernel.sheets import Answers, Filler, Order, Orders, OrdersAhead, Sheet, Staff, fill_in, no_orders
from flagplot.kernel.tape import Follower, SaveFile, Tape
from flagplot.kernel.taperules import TapeRules
from flagplot.kernel.views import View
from flagplot.kernel.words import say

S = TypeVar("S", bound=HasFrames)


class Player(Protocol):
    """Anything that answers for a side from that side's view."""

    def choose(self, view: View, request: Choose[Any]) -> Option[Any] | str: ...


class Checkpoint(NamedTuple):
    """A border between segments: how many answers and rolls had been given, the state (never changed), and how long
    the log was."""

    turn: int
    rolls: int
    state: Any
    logged: int


STRIDE = 256
"""Answers between the checkpoints of a game that is only played."""

REVEALED = "something hidden was revealed"
"""Why nothing can be taken back from before a note that told something hidden, or dice that show how many there are."""

NO_PLEDGE = "0" * 64
ROLLING = "the dice are being rolled"
"""Why nothing can be taken back while fresh bytes are awaited: it would be known what falls."""


class Game(Generic[S]):
    """One game of any ruleset. `pending` is what it waits for: a `Choose`, a `Roll`, or None at the end."""

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
        self.ruleset = ruleset
        self.scenario = scenario
        self.options = options
        self.dice = dice
        self.state = state
        self.pending: Choose[Any] | Roll[Any] | None = None
        self.turn = 0
        self.undone = 0
        self._taken_back: dict[str, int] = {}
        self.ahead = OrdersAhead()
        """Answers of confirmed sheets whose questions have not come yet."""
        self._confirmed = (0, 0)
        """The turns before and after the last sheet."""
        self._rolls = 0
        self._events: list[Event] = []
        self._stride = STRIDE
        self._due = 0
        """The turn from which the next border is to be remembered."""
        self._sealed = 0
        self._seal = ""
        self.tape_rules = self._tape_rules_of(seats)
        self._tape = Tape(self.header()) if isinstance(dice, Committed) else None
        self._file: Follower | None = None
        self._checkpoints: list[Checkpoint] = []
        self._mark()
        self._story = story(ruleset.procedures, state)
        self._run()

    # --- answering ----------------------------------------------------------------------------------------------

    def choose(self, answer: Option[Any] | str, *, at: int | None = None, by: str = "", nonce: str = "") -> None:
        """Answer the pending choice with one of its options, or its text. At a web table a person's answer has a
        `nonce`, 16 random bytes that his own client drew (32 hexadecimal digits), or `by` says that standing orders
        gave it.

        `at` names the moment that the answer is meant for, as the view of the side that is asked (or the umpire's) has
        it: a page or a letter may be slow, and an answer to an older question is refused rather than taken for this
        one.
        """
        request = self.pending
        if isinstance(answer, Option) and answer.request is request and at is None:
            option = answer  # the common case: an option that was taken from the pending choice itself
        else:
            option = self._offered(answer, at)
            request = option.request
        if self._tape is not None:
            self._record({"side": request.side, "choose": option.text, **_given(nonce=nonce, by=by)})
        self._run(option.value, (request, option.index))
        if self.ahead:
            self._follow_orders()

    def _offered(self, answer: Option[Any] | str, at: int | None) -> Option[Any]:
        """The pending choice's option that an answer names, or a refusal that says why there is none."""
        if at is not None:
            self._expect(at)
        request = self.pending
        if not isinstance(request, Choose):
            waits = "the game is over" if request is None else f"dice are to be rolled now: {_openly(request)}"
            raise IllegalAnswer(f"nothing is to be chosen: {waits}", given=answer)
        option = request.find(str(answer))
        if option is None:
            offered = [offer.text for offer in request.options]
            raise IllegalAnswer("this is not offered", given=answer, allowed=offered, rule=", ".join(request.rules))
        return option

    def roll(self, faces: Any = None, *, at: int | None = None) -> Faces:
        """Roll the pending dice: the game's own, or the given faces. The faces are returned.

        `at` names the moment that the roll is meant for, as anybody's view has it: everybody sees that dice are to be
        rolled."""
        if at is not None:
            self._expect(at)
        request = self.pending
        if not isinstance(request, Roll):
            waits = "the game is over" if request is None else f"a choice is to be made now: {_openly(request)}"
            raise IllegalAnswer(f"no dice are to be rolled: {waits}", given=faces)
        own = faces is None
        fallen = self.dice.faces(request, self._rolls, self._head) if own else read_faces(faces, request.dice)
        reading = request.reads(fallen)
        if self._tape is not None:
            self._record({"side": request.side, "roll": list(fallen)})
        self._rolls += 1
        self._sealed, self._seal = self.turn + 1, "a die was rolled"
        self._run(reading, (request, fallen))
        if self.ahead:
            self._follow_orders()
        return fallen

    def play(self, players: Mapping[str, Player], until: Callable[[Game[S]], bool] | int | None = None) -> None:
        """Let players answer until the end, until `until` (a number of answers or a test), or until a side chooses
        that has no player."""
        stop = (lambda game: game.turn >= until) if isinstance(until, int) else until
        while (request := self.pending) is not None:
            if stop is not None and stop(self):
                break
            if isinstance(request, Choose):
                player = players.get(request.side)
                if player is None:
                    break
                answer = player.choose(View(self, request.side), request)
                if self._tape is None and isinstance(answer, Option) and answer.request is request:
                    index = answer.index
                    self._run(request.values[index], (request, index))
                else:
                    self.choose(answer)
            else:
                self.roll()

    def _expect(self, at: int) -> None:
        """Refuse an answer that is meant for another moment, or that comes from a side that is not asked."""
        readers = (*self.sides, UMPIRE)
        reader = readers[at % len(readers)]
        now = self.moment_of(reader)
        if at != now:
            raise StaleAnswer(f"this answers question {at}, but {reader} is at question {now}", given=at)
        if isinstance(self.pending, Choose) and reader not in (self.pending.side, UMPIRE):
            raise StaleAnswer(f"question {at} is not for {reader} to answer", given=at)

    # --- sheets -------------------------------------------------------------------------------------------------

    def sheet(
        self,
        side: str,
        answers: Answers | None = None,
        staff: Staff | None = None,
        orders: Orders = no_orders,
        level: Level = Level.ROUTINE,
    ) -> Sheet:
        """All that a side can decide now without learning anything, filled in by its staff. `answers` are the side's
        own, by the keys of the fields; `orders` go before the staff, where they say something. `level` is how much the
        side decides itself."""
        if side not in self.sides:
            raise UnknownName("there is no such side", given=side, allowed=list(self.sides))
        moment = self.moment_of(side)

        def made_again(changed: Answers) -> Sheet:
            self._expect_sheet(side, moment)
            return self.sheet(side, changed, staff, orders, level)

        levels = getattr(self.ruleset, "levels", Levels())
        filler = Filler(dict(answers or {}), orders, staff or outside("staff")(), levels, level)
        fields, ends = fill_in(self.copy(self.dice), side, filler)
        return Sheet(side, moment, fields, ends, filler.answers, level, made_again)

    def confirm(self, sheet: Sheet, *, at: int | None = None, nonces: Sequence[str] = ()) -> None:
        """Give all answers of a sheet, or none: those that have to wait for the enemy when their questions come. At a
        web table each field has a nonce, as in `choose`. Refused as a whole once the game has gone on."""
        self._expect_sheet(sheet.side, sheet.moment if at is None else at)
        self._expect_sheet(sheet.side, sheet.moment)
        given = dict(zip([one.key for one in sheet], nonces, strict=False))
        before = self.turn
        self._choose_all([(one.chosen, given.get(one.key, "")) for one in sheet.now])
        self._confirmed = before, self.turn
        self.ahead.put(sheet.side, [Order.of(one, given.get(one.key, "")) for one in sheet if one.ahead])
        self._follow_orders()

    def _expect_sheet(self, side: str, moment: int) -> None:
        now = self.moment_of(side)
        if moment != now:
            raise StaleAnswer(f"this sheet is for question {moment}, but {side} is at question {now}", given=moment)

    def _choose_all(self, answers: Sequence[tuple[str, str]]) -> None:
        """All these answers with their nonces, or none: they are tried on a copy, and saved at once."""
        twin = self.copy()
        for text, nonce in answers:
            twin.choose(text, nonce=nonce)
        file, self._file = self._file, None
        try:
            if file is not None and self._tape is not None and twin._tape is not None:
                file.append(*twin._tape.texts[len(self._tape.texts) :])
            for text, nonce in answers:
                self.choose(text, nonce=nonce)
        finally:
            self._file = file
        if self.pending is None and file is not None:
            file.end()

    def _follow_orders(self) -> None:
        """Answer as long as orders were given ahead for what is asked."""
        while isinstance(self.pending, Choose) and (order := self.ahead.take(self.pending)) is not None:
            waiting, self.ahead = self.ahead, OrdersAhead()
            self.choose(order.chosen, nonce=order.nonce)
            self.ahead = waiting

    # --- running the scripts ------------------------------------------------------------------------------------

    def _mark(self) -> None:
        """Remember this border, and forget the checkpoints that undo cannot reach any more."""
        marks = self._checkpoints
        if marks and marks[-1].turn == self.turn:
            marks.pop()
        marks.append(Checkpoint(self.turn, self._rolls, copy_of(self.state), len(self._events)))
        self._due = self.turn + self._stride
        while len(marks) > 1 and marks[1].turn <= self._sealed:
            del marks[0]

    def _run(self, value: Any = None, answered: Event | None = None) -> None:
        """Go on with the value of an answer until something is asked, or to the end."""
        if answered is not None:
            self.turn += 1
            self._events.append(answered)
        script = self._story
        while True:
            request = script.send(value)
            if isinstance(request, Choose):
                if len(request.values) > 1 or (request.always and request.values):
                    self.pending = request
                    return
                value = self._forced(request)
            elif isinstance(request, Note):
                self._events.append((request, None))
                if request.reveals:
                    self._sealed, self._seal = self.turn, REVEALED
                value = None
            elif isinstance(request, Border):
                value = None
                if not self.state.frames:
                    break
                if self.turn >= self._due:
                    self._mark()
            else:
                if request.secret:
                    self._sealed, self._seal = self.turn, REVEALED
                self.pending = request
                return
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
        if self._tape is not None:
            self._close()

    def _again(self, mark: Checkpoint, answers: list[Any]) -> None:
        """Play again from a checkpoint with some answers; the tape is not touched."""
        tape, self._tape = self._tape, None
        self.turn, self._rolls = mark.turn, mark.rolls
        self.state = copy_of(mark.state)
        del self._events[mark.logged :]
        self._story = story(self.ruleset.procedures, self.state)
        self._run()
        for answer in answers:
            if isinstance(answer, int):
                self.choose(self.pending.option(answer))  # type: ignore[union-attr]
            else:
                self.roll(answer)
        self._tape = tape

    def _since(self, mark: Checkpoint, until: int) -> list[Any]:
        """The answers after a checkpoint, up to the `until`-th of the game."""
        answers = [answer for _, answer in self._events[mark.logged :] if answer is not None and answer != FORCED]
        return answers[: until - mark.turn]

    # --- copy and undo ------------------------------------------------------------------------------------------

    def copy(self, dice: Dice | None = None) -> Game[S]:
        """An independent game at the same point, with other dice if given. Its answers go into no save."""
        twin: Game[S] = Game.__new__(type(self))
        twin.ruleset, twin.scenario, twin.options, twin.dice = (
            self.ruleset,
            self.scenario,
            self.options,
            dice or self.dice,
        )
        twin._sealed, twin._seal, twin.undone = self._sealed, self._seal, self.undone
        twin._taken_back = dict(self._taken_back)
        twin.ahead, twin._confirmed = OrdersAhead(), self._confirmed
        twin.tape_rules = self.tape_rules.aside()
        twin._events, twin._checkpoints = self._events[:], self._checkpoints[:]
        twin._tape, twin._file = None, None
        mark = self._checkpoints[-1]
        self._stride, self._due = 0, 0
        twin._stride, twin._due = STRIDE, mark.turn + STRIDE
        twin._again(mark, self._since(mark, self.turn))
        twin._tape = self._tape.copy() if self._tape and not dice else None
        return twin

    def undo(self, side: str | None = None, *, consent: str | None = None, nonce: str = "") -> None:
        """Take the last choice back. Refused once a die was rolled, something was revealed or the other side chose.

        With the `consent` of another side, a side's last choice is taken back with all that came after it. `nonce` is
        as in `choose`, of the client that makes it happen."""
        if consent is not None:
            self._undo_by_consent(side, consent, nonce)
            return
        refused = self.undo_refused(side)
        if refused is not None:
            raise refused
        last = self._last_chooser()
        if self._tape is not None:
            self._record({"side": last, "undo": self.turn, **_given(nonce=nonce)})
        self.ahead.drop(last)
        target = self.turn - 1
        self.undone += 1
        for noticing in {last, self.pending.side} if isinstance(self.pending, Choose) else self.sides:
            self._taken_back[noticing] = self._taken_back.get(noticing, 0) + 1
        self._stride, self._due = 0, 0
        while self._checkpoints[-1].turn > target:
            self._checkpoints.pop()
        mark = self._checkpoints[-1]
        self._again(mark, self._since(mark, target))

    def undo_sheet(self, side: str, nonces: Sequence[str] = ()) -> None:
        """Take back all that a side confirmed last, in one step. Refused as a single answer is."""
        before, after = self._confirmed
        if after != self.turn or before == after:
            raise UndoRefused("no sheet was confirmed last", given=side)
        refused = self.undo_refused(side)
        if refused is None and self._sealed > before:
            refused = UndoRefused(f"{self._seal} since then")
        if refused is not None:
            raise refused
        for nonce in [*nonces, *[""] * (after - before - len(nonces))][: after - before]:
            self.undo(side, nonce=nonce)
        self._confirmed = (0, 0)

    def undo_refused(self, side: str | None = None) -> UndoRefused | None:
        """Why the last choice cannot be taken back (by that side) without consent; None if it can."""
        if self.turn == 0:
            return UndoRefused("nothing has been answered yet")
        if self._awaits_fresh_bytes:
            return UndoRefused(ROLLING)
        if self._sealed >= self.turn:
            return UndoRefused(f"{self._seal} since then")
        last = self._last_chooser()
        if side is not None and side != last:
            return UndoRefused(f"{last} has chosen since then", given=side)
        return None

    def _undo_by_consent(self, side: str | None, consent: str, nonce: str) -> None:
        answer = self.last_answer_of(side or "", consent)
        if self._tape is not None:
            self._record({"side": side, "undo": answer, "consent": consent, **_given(nonce=nonce)})
        self.ahead = OrdersAhead()
        target, gone = answer - 1, self.turn - answer + 1
        before = {each: self._noticed(each) for each in self.sides}
        self._checkpoints = [Checkpoint(0, 0, self.ruleset.read(self.scenario, self.options), 0)]
        self._again(self._checkpoints[0], self._since(self._checkpoints[0], target))
        self.undone += gone
        for each in self.sides:  # all of them have agreed, so all of them notice, each what it knew of
            lost = before[each] - self._noticed(each)
            self._taken_back[each] = self._taken_back.get(each, 0) + max(1, lost)
        self._sealed, self._seal = target, "more was taken back by consent"

    def last_answer_of(self, side: str, consent: str) -> int:
        """The number of the answer that a side can take back if another side consents, or a refusal."""
        if self._known(consent) == side or consent not in self.sides:
            raise UndoRefused("another side has to consent", given=consent)
        if self.pending is None and isinstance(self.dice, Committed):
            raise UndoRefused("the secret of the dice was opened since then")
        if self._awaits_fresh_bytes:
            raise UndoRefused(ROLLING)
        given = [event for event in self._events if event[1] is not None and event[1] != FORCED]
        places = [
            place for place, (request, _) in enumerate(given, 1) if isinstance(request, Choose) and request.side == side
        ]
        if not places:
            raise UndoRefused("this side has decided nothing yet", given=side)
        answer = places[-1]
        if answer <= max(self.tape_rules.contributed.values(), default=0):
            raise UndoRefused("somebody has added to the dice since then")
        if isinstance(self.dice, Seeded) and any(isinstance(request, Roll) for request, _ in given[answer:]):
            raise UndoRefused("dice were rolled since then, and from a seed they would fall the same again")
        return answer

    def _last_chooser(self) -> str:
        return next(
            request.side
            for request, answer in reversed(self._events)
            if isinstance(request, Choose) and answer != FORCED
        )

    # --- what players add to the dice, and who they are -----------------------------------------------------------

    def contribute(self, side: str, contribution: str) -> None:
        """Put something of a side's own on the tape, hexadecimal digits that it drew by itself. It changes nothing but
        the head of the tape, and all committed dice from there on."""
        if side not in self.sides:
            raise UnknownName("there is no such side", given=side, allowed=list(self.sides))
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

    # --- for those who test rules -------------------------------------------------------------------------------

    @property
    def events(self) -> Sequence[Event]:
        """Everything that was asked, answered and noted so far. The umpire's: no side may see it."""
        return self._events

    @property
    def border(self) -> Checkpoint:
        """The last border between segments that is remembered. Its state must not be changed."""
        return self._checkpoints[-1]

    def from_border(self, state: S) -> Game[S]:
        """A copy that stands at the last remembered border, but in another state."""
        twin = self.copy()
        twin._tape = None
        twin._checkpoints = [self._checkpoints[-1]._replace(state=copy_of(state))]
        twin._again(twin._checkpoints[0], [])
        return twin

    # --- looking ------------------------------------------------------------------------------------------------

    @property
    def sides(self) -> tuple[str, ...]:
        return self.ruleset.sides(self.state)

    def view(self, side: str) -> View:
        """What that side (or the ``umpire``) may know now."""
        return View(self, self._known(side))

    def log(self, side: str) -> list[Entry]:
        """The log as that side (or the ``umpire``) may read it."""
        return read_log(self._events, self._known(side), self.pending)

    def odds(self, side: str, **asked: Any) -> Any:
        """The odds of the pending decision of that side, option by option, with what it knows alone. `asked` are the
        words of `flagplot.odds.position.position`: what it assumes, and limits."""
        return outside("odds")(self, side, **asked)

    def explain(self, unit: str, side: str | None = None) -> dict[str, Any]:
        """What the units of that name may do now, and for what they may not the rule that forbids it, as plain data: as
        their owner knows it, or as another side does. Not every game tells."""
        tell = getattr(self.ruleset, "explain", None)
        if tell is None:
            raise UnknownName("this game does not tell what its units may do", given=unit)
        told: dict[str, Any] = tell(self.state, unit, None if side is None else self._known(side))
        return told

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
            **_given(seats=self.tape_rules.seats),
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


def _given(**parts: Any) -> dict[str, Any]:
    """The parts of a line that there are."""
    return {name: part for name, part in parts.items() if part}


def _openly(request: Choose[Any] | Roll[Any]) -> str:
    """What the game waits for, in words that anybody may read whose answer is refused."""
    return f"{request.side}: {say(request.public)}"
