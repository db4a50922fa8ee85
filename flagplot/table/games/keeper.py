"""How what changes in a game in memory becomes rows: all or nothing, and then everybody is told.

If the store refuses it, because another server was first or the disk is full, the game in memory is thrown away and
made again from its rows: the rows are the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Unpack

from flagplot.kernel.errors import FlagplotError
from flagplot.table.games.lane import let_others_pass
from flagplot.table.games.live import LiveGame, LiveGames
from flagplot.table.games.wakeups import Wakeups, is_present
from flagplot.table.info import BOTS
from flagplot.table.refusals import Overtaken
from flagplot.table.store.database import Duplicate, Row
from flagplot.table.store.listening import Listener
from flagplot.table.store.store import Beside, Store

GRACE = 15.0
"""Seconds after which a seat that is asked and not present is called: it may be just reloading its page."""


class Keeper:
    """The games in memory, and what each change of one brings with it."""

    def __init__(self, store: Store, wakeups: Wakeups, clock: Callable[[], float], keep: int) -> None:
        self.store, self.wakeups, self.clock = store, wakeups, clock
        self.games = LiveGames(keep)
        self.listener: Listener | None = None
        """Hears what other servers change."""

    @property
    def hears(self) -> bool:
        """Whether this server knows of all changes: it is alone, or is told what others change."""
        return self.store.alone or (self.listener is not None and self.listener.ready.is_set())

    def is_there(self, live: LiveGame, side: str) -> bool:
        """Whether somebody has a page of a seat open, here or at another server."""
        self.see_who_is_there(live)
        return is_present(live.id, live.seats[side], self.wakeups, self.clock())

    def see_who_is_there(self, live: LiveGame) -> None:
        """Read the seats again if somebody seems to be away who may have a page open at another server."""
        now = self.clock()
        persons = [seat for seat in live.seats.values() if not is_bot(seat)]
        if self.store.shared and not all([is_present(live.id, seat, self.wakeups, now) for seat in persons]):
            live.seats = {str(seat["side"]): seat for seat in self.store.seats(live.id)}

    @contextmanager
    def changing(self, live: LiveGame) -> Iterator[None]:
        """Whatever goes wrong after the game in memory has changed, it is made from its rows again."""
        try:
            yield
        except FlagplotError:
            if live.rows.new:
                live.forget()
            raise
        except BaseException:
            live.forget()
            raise

    def keep(self, live: LiveGame, *, by: str = "", **beside: Unpack[Beside]) -> None:
        """Keep the new lines of a game, and what is `Beside` them; then tell everybody, or nobody if it is `quiet`.
        Raises Conflict if another server was first."""
        now = self.clock()
        game, asked = live.game, live.asked
        changes: dict[str, Any] = {}
        if asked != live.row["waiting_for"]:
            changes = {"changed": now, "waiting_for": asked}
        if game.pending is None and live.row["finished"] is None:
            changes |= {"changed": now, "finished": now, "secret": None}
        if live.proposal is None and self.hears:
            beside["settles"] = ""
        quiet = beside.get("quiet", False)
        beside["calls"] = [*beside.get("calls", ()), *([] if quiet else self._calls(live, now))]
        let_others_pass()
        try:
            self.store.append(live.id, live.fresh(now), changes, **beside)
        except Duplicate:
            live.forget()
            live.catch_up(self.store)
            raise Overtaken(
                "somebody else answered first, perhaps you in another window; the table now shows what came of it"
            ) from None
        live.kept(now)
        live.row = {**live.row, **changes}
        settled = bool(beside.get("settles")) and live.proposal is not None
        others = [beside.get(name) for name in ("seat", "request", "happening")]
        live.stale = live.stale or settled or any([other is not None for other in others])
        if not quiet:
            self.wakeups.wake(live.id, "" if live.awaited else by)

    def _calls(self, live: LiveGame, now: float) -> list[Row]:
        """The calls that become due because a seat is asked: it may not be there."""
        asked = live.asked
        seat = live.seats.get(asked or "")
        if asked is None or seat is None or not (seat["webhook"] or seat["email"]):
            return []
        kinds = [kind for kind in ("webhook", "email") if seat[kind]]
        moment = live.game.moment_of(asked)
        return [{"side": asked, "kind": kind, "moment": moment, "due": now + GRACE} for kind in kinds]


def is_bot(seat: Row) -> bool:
    """Whether a player of the program holds a seat."""
    return seat["holder"].partition(":")[0] in BOTS
