"""Reviews of finished games, worked out in the background: a thread asks a process of its own for part after part.

No page waits for them. Whoever looks at an ending first starts the work, and his page asks again later.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event, Lock

from flagplot.kernel.errors import FlagplotError
from flagplot.review.deciding import Decision
from flagplot.table.recent import Recent
from flagplot.table.workers.calculator import Busy, Calculator
from flagplot.table.workers.game_work import judged

KEPT = 200
"""Reviews that are remembered."""
WAITING = 20
"""Reviews that may wait for their turn; more are refused for now."""
PAUSE = 0.5
"""Seconds between two tries while the machine is busy."""


@dataclass(slots=True)
class Review:
    """How far a review is, and what it has found."""

    decisions: list[Decision] = field(default_factory=list)
    seen: int = 0
    of: int = 0
    done: bool = False
    problem: str = ""


class Reviews:
    """The reviews of a server; one is worked out at a time."""

    def __init__(self, seconds: int) -> None:
        self.calculator = Calculator(1, seconds, stands_back=True)
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="flagplot-review")
        self._known: Recent[tuple[str, str], Review] = Recent(KEPT)
        self._lock = Lock()
        self._closed = Event()

    def of(self, game: str, side: str, lines: Sequence[str]) -> Review:
        """The review of a side's decisions, begun when it is first asked for."""
        with self._lock:
            found = self._known.used((game, side))
            if found is not None:
                return found
            if len([one for one in self._known.values() if not one.done]) >= WAITING:
                return Review(problem="Many battles are being reviewed. Try again in a minute.")
            made = self._known[game, side] = Review()
        self._threads.submit(self._work, made, side, list(lines))
        return made

    def _work(self, review: Review, side: str, lines: list[str]) -> None:
        while not review.done and not self._closed.is_set():
            try:
                part = self.calculator.run(judged, lines, side, review.seen, self.calculator.seconds)
            except Busy:
                time.sleep(PAUSE)
                continue
            except FlagplotError as refusal:  # one decision takes too long: the others may not
                review.seen += 1
                review.problem = str(refusal) if review.of and review.seen >= review.of else ""
                review.done = not review.of or review.seen >= review.of
                continue
            review.decisions += part.decisions
            review.of, review.done = part.of, part.seen >= part.of
            review.seen = part.seen

    def close(self) -> None:
        self._closed.set()
        self.calculator.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
