"""Simulated battles a second with one process and with two, their ratio, and where the time goes.

Two ratios are told. The first is that of battles a second by the clock, the start of the workers included. What the
machine can give at most is measured beside it, turn by turn: as many programs that only count, against one. If these do
not reach their number, other programs are running, and the ratio says more about them than about Flagplot.

The second depends little on other programs: the processor time of one process, divided by the time that the same
battles need at least with several. That is the processor time of a worker (all workers together, divided by their
number), the wait for the last chunk, and the whole processor time of the process that hands out battles and counts
them, as if it never worked at the same time as the others. The processor time of one process is taken while others
play battles too, each for itself: processors that share their parts are slower then, whoever uses them.
It is the mean of all turns that counts here, so on a busy machine take many short ones: `--battles 400 --times 8`.
`--fresh` starts workers as fresh interpreters, as it is done on systems other than Linux and where there are threads.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from statistics import mean
from typing import NamedTuple

from bench.battle import shares
from flagplot.simulation import processes, simulate
from flagplot.simulation.workers import CHUNK

COUNTING = "n = 0\nfor i in range({}): n += i"
PLAYING = "from flagplot.simulation import simulate\nwhile True: simulate({!r}, 1000, seed=2)"
QUIET = 0.95
"""The part of their number that counting programs must reach if nobody else is running."""


class Turn(NamedTuple):
    """What a turn took."""

    seconds: float
    own: float
    """Seconds of the processor that this process used itself."""
    workers: float
    """Those of all workers together."""
    first: float
    """Seconds until the first chunk was done."""
    figures: str


def turn(scenario: str, battles: int, jobs: int) -> Turn:
    """Some battles, the start of the workers included."""
    first: list[float] = []
    before, start = os.times(), time.perf_counter()
    found = simulate(
        scenario, battles, seed=1, jobs=jobs, told=lambda done: first.append(time.perf_counter()) if not first else None
    )
    taken, after = time.perf_counter() - start, os.times()
    own, workers = [sum(after[place : place + 2]) - sum(before[place : place + 2]) for place in (0, 2)]
    return Turn(taken, own, workers, first[0] - start, str(found.as_dict()))


def counted(programs: int, numbers: int) -> float:
    """Seconds in which so many programs at once have counted."""
    start = time.perf_counter()
    started = [subprocess.Popen([sys.executable, "-c", COUNTING.format(numbers)]) for _ in range(programs)]
    for one in started:
        one.wait()
    return time.perf_counter() - start


def beside(scenario: str, battles: int, others: int) -> Turn:
    """Some battles in one process, while that number of others play too."""
    playing = [subprocess.Popen([sys.executable, "-c", PLAYING.format(scenario)]) for _ in range(others)]
    try:
        return turn(scenario, battles, 1)
    finally:
        for one in playing:
            one.kill()
            one.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=3000, help="for one turn of a measurement (3000)")
    parser.add_argument("--times", type=int, default=2, help="turns of each; by the clock the best counts (2)")
    parser.add_argument("--jobs", type=int, default=2, help="processes that are compared with one (2)")
    parser.add_argument("--fresh", action="store_true", help="workers are fresh interpreters, not copies")
    parser.add_argument("scenario", nargs="?", default="midway")
    wanted = parser.parse_args()
    jobs, battles = wanted.jobs, wanted.battles
    if wanted.fresh:
        processes.can_be_copied = lambda: False
    simulate(wanted.scenario, CHUNK)  # whatever is done once only
    one, many, alone, together, busy = [], [], [], [], []
    for _ in range(wanted.times):
        one.append(turn(wanted.scenario, battles, 1))
        alone.append(counted(1, 20_000_000))
        many.append(turn(wanted.scenario, battles, jobs))
        together.append(counted(jobs, 20_000_000))
        busy.append(beside(wanted.scenario, battles, jobs - 1))
    best, shared = min(one), min(many)
    ceiling = jobs * min(alone) / min(together)
    print(f"{wanted.scenario}, doctrine players on both sides, {battles:,} battles a turn, best of {wanted.times}:")
    print(f"  one process     {battles / best.seconds:>10,.1f} battles a second")
    print(
        f"  {jobs} processes     {battles / shared.seconds:>10,.1f} battles a second, "
        f"{best.seconds / shared.seconds:.2f} x one"
    )
    print(f"  {jobs} programs that only count: {ceiling:.2f} x one{_busy(ceiling, jobs)}")
    print(f"  the figures are {'the same' if len({turn.figures for turn in one + many}) == 1 else 'NOT the same'}")
    tell_limits(busy, many, battles, jobs)
    print("where the time goes in one process:")
    for name, share, words in shares(wanted.scenario, 2.0):
        print(f"  {name:<12} {share:>6.1%}   {words}")


def _busy(ceiling: float, jobs: int) -> str:
    return "" if ceiling > QUIET * jobs else ": other programs are running, so the ratio is not to be judged"


def tell_limits(one: list[Turn], many: list[Turn], battles: int, jobs: int) -> None:
    """What keeps the ratio below the number of processes."""
    cost, own, workers = mean([t.own for t in one]), mean([t.own for t in many]), mean([t.workers for t in many])
    end = cost / battles * CHUNK / 2
    least = workers / jobs + end + own
    print("by processor time, all processors being busy:")
    print(f"  {cost:.2f} s with one process, {least:.2f} s at least with {jobs}: {cost / least:.2f} x one. That is")
    print(f"  {workers / jobs:.2f} s of each worker")
    print(f"  {own:.2f} s of the process that hands out battles and counts them")
    print(f"  {end:.2f} s at the end, on average, in which a process waits for another's last chunk of {CHUNK}")
    print(f"  {_first(many):.2f} s until the first chunk is done; alone {_first(one):.2f} s")


def _first(turns: list[Turn]) -> float:
    return min(turn.first for turn in turns)


if __name__ == "__main__":
    main()
