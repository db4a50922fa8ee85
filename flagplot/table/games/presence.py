"""Telling other servers which seats have a page open here."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor

from flagplot.table.store.store import Store

PULSE = 45.0
"""Seconds after which a seat with an open page is noted as present again, where several servers share a store."""
GATHERED = 1.0
"""Seconds for which such notes are gathered."""


class Presence:
    """Notes the seats that have shown themselves, all of a moment at once: with a thousand tables they are many."""

    def __init__(self, store: Store, clock: Callable[[], float], errands: Executor) -> None:
        self._store, self._clock, self._errands = store, clock, errands
        self._present: set[tuple[str, str]] = set()
        """Seats that are to be noted."""
        self._lock = threading.Lock()
        self._closing = threading.Event()

    def close(self) -> None:
        self._closing.set()

    def pulse(self, game_id: str, side: str) -> Callable[[], None]:
        """For an open page: what is called now and then while it is open. It counts as present at once."""
        last = [0.0]

        def pulse() -> None:
            now = self._clock()
            if abs(now - last[0]) > PULSE:  # also if the clock was set back
                last[0] = now
                with self._lock:
                    if not self._present:
                        self._errands.submit(self._note)
                    self._present.add((game_id, side))

        pulse()
        return pulse

    def _note(self) -> None:
        self._closing.wait(GATHERED)
        with self._lock:
            some, self._present = self._present, set()
        self._store.note_present(some, self._clock())
