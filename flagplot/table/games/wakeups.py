"""Telling those who wait that a game has changed: threads, streams of this server, and other servers' changes."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

AWAY = 90.0
"""Seconds after which a seat counts as away that another server has not heard of."""
REMEMBERED = 10_000
"""Seats at other servers beyond which those are forgotten that are away."""


class Subscription:
    """One who waits for news of a game. `wait` belongs to the event loop in which it was made."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self.stopped = False
        """Whether the server is going down: then the stream should end."""
        self.pulse: Callable[[], None] = lambda: None
        """Called now and then while somebody waits."""

    def tell(self) -> None:
        """There is news. In the loop."""
        self._news.set()

    async def wait(self, timeout: float | None = None) -> bool:
        """Wait for news; False if there was none in that time. News that came before the call counts."""
        self.pulse()
        try:
            async with asyncio.timeout(timeout):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True


def _tell(waiting: list[Subscription]) -> None:
    """Tell all of them, from any thread: a loop is woken once for all that wait in it."""
    for loop in {subscription.loop for subscription in waiting}:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(_tell_here, [each for each in waiting if each.loop is loop])


def _tell_here(waiting: list[Subscription]) -> None:
    for subscription in waiting:
        subscription.tell()


class Wakeups:
    """Who waits for which game, and which seats have a page open."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._subscribed: dict[str, set[Subscription]] = {}
        self._ticks: Counter[str] = Counter()
        self._changers: dict[str, str] = {}
        """The side by whose answer a game has changed last."""
        self._present: Counter[tuple[str, str]] = Counter()
        self._elsewhere: dict[tuple[str, str], float] = {}
        """When another server last said that it has a page of a seat open."""
        self._stopped = False

    def wake(self, game: str, by: str = "") -> None:
        """A game has changed, perhaps by an answer of a side, which knows it already. From any thread."""
        with self._lock:
            self._ticks[game] += 1
            self._changers[game] = by
            waiting = list(self._subscribed.get(game, ()))
            self._changed.notify_all()
        _tell(waiting)

    def wake_all(self) -> None:
        """Any game may have changed: word of it may have been missed."""
        with self._lock:
            subscribed = list(self._subscribed)
        for game in subscribed:
            self.wake(game)

    def stop(self) -> None:
        """The server goes down: let every stream end."""
        with self._lock:
            self._stopped = True
            waiting = [subscription for each in self._subscribed.values() for subscription in each]
            self._changed.notify_all()
        for subscription in waiting:
            subscription.stopped = True
        _tell(waiting)

    def tick(self, game: str) -> int:
        """A number that grows when the game changes; for `wait`."""
        with self._lock:
            return self._ticks[game]

    def changed_by(self, game: str) -> str:
        """The side that knows the last change already, since it answered; nothing if there is none."""
        with self._lock:
            return self._changers.get(game, "")

    def wait(self, game: str, tick: int, timeout: float) -> int:
        """In a thread: wait until the tick of a game is another; returns it, the same one if the time is up."""
        with self._lock:
            self._changed.wait_for(lambda: self._stopped or self._ticks[game] != tick, timeout)
            return self._ticks[game]

    @contextlib.contextmanager
    def subscribe(self, game: str, side: str = "") -> Iterator[Subscription]:
        """Wait for news of a game; while it lasts the seat of that side counts as present."""
        subscription = Subscription()
        with self._lock:
            self._subscribed.setdefault(game, set()).add(subscription)
            self._present[game, side] += 1
            subscription.stopped = self._stopped
        try:
            yield subscription
        finally:
            with self._lock:
                waiting = self._subscribed[game]
                waiting.discard(subscription)
                if not waiting:
                    del self._subscribed[game]
                self._present[game, side] -= 1
                if not self._present[game, side]:
                    del self._present[game, side]

    def is_present(self, game: str, side: str, now: float) -> bool:
        """Whether a page of that seat is open at this server, or at another that said so not long ago."""
        with self._lock:
            noted = self._elsewhere.get((game, side))
            return (game, side) in self._present or (noted is not None and abs(now - noted) < AWAY)

    def present_elsewhere(self, some: Iterable[tuple[str, str]], now: float) -> None:
        """Another server has pages of these seats open, each of a game and a side."""
        with self._lock:
            if len(self._elsewhere) > REMEMBERED:
                self._elsewhere = {one: at for one, at in self._elsewhere.items() if abs(now - at) < AWAY}
            self._elsewhere.update(dict.fromkeys(some, now))

    @property
    def streams(self) -> int:
        """How many wait in streams now."""
        with self._lock:
            return sum(map(len, self._subscribed.values()))


def is_present(game: str, seat: Mapping[str, Any], wakeups: Wakeups, now: float) -> bool:
    """Whether a page of a seat is open, here or at another server."""
    noted = seat["present"]  # perhaps by a server whose clock was wrong
    return wakeups.is_present(game, seat["side"], now) or (noted is not None and abs(now - noted) < AWAY)
