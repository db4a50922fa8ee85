"""Battles on many machines: a Dask cluster plays the chunks. They are the same chunks, so the answer is the same.

Dask sends a chunk to another worker if its worker dies. Dask's client is given an event loop of its own in a thread,
and every question to it has a limit of time: it would wait for ever for a machine that takes calls but says nothing.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, TypeVar

from flagplot.kernel.errors import BadValue
from flagplot.simulation.battles import BattleFailed, Plan
from flagplot.simulation.cluster_tasks import Answer, Versions, errand, versions_of
from flagplot.simulation.workers import GLANCE, Chunks, Played, Stop, WorkersLost

WAIT = 10.0
"""Seconds in which a cluster has to answer, and to show a worker."""
ABSENT = 30.0
"""Seconds without any worker, or any word of the scheduler, after which no more is expected."""
MOST_DEATHS = 2
"""Chunks in a row that Dask gave up because worker after worker died over them, with no chunk played in between."""
NEEDED = "tcp://host:8786, where a Dask scheduler is"

T = TypeVar("T")


@contextmanager
def joined(address: str, game: str = "awaw") -> Iterator[Cluster]:
    """The cluster of the Dask scheduler at an address, with workers that can play this game."""
    dask = _dask(address)
    loop = _Loop()
    with _quietly():
        client = None
        try:
            client = _connected(dask, loop, address)
            cluster = Cluster(dask, client, loop, address, versions_of(game))
            cluster.check()
            loop.start(cluster.watch())
            yield cluster
        finally:
            if client is not None:
                with suppress(Exception):
                    loop.run(_closed(client), 3)
            loop.close()


def _dask(address: str) -> Any:
    try:
        return import_module("distributed")
    except ImportError:
        raise BadValue(
            'a cluster needs a package that is not installed: pip install "flagplot[cluster]", '
            "or in a source tree .venv/bin/python -m pip install distributed",
            given=address,
        ) from None


def _connected(dask: Any, loop: _Loop, address: str) -> Any:
    """A client of the scheduler, or a refusal that says what is there instead."""

    async def connect() -> Any:
        client = dask.Client(address, asynchronous=True, timeout=0.9 * WAIT, set_as_default=False, name="flagplot")
        try:
            async with asyncio.timeout(WAIT):
                return await client
        except BaseException:
            with suppress(Exception):
                await asyncio.wait_for(client._close(fast=True), 1)
            client.status = "closed"  # it may never have got so far that it can close itself
            raise

    try:
        return loop.run(connect(), WAIT + 2)
    except TimeoutError:
        reason = f"nothing there speaks as a Dask scheduler does, within {WAIT:.0f} seconds"
    except OSError as fault:
        reason = f"no cluster answers there ({_root(fault)})"
    except Exception as fault:
        reason = f"no Dask scheduler can be there ({type(fault).__name__}: {fault})"
    raise BadValue(reason, given=address, allowed=[NEEDED])


def _root(fault: BaseException) -> BaseException:
    """What lies at the bottom of a fault: Dask wraps it in words that are for programmers."""
    while fault.__cause__ is not None:
        fault = fault.__cause__
    return fault


async def _closed(client: Any) -> None:
    await client.close()


@contextmanager
def _quietly() -> Iterator[None]:
    """What Dask tells its log about lost connections, we tell in our own words."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    before = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


class _Loop:
    """An event loop in a thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="flagplot-cluster", daemon=True)
        self._thread.start()

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        started = self.start(work)
        try:
            return started.result(seconds)
        finally:
            started.cancel()

    def close(self) -> None:
        with suppress(Exception):
            self.run(_cancel_others(), 2)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(2)
        if not self._thread.is_alive():
            self._loop.close()


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


class Cluster:
    """A Dask cluster that plays chunks."""

    def __init__(self, dask: Any, client: Any, loop: _Loop, address: str, versions: Versions) -> None:
        self._dask, self._client, self._loop = dask, client, loop
        self._address, self._versions = address, versions
        self._threads = 0
        self._seen = time.monotonic()
        """When a worker was there last."""

    # --- before the first battle ---

    def check(self) -> None:
        """Refuse a cluster without workers, or with workers that cannot play. One that is too busy to say goes
        through: it will have to say so with its first chunk."""
        try:
            found = self._loop.run(self._compared(), 2 * WAIT + 2)
        except (TimeoutError, OSError):
            raise BadValue(
                f"this cluster has no worker, and none came within {WAIT:.0f} seconds",
                given=self._address,
                allowed=[f"one after: dask worker {self._address}"],
            ) from None
        if found:
            raise BadValue(
                f"this cluster has a worker that cannot play: {found}",
                given=self._address,
                allowed=[f"flagplot {self._versions.program} with rules {self._versions.rules} on each worker"],
            )

    async def _compared(self) -> str:
        """What is wrong with some worker."""
        await self._client.wait_for_workers(1, timeout=WAIT)
        workers = await self._client.nthreads()
        self._threads = sum(workers.values())
        question = errand(self._versions)
        asked = [asyncio.ensure_future(self._asked(question, workers=[worker])) for worker in workers]
        try:
            for first in asyncio.as_completed(asked, timeout=WAIT):
                unlike = (await first).unlike
                if unlike:
                    return unlike
        except TimeoutError:
            pass
        finally:
            for one in asked:
                one.cancel()
        return ""

    # --- chunks ---

    def played(self, plan: Plan, chunks: Chunks, stop: Stop) -> Iterator[Played]:
        """Play the chunks; they come in the order in which they are done."""
        text = pickle.dumps(plan)
        fresh, again, deaths = iter(range(len(chunks))), list[int](), 0
        under_way: dict[Future[Answer], int] = {}
        try:
            while not stop():
                while len(under_way) < self._room:
                    place = again.pop() if again else next(fresh, None)
                    if place is None:
                        break
                    order = errand(self._versions, text, place, chunks[place].numbers)
                    under_way[self._loop.start(self._asked(order))] = place
                if not under_way:
                    return
                for done in wait(under_way, GLANCE, FIRST_COMPLETED).done:
                    place = under_way.pop(done)
                    played = self._opened(done)
                    if played is None:
                        again.append(place)
                        deaths += 1
                        self._give_up_after(deaths)
                    else:
                        deaths = 0
                        yield played
                if time.monotonic() - self._seen > ABSENT:
                    raise WorkersLost(f"the cluster at {self._address} has had no worker for {ABSENT:.0f} seconds")
        finally:
            for one in under_way:
                one.cancel()

    @property
    def _room(self) -> int:
        """Chunks that may be under way: nobody waits for the next one, and few are lost with a worker."""
        return 2 * self._threads + 2

    async def _asked(self, order: bytes, **where: Any) -> Answer:
        """Send an errand to the cluster and wait for its answer."""
        try:
            answer = await self._client.submit(pickle.loads, order, pure=False, **where)
        except (ImportError, AttributeError) as fault:
            return Answer(unlike=f"it has no flagplot, or another one ({fault})")
        opened: Answer = pickle.loads(answer)
        return opened

    def _opened(self, done: Future[Answer]) -> Played | None:
        """What was played; nothing if Dask gave the chunk up because workers died."""
        try:
            answer = done.result()
        except self._dask.KilledWorker:
            return None
        except CancelledError:
            raise WorkersLost(f"the connection to the cluster at {self._address} was lost") from None
        except Exception as fault:
            raise WorkersLost(f"the cluster at {self._address} failed ({type(fault).__name__}: {fault})") from fault
        if answer.failed:
            raise BattleFailed(answer.failed)
        if answer.unlike:
            raise WorkersLost(f"the cluster at {self._address} has a worker that cannot play: {answer.unlike}")
        return answer.played

    def _give_up_after(self, deaths: int) -> None:
        if deaths > MOST_DEATHS:
            raise WorkersLost(f"worker after worker of the cluster at {self._address} died")

    async def watch(self) -> None:
        """Look every second which workers are there."""
        while True:
            with suppress(Exception):
                workers = await asyncio.wait_for(self._client.nthreads(), WAIT)
                self._threads = sum(workers.values())
                if workers:
                    self._seen = time.monotonic()
            await asyncio.sleep(1)
