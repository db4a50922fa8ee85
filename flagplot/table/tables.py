"""The service of the table: everything that pages, the API and commands may do with tables. It is put together here;
what can be done is in `flagplot.table.service`, by what a caller is after.

Who may do it is not asked here but by those who call: they find the seat of a token by `seat`, and name a side only if
the seat has it. All methods can be called from any thread. What a caller shows to a seat comes from `look`, `since`,
`replay` and `table` (without `version`), and from the words of refusals, which hold no secrets.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from flagplot.table.games.presence import Presence
from flagplot.table.games.replay import Replays
from flagplot.table.games.seat_log import ABSENCE_DAYS
from flagplot.table.games.wakeups import Subscription, Wakeups
from flagplot.table.guard.quotas import Limits, Quotas
from flagplot.table.info import BOTS
from flagplot.table.keeping.health import Health
from flagplot.table.keeping.retention import Retention, Tidying
from flagplot.table.playing.answers import Playing
from flagplot.table.seats.handovers import HandingOver
from flagplot.table.seats.notifications import Notices
from flagplot.table.seats.outgoing import Post
from flagplot.table.seats.rematches import Rematches
from flagplot.table.seats.seating import Seating
from flagplot.table.seats.talk import Talk
from flagplot.table.service.deciding import Deciding
from flagplot.table.service.dice import Dice
from flagplot.table.service.keeping import Keeping
from flagplot.table.service.looking import Looking
from flagplot.table.service.seats import Seats
from flagplot.table.store.listening import Listener
from flagplot.table.store.store import Store


class Tables(Seats, Looking, Deciding, Dice, Keeping):
    """All tables of a store. One object for a server; close it when the server goes down."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], float] = time.time,
        keep: int = 1000,
        workers: int = 2,
        post: Post | None = None,
        limits: Limits | None = None,
        retention: Retention | None = None,
        absence_days: int = ABSENCE_DAYS,
    ) -> None:
        """`keep` games stay in memory; `workers` threads let players of the program answer; `post` says how seats are
        called whose turn it is, `limits` how much may be kept, `retention` for how long; `absence_days` is
        how long somebody must stay away whose seat the host asks for. A server calls `start` when it is ready."""
        self.store = store
        self.clock = clock
        self.wakeups = Wakeups()
        quotas = Quotas(store, limits or Limits(), clock)
        self._playing = Playing(store, self.wakeups, clock, keep, workers, quotas)
        self._replays = Replays()
        self._seating = Seating(self._playing)
        self.handovers = HandingOver(self._playing, self._seating, absence_days)
        self.talk = Talk(store, clock, self.wakeups.wake)
        self.rematches = Rematches(self._playing, self._seating)
        self.calls = Notices(self._playing, post or Post())
        self._health = Health(store, clock)
        self._tidying = Tidying(store, retention or Retention(), clock, self._deleted)
        self._errands = ThreadPoolExecutor(max_workers=1, thread_name_prefix="flagplot-errands")
        self._presence = Presence(store, clock, self._errands)
        self._listener = (
            Listener(store, self._changed_elsewhere, self._all_changed, self._present_elsewhere)
            if store.shared
            else None
        )
        self._playing.listener = self._listener

    def close(self) -> None:
        """Let streams end, players of the program finish their answer, and the store go."""
        self.wakeups.stop()
        self._presence.close()
        self._tidying.close()
        self.calls.close()
        if self._listener is not None:
            self._listener.close()
        self._playing.stop()
        self._errands.shutdown(wait=True, cancel_futures=True)
        self.store.close()

    def _present_elsewhere(self, some: list[tuple[str, str]]) -> None:
        self.wakeups.present_elsewhere(some, self.clock())

    def _all_changed(self) -> None:
        self._playing.games.all_changed()
        self._seating.forget_all()
        self.wakeups.wake_all()

    def start(self) -> None:
        """The server is ready: calls are made, and players of the program go on that were asked when it stopped."""
        self.calls.start()
        self._tidying.start()
        self._errands.submit(self.start_waiting_players)

    def start_waiting_players(self) -> None:
        """Players of the program that are asked now go on."""
        self._playing.go_on(self.store.waiting(BOTS))

    def stop_streams(self) -> None:
        """Let every stream end: the server is going down."""
        self.wakeups.stop()

    def _deleted(self, game_id: str) -> None:
        with self._playing.games.use(game_id) as live:
            live.forget()
        self._seating.forget(game_id)
        self.wakeups.wake(game_id)

    # --- news ---------------------------------------------------------------------------------------------------------

    @contextmanager
    def subscribe(self, game_id: str, side: str = "") -> Iterator[Subscription]:
        """Within an event loop: ``with tables.subscribe(game, side) as news: await news.wait(15)``.

        `wait` is True when the game may have changed, False when the time is up; `news.stopped` says that the server
        goes down. While it lasts, the seat of that side counts as present (leave it out for spectators)."""
        with self.wakeups.subscribe(game_id, side) as subscription:
            if side and self.store.shared:
                subscription.pulse = self._presence.pulse(game_id, side)
            yield subscription

    def tick(self, game_id: str) -> int:
        """A number that changes whenever the game may have changed, for `wait`. For the server alone."""
        return self.wakeups.tick(game_id)

    def changed_by(self, game_id: str) -> str:
        """The side whose answer changed the game last; nothing if dice wait for its bytes, or it was no answer."""
        return self.wakeups.changed_by(game_id)

    def wait(self, game_id: str, tick: int, timeout: float) -> int:
        """In a thread: wait until the tick is another one, at most so many seconds; returns the tick then."""
        return self.wakeups.wait(game_id, tick, timeout)
