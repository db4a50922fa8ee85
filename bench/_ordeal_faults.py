"""The faults of an ordeal: what is done to servers, their database, their disk and their clocks."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bench._clock import QuickServer, set_clock
from bench._ordeal_players import CUTS, REPLAYS, World
from bench._serving import Server

if TYPE_CHECKING:
    from tests.table.databases import Cluster

WEIGHTS = {
    "sqlite": {"kill": 18, "stop": 3, "freeze": 7, "disk": 12, "clock": 12, "cut": 24, "replay": 24},
    "postgresql": {
        "kill": 13,
        "stop": 3,
        "freeze": 7,
        "disk": 4,
        "clock": 12,
        "database": 5,
        "sever": 8,
        "cut": 24,
        "replay": 24,
    },
}
"""How often each kind comes among a hundred faults."""
ROOM = 384
"""Megabytes of the disk that is filled."""
UNLIMITED = resource.RLIM_INFINITY
DAY = 86400.0
JUMPS = (-3650 * DAY, -30 * DAY, -3600.0, -2.0, 0.0, 2.0, 3600.0, 30 * DAY, 3650 * DAY)
HURRY = threading.Event()
"""Set when no more faults are wanted."""
LONGEST = 30.0
"""Seconds between two faults at most."""


class Disk:
    """A small disk of memory, if one can be mounted here; else an ordinary folder that cannot be filled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        command = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}m,mode=0700", "tmpfs", str(folder)]
        self.mounted = bool(shutil.which("mount")) and not subprocess.run(command, capture_output=True).returncode

    def fill(self) -> None:
        """Until nothing fits any more."""
        with open(self.folder / "ballast", "wb") as ballast:
            for size in (1 << 20, 1 << 12):
                with contextlib.suppress(OSError):
                    while True:
                        os.posix_fallocate(ballast.fileno(), ballast.seek(0, os.SEEK_END), size)

    def free(self) -> None:
        (self.folder / "ballast").unlink(missing_ok=True)

    def close(self) -> None:
        if self.mounted:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=False, capture_output=True)


class Site:
    """The servers of an ordeal with all that they stand on."""

    def __init__(self, log: Path, folder: Path, disk: Disk, cluster: Cluster | None, number: int) -> None:
        self.log, self.disk, self.cluster = log, disk, cluster
        self.address = cluster.database() if cluster else f"sqlite:///{disk.folder}/tables.sqlite"
        self.clocks = [folder / f"clock-{place}" for place in range(number)]
        for clock in self.clocks:
            set_clock(clock, 0.0)
        self.windows: list[tuple[float, float]] = []
        """When a fault was there that may show: then a server may say that it cannot."""
        self.servers = [self._started(place, 0) for place in range(number)]
        self.ports = [server.port for server in self.servers]

    def _started(self, place: int, port: int) -> Server:
        where = ["--store", self.address] if self.cluster else ["--data", str(self.disk.folder)]
        return QuickServer(*where, clock=self.clocks[place], log=self.log, port=port)

    async def start(self, place: int) -> None:
        self.servers[place] = await asyncio.to_thread(self._started, place, self.ports[place])

    def dead(self) -> list[int]:
        """Servers that have ended though nobody ended them."""
        return [place for place, server in enumerate(self.servers) if server.process.poll() is not None]

    @contextlib.contextmanager
    def declared(self, after: float = 0.0) -> Iterator[None]:
        begun = time.monotonic()
        try:
            yield
        finally:
            self.windows.append((begun, time.monotonic() + after))

    def was_declared(self, begun: float, ended: float) -> bool:
        """Whether a fault was there at some moment of that time."""
        return any(first <= ended and begun <= last for first, last in self.windows)

    def stop(self) -> None:
        for server in self.servers:
            if server.process.poll() is None:
                server.stop()


class Conductor:
    """Does the faults one after the other; a seed gives the same ones in the same order."""

    def __init__(self, site: Site, world: World, chance: random.Random) -> None:
        self.site, self.world, self.chance = site, world, chance
        self.done: Counter[str] = Counter()
        self._calm = False

    async def run(self, faults: int, until: float) -> None:
        kinds = WEIGHTS["postgresql" if self.site.cluster else "sqlite"]
        dealt = list(kinds) + self.chance.choices(list(kinds), list(kinds.values()), k=max(0, faults - len(kinds)))
        self.chance.shuffle(dealt)
        for number, kind in enumerate(dealt[:faults]):
            if time.monotonic() > until or HURRY.is_set():
                break
            if number and number % 100 == 0:
                print(f"  … {number} faults, {self.world.ledger.kept} acts acknowledged", file=sys.stderr, flush=True)
            await self._pause()
            await self._do(kind)
            for place in self.site.dead():
                self.world.ledger.problems.append(f"a server ended by itself after: {kind}")
                await self.site.start(place)
        while self.world.mischief and time.monotonic() < until and not HURRY.is_set():
            await asyncio.sleep(0.05)

    async def _pause(self) -> None:
        """Some answers later, or none: two faults may come together, but on a slow machine not a hundred."""
        least = self.chance.choice((0, 0, 1, 2, 6)) if self._calm else 1
        self._calm = least > 0
        target = self.world.ledger.kept + least
        until = time.monotonic() + LONGEST
        while self.world.ledger.kept < target and time.monotonic() < until:
            await asyncio.sleep(0.005)
        await asyncio.sleep(self.chance.random() * 0.03)

    async def _do(self, kind: str) -> None:
        if kind in ("cut", "replay"):  # the next client that has something to say does it
            self.world.mischief.append(self.chance.choice(CUTS if kind == "cut" else REPLAYS))
            return
        await getattr(self, f"_{kind}")()
        self.done[kind] += 1

    # --- servers ------------------------------------------------------------------------------------------------

    def _some(self) -> list[int]:
        """One server, or now and then all of them."""
        places = list(range(len(self.site.servers)))
        return places if self.chance.random() < 0.25 else [self.chance.choice(places)]

    async def _kill(self) -> None:
        places = self._some()
        with self.site.declared():
            for place in places:
                self.site.servers[place].kill()
            await asyncio.sleep(self.chance.random() * 0.2)
            await asyncio.gather(*[self.site.start(place) for place in places])

    async def _stop(self) -> None:
        place = self._some()[0]
        with self.site.declared():
            await asyncio.to_thread(self.site.servers[place].stop)
            await self.site.start(place)

    async def _freeze(self) -> None:
        """The machine hangs for a moment; its connections stay."""
        places = self._some()
        with self.site.declared():
            for place in places:
                self.site.servers[place].process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(self.chance.choice((0.1, 0.4, 1.5)))
            for place in places:
                self.site.servers[place].process.send_signal(signal.SIGCONT)

    async def _clock(self) -> None:
        """A clock jumps: nothing may show of it, so it is no excuse either."""
        set_clock(self.chance.choice(self.site.clocks), self.chance.choice(JUMPS))

    # --- the disk and the database ------------------------------------------------------------------------------

    async def _disk(self) -> None:
        """Nothing can be written for a while; at times a server dies of it, and is started when there is room again."""
        killed = self.chance.random() < 0.2
        limited = not self.site.disk.mounted or (self.site.cluster is None and self.chance.random() < 0.5)
        with self.site.declared(after=1.0):
            if limited:
                self._limit_files(0)
            else:
                self.site.disk.fill()
            await asyncio.sleep(self.chance.choice((0.1, 0.5, 1.5)))
            if killed:
                self.site.servers[0].kill()
            if limited:
                self._limit_files(UNLIMITED)
            else:
                self.site.disk.free()
            await self._revive_database()
            if killed:
                await self.site.start(0)

    def _limit_files(self, size: int) -> None:
        """Like a full disk, but without one: a server may write nothing into files, not even over old bytes."""
        for server in self.site.servers:
            if server.process.poll() is None:
                resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, UNLIMITED))

    async def _revive_database(self) -> None:
        """PostgreSQL gives up if it cannot write its log; its operator starts it again."""
        cluster = self.site.cluster
        if cluster is None:
            return
        try:
            await asyncio.to_thread(cluster.execute, "postgres", "SELECT 1")
        except Exception:  # whatever it says, it does not serve
            await asyncio.to_thread(cluster.restart)

    async def _database(self) -> None:
        assert self.site.cluster is not None
        with self.site.declared(after=1.0):
            await asyncio.to_thread(self.site.cluster.restart)

    async def _sever(self) -> None:
        """All connections to the database are cut, in whatever transaction they are."""
        assert self.site.cluster is not None
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname <> ''"
        with self.site.declared(after=0.5):
            await asyncio.to_thread(self.site.cluster.execute, "postgres", cut)


@contextlib.contextmanager
def site(store: str, servers: int, log: Path | None = None) -> Iterator[Site | None]:
    """Servers on a database of their own; None where there is no PostgreSQL."""
    from tests.table.databases import Cluster, programs

    where = programs() if store == "postgresql" else None
    if store == "postgresql" and where is None:
        yield None
        return
    folder = Path(tempfile.mkdtemp(prefix="ordeal-"))
    (folder / "disk").mkdir()
    disk = Disk(folder / "disk")
    cluster, made = None, None
    try:
        if where is not None:
            folder.chmod(0o755)
            if os.geteuid() == 0:
                shutil.chown(disk.folder, "postgres")
            cluster = Cluster(where, disk.folder, durable=True)
            cluster.start()
        made = Site(log or folder / "log", folder, disk, cluster, servers if cluster else 1)
        yield made
    finally:
        if made is not None:
            made.stop()
        if cluster is not None:
            cluster.stop()
        disk.close()
        shutil.rmtree(folder, ignore_errors=True)
