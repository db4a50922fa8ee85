"""Battles, played here or by worker processes, some of them at once.

Which process plays a battle changes nothing about it. So a worker that dies is replaced, and what it had is played
again.
"""

from __future__ import annotations

import gc
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, NamedTuple, Protocol

from flagplot.kernel.game import Game
from flagplot.players import needs_no_past
from flagplot.players.program import ProgramFault
from flagplot.simulation import processes
from flagplot.simulation.battles import BattleFailed, Fought, Plan, fight, figures_of, opening_of
from flagplot.simulation.processes import Process
from flagplot.simulation.regression import BATCH, Batch, summed

CHUNK = BATCH
"""Battles that are given to a process at once, so that it can sum them up."""
FEW = 2
"""The same if players think or are programs of their own: then a battle may take a minute."""
MOST_DEATHS = 6
"""Workers that may die in a row, with nothing played in between."""
GLANCE = 0.1
"""Seconds after which it is looked again whether to stop."""

Stop = Callable[[], bool]


class WorkersLost(Exception):
    """Workers die again and again: something outside kills them, want of memory perhaps."""


class Played(NamedTuple):
    """The battles of a task that was done."""

    place: int
    battles: list[Fought]
    batch: Batch | None = None
    """Their sums, if they are a whole batch and whoever played them has made them."""


class Task(NamedTuple):
    """What is given to a process at once: battles of one of the plans, by their numbers."""

    numbers: range
    plan: int = 0


class Tasks(Protocol):
    """Tasks by their places."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> Task: ...


class Chunks:
    """The numbers of the battles, after those that are done, in chunks that end where batches end."""

    __slots__ = ("_battles", "_done", "_size")

    def __init__(self, battles: int, done: int = 0, size: int = CHUNK) -> None:
        self._battles, self._done, self._size = battles, done, size

    def __len__(self) -> int:
        return ceil(self._battles / self._size) - self._done // self._size if self._done < self._battles else 0

    def __getitem__(self, place: int, /) -> Task:
        before = (self._done // self._size + place) * self._size
        return Task(range(max(before, self._done) + 1, min(before + self._size, self._battles) + 1))


def chunks_of(battles: int, done: int, *plans: Plan) -> Chunks:
    """The chunks of some plans, of a size that suits their players."""
    quick = all([needs_no_past(name) for plan in plans for name in plan.players.values()])
    return Chunks(battles, done, CHUNK if quick else FEW)


class Openings:
    """The openings of plans, each made when its first battle is played."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        self._plans, self._openings = plans, dict[int, Game[Any]]()

    def fight(self, plan: int, number: int) -> Fought:
        return fight(self._plans[plan], self._opening(plan), number)

    def played(self, place: int, task: Task) -> Played:
        return played_chunk(self._plans[task.plan], self._opening(task.plan), place, task.numbers)

    def _opening(self, plan: int) -> Game[Any]:
        if plan not in self._openings:
            self._openings[plan] = opening_of(self._plans[plan])
            gc.freeze()  # all that is there by now stays: the collector need not look at it again and again
        return self._openings[plan]


def played_here(plans: Sequence[Plan], tasks: Tasks, stop: Stop) -> Iterator[Played]:
    """Play the tasks in this process. When it is stopped, the last task is what there is of it."""
    openings = Openings(plans)
    for place in range(len(tasks)):
        done, task = Played(place, []), tasks[place]
        for number in task.numbers:
            if stop():
                yield done
                return
            done.battles.append(openings.fight(task.plan, number))
        yield done


def played_chunk(plan: Plan, opening: Game[Any], place: int, numbers: range) -> Played:
    """Play one chunk."""
    return _with_sums(plan, Played(place, [fight(plan, opening, number) for number in numbers]))


def _with_sums(plan: Plan, played: Played) -> Played:
    """With the sums of a whole batch. Battles that are compared with others are summed up with these."""
    if plan.paired or len(played.battles) < BATCH or played.battles[-1].number % BATCH:
        return played
    return played._replace(batch=summed([(figures_of(one, tuple(plan.players)), one.luck) for one in played.battles]))


# --- workers ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Worker:
    """A process that plays tasks, our end of the pipe to it, and the place of the task that it is playing."""

    process: Process
    pipe: Connection
    place: int = -1

    def give(self, place: int, task: Task) -> None:
        self.place = place
        with suppress(OSError):  # it has died: the end of its pipe will tell
            self.pipe.send((place, task))

    def dismiss(self) -> None:
        self.process.kill()
        self.process.wait()
        self.pipe.close()


class Crew:
    """Workers, and the tasks that are left to be given to them."""

    def __init__(self, plans: Sequence[Plan], tasks: Tasks) -> None:
        self._plans, self._tasks = plans, tasks
        self._fresh = iter(range(len(tasks)))
        self._again: list[int] = []
        """The places of tasks whose worker has died."""
        self._deaths = 0
        self.workers: list[Worker] = []

    def hire(self, jobs: int) -> None:
        """Fill up with workers as long as there is something to do for them."""
        while len(self.workers) < jobs and (place := self._next()) is not None:
            self.workers.append(_hired(self._plans, self.workers))
            self.workers[-1].give(place, self._tasks[place])

    def _next(self) -> int | None:
        return self._again.pop() if self._again else next(self._fresh, None)

    def done(self) -> Iterator[Played]:
        """What was done since; whoever is idle is given the next task, or goes."""
        for pipe in wait([worker.pipe for worker in self.workers], GLANCE):
            worker = next(one for one in self.workers if one.pipe is pipe)
            try:
                done = worker.pipe.recv()
            except (EOFError, OSError):
                self._bury(worker)
                continue
            if isinstance(done, str):
                raise BattleFailed(done)
            if isinstance(done, ProgramFault):
                raise done
            self._deaths = 0
            place = self._next()
            if place is None:
                self._dismiss(worker)
            else:
                worker.give(place, self._tasks[place])
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


def played_by_workers(plans: Sequence[Plan], tasks: Tasks, jobs: int, stop: Stop) -> Iterator[Played]:
    """Play the tasks in so many processes; they come in the order in which they are done."""
    crew = Crew(plans, tasks)
    try:
        crew.hire(jobs)
        while crew.workers and not stop():
            yield from crew.done()
            crew.hire(jobs)
    finally:
        crew.dismiss()


def _hired(plans: Sequence[Plan], colleagues: Iterable[Worker]) -> Worker:
    """A new worker. It has a session of its own, so that it does not hear the Ctrl-C of a terminal: it is for us to end
    it."""
    ours, theirs = Pipe()
    with theirs:
        if processes.can_be_copied():
            not_theirs = [ours, *[worker.pipe for worker in colleagues]]
            return Worker(processes.copied(lambda: _play_tasks(theirs, plans), not_theirs), ours)
        begin = f"from {__name__} import work; work({theirs.fileno()})"
        process = processes.fresh(begin, theirs.fileno())
    with suppress(OSError):
        ours.send(plans)
    return Worker(process, ours)


def work(pipe: int) -> None:
    """What a fresh interpreter does: it hears what is played, and plays."""
    with Connection(pipe) as connection, suppress(EOFError, OSError):
        _play_tasks(connection, connection.recv())


def _play_tasks(connection: Connection, plans: Sequence[Plan]) -> None:
    """Play task after task, until nobody is at the other end of the pipe."""
    openings = Openings(plans)
    with suppress(EOFError, OSError):
        while True:
            place, task = connection.recv()
            try:
                done = openings.played(place, task)
            except BattleFailed:
                connection.send(traceback.format_exc())
                return
            except ProgramFault as fault:
                connection.send(fault)
                return
            connection.send(done)
