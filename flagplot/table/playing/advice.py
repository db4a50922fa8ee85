"""Staffs that look ahead: what the commodore or admiral of a seat proposes for its plan, and why.

He thinks where players of the program do, in a process of its own (`thinking`), and is handed what his side knows.
Nobody waits for him: until he is done the plan is the captain's, who keeps to the doctrine and answers at once. He
begins when somebody looks at the plan. For a seat one plan is thought about at a time, the newest, and few wait.

What he found is kept here, not with the game: it concerns his own side alone. A server that starts again thinks again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import NamedTuple

from flagplot.players.search.hints import Hints
from flagplot.table.games.live import LiveGame
from flagplot.table.games.look import level_of
from flagplot.table.info import CAPTAIN, STAFFS, Advice
from flagplot.table.playing.staff import asked_level, sheet_of
from flagplot.table.recent import Recent
from flagplot.table.workers.game_work import PlanAsked
from flagplot.table.workers.thinking import Thinkers, seed_of

WAITING = 4
"""Plans that wait at a time; whoever asks then keeps to the captain's."""
KEPT = 1000
"""Seats whose last advice is remembered."""
NO_ROOM = "Too many staffs are thinking just now, so this is the captain’s plan. Reload the page to ask again."

SeatKey = tuple[str, str]
"""A game and a side."""


class _Wanted(NamedTuple):
    moment: Hashable
    """What the plan is made from: once that is another one, the advice is no use any more."""
    asked: PlanAsked


class Advisers:
    """What the staffs of all seats propose."""

    def __init__(self, thinkers: Thinkers, wake: Callable[[str], object]) -> None:
        self._thinkers, self._wake = thinkers, wake
        self._found: Recent[SeatKey, tuple[Hashable, Hints]] = Recent(KEPT)
        self._wanted: dict[SeatKey, _Wanted] = {}
        self._busy: dict[SeatKey, Hashable] = {}
        """The seats whose staffs think, or wait for it, and about which moment; none while they wait."""
        self._lock = threading.Lock()

    def known(self, live: LiveGame, side: str) -> Advice:
        """What the staff of a side has to say by now about what the side is asked."""
        rank = staff_of(live, side)
        if rank == CAPTAIN or live.asked != side or level_of(live.seats, side) == "step":
            return Advice(rank)
        moment = _moment(live, side, rank)
        with self._lock:
            known, found = self._found.get((live.id, side), (None, Hints()))
        return Advice(rank, found) if known == moment else Advice(rank, thinking=True)

    def advice(self, live: LiveGame, side: str) -> Advice:
        """The same, for somebody who looks at the plan: it is thought about, if that is not done yet."""
        advice = self.known(live, side)
        if not advice.thinking:
            return advice
        if not any([not one.ahead for one in sheet_of(live, side, {}).open_to()]):
            return Advice(advice.rank)  # there is nothing to decide
        moment, seat = _moment(live, side, advice.rank), (live.id, side)
        with self._lock:
            if self._busy.get(seat) == moment:
                self._wanted.pop(seat, None)  # he is at the newest again
                return advice
            if seat in self._wanted and self._wanted[seat].moment == moment:
                return advice
            if seat not in self._wanted and len(self._wanted) >= WAITING:
                return Advice(advice.rank, Hints(why_not=NO_ROOM))
            self._wanted[seat] = _Wanted(moment, _asked(live, side, advice.rank))
            if seat in self._busy:  # he is at an older one, and goes on with this when he is done
                return advice
            self._busy[seat] = None
        self._begin(seat)
        return advice

    def _begin(self, seat: SeatKey) -> None:
        if not self._thinkers.submit(lambda: self._think(seat)):
            with self._lock:
                self._wanted.pop(seat, None)
                self._busy.pop(seat, None)

    def _think(self, seat: SeatKey) -> None:
        """In a thread of the thinkers: have the newest plan of a seat thought about."""
        with self._lock:
            wanted = self._wanted.pop(seat)
            self._busy[seat] = wanted.moment
        found = self._thinkers.plan(wanted.asked)
        with self._lock:
            self._found[seat] = wanted.moment, found
            more = seat in self._wanted
            if not more:
                del self._busy[seat]
        self._wake(seat[0])
        if more:
            self._begin(seat)


def staff_of(live: LiveGame, side: str) -> str:
    """Who fills in the plans of a side."""
    chosen = str(live.seats[side]["staff"])
    return chosen if chosen in STAFFS else CAPTAIN


def _moment(live: LiveGame, side: str, rank: str) -> Hashable:
    """What a plan follows from. Nothing that the enemy does meanwhile belongs to it: it would show here."""
    return rank, live.game.turn, live.game.undone, asked_level(live, side), live.seats[side]["orders"]


def _asked(live: LiveGame, side: str, rank: str) -> PlanAsked:
    """What is sent to the process that thinks. What is decided by lot follows from the secret of the dice, as with
    players of the program: nobody can foresee it."""
    lines, orders = list(live.game.tape().texts), str(live.seats[side]["orders"])
    return PlanAsked(lines, side, asked_level(live, side), rank, seed_of(live.game, side), orders)
