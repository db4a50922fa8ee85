"""The stream of a page: its parts, each when its bytes have changed, and what is said aloud.

How often the game changed shows in nothing: a part is sent only if it differs from what this page was sent last. On
connecting, all parts are sent as they are now, since a page may have missed some while it was hidden or the server was
down.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace

from fastapi import Request
from markupsafe import Markup, escape
from sse_starlette import ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from flagplot.kernel.errors import FlagplotError
from flagplot.table.facts import Look
from flagplot.table.parts import as_partials, parts_of
from flagplot.table.places import Place, tables_of
from flagplot.table.showing import told, turn_in_words

PULSE = 25.0
"""Seconds after which a stream looks again even if nobody told it of news: who is present may have changed."""
SPOKEN = 6
"""Lines that are said aloud at a time; more would be a lecture."""


@dataclass(slots=True)
class Page:
    """What one open page was sent."""

    sent: dict[str, str] = field(default_factory=dict)
    heard: int | None = None
    """How many lines of the log were there when something was last said."""
    turn: str = ""

    def news(self, parts: dict[str, Markup], look: Look) -> str:
        """What the page has to be sent now; nothing if it has all of it."""
        changed = {name: text for name, text in parts.items() if self.sent.get(name) != text}
        said = self._said(look)
        self.sent.update(changed)
        found = as_partials(changed)
        if said:
            found += f'<hx-partial hx-target="#part-said" hx-swap="innerHTML">{escape(said)}</hx-partial>'
        return found

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


async def stream(request: Request, place: Place, again: Callable[[], Place]) -> AsyncIterator[ServerSentEvent]:
    """Parts of the page as events without a name, which the page swaps in."""
    tables, page = tables_of(request), Page()
    side = "" if place.spectator else place.side
    with tables.subscribe(place.table.id, side) as news:
        while not news.stopped:
            try:
                found, over = await run_in_threadpool(_look, request, again, page)
            except (FlagplotError, HTTPException):
                return  # the link was replaced, or the table is gone: the page learns it when it asks again
            if found:
                yield ServerSentEvent(data=found)
            if over:
                yield ServerSentEvent(event="over", data="over")
                return
            await news.wait(PULSE)


def _look(request: Request, again: Callable[[], Place], page: Page) -> tuple[str, bool]:
    place = again()
    look = tables_of(request).look(place.table.id, place.side)
    place = replace(place, names=tuple(look.view.get("sides", {}).items()))
    return page.news(parts_of(request, place, look), look), look.result is not None
