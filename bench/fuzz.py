"""Random requests over all scenarios, held against the conformance suite; a fault comes with a line to repeat it."""

from __future__ import annotations

import argparse
import os
import random
import secrets
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import lru_cache
from itertools import cycle, islice
from multiprocessing import get_context

import flagplot
from flagplot.generating import GENERATED, KINDS
from flagplot.kernel.dice import Seeded
from flagplot.kernel.plain_data import copy_of
from flagplot.players.random import RandomPlayer
from flagplot.testing import ConformanceError, Depth, Report, Setup, play_through, set_up
from flagplot.testing.conforming import LONGEST

EVERY = 50
"""The costly checks are made at one request in so many: then two cores get through a million in about a quarter of an
hour."""
LIGHTLY = 0
"""Instead of that number: games are only played, and their laws are held against the end."""
BATCH = 12
"""Games that a process plays before it tells its figures."""

EVERY_KIND = [f"{GENERATED}{kind}" for kind in KINDS]
"""Names of kinds of which each game has a fresh scenario."""

Match = tuple[str, int]
"""A scenario and the seed of one game."""


def matches(names: list[str], chance: random.Random) -> Iterator[Match]:
    """Games of each scenario in turn, each with a seed of its own; of each generated kind a fresh scenario."""
    for name in cycle(names):
        number = f":{chance.randrange(10**6)}" if name in EVERY_KIND else ""
        yield name + number, chance.randrange(10**9)


def play(games: list[Match], every: int) -> Report:
    """Some games under all checks. Raises ConformanceError at the first fault."""
    report = Report()
    for name, seed in games:
        if every == LIGHTLY:
            play_lightly(name, seed, report)
        else:
            play_through(prepared(name), seed, report, Depth(every=every))
    return report


def play_lightly(name: str, seed: int, report: Report) -> None:
    """A game at random in which nothing may go wrong and that comes to its end. On a map its laws hold there; those of
    a lone battle compare one border with the next, and have nothing to say of its two ends."""
    setup = prepared(name)
    game = setup.game(Seeded(seed))
    again = f"bench/fuzz.py's play_lightly({name!r}, {seed}, Report())"
    try:
        game.play({side: RandomPlayer(seed) for side in game.sides}, until=LONGEST)
    except Exception as fault:
        found = f"{type(fault).__name__}: {fault}"
        raise ConformanceError(setup.label, seed, game.turn, "nothing_goes_wrong", found, again) from fault
    if game.pending is not None:
        found = f"after {LONGEST} answers it is not over"
        raise ConformanceError(setup.label, seed, game.turn, "games_come_to_an_end", found, again)
    on_a_map = setup.opening.operation_if_any is not None
    laws = setup.enact(copy_of(setup.opening)) if setup.enact and on_a_map else None
    for found in laws.step(setup.opening, game.state) if laws else ():
        raise ConformanceError(setup.label, seed, game.turn, "the_laws_of_the_game_hold", found, again)
    report.requests, report.games = report.requests + game.turn, report.games + 1
    report.longest = max(report.longest, game.turn)


@lru_cache(maxsize=100)
def prepared(name: str) -> Setup:
    return set_up(name)


def fuzz(games: Iterator[Match], requests: int, every: int, jobs: int) -> Report:
    """Play until so many requests have been answered, in some processes at the same time."""
    report, progress = Report(), Progress(requests)
    for part in together(games, every, jobs) if jobs > 1 else alone(games, every):
        report.add(part)
        progress.show(report)
        if report.requests >= requests:
            break
    progress.end()
    return report


def alone(games: Iterator[Match], every: int) -> Iterator[Report]:
    for game in games:
        yield play([game], every)


def together(games: Iterator[Match], every: int, jobs: int) -> Iterator[Report]:
    """Two batches for each process are always waiting or being played; what is waiting at the end is dropped."""
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        running: set[Future[Report]] = set()
        try:
            while True:
                while len(running) < 2 * jobs:
                    running.add(pool.submit(play, list(islice(games, BATCH)), every))
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


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

    def end(self) -> None:
        if sys.stderr.isatty():
            print(f"\r{'':<78}\r", end="", file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000, help="how many requests are answered at least")
    parser.add_argument("--seed", type=int, help="a number printed by an earlier run; a fresh one if it is left out")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes; as many as there are cores")
    parser.add_argument(
        "--every", type=int, default=EVERY, help=f"the costly checks at one request in so many ({EVERY})"
    )
    parser.add_argument("--lightly", action="store_true", help="only play, and hold the laws at the end of each game")
    parser.add_argument("--deep", action="store_true", help="costly checks at every request")
    parser.add_argument("--generated", action="store_true", help="scenarios made from numbers, of every kind")
    parser.add_argument(
        "scenarios",
        nargs="*",
        metavar="SCENARIO",
        help="names or files, generated:KIND or generated:KIND:NUMBER; all that come with Flagplot",
    )
    wanted = parser.parse_args(arguments)
    seed = wanted.seed if wanted.seed is not None else secrets.randbelow(10**9)
    names = [*wanted.scenarios, *(EVERY_KIND if wanted.generated else [])] or flagplot.scenario_names()
    print(f"seed {seed}: {wanted.requests:,} requests over {', '.join(names)}", flush=True)
    start, every = time.perf_counter(), 1 if wanted.deep else LIGHTLY if wanted.lightly else max(1, wanted.every)
    try:
        for name in names:
            if name not in EVERY_KIND:
                prepared(name)
        report = fuzz(matches(names, random.Random(seed)), wanted.requests, every, wanted.jobs)
    except ConformanceError as fault:
        print(f"{fault}\n1 fault, found with seed {seed}")
        return 1
    except flagplot.FlagplotError as fault:
        print(fault, file=sys.stderr)
        return 2
    spent = time.perf_counter() - start
    print(f"{report}\n{report.requests / spent:,.0f} requests a second, {spent:,.0f} seconds; 0 faults")
    return 0


if __name__ == "__main__":
    sys.exit(main())
