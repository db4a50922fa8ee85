"""How many pages of one table may be open at a time: for a seat, for one who watches, and for all who watch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.requests import HTTPConnection

from flagplot.table.guard.quotas import network_of
from flagplot.table.refusals import TableError
from flagplot.table.settings import Settings


class TooManyPages(TableError, code="too-many-pages", status=429):
    """As many pages of this table are open as may be."""


class OpenPages:
    """Counts the streams of each table, by the seat, or by the network that spectators come from. For the event loop
    alone."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._open: Counter[tuple[str, str, str]] = Counter()

    def check(self, game: str, side: str, who: str) -> None:
        """Refuse one more page of a side, or of a spectator if there is no side."""
        most = self._settings.pages_per_visitor
        if self._open[game, side, who] >= most:
            whose = "of this seat" if side else "of this table from your address"
            raise TooManyPages(f"{most} pages {whose} are open already. Close some of them, then reload this one.")
        if not side and self._open[game, "", ""] >= self._settings.spectators:
            raise TooManyPages(
                f"{self._settings.spectators} spectators are watching this table already: there is no room for more. "
                "Try again later."
            )

    @contextmanager
    def counted(self, game: str, side: str, who: str) -> Iterator[None]:
        """One more page, while it is open."""
        self.check(game, side, who)
        keys = [(game, side, who)] if side else [(game, "", who), (game, "", "")]
        self._open.update(keys)
        try:
            yield
        finally:
            for key in keys:
                self._open[key] -= 1
                if not self._open[key]:
                    del self._open[key]


def counted_as(connection: HTTPConnection, side: str) -> str:
    """Who counts as one: whoever holds a seat, or whoever watches from one network."""
    return "" if side else f"from {network_of(connection.scope)}"


def pages_of(connection: HTTPConnection) -> OpenPages:
    pages: OpenPages = connection.app.state.pages
    return pages
