"""Random requests over all scenarios, held against the conformance suite; a fault comes with a line to repeat it."""

from __future__ import annotations

import argparse
import random
import secrets
import sys
import time
from itertools import cycle

import flagplot
from flagplot.testing import ConformanceError, Depth, Report, Setup, play_through, set_up


def fuzz(setups: list[Setup], requests: int, chance: random.Random, depth: Depth, progress: Progress) -> Report:
    """Games of each scenario in turn, each with a seed of its own, until so many requests have been answered."""
    report = Report()
    for setup in cycle(setups):
        if report.requests >= requests:
            break
        play_through(setup, chance.randrange(10**9), report, depth)
        progress.show(report)
    return report


class Progress:
    """A line now and then on a terminal; nothing in a pipe."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self.start = self.shown = time.perf_counter()

    def show(self, report: Report) -> None:
        now = time.perf_counter()
        if sys.stderr.isatty() and now - self.shown > 1:
            self.shown = now
            rate = report.requests / (now - self.start)
            done = f"{report.requests:,} of {self.wanted:,} requests, {report.games:,} games, {rate:,.0f} a second"
            print(f"\r{done:<78}", end="", file=sys.stderr, flush=True)

    def end(self) -> float:
        if sys.stderr.isatty():
            print(f"\r{'':<78}\r", end="", file=sys.stderr, flush=True)
        return time.perf_counter() - self.start


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000, help="how many requests are answered at least")
    parser.add_argument("--seed", type=int, help="a number printed by an earlier run; a fresh one if it is left out")
    parser.add_argument("--deep", action="store_true", help="the costly checks at every request, not at one in 50")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="names or files; all that come with Flagplot")
    wanted = parser.parse_args(arguments)
    seed = wanted.seed if wanted.seed is not None else secrets.randbelow(10**9)
    names = wanted.scenarios or flagplot.scenario_names()
    print(f"seed {seed}: {wanted.requests:,} requests over {', '.join(names)}", flush=True)
    progress = Progress(wanted.requests)
    try:
        setups = [set_up(name) for name in names]
        depth = Depth(every=1 if wanted.deep else 50)
        report = fuzz(setups, wanted.requests, random.Random(seed), depth, progress)
    except ConformanceError as fault:
        progress.end()
        print(fault)
        return 1
    except flagplot.FlagplotError as fault:
        print(fault, file=sys.stderr)
        return 2
    spent = progress.end()
    print(f"{report}\n{report.requests / spent:,.0f} requests a second, {spent:,.0f} seconds; 0 faults")
    return 0


if __name__ == "__main__":
    sys.exit(main())
