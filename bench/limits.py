"""What one machine gives: durable commits, wake-ups, the cost of an answer, memory of a game, odds (docs/scale.md)."""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flagplot import library
from flagplot.kernel.requests import Choose, Roll
from flagplot.odds import ask
from flagplot.odds.enumerator import Limits
from flagplot.odds.questions.forms import FORMS
from flagplot.table.store.database import CHANNEL
from flagplot.table.store.store import Line, Store
from flagplot.table.tables import Tables
from tests.table.databases import Cluster, cluster

SCENARIO = "midway"


def line(tables: Tables) -> str:
    """A line as games have them, to be kept again and again."""
    made = tables.create(SCENARIO)
    return tables.store.lines(made.game)[0].text[:300]


# --- commits --------------------------------------------------------------------------------------------------------


def fsyncs(folder: Path, seconds: float) -> float:
    """How often a second a few bytes can be brought to the disk."""
    with open(folder / "probe", "wb", buffering=0) as file:

        def one() -> None:
            file.write(b"x" * 200)
            os.fsync(file.fileno())

        return rate(one, seconds)


def rate(work: Callable[[], object], seconds: float) -> float:
    begun, done = time.perf_counter(), 0
    while (took := time.perf_counter() - begun) < seconds:
        work()
        done += 1
    return done / took


def commits(address: str, writers: int, rows: int, seconds: float) -> float:
    """Commits a second with this number of writers, each with some lines of a game of its own."""
    tables = Tables(Store(address))
    store = tables.store
    text, games = line(tables), [tables.create(SCENARIO).game for _ in range(writers)]

    def write(game: str) -> float:
        at = store.count(game)
        place = iter(range(at, 10**9, rows))

        def one() -> None:
            first = next(place)
            store.append(game, [Line(first + more, text, 0.0) for more in range(rows)], {})

        return rate(one, seconds)

    try:
        with ThreadPoolExecutor(writers) as pool:
            return sum(pool.map(write, games))
    finally:
        tables.close()


# --- wake-ups -------------------------------------------------------------------------------------------------------


@contextmanager
def listeners(address: str, number: int) -> Iterator[list[int]]:
    """Let this number of connections listen to every change; how often each heard of one."""
    import psycopg

    heard, stop = [0] * number, threading.Event()

    def listen(place: int) -> None:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            while not stop.is_set():
                heard[place] += sum(1 for _ in connection.notifies(timeout=0.2))

    threads = [threading.Thread(target=listen, args=(place,)) for place in range(number)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    try:
        yield heard
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def bare(address: str, writers: int, seconds: float, *, notify: bool) -> float:
    """Commits a second of one small row, with or without word of it: what NOTIFY itself costs."""
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS probe (writer int, n int, PRIMARY KEY (writer, n))")
        connection.execute("TRUNCATE probe")

    def write(writer: int) -> float:
        with psycopg.connect(address) as connection:
            place = iter(range(10**9))

            def one() -> None:
                connection.execute("INSERT INTO probe VALUES (%s, %s)", (writer, next(place)))
                if notify:
                    connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, "0" * 32))
                connection.commit()

            return rate(one, seconds)

    with ThreadPoolExecutor(writers) as pool:
        return sum(pool.map(write, range(writers)))


# --- answers, games, odds -------------------------------------------------------------------------------------------


def answers(folder: Path, number: int) -> dict[str, float]:
    """What an answer costs without HTTP and pages, what a whole game holds, and what it takes to read it again."""
    chance = random.Random(17)
    tables = Tables(Store(f"sqlite:///{folder}/answers.sqlite", alone=True), keep=10**6)
    spent, looked, done, over = 0.0, 0.0, 0, list[str]()
    try:
        made = [tables.create(SCENARIO) for _ in range(20)]
        while done < number:
            table = chance.choice(made)
            for side in table.tokens:
                question = tables.asked(table.game, side)[0]
                if question is None:
                    continue
                option = chance.choice(question.options).text
                begun = time.process_time()
                tables.answer(table.game, side, option, question.at, f"{chance.getrandbits(128):032x}")
                spent, begun = spent + time.process_time() - begun, time.process_time()
                for reader in table.tokens:
                    tables.look(table.game, reader)
                looked, done = looked + time.process_time() - begun, done + 1
                break
            else:
                over.append(table.game)
                made[made.index(table)] = tables.create(SCENARIO)
        texts = [[line.text for line in tables.store.lines(game)] for game in over]
        before, more = memory(), [tables.create(SCENARIO).game for _ in range(300)]
        for game in more:
            tables.asked(game, "japan")
        size = (memory() - before) / len(more)
    finally:
        tables.close()
    lines = statistics.mean([len(each) for each in texts])
    return {
        "ms of processor: an answer": spent / done * 1000,
        "ms of processor: both sides look": looked / done * 1000,
        "KB of a new game in memory": size,
        f"lines of a finished game of {SCENARIO}": lines,
        "bytes of a line": statistics.mean([len(text) for each in texts for text in each[1:]]),
        "ms of processor: a game is read again, for each line": read_again(folder, over) * 1000 / lines,
    }


def read_again(folder: Path, games: Sequence[str]) -> float:
    """Processor seconds until a game that is not in memory can be looked at."""
    tables = Tables(Store(f"sqlite:///{folder}/answers.sqlite", alone=True))
    try:
        begun = time.process_time()
        for game in games:
            tables.asked(game, "japan")
        return (time.process_time() - begun) / len(games)
    finally:
        tables.close()


def memory() -> float:
    """What this process holds, in kilobytes."""
    found = re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text(encoding="ascii"))
    return float(found[1]) if found else 0.0


def odds() -> dict[str, float]:
    """Processor seconds of the example questions of the odds desk, by their kind."""
    found: dict[str, float] = {}
    for kind, form in FORMS.items():
        times = []
        for example in form.examples:
            begun = time.process_time()
            ask(kind, **example)
            times.append(time.process_time() - begun)
        found[kind] = statistics.mean(times)
    return found


def odds_of_positions(number: int) -> float:
    """Processor seconds of the odds of a question in the middle of a game, as a table asks for them."""
    chance, times = random.Random(17), list[float]()
    while len(times) < number:
        game = library.load(SCENARIO, seed=chance.randrange(10**6))
        for _ in range(chance.randrange(40)):
            if isinstance(game.pending, Roll):
                game.roll()
            elif isinstance(game.pending, Choose):
                game.choose(chance.choice(game.pending.options))
        if isinstance(game.pending, Choose):
            begun = time.process_time()
            game.odds(game.pending.side, limits=Limits(400_000, 4.0), trials=120)
            times.append(time.process_time() - begun)
    return statistics.mean(times)


# --- all of it ------------------------------------------------------------------------------------------------------


def measure(seconds: float) -> dict[str, Any]:
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="limits-", dir=".") as name:
        folder = Path(name).absolute()
        found["fsyncs/s of the disk"] = fsyncs(folder, seconds)
        found |= answers(folder, 1500)
        for rows in (1, 16):
            kept = commits(f"sqlite:///{folder}/commits.sqlite", 4, rows, seconds)
            found[f"SQLite: commits/s of {rows} line(s)"] = kept
    with cluster(durable=True) as server:
        if server is not None:
            found |= on_postgresql(server, seconds)
    found |= {f"s of processor: odds, {kind}": took for kind, took in odds().items()}
    found["s of processor: odds of a table's question"] = odds_of_positions(10)
    return found


def on_postgresql(server: Cluster, seconds: float) -> dict[str, Any]:
    found: dict[str, Any] = {}
    address = server.database()
    for writers in (1, 8, 32):
        found[f"PostgreSQL: commits/s of the store, {writers} writer(s)"] = commits(address, writers, 1, seconds)
    for writers in (1, 32):
        for notify in (False, True):
            words = "with NOTIFY" if notify else "without"
            found[f"PostgreSQL: bare commits/s, {writers} writer(s), {words}"] = bare(
                address, writers, seconds, notify=notify
            )
    for number in (1, 8, 32):
        with listeners(address, number) as heard:
            given = bare(address, 8, seconds, notify=True)
            time.sleep(0.5)
        found[f"PostgreSQL: NOTIFY/s, 8 writers, {number} listener(s)"] = given
        found[f"PostgreSQL: wake-ups/s, {number} listener(s)"] = sum(heard) / seconds
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args(arguments)
    found = measure(wanted.seconds)
    if wanted.json:
        print(json.dumps(found))
    else:
        for words, value in found.items():
            print(f"{value:>10.{0 if value >= 100 else 1 if value >= 1 else 4}f}  {words}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
