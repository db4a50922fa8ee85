"""Seconds of the processor until `flagplot version` has answered, and until a new server has sent its first page.

Machines differ, and so does one machine from hour to hour. So a bare Python and a loop of ten million squares are
measured in the same run: the loop takes 0.6 s on a usual machine, and `usual` is what a figure would be there. The
first start is left out, since it writes the bytecode. Exit code 1 means that a figure is above its limit there.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from statistics import median

LOOP = "total = 0\nfor number in range(10_000_000): total += number * number"
USUAL = 0.6
"""Seconds that the loop takes on a usual machine."""
LIMITS = {"flagplot version": 0.2, "first page": 0.6}
FLAGPLOT = [sys.executable, "-P", "-m", "flagplot"]


def spent_by(*command: str) -> float:
    """What a command takes from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def first_page() -> float:
    """What a server over an empty store takes until a browser that was never here has its first page."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*FLAGPLOT, "serve", "--port", "0", "--data", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[3]
            page = urllib.request.urlopen(address, timeout=60).read().decode()
            taken = _so_far(server.pid)
        finally:
            server.terminate()
            with suppress(subprocess.TimeoutExpired):
                server.wait(20)
        assert "Choose a battle" in page, page
        return taken


def _so_far(process: int) -> float:
    """What a process has taken by now (Linux)."""
    with open(f"/proc/{process}/stat", encoding="utf8") as file:
        numbers = file.read().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="turns; all measurements take turns, the median counts")
    times: int = parser.parse_args().times
    measures: dict[str, Callable[[], float]] = {
        "bare Python": lambda: spent_by(sys.executable, "-P", "-c", "pass"),
        "loop": lambda: spent_by(sys.executable, "-P", "-c", LOOP),
        "flagplot version": lambda: spent_by(*FLAGPLOT, "version"),
        "first page": first_page,
    }
    found: dict[str, list[float]] = {name: [] for name in measures}
    for turn in range(times + 1):
        for name, measure in measures.items():
            taken = measure()
            if turn:
                found[name].append(taken)
        time.sleep(0.1)
    middle = {name: median(taken) for name, taken in found.items()}
    factor = middle["loop"] / USUAL
    print(f"{'':<18} {'seconds':>8} {'usual':>7} {'limit':>6} {'x bare Python':>14}")
    for name, taken in middle.items():
        limit = f"{LIMITS[name]:.1f}" if name in LIMITS else ""
        print(f"{name:<18} {taken:>8.2f} {taken / factor:>7.2f} {limit:>6} {taken / middle['bare Python']:>14.0f}")
    return int(any([middle[name] / factor > limit for name, limit in LIMITS.items()]))


if __name__ == "__main__":
    sys.exit(main())
