"""Who answers questions of odds for the desk: a few processes of their own, each with a limit of time and memory.

A question that goes on for too long cannot be stopped within a process, and while it goes on everybody's answers would
be slow. So each question is handed to a worker. The search itself ends after some seconds with what it has found; a
worker that has not answered a little later is ended and replaced. Whole answers are remembered.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
import traceback
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from flagplot import drills
from flagplot.kernel.errors import BadValue, FlagplotError
from flagplot.kernel.levels import SEAT_LEVELS, Level
from flagplot.kernel.situations import Situation
from flagplot.odds.answer import Answer
from flagplot.odds.position_answer import PositionAnswer
from flagplot.players.search.budget import Budget
from flagplot.players.search.hints import Hints, hints
from flagplot.players.search.thinking import think
from flagplot.players.search.thought import Thought
from flagplot.review.deciding import Judged, judged_from
from flagplot.review.reasons import reason
from flagplot.table.built import Built, built, edited
from flagplot.table.course import Course, course_of
from flagplot.table.forecast_work import Played, battles_played

READY = "ready"
POSITION = "position"
"""The question what comes of each option at a table."""
COURSE = "course"
"""The question how the chances of a finished game went."""
REVIEW = "review"
"""The question which decisions of a finished game cost or gained most."""
EDITED = "edited"
"""The question what a typed battle is after a click."""
BUILT = "built"
"""The question what a typed battle says."""
BATTLES = "battles"
"""The question what becomes of some battles that are played to their end."""
THOUGHT = "thought"
"""The question what a player of the program should do, from what its side knows."""
HINTS = "hints"
"""The same for all that a side at a table decides now."""
PLAN = "plan"
"""The same by a staff of the rank that the side has chosen, with more time."""
REASON = "reason"
"""The question what was weighed in a decision of a finished game."""
DRILL = "drill"
"""The question what the answers to a drill are worth."""
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
    context.set_forkserver_preload(["flagplot.table.warm"])
    return context


class Calculator:
    """Answers questions in other processes; may be asked by many threads at once."""

    def __init__(self, workers: int = 2, seconds: int = 4) -> None:
        self.number, self.seconds = max(1, workers), max(1, seconds)
        self._context = _context()
        self._idle: queue.LifoQueue[_Worker | None] = queue.LifoQueue()  # the one used last is the warmest
        self._workers: dict[int, _Worker] = {}
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], Answer] = OrderedDict()
        self._positions: OrderedDict[tuple[str, str], PositionAnswer] = OrderedDict()
        self._built: OrderedDict[str, Built] = OrderedDict()
        self._newest: OrderedDict[str, int] = OrderedDict()
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

    def ask(self, kind: str, said: Said, who: str = "") -> Answer:
        """The answer to a question, or the refusal of the question, of `TooLong` or `Busy`. Of several questions that
        the same one asks while others are being answered only the newest is begun: he has typed on."""
        key = (kind, repr(sorted(said.items())))
        with self._lock:
            self._count += 1
            turn = self._newest[who] = self._count
            self._newest.move_to_end(who)
            while len(self._newest) > ASKING:
                self._newest.popitem(last=False)
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        answer: Answer = self._asked(kind, said, (who, turn) if who else None)
        if answer.is_whole:
            with self._lock:
                self._known[key] = answer
                while len(self._known) > KEPT:
                    self._known.popitem(last=False)
        return answer

    def ask_position(
        self,
        lines: Sequence[str],
        side: str,
        plan: Sequence[str] = (),
        *,
        quick: bool = False,
        more: int = 0,
        believe: str = "",
    ) -> PositionAnswer:
        """The odds of what a side is asked at the end of a save, or of its plan, with what that side alone knows;
        refuses as `ask`. Quick ones are exact or none; `more` says how often a better estimate was wanted. The last
        line of a save, with its hash, stands for all of them where answers are remembered."""
        words: Said = {"side": side, "plan": list(plan), "quick": quick, "more": more, "believe": believe}
        key = (POSITION, repr((lines[-1], sorted(words.items()))))
        with self._lock:
            if key in self._positions:
                self._positions.move_to_end(key)
                return self._positions[key]
        found = self._asked(POSITION, {"lines": list(lines), **words})
        assert isinstance(found, PositionAnswer)
        with self._lock:
            self._positions[key] = found
            while len(self._positions) > KEPT:
                self._positions.popitem(last=False)
        return found

    def ask_course(self, lines: Sequence[str], seconds: int) -> Course | None:
        """How the chances of a finished game went, from the lines of its tape, with so many seconds of work; refuses as
        `ask`."""
        found: Course | None = self._asked(COURSE, {"lines": list(lines), "seconds": str(seconds)})
        return found

    def ask_review(self, lines: Sequence[str], side: str, first: int) -> Judged:
        """What decisions of a side were worth, from one of them on, as many as the time allows; refuses as `ask`."""
        found: Judged = self._asked(REVIEW, {"lines": list(lines), "side": side, "first": str(first)})
        return found

    def ask_built(self, text: str) -> Built:
        """What a typed battle says; refuses as `ask`, and lines that are longer than any force."""
        if max(map(len, text.split("\n"))) > LINE:
            raise BadValue(f"a line has at most {LINE:,} characters: go on in the next line, indented")
        with self._lock:
            known = self._built.get(text)
        if known is None:
            known = self._asked(BUILT, {"text": text})
            with self._lock:
                self._built[text] = known
                while len(self._built) > KEPT:
                    self._built.popitem(last=False)
        return known

    def ask_edited(self, text: str, deed: str, *args: Any) -> str:
        """A typed battle after a click; refuses as `ask`."""
        found: str = self._asked(EDITED, {"text": text, "deed": deed, "args": args})
        return found

    def ask_battles(self, battle: bytes, numbers: Sequence[int]) -> Played:
        """What becomes of the battles of these numbers, of as many as the time allows; refuses as `ask`."""
        found: Played = self._asked(BATTLES, {"battle": battle, "numbers": list(numbers)})
        return found

    def ask_thought(self, situation: Situation, seed: int, budget: Budget) -> Thought | None:
        """What a player should do in a situation; refuses as `ask`."""
        found: Thought | None = self._asked(THOUGHT, {"situation": situation, "seed": seed, "budget": budget})
        return found

    def ask_hints(self, lines: Sequence[str], side: str, level: str) -> Hints:
        """What the staff of a side would do at the end of a save, from what the side knows; refuses as `ask`."""
        found: Hints = self._asked(HINTS, {"lines": list(lines), "side": side, "level": level})
        return found

    def ask_plan(self, lines: Sequence[str], side: str, **more: Any) -> Hints:
        """What a staff of some rank proposes for a side's plan, within some seconds; refuses as `ask`."""
        found: Hints = self._asked(PLAN, {"lines": list(lines), "side": side, **more})
        return found

    def ask_reason(self, lines: Sequence[str], side: str, number: int, rank: str, seed: int) -> Thought | None:
        """What was weighed in a decision of a finished game; refuses as `ask`."""
        words = {"lines": list(lines), "side": side, "number": number, "rank": rank, "seed": seed}
        found: Thought | None = self._asked(REASON, words)
        return found

    def ask_drill(self, name: str) -> drills.Judged:
        """What each answer to a drill is worth; refuses as `ask`."""
        found = self._drills.get(name)
        if found is None:
            found = self._drills[name] = self._asked(DRILL, {"name": name})
        return found

    def _asked(self, kind: str, said: Said, asking: tuple[str, int] | None = None) -> Any:
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
            worker.pipe.send((kind, dict(said), self.seconds))
            if worker.pipe.poll(self.seconds + PATIENCE):
                found = worker.pipe.recv()
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
        process = self._context.Process(target=work, args=(theirs,), daemon=True, name="flagplot-odds")
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


def work(pipe: Connection) -> None:
    """Answer one question after the other until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    _limit_memory()
    answered("search", {"groups": "1", "dice": "1"}, 1)  # whatever is imported is imported now
    with suppress(OSError):
        pipe.send(READY)
    while True:
        try:
            kind, said, seconds = pipe.recv()
        except (EOFError, OSError):
            return
        found: Any
        try:
            found = answered(kind, said, seconds)
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


def answered(kind: str, said: Said, seconds: float) -> Any:
    """The answer to a question within some seconds of search."""
    if kind == COURSE:
        _stand_back()
        return course_of(said["lines"], float(said["seconds"]))
    if kind == DRILL:
        return drills.judged(said["name"])
    if kind == EDITED:
        return edited(said["text"], said["deed"], said["args"])
    if kind == BUILT:
        return built(said["text"])
    if kind == BATTLES:
        _stand_back()
        return battles_played(said)
    if kind == REVIEW:
        from flagplot.table.position_odds import game_of

        _stand_back()
        return judged_from(game_of(said), said["side"], int(said["first"]), seconds)
    if kind == POSITION:
        from flagplot.table.position_odds import position_odds

        return position_odds(said, seconds)
    if kind in (THOUGHT, HINTS, PLAN, REASON):
        return thought_about(kind, said)
    from flagplot.odds import ask
    from flagplot.odds.enumerator import Limits
    from flagplot.odds.questions.forms import FORMS

    words = dict(said)
    if FORMS[kind].word("seconds"):
        words["seconds"] = max(1, round(seconds))
    else:
        words["limits"] = Limits(seconds=seconds)
    return ask(kind, **words)


def thought_about(kind: str, said: Said) -> Thought | Hints | None:
    """What a staff that looks ahead has found."""
    from flagplot.table.position_odds import game_of

    if kind in (THOUGHT, PLAN):
        _stand_back()
    if kind == THOUGHT:
        return think(said["situation"], said["seed"], said["budget"])
    game, side = game_of(said), said["side"]
    if kind == HINTS:
        return hints(game, side, SEAT_LEVELS[said["level"]] or Level.ROUTINE)
    if kind == PLAN:
        from flagplot.table.staff import answers_by, read_orders_text

        orders = answers_by(read_orders_text(said["orders"], side) if said["orders"] else [])
        ranked: dict[str, Any] = {name: said[name] for name in ("rank", "seed", "seconds")}
        return hints(game, side, said["level"], orders=orders, **ranked)
    return reason(game, side, said["number"], rank=f"{said['rank']}:seconds=3", seed=said["seed"])


def _stand_back() -> None:
    """Whoever waits for an answer goes first."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, 10)


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
