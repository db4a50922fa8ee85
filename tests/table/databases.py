"""Real databases for the tests of the table: SQLite in a file, and a PostgreSQL cluster of our own.

PostgreSQL is started once a run from Debian's package, in a temporary directory, as the user postgres (it refuses
root). Where it cannot be had, its tests are skipped with a line that says so and how to get it.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from glob import glob
from pathlib import Path

import pytest

from flagplot.table.store.store import Store
from flagplot.table.tables import Tables

INSTALL = ["apt-get", "install", "-y", "--no-install-recommends", "postgresql"]
REMEDY = "install Debian's package postgresql (as root: apt-get install postgresql)"


class Cluster:
    """A PostgreSQL server of our own."""

    def __init__(self, programs: Path, folder: Path, *, durable: bool = False) -> None:
        """`durable` keeps what is committed as a real one does; tests need not wait for that."""
        self.programs, self.folder, self.durable = programs, folder, durable
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.base = f"postgresql://flagplot@127.0.0.1:{self.port}"
        self.store = ""

    def run(self, *command: str) -> None:
        line = shlex.join([str(self.programs / command[0]), *command[1:]])
        wanted = ["su", "postgres", "-c", line] if os.geteuid() == 0 else ["sh", "-c", line]
        with open(self.folder / "output", "ab") as output:  # a server that lives on would keep a pipe open
            ended = subprocess.run(
                wanted, stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=180, cwd="/", check=False
            )
        if ended.returncode:
            raise RuntimeError(f"{command[0]}: {(self.folder / 'output').read_text()[-500:]}")

    def start(self) -> None:
        data = str(self.folder / "data")
        self.run("initdb", "-D", data, "-A", "trust", "-U", "flagplot", "--encoding=UTF8", "--locale=C", "-N")
        settings = f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories={self.folder}"
        settings += " -c max_connections=200"
        if not self.durable:
            settings += " -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
        self.run("pg_ctl", "-D", data, "-w", "-l", str(self.folder / "log"), "-o", settings, "start")

    def restart(self) -> None:
        """As after a failure of the power; a cluster that is down is started."""
        data, log = str(self.folder / "data"), str(self.folder / "log")
        self.run("pg_ctl", "-D", data, "-w", "-l", log, "-m", "immediate", "restart")

    def stop(self) -> None:
        with contextlib.suppress(RuntimeError, subprocess.TimeoutExpired):
            self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop")

    def database(self) -> str:
        """The address of a new, empty database."""
        name = f"flagplot_{uuid.uuid4().hex[:10]}"
        self.execute("postgres", f"CREATE DATABASE {name}")
        return f"{self.base}/{name}"

    def cleared(self) -> str:
        """The address of a store without tables; it is always the same one, since to make one anew takes longer."""
        if not self.store:
            self.store = self.database()
            Store(self.store).close()
        self.execute(self.store.rsplit("/", 1)[1], "TRUNCATE games CASCADE")
        return self.store

    def execute(self, database: str, statement: str) -> None:
        import psycopg

        with psycopg.connect(f"{self.base}/{database}", autocommit=True) as connection:
            connection.execute(statement.encode())


def programs() -> Path | None:
    """Where Debian has PostgreSQL's programs; they are installed if that is possible."""
    found = sorted(glob("/usr/lib/postgresql/*/bin"))
    if not found and os.geteuid() == 0 and shutil.which("apt-get") and not os.environ.get("FLAGPLOT_NO_INSTALL"):
        subprocess.run(INSTALL, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False)
        found = sorted(glob("/usr/lib/postgresql/*/bin"))
    return Path(found[-1]) if found else None


@contextlib.contextmanager
def cluster(*, durable: bool = False) -> Iterator[Cluster | None]:
    """A running cluster, or None where there is no PostgreSQL."""
    place = programs()
    if place is None:
        yield None
        return
    folder = Path(tempfile.mkdtemp(prefix="flagplot-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    server = Cluster(place, folder, durable=durable)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


MISSING = f"no PostgreSQL here, so the table was not tested on it; {REMEDY}"
"""The reason of such skips; `conftest` repeats it at the end of the run, so that nobody overlooks it."""


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    with cluster() as server:
        if server is None:
            pytest.skip(MISSING)
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store, once for each kind of database."""
    return _address(request, f"{tmp_path}/tables.sqlite", Cluster.cleared)


@pytest.fixture(params=["sqlite", "postgresql"])
def fresh_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database that nobody has used, once for each kind."""
    return _address(request, f"{tmp_path}/fresh.sqlite", Cluster.database)


def _address(request: pytest.FixtureRequest, file: str, database: Callable[[Cluster], str]) -> str:
    """A cluster is started for PostgreSQL alone, or the test is skipped."""
    return f"sqlite:///{file}" if request.param == "sqlite" else database(request.getfixturevalue("postgres"))


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    opened = Store(address)
    yield opened
    opened.close()


@pytest.fixture
def open_tables(address: str) -> Iterator[Callable[[], Tables]]:
    """Opens the same store as often as wanted: as several servers, or as one that was started again."""
    opened: list[Tables] = []

    def open_one() -> Tables:
        opened.append(Tables(Store(address)))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


@pytest.fixture
def tables(open_tables: Callable[[], Tables]) -> Tables:
    return open_tables()
