"""The stream of a page: its parts, each when its bytes have changed, and what is said aloud.

How often the game changed shows in nothing: a part is sent only if it differs from what this page was sent last. On
connecting, all parts are sent as they are now, since a page may have missed some while it was hidden or the server was
down.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import monotonic

from fastapi import Request
from markupsafe import Markup, escape
from sse_starlette import ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from flagplot.kernel.errors import FlagplotError
from flagplot.table.facts import Holder, Look, Table
from flagplot.table.parts import as_partials, entry, parts_of
from flagplot.table.places import Place, tables_of
from flagplot.table.showing import log_of, told, turn_in_words

Again = Callable[[Table | None], Place]
"""Finds the place of a page once more; with a table, that is not read again."""
KNOWN = 2.0
"""Seconds for which a stream goes by what it knows of the table: who has joined, who is present."""
PULSE = 25.0
"""Seconds after which a stream looks again even if nobody told it of news: who is present may have changed."""
SPOKEN = 6
"""Lines that are said aloud at a time; more would be a lecture."""


@dataclass(slots=True)
class Page:
    """What one open page was sent."""

    sent: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    """The last lines of the log that it has, the newest first."""
    heard: int | None = None
    """How many lines of the log were there when something was last said."""
    turn: str = ""
    table: Table | None = None
    table_read: float = 0
    relinked: tuple[tuple[str, float], ...] | None = None

    def news(self, parts: dict[str, Markup], look: Look) -> str:
        """What the page has to be sent now; nothing if it has all of it."""
        changed = {name: text for name, text in parts.items() if self.sent.get(name) != text}
        self.sent.update(changed)
        grown = self._grown(look)
        if grown and changed.pop("log", ""):
            changed_log = f'<hx-partial hx-target="#log-lines" hx-swap="afterbegin">{grown}</hx-partial>'
        else:
            changed_log = ""
        said = self._said(look)
        found = as_partials(changed) + changed_log
        if said:
            found += f'<hx-partial hx-target="#part-said" hx-swap="innerHTML">{escape(said)}</hx-partial>'
        return found

    def _grown(self, look: Look) -> str:
        """The new lines of the log, if all that the page has stays as it is; else nothing, and it gets all again."""
        before, self.lines = self.lines, [entry(line) for line in log_of(look)]
        more = len(look.log) - (self.heard or 0)
        if not before or not 0 < more < len(self.lines):
            return ""
        kept = self.lines[more:]
        return "".join(self.lines[:more]) if before[: len(kept)] == kept else ""

    def _said(self, look: Look) -> str:
        """Rolls and decisions that are new, and whose turn it is; nothing at first, when the page can be read."""
        before, self.heard = self.heard, len(look.log)
        turn, was = turn_in_words(look), self.turn
        self.turn = turn
        if before is None:
            return ""
        first = max(before, len(look.log) - SPOKEN)
        lines = [told(look, entry, number + 1) for number, entry in enumerate(look.log[first:], start=first)]
        words = [line.spoken for line in lines if line.side < 0 or look.reader != look.log[line.number - 1].side]
        words += [f"{turn} {look.pending.text}" if look.pending else turn] if turn != was or words else []
        return " ".join(words)


async def stream(request: Request, place: Place, again: Again) -> AsyncIterator[ServerSentEvent]:
    """Parts of the page as events without a name, which the page swaps in."""
    page = Page()
    side = "" if place.spectator else place.side
    with tables_of(request).subscribe(place.table.id, side) as news:
        try:
            while not news.stopped:
                try:
                    found = await run_in_threadpool(_look, request, again, page)
                except (FlagplotError, HTTPException):
                    return  # the link was replaced, or the table is gone: the page learns it when it asks again
                if found:
                    yield ServerSentEvent(data=found)
                await news.wait(PULSE)
        finally:
            if side and page.heard is not None and not news.stopped:
                loop = asyncio.get_running_loop()
                loop.run_in_executor(None, _seen, request, place, page.heard)


def _seen(request: Request, place: Place, lines: int) -> None:
    """The page is closed or hidden: what it was sent counts as read."""
    with suppress(Exception):  # nobody is there any more who could be told
        tables_of(request).seen(place.table.id, place.side, lines)


def _look(request: Request, again: Again, page: Page) -> str:
    now = monotonic()
    place = again(page.table if now - page.table_read < KNOWN else None)
    if place.table is not page.table:
        seats = page.table.holders if page.table else None
        page.table, page.table_read = place.table, now
        if not place.spectator and _sitting(seats) != _sitting(place.table.holders):
            page.relinked = tuple(tables_of(request).relinked(place.table.id).items())
    look = tables_of(request).look(place.table.id, place.side)
    place = replace(place, names=tuple(look.view.get("sides", {}).items()), relinked=page.relinked or ())
    return page.news(parts_of(request, place, look), look)


def _sitting(holders: Mapping[str, Holder] | None) -> list[tuple[str, str, bool]]:
    """Who sits where: if that is the same, no link was replaced."""
    return [(one.kind, one.name, one.joined) for one in holders.values()] if holders else []
