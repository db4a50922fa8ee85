"""Hearing what other servers on the same PostgreSQL have changed."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from typing import Any

from flagplot.table.store.database import ALL, CHANNEL, PRESENT
from flagplot.table.store.engines import WAITS
from flagplot.table.store.store import Store

LOG = logging.getLogger("flagplot.table")

AGAIN = 2.0
"""Seconds until a lost connection is tried again."""


ALIVE: dict[str, Any] = {**WAITS, "keepalives": 1, "keepalives_count": 3}
"""A connection that died without a word is noticed within half a minute: till then a replaced link might still open."""


class Listener:
    """A thread that waits for word of other servers. What this server said itself is passed over."""

    def __init__(
        self,
        store: Store,
        changed: Callable[[str, str], None],
        all_changed: Callable[[], None],
        present: Callable[[list[tuple[str, str]]], None],
    ) -> None:
        """`changed` is called with the id of a game and what has changed of it (see `ALL`); `all_changed` when word may
        have been missed; `present` with games and sides whose pages are open."""
        self._store, self._changed, self._all_changed, self._present = store, changed, all_changed, present
        self._stop = threading.Event()
        self.ready = threading.Event()
        """Set when the server hears."""
        self._thread = threading.Thread(target=self._run, name="flagplot-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join(timeout=3)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._listen()
            except Exception as fault:  # the database went away: it will be back
                LOG.warning("the store does not report changes (%s): trying again", type(fault).__name__)
                self.ready.clear()
                self._stop.wait(AGAIN)

    def _listen(self) -> None:
        import psycopg

        address = self._store.url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(address, autocommit=True, **ALIVE) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self._all_changed()  # what was read before may have changed already
            self.ready.set()
            while not self._stop.is_set():
                for word in connection.notifies(timeout=0.2):
                    self._hear(word)
                    if self._stop.is_set():
                        return

    def _hear(self, word: Any) -> None:
        game, origin, what, some = [*word.payload.split(" ", 3), "", ""][:4]
        if origin == self._store.origin:
            return
        if what == PRESENT:
            self._present([(at, side) for at, side in json.loads(some)])
        else:
            self._changed(game, what or ALL)
