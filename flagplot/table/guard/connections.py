"""How many connections one visitor may hold open: a server can keep only so many, and the others need some too."""

from __future__ import annotations

from collections import Counter

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from flagplot.table.guard.addresses import read_address, visitor_network
from flagplot.table.settings import Settings


class Connections:
    """Counts the open connections of each network, but for those of proxies, which speak for many. For the event loop
    alone."""

    def __init__(self, settings: Settings) -> None:
        self._most = settings.connections_per_visitor if settings.rate_limits else 0
        self._proxies = ProxyHeadersMiddleware(_nobody, settings.proxies).trusted_hosts
        self._open: Counter[str] = Counter()

    def begin(self, host: str) -> str | None:
        """Count one more from that address: the name for `end`, or None if it is one too many."""
        if not self._most or str(read_address(host) or host) in self._proxies:
            return ""
        who = visitor_network(host)
        if self._open[who] >= self._most:
            return None
        self._open[who] += 1
        return who

    def end(self, who: str) -> None:
        """One of them is closed."""
        self._open[who] -= 1
        if self._open[who] <= 0:
            del self._open[who]


async def _nobody(*_: object) -> None:
    """Only what the middleware knows about proxies is wanted, in the spelling that it reads."""
