"""A server of the web table as a process of its own, and as much of a client as the measurements need."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import html
import json
import os
import re
import secrets
import select
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
QUIET = {"FLAGPLOT_RATE_LIMITS": "false", "FLAGPLOT_LOG_REQUESTS": "false"}
ADDRESS = re.compile(r"http://[\w.\[\]:]+")
PATIENCE = 60.0


class Server:
    """`flagplot serve` as a process."""

    def __init__(self, *arguments: str, port: int = 0) -> None:
        self.process = self._begin(["serve", "--port", str(port), *arguments])
        self.address = self._address()
        parts = urlsplit(self.address)
        self.host, self.port = parts.hostname or "", parts.port or 0

    def _begin(self, arguments: list[str]) -> Any:
        """A process, as `subprocess` gives it."""
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "flagplot", *arguments],
            env={**os.environ, **QUIET, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )

    def _address(self) -> str:
        assert self.process.stdout is not None
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if select.select([self.process.stdout], [], [], 1)[0]:
                line = self.process.stdout.readline().decode()
                found = ADDRESS.search(line)
                if found:
                    return found[0]
            if self.process.poll() is not None:
                raise SystemExit(f"the server did not start (exit code {self.process.returncode})")
        raise SystemExit("the server did not say its address in time")

    def memory(self) -> float:
        """What it holds in memory, in megabytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else 0.0

    def processor(self) -> float:
        """Seconds of processor time that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """As the power would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._close()

    def stop(self) -> float:
        """As its owner would; how many seconds it took."""
        begun = time.perf_counter()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._close()
        return time.perf_counter() - begun

    def _close(self) -> None:
        if self.process.stdout is not None:
            self.process.stdout.close()


class Told(NamedTuple):
    """A response."""

    status: int
    body: Any


def reply(option: str, at: int) -> dict[str, Any]:
    """An answer as a client sends it, with a nonce of its own."""
    return {"option": option, "at": at, "nonce": secrets.token_hex(16)}


class Gone(Exception):
    """The server did not answer: it was killed."""


class Client:
    """One connection that is kept open; opened again if it broke."""

    def __init__(self, host: str, port: int, patience: float = PATIENCE) -> None:
        self.host, self.port, self.patience = host, port, patience
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def call(self, method: str, path: str, token: str = "", body: Any = None) -> Told:
        """Raises Gone if no whole response came."""
        request = self.request(method, path, token, body)
        try:
            return await asyncio.wait_for(self._exchange(request), self.patience)
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as fault:
            self.close()
            raise Gone from fault

    def request(self, method: str, path: str, token: str = "", body: Any = None) -> bytes:
        """All that is sent for a request."""
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nContent-Length: {len(data)}\r\n"
        head += "Content-Type: application/json\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        return head.encode() + b"\r\n" + data

    async def _exchange(self, request: bytes) -> Told:
        if self._streams is None:
            self._streams = await asyncio.open_connection(self.host, self.port)
        reader, writer = self._streams
        writer.write(request)
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status = int(head.split(" ", 2)[1])
        length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        body = await reader.readexactly(int(length[1])) if length else b""
        if re.search(r"connection: close", head, re.IGNORECASE):
            self.close()
        return Told(status, json.loads(body) if body and "json" in head else body)

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


@contextlib.asynccontextmanager
async def client(server: Server) -> AsyncIterator[Client]:
    made = Client(server.host, server.port)
    try:
        yield made
    finally:
        made.close()


class Page:
    """An open page of a seat: it follows its stream as a browser would, and knows what its side is asked."""

    def __init__(self, server: Server, game: str, side: str, token: str, *, pledges: bool = True) -> None:
        """With `pledges` it adds fresh bytes to each roll, as the script of a page does."""
        self.server, self.game, self.side, self.token, self.pledges = server, game, side, token, pledges
        self._secrets: dict[str, str] = {}
        """The bytes that it has pledged, by their pledges."""
        self._sending: asyncio.Task[None] | None = None
        self.asked: Asked | None = None
        self.over = False
        self.events = 0
        self.fault = ""
        self.expected: tuple[float, list[float]] | None = None
        """Since when news are expected, and where it is to be noted how long they took."""
        self._ready = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self._task = asyncio.create_task(self._follow())
        try:
            await asyncio.wait_for(self._ready.wait(), PATIENCE)
        except TimeoutError:
            self.fault = "a page got nothing"

    async def _follow(self) -> None:
        try:
            reader, writer = await asyncio.open_connection(self.server.host, self.server.port, limit=2**22)
            try:
                await self._read(reader, writer)
            finally:
                writer.close()
        except (OSError, asyncio.IncompleteReadError) as fault:
            self.fault = f"a page lost its stream ({type(fault).__name__})"
        self._ready.set()

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = f"GET /table/{self.game}/stream HTTP/1.1\r\nHost: {self.server.host}:{self.server.port}\r\n"
        head += f"Accept: text/event-stream\r\nCookie: seat-{self.game}={self.token}\r\n\r\n"
        writer.write(head.encode())
        start = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n", 1)[0]
        if b" 200 " not in start:
            self.fault = f"a page was refused: {start.decode()}"
            return
        while True:
            event = await reader.readuntil(b"\r\n\r\n")  # ends a chunk or an event: both come with what we look for
            if b"data:" in event:
                when = time.perf_counter()
                self.events += 1
                self._swap(event.decode())
                self._ready.set()
                if self.expected is not None and b"Rolling\xe2\x80\xa6" not in event:
                    begun, times = self.expected
                    times.append(when - begun)
                    self.expected = None

    def _swap(self, text: str) -> None:
        """Take over the part with the question, and that with the dice, if they are there."""
        if self.pledges and (dice := DICE.search(text)):
            self._add_bytes(dice[1], dice[2])
        found = QUESTION.search(text)
        if found is None:
            return
        part = found[0]
        at = AT.search(part)
        options = [html.unescape(option) for option in OPTION.findall(part)]
        self.asked = Asked(int(at[1]), options, 'id="plan"' in part) if at else None
        self.over = at is None and "/report" in part

    def _add_bytes(self, pledge: str, receipt: str) -> None:
        """Reveal the bytes that are wanted, or pledge some."""
        if receipt and pledge in self._secrets:
            self._sending = asyncio.create_task(
                self._send("reveal", {"reveal": self._secrets.pop(pledge), "receipt": receipt})
            )
        elif not pledge:
            self._sending = asyncio.create_task(self._send("pledge", {}))

    async def _send(self, what: str, body: dict[str, str]) -> None:
        drawn = secrets.token_hex(32)
        pledge = hashlib.sha256(bytes.fromhex(drawn)).hexdigest()
        self._secrets[pledge] = drawn
        path = f"/api/tables/{self.game}/sides/{self.side}/{what}"
        with contextlib.suppress(Gone):
            async with client(self.server) as one:
                await one.call("POST", path, self.token, {**body, "pledge": pledge})

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()


class Asked(NamedTuple):
    """A question as it stands on a page."""

    at: int
    options: list[str]
    plan: bool = False
    """Whether it is a plan, to be confirmed as a whole."""


QUESTION = re.compile(r"<hx-partial hx-target=\"#part-question\".*?</hx-partial>", re.DOTALL)
AT = re.compile(r'name="at" value="(\d+)"')
DICE = re.compile(r'data-pledge="([0-9a-f]*)" data-reveal="([0-9a-f]*)"')
OPTION = re.compile(r'name="option" value="([^"]*)"')
