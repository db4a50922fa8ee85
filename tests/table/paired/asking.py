"""Asking an application as a client on the network does, without a network: what comes back is all that it sends."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from starlette.types import ASGIApp, Message, Scope

HOST = "table.example"
"""The server as its players know it."""
FAR = ("198.51.100.7", 40_000)
"""Readers are somewhere on the net: what a server tells those on its own machine is no matter here."""
PATIENCE = 60.0
"""Seconds that an answer may take before it counts as broken."""
STREAMING = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Said:
    """One request."""

    method: str
    path: str
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.method} {self.path}" + (f" with {self.body.decode(errors='replace')}" if self.body else "")


@dataclass(frozen=True, slots=True)
class Told:
    """One response: all of its bytes, in the order in which they were sent."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def kind(self) -> str:
        return dict(self.headers).get("content-type", "")

    @property
    def text(self) -> str:
        """Status, headers and body as one text."""
        lines = [f"{self.status}", *[f"{name}: {value}" for name, value in self.headers], ""]
        return "\n".join(lines) + "\n" + self.body.decode(errors="backslashreplace")


def _scope(said: Said) -> Scope:
    parts = urlsplit(said.path)
    headers = [("host", HOST), *said.headers]
    if said.body:
        headers.append(("content-length", str(len(said.body))))
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": said.method,
        "scheme": "https",
        "path": unquote(parts.path),
        "raw_path": parts.path.encode(),
        "query_string": quote(parts.query, safe="=&?%:/,+").encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers],
        "client": FAR,
        "server": (HOST, 443),
        "state": {},
    }


@dataclass(slots=True)
class Line:
    """A connection: what was sent to it, and whether the client has hung up."""

    said: Said
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    pieces: list[bytes] = field(default_factory=list)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    _given: bool = False

    async def receive(self) -> Message:
        if not self._given:
            self._given = True
            return {"type": "http.request", "body": self.said.body, "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = tuple((name.decode(), value.decode()) for name, value in message["headers"])
            if self.is_stream and not self.said.path.partition("?")[0].endswith(("/stream", "/events")):
                self.gone.set()  # nobody follows it: it would never end
        elif message["type"] == "http.response.body" and message.get("body"):
            self.pieces.append(bytes(message["body"]))

    @property
    def is_stream(self) -> bool:
        return dict(self.headers).get("content-type", "").startswith(STREAMING)

    @property
    def told(self) -> Told:
        return Told(self.status, self.headers, b"".join(self.pieces))


async def ask(app: ASGIApp, said: Said) -> Told:
    """One request, to its end."""
    line = Line(said)
    async with asyncio.timeout(PATIENCE):
        await app(_scope(said), line.receive, line.send)
    return line.told


class Stream:
    """A stream that somebody follows. Each piece that is sent is kept apart: their number and sizes tell things too."""

    def __init__(self, app: ASGIApp, said: Said) -> None:
        self.said = said
        self.line = Line(said)
        self._task: asyncio.Task[Any] = asyncio.create_task(app(_scope(said), self.line.receive, self.line.send))  # type: ignore[arg-type]

    def taken(self) -> list[bytes]:
        """What came since it was last asked."""
        pieces = self.line.pieces[:]
        self.line.pieces.clear()
        return pieces

    async def close(self) -> None:
        self.line.gone.set()
        async with asyncio.timeout(PATIENCE):
            await self._task
