"""Whether tables can be kept: whoever watches the server asks, and a write answers, not more often than needed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from flagplot.table.refusals import StoreError
from flagplot.table.store.store import Store

AGAIN, SOON = 5.0, 1.0
"""Seconds for which an answer holds: shorter while something is wrong, or after somebody else has met a fault."""
PATIENCE = 15.0
"""Seconds after which a probe that has not ended counts as one that failed."""
DAMAGED = "the database is damaged: stop the server and restore a backup"


class Health:
    """What the last probe found. Safe to use from many threads."""

    def __init__(
        self, store: Store, clock: Callable[[], float] = time.time, timer: Callable[[], float] = time.monotonic
    ) -> None:
        self._store, self._clock, self._timer = store, clock, timer
        self._lock = threading.Lock()
        self._probed = -AGAIN
        self._begun = 0.0
        self._found, self._faults = "", 0

    def trouble(self) -> str:
        """What is wrong with the store, in words; nothing if it is well. While somebody else tries, what was found
        before: those who ask do not pile up behind a disk that hangs."""
        now = self._timer()
        is_new = self._found or self._faults != self._store.faults.number
        if now - self._probed >= (SOON if is_new else AGAIN):
            if self._lock.acquire(blocking=False):
                self._begun = now
                try:
                    self._found = self._probe()
                    self._probed = self._timer()
                finally:
                    self._lock.release()
            elif now - self._begun > PATIENCE:
                return "the store does not answer"
        return DAMAGED if self._store.faults.damaged else self._found

    def _probe(self) -> str:
        try:
            self._store.probe(self._clock())
        except StoreError as fault:
            return fault.message
        finally:
            self._faults = self._store.faults.number
        return ""
