"""How a server opens: the first page before the games are imported, and everything else when it is asked for."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from flagplot.table.lobby import battles
from flagplot.table.server.opening import Opening
from flagplot.table.settings import Settings
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.table.browsers import Browser, words

HEAVY = "awaw|line_of_battle|players|odds|simulation|builder|report|review|envs"
PROGRAM = f"""
import re, sys
from fastapi.testclient import TestClient
from flagplot.table.server.opening import Opening
from flagplot.table.settings import Settings
def never():
    raise AssertionError("nobody asked for a table")
opening = Opening(Settings(log_requests=False), never)
first = TestClient(opening.app, "http://127.0.0.1:8350").get("/")
assert first.status_code == 200 and "Lantern Reef" in first.text, first.text
print(*sorted(name for name in sys.modules if re.match(r"flagplot[.]({HEAVY})([.]|$)", name)))
"""


def test_the_first_page_imports_no_game() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("\n", "")


def test_what_is_kept_for_the_first_page_is_what_follows_from_the_battles() -> None:
    """If not: `.venv/bin/python tools/keep_cards.py`."""
    assert json.loads(battles.KEPT.read_text(encoding="utf8")) == json.loads(json.dumps(battles.cards_to_keep()))


def test_a_card_of_another_file_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = battles._card("force-z")
    assert kept == battles.made_card("force-z")
    stale = {"file": "0" * 16, "card": {}}
    monkeypatch.setattr(battles, "_kept", lambda: {"battles": {"force-z": stale}})
    assert battles._card("force-z") == kept


class Hall:
    """A server that has just been opened."""

    def __init__(self, folder: Path) -> None:
        self.made = 0
        self._address = f"sqlite:///{folder}/tables.sqlite"
        self.opening = Opening(Settings(log_requests=False, rate_limits=False, odds_workers=1), self._tables)

    def _tables(self) -> Tables:
        self.made += 1
        return Tables(Store(self._address))


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    made = Hall(tmp_path)
    yield made
    made.opening.close()


def test_everything_else_comes_when_it_is_asked_for(hall: Hall) -> None:
    host = Browser(hall.opening.app)
    assert "No tables yet" in words(host.get("/"))
    assert host.get("/static/site.css").status_code == 200
    assert hall.made == 0
    assert host.get("/no-such-page").status_code == 404
    assert hall.made == 1
    assert host.post("/new", {"scenario": "force-z"}).status_code == 303
    assert "You play" in words(host.get("/"))
    assert hall.made == 1


def test_who_has_a_seat_finds_his_tables_on_the_first_page_of_a_server_that_was_started_again(
    hall: Hall, tmp_path: Path
) -> None:
    host = Browser(hall.opening.app)
    host.post("/new", {"scenario": "force-z"})
    hall.opening.close()
    again = Hall(tmp_path)
    guest = Browser(again.opening.app)
    guest.client.cookies = host.client.cookies
    assert "You play" in words(guest.get("/"))
    again.opening.close()


def test_whoever_asks_meanwhile_waits_and_nothing_is_begun_twice(hall: Hall) -> None:
    threads = [threading.Thread(target=hall.opening.furnish) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hall.made == 1


def test_a_server_that_is_stopped_before_anybody_asked_begins_nothing(hall: Hall) -> None:
    hall.opening.close()
    hall.opening.furnish()
    assert hall.made == 0
