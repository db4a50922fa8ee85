"""A clock for tests: it stands still until a test sets it."""

from __future__ import annotations

DAY = 24 * 3600


class Clock:
    """Tells the time that it is given: seconds, and days on top of them."""

    def __init__(self, now: float = 1_000_000.0) -> None:
        self.now, self.days = now, 0.0

    def __call__(self) -> float:
        return self.now + self.days * DAY
