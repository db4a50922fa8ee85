"""What keeps the table safe: headers, other sites, sizes, rates, faults, logs, and how the server stops."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from flagplot.kernel.errors import BadValue
from flagplot.table.guard.rates import RATES, Counter, Rate, kind_of
from flagplot.table.pages import STATIC
from flagplot.table.server.monitoring import JsonLines, log_to_stderr
from flagplot.table.server.serving import listen
from flagplot.table.settings import Settings
from tests.table.browsers import Browser, open_site, site, words

PAGES = [
    "/",
    "/help",
    "/odds",
    "/odds/fire",
    "/new",
    "/new/midway",
    "/join",
    "/tables",
    "/rules",
    "/rules/22.54A",
    "/nothing",
    "/healthz",
]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    with open_site(tmp_path_factory.mktemp("safety")) as made:

        @made.get("/broken")
        def broken() -> None:
            raise RuntimeError("the secret word is swordfish")

        yield made


@pytest.fixture
def browser(app: FastAPI) -> Browser:
    return Browser(app)


# --- headers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*PAGES, "/broken", "/static/site.css"])
def test_every_response_has_the_headers(browser: Browser, path: str) -> None:
    headers = browser.get(path).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    kept = path.startswith("/static")
    assert ("immutable" in headers["cache-control"]) if kept else headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", PAGES[:-1])
def test_pages_have_nothing_inline_and_nothing_from_elsewhere(browser: Browser, path: str) -> None:
    text = browser.get(path).text
    assert "<style" not in text
    assert not re.search(r"\sstyle=", text)
    assert not re.search(r"<script(?![^>]*\ssrc=\"/static/)", text)
    assert not re.search(r"<[^>]*\son[a-z]+=", text)
    assert "javascript:" not in text
    for address in re.findall(r'(?:src|href)="([^"]*)"', text):
        assert address.startswith(("/", "#", "mailto:?")), address


def test_what_others_wrote_is_what_it_was() -> None:
    told = (STATIC / "vendor" / "README.md").read_text(encoding="utf8")
    listed = re.findall(r"\| `([^`]+\.js)` \|.*\| `([0-9a-f]{64})` \|", told)
    assert {name for name, _ in listed} == {path.name for path in (STATIC / "vendor").glob("*.js")}
    for name, mark in listed:
        assert hashlib.sha256((STATIC / "vendor" / name).read_bytes()).hexdigest() == mark
    assert "Zero-Clause BSD" in (STATIC / "vendor" / "LICENSE-htmx.txt").read_text(encoding="utf8")


def test_no_file_outside_the_static_ones_can_be_read(browser: Browser) -> None:
    for path in ("/static/../tables.py", "/static/%2e%2e/tables.py", "/static/..%2ftables.py", "/static//etc/passwd"):
        assert browser.get(path).status_code in (404, 405)


# --- other sites --------------------------------------------------------------------------------------------------


def test_a_form_needs_the_token_of_its_browser(browser: Browser, app: FastAPI) -> None:
    assert browser.post("/new", {"scenario": "first-battle"}).status_code == 303
    bare = browser.client.post("/new", data={"scenario": "first-battle"})
    assert bare.status_code == 403
    assert "Load the page again" in words(bare)
    other = Browser(app)
    stolen = browser.client.post("/new", data={"scenario": "first-battle", "form_token": other.token})
    assert stolen.status_code == 403
    assert browser.client.post("/join", content=b"").status_code == 403
    with_header = browser.client.post("/join/look", data={"token": "x"}, headers={"X-Form-Token": browser.token})
    assert with_header.status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://testserver.elsewhere.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_what_another_site_sends_is_refused(browser: Browser, headers: dict[str, str]) -> None:
    data = {"scenario": "first-battle", "form_token": browser.token}
    refused = browser.client.post("/new", data=data, headers=headers)
    assert refused.status_code == 403
    assert "another site" in words(refused)
    assert "Set-Cookie" not in refused.headers


def test_our_own_pages_may_send(browser: Browser, tmp_path: Path) -> None:
    data = {"scenario": "first-battle", "form_token": browser.token}
    same = {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}
    assert browser.client.post("/new", data=data, headers=same).status_code == 303
    behind = Browser(site(tmp_path, address="https://table.example"))
    named = {"Origin": "https://table.example"}
    data["form_token"] = behind.token
    assert behind.client.post("/new", data=data, headers=named).status_code == 303


def test_cookies_are_strict(app: FastAPI) -> None:
    for base, secure in (("http://testserver", False), ("https://testserver", True)):
        client = TestClient(app, base_url=base, follow_redirects=False)
        token = re.search('form-token" content="([0-9a-f]+)"', client.get("/join").text)
        assert token
        made = client.post("/new", data={"scenario": "first-battle", "form_token": token[1]})
        cookies = made.headers.get_list("set-cookie")
        assert {cookie.split("-")[0] for cookie in cookies} == {"seat", "host"}
        assert ("strict-transport-security" in made.headers) == secure
        for cookie in cookies:
            assert "HttpOnly" in cookie
            assert "SameSite=Strict" in cookie
            assert ("Secure" in cookie) == secure


# --- sizes and rates ----------------------------------------------------------------------------------------------


def test_what_is_too_large_is_not_read(browser: Browser) -> None:
    large = {"file": ("x.toml", b"#" * 400_000, "text/plain")}
    refused = browser.client.post("/new/file", data={"form_token": browser.token}, files=large)
    assert refused.status_code == 413
    assert "At most 320 KB" in words(refused)
    read = 0

    def endless() -> Iterator[bytes]:
        nonlocal read
        for _ in range(1000):
            read += 10_000
            yield b"x" * 10_000

    refused = browser.client.post("/join", content=endless(), headers={"Content-Type": "text/plain"})
    assert refused.status_code == 413


def test_joining_and_posting_is_limited(tmp_path: Path) -> None:
    now = [0.0]
    counter = Counter({**RATES, "join": Rate(3, 6)}, clock=lambda: now[0])
    browser = Browser(site(tmp_path, counter=counter))
    for _ in range(3):
        assert browser.post("/join/look", {"token": "x" * 43}).status_code == 404
    refused = browser.post("/join/look", {"token": "x" * 43})
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "10"
    assert "Try again in 10 seconds" in words(refused)
    assert browser.get("/join").status_code == 200
    now[0] = 10.5
    assert browser.post("/join/look", {"token": "x" * 43}).status_code == 404
    assert browser.post("/join/look", {"token": "x" * 43}).status_code == 429


def test_each_address_has_a_rate_of_its_own_and_few_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flagplot.table.guard.rates.REMEMBERED", 5)
    counter = Counter({"join": Rate(1, 60)}, clock=lambda: 0.0)
    assert counter.wait("join", "a") == 0
    assert counter.wait("join", "a") == pytest.approx(1)
    assert counter.wait("join", "b") == 0
    for number in range(20):
        counter.wait("join", str(number))
    assert len(counter._left) == 5


def test_what_counts_for_which_rate() -> None:
    assert kind_of("GET", "/table/gabc") == ""
    assert kind_of("GET", "/odds/strike/answer") == "odds"
    assert kind_of("POST", "/join") == kind_of("POST", "/join/look") == "join"
    assert kind_of("POST", "/new") == "make"
    assert kind_of("POST", "/table/gabc/answer") == "post"


# --- faults, health, logs -------------------------------------------------------------------------------------------


def test_a_fault_of_the_program_is_a_page_and_tells_nothing(browser: Browser, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "flagplot.table"):
        page = browser.get("/broken?secret=swordfish")
    assert page.status_code == 500
    assert "A fault of the program, not yours" in words(page)
    mark = re.search(r"log: ([0-9a-f]{8})", words(page))
    assert mark
    written = "\n".join(JsonLines().format(record) for record in caplog.records)
    assert mark[1] in written
    assert "RuntimeError" in written
    assert "test_table_safety.py" in written
    assert "swordfish" not in page.text + written


def test_health_and_metrics(browser: Browser, app: FastAPI, tmp_path: Path) -> None:
    assert browser.get("/healthz").json()["status"] == "ok"
    browser.get("/rules/22.54A")
    browser.get("/no/such/page")
    told = Browser(app, "127.0.0.1").get("/metrics").text
    assert 'flagplot_requests_total{method="GET",route="/rules/{number}",status="200"}' in told
    assert 'route="(no such page)",status="404"' in told
    assert "flagplot_tables{" in told
    assert "22.54A" not in told
    assert Browser(site(tmp_path, metrics=False), "127.0.0.1").get("/metrics").status_code == 404


def test_a_store_that_is_gone_is_no_health(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = site(tmp_path)

    def gone(_: float) -> None:
        raise OSError("disk gone")

    monkeypatch.setattr(made.state.tables.store, "probe", gone)
    assert Browser(made).get("/healthz").status_code == 503


def test_the_log_has_no_secret(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    made = site(tmp_path, log_requests=True)
    browser = Browser(made)
    with caplog.at_level(logging.INFO, "flagplot.table"):
        browser.post("/new", {"scenario": "first-battle", "seat.allies": "friend", "name": "Nimitz"})
        game = next(name.partition("-")[2] for name in browser.cookies if name.startswith("seat-"))
        browser.get(f"/table/{game}/seats?token=secretquery")
        browser.get("/odds/fire?target=Hood&ships=Bismarck")
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records]
    assert {line["route"] for line in lines} >= {"/new", "/table/{game}/seats", "/odds/{kind}"}
    written = json.dumps(lines)
    secrets = [*browser.cookies.values(), game, "secretquery", "Bismarck", "Nimitz", browser.token]
    assert not [secret for secret in secrets if secret in written]
    assert all({"time", "level", "event", "ms"} <= set(line) for line in lines)


def test_the_log_goes_out_as_json_and_that_of_the_server_has_no_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    names = ("flagplot", "uvicorn", "uvicorn.error", "uvicorn.access")
    before = {name: (logging.getLogger(name).handlers, logging.getLogger(name).propagate) for name in names}
    try:
        log_to_stderr()
        logging.getLogger("uvicorn.access").info("GET /join?token=1")
        logging.getLogger("uvicorn.error").warning("something")
        logging.getLogger("flagplot.table").info("hello", extra={"told": {"route": "/"}})
    finally:
        for name, (handlers, propagate) in before.items():
            logger = logging.getLogger(name)
            logger.handlers, logger.propagate, logger.disabled = handlers, propagate, False
            logger.setLevel(logging.NOTSET)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["event"] for line in lines] == ["something", "hello"]


# --- settings and the process -----------------------------------------------------------------------------------------


def test_settings_come_from_the_environment_and_from_the_command() -> None:
    found = Settings.from_environment(
        {"FLAGPLOT_PORT": "9000", "FLAGPLOT_RATE_LIMITS": "off", "FLAGPLOT_ADDRESS": "https://x.example/"}, port=9001
    )
    assert (found.port, found.rate_limits, found.url) == (9001, False, "https://x.example")
    assert Settings().url == "http://127.0.0.1:8350"
    assert Settings().on_loopback
    assert not Settings(host="0.0.0.0").on_loopback


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"FLAGPLOT_PORT": "many"}, "whole number"),
        ({"FLAGPLOT_PORT": "70000"}, "0 to 65535"),
        ({"FLAGPLOT_METRICS": "perhaps"}, "true or false"),
        ({"FLAGPLOT_ADDRESS": "table.example"}, "web site"),
    ],
)
def test_settings_that_cannot_be_are_refused(environment: dict[str, str], says: str) -> None:
    with pytest.raises(BadValue, match=says):
        Settings.from_environment(environment)


def test_a_port_that_is_taken_is_refused_with_the_remedy() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BadValue, match=r"another --port") as refused:
            listen("127.0.0.1", taken.getsockname()[1])
        assert str(taken.getsockname()[1]) in str(refused.value)


SERVE = """
import sys
from flagplot.table.server.app import create_app
from flagplot.table.server.serving import serve
from flagplot.table.settings import Settings
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
if __name__ == "__main__":
    chosen = Settings(port=0)
    tables = Tables(Store("sqlite:///" + sys.argv[1]))
    made = tables.create("first-battle")
    serve(create_app(tables, chosen), chosen, lambda url: print(url, made.public_id, flush=True))
"""


def stopped(folder: Path) -> float:
    """Start a server, open streams, stop it: the seconds that this takes."""
    root = Path(__file__).resolve().parents[3]
    command = [sys.executable, str(folder / "server.py"), str(folder / "tables.sqlite")]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as server:
        try:
            assert server.stdout
            assert server.stderr
            url, watch = server.stdout.readline().split()
            port = int(url.rpartition(":")[2])
            streams = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(3)]
            for stream in streams:
                stream.sendall(f"GET /watch/{watch}/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
                assert b"200 OK" in stream.recv(4096)
            start = time.monotonic()
            server.send_signal(signal.SIGTERM)
            assert server.wait(timeout=60) == 0  # how long it may take is said below
            took = time.monotonic() - start
            for stream in streams:
                stream.close()
            for line in server.stderr.read().splitlines():
                json.loads(line)
            return took
        finally:
            server.kill()


def test_the_server_stops_within_two_seconds_while_streams_are_open(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(SERVE, encoding="utf8")
    took = stopped(tmp_path)
    crowd = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))  # all take turns where the machine has much else to do
    assert took < 2 * crowd, (took, crowd)
