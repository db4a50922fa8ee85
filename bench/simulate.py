"""Simulated battles a second with one process and with two, their ratio, and where the time goes.

What the machine can give at most is measured beside it, turn by turn: as many programs that only count, against one.
If these do not reach their number, other programs are running, and the ratio says more about them than about Flagplot.
How much of the processors was used hangs less on that, so the ratio that follows from it is told too.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from typing import NamedTuple

from bench.battle import shares
from flagplot.simulation import simulate
from flagplot.simulation.workers import CHUNK

COUNTING = "n = 0\nfor i in range({}): n += i"
QUIET = 0.95
"""The part of their number that counting programs must reach if nobody else is running."""


class Turn(NamedTuple):
    """What a turn took."""

    seconds: float
    processor: float
    """Seconds of the processors, those of the workers among them."""
    first: float
    """Seconds until the first chunk was done."""
    figures: str


def turn(scenario: str, battles: int, jobs: int) -> Turn:
    """Some battles, the start of the workers included."""
    first: list[float] = []
    used, start = _used(), time.perf_counter()
    found = simulate(
        scenario, battles, seed=1, jobs=jobs, told=lambda done: first.append(time.perf_counter()) if not first else None
    )
    return Turn(time.perf_counter() - start, _used() - used, first[0] - start, str(found.as_dict()))


def _used() -> float:
    return sum(os.times()[:4])


def counted(programs: int, numbers: int) -> float:
    """Seconds in which so many programs at once have counted."""
    start = time.perf_counter()
    started = [subprocess.Popen([sys.executable, "-c", COUNTING.format(numbers)]) for _ in range(programs)]
    for one in started:
        one.wait()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=3000, help="for one turn of a measurement (3000)")
    parser.add_argument("--times", type=int, default=2, help="turns; all take turns, the best of each counts (2)")
    parser.add_argument("--jobs", type=int, default=2, help="processes that are compared with one (2)")
    parser.add_argument("scenario", nargs="?", default="midway")
    wanted = parser.parse_args()
    jobs, battles = wanted.jobs, wanted.battles
    simulate(wanted.scenario, CHUNK)  # whatever is done once only
    one, many, alone, together = [], [], [], []
    for _ in range(wanted.times):
        one.append(turn(wanted.scenario, battles, 1))
        alone.append(counted(1, 20_000_000))
        many.append(turn(wanted.scenario, battles, jobs))
        together.append(counted(jobs, 20_000_000))
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
    tell_limits(one, many, battles, jobs)
    print("where the time goes in one process:")
    for name, share, words in shares(wanted.scenario, 2.0):
        print(f"  {name:<12} {share:>6.1%}   {words}")


def _busy(ceiling: float, jobs: int) -> str:
    return "" if ceiling > QUIET * jobs else ": other programs are running, so the ratio is not to be judged"


def tell_limits(one: list[Turn], many: list[Turn], battles: int, jobs: int) -> None:
    """What keeps the ratio below the number of processes."""
    cost, shared = min(turn.processor for turn in one), min(turn.processor for turn in many)
    start = max(0.0, shared - cost) / jobs
    end = cost / battles * CHUNK / 2
    print("what limits it:")
    print(f"  {start:.2f} s for each process to start, import and make the first battles, which take longer")
    print(f"  {end:.2f} s at the end, on average, in which a process waits for another's last chunk of {CHUNK}")
    print(f"  {_first(many):.2f} s until the first chunk is done; alone {_first(one):.2f} s")
    print(f"  by processor time alone the ratio would be {cost / (shared / jobs + end):.2f}")


def _first(turns: list[Turn]) -> float:
    return min(turn.first for turn in turns)


if __name__ == "__main__":
    main()
