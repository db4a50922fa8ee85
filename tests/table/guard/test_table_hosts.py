"""At the door: names that are not ours, requests that dribble in, and figures that are for this machine alone."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request

from flagplot.kernel.errors import BadValue
from flagplot.table.guard import hosts, safety
from flagplot.table.guard.hosts import is_known, known_names
from flagplot.table.server import serving
from flagplot.table.settings import Settings
from tests.table.browsers import Browser, site, words
from tests.table.servers import PATIENCE, eventually


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Callable[..., FastAPI]]:
    """Makes applications, and closes them."""
    made: list[FastAPI] = []

    def make(**settings: Any) -> FastAPI:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(site(folder, **{"odds_workers": 1, **settings}))
        return made[-1]

    yield make
    for app in made:
        app.state.tables.close()


Make = Callable[..., FastAPI]

# --- names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "served"),
    [
        ("localhost", True),
        ("LOCALHOST:8350", True),
        ("localhost.", True),
        ("table.localhost", True),
        ("127.0.0.1:8350", True),
        ("[::1]:8350", True),
        ("192.168.1.20", True),  # an address cannot be turned into another one
        ("table.example", True),
        ("Table.Example:443", True),
        ("evil.example", False),
        ("table.example.evil.example", False),
        ("localhost.evil.example", False),
        ("192.168.1.20.evil.example", False),
        ("table.example@evil.example", False),
        ("a b", False),
        ("[::1", False),
        ("127.1", False),
    ],
)
def test_only_names_of_our_own_are_known(host: str, served: bool) -> None:
    assert is_known(host, known_names(Settings(address="https://table.example"))) is served


def test_a_name_that_is_not_ours_is_refused_on_every_page(here: Make) -> None:
    browser = Browser(here(address="https://table.example"))
    assert browser.get("/join", Host="table.example").status_code == 200
    for path in ("/join", "/healthz", "/metrics", "/static/site.css", "/no/such/page"):
        assert browser.get(path, Host="evil.example").status_code == 421
    page, told = browser.get("/join", Host="evil.example"), browser.get("/api/scenarios", Host="evil.example")
    assert "does not go by the name “evil.example”. Use the address that you were given" in words(page)
    assert (told.status_code, told.json()["error"]) == (421, "Wrong address")


def test_a_server_of_this_machine_is_not_known_by_its_name_in_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Mini.fritz.box")
    alone, lan = known_names(Settings()), known_names(Settings(host="0.0.0.0"))
    for name in ("mini", "mini.local", "mini.fritz.box", "mini.lan:8350", "mini.home.arpa"):
        assert not is_known(name, alone)
        assert is_known(name, lan)
    for name in ("mini.evil.example", "other.local", "evil.example"):
        assert not is_known(name, lan)
    assert is_known("mini", known_names(Settings(host="mini")))


def test_the_owner_names_more(here: Make) -> None:
    some = Browser(here(hosts="one.example, two.example"))
    found = [some.get("/join", Host=name).status_code for name in ("one.example", "two.example:80", "evil.example")]
    assert found == [200, 200, 421]
    assert Browser(here(hosts="*")).get("/join", Host="any.example").status_code == 200
    assert Settings.from_environment({"FLAGPLOT_HOSTS": "a.example"}).hosts == "a.example"


def test_a_program_of_old_that_names_nobody_is_served() -> None:
    assert is_known("", known_names(Settings()))
    assert hosts.name_of("[2001:db8::1]:80") == "2001:db8::1"


# --- requests that dribble in ---------------------------------------------------------------------------------------


@contextmanager
def serving_at(app: FastAPI) -> Iterator[int]:
    """A real server in a thread; its port."""
    started = threading.Event()
    server = serving.server_for(app, started.set)
    listening = serving.listen("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    assert started.wait(PATIENCE)
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


def dribble(connection: socket.socket, text: bytes, pause: float = 0.05) -> bytes:
    """Send a letter at a time, until the other end closes; what it said."""
    connection.settimeout(pause)
    said, until = b"", time.monotonic() + PATIENCE
    for place in range(10**6):
        assert time.monotonic() < until, "nobody closed it"
        try:
            connection.sendall(text[place : place + 1] or b"a")
            more = connection.recv(4096)
        except TimeoutError:
            continue
        except OSError:
            return said
        if not more:
            return said
        said += more
    return said


def heard(connection: socket.socket) -> bytes:
    """A whole answer of /healthz."""
    said = b""
    while not said.endswith(b"}"):
        more = connection.recv(4096)
        assert more, said
        said += more
    return said


HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


def test_slow_headers_end_after_seconds(here: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "HEADERS", 1.0)
    with serving_at(here()) as port:
        with socket.create_connection(("127.0.0.1", port)) as slow:
            said = dribble(slow, HEAD + b"X-Long: ")
            assert said.startswith(b"HTTP/1.1 408 ")
            assert b"did not arrive in time" in said
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as silent:
            assert silent.recv(100) == b""  # who says nothing at all is told nothing
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as kept:
            kept.sendall(HEAD + b"\r\n")
            assert b"200 OK" in heard(kept)
            assert b"HTTP/1.1 408 " in dribble(kept, HEAD + b"X-Long: ")  # also the next request of a connection


@pytest.mark.parametrize(("proxies", "most"), [("10.0.0.1", 2), ("127.0.0.1", 5)])
def test_one_address_holds_some_connections_and_a_proxy_any_number(here: Make, proxies: str, most: int) -> None:
    with serving_at(here(proxies=proxies, connections_per_visitor=2)) as port:
        with ExitStack() as together:
            ones = [together.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE)) for _ in range(5)]
            assert [is_served(one) for one in ones] == [number < most for number in range(5)]
        eventually(lambda: is_another_served(port))


def is_another_served(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as one:
        return is_served(one)


def is_served(connection: socket.socket) -> bool:
    try:
        connection.sendall(HEAD + b"\r\n")
        said = connection.recv(4096)
    except OSError:  # it was closed before it could ask
        return False
    assert said.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 429 "))
    return said.startswith(b"HTTP/1.1 200 ")


def test_who_reads_between_two_requests_is_not_cut_off(here: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "HEADERS", 1.0)
    with serving_at(here()) as port, socket.create_connection(("127.0.0.1", port), PATIENCE) as person:
        for _ in range(2):
            person.sendall(HEAD + b"\r\n")
            assert b"200 OK" in heard(person)
            time.sleep(1.5)


def test_a_slow_answer_is_not_a_slow_request(here: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "HEADERS", 1.0)
    app = here()

    @app.get("/slow")
    def slow() -> str:
        time.sleep(1.5)
        return "at last"

    with serving_at(app) as port, socket.create_connection(("127.0.0.1", port), PATIENCE) as patient:
        patient.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        said = b""
        while more := patient.recv(4096):
            said += more
        assert b"at last" in said


def test_slow_bodies_end_after_seconds(here: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "HEADERS", 1.0)
    monkeypatch.setattr(safety, "SLOWEST", 1.0)
    kind = b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
    with serving_at(here()) as port:
        for head, status in (
            (b"POST /api/join HTTP/1.1\r\nHost: localhost\r\n", b"HTTP/1.1 408 "),
            (HEAD, b"HTTP/1.1 200 "),  # nobody reads this body, so nobody waits for it either
        ):
            with socket.create_connection(("127.0.0.1", port)) as slow:
                slow.sendall(head + kind)
                assert dribble(slow, b"").startswith(status)


# --- figures for this machine alone -----------------------------------------------------------------------------------

TOKEN = "0123456789abcdef-metrics"


def test_metrics_are_for_this_machine(here: Make) -> None:
    app = here()
    for address, status in (
        ("127.0.0.1", 200),
        ("::1", 200),
        ("::ffff:127.0.0.1", 200),
        ("192.0.2.7", 403),
        ("10.0.0.7", 403),
    ):
        told = Browser(app, address).get("/metrics", Host="localhost:8350")
        assert told.status_code == status, address
        assert ("flagplot_requests" in told.text) == (status == 200)


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "127.0.0.1"},
        {"X-Forwarded-For": "203.0.113.7"},
        {"Forwarded": "for=203.0.113.7"},
        {"X-Real-IP": "203.0.113.7"},
        {"Via": "1.1 proxy"},
        {"Host": "table.example"},
    ],
)
def test_a_proxy_on_this_machine_is_not_this_machine(here: Make, headers: dict[str, str]) -> None:
    browser = Browser(here(address="https://table.example", proxies="127.0.0.1"), "127.0.0.1")
    assert browser.get("/metrics", **{"Host": "localhost", **headers}).status_code == 403


def test_a_stranger_cannot_say_that_he_is_this_machine(here: Make) -> None:
    assert (
        Browser(here(proxies="*"), "192.0.2.7").get("/metrics", **{"X-Forwarded-For": "127.0.0.1"}).status_code == 403
    )


def test_metrics_by_the_token(here: Make) -> None:
    browser = Browser(here(metrics_token=TOKEN), "192.0.2.7")
    assert browser.get("/metrics", Authorization=f"Bearer {TOKEN}").status_code == 200
    for wrong in ({}, {"Authorization": f"Bearer {TOKEN}x"}, {"Authorization": TOKEN}, {"Authorization": "Bearer "}):
        refused = browser.get("/metrics", **wrong)
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == "Bearer"
        assert "flagplot_requests" not in refused.text
    assert Browser(here(), "192.0.2.7").get("/metrics", Authorization="Bearer ").status_code == 403


def test_the_token_of_metrics_is_long_and_nowhere_shown() -> None:
    assert TOKEN not in repr(Settings(metrics_token=TOKEN))
    with pytest.raises(BadValue, match="at least 16") as refused:
        Settings.from_environment({"FLAGPLOT_METRICS_TOKEN": "swordfish"})
    assert "swordfish" not in str(refused.value)


def test_limits_go_by_whom_a_trusted_proxy_speaks_for(here: Make) -> None:
    app = here(proxies="127.0.0.1")
    seen: list[str] = []

    @app.get("/who")
    def who(request: Request) -> None:
        assert request.client
        seen.append(request.client.host)

    for peer in ("127.0.0.1", "::ffff:127.0.0.1", "192.0.2.7"):
        Browser(app, peer).get("/who", **{"X-Forwarded-For": "198.51.100.9"})
    assert seen == ["198.51.100.9", "198.51.100.9", "192.0.2.7"]
