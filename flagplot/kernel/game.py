"""A game: answers are given to it, copied and taken back, and each side looks at it.

A copy or a take-back runs a little of the game again from a checkpoint (`flagplot.kernel.progress`), and a save is
nothing but the answers (`flagplot.kernel.recording`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import Any, Protocol, TypeVar

from flagplot.kernel.ahead import catch_up, fill_ahead, fits, orders_ahead
from flagplot.kernel.dice import Committed, Dice, Seeded, read_faces
from flagplot.kernel.errors import IllegalAnswer, StaleAnswer, UndoRefused, UnknownName
from flagplot.kernel.levels import Level, Levels
from flagplot.kernel.log import FORCED
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.plugins import plugin
from flagplot.kernel.procedures import HasFrames
from flagplot.kernel.progress import ATTENDED, REVEALED, ROLLED, STRIDE, Checkpoint, Pick, Unattended
from flagplot.kernel.recording import Recording, given
from flagplot.kernel.requests import Choose, Faces, Note, Option, Roll
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE, sight
from flagplot.kernel.sheets import Answers, Field, Filler, Orders, Sheet, Staff, fill_in, no_orders
from flagplot.kernel.views import View
from flagplot.kernel.words import sentence

S = TypeVar("S", bound=HasFrames)

ROLLING = "the dice are being rolled"
"""Why nothing can be taken back while fresh bytes are awaited: it would be known what falls."""


class Player(Protocol):
    """Anything that answers for a side from that side's view."""

    def choose(self, view: View, request: Choose[Any]) -> Option[Any] | str: ...


class Blind:
    """A player that looks at nothing: it picks from the question alone, so nobody makes it a view."""

    def pick(self, request: Choose[Any]) -> int:
        raise NotImplementedError

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        return Option(request, self.pick(request))


class Brief:
    """A player that looks at each moment by itself and keeps nothing of it: whoever plays on from a game shows it all
    moments through one window."""

    def picks(self, view: View) -> Pick:
        """Says of each question that is asked the place of the option that it takes."""
        raise NotImplementedError

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        return Option(request, self.picks(view)(request))


def picks_of(players: Mapping[str, Player]) -> dict[str, Pick]:
    """The sides whose players look at nothing, and how these pick."""
    return {
        side: player.pick
        for side, player in players.items()
        if isinstance(player, Blind) and type(player).choose is Blind.choose
    }


def picks_through(look: Callable[[str], View], players: Mapping[str, Player]) -> dict[str, Pick]:
    """The sides whose players keep nothing, and how these pick through the windows of their sides."""
    return {
        side: player.picks(look(side))
        for side, player in players.items()
        if isinstance(player, Brief) and type(player).choose is Brief.choose
    }


class Game(Recording[S]):
    """One game of any ruleset. `pending` is what it waits for: a `Choose`, a `Roll`, or None at the end."""

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
            self._record({"side": request.side, "choose": option.text, **given(nonce=nonce, by=by)})
        before = sight(self.ruleset, self.state, request.side)
        self._run(option.value, (request, option.index))
        if sight(self.ruleset, self.state, request.side) != before:
            self._sealed, self._seal = self.turn, REVEALED

    def _offered(self, answer: Option[Any] | str, at: int | None) -> Option[Any]:
        """The pending choice's option that an answer names, or a refusal that says why there is none."""
        if at is not None:
            self._expect(at)
        request = self.pending
        if not isinstance(request, Choose):
            raise self._unasked("there is nothing to choose", answer)
        option = request.find(str(answer))
        if option is None:
            offered = [offer.text for offer in request.options]
            raise IllegalAnswer("not one of the answers", given=answer, allowed=offered, rule=", ".join(request.rules))
        return option

    def roll(self, faces: Any = None, *, at: int | None = None) -> Faces:
        """Roll the pending dice: the game's own, or the given faces. The faces are returned.

        `at` names the moment that the roll is meant for, as anybody's view has it: everybody sees that dice are to be
        rolled."""
        if at is not None:
            self._expect(at)
        request = self.pending
        if not isinstance(request, Roll):
            raise self._unasked("there are no dice to roll", faces)
        own = faces is None
        fallen = self.dice.faces(request, self._rolls, self._head) if own else read_faces(faces, request.dice)
        reading = request.reads(fallen)
        if self._tape is not None:
            self._record({"side": request.side, "roll": list(fallen)})
        self._rolls += 1
        self._sealed, self._seal = self.turn + 1, ROLLED
        self._run(reading, (request, fallen))
        return fallen

    def play(
        self,
        players: Mapping[str, Player],
        until: Callable[[Game[S]], bool] | int | None = None,
        *,
        answer: Option[Any] | str | None = None,
    ) -> None:
        """Let players answer until the end, until `until` (a number of answers or a test), or until a side chooses
        that has no player. The choice that is pending may be given its `answer` first."""
        stop = (lambda game: game.turn >= until) if isinstance(until, int) else until
        if stop is None and self._tape is None:
            self._unattended = Unattended(picks_of(players), self.dice.faces, self._head)
        try:
            if answer is not None:
                self._take(answer)
            while (request := self.pending) is not None:
                if stop is not None and stop(self):
                    break
                if isinstance(request, Roll):
                    self.roll()
                    continue
                side = request.side
                player = players.get(side)
                if player is None:
                    break
                self._take(player.choose(View(self, side), request))
        finally:
            self._unattended = ATTENDED

    def _take(self, answer: Option[Any] | str) -> None:
        """What a player has chosen."""
        request = self.pending
        if self._tape is None and isinstance(answer, Option) and answer.request is request:
            self._run(answer.value, (request, answer.index))
        else:
            self.choose(answer)

    def _unasked(self, words: str, given: object) -> IllegalAnswer:
        """The refusal of an answer of the other kind, in words that anybody may read."""
        request = self.pending
        if request is None:
            return IllegalAnswer(f"{words}: the game is over", given=given)
        waits = "dice must be rolled" if isinstance(request, Roll) else "a choice must be made"
        return IllegalAnswer(f"{words}: {waits} first: {request.side}: {sentence(request.public)}", given=given)

    def _expect(self, at: int) -> None:
        """Refuse an answer that is meant for another moment, or that comes from a side that is not asked."""
        readers = (*self.sides, UMPIRE)
        reader = readers[at % len(readers)]
        now = self.moment_of(reader)
        if at != now:
            raise StaleAnswer(f"this answer is for question {at}, but {reader} is at question {now}", given=at)
        if isinstance(self.pending, Choose) and reader not in (self.pending.side, UMPIRE):
            raise StaleAnswer(f"question {at} is not for {reader}", given=at)

    # --- sheets -------------------------------------------------------------------------------------------------

    def sheet(
        self,
        side: str,
        answers: Answers | None = None,
        staff: Staff | None = None,
        orders: Orders = no_orders,
        level: Level = Level.ROUTINE,
        *,
        ahead: bool = False,
        proposed: Answers | None = None,
    ) -> Sheet:
        """All that a side can decide now without learning anything, filled in by its staff. `answers` are the side's
        own, by the keys of the fields; `orders` go before the staff, where they say something. `level` is how much the
        side decides itself. With `ahead` it reaches beyond secret decisions of the enemy, where the game allows it.
        `proposed` is what the staff has found out already, by the keys of the fields (a hint's answers, for one)."""
        if side not in self.sides:
            raise UnknownName("no such side", given=side, allowed=list(self.sides))
        levels = getattr(self.ruleset, "levels", Levels())
        filler = Filler(dict(answers or {}), orders, staff or plugin("staff")(), levels, level, dict(proposed or {}))
        asked = isinstance(self.pending, Choose) and self.pending.side == side
        return self._sheet(side, self.moment_of(side), filler, (), self.imagined(side) if ahead and asked else None)

    def _sheet(self, side: str, moment: int, filler: Filler, kept: Sequence[Field], imagined: Game[S] | None) -> Sheet:
        """The sheet of a side; `kept` are fields at its beginning that stay as they are."""
        fields = fill_in(self.copy(self.dice), side, filler, kept)
        if imagined is not None:
            fields += fill_ahead(imagined.copy(self.dice), side, plugin("staff")(), filler, fields, kept[len(fields) :])

        def made_again(changed: Answers) -> Sheet:
            self._expect_sheet(side, moment)
            same = takewhile(lambda one: changed.get(one.key) == filler.answers.get(one.key), fields)
            return self._sheet(side, moment, filler._replace(answers=changed), tuple(same), imagined)

        return Sheet(side, moment, fields, filler.answers, filler.level, made_again)

    def confirm(self, sheet: Sheet, *, at: int | None = None, nonces: Sequence[str] = ()) -> None:
        """Give all answers of a sheet, or none; those that must wait for the enemy are kept in `orders_ahead`. At a web
        table each answer has a nonce, as in `choose`. Refused as a whole once the game has gone on."""
        self._expect_sheet(sheet.side, sheet.moment if at is None else at)
        self._expect_sheet(sheet.side, sheet.moment)
        now = sheet.now
        before, more = self.turn, [""] * (len(now) - len(nonces))
        self._choose_all([(one.chosen, nonce) for one, nonce in zip(now, [*nonces, *more], strict=True)])
        self._confirmed = before, self.turn
        self.orders_ahead[sheet.side] = orders_ahead(sheet)

    def give_ahead(self) -> bool:
        """Answer the pending choice as its side has ordered ahead; whether that was done. If something else is asked
        than was planned, or the side has read other news, its orders are dropped and nothing is answered."""
        side = self.pending.side if isinstance(self.pending, Choose) else ""
        orders = self.orders_ahead.pop(side, ())
        if not orders or not fits(self, side, orders[0]):
            return False
        self.orders_ahead[side] = orders[1:]
        self.choose(orders[0].chosen)
        return True

    def _expect_sheet(self, side: str, moment: int) -> None:
        now = self.moment_of(side)
        if moment != now:
            raise StaleAnswer(f"this plan is for question {moment}, but {side} is at question {now}", given=moment)

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

    def undo_sheet(self, side: str, nonces: Sequence[str] = ()) -> None:
        """Take back all that a side confirmed last, in one step. Refused as a single answer is."""
        before, after = self._confirmed
        if after != self.turn or before == after:
            raise UndoRefused("the last thing was not a plan", given=side)
        if refused := self.undo_refused(side):
            raise refused
        if self.free_answers(side) < after - before:
            raise UndoRefused(f"{self._seal} since")
        for nonce in [*nonces, *[""] * (after - before - len(nonces))][: after - before]:
            self.undo(side, nonce=nonce)
        self._confirmed = (0, 0)

    # --- copy and undo ------------------------------------------------------------------------------------------

    def _again(self, mark: Checkpoint, answers: list[Any]) -> None:
        """Play again from a checkpoint with some answers; the tape is not touched."""
        tape, self._tape = self._tape, None
        self.turn, self._rolls = mark.turn, mark.rolls
        del self._events[mark.logged :]
        self._tell_story(copy_of(mark.state))
        self._run()
        for answer in answers:
            if isinstance(answer, int):
                self.choose(self.pending.option(answer))  # type: ignore[union-attr]
            else:
                self.roll(answer)
        self._tape = tape

    def copy(self, dice: Dice | None = None) -> Game[S]:
        """An independent game at the same point, with other dice if given. Its answers go into no save."""
        twin = self._beside(dice or self.dice)
        mark = self._checkpoints[-1]
        self._mark_from_now_on()
        twin._again(mark, self._since(mark, self.turn))
        twin._tape = self._tape.copy() if self._tape and not dice else None
        return twin

    def _beside(self, dice: Dice) -> Game[S]:
        """An independent game with the same past that stands nowhere yet."""
        twin: Game[S] = Game.__new__(type(self))
        twin.ruleset, twin.scenario, twin.options, twin.dice = self.ruleset, self.scenario, self.options, dice
        twin._sealed, twin._seal, twin.undone = self._sealed, self._seal, self.undone
        twin._taken_back = dict(self._taken_back)
        twin._confirmed, twin.orders_ahead = self._confirmed, {}
        twin.tape_rules = self.tape_rules.aside()
        twin._events, twin._checkpoints = self._events[:], self._checkpoints[:]
        twin._tape, twin._file = None, None
        twin._stride, twin._due = STRIDE, self._checkpoints[-1].turn + STRIDE
        twin._passing, twin._unattended = 0, ATTENDED
        return twin

    def from_border(self, state: S) -> Game[S]:
        """A copy that stands at the last remembered border, but in another state."""
        twin = self._beside(self.dice)
        twin._checkpoints = [self._checkpoints[-1]._replace(state=copy_of(state))]
        twin._again(twin._checkpoints[0], [])
        return twin

    def imagined(self, side: str) -> Game[S] | None:
        """This moment, at which a side is asked, in a state drawn from what it knows: for orders ahead. None in a game
        or a kind of play without an account of knowledge that is complete, and if the moment cannot be reached."""
        imagine = getattr(self.ruleset, "imagine", None)
        levels: Levels = getattr(self.ruleset, "levels", Levels())
        if imagine is None or self.state.frames[0].procedure not in levels.ahead:
            return None
        here = self._with_last_border()
        state = imagine(here.border.state, side, self.state)
        twin = None if state is None else here.from_border(state)
        return twin if twin and catch_up(twin, self, side, plugin("staff")(), here.border.logged) else None

    def last_border(self) -> Checkpoint:
        """The last border between segments, whose state must not be changed. If it was passed without being remembered,
        the game is run again to it, once: whoever plays on from here many times has less to run each time."""
        here = self._with_last_border()
        if here is not self:
            self._checkpoints = here._checkpoints
            self._borders.passed = 0
            self._mark_from_now_on()
        return self.border

    def _with_last_border(self) -> Game[S]:
        """This game, or a copy of it, that remembers the last border between segments."""
        if not self._borders.passed:
            return self
        twin = self._beside(self.dice)
        twin._stride, twin._due, twin._passing = 0, 0, self._borders.passed - 1
        twin._again(self.border, self._since(self.border, self.turn))
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
            self._record({"side": last, "undo": self.turn, **given(nonce=nonce)})
        target = self.turn - 1
        self.undone += 1
        self.orders_ahead.pop(last, None)
        for noticing in {last, self.pending.side} if isinstance(self.pending, Choose) else self.sides:
            self._taken_back[noticing] = self._taken_back.get(noticing, 0) + 1
        self._mark_from_now_on()
        while self._checkpoints[-1].turn > target:
            self._checkpoints.pop()
        mark = self._checkpoints[-1]
        self._again(mark, self._since(mark, target))

    def undo_refused(self, side: str | None = None) -> UndoRefused | None:
        """Why the last choice cannot be taken back (by that side) without consent; None if it can."""
        if self.turn == 0:
            return UndoRefused("nothing to take back yet")
        if self._awaits_fresh_bytes:
            return UndoRefused(ROLLING)
        if self._sealed >= self.turn:
            return UndoRefused(f"{self._seal} since")
        last = self._last_chooser()
        if side is not None and side != last:
            return UndoRefused(f"{last} has chosen since", given=side)
        return None

    def free_answers(self, side: str) -> int:
        """How many of the last answers, all of them its own, a side can take back without consent."""
        if self.undo_refused(side) is not None:
            return 0
        free = 0
        for request, answer in reversed(self._events):
            if isinstance(request, Note) or answer == FORCED:
                continue
            if not isinstance(request, Choose) or request.side != side:
                break
            free += 1
        return min(free, self.turn - self._sealed)

    def _undo_by_consent(self, side: str | None, consent: str, nonce: str) -> None:
        answer = self.last_answer_of(side or "", consent)
        if self._tape is not None:
            self._record({"side": side, "undo": answer, "consent": consent, **given(nonce=nonce)})
        target, gone = answer - 1, self.turn - answer + 1
        before = {each: self._noticed(each) for each in self.sides}
        self._checkpoints = [Checkpoint(0, 0, self.ruleset.read(self.scenario, self.options), 0)]
        self._again(self._checkpoints[0], self._since(self._checkpoints[0], target))
        self.undone += gone
        for each in self.sides:  # all of them have agreed, so all of them notice, each what it knew of
            lost = before[each] - self._noticed(each)
            self._taken_back[each] = self._taken_back.get(each, 0) + max(1, lost)
        self._sealed, self._seal = target, "more was taken back by agreement"

    def last_answer_of(self, side: str, consent: str) -> int:
        """The number of the answer that a side can take back if another side consents, or a refusal."""
        if self._known(consent) == side or consent not in self.sides:
            raise UndoRefused("the other side must agree", given=consent)
        if self.pending is None and isinstance(self.dice, Committed):
            raise UndoRefused("the secret of the dice was opened since")
        if self._awaits_fresh_bytes:
            raise UndoRefused(ROLLING)
        asked = [request for request, answer in self._events if answer is not None and answer != FORCED]
        own = [place for place, request in enumerate(asked, 1) if isinstance(request, Choose) and request.side == side]
        if not own:
            raise UndoRefused("this side has nothing to take back", given=side)
        answer = own[-1]
        if answer <= max(self.tape_rules.contributed.values(), default=0):
            raise UndoRefused("somebody has added to the dice since")
        if isinstance(self.dice, Seeded) and any(isinstance(request, Roll) for request in asked[answer:]):
            raise UndoRefused("dice were rolled since, and from a seed they would fall the same again")
        return answer

    def _last_chooser(self) -> str:
        return next(
            request.side
            for request, answer in reversed(self._events)
            if isinstance(request, Choose) and answer != FORCED
        )

    # --- looking ------------------------------------------------------------------------------------------------

    def view(self, side: str) -> View:
        """What that side (or the ``umpire``) may know now."""
        return View(self, self._known(side))

    def __repr__(self) -> str:
        request = self.pending
        waits = f"waits for {request.side}: {sentence(request.public)}" if request is not None else "over"
        return f"<Game {self.scenario.get('title', self.ruleset.title)}, {self.turn} answers, {waits}>"

    def _repr_svg_(self) -> str:
        """A picture of what both sides know; at the end, of everything."""
        return self.view(NEUTRAL if self.pending is not None else UMPIRE)._repr_svg_()

    def odds(self, side: str, **asked: Any) -> Any:
        """The odds of each option that the side is asked about now, from what it knows alone. `asked` are the words of
        `flagplot.odds.position.position`: what it assumes, and limits."""
        return plugin("odds")(self, side, **asked)

    def hint(self, side: str, **asked: Any) -> Any:
        """What the staff of that side would answer to its pending question, with all options weighed, from what the
        side knows alone; None where it does not look ahead. `asked` are the words of
        `flagplot.players.search.hints.hint`: a rank, and a seed."""
        return plugin("hint")(self, self._known(side), **asked)

    def explain(self, unit: str, side: str | None = None) -> dict[str, Any]:
        """What the units of that name may do now, and for what they may not the rule that forbids it, as plain data: as
        their owner knows it, or as another side does. Not every game tells."""
        tell = getattr(self.ruleset, "explain", None)
        if tell is None:
            raise UnknownName("this game does not explain its units", given=unit)
        told: dict[str, Any] = tell(self.state, unit, None if side is None else self._known(side))
        return told
