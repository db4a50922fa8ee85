"""Kills the server of the web table under load, again and again: no acknowledged answer lost, no game broken."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench._serving import Client, Gone, Server, client, reply
from flagplot import library
from flagplot.kernel.verifying import verify_lines
from flagplot.table.store.store import Store

LONGEST = 10.0
"""Seconds after which the server is killed though it has not answered as often as it should."""
SCENARIOS = ("midway", "coral-sea", "denmark-strait", "malta", "coral-sea-operation")


@dataclass(slots=True)
class Played:
    """A table of a program that answers for its sides, and all of its answers that were acknowledged."""

    game: str
    tokens: dict[str, str]
    given: list[str] = field(default_factory=list)
    over: bool = False


@dataclass(slots=True)
class Tally:
    """What was done, and what was wrong."""

    kills: int = 0
    answers: int = 0
    tables: int = 0
    unsure: int = 0
    """Answers that were kept though the server was killed before it could say so."""
    faults: list[str] = field(default_factory=list)


# --- the load -------------------------------------------------------------------------------------------------------


async def sit_down(one: Client, number: int) -> Played:
    """A new table; every third one is against a player of the program."""
    scenario = SCENARIOS[number % len(SCENARIOS)]
    side = library.load(scenario, seed=0).sides[-1]
    seats = {} if number % 3 else {side: random.choice(("random", "doctrine"))}
    made = (await one.call("POST", "/api/tables", body={"scenario": scenario, "seats": seats})).body
    table = Played(made["game"], made["tokens"])
    for token in table.tokens.values():
        await one.call("POST", "/api/join", token, {"contribution": f"{random.getrandbits(256):064x}"})
    return table


async def drive(server: Server, tables: list[Played], place: int, tally: Tally) -> None:
    """Answer at one table as fast as the server can, and at a new one when it is over; until the server is gone."""
    async with client(server) as one:
        try:
            while True:
                if place >= len(tables) or tables[place].over:
                    table = await sit_down(one, tally.tables)
                    tally.tables += 1
                    tables.append(table)
                    place = len(tables) - 1
                await answer(one, tables[place], tally)
        except Gone:
            return


async def answer(one: Client, table: Played, tally: Tally) -> None:
    for side, token in table.tokens.items():
        path = f"/api/tables/{table.game}/sides/{side}"
        turn: dict[str, Any] = (await one.call("GET", f"{path}/turn", token)).body
        if turn["waiting_for"] is None:
            table.over = True
            return
        question = turn["question"]
        if question is None:
            continue
        option = random.choice(question["options"])["text"]
        done = await one.call("POST", f"{path}/answers", token, reply(option, question["at"]))
        if done.status == 200:
            table.given.append(f"{side} {option}")
            tally.answers += 1
        else:
            tally.faults.append(f"an answer was refused with {done.status}: {done.body}")
        return
    await asyncio.sleep(0.01)  # the program thinks


async def load_and_kill(
    server: Server, tables: list[Played], drivers: int, chance: random.Random, tally: Tally
) -> None:
    """Kill the server a moment after a number of answers that nobody knows beforehand."""
    target = tally.answers + chance.choice((0, chance.randint(1, 10), chance.randint(10, 60)))
    until = time.perf_counter() + LONGEST
    running = [place for place, table in enumerate(tables) if not table.over][:drivers]
    places = running + [len(tables) + number for number in range(drivers - len(running))]
    work = [asyncio.create_task(drive(server, tables, place, tally)) for place in places]
    while tally.answers < target and time.perf_counter() < until:
        await asyncio.sleep(0.001)
    await asyncio.sleep(chance.random() * 0.05)
    server.process.kill()
    await asyncio.gather(*work)
    server.kill()
    tally.kills += 1


# --- what is left ---------------------------------------------------------------------------------------------------


def check(address: str, tables: list[Played], tally: Tally) -> None:
    """Every acknowledged answer of the programs is kept, in order; at most the one in flight is kept besides."""
    store = Store(address)
    known = set(store.ids())
    for table in tables:
        if table.game not in known:
            tally.faults.append(f"lost: table {table.game} is gone")
            continue
        bodies = [json.loads(line.text) for line in store.lines(table.game)]
        kept = [
            f"{body['side']} {body['choose']}"
            for body in bodies
            if body.get("side") in table.tokens and "choose" in body
        ]
        if kept[: len(table.given)] != table.given:
            tally.faults.append(f"lost: {len(table.given)} answers were acknowledged, {len(kept)} others are kept")
        elif len(kept) > len(table.given) + 1:
            tally.faults.append(f"{len(kept) - len(table.given)} answers are kept that were not acknowledged")
        tally.unsure += len(kept) - len(table.given)
        table.given = kept
    store.close()


def prove(address: str, tables: list[Played], tally: Tally) -> int:
    """Every game is sound; how many rolls of finished ones were proved."""
    store, proved = Store(address), 0
    for table in tables:
        found = verify_lines([line.text.encode() for line in store.lines(table.game)], library.ruleset)
        tally.faults += [f"broken: {problem}" for problem in found.problems]
        proved += found.proved
    store.close()
    return proved


def run(wanted: argparse.Namespace, where: list[str], address: str) -> tuple[Tally, list[Played]]:
    tally, tables = Tally(), list[Played]()
    chance, begun = random.Random(wanted.seed), time.perf_counter()
    while tally.kills < wanted.kills and time.perf_counter() - begun < wanted.seconds_limit:
        asyncio.run(load_and_kill(Server(*where), tables, wanted.drivers, chance, tally))
        check(address, [table for table in tables if not table.over] + tables[-wanted.drivers :], tally)
        if tally.faults:
            break
    return tally, tables


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="how often the server is killed")
    parser.add_argument("--drivers", type=int, default=6, help="tables that are played at the same time")
    parser.add_argument("--seed", type=int, default=None, help="of the moments")
    parser.add_argument("--seconds-limit", type=float, default=900.0, help="kill no more after this time")
    parser.add_argument("--store", default="", help="postgresql://…; else a file of SQLite")
    wanted = parser.parse_args(arguments)
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="killserver-") as folder:
        where = ["--store", wanted.store] if wanted.store else ["--data", folder]
        address = wanted.store or str(Path(folder) / "tables.sqlite")
        tally, tables = run(wanted, where, address)
        check(address, tables, tally)
        proved = prove(address, tables, tally)
    lost = sum(fault.startswith("lost") for fault in tally.faults)
    broken = sum(fault.startswith("broken") for fault in tally.faults)
    print(f"{tally.kills} of {wanted.kills} kills in {time.perf_counter() - begun:.0f} s")
    print(f"{tally.answers} answers acknowledged at {len(tables)} tables; {tally.unsure} more kept, killed before that")
    print(f"{sum(table.over for table in tables)} games finished, {proved} rolls of them proved")
    print(f"{lost} lost, {broken} broken, {len(tally.faults) - lost - broken} otherwise wrong")
    for fault in tally.faults[:10]:
        print(f"  {fault}", file=sys.stderr)
    return 1 if tally.faults or not tally.answers else 0


if __name__ == "__main__":
    sys.exit(main())
