"""How a server opens: its first page is there at once, and everything else follows.

What knows the games takes several times as long to import as the first page does. It is imported when somebody asks for
anything else, and by itself soon after the server has begun to listen, while he still looks at that page.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from flagplot.table.server.bare import bare_app

if TYPE_CHECKING:
    from flagplot.table.settings import Settings
    from flagplot.table.tables import Tables

SOON = 2.0
"""Seconds until the rest is imported, if nobody has asked for it before."""
PATIENCE = 1.0
"""Seconds that a server which is to stop waits for the import: nothing was begun yet that could be lost."""


class Opening:
    """An application that is furnished when it is needed. `app` is served; `close` ends what was begun."""

    def __init__(self, settings: Settings, make_tables: Callable[[], Tables]) -> None:
        self.app = bare_app(settings, self._lifespan)
        self.app.state.furnish = self.furnish
        self.app.router.default = self._anything_else
        self.tables: Tables | None = None
        self._make_tables = make_tables
        self._furnishing = threading.Lock()
        self._closed = False

    def furnish(self) -> None:
        """Import and begin everything else, unless that is done; callers of other threads wait for it."""
        with self._furnishing:
            if self.tables is not None or self._closed:
                return
            from flagplot.table.server.app import begin, furnish

            tables = self._make_tables()
            furnish(self.app, tables)
            begin(self.app)
            tables.start()
            self.tables, self.app.router.default = tables, self.app.router.not_found

    async def _anything_else(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A request that the bare application does not know."""
        await run_in_threadpool(self.furnish)
        await self.app.router.app(scope, receive, send)

    @asynccontextmanager
    async def _lifespan(self, app: FastAPI) -> AsyncIterator[None]:
        soon = threading.Timer(SOON, self.furnish)
        soon.daemon = True
        soon.start()
        yield
        soon.cancel()
        app.state.closing.set()
        self.close()

    def close(self) -> None:
        """The server stops."""
        self._closed = True
        if self._furnishing.acquire(timeout=PATIENCE):
            try:
                self._end()
            finally:
                self._furnishing.release()

    def _end(self) -> None:
        if self.tables is not None:
            from flagplot.table.server.app import end

            end(self.app)
