"""How much one visitor may ask for in a minute."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock

from flagplot.table.recent import Recent

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and then so many a minute."""

    burst: int
    a_minute: float


RATES = {
    "join": Rate(20, 20),
    "make": Rate(20, 10),
    "post": Rate(240, 600),
    "odds": Rate(120, 240),
    "call": Rate(10, 6),  # it makes this server call another one
    "again": Rate(240, 300),  # a whole game is gone through again
}
"""For each address. Nobody who plays meets them; who guesses or floods does."""
AGAIN = re.compile(r"/(?:replay(?:/[^/]*)?|report|proof|verification)$")
"""The pages for which a game is gone through from its beginning."""
REMEMBERED = 10_000
"""Addresses that are counted at a time; those that were quiet for longest are forgotten."""


@dataclass(slots=True)
class Counter:
    """How much of its rate each address has left."""

    rates: Mapping[str, Rate] = field(default_factory=lambda: RATES)
    clock: Callable[[], float] = time.monotonic
    _left: Recent[tuple[str, str], tuple[float, float]] = field(default_factory=lambda: Recent(REMEMBERED))
    _lock: Lock = field(default_factory=Lock)

    def wait(self, kind: str, who: str) -> float:
        """Count one more; 0 if it is within the rate, else the seconds until it would be."""
        rate, now = self.rates[kind], self.clock()
        with self._lock:
            left, then = self._left.pop((kind, who), (float(rate.burst), now))
            left = min(rate.burst, left + (now - then) * rate.a_minute / 60)
            allowed = left >= 1
            self._left[kind, who] = (left - 1 if allowed else left, now)
        return 0.0 if allowed else (1 - left) * 60 / rate.a_minute


def kind_of(method: str, path: str) -> str:
    """Which rate a request counts for; none for looking at pages."""
    if method in SAFE:
        if path.startswith(("/odds/", "/api/odds")) or path.endswith("/odds"):
            return "odds"
        return "again" if AGAIN.search(path) else ""
    if path.startswith(("/join", "/api/join", "/confirm/", "/api/confirmation")):
        return "join"
    if path.endswith(("/seats/call", "/calls", "/calls/test")):
        return "call"
    return "make" if path.startswith("/new") or path == "/api/tables" else "post"
