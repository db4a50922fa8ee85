"""How soon the browser has odds of a whole battle: first figures, 1 % error on the winner, and others meanwhile.

A server of its own plays `first-battle` while a stream is open, as a page would have it. Beside it the speed of the
machine is measured in the same run: one program that only counts, before and after. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import tempfile
import time
import urllib.request
from statistics import median
from typing import NamedTuple

from bench._serving import Server
from bench.simulate import counted

PLAYED = re.compile(r"([\d,]+) battles? played")
NUMBERS = 20_000_000


class Course(NamedTuple):
    """When the stream told what."""

    first: float
    """Seconds until the first figures."""
    enough: float
    """Seconds until the error was small enough."""
    battles: int
    error: float


def watched(server: Server, scenario: str) -> Course:
    """Follow the stream of a forecast to its end."""
    begun, first, battles = time.perf_counter(), 0.0, 0
    while True:
        with urllib.request.urlopen(f"{server.address}/odds/battle/stream?from={scenario}", timeout=120) as stream:
            for line in stream:
                text = line.decode()
                if found := PLAYED.search(text):
                    battles = int(found[1].replace(",", ""))
                    first = first or time.perf_counter() - begun
                if text.startswith("event: done"):
                    took = time.perf_counter() - begun
                    return Course(first, took, battles, _error(server, scenario))


def _error(server: Server, scenario: str) -> float:
    """The greatest standard error of a winner's share, as the interface for programs tells it."""
    with urllib.request.urlopen(f"{server.address}/odds/battle.json?from={scenario}", timeout=60) as answer:
        told = json.load(answer)
    return max([float(one["standard_error"]) for one in told["winners"].values()])


async def others(server: Server, until: asyncio.Event) -> list[float]:
    """How long the answers to somebody else take meanwhile."""
    took = []
    while not until.is_set():
        begun = time.perf_counter()
        await asyncio.to_thread(lambda: urllib.request.urlopen(f"{server.address}/learn", timeout=60).read())
        took.append(time.perf_counter() - begun)
        await asyncio.sleep(0.2)
    return took


async def both(server: Server, scenario: str) -> tuple[Course, list[float]]:
    done = asyncio.Event()
    asking = asyncio.create_task(others(server, done))
    course = await asyncio.to_thread(watched, server, scenario)
    done.set()
    return course, await asking


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scenario", nargs="?", default="first-battle")
    parser.add_argument("--pause", type=float, default=15.0, help="seconds for the server to get ready (15)")
    wanted = parser.parse_args()
    before = counted(1, NUMBERS)
    with tempfile.TemporaryDirectory() as folder:
        server = Server("--data", folder)
        try:
            time.sleep(wanted.pause)
            quiet = [_asked(server) for _ in range(10)]
            course, meanwhile = asyncio.run(both(server, wanted.scenario))
        finally:
            server.stop()
    after = counted(1, NUMBERS)
    print(f"{wanted.scenario}: first figures after {course.first:.2f} s")
    print(f"  {course.battles:,} battles and an error of {course.error:.2%} after {course.enough:.1f} s")
    print(f"  others: {1000 * median(quiet):.0f} ms alone, {1000 * median(meanwhile):.0f} ms meanwhile")
    print(f"  the machine: a program that counts to 20 million took {before:.2f} s before and {after:.2f} s after")


def _asked(server: Server) -> float:
    begun = time.perf_counter()
    urllib.request.urlopen(f"{server.address}/learn", timeout=60).read()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
