"""Answers: from people, from players of the program, from standing orders and orders ahead.

All that follows from one answer, dice included, is kept in one transaction (`keeper`), and only then acknowledged.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

from flagplot.kernel.errors import FlagplotError, StaleAnswer, UnknownName
from flagplot.kernel.game import Player
from flagplot.kernel.requests import Choose, Option, Roll
from flagplot.kernel.save_lines import ORDERS
from flagplot.kernel.views import View
from flagplot.players.search.thinking import Unthought
from flagplot.table.games.keeper import Keeper, is_bot
from flagplot.table.games.live import LiveGame
from flagplot.table.games.look import level_of
from flagplot.table.games.wakeups import Wakeups, is_present
from flagplot.table.guard.quotas import Limits, Quotas
from flagplot.table.playing import staff
from flagplot.table.playing.advice import Advisers
from flagplot.table.playing.ahead import ahead_of, give, is_next
from flagplot.table.playing.fresh_bytes import Alarms, FreshBytes
from flagplot.table.refusals import Conflict, NoSuchTable, NotYourTurn, Overtaken, StoreError
from flagplot.table.store.store import Store
from flagplot.table.workers.thinking import Thinkers

LOG = logging.getLogger("flagplot.table")

BATCH = 40
"""Answers of players of the program that are kept at once; then others may look at the game."""


class Playing(Keeper):
    """The games in memory and the ways in which they go on."""

    def __init__(
        self, store: Store, wakeups: Wakeups, clock: Any, keep: int, workers: int, quotas: Quotas | None = None
    ) -> None:
        super().__init__(store, wakeups, clock, keep)
        self.quotas = quotas or Quotas(store, Limits(), clock)
        self._thinkers = Thinkers()
        self.advisers = Advisers(self._thinkers, wakeups.wake)
        self._workers = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="flagplot-players")
        self._stopped = False
        self.fresh = FreshBytes(self, self._look_again, self.start_players)
        self._alarms = Alarms(self._look_again)

    def stop(self) -> None:
        """Let the players of the program finish the answer that they are at."""
        self._stopped = True
        self.fresh.stop()
        self._alarms.stop()
        self._thinkers.stop()
        self._workers.shutdown(wait=True, cancel_futures=True)

    # --- one game, caught up ------------------------------------------------------------------------------------

    def _look_again(self, game_id: str) -> None:
        """Bytes have come, or the time is up."""
        with suppress(NoSuchTable), self.using(game_id, heard=self.hears):
            pass  # dice that need not wait any longer are rolled, and who need not wait any longer answers

    def go_on(self, games: Iterable[str]) -> None:
        """Let those answer that are due in some games."""
        for game_id in games:
            try:
                self._look_again(game_id)
            except FlagplotError as fault:  # an old version of the rules, for one
                LOG.warning("a table cannot go on: %s", fault.code)

    @contextmanager
    def using(self, game_id: str, side: str = "", *, heard: bool = False) -> Iterator[LiveGame]:
        """A game, locked and caught up with its rows (see `LiveGame.catch_up`); dice that were left lying are rolled,
        players started. If a side is named it must have it."""
        with self.games.use(game_id) as live:
            try:
                live.catch_up(self.store, heard=heard)
                if isinstance(live.game.pending, Roll):
                    self._roll_on(live)
                elif live.rows.new:  # a server was stopped between the last answer and the closing line
                    self.keep(live)
            except BaseException:
                live.forget()
                raise
            if side and side not in live.game.sides:
                raise UnknownName("there is no such side at this table", given=side, allowed=list(live.game.sides))
            self.start_players(live)
            yield live

    def _roll_on(self, live: LiveGame) -> None:
        """Roll the dice that are awaited, if they need not wait any longer; perhaps another server has just done it."""
        try:
            self.fresh.go_on(live)
        except Conflict:
            if isinstance(live.game.pending, Roll):
                raise

    # --- people -------------------------------------------------------------------------------------------------

    def answer(self, game_id: str, side: str, option: str, at: int, nonce: str) -> str:
        """A person answers; the receipt of it. If another server kept something first that does not concern the
        question, such as a pledge, it is tried again."""
        for heard in (self.hears, False):
            try:
                return self._answer(game_id, side, option, at, nonce, heard=heard)
            except Overtaken:
                with self.using(game_id, side) as live:
                    if live.asked != side or at != live.game.moment_of(side):
                        raise
            except FlagplotError as fault:
                if not _may_be_behind(fault, heard=heard, alone=self.store.alone):
                    raise
        return self._answer(game_id, side, option, at, nonce)

    def _answer(self, game_id: str, side: str, option: str, at: int, nonce: str, *, heard: bool = False) -> str:
        with self.using(game_id, side, heard=heard) as live:
            game = live.game
            if receipt := live.receipt_again(nonce, side, option):
                return receipt
            self.check_asked(live, side, at)
            self.quotas.check_side(side, live.lines_of(side))
            with self.changing(live):
                game.choose(option, nonce=live.nonce(nonce))
                receipt = live.receipt()
                self.fresh.roll(live)
                self.keep(
                    live, seat=(side, {"ahead": ""}) if live.seats[side]["ahead"] else None, settles=side, by=side
                )
            self.start_players(live)
            return receipt

    def check_asked(self, live: LiveGame, side: str, at: int) -> None:
        """Refuse an answer of a side that is not asked, or at another moment."""
        if at != live.game.moment_of(side):
            raise StaleAnswer(
                "this question is not asked any more: it was answered already, perhaps in another window, or taken "
                "back; the table shows what is asked now",
                given=at,
            )
        if live.asked != side:
            over = "the game is over" if live.game.pending is None else "the dice are being rolled"
            waits = f"{live.asked} is asked now" if live.asked else over
            raise NotYourTurn(f"it is not for {side} to answer: {waits}", given=side)

    def change_seat(self, live: LiveGame, side: str, **changes: str | None) -> None:
        """Change what stands in the row of a seat; whoever may answer by that now does so."""
        self.store.change_seat(live.id, side, **changes)
        live.stale = True
        live.catch_up(self.store)
        self.start_players(live)

    def once_more(self, game_id: str, act: Callable[[LiveGame], None], side: str = "") -> None:
        """Do something with a game; if another server was first, or it is refused before the store was asked what
        others did, try again with what they did."""
        for heard, more in ((self.hears, True), (False, True), (False, False)):
            try:
                with self.using(game_id, side, heard=heard) as live:
                    act(live)
                return
            except Overtaken:
                if not more:
                    raise
            except FlagplotError as fault:
                if not _may_be_behind(fault, heard=heard, alone=self.store.alone):
                    raise

    # --- players of the program, and standing orders ------------------------------------------------------------

    def start_players(self, live: LiveGame) -> None:
        """If a player of the program is asked, or a side whose orders or staff may answer this, let a worker see to it.
        Whoever uses the game does not wait for that: how long it takes would tell something of the side."""
        if live.busy or self._stopped or not self._may_answer(live):
            return
        live.busy = self._submitted(live.id)

    def _may_answer(self, live: LiveGame) -> bool:
        seat = live.seats.get(live.asked or "")
        if seat is None or is_bot(seat):
            return seat is not None
        return any(self._answering(live)) and live.left_to_person != self._question(live)

    def _answering(self, live: LiveGame) -> tuple[bool, bool, bool]:
        """Of the person who is asked: whether his orders ahead are due, or to be dropped; whether his standing orders
        may answer; whether his staff may."""
        side = live.asked or ""
        if staff.is_by_hand(live, side):
            return False, False, False
        ahead = ahead_of(live, side)
        due = bool(ahead.orders) and (not is_next(live, side, ahead) or self._may_pass(live, side, away=True))
        may_pass = level_of(live.seats, side) != "step" and not ahead.orders and self._may_pass(live, side)
        ordered = bool(live.seats[side]["orders"]) and not ahead.orders and self._may_pass(live, side, away=True)
        return due, ordered, may_pass

    def _question(self, live: LiveGame) -> Hashable:
        """What a worker looks at: the moment, and who may answer."""
        seat = live.seats[live.asked or ""]
        own = seat["orders"], seat["ahead"], seat["level"]
        return live.asked, live.game.turn, live.game.undone, own, self._answering(live)

    def _play(self, game_id: str) -> None:
        """Let the players of a table answer a few questions; then it is the turn of the other tables' players."""
        with self.games.use(game_id) as live:
            going = False
            try:
                live.catch_up(self.store)
                going = self._some_answers(live)
            except Conflict:
                going = True  # another server lets its players answer too: see what it did
            except FlagplotError as fault:
                LOG.warning("the players of a table stopped: %s", fault.code)
                live.forget()
            except Exception:
                LOG.exception("the players of a table stopped")
                live.forget()
            finally:
                live.busy = not self._stopped and self._goes_on(live, going=going)

    def _goes_on(self, live: LiveGame, *, going: bool) -> bool:
        """Whether there is more to do: at once, or when a player has thought."""
        wanted, live.unthought = live.unthought, None
        if wanted is not None:
            return self._thinkers.begin(wanted, lambda: self._submitted(live.id))
        return going and self._submitted(live.id)

    def _submitted(self, game_id: str) -> bool:
        try:
            self._workers.submit(self._play, game_id)
        except RuntimeError:  # the server goes down
            return False
        return True

    def _some_answers(self, live: LiveGame) -> bool:
        """Let them answer a few questions; whether there is more to do."""
        with self.changing(live):
            settles, given = "", 0
            while given < BATCH:
                proposer = live.proposal["side"] if live.proposal else ""
                settles = proposer if live.asked == proposer else settles
                if self._is_due_ahead(live):
                    given += 1
                    if not self._give_ahead(live, settles):
                        break
                    continue
                try:
                    answers = self._by_itself(live)
                except Unthought as wanted:
                    live.unthought = wanted
                    break
                given += len(answers)
                if not answers:
                    break
                ordered = not is_bot(live.seats[live.asked or ""]) and live.game.seats is not None
                for answer in answers:
                    live.game.choose(answer, by=ORDERS if ordered else "")
                if not self.fresh.roll(live):
                    break
            if live.rows.new:
                self.keep(live, settles=settles)
        return given >= BATCH

    def _is_due_ahead(self, live: LiveGame) -> bool:
        seat = live.seats.get(live.asked or "")
        return seat is not None and not is_bot(seat) and self._answering(live)[0]

    def _give_ahead(self, live: LiveGame, settles: str) -> bool:
        """Give the orders ahead of the side that is asked, or drop them if something else is asked than was planned;
        whether the game can go on."""
        side = str(live.asked)
        before = {"ahead": live.seats[side]["ahead"]}
        after = {"ahead": give(live, side)}
        going = self.fresh.roll(live) if live.rows.new else True
        self.keep(live, seat=(side, after), before=before, settles=settles)
        live.catch_up(self.store)
        return going

    def _by_itself(self, live: LiveGame) -> Sequence[Option[Any] | str]:
        """What a player of the program, standing orders or the staff of a seat answer to what is asked now: the staff
        all that can be answered without learning anything."""
        request = live.game.pending
        if not isinstance(request, Choose):
            return ()
        side = request.side
        seat = live.seats[side]
        if is_bot(seat):
            return [self._player(live, side, seat["holder"]).choose(View(live.game, side), request)]
        _, orders, passing = self._answering(live)
        answers = staff.answers_of(live, side) if passing else []
        answers = staff.ordered_of(live, side) if orders and not answers else answers
        live.left_to_person = None if answers else self._question(live)
        return answers

    def _may_pass(self, live: LiveGame, side: str, *, away: bool = False) -> bool:
        """Whether a moment may pass by itself at which a person has nothing to decide, or has decided before. Where
        others watch, it waits: no time at all begins to run before the person is there, unless he may be `away`."""
        if not staff.is_watched(live, side):
            return True
        now, moment = self.clock(), (side, live.game.turn, live.game.undone)
        if not away and not is_present(live.id, live.seats[side], self.wakeups, now):
            live.passes.pop(away, None)
            return False
        waited_for, when = live.passes.get(away, (None, 0.0))
        if waited_for != moment or when > now + staff.LATEST:  # the clock was set back
            when = now + staff.delay(live)
            live.passes[away] = moment, when
            self._alarms.set(live.id, time.monotonic() + staff.delay(live))
        return now >= when

    def _player(self, live: LiveGame, side: str, holder: str) -> Player:
        if live.players.get(side, ("", None))[0] != holder:  # the seat may have been handed over at another server
            live.players[side] = holder, self._thinkers.player(live.game, side, holder)
        return live.players[side][1]


def _may_be_behind(fault: FlagplotError, *, heard: bool, alone: bool) -> bool:
    """Whether something was refused only because word of what another server kept is still on its way."""
    return heard and not alone and not isinstance(fault, StoreError)
