"""The courses of finished battles: worked out once in a process of its own, in the background, and kept with the table.

No page waits for them. Whoever looks at an ending first starts the work, and his page asks again later.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from flagplot.kernel.errors import FlagplotError
from flagplot.table.ending.course import Course, course_of
from flagplot.table.workers.calculator import Calculator

if TYPE_CHECKING:
    from flagplot.table.tables import Tables

WAITING = 20
"""Games that wait for their course; more are not begun, and may be asked for again later."""
PATIENCE = 6
"""How much longer than its work it may take, where others need the machine."""
NOTHING = "[]"
"""What is kept of a game that takes too long to be played on."""


class Courses:
    """Works out courses, one after the other."""

    def __init__(self, tables: Tables, seconds: int) -> None:
        self._tables = tables
        self._seconds = seconds
        self._calculator = Calculator(1, PATIENCE * seconds, stands_back=True) if seconds else None
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="courses")
        self._under_way: set[str] = set()
        self._lock = threading.Lock()

    def known(self, game: str) -> Course | None:
        """The course of a game, if it has been worked out; empty if it cannot be."""
        text = self._tables.store.course(game)
        return Course.from_text(text) if text else None

    def begin(self, game: str) -> bool:
        """Have the course of a finished game worked out; whether it will be."""
        if self._calculator is None:
            return False
        with self._lock:
            if game in self._under_way:
                return True
            if len(self._under_way) >= WAITING:
                return False
            self._under_way.add(game)
        self._pool.submit(self._work, game)
        return True

    def _work(self, game: str) -> None:
        try:
            assert self._calculator is not None
            course = self._calculator.run(course_of, self._tables.lines(game), self._seconds)
            self._tables.store.keep_course(game, course.as_text() if course else NOTHING)
        except FlagplotError:  # it was stopped, or its process was: somebody may ask again
            pass
        finally:
            with self._lock:
                self._under_way.discard(game)

    def close(self) -> None:
        if self._calculator is not None:
            self._calculator.close()
        self._pool.shutdown(wait=False, cancel_futures=True)
