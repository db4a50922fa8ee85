"""A few threads of their own for calls to elsewhere, so that no request ever waits for another server.

A call to a host that does not answer holds a thread for seconds. So a host gets few threads at a time, few calls may
wait for it, and a seat has one call at a time; what has no room is refused at once.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import NamedTuple

LOG = logging.getLogger("flagplot.table")


class Job(NamedTuple):
    """A call that is to be made."""

    seat: Hashable
    host: str
    work: Callable[[], bool]
    done: Future[bool]


class CallPool:
    """Makes calls in threads of its own. Nobody waits for them when the server stops."""

    def __init__(self, name: str, *, threads: int, at_host: int, waiting: int, waiting_for_host: int) -> None:
        self.name, self.threads, self.at_host = name, threads, at_host
        self.most_waiting, self.most_for_host = waiting, waiting_for_host
        self._waiting: deque[Job] = deque()
        self._seats: set[Hashable] = set()
        self._hosts: Counter[str] = Counter()
        """How many calls to each host are being made."""
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._changed = threading.Condition()
        self._stopped = False

    def begin(self, seat: Hashable, host: str, work: Callable[[], bool]) -> Future[bool] | None:
        """Have a call made as soon as there is a thread for it; None if there is no room. `work` says whether it
        arrived, and whatever it raises is logged."""
        job = Job(seat, host, work, Future())
        with self._changed:
            if self._stopped or seat in self._seats or not self._has_room(host):
                return None
            self._seats.add(seat)
            self._waiting.append(job)
            if not self._idle and len(self._threads) < self.threads:
                thread = threading.Thread(target=self._run, name=self.name, daemon=True)
                self._threads.append(thread)
                thread.start()
            self._changed.notify_all()
        return job.done

    def _has_room(self, host: str) -> bool:
        for_host = sum(job.host == host for job in self._waiting)
        return len(self._waiting) < self.most_waiting and for_host < self.most_for_host

    def close(self) -> None:
        """Begin no more calls. One that is being made may take some seconds more: nobody waits for it."""
        with self._changed:
            self._stopped = True
            for job in self._waiting:
                job.done.set_result(False)
            self._waiting.clear()
            self._changed.notify_all()

    def _run(self) -> None:
        while (job := self._next()) is not None:
            arrived = False
            try:
                arrived = job.work()
            except Exception:
                LOG.exception("a call was not made")
            with self._changed:
                self._seats.discard(job.seat)
                self._hosts -= Counter([job.host])
                self._changed.notify_all()
            job.done.set_result(arrived)

    def _next(self) -> Job | None:
        """The call that waits for longest and whose host has room; None when the server stops."""
        with self._changed:
            self._idle += 1
            try:
                while not self._stopped:
                    for job in self._waiting:
                        if self._hosts[job.host] < self.at_host:
                            self._waiting.remove(job)
                            self._hosts[job.host] += 1
                            return job
                    self._changed.wait()
            finally:
                self._idle -= 1
        return None
