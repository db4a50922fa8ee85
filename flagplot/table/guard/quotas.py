"""How much one visitor, one side and all together may put into the store, as whoever runs the server has set it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flagplot.table.guard.addresses import visitor_network
from flagplot.table.refusals import TableError
from flagplot.table.store.store import Store

if TYPE_CHECKING:
    from starlette.types import Scope

    from flagplot.table.settings import Settings

DAY = 86400.0
MEGABYTE = 1_000_000
MEASURED = 30.0
"""Seconds for which the size of the store is taken as it was measured."""


class TooManyTables(TableError, code="too-many-tables", status=429):
    """This network has made as many tables today as one may."""


class NoRoom(TableError, code="no-room", status=507):
    """The store, or one side's part of a table, is as large as it may be."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What whoever runs the server has set; 0 sets no limit."""

    tables: int = 0
    tables_a_day: int = 0
    megabytes: int = 0
    side_lines: int = 0

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        a_day = settings.tables_a_day if settings.rate_limits else 0
        return cls(settings.most_tables, a_day, settings.store_megabytes, settings.side_lines)


class Quotas:
    """Says when a limit is reached. Tables of today are counted in memory, by this server alone."""

    def __init__(self, store: Store, limits: Limits, clock: Callable[[], float]) -> None:
        self._store, self.limits, self._clock = store, limits, clock
        self._lock = threading.Lock()
        self._day, self._today = 0, Counter[str]()
        self._size, self._measured = 0, float("-inf")

    @contextmanager
    def one_more(self, network: str) -> Iterator[None]:
        """Around the making of a table: raises TooManyTables or NoRoom before, and counts it if it was made."""
        self._check_room()
        self._count(network)
        try:
            yield
        except BaseException:
            with self._lock:
                self._today[network] -= 1
            raise

    def _check_room(self) -> None:
        limits = self.limits
        if limits.tables and self._store.figures()["tables"] >= limits.tables:
            raise NoRoom(
                f"this server keeps {limits.tables} tables, as many as its owner allows: no new one can be made until "
                "others are deleted"
            )
        if limits.megabytes and self._megabytes() >= limits.megabytes:
            raise NoRoom("this server has no room for new tables: games that have begun can be played on")

    def _megabytes(self) -> float:
        now = self._clock()
        if abs(now - self._measured) > MEASURED:
            self._size, self._measured = self._store.size(), now
        return self._size / MEGABYTE

    def _count(self, network: str) -> None:
        day = int(self._clock() // DAY)
        with self._lock:
            if day != self._day:
                self._day, self._today = day, Counter()
            if self.limits.tables_a_day and self._today[network] >= self.limits.tables_a_day:
                made = self.limits.tables_a_day
                raise TooManyTables(
                    f"{made} table{'s were' if made != 1 else ' was'} made from your network today, as many as this "
                    "server allows: try again tomorrow"
                )
            self._today[network] += 1

    def check_side(self, side: str, lines: int) -> None:
        """Raises NoRoom if a side has added as much to a table as one may. Only its own lines are counted: those of the
        other side would tell how often that has answered."""
        most = self.limits.side_lines
        if most and lines >= most:
            raise NoRoom(
                f"{side} has answered and taken back {most} times at this table, as often as this server allows: the "
                "game can be read and replayed, but not played on"
            )


def network_of(scope: Scope) -> str:
    """The network that a request comes from."""
    client = scope.get("client")
    return visitor_network(client[0]) if client else ""
