"""The stream of a page: its parts, each when its bytes have changed, and what is said aloud.

How often the game changed shows in nothing: a part is sent only if it differs from what this page was sent last. On
connecting, all parts are sent as they are now, since a page may have missed some while it was hidden or the server was
down. Pages of the same kind share what is made for them (`rendering`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from time import monotonic

from fastapi import Request
from sse_starlette import EventSourceResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from flagplot.kernel.errors import FlagplotError
from flagplot.table.battle.rendering import Kinds, Rendered
from flagplot.table.guard.open_pages import TooManyPages, counted_as, pages_of
from flagplot.table.reader import Place, tables_of, token_here

Check = Callable[[], object]
"""Raises if a seat may not look any more: its link may have been replaced."""
PULSE = 25.0
"""Seconds after which a stream looks again even if nobody told it of news: who is present may have changed."""
SIGN_OF_LIFE = b": here\r\n\r\n"


class SignsOfLife:
    """What a stream sends when it had nothing to tell for some time, so that nobody on the way takes it for dead. When
    hangs on what it has sent and nothing else: that it was woken and had nothing to tell is the other side's secret."""

    def __init__(self, every: float) -> None:
        self._every, self._sent = every, monotonic()

    @property
    def left(self) -> float:
        """Seconds until one is due."""
        return max(0.0, self._sent + self._every - monotonic())

    def with_news(self, news: bytes) -> bytes:
        """What is to be sent now."""
        sent = news or (b"" if self.left else SIGN_OF_LIFE)
        if sent:
            self._sent = monotonic()
        return sent


def events_of(stream: AsyncIterator[bytes]) -> EventSourceResponse:
    """A stream as a response. It gives its signs of life itself: a task for each page that does nothing else would cost
    as much as the answers."""
    return EventSourceResponse(stream, ping=0, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


def kinds_of(request: Request) -> Kinds:
    kinds: Kinds = request.app.state.kinds
    return kinds


async def stream(request: Request, place: Place, check: Check) -> AsyncIterator[bytes]:
    """Parts of the page as events without a name, which the page swaps in."""
    tables, sent, alive = tables_of(request), None, SignsOfLife(PULSE)
    token = token_here(request, place.table.id)
    seat = tables.known_seat(token)
    side = "" if place.spectator else place.side
    with (
        suppress(TooManyPages),  # it was refused before, unless many came at the same moment
        pages_of(request).counted(place.table.id, side, counted_as(request, side)),
        tables.subscribe(place.table.id, side) as news,
        kinds_of(request).open(tables, place) as kind,
    ):
        try:
            while not news.stopped:
                before = sent
                try:
                    if side and (seat is None or tables.known_seat(token) is not seat):
                        await run_in_threadpool(check)
                        seat = tables.known_seat(token)
                    sent = await kind.now()
                except (FlagplotError, HTTPException):
                    return  # the link was replaced, or the table is gone: the page learns it when it asks again
                if found := alive.with_news(sent.since(before)):
                    yield found
                await news.wait(alive.left)
        finally:
            if side and sent is not None and not news.stopped:
                loop = asyncio.get_running_loop()
                loop.run_in_executor(None, _seen, request, place, sent)


def _seen(request: Request, place: Place, sent: Rendered) -> None:
    """The page is closed or hidden: what it was sent counts as read."""
    with suppress(Exception):  # nobody is there any more who could be told
        tables_of(request).seen(place.table.id, place.side, len(sent.look.log))
