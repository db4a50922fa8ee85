"""How long tables are kept, if whoever runs the server has set a limit.

A finished table ages from its end, another one from the last time that the turn passed to somebody: everybody at the
table knows when that was, so the day of its deletion tells nothing of what was answered in secret. Any seat can keep an
unfinished table, which starts the time again. Nothing is deleted before its pages have said so for some days.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flagplot.kernel.errors import FlagplotError
from flagplot.table.keeping.archives import export
from flagplot.table.store.aged_rows import Aged
from flagplot.table.store.store import Store

if TYPE_CHECKING:
    from flagplot.table.settings import Settings

LOG = logging.getLogger("flagplot.table")

DAY = 86400.0
NOTICE = 14.0
"""Days for which the pages of a table say that it will be deleted."""
FIRST, AGAIN = 60.0, DAY
"""Seconds after the start of the server, and after the last time, when it looks for tables that are due."""
AT_ONCE = 500
"""Tables that are exported to one file."""


@dataclass(frozen=True, slots=True)
class Deletion:
    """That a table is going to be deleted, and when."""

    at: float
    finished: bool


@dataclass(frozen=True, slots=True)
class Retention:
    """What whoever runs the server has set; 0 days keep tables for ever."""

    finished_days: int = 0
    idle_days: int = 0
    exports: str = ""
    """The folder into which tables are exported before they are deleted, if any."""

    @classmethod
    def of(cls, settings: Settings) -> Retention:
        return cls(settings.keep_days, settings.keep_idle_days, settings.keep_exports)

    @property
    def is_set(self) -> bool:
        return bool(self.finished_days or self.idle_days)

    def aged(self, now: float, *, within: float = 0) -> Aged:
        """Which tables are due at a time, or will be within some days."""
        finished, idle = [
            now - (days - min(within, notice(days))) * DAY if days else None
            for days in (self.finished_days, self.idle_days)
        ]
        return Aged(finished, idle)

    def deletion(self, row: Mapping[str, Any], now: float) -> Deletion | None:
        """When a table is deleted, if that is near enough to be told."""
        finished = row["finished"] is not None
        days = self.finished_days if finished else self.idle_days
        if not days:
            return None
        since = max(row["finished"] if finished else row["changed"], row["kept"] or 0.0)
        due, told = since + days * DAY, notice(days) * DAY
        if now < due - told:
            return None
        return Deletion(max(due, (row["warned"] or now) + told), finished)


def notice(days: float) -> float:
    """How many days before a table is deleted its pages begin to say so."""
    return min(NOTICE, days / 2)


def tidy(store: Store, aged: Aged, out: Path | None, forget: Callable[[str], None] | None = None) -> list[str]:
    """Delete the tables that are due, after they were written to a new file; their ids. What somebody has kept or
    played on meanwhile stays."""
    due = store.aged(aged)
    if due and out is not None:
        out.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        export(store, due, out)
    gone = list[str]()
    for game in due:
        if store.delete_aged(game, aged):
            gone.append(game)
            if forget is not None:
                forget(game)
    return gone


class Tidying:
    """Deletes what is due, once a day, while the server runs."""

    def __init__(
        self, store: Store, retention: Retention, clock: Callable[[], float], forget: Callable[[str], None]
    ) -> None:
        self._store, self.retention, self._clock, self._forget = store, retention, clock, forget
        self._stop = threading.Event()

    def start(self) -> None:
        if self.retention.is_set:
            threading.Thread(target=self._run, name="flagplot-tidying", daemon=True).start()

    def close(self) -> None:
        self._stop.set()

    def _run(self) -> None:
        wait = FIRST
        while not self._stop.wait(wait):
            wait = AGAIN
            try:
                self.tidy()
            except FlagplotError as fault:
                LOG.error("tables that are due were not deleted: %s", fault.code)
            except Exception:
                LOG.exception("tables that are due were not deleted")

    def tidy(self) -> Sequence[str]:
        """Tell the tables that will be due soon, and delete those that were told long enough ago; their ids."""
        now = self._clock()
        self._store.warn(self.retention.aged(now, within=NOTICE), now)
        gone = list[str]()
        for aged in self._told_long_enough(now):
            while more := tidy(self._store, aged, self._file(len(gone)), self._forget):
                gone += more
                LOG.info("deleted tables that were due", extra={"told": {"tables": len(more)}})
                if len(more) < AT_ONCE:
                    break
        return gone

    def _told_long_enough(self, now: float) -> list[Aged]:
        """Finished tables and others, each told for as long as they should be."""
        aged = self.retention.aged(now)
        return [
            Aged(aged.finished, None, now - notice(self.retention.finished_days) * DAY, AT_ONCE),
            Aged(None, aged.idle, now - notice(self.retention.idle_days) * DAY, AT_ONCE),
        ]

    def _file(self, number: int) -> Path | None:
        if not self.retention.exports:
            return None
        day = datetime.fromtimestamp(self._clock(), UTC).strftime("%Y-%m-%d")
        return Path(self.retention.exports).expanduser() / f"deleted-{day}-{time.time_ns():x}-{number}.jsonl"
