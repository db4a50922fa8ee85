"""A disk that is full and a database that is damaged: the health of the server shows it, the log says it once, the
start refuses it, and nothing that was acknowledged is lost."""

from __future__ import annotations

import contextlib
import json
import logging
import resource
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from flagplot.cli import main
from flagplot.table.keeping import health
from flagplot.table.keeping.health import Health
from flagplot.table.refusals import StoreError
from flagplot.table.server.app import create_app
from flagplot.table.settings import Settings
from flagplot.table.store.faults import QUIET, Faults
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.table.browsers import Browser
from tests.table.servers import Server, eventually


class Time:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Tables]:
    """Tables on a disk that has no room left, as soon as `fill` was called."""
    tables = Tables(Store(f"sqlite:///{tmp_path}/tables.sqlite"))
    yield tables
    tables.close()


def fill(store: Store) -> None:
    """From now on the file of the database cannot grow."""
    with store._reading() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
    store._engine.dispose()
    event.listen(store._engine, "connect", lambda made, _: made.execute(f"PRAGMA max_page_count={pages}"))


def make_many(tables: Tables) -> None:
    for _ in range(40):
        tables.create("midway")


def test_a_store_that_can_be_written_is_well(store: Store) -> None:
    found = Health(store)
    assert found.trouble() == ""
    store.probe(1.0)
    store.probe(2.0)
    store._engine.dispose()


def test_a_full_disk_is_no_health_and_is_logged_once(
    small: Tables, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "AGAIN", 0.0)
    monkeypatch.setattr(health, "SOON", 0.0)
    browser = Browser(create_app(small, Settings()))
    assert browser.get("/healthz").status_code == 200
    fill(small.store)
    with caplog.at_level(logging.ERROR, "flagplot.table"):
        for _ in range(3):
            told = browser.get("/healthz")
            assert told.status_code == 503
            assert "the disk is full" in told.json()["status"]
        with pytest.raises(StoreError, match="the disk is full"):
            make_many(small)
    errors = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert errors == ["the store is in trouble: the disk is full"]


def test_a_fault_is_logged_again_after_some_time_with_the_number_of_those_left_out(
    small: Tables, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Time()
    small.store.faults = Faults(clock)
    fill(small.store)
    with caplog.at_level(logging.ERROR, "flagplot.table"):
        for _ in range(5):
            with pytest.raises(StoreError):
                small.store.probe(1.0)
        clock.now += QUIET
        with pytest.raises(StoreError):
            small.store.probe(1.0)
    assert [record.told for record in caplog.records] == [  # type: ignore[attr-defined]
        {"kind": "SQLITE_FULL", "not_logged_before": 0},
        {"kind": "SQLITE_FULL", "not_logged_before": 4},
    ]


def test_the_probe_writes_seldom_and_nobody_waits_for_one_that_hangs(
    small: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    timer, probes, hangs = Time(), list[float](), threading.Event()
    found = Health(small.store, timer=timer)

    def probe(now: float) -> None:
        probes.append(now)
        if len(probes) > 1:
            hangs.wait(60)

    monkeypatch.setattr(small.store, "probe", probe)
    assert [found.trouble() for _ in range(20)] == [""] * 20
    assert len(probes) == 1
    timer.now += health.AGAIN
    hanging = threading.Thread(target=found.trouble)
    hanging.start()
    eventually(lambda: len(probes) == 2)
    assert found.trouble() == ""
    timer.now += health.PATIENCE + 1
    assert found.trouble() == "the store does not answer"
    hangs.set()
    hanging.join()
    assert found.trouble() == ""


def test_a_real_server_on_a_full_disk_says_so_loses_nothing_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    """Its files cannot grow any more; then they can again."""
    server = Server(tmp_path, rate_limits="no")
    server.start()
    assert server.process
    try:
        made = server.make("midway", join=True)
        size = max(path.stat().st_size for path in (tmp_path / "data").iterdir())
        _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size + 8192, most))
        eventually(lambda: server.ask("/api/tables", {"scenario": "midway"}).get("error") == "store")
        eventually(lambda: server.ask("/healthz")["status"] != "ok")
        assert "the store is in trouble" in server.log
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, most))
        eventually(lambda: server.ask("/healthz")["status"] == "ok")
        token = next(iter(made["tokens"].values()))
        assert server.ask("/api/seat", token=token)["joined"]
        server.make("midway")
    finally:
        server.stop()


# --- a damaged database -------------------------------------------------------------------------------------------


def damaged(path: Path) -> None:
    """Overwrite the page at which the lines of all games begin; the database can still be opened."""
    store = Store(f"sqlite:///{path}")
    tables = Tables(store)
    tables.create("midway")
    tables.close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'lines'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = bytes([0xA5]) * size
    path.write_bytes(data)


def test_a_damaged_database_is_refused_at_the_start_with_its_file_and_the_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tables.sqlite"
    damaged(path)
    before = path.read_bytes()
    assert main(["serve", "--data", str(tmp_path), "--port", "0"]) == 2
    told = capsys.readouterr().err
    assert "the file of the tables is damaged" in told
    assert "restore a backup" in told
    assert str(path) in told
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [b"This is a text, and no database at all. " * 200, b"SQLite format 3\0" + b"\xff" * 9000],
    ids=["text", "rubbish"],
)
def test_a_file_that_is_no_database_is_refused_at_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    path = tmp_path / "tables.sqlite"
    path.write_bytes(content)
    assert main(["serve", "--data", str(tmp_path), "--port", "0"]) == 2
    told = capsys.readouterr().err
    assert "the file of the tables is damaged" in told
    assert str(path) in told
    assert path.read_bytes() == content


def test_a_database_that_turns_out_to_be_damaged_is_no_health_until_the_server_starts_again(
    small: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The page of the probe may be sound while those of the tables are not."""
    path = tmp_path / "other.sqlite"
    damaged(path)
    store = Store(f"sqlite:///{path}", check=False)
    tables = Tables(store)
    monkeypatch.setattr(store, "probe", lambda _: None)
    assert tables.trouble() == ""
    with caplog.at_level(logging.ERROR, "flagplot.table"), pytest.raises(StoreError, match="the database is damaged"):
        _read_all(store)
    assert tables.trouble() == "the database is damaged: stop the server and restore a backup"
    assert [json.loads(json.dumps(record.told))["kind"] for record in caplog.records] == ["SQLITE_CORRUPT"]  # type: ignore[attr-defined]
    tables.close()


def _read_all(store: Store) -> list[Any]:
    return [store.whole(game) for game in store.ids()]
