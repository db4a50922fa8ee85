"""The lane: what answers and open pages have to do, one after the other, the most urgent first.

Python runs one thread at a time. Twenty pieces of work in as many threads are all done at the end; one after the other,
half of them are done in half of the time. So answers, and the pages that they change, wait in line here. What waits for
the disk holds up nobody, and what takes long the others for a moment only.
"""

from __future__ import annotations

import asyncio
import functools
import heapq
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from typing import Any, Generic, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")
P = ParamSpec("P")

ABREAST = 2
"""Pieces of work that are done at the same time, those apart that take long."""
LONG = 0.03
"""Seconds after which a piece of work takes long: the next one begins beside it."""
THREADS = 40
"""Pieces of work under way at most, however long they take."""
AHEAD = 0.25
"""Seconds by which what others wait for goes before what came earlier, and what nobody waits for comes after it. There
is no more to it, so nothing waits for ever."""


_THREAD = threading.local()
"""How what is done in a thread lets others pass."""


class Work(Generic[T]):
    """A piece of work, and who waits for it."""

    def __init__(self, work: Callable[[], T], done: asyncio.Future[T]) -> None:
        self.work, self.done = work, done
        self.late: asyncio.TimerHandle | None = None
        """Runs while it holds up the others."""

    def hand_over(self, running: asyncio.Future[T]) -> None:
        """What came of it."""
        fault = None if running.cancelled() else running.exception()  # else asyncio complains that nobody asked
        if self.done.cancelled():
            return
        if running.cancelled():
            self.done.cancel()
        elif fault is not None:
            self.done.set_exception(fault)
        else:
            self.done.set_result(running.result())


class Lane:
    """Those who wait in line in one event loop."""

    def __init__(self, abreast: int = ABREAST, long: float = LONG, threads: int = THREADS) -> None:
        self._abreast, self._long, self._threads = abreast, long, threads
        self._pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="flagplot-lane")
        self._line: list[tuple[float, int, Work[Any]]] = []
        self._numbers = count()
        self._under_way, self._holding = 0, 0
        """How many are under way, and how many of those hold up the others."""

    async def run(self, work: Callable[[], T], ahead: float = 0.0) -> T:
        """Do it in a thread when its turn comes, as if it had come so many seconds sooner."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        piece = Work(work, done)
        heapq.heappush(self._line, (loop.time() - ahead, next(self._numbers), piece))
        self._go_on(loop)
        return await done

    def _go_on(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._line and self._holding < self._abreast and self._under_way < self._threads:
            piece = heapq.heappop(self._line)[2]
            if not piece.done.cancelled():  # else nobody waits for it any more
                self._begin(loop, piece)

    def _begin(self, loop: asyncio.AbstractEventLoop, piece: Work[T]) -> None:
        self._under_way += 1
        self._holding += 1
        piece.late = loop.call_later(self._long, self._let_pass, loop, piece)

        def ended(running: asyncio.Future[T]) -> None:
            self._under_way -= 1
            piece.hand_over(running)
            self._let_pass(loop, piece)

        loop.run_in_executor(self._pool, self._do, loop, piece).add_done_callback(ended)

    def _do(self, loop: asyncio.AbstractEventLoop, piece: Work[T]) -> T:
        """In a thread."""
        _THREAD.let_pass = functools.partial(loop.call_soon_threadsafe, self._let_pass, loop, piece)
        try:
            return piece.work()
        finally:
            _THREAD.let_pass = None

    def _let_pass(self, loop: asyncio.AbstractEventLoop, piece: Work[Any]) -> None:
        """It is done, waits for something, or takes long."""
        if piece.late is not None:
            piece.late.cancel()
            piece.late = None
            self._holding -= 1
        self._go_on(loop)


def let_others_pass() -> None:
    """What is done in this thread waits for something now, as for the disk: it holds up others no more."""
    let_pass = getattr(_THREAD, "let_pass", None)
    if let_pass is not None:
        with suppress(RuntimeError):  # the loop has ended
            let_pass()


_LANES: WeakKeyDictionary[asyncio.AbstractEventLoop, Lane] = WeakKeyDictionary()


async def in_lane(work: Callable[[], T], ahead: float = 0.0) -> T:
    """Do something in the lane of this event loop."""
    loop = asyncio.get_running_loop()
    lane = _LANES.get(loop)
    if lane is None:
        lane = _LANES[loop] = Lane()
    return await lane.run(work, ahead)


def laned(ahead: float = 0.0) -> Callable[[Callable[P, T]], Callable[P, Awaitable[T]]]:
    """An endpoint whose work is done in the lane."""

    def decorate(endpoint: Callable[P, T]) -> Callable[P, Awaitable[T]]:
        @functools.wraps(endpoint)
        async def called(*given: P.args, **named: P.kwargs) -> T:
            return await in_lane(functools.partial(endpoint, *given, **named), ahead)

        return called

    return decorate
