"""The web table under load: many tables with two live pages each; answers a second, time to the other page, memory."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench._serving import Client, Server, Stream, client
from flagplot import library
from flagplot.kernel.verifying import verify_lines

SILENT = 1.0
"""Seconds after which an answer counts as one that the other side may not see anything of."""
STARTED = 8
"""Tables that are made, or pages that are opened, at the same time."""


@dataclass(slots=True)
class Seated:
    """A table with its two pages."""

    game: str
    tokens: dict[str, str]
    pages: dict[str, Stream] = field(default_factory=dict)
    given: int = 0
    busy: bool = False
    over: bool = False


@dataclass(slots=True)
class Reading:
    """What one number of tables came to."""

    tables: int
    steady: list[float] = field(default_factory=list)
    """Seconds from an answer to the other page, at an easy pace."""
    silent: int = 0
    full: float = 0.0
    """Answers a second at full speed."""
    acknowledged: list[float] = field(default_factory=list)
    """Seconds until an answer was acknowledged at full speed."""
    errors: list[str] = field(default_factory=list)
    memory: tuple[float, float] = (0.0, 0.0)
    stopped: float = 0.0
    answers: int = 0


# --- tables ---------------------------------------------------------------------------------------------------------


async def sit_down(server: Server, scenario: str) -> Seated:
    async with client(server) as one:
        made = (await one.call("POST", "/api/tables", body={"scenario": scenario})).body
        table = Seated(made["game"], made["tokens"])
        for side, token in table.tokens.items():
            await one.call("POST", "/api/join", token, {"contribution": f"{random.getrandbits(256):064x}"})
            table.pages[side] = Stream(server.host, server.port, table.game, token)
            await table.pages[side].open()
    return table


async def all_of_them(server: Server, number: int, scenarios: list[str]) -> list[Seated]:
    gate = asyncio.Semaphore(STARTED)

    async def one(place: int) -> Seated:
        async with gate:
            return await sit_down(server, scenarios[place % len(scenarios)])

    return list(await asyncio.gather(*[one(place) for place in range(number)]))


async def answer(one: Client, table: Seated, reading: Reading) -> float | None:
    """The side that is asked answers; how long it took until the other page was told, if it was."""
    begun = time.perf_counter()
    for side, token in table.tokens.items():
        path = f"/api/tables/{table.game}/sides/{side}"
        told = await one.call("GET", f"{path}/turn", token)
        if told.body["waiting_for"] is None:
            table.over = True
            return None
        question = told.body["question"]
        if question is None:
            continue
        other = next(page for each, page in table.pages.items() if each != side)
        other.came.clear()
        option = random.choice(question["options"])["text"]
        begun = time.perf_counter()
        done = await one.call("POST", f"{path}/answers", token, {"option": option, "at": question["at"]})
        if done.status != 200:
            reading.errors.append(f"{done.status}: {done.body}")
            return None
        table.given += 1
        try:
            await asyncio.wait_for(other.came.wait(), SILENT)
        except TimeoutError:
            return None
        return other.last - begun
    return None


# --- two paces ------------------------------------------------------------------------------------------------------


async def steady(server: Server, tables: list[Seated], seconds: float, pace: float, reading: Reading) -> None:
    """Answers come at an even pace, each at a random table where nobody else answers."""
    until = time.perf_counter() + seconds

    async def stroll() -> None:
        async with client(server) as one:
            await asyncio.sleep(random.random())
            while time.perf_counter() < until:
                begun = time.perf_counter()
                free = [table for table in tables if not (table.over or table.busy)]
                if not free:
                    return
                table = random.choice(free)
                table.busy = True
                took = await answer(one, table, reading)
                table.busy = False
                if took is not None:
                    reading.steady.append(took)
                elif not table.over:
                    reading.silent += 1
                await asyncio.sleep(max(0.0, begun + 1 - time.perf_counter()))

    await asyncio.gather(*[stroll() for _ in range(round(pace))])


async def full_speed(server: Server, tables: list[Seated], seconds: float, drivers: int, reading: Reading) -> None:
    """Several answer at once, each as soon as its last answer was acknowledged."""
    until, before = time.perf_counter() + seconds, sum(table.given for table in tables)

    async def drive() -> None:
        async with client(server) as one:
            while time.perf_counter() < until:
                free = [table for table in tables if not (table.over or table.busy)]
                if not free:
                    return
                table = random.choice(free)
                table.busy = True
                try:
                    await quick_answer(one, table, reading)
                finally:
                    table.busy = False

    begun = time.perf_counter()
    await asyncio.gather(*[drive() for _ in range(drivers)])
    reading.full = (sum(table.given for table in tables) - before) / (time.perf_counter() - begun)


async def quick_answer(one: Client, table: Seated, reading: Reading) -> None:
    """The side that is asked answers until the other one is asked: its next question comes with the acknowledgement."""
    for side, token in table.tokens.items():
        path = f"/api/tables/{table.game}/sides/{side}"
        turn: dict[str, Any] = (await one.call("GET", f"{path}/turn", token)).body
        if turn["waiting_for"] is None:
            table.over = True
            return
        if turn["question"] is None:
            continue
        question = turn["question"]
        option = random.choice(question["options"])["text"]
        begun = time.perf_counter()
        done = await one.call("POST", f"{path}/answers", token, {"option": option, "at": question["at"]})
        reading.acknowledged.append(time.perf_counter() - begun)
        if done.status != 200:
            reading.errors.append(f"{done.status}: {done.body}")
            return
        table.given += 1
        return


# --- one number of tables -------------------------------------------------------------------------------------------


async def measure(number: int, wanted: argparse.Namespace) -> Reading:
    reading = Reading(number)
    with tempfile.TemporaryDirectory(prefix="bench-table-") as folder:
        where = ["--store", wanted.store] if wanted.store else ["--data", folder]
        server = Server(*where)
        empty = server.memory()
        tables = await all_of_them(server, number, wanted.scenario)
        faults = [page.fault for table in tables for page in table.pages.values() if page.fault]
        reading.errors += faults
        await full_speed(server, tables, wanted.seconds, wanted.drivers, reading)  # also leaves the openings behind
        await steady(server, tables, wanted.seconds, wanted.pace, reading)
        reading.memory = empty, server.memory()
        reading.answers = sum(table.given for table in tables)
        reading.stopped = server.stop()  # with all pages open
        for table in tables:
            for page in table.pages.values():
                page.close()
        reading.errors += check(wanted.store or str(Path(folder) / "tables.sqlite"), tables)
    return reading


def check(address: str, tables: list[Seated]) -> list[str]:
    """Whether every acknowledged answer is kept, and every game is sound."""
    from flagplot.table.store.store import Store

    store, faults = Store(address), []
    for table in tables:
        lines = [line.text for line in store.lines(table.game)]
        kept = sum("choose" in json.loads(text) for text in lines)
        if kept != table.given:
            faults.append(f"{table.given} answers were acknowledged, {kept} are kept")
        faults += verify_lines([text.encode() for text in lines], library.ruleset).problems
    store.close()
    return faults


def share(values: list[float], part: float) -> float:
    """A percentile, in milliseconds."""
    if len(values) < 2:
        return float("nan")
    return statistics.quantiles(values, n=100, method="inclusive")[round(part * 100) - 1] * 1000


def tell(reading: Reading) -> None:
    print(f"{reading.tables} tables, {2 * reading.tables} open pages, {reading.answers} answers")
    print(
        f"  answer to the other page: median {share(reading.steady, 0.5):.0f} ms, 95th percentile "
        f"{share(reading.steady, 0.95):.0f} ms ({len(reading.steady)} answers; of {reading.silent} more the other side "
        "may see nothing)"
    )
    print(
        f"  full speed: {reading.full:.0f} answers/s, acknowledged in {share(reading.acknowledged, 0.5):.0f} ms "
        f"(median), {share(reading.acknowledged, 0.95):.0f} ms (95th percentile)"
    )
    empty, used = reading.memory
    print(
        f"  memory: {empty:.0f} MB empty, {used:.0f} MB then ({(used - empty) / reading.tables * 1024:.0f} KB a table)"
    )
    print(f"  stopped with all pages open in {reading.stopped:.1f} s; {len(reading.errors)} errors")
    for error in reading.errors[:5]:
        print(f"  error: {error}", file=sys.stderr)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[30, 300], help="how many tables, one after the other")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each pace")
    parser.add_argument("--pace", type=float, default=10.0, help="answers a second at the even pace")
    parser.add_argument("--drivers", type=int, default=8, help="who answer at once at full speed")
    parser.add_argument(
        "--scenario", nargs="+", default=["midway", "kursk", "savo-island"], help="what is played, table by table"
    )
    parser.add_argument("--store", default="", help="postgresql://…; else a file of SQLite")
    wanted = parser.parse_args(arguments)
    readings = []
    for number in wanted.tables:
        readings.append(asyncio.run(measure(number, wanted)))
        tell(readings[-1])
    first, last = readings[0], readings[-1]
    if first is not last:
        slower = share(last.steady, 0.95) / share(first.steady, 0.95)
        print(
            f"from {first.tables} to {last.tables} tables: 95th percentile x{slower:.1f}, "
            f"answers a second x{last.full / first.full:.2f}, memory x{last.memory[1] / first.memory[1]:.1f}"
        )
    return 1 if any(reading.errors for reading in readings) else 0


if __name__ == "__main__":
    sys.exit(main())
