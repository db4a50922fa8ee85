"""The web table under load: many tables with two open pages each, at a human pace, in bursts and at full speed."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bench._serving import Client, Gone, Page, Server, client, reply
from flagplot import library
from flagplot.kernel.dice import plan_nonce
from flagplot.kernel.verifying import verify_lines

STARTED = 8
"""Tables that are made at the same time."""
QUIET = 5.0
"""Seconds in which nobody answers before the pages are compared with the games."""
OPENING = 20
"""Answers at a table at full speed, at most: the game is to go on afterwards."""
LONGEST_PLAN = 100
"""Lines of a plan, with its orders ahead."""
EVERY = 4.0
"""Seconds from burst to burst."""


@dataclass(slots=True)
class Seated:
    """A table with its two pages."""

    game: str
    tokens: dict[str, str]
    pages: dict[str, Page] = field(default_factory=dict)
    given: list[tuple[str, str]] = field(default_factory=list)
    """The answers that were acknowledged: who gave them, and what they were; nothing for the answers of a plan."""
    acts: int = 0
    """Answers and plans that were sent."""
    ahead: set[str] = field(default_factory=set)
    """The nonces that orders ahead of its plans may have, which are given when their questions come."""
    busy: bool = False
    answered: dict[str, int] = field(default_factory=dict)
    """The question of each side that was answered last."""

    @property
    def over(self) -> bool:
        return any(page.over for page in self.pages.values())

    @property
    def asked(self) -> str | None:
        """The side whose page asks something that was not answered yet."""
        for side, page in self.pages.items():
            if page.asked is not None and self.answered.get(side) != page.asked.at:
                return side
        return None

    def unanswered(self) -> int:
        """How many pages were not told of the last answer; they are not waited for any longer."""
        waiting = [page for page in self.pages.values() if page.expected is not None]
        for page in waiting:
            page.expected = None
        return len(waiting)


@dataclass(slots=True)
class Reading:
    """What one number of tables came to."""

    tables: int
    steady: list[float] = field(default_factory=list)
    """Seconds from an answer to the other page, at a human pace."""
    bursts: list[float] = field(default_factory=list)
    """The same when many answer at the same moment."""
    silent: int = 0
    """Answers that changed nothing on the other page."""
    acknowledged: list[float] = field(default_factory=list)
    """Seconds until an answer was acknowledged, at full speed."""
    full: float = 0.0
    """Answers a second at full speed."""
    processor: float = 0.0
    """Seconds of the servers' processor time for an answer, at a human pace and in bursts."""
    errors: list[str] = field(default_factory=list)
    lost: int = 0
    rolls: int = 0
    reveals: int = 0
    skips: int = 0
    """Rolls, bytes that pages added to them, and pages that were waited for in vain."""
    memory: tuple[float, float] = (0.0, 0.0)
    stopped: float = 0.0
    answers: int = 0
    """Answers and plans."""
    lines: int = 0
    """Answers on the tapes: a plan has several."""

    @property
    def times(self) -> list[float]:
        return self.steady + self.bursts


# --- tables ---------------------------------------------------------------------------------------------------------


async def sit_down(servers: list[Server], scenario: str, level: str, *, pledges: bool) -> Seated:
    """A table with its pages, one at each server if there are two."""
    async with client(servers[0]) as one:
        made = (await one.call("POST", "/api/tables", body={"scenario": scenario, "level": level})).body
        table = Seated(made["game"], made["tokens"])
        for place, (side, token) in enumerate(table.tokens.items()):
            await one.call("POST", "/api/join", token, {"contribution": f"{random.getrandbits(256):064x}"})
            table.pages[side] = Page(servers[place % len(servers)], table.game, side, token, pledges=pledges)
            await table.pages[side].open()
    return table


async def all_of_them(servers: list[Server], number: int, wanted: argparse.Namespace) -> list[Seated]:
    gate = asyncio.Semaphore(STARTED)

    async def one(place: int) -> Seated:
        async with gate:
            scenario = wanted.scenario[place % len(wanted.scenario)]
            return await sit_down(servers, scenario, wanted.level, pledges=not wanted.no_pledges)

    return list(await asyncio.gather(*[one(place) for place in range(number)]))


async def answer(one: Client, table: Seated, side: str, reading: Reading) -> bool:
    """A side answers what its page asks, or confirms its plan; whether that was acknowledged."""
    asked = table.pages[side].asked
    assert asked is not None
    option = "" if asked.plan else random.choice(asked.options)
    body = reply(option, asked.at)
    if asked.plan:
        del body["option"]
    path = f"/api/tables/{table.game}/sides/{side}/{'sheet' if asked.plan else 'answers'}"
    try:
        done = await one.call("POST", path, table.tokens[side], body)
    except Gone:
        reading.errors.append("an answer got no response")
        return False
    if done.status != 200:
        reading.errors.append(f"{done.status}: {done.body}")
        return False
    lines = len(done.body["receipts"])
    table.given += [(side, option)] * lines
    if asked.plan:
        table.ahead |= {plan_nonce(body["nonce"], place) for place in range(lines, LONGEST_PLAN)}
    table.acts += 1
    table.answered[side] = asked.at
    return True


async def watched_answer(table: Seated, times: list[float], reading: Reading) -> None:
    """A side answers, and it is noted when the other page is told. If that was not before the next answer at this
    table, the other side may see nothing of it."""
    side = table.asked
    if side is None or table.busy:
        return
    table.busy = True
    reading.silent += table.unanswered()
    other = next(page for each, page in table.pages.items() if each != side)
    other.expected = time.perf_counter(), times
    try:
        async with client(table.pages[side].server) as one:
            if not await answer(one, table, side, reading):
                other.expected = None
    finally:
        table.busy = False


# --- three paces ----------------------------------------------------------------------------------------------------


async def human_pace(tables: list[Seated], seconds: float, think: float, burst: int, reading: Reading) -> None:
    """At each table somebody answers now and then; every few seconds many answer at the same moment."""
    until = time.perf_counter() + seconds

    async def play(table: Seated) -> None:
        while not table.over:
            pause = random.expovariate(1 / think)
            if time.perf_counter() + pause > until:
                return
            await asyncio.sleep(pause)
            await watched_answer(table, reading.steady, reading)

    async def all_at_once() -> None:
        while time.perf_counter() + EVERY < until:
            await asyncio.sleep(EVERY)
            ready = [table for table in tables if table.asked and not table.busy and not table.over]
            some = random.sample(ready, min(burst, len(ready)))
            await asyncio.gather(*[watched_answer(table, reading.bursts, reading) for table in some])

    await asyncio.gather(all_at_once(), *[play(table) for table in tables])


async def full_speed(tables: list[Seated], seconds: float, drivers: int, reading: Reading) -> None:
    """Several answer at once, each as soon as its last answer was acknowledged, where the fewest answers were given;
    at least one at each table, so that all pages know afterwards who is present."""
    until = time.perf_counter() + seconds

    async def drive() -> None:
        while time.perf_counter() < until or not all(table.given for table in tables):
            open_ones = [table for table in tables if not table.over and len(table.given) < OPENING]
            ready = [table for table in open_ones if table.asked and not table.busy]
            if not open_ones:
                return
            if not ready:
                await asyncio.sleep(0.01)
                continue
            table = min(ready, key=lambda each: len(each.given))
            side = table.asked or ""
            table.busy = True
            begun = time.perf_counter()
            async with client(table.pages[side].server) as one:
                if await answer(one, table, side, reading):
                    reading.acknowledged.append(time.perf_counter() - begun)
            table.busy = False

    begun = time.perf_counter()
    await asyncio.gather(*[drive() for _ in range(drivers)])
    reading.full = sum(table.acts for table in tables) / (time.perf_counter() - begun)


# --- nothing lost ---------------------------------------------------------------------------------------------------


async def check_pages(tables: list[Seated], reading: Reading) -> None:
    """Every page shows what its side is asked now: none has missed anything."""
    await asyncio.sleep(QUIET)
    reading.silent += sum(table.unanswered() for table in tables)
    gate = asyncio.Semaphore(STARTED)

    async def check(table: Seated, side: str, page: Page) -> None:
        async with gate, client(page.server) as one:
            told = (await one.call("GET", f"/api/tables/{table.game}/sides/{side}/turn", table.tokens[side])).body
        asked, shown = told["question"], page.asked
        if page.fault:
            reading.errors.append(page.fault)
        elif (asked and asked["at"]) != (shown and shown.at):
            reading.errors.append("a page does not show what its side is asked")

    await asyncio.gather(*[check(table, *each) for table in tables for each in table.pages.items()])


def check_tapes(address: str, tables: list[Seated], reading: Reading) -> None:
    """Every table has the answers that were acknowledged, in their order and no others, and is sound."""
    from flagplot.table.store.store import Store

    store = Store(address)
    for table in tables:
        lines = [line.text for line in store.lines(table.game)]
        bodies = [json.loads(text) for text in lines]
        answers = [body for body in bodies if "choose" in body and "by" not in body]
        kept = [(body["side"], body["choose"]) for body in answers if body["nonce"] not in table.ahead]
        if not _are_those(kept, table.given):
            reading.lost += 1
            reading.errors.append(f"{len(table.given)} answers were acknowledged, {len(kept)} are kept, or others")
        reading.rolls += sum("roll" in body for body in bodies)
        reading.reveals += sum("reveal" in body for body in bodies)
        reading.skips += sum("skip" in body for body in bodies)
        reading.errors += verify_lines([text.encode() for text in lines], library.ruleset).problems
    store.close()


def _are_those(kept: list[tuple[str, str]], given: list[tuple[str, str]]) -> bool:
    """Whether answers on a tape are those that were given: of a plan it is known whose they are."""
    if len(kept) != len(given):
        return False
    return all(one == other or (not other[1] and one[0] == other[0]) for one, other in zip(kept, given, strict=True))


# --- one number of tables -------------------------------------------------------------------------------------------


@contextlib.contextmanager
def stores(wanted: str) -> Iterator[tuple[str, list[str], int]]:
    """The address of a new store, the arguments by which a server gets it, and how many servers share it."""
    if wanted == "sqlite":
        with tempfile.TemporaryDirectory(prefix="bench-table-") as folder:
            yield str(Path(folder) / "tables.sqlite"), ["--data", folder], 1
    elif wanted == "postgresql":
        from tests.table.databases import cluster

        with cluster(durable=True) as running:
            if running is None:
                raise SystemExit("no PostgreSQL here: install Debian's package postgresql")
            address = running.database()
            yield address, ["--store", address], 2
    else:
        yield wanted, ["--store", wanted], 2


async def measure(number: int, wanted: argparse.Namespace) -> Reading:
    reading = Reading(number)
    with stores(wanted.store) as (address, arguments, many):
        servers = [Server(*arguments) for _ in range(many)]
        empty = sum(server.memory() for server in servers)
        tables = await all_of_them(servers, number, wanted)
        think = min(wanted.think, number / 10)
        await full_speed(tables, wanted.seconds / 2, wanted.drivers, reading)
        await asyncio.sleep(1)
        used, before = sum(server.processor() for server in servers), sum(table.acts for table in tables)
        await human_pace(tables, wanted.seconds, think, max(2, round(number * wanted.burst / 100)), reading)
        given = sum(table.acts for table in tables) - before
        reading.processor = (sum(server.processor() for server in servers) - used) / max(1, given)
        await check_pages(tables, reading)
        reading.memory = empty, sum(server.memory() for server in servers)
        reading.answers = sum(table.acts for table in tables)
        reading.lines = sum(len(table.given) for table in tables)
        reading.stopped = max([server.stop() for server in servers])  # with all pages open
        for table in tables:
            for page in table.pages.values():
                page.close()
        check_tapes(address, tables, reading)
    return reading


def share(values: list[float], part: float) -> float:
    """A percentile, in milliseconds."""
    if len(values) < 2:
        return float("nan")
    return statistics.quantiles(values, n=100, method="inclusive")[round(part * 100) - 1] * 1000


def shares(values: list[float]) -> str:
    median, high, highest = (share(values, part) for part in (0.5, 0.95, 0.99))
    return f"median {median:.0f} ms, 95th percentile {high:.0f} ms, 99th {highest:.0f} ms ({len(values)} answers)"


def tell(reading: Reading) -> None:
    given = f"{reading.answers} answers or plans, {reading.lines} lines"
    print(f"{reading.tables} tables, {2 * reading.tables} open pages, {given}")
    print(f"  answer to the other page: {shares(reading.times)}")
    print(f"    at a human pace: {shares(reading.steady)}")
    print(f"    in bursts: {shares(reading.bursts)}")
    print(f"    {reading.silent} more changed nothing that the other side may see")
    print(f"  {reading.rolls} rolls: fresh bytes {reading.reveals} times, {reading.skips} times waited for in vain")
    print(f"  server time for an answer: {reading.processor * 1000:.1f} ms")
    print(f"  full speed: {reading.full:.0f} answers/s, acknowledged: {shares(reading.acknowledged)}")
    empty, used = reading.memory
    a_table = (used - empty) / reading.tables * 1024
    print(f"  memory: {empty:.0f} MB empty, {used:.0f} MB then ({a_table:.0f} KB a table)")
    print(f"  stopped with all pages open in {reading.stopped:.1f} s")
    print(f"  errors: {len(reading.errors)}; tables with lost or other answers: {reading.lost}")
    for error in reading.errors[:5]:
        print(f"  error: {error}", file=sys.stderr)


def compare(first: Reading, last: Reading) -> None:
    slower = share(last.times, 0.95) / share(first.times, 0.95)
    print(
        f"from {first.tables} to {last.tables} tables: 95th percentile x{slower:.1f}, server time for an answer "
        f"x{last.processor / first.processor:.2f}, answers a second x{last.full / first.full:.2f}, memory "
        f"x{last.memory[1] / first.memory[1]:.1f}"
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=f"{__doc__} The load comes from one process on the same machine: its share of the processors is "
        "missing to the server, and its own delays are in the times."
    )
    parser.add_argument("--tables", type=int, nargs="+", default=[300], help="how many tables, one after the other")
    parser.add_argument(
        "--beside", type=int, default=10, help="tables that are measured first, to compare with; 0: none"
    )
    parser.add_argument("--seconds", type=float, default=20.0, help="at a human pace; half of it at full speed")
    parser.add_argument(
        "--think", type=float, default=30.0, help="seconds between answers at a table; fewer if there are few tables"
    )
    parser.add_argument("--burst", type=float, default=2.0, help="percentage of the tables that answer at one moment")
    parser.add_argument("--no-pledges", action="store_true", help="pages add no fresh bytes to rolls")
    parser.add_argument(
        "--level",
        choices=("step", "everything"),
        default="step",
        help="one question at a time, or plans, which are confirmed as they are (step)",
    )
    parser.add_argument("--drivers", type=int, default=8, help="who answer at once at full speed")
    parser.add_argument(
        "--scenario", nargs="+", default=["midway", "kursk", "savo-island"], help="what is played, table by table"
    )
    parser.add_argument(
        "--store",
        default="sqlite",
        help="sqlite (one server), postgresql (two servers on a PostgreSQL of their own), or postgresql://…",
    )
    wanted = parser.parse_args(arguments)
    readings = []
    for number in ([wanted.beside] if wanted.beside else []) + wanted.tables:
        readings.append(asyncio.run(measure(number, wanted)))
        tell(readings[-1])
    for reading in readings[1:]:
        compare(readings[0], reading)
    return 1 if any(reading.errors for reading in readings) else 0


if __name__ == "__main__":
    sys.exit(main())
