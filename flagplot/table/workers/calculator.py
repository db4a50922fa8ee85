"""Who answers questions of odds for the desk: a few processes of their own, each with a limit of time and memory.

A question that goes on for too long cannot be stopped within a process, and while it goes on everybody's answers would
be slow. So each question is handed to a worker, as a function of some module and what it is given. The search itself
ends after some seconds with what it has found; a worker that has not answered a little later is ended and replaced.
Whole answers are remembered.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

from flagplot import drills
from flagplot.kernel.errors import BadValue, FlagplotError
from flagplot.odds.answer import Answer
from flagplot.odds.position_answer import PositionAnswer
from flagplot.table.build.built import Built, built
from flagplot.table.recent import Recent
from flagplot.table.workers.game_work import OddsAsked, position_odds

PRELOADED = ["flagplot.table.ending.course", "flagplot.table.workers.warm"]
"""What the process from which all others are forked imports, in this order: the last one plays a battle."""
READY = "ready"
MEMORY = 1 << 30
"""Bytes that a worker may use."""
PATIENCE = 2.0
"""Seconds that a worker has beyond those of its search."""
BEGINNING = 20.0
"""Seconds that a worker may take to begin, which is long only where the machine is very busy."""
QUEUED = 8
"""Questions that wait for a worker at a time; more are refused at once."""
ASKING = 1000
"""Those whose newest question is known."""
LINE = 1_500
"""Characters of a line of a typed battle."""
KEPT = 256
"""Answers that are remembered."""

Said = Mapping[str, Any]
T = TypeVar("T")
P = ParamSpec("P")


class TooLong(FlagplotError, code="too-long"):
    """A question that is too large for the desk."""


class Busy(FlagplotError, code="busy"):
    """So many ask at once that this question was not begun."""


class Failed(FlagplotError, code="fault"):
    """A question that brought the program itself to a fault."""


@dataclass(slots=True)
class _Worker:
    process: Any
    pipe: Connection
    ready: bool = False
    """Whether it has said that it has begun; that takes a moment, and does not count for the question."""

    def begun(self) -> bool:
        if not self.ready and self.pipe.poll(BEGINNING):
            self.pipe.recv()
            self.ready = True
        return self.ready

    def end(self) -> None:
        with suppress(OSError, ValueError):
            self.process.kill()
        with suppress(OSError):
            self.pipe.close()
        self.process.join(1)


def _context() -> Any:
    """How processes begin: forked from one in which everything is imported, where the system can; never from the
    server itself, which has threads."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context


class Calculator:
    """Answers questions in other processes; may be asked by many threads at once."""

    def __init__(self, workers: int = 2, seconds: int = 4, *, stands_back: bool = False) -> None:
        """`stands_back` for work that nobody waits for: whoever waits for an answer goes first."""
        self.number, self.seconds = max(1, workers), max(1, seconds)
        self._stands_back = stands_back
        self._context = _context()
        self._idle: queue.LifoQueue[_Worker | None] = queue.LifoQueue()  # the one used last is the warmest
        self._workers: dict[int, _Worker] = {}
        self._lock = threading.Lock()
        self._known: Recent[tuple[str, str], Answer] = Recent(KEPT)
        self._positions: Recent[tuple[str, OddsAsked], PositionAnswer] = Recent(KEPT)
        self._built: Recent[str, Built] = Recent(KEPT)
        self._newest: Recent[str, int] = Recent(ASKING)
        self._drills: dict[str, drills.Judged] = {}
        self._waiting = self._count = 0
        self._closed = False
        for _ in range(self.number):
            self._idle.put(None)

    def start(self, processes: int = 1) -> None:
        """Begin some processes before anybody asks, so that the first answers are as quick as the others; more follow
        when several ask at once. Nobody waits for it."""
        threading.Thread(target=self._start, args=(processes,), name="flagplot-odds", daemon=True).start()

    def _start(self, processes: int) -> None:
        for _ in range(min(processes, self.number)):
            worker: _Worker | None = None
            with suppress(queue.Empty):
                worker = self._idle.get_nowait()
                with suppress(Busy, OSError):
                    worker = worker or self._begin()
                self._idle.put(worker)

    def close(self) -> None:
        """End the processes; whoever waits for an answer gets a refusal."""
        with self._lock:
            self._closed = True
            workers = list(self._workers.values())
            self._workers.clear()
        for worker in workers:
            worker.end()

    def run(self, work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """What a function of some module returns, called in another process; or its refusal, `TooLong` or `Busy`."""
        return self._run(partial(work, *args, **named))

    def ask(self, kind: str, said: Said, who: str = "") -> Answer:
        """The answer to a question of the desk; refuses as `run`. Of several questions that the same one asks while
        others are being answered only the newest is begun: he has typed on."""
        key = (kind, repr(sorted(said.items())))
        with self._lock:
            self._count += 1
            turn = self._newest[who] = self._count
            known = self._known.used(key)
        if known is not None:
            return known
        answer = self._run(partial(answered, kind, said, self.seconds), (who, turn) if who else None)
        if answer.is_whole:
            with self._lock:
                self._known[key] = answer
        return answer

    def ask_position(self, lines: Sequence[str], asked: OddsAsked) -> PositionAnswer:
        """The odds of what a side is asked at the end of a save, or of its plan, with what that side alone knows;
        refuses as `run`. The last line of a save, with its hash, stands for all of them where answers are
        remembered."""
        key = (lines[-1], asked)
        with self._lock:
            found = self._positions.used(key)
        if found is None:
            found = self.run(position_odds, list(lines), asked, self.seconds)
            with self._lock:
                self._positions[key] = found
        return found

    def ask_built(self, text: str) -> Built:
        """What a typed battle says; refuses as `run`, and lines that are longer than any force."""
        if max(map(len, text.split("\n"))) > LINE:
            raise BadValue(f"a line has at most {LINE:,} characters: go on in the next line, indented")
        with self._lock:
            known = self._built.get(text)
        if known is None:
            known = self.run(built, text)
            with self._lock:
                self._built[text] = known
        return known

    def ask_drill(self, name: str) -> drills.Judged:
        """What each answer to a drill is worth; refuses as `run`."""
        found = self._drills.get(name)
        if found is None:
            found = self._drills[name] = self.run(drills.judged, name)
        return found

    def _run(self, work: Callable[[], T], asking: tuple[str, int] | None = None) -> T:
        worker = self._taken()
        back: _Worker | None = None
        try:
            if asking and self._newest.get(asking[0], asking[1]) != asking[1]:
                back = worker
                raise Busy("a newer question was asked meanwhile")
            worker = worker or self._begin()
            if not worker.begun():
                back = worker
                raise Busy("the machine is very busy just now: try again in a few seconds")
            worker.pipe.send(work)
            if worker.pipe.poll(self.seconds + PATIENCE):
                found: T | Exception = worker.pipe.recv()
                back = worker
                if not isinstance(found, Exception):
                    return found
                raise found
        except (EOFError, OSError, TypeError):  # it ran out of memory, or was ended
            pass
        finally:
            if worker is not None and back is None:
                self._drop(worker)
            self._idle.put(back)
        if self._closed:
            raise Busy("the server is stopping: ask again in a moment")
        raise TooLong(
            f"this question takes longer than the {self.seconds} seconds that the desk has for one; name fewer ships "
            f"or units, or ask at the command line, which takes its time"
        )

    def _taken(self) -> _Worker | None:
        with self._lock:
            if self._closed:
                raise Busy("the server is stopping: ask again in a moment")
            if self._waiting >= QUEUED:
                raise Busy("many people are asking just now: try again in a few seconds")
            self._waiting += 1
        try:
            return self._idle.get(timeout=2 * (self.seconds + PATIENCE))
        except queue.Empty:
            raise Busy("many people are asking just now: try again in a few seconds") from None
        finally:
            with self._lock:
                self._waiting -= 1

    def _begin(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        given = (theirs, self._stands_back)
        process = self._context.Process(target=work, args=given, daemon=True, name="flagplot-odds")
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        with self._lock:
            if not self._closed:
                self._workers[id(worker)] = worker
                return worker
        worker.end()
        raise Busy("the server is stopping: ask again in a moment")

    def _drop(self, worker: _Worker) -> None:
        with self._lock:
            self._workers.pop(id(worker), None)
        worker.end()


# --- in the other process -----------------------------------------------------------------------------------------


def work(pipe: Connection, stands_back: bool) -> None:
    """Answer one question after the other until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    if stands_back:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, 0, 10)
    _limit_memory()
    answered("search", {"groups": "1", "dice": "1"}, 1)  # whatever is imported is imported now
    with suppress(OSError):
        pipe.send(READY)
    while True:
        try:
            question = pipe.recv()
        except (EOFError, OSError):
            return
        found: Any
        try:
            found = question()
        except FlagplotError as refusal:
            found = refusal
        except MemoryError:
            return
        except Exception as fault:  # the desk says so, and the log of the server has the place
            traceback.print_tb(fault.__traceback__)
            found = Failed(f"a fault of the program ({type(fault).__name__}), not of the question; it was written down")
        try:
            pipe.send(found)
        except (OSError, ValueError):
            return


def answered(kind: str, said: Said, seconds: float) -> Answer:
    """The answer to a question of the desk within some seconds of search."""
    from flagplot.odds import ask
    from flagplot.odds.enumerator import Limits
    from flagplot.odds.questions.forms import FORMS

    words = dict(said)
    if FORMS[kind].word("seconds"):
        words["seconds"] = max(1, round(seconds))
    else:
        words["limits"] = Limits(seconds=seconds)
    return ask(kind, **words)


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
