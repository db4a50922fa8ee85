"""Addresses: who counts as one visitor, and where webhooks may go."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from flagplot.table.guard import safety
from flagplot.table.guard.addresses import is_outside, visitor_network
from flagplot.table.guard.rates import Counter, Rate
from flagplot.table.guard.safety import Safety
from flagplot.table.refusals import NotAllowed
from flagplot.table.seats.outgoing import CallFailed, read_webhook, send_webhook
from flagplot.table.settings import Settings

# --- visitors -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_who_counts_as_one_visitor(address: str, counts_as: str) -> None:
    assert visitor_network(address) == counts_as


def asked(around: Safety, client: str, path: str, method: str = "POST") -> tuple[Any, list[Any]]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": method, "path": path, "headers": headers, "client": (client, 5)}
    return around(scope, receive, send), sent


def test_one_network_of_ipv6_has_one_rate() -> None:
    async def inner(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def statuses(*clients: str) -> list[int]:
        around = Safety(inner, Settings(), Counter({"join": Rate(2, 1)}, clock=lambda: 0.0))
        found = []
        for client in clients:
            deed, sent = asked(around, client, "/api/join")
            await deed
            found.append(sent[0]["status"])
        return found

    same = [f"2001:db8:0:1::{number:x}" for number in range(1, 4)]
    assert asyncio.run(statuses(*same, "2001:db8:0:2::1")) == [200, 200, 429, 200]
    assert asyncio.run(statuses("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2")) == [200, 200, 429, 200]


def test_one_network_of_ipv6_has_one_number_of_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety, "STREAMS", 2)

    async def run() -> list[int]:
        end = asyncio.Event()

        async def inner(scope: Any, receive: Any, send: Any) -> None:
            await end.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})

        around = Safety(inner, Settings())
        opened = [asked(around, f"2001:db8::{n}", "/api/watch/x/events", "GET") for n in (1, 2, 3)]
        tasks = [asyncio.ensure_future(deed) for deed, _ in opened]
        await asyncio.sleep(0.05)
        end.set()
        await asyncio.gather(*tasks)
        return [sent[0]["status"] for _, sent in opened]

    assert asyncio.run(run()) == [200, 200, 429]


# --- where webhooks may go ----------------------------------------------------------------------------------------

INSIDE = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.8",
    "192.0.0.170",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::10.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:0:10.0.0.1",
    "::ffff:0:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::a00:1",
    "64:ff9b:1:ffff::808:808",
    "100::1",
    "2001::1",
    "2001:0:7f00:1::",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:a00:1::1",
    "2002:7f00:1::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700::1%eth0",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
]
OUTSIDE = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "192.0.1.1",
    "2606:4700::1",
    "2a00:1450:4001::1",
    "2001:4860:4860::8888",
]


@pytest.mark.parametrize("address", INSIDE)
def test_addresses_of_our_own_and_special_networks_are_refused(address: str) -> None:
    assert not is_outside(address)
    shown = f"http://[{address}]/" if ":" in address else f"http://{address}/"
    if "%" not in address:
        with pytest.raises(NotAllowed):
            read_webhook(shown, private=False)


@pytest.mark.parametrize("address", OUTSIDE)
def test_addresses_that_anybody_can_reach_are_allowed(address: str) -> None:
    assert is_outside(address)


class Names:
    """Looks names up as told: each answer once, the last one for ever."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers, self.asked = list(answers), 0

    def __call__(self, host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        found = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        return [
            (socket.AF_INET6 if ":" in each else socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port))
            for each in found
        ]


class Wire:
    """Another end to which every connection is led, with what it was to be connected to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *broken: str) -> None:
        self.went: list[Any] = []
        self.hosts: list[str] = []
        self.status = 204
        wire, connect = self, socket.socket.connect

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                wire.hosts.append(self.headers["Host"])
                self.send_response(wire.status)
                self.send_header("Location", "http://127.0.0.1/elsewhere")
                self.end_headers()

            def log_message(self, *given: Any) -> None:
                """Quietly."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

        def led(made: socket.socket, address: Any) -> None:
            wire.went.append(address[0])
            if address[0] in broken:
                raise ConnectionRefusedError
            connect(made, wire.server.server_address)

        monkeypatch.setattr(socket.socket, "connect", led)

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[Wire]:
    made = Wire(monkeypatch, "8.8.4.4")
    yield made
    made.close()


def test_a_name_that_leads_elsewhere_the_second_time_is_not_asked_twice(
    monkeypatch: pytest.MonkeyPatch, wire: Wire
) -> None:
    names = Names(["93.184.216.34"], ["127.0.0.1"])
    monkeypatch.setattr(socket, "getaddrinfo", names)
    send_webhook("http://hooks.example:8080/x", {}, private=False)
    assert (names.asked, wire.went, wire.hosts) == (1, ["93.184.216.34"], ["hooks.example:8080"])


def test_every_address_of_a_name_must_be_outside(monkeypatch: pytest.MonkeyPatch, wire: Wire) -> None:
    for inside in ("127.0.0.1", "192.0.0.8", "64:ff9b:1::a00:1", "::ffff:0:a00:1"):
        monkeypatch.setattr(socket, "getaddrinfo", Names(["93.184.216.34", inside]))
        with pytest.raises(CallFailed, match="own network"):
            send_webhook("http://hooks.example/x", {}, private=False)
    assert wire.went == []


def test_the_next_address_of_a_name_is_tried(monkeypatch: pytest.MonkeyPatch, wire: Wire) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", Names(["8.8.4.4", "8.8.8.8"]))
    send_webhook("http://hooks.example/x", {}, private=False)
    assert wire.went == ["8.8.4.4", "8.8.8.8"]


def test_redirects_are_not_followed(monkeypatch: pytest.MonkeyPatch, wire: Wire) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", Names(["93.184.216.34"]))
    for wire.status in (301, 302, 307, 308):
        with pytest.raises(CallFailed, match=f"status {wire.status}"):
            send_webhook("http://hooks.example/x", {}, private=False)
    assert wire.went == ["93.184.216.34"] * 4


def test_the_other_end_must_prove_the_name_and_not_the_address(monkeypatch: pytest.MonkeyPatch, wire: Wire) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", Names(["93.184.216.34"]))
    proved: list[Any] = []

    def wrap(context: ssl.SSLContext, made: socket.socket, server_hostname: str, **_: Any) -> Any:
        proved.append((server_hostname, context.check_hostname, context.verify_mode))
        raise ssl.SSLError

    monkeypatch.setattr(ssl.SSLContext, "wrap_socket", wrap)
    with pytest.raises(CallFailed, match="cannot be reached"):
        send_webhook("https://hooks.example/x", {}, private=False)
    assert proved == [("hooks.example", True, ssl.CERT_REQUIRED)]
