"""Battles on a Dask cluster: the same numbers, also if a worker is killed, and clear words if it does not work.

The cluster is real: a scheduler and workers in processes of their own, on this machine alone.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.cli import main
from flagplot.kernel.errors import BadValue
from flagplot.simulation import cluster as clusters
from flagplot.simulation import simulate
from flagplot.simulation.battles import Fought
from flagplot.simulation.cluster import Cluster, joined
from flagplot.simulation.tallies import tally_of
from flagplot.simulation.workers import CHUNK
from tests.forking import CLUSTER, forker

ROOT = Path(flagplot.__file__).parents[1]
QUICK, GAME = "force-z", "line-of-battle"
MANY = 20 * CHUNK

SCHEDULER = """
import asyncio
from distributed import Scheduler

async def main():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()

asyncio.run(main())
"""
WORKER = """
import asyncio, sys
from distributed import Worker

async def main():
    async with Worker(
        {scheduler!r}, host="127.0.0.1", nthreads=1, dashboard=False, memory_limit=0, local_directory={folder!r}
    ) as worker:
        print(worker.address, flush=True)
        await worker.finished()

{before}
asyncio.run(main())
"""


class Machine:
    """A process of the cluster and its address."""

    def __init__(self, code: str, folder: Path) -> None:
        self._errors = folder / f"errors-{time.monotonic_ns()}.txt"
        self._heard, said = os.pipe()
        paths = os.pathsep.join([str(ROOT), *sys.path])
        with open(os.devnull) as nothing, open(self._errors, "wb") as errors:
            files = [nothing.fileno(), said, errors.fileno()]
            self.process = forker(CLUSTER).start([], files, folder, {**os.environ, "PYTHONPATH": paths}, code)
        os.close(said)
        self._address = ""

    @property
    def address(self) -> str:
        """Known as soon as it is up; to ask for it is to wait for it."""
        if not self._address:
            self._address = os.read(self._heard, 1000).decode().strip()
            assert self._address, self._errors.read_text(encoding="utf8")
        return self._address

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._heard)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    machine = Machine(SCHEDULER, tmp_path_factory.mktemp("scheduler"))
    yield machine.address
    machine.end()


Hire = Callable[..., Machine]


@pytest.fixture
def hire(scheduler: str, tmp_path: Path) -> Iterator[Hire]:
    """Starts workers; none is left when the test is over."""
    machines: list[Machine] = []

    def hire(before: str = "") -> Machine:
        machines.append(Machine(WORKER.format(scheduler=scheduler, folder=str(tmp_path), before=before), tmp_path))
        return machines[-1]

    yield hire
    for machine in machines:
        machine.end()


def figures(*arguments: Any, **more: Any) -> str:
    return json.dumps(simulate(*arguments, **more).as_dict())


def under_way(cluster: Cluster, worker: Machine) -> int:
    """How many chunks are with a worker now, as the scheduler has it."""

    async def processing() -> Any:
        return await cluster._client.processing()

    return len(cluster._loop.run(processing(), 10).get(worker.address, ()))


# --- the same numbers -------------------------------------------------------------------------------------------


def test_a_cluster_gives_the_same_numbers_also_if_a_worker_is_killed_half_way(scheduler: str, hire: Hire) -> None:
    first, second = hire(), hire()
    assert first.address != second.address
    killed_at: list[int] = []
    kept, alone = list[Fought](), list[Fought]()

    enough: dict[str, Any] = {"players": {"japan": "random"}, "seed": 8, "error": 0.06}
    with joined(scheduler, GAME) as cluster:
        assert figures(QUICK, 10_000, **enough, cluster=cluster) == figures(QUICK, 10_000, **enough)

        def told(done: int) -> None:
            if not killed_at and done >= MANY // 2 and under_way(cluster, first):
                os.kill(first.process.pid, 9)
                killed_at.append(done)

        found = simulate(QUICK, MANY, {"japan": "random"}, seed=8, cluster=cluster, told=told, keep=kept.extend)

    assert killed_at  # and a chunk of its was under way
    assert MANY // 2 <= killed_at[0] < MANY - CHUNK
    assert first.process.wait(10) == -9
    assert second.process.poll() is None
    assert not found.stopped
    assert [one.number for one in kept] == list(range(1, MANY + 1))
    told_by_cluster = json.dumps(found.as_dict())
    assert told_by_cluster == figures(QUICK, MANY, {"japan": "random"}, seed=8, jobs=1, keep=alone.extend)
    assert told_by_cluster == figures(QUICK, MANY, {"japan": "random"}, seed=8, jobs=2)
    assert kept == alone


def test_the_command_says_the_same_with_a_cluster(
    scheduler: str, hire: Hire, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hire().address
    command = ["simulate", QUICK, "--battles", "30", "--seed", "4"]
    assert main([*command, "--cluster", scheduler]) == 0
    there = capsys.readouterr()
    assert main([*command, "--jobs", "1"]) == 0
    assert capsys.readouterr() == there
    assert there.err == ""


# --- stopping, and workers that go ------------------------------------------------------------------------------


def test_it_can_be_stopped_with_the_answer_so_far(scheduler: str, hire: Hire) -> None:
    assert hire().address
    done, kept = list[int](), list[Fought]()
    with joined(scheduler, GAME) as cluster:
        found = simulate(
            QUICK, 100_000, seed=1, cluster=cluster, stop=lambda: bool(done), told=done.append, keep=kept.extend
        )
    assert CHUNK <= found.battles < 100_000
    assert found.stopped == "stopped before the end"
    assert found.tally == tally_of(kept)
    assert not found.as_dict()["complete"]


def test_a_cluster_whose_workers_are_all_gone_ends_with_the_answer_so_far(
    scheduler: str, hire: Hire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "ABSENT", 2.0)
    worker = hire()
    assert worker.address
    with joined(scheduler, GAME) as cluster:
        found = simulate(QUICK, 100_000, seed=1, cluster=cluster, told=lambda done: worker.process.kill())
    assert 0 < found.battles < 100_000
    assert found.stopped == f"the cluster at {scheduler} has had no worker for 2 seconds"


# --- clusters that cannot play ----------------------------------------------------------------------------------


def test_a_cluster_without_workers_is_refused(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "WAIT", 1.0)
    with (
        pytest.raises(BadValue, match=f"has no worker.*“{scheduler}”.*dask worker {scheduler}"),
        joined(scheduler, GAME),
    ):
        pytest.fail("there was no worker")


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("sys.modules['flagplot'] = None", "it has no flagplot"),
        ("import flagplot.version as v; v.__version__ = '0.0.1'", r"has flagplot 0\.0\.1 with rules line-of-battle-1"),
        (
            "from flagplot import library; library.ruleset('line-of-battle').version = 'line-of-battle-0'",
            r"has flagplot .* with rules line-of-battle-0",
        ),
    ],
)
def test_a_worker_that_is_not_like_us_is_refused(scheduler: str, hire: Hire, before: str, said: str) -> None:
    assert hire(before).address
    wanted = rf"{said}.*“{scheduler}”.*flagplot {flagplot.__version__} with rules line-of-battle-1 on each worker"
    with pytest.raises(BadValue, match=wanted), joined(scheduler, GAME):
        pytest.fail("this worker cannot play")


@pytest.fixture
def nobody() -> str:
    """An address where nothing is."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{door.getsockname()[1]}"


@pytest.fixture
def mute() -> Iterator[str]:
    """An address where calls are taken, but nothing is said."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        yield f"tcp://127.0.0.1:{door.getsockname()[1]}"


@pytest.mark.parametrize("where", ["nobody", "mute"])
def test_a_cluster_that_does_not_answer_is_refused_in_time(
    where: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    address = request.getfixturevalue(where)
    monkeypatch.setattr(clusters, "WAIT", 1.0)
    start = time.monotonic()
    assert main(["simulate", QUICK, "--battles", "30", "--cluster", address]) == 2
    assert time.monotonic() - start < 15
    ran = capsys.readouterr()
    assert ran.out == ""
    assert f"“{address}”" in ran.err
    assert "Dask scheduler" in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("address", ["nonsense", "ftp://somewhere:1", "127.0.0.1:x", ""])
def test_what_is_no_address_is_refused(address: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "all.csv"
    assert main(["simulate", QUICK, "--cluster", address, "--out", str(out)]) == 2
    assert f"“{address}”" in capsys.readouterr().err
    assert not out.exists()


def test_without_dask_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["simulate", QUICK, "--cluster", "tcp://127.0.0.1:8786"]) == 2
    said = capsys.readouterr().err
    assert 'pip install "flagplot[cluster]"' in said
    assert "“tcp://127.0.0.1:8786”" in said


def test_processes_and_a_cluster_are_not_both_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", QUICK, "--cluster", "tcp://127.0.0.1:8786", "--jobs", "2"]) == 2
    assert "“--jobs 2”" in capsys.readouterr().err
