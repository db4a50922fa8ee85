"""A simulation of many tables on many processes: how long answers wait, and how long the other page waits for them.

Answers come at random to tables; a ring of hashes says which process has which table. A process does one thing at a
time (answers first come, first served, and the rendering of pages among them); the answers that wait while it commits
go into its next commit together; each database takes a limited number of commits a second. Service times are those
that `./bench/run table` and `./bench/run limits` measure. The same seed gives the same figures.
"""

from __future__ import annotations

import argparse
import bisect
import hashlib
import heapq
import itertools
import random
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

POINTS = 200
"""Points of each process on the ring."""
WARM = 0.2
"""The share of the time that is not counted: the queues fill up."""


class Load(NamedTuple):
    """What is asked of the site."""

    tables: int
    active: float
    """The share of the tables at which somebody plays now."""
    pace: float
    """Answers a minute at an active table."""
    burst: int
    """Answers that come together, now and then: a player who answers a row of small questions."""


class Service(NamedTuple):
    """What the site is made of; times in seconds."""

    processes: int
    databases: int
    answer: float
    """Processor time of an answer until it can be committed, on average."""
    render: float
    """Processor time of the pages that show it."""
    commit: float
    """How long a commit takes."""
    commits: float
    """Commits that a database takes in a second at most."""


@dataclass(slots=True)
class Process:
    """A server process: when it is free, and which answers wait for its commit."""

    free: float = 0.0
    busy: float = 0.0
    waiting: list[float] = field(default_factory=list)
    committing: bool = False


class Waits(NamedTuple):
    """How long it took, in seconds, and how busy the busiest process and database were."""

    acknowledged: list[float]
    shown: list[float]
    process: float
    database: float
    commits: int


def ring(processes: int) -> list[tuple[int, int]]:
    """Where the processes stand on the ring of hashes."""
    return sorted((_hash(f"{process}/{point}"), process) for process in range(processes) for point in range(POINTS))


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def owner(places: list[tuple[int, int]], table: str) -> int:
    """The process of a table: the next one on the ring."""
    return places[bisect.bisect(places, (_hash(table), -1)) % len(places)][1]


def arrivals(load: Load, seconds: float, chance: random.Random) -> Iterator[tuple[float, int]]:
    """When answers come, and at which of the active tables."""
    active = max(1, round(load.tables * load.active))
    rate = active * load.pace / 60 / load.burst
    now = 0.0
    while (now := now + chance.expovariate(rate)) < seconds:
        table = chance.randrange(active)
        for more in range(load.burst):
            yield now + more * 0.5, table


def simulate(load: Load, service: Service, seconds: float, seed: int) -> Waits:
    """The queue itself: answers wait for their process, for its commit, for the database, and pages for all of it."""
    chance = random.Random(seed)
    places, sites = ring(service.processes), [Process() for _ in range(service.processes)]
    database, used, commits = [0.0] * service.databases, [0.0] * service.databases, 0
    numbers = itertools.count()
    events: list[tuple[float, int, str, int, list[float]]] = []
    owners: dict[int, int] = {}
    for when, table in arrivals(load, seconds, chance):
        if table not in owners:
            owners[table] = owner(places, str(table))
        heapq.heappush(events, (when, next(numbers), "answer", owners[table], [when]))
    acknowledged, shown, counted = list[float](), list[float](), seconds * WARM

    def work(process: Process, now: float, mean: float) -> float:
        """The process does something as soon as it is free; when it is done. Times vary by a half, with a long tail."""
        took = mean * chance.lognormvariate(-0.125, 0.5)
        process.free = max(now, process.free) + took
        process.busy += took
        return process.free

    def commit(now: float, number: int) -> None:
        """All that wait at a process go to its database together."""
        nonlocal commits
        process, place = sites[number], number % service.databases
        batch, process.waiting, process.committing = process.waiting, [], True
        database[place] = max(now, database[place]) + 1 / service.commits
        used[place] += 1 / service.commits
        commits += 1
        heapq.heappush(events, (database[place] + service.commit, next(numbers), "kept", number, batch))

    while events:
        now, _, what, number, begun = heapq.heappop(events)
        process = sites[number]
        if what == "answer":
            heapq.heappush(events, (work(process, now, service.answer), next(numbers), "ready", number, begun))
        elif what == "ready":
            process.waiting += begun
            if not process.committing:
                commit(now, number)
        else:
            process.committing = False
            for when in begun:
                done = work(process, now, service.render)
                if when > counted:
                    acknowledged.append(now - when)
                    shown.append(done - when)
            if process.waiting:
                commit(now, number)
    return Waits(
        acknowledged, shown, max(each.busy for each in sites) / seconds, max(used) / seconds, round(commits / seconds)
    )


def percentiles(values: list[float]) -> str:
    """The 50th, 95th and 99th, in milliseconds."""
    if len(values) < 2:
        return "-"
    cuts = statistics.quantiles(values, n=100, method="inclusive")
    return " / ".join(f"{cuts[part - 1] * 1000:.0f}" for part in (50, 95, 99))


def tell(load: Load, service: Service, waits: Waits) -> None:
    offered = load.tables * load.active * load.pace / 60
    print(
        f"{load.tables:>9} tables {service.processes:>5} processes {service.databases:>3} databases: "
        f"{offered:>6.0f} answers/s in {waits.commits} commits/s; busiest process {waits.process:.0%}, "
        f"database {waits.database:.0%}; acknowledged {percentiles(waits.acknowledged)} ms, "
        f"other page {percentiles(waits.shown)} ms (50th / 95th / 99th)",
        flush=True,
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[1_000, 10_000, 100_000, 1_000_000])
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 8, 70], help="of the site")
    parser.add_argument("--databases", type=int, nargs="+", default=[1], help="on which the tables are divided")
    parser.add_argument("--active", type=float, default=0.1, help="share of the tables that are played now")
    parser.add_argument("--pace", type=float, default=2.0, help="answers a minute at an active table")
    parser.add_argument("--burst", type=int, default=4, help="answers that come together, half a second apart")
    parser.add_argument("--answer", type=float, default=2.5, help="ms of processor time until it can be committed")
    parser.add_argument("--render", type=float, default=8.5, help="ms of processor time of the pages that show it")
    parser.add_argument("--commit", type=float, default=2.0, help="ms that a commit takes")
    parser.add_argument("--commits", type=float, default=550.0, help="that a database takes in a second at most")
    parser.add_argument("--seconds", type=float, default=60.0, help="that are simulated")
    parser.add_argument("--seed", type=int, default=17)
    wanted = parser.parse_args(arguments)
    for tables, processes, databases in itertools.product(wanted.tables, wanted.processes, wanted.databases):
        load = Load(tables, wanted.active, wanted.pace, wanted.burst)
        times = (wanted.answer / 1000, wanted.render / 1000, wanted.commit / 1000)
        service = Service(processes, databases, *times, wanted.commits)
        tell(load, service, simulate(load, service, wanted.seconds, wanted.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
