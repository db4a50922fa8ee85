"""Group commit: what several threads want to keep at the same time is written in one transaction.

Whoever comes while nobody writes does so at once. Whoever comes meanwhile waits, and the first of those who wait writes
for all of them. None goes on before what he brought is committed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class Waiting(Generic[T]):
    """What somebody wants to have kept, and how it went."""

    def __init__(self, work: T) -> None:
        self.work = work
        self.fault: BaseException | None = None
        self.leads = False
        """Whether it is his turn to write for all who wait."""
        self.told = threading.Event()


class Group(Generic[T]):
    """Those who want to write to one database."""

    def __init__(self, write: Callable[[Sequence[Waiting[T]]], None]) -> None:
        """`write` keeps the work of all, and notes the fault of each that could not be kept."""
        self._write = write
        self._lock = threading.Lock()
        self._waiting: list[Waiting[T]] = []
        self._writing = False

    def keep(self, work: T) -> None:
        """Return when the work is kept; raise if it was not."""
        mine = Waiting(work)
        with self._lock:
            self._waiting.append(mine)
            mine.leads = not self._writing
            self._writing = True
        if not mine.leads:
            mine.told.wait()
        if mine.leads:
            self._lead()
        if mine.fault is not None:
            raise mine.fault

    def _lead(self) -> None:
        with self._lock:
            together, self._waiting = self._waiting, []
        try:
            self._write(together)
        except BaseException as fault:
            for each in together:
                each.fault = each.fault or fault
        finally:
            for each in together:
                each.told.set()
            self._hand_on()

    def _hand_on(self) -> None:
        with self._lock:
            self._writing = bool(self._waiting)
            if self._waiting:
                self._waiting[0].leads = True
                self._waiting[0].told.set()
