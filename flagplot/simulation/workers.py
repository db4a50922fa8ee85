"""Chunks of battles, played here or by worker processes.

Which process plays a chunk changes nothing about it. So a worker that dies is replaced, and its chunk is played again.
"""

from __future__ import annotations

import gc
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe, wait
from subprocess import DEVNULL, Popen
from typing import Any, NamedTuple

from flagplot.kernel.game import Game
from flagplot.simulation.battles import BattleFailed, Fought, Plan, fight, opening_of

CHUNK = 10
"""Battles that are given to a process at once."""
MOST_DEATHS = 6
"""Workers that may die in a row, with no chunk played in between."""
GLANCE = 0.1
"""Seconds after which it is looked again whether to stop."""

Stop = Callable[[], bool]


class WorkersLost(Exception):
    """Workers die again and again: something outside kills them, want of memory perhaps."""


class Played(NamedTuple):
    """A chunk of battles that was played."""

    place: int
    battles: list[Fought]


class Chunks:
    """The numbers of the battles, after those that are done, in chunks of a fixed size."""

    __slots__ = ("_battles", "_firsts")

    def __init__(self, battles: int, done: int = 0) -> None:
        self._battles = battles
        self._firsts = range(done + 1, battles + 1, CHUNK)

    def __len__(self) -> int:
        return len(self._firsts)

    def __getitem__(self, place: int) -> range:
        first = self._firsts[place]
        return range(first, min(first + CHUNK, self._battles + 1))


def played_here(plan: Plan, chunks: Chunks, stop: Stop) -> Iterator[Played]:
    """Play the chunks in this process. When it is stopped, the last chunk is what there is of it."""
    opening = opening_of(plan)
    for place in range(len(chunks)):
        done = Played(place, [])
        for number in chunks[place]:
            if stop():
                yield done
                return
            done.battles.append(fight(plan, opening, number))
        yield done


def played_chunk(plan: Plan, opening: Game[Any], place: int, numbers: range) -> Played:
    """Play one chunk."""
    return Played(place, [fight(plan, opening, number) for number in numbers])


# --- workers ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Worker:
    """A process that plays chunks, our end of the pipe to it, and the place of the chunk that it is playing."""

    process: Popen[bytes]
    pipe: Connection
    place: int = -1

    def give(self, place: int, numbers: range) -> None:
        self.place = place
        with suppress(OSError):  # it has died: the end of its pipe will tell
            self.pipe.send((place, numbers))

    def dismiss(self) -> None:
        self.process.kill()
        self.process.wait()
        self.pipe.close()


class Crew:
    """Workers, and the chunks that are left to be given to them."""

    def __init__(self, plan: Plan, chunks: Chunks) -> None:
        self._plan, self._chunks = plan, chunks
        self._fresh = iter(range(len(chunks)))
        self._again: list[int] = []
        """The places of chunks whose worker has died."""
        self._deaths = 0
        self.workers: list[Worker] = []

    def hire(self, jobs: int) -> None:
        """Fill up with workers as long as there is something to do for them."""
        while len(self.workers) < jobs and (place := self._next()) is not None:
            self.workers.append(_hired(self._plan))
            self.workers[-1].give(place, self._chunks[place])

    def _next(self) -> int | None:
        return self._again.pop() if self._again else next(self._fresh, None)

    def done(self) -> Iterator[Played]:
        """What was done since; whoever is idle is given the next chunk, or goes."""
        for pipe in wait([worker.pipe for worker in self.workers], GLANCE):
            worker = next(one for one in self.workers if one.pipe is pipe)
            try:
                done = worker.pipe.recv()
            except (EOFError, OSError):
                self._bury(worker)
                continue
            if isinstance(done, str):
                raise BattleFailed(done)
            self._deaths = 0
            place = self._next()
            if place is None:
                self._dismiss(worker)
            else:
                worker.give(place, self._chunks[place])
            yield done

    def _bury(self, worker: Worker) -> None:
        self._again.append(worker.place)
        self._dismiss(worker)
        self._deaths += 1
        if self._deaths > MOST_DEATHS:
            raise WorkersLost(f"{self._deaths} worker processes died one after the other")

    def _dismiss(self, worker: Worker) -> None:
        self.workers.remove(worker)
        worker.dismiss()

    def dismiss(self) -> None:
        for worker in [*self.workers]:
            self._dismiss(worker)


def played_by_workers(plan: Plan, chunks: Chunks, jobs: int, stop: Stop) -> Iterator[Played]:
    """Play the chunks in so many processes; they come in the order in which they are done."""
    crew = Crew(plan, chunks)
    try:
        crew.hire(jobs)
        while crew.workers and not stop():
            yield from crew.done()
            crew.hire(jobs)
    finally:
        crew.dismiss()


def _hired(plan: Plan) -> Worker:
    """A new worker: a fresh interpreter that imports this package and nothing of the program that simulates. It has a
    session of its own, so that it does not hear the Ctrl-C of a terminal: it is for us to end it."""
    ours, theirs = Pipe()
    begin = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import work; work({theirs.fileno()})"
    with theirs:
        process = Popen(
            [sys.executable, "-c", begin],
            stdin=DEVNULL,
            stdout=DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
    with suppress(OSError):
        ours.send(plan)
    return Worker(process, ours)


def work(pipe: int) -> None:
    """What a worker does: chunk after chunk, until nobody is at the other end of the pipe."""
    with Connection(pipe) as connection, suppress(EOFError, OSError):
        plan = connection.recv()
        opening = opening_of(plan)
        gc.freeze()  # all that is there by now stays: the collector need not look at it again and again
        while True:
            place, numbers = connection.recv()
            try:
                done = played_chunk(plan, opening, place, numbers)
            except BattleFailed:
                connection.send(traceback.format_exc())
                return
            connection.send(done)
