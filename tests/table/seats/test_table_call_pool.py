"""Calls to hosts that do not answer keep no request, and no other call, from its turn."""

from __future__ import annotations

import secrets
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from flagplot.table.games.keeper import GRACE
from flagplot.table.guard.rates import RATES, Rate, kind_of
from flagplot.table.guard.rates import Counter as Rates
from flagplot.table.info import Created
from flagplot.table.seats import notifications as notices
from flagplot.table.seats.call_pool import CallPool
from flagplot.table.seats.outgoing import Post
from flagplot.table.server.app import create_app
from flagplot.table.settings import Settings
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.table.servers import PATIENCE, eventually


class BlackHole:
    """Takes every call and gives no answer until it is told to; with the hosts and threads of the calls."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.open, self.calls, self.ended = threading.Event(), list[tuple[str, str]](), list[str]()
        monkeypatch.setattr(notices, "send_webhook", self.send_webhook)
        monkeypatch.setattr(notices, "send_email", self.send_email)

    def send_webhook(self, address: str, message: Any, *, private: bool) -> None:
        self._hold(address)

    def send_email(self, post: Post, to: str, message: Any) -> None:
        self._hold(to)

    def _hold(self, where: str) -> None:
        self.calls.append((where, threading.current_thread().name))
        if "quick" not in where:
            self.open.wait(PATIENCE)
        self.ended.append(where)


@pytest.fixture
def hole(monkeypatch: pytest.MonkeyPatch) -> Iterator[BlackHole]:
    made = BlackHole(monkeypatch)
    yield made
    made.open.set()


@pytest.fixture
def now() -> list[float]:
    return [1_000_000.0]


@pytest.fixture
def tables(tmp_path: Path, now: list[float], hole: BlackHole) -> Iterator[Tables]:
    made = Tables(
        Store(str(tmp_path / "s")),
        clock=lambda: now[0],
        post=Post(smtp="smtp://mail.example?from=table@example.org", private=True),
    )
    yield made
    hole.open.set()
    made.close()


@pytest.fixture
def client(tables: Tables) -> TestClient:
    return TestClient(create_app(tables, Settings(rate_limits=False, log_requests=False)))


def ask(client: TestClient, made: Created, method: str, path: str, **body: str) -> Any:
    headers = {"Authorization": f"Bearer {made.tokens['japan']}"}
    path = f"/api/tables/{made.game}/sides/japan/calls{path}"
    return client.request(method, path, headers=headers, json=body or None)


def of_pool(name: str) -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == name]


def test_sixty_tests_of_a_black_hole_keep_no_request_waiting(
    client: TestClient, tables: Tables, hole: BlackHole
) -> None:
    before = len(of_pool("flagplot-test"))
    statuses = Counter[int]()
    for number in range(60):
        made = tables.create("first-battle")
        tables.calls.set_messenger(made.game, "japan", webhook=f"https://hole{number}.example/")
        statuses[ask(client, made, "POST", "/test").status_code] += 1  # none has been answered when this returns
    assert client.get("/healthz").status_code == 200
    pool = tables.calls.asked
    eventually(lambda: len(hole.calls) == pool.threads)
    assert hole.ended == []
    assert {name for _, name in hole.calls} == {"flagplot-test"}  # no thread of a request
    assert len(of_pool("flagplot-test")) - before <= pool.threads
    assert len(pool._waiting) == pool.most_waiting
    assert statuses == {202: pool.threads + pool.most_waiting, 429: 60 - pool.threads - pool.most_waiting}


def test_one_host_gets_one_test_at_a_time_and_few_wait(client: TestClient, tables: Tables, hole: BlackHole) -> None:
    statuses = []
    for _ in range(20):
        made = tables.create("first-battle")
        ask(client, made, "PUT", "", webhook="https://hole.example/")
        statuses.append(ask(client, made, "POST", "/test").status_code)
        eventually(lambda: hole.calls)
    pool = tables.calls.asked
    most = pool.at_host + pool.most_for_host
    assert statuses == [202] * most + [429] * (20 - most)
    assert len(hole.calls) == pool.at_host
    other = tables.create("first-battle")
    ask(client, other, "PUT", "", webhook="https://quick.example/")
    assert ask(client, other, "POST", "/test").status_code == 202
    eventually(lambda: ask(client, other, "GET", "").json()["last"] == "webhook: it arrived")


def test_a_seat_has_one_test_at_a_time_and_few_a_minute(client: TestClient, tables: Tables, hole: BlackHole) -> None:
    made = tables.create("first-battle")
    ask(client, made, "PUT", "", webhook="https://hole.example/")
    told = ask(client, made, "POST", "/test")
    assert (told.status_code, told.json()["testing"], told.json()["last"]) == (202, True, "")
    assert ask(client, made, "POST", "/test").status_code == 429
    assert ask(client, made, "GET", "").json()["testing"]  # that of the first goes on
    hole.open.set()
    eventually(lambda: ask(client, made, "GET", "").json()["last"] == "webhook: it arrived")
    statuses = []
    for _ in range(10):
        statuses.append(ask(client, made, "POST", "/test").status_code)
        eventually(lambda: not ask(client, made, "GET", "").json()["testing"])
    assert statuses[:2] == [202, 202]
    assert statuses[-1] == 429


def test_a_target_host_is_called_so_often_a_minute_by_all_seats_together(
    client: TestClient, tables: Tables, hole: BlackHole
) -> None:
    tables.calls.rates = Rates({**notices.RATES, "host": Rate(2, 1)}, clock=lambda: 0.0)
    statuses = []
    for host in ("quick.example", "quick.example", "quick.example", "quick2.example"):
        made = tables.create("first-battle")
        ask(client, made, "PUT", "", webhook=f"https://{host}/")
        statuses.append(ask(client, made, "POST", "/test").status_code)
        eventually(lambda made=made: not tables.calls.messenger(made.game, "japan").testing)  # type: ignore[misc]
    assert statuses == [202, 202, 429, 202]


def test_a_test_whose_server_died_does_not_go_on_for_ever(
    client: TestClient, tables: Tables, hole: BlackHole, now: list[float]
) -> None:
    made = tables.create("first-battle")
    ask(client, made, "PUT", "", webhook="https://hole.example/")
    ask(client, made, "POST", "/test")
    now[0] += notices.TEST_LASTS + 1
    told = ask(client, made, "GET", "").json()
    assert (told["testing"], told["last"]) == (False, "the test was cut off: try it again")


def test_due_calls_to_a_black_hole_do_not_hold_up_the_others(tables: Tables, hole: BlackHole, now: list[float]) -> None:
    """Those to the hole are due first, and are more than are looked at in one go."""
    seats = [tables.create("first-battle") for _ in range(30)]
    for number, made in enumerate(seats):
        for side, token in made.tokens.items():
            quick = number >= 25
            tables.calls.set_messenger(made.game, side, webhook=f"https://{'quick' if quick else 'hole'}.example/")
            tables.join(token, contribution=secrets.token_hex(32))
        now[0] += 0.01
    now[0] += GRACE + 1
    begun = list[Future[bool]]()
    for _ in range(5):
        begun += tables.calls.begin_due()
    eventually(lambda: len([where for where in hole.ended if "quick" in where]) == 5)
    held = [where for where, _ in hole.calls if "hole" in where]
    assert len(held) == tables.calls.due.at_host
    assert {name for _, name in hole.calls} == {"flagplot-call"}
    hole.open.set()
    for call in begun:
        call.result(PATIENCE)
    for _ in range(5):  # those that were put off come later, each once
        now[0] += notices.LATER + 1
        tables.calls.make_due()
    assert Counter(hole.ended) == {"https://hole.example/": 25, "https://quick.example/": 5}


def test_tests_do_not_take_the_threads_of_due_calls(
    client: TestClient, tables: Tables, hole: BlackHole, now: list[float]
) -> None:
    for number in range(10):
        made = tables.create("first-battle")
        ask(client, made, "PUT", "", webhook=f"https://hole{number}.example/")
        ask(client, made, "POST", "/test")
    made = tables.create("first-battle")
    for side, token in made.tokens.items():
        tables.calls.set_messenger(made.game, side, webhook="https://quick.example/")
        tables.join(token, contribution=secrets.token_hex(32))
    now[0] += GRACE + 1
    assert tables.calls.make_due() == 1


def test_every_way_to_have_a_call_made_is_counted_as_one() -> None:
    for path in ("/table/gaaaaaaaaaa/seats/call", "/api/tables/gaaaaaaaaaa/sides/japan/calls/test"):
        assert kind_of("POST", path) == "call"
    assert RATES["call"].a_minute <= 10


def test_a_pool_that_is_closed_begins_nothing_and_a_fault_ends_no_thread() -> None:
    pool = CallPool("flagplot-pool", threads=1, at_host=1, waiting=5, waiting_for_host=5)

    def broken() -> bool:
        raise RuntimeError

    first, second = pool.begin("a", "x", broken), pool.begin("b", "x", lambda: True)
    assert first is not None
    assert second is not None
    assert (first.result(PATIENCE), second.result(PATIENCE)) == (False, True)
    pool.close()
    assert pool.begin("c", "x", lambda: True) is None
    eventually(lambda: not of_pool("flagplot-pool"))
