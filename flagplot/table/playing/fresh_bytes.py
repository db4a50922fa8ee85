"""Fresh bytes of the other players' browsers for each roll, so that a host who plays cannot look ahead.

A browser pledges bytes by their hash. When an answer asks for dice, it is kept and acknowledged first; then the
browsers of the persons who are there are asked for what they pledged, with the receipt of that answer: also that of
the one who gave it, or a host could vary something of his own when he reads the answer. When all
bytes have come, or after a short time, they go on the tape with the dice, in one transaction; who did not answer is
skipped, and his pledge is void. That dice are awaited follows from the tape, so any server can take the bytes and go
on.
"""

from __future__ import annotations

import contextlib
import heapq
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from flagplot.kernel.errors import BadValue, FlagplotError, IllegalAnswer
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.save_lines import PERSON, is_hex
from flagplot.kernel.tape_rules import pledge_of
from flagplot.table.games.keeper import Keeper
from flagplot.table.games.live import Awaited, LiveGame
from flagplot.table.refusals import Conflict, NotAllowed

LOG = logging.getLogger("flagplot.table")

PATIENCE = 2.0
"""Seconds for which a roll waits for the bytes of browsers."""
SPARE = 1.0
"""Seconds more before a server goes on that did not take the answer itself: the one that did comes first."""
PLEDGES = 4
"""Pledges of a side between two rolls or answers of its own: a page that is reloaded for ever does not fill a tape."""


class FreshBytes:
    """Decides whose bytes a roll waits for, takes them, and goes on when they are there or the time is up."""

    def __init__(
        self, keeper: Keeper, roll_on: Callable[[str], None], start_players: Callable[[LiveGame], None]
    ) -> None:
        """`roll_on` uses a game whose dice may be due, `start_players` lets players of the program answer."""
        self.keeper, self.store = keeper, keeper.store
        self._roll_on, self._start_players = roll_on, start_players
        self._alarms = Alarms(self._due)

    def stop(self) -> None:
        self._alarms.stop()

    # --- the roll waits -----------------------------------------------------------------------------------------

    def roll(self, live: LiveGame) -> bool:
        """After an answer: roll its dice, unless they have to wait for somebody's bytes; whether they need not."""
        sides = tuple(side for side in self._could_reveal(live) if self.keeper.is_there(live, side))
        if not sides:
            live.roll()
            return True
        live.awaited = Awaited(live.game.tape().head, sides, time.monotonic() + PATIENCE, ours=True)
        self._alarms.set(live.id, live.awaited.until)
        return False

    def go_on(self, live: LiveGame) -> None:
        """Somebody uses a game whose dice are not rolled: another server took the answer, or this one was stopped."""
        if live.awaited is None and (sides := self._could_reveal(live)):
            until, ours = time.monotonic() + PATIENCE + SPARE, not self.store.shared
            live.awaited = Awaited(live.game.tape().head, sides, until, ours)
            self._alarms.set(live.id, until)
        if live.awaited is not None:
            late = time.monotonic() >= live.awaited.until
            if not (late or live.awaited.ours) or (self._missing(live) and not late):
                return
        self.settle(live)

    def heard_of_bytes(self, game_id: str) -> None:
        """A browser has revealed its bytes to another server: if this one rolls, perhaps all are there now."""
        live = self.keeper.games.known(game_id)
        awaited = live.awaited if live else None
        if awaited is not None:
            awaited.elsewhere = True
            if awaited.ours:
                self._alarms.set(game_id, time.monotonic())

    def settle(self, live: LiveGame) -> None:
        """Put the bytes that have come on the tape, and that others have not, and roll. Another server may have asked a
        browser for which this one did not wait: then its pledge is used or void too, or it would be known before the
        answer that it is used for."""
        awaited, live.awaited = live.awaited, None
        with self.keeper.changing(live):
            if awaited is not None:
                could = self._could_reveal(live)
                if not awaited.shown.keys() >= set(could):  # word of some bytes may be on its way
                    self._read_revealed(live, awaited)
                for side in [side for side in could if self.store.shared or side in awaited.sides]:
                    _reveal_or_skip(live, side, awaited)
            live.roll()
            if awaited is not None:
                _pledge_next(live, awaited)
            self.keeper.keep(live)

    def settle_now(self, live: LiveGame) -> None:
        """Something is to happen at the table that cannot wait: the dice fall without those who have not answered."""
        if isinstance(live.game.pending, Roll):
            self.settle(live)

    def _due(self, game_id: str) -> None:
        """The time may be up."""
        try:
            self._roll_on(game_id)
        except FlagplotError as fault:
            LOG.warning("the dice of a table are not rolled: %s", fault.code)

    def _could_reveal(self, live: LiveGame) -> tuple[str, ...]:
        """The sides, in their order, whose browsers could add to the dice that are awaited now."""
        game = live.game
        if game.seats is None or not isinstance(game.pending, Roll) or not game.tape_rules.is_answered:
            return ()
        return tuple(side for side, holder in game.seats.items() if holder == PERSON and side in game.open_pledges)

    def _missing(self, live: LiveGame, *, elsewhere: bool = True) -> list[str]:
        """The sides whose bytes have not come, to this server or one `elsewhere`."""
        awaited = live.awaited
        if awaited is None:
            return []
        if elsewhere and (awaited.elsewhere or not self.keeper.hears):
            self._read_revealed(live, awaited)
        return [side for side in awaited.sides if side not in awaited.shown]

    def _read_revealed(self, live: LiveGame, awaited: Awaited) -> None:
        """Take over what browsers have revealed to other servers."""
        if self.store.shared:
            awaited.elsewhere = False
            for side, shown, pledge in self.store.revealed(live.id, live.receipt(awaited.head)):
                if live.game.open_pledges.get(side) == pledge_of(shown):
                    awaited.shown.setdefault(side, (shown, pledge))

    # --- browsers -----------------------------------------------------------------------------------------------

    def wanted(self, live: LiveGame, side: str) -> str | None:
        """The receipt of the answer for whose dice a side's browser is asked to reveal its bytes now."""
        awaited = live.awaited
        if awaited is None or side not in awaited.sides or side in awaited.shown:
            return None
        return live.receipt(awaited.head)

    def open_pledge(self, live: LiveGame, side: str) -> str | None:
        """The pledge of a side that is open, nothing if it has none; None if it is not asked for any."""
        game = live.game
        if game.seats is None or game.seats[side] != PERSON or game.pending is None:
            return None
        return game.open_pledges.get(side, "")

    def pledge(self, live: LiveGame, side: str, pledge: str) -> None:
        """A browser pledges bytes. Nobody else hears of it."""
        game = live.game
        open_pledge = self.open_pledge(live, side)
        if open_pledge is None:
            raise NotAllowed("this seat adds no bytes to the dice", given=side)
        if open_pledge and open_pledge == pledge:
            return
        _check_pledge(live, pledge)
        if not isinstance(game.pending, Choose):
            raise Conflict("the dice are being rolled: pledge again when they have fallen")
        if game.tape_rules.pledged_in_vain(side) >= PLEDGES:
            raise Conflict("this seat has pledged bytes several times already: it can pledge again after the next roll")
        with self.keeper.changing(live):
            game.pledge(side, pledge)
            self.keeper.keep(live, quiet=True)

    def reveal(self, live: LiveGame, side: str, shown: str, pledge: str, before: str = "") -> None:
        """A browser reveals what it had pledged for the answer with the receipt `before`, and pledges other bytes. When
        it was the last one, the dice fall. Bytes that were told for one answer are not used for another: whoever took
        them could have chosen it."""
        if not is_hex(shown, 64):
            raise BadValue("the bytes are 64 lower-case hexadecimal digits", given=shown)
        promised = pledge_of(shown)
        awaited = live.awaited
        if awaited is None or side not in awaited.sides:
            if promised in live.game.tape_rules.revealed:
                return  # it was heard the first time
            raise Conflict("nobody waits for these bytes any more")
        if before and before != live.receipt(awaited.head):
            raise Conflict("the dice wait for bytes after another answer than these were told for")
        if live.game.open_pledges.get(side) != promised:
            raise BadValue("these are not the bytes that were pledged", given=shown)
        _check_pledge(live, pledge)
        awaited.shown.setdefault(side, (shown, pledge))
        if not self._missing(live, elsewhere=awaited.ours):
            self.settle(live)
            self._start_players(live)
        elif not awaited.ours:
            self.store.note_revealed(live.id, side, live.receipt(awaited.head), shown, pledge)


def _reveal_or_skip(live: LiveGame, side: str, awaited: Awaited) -> None:
    if side in awaited.shown:
        live.game.reveal(side, awaited.shown[side][0])
    else:
        live.game.skip(side)


def _pledge_next(live: LiveGame, awaited: Awaited) -> None:
    """What browsers have pledged for the next roll. It comes after the dice, or it would be bytes to choose from."""
    for side, (_, pledge) in awaited.shown.items():
        if isinstance(live.game.pending, Choose):
            with contextlib.suppress(IllegalAnswer):  # somebody else has pledged the same: then it pledges once more
                live.game.pledge(side, pledge)


def _check_pledge(live: LiveGame, pledge: str) -> None:
    if not is_hex(pledge, 64):
        raise BadValue("a pledge is 64 lower-case hexadecimal digits", given=pledge)
    if pledge in live.game.tape_rules.pledged:
        raise BadValue("this pledge was made before: draw other bytes", given=pledge)


class Alarms:
    """Calls a function for games at set times. One thread waits for all of them, and a few do the work."""

    def __init__(self, ring: Callable[[str], None]) -> None:
        self._ring = ring
        self._heap: list[tuple[float, str]] = []
        self._changed = threading.Condition()
        self._stopped = False
        self._thread: threading.Thread | None = None
        self._workers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="flagplot-dice")

    def set(self, game_id: str, when: float) -> None:
        """Ring for a game at a time of `time.monotonic`."""
        with self._changed:
            if self._stopped:
                return
            heapq.heappush(self._heap, (when, game_id))
            if self._thread is None:
                self._thread = threading.Thread(target=self._wait, name="flagplot-alarms", daemon=True)
                self._thread.start()
            self._changed.notify()

    def stop(self) -> None:
        """Dice that wait are rolled when the server starts again."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        self._workers.shutdown(wait=True, cancel_futures=True)

    def _wait(self) -> None:
        with self._changed:
            while not self._stopped:
                now = time.monotonic()
                if self._heap and self._heap[0][0] <= now:
                    self._workers.submit(self._rung, heapq.heappop(self._heap)[1])
                else:
                    self._changed.wait(self._heap[0][0] - now if self._heap else None)

    def _rung(self, game_id: str) -> None:
        try:
            self._ring(game_id)
        except Exception:
            LOG.exception("a table does not go on by itself")
