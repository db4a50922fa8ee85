"""The server process: uvicorn, which says when it listens, stops within two seconds even while streams are open, and
waits for nobody who sends his request a letter at a time."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from types import FrameType
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from flagplot.kernel.errors import BadValue
from flagplot.table.guard.connections import Connections
from flagplot.table.server.monitoring import log_to_stderr
from flagplot.table.settings import Settings

GRACE = 1
"""Seconds that requests have to come to their end when the server stops."""
YOUNG = 20_000
"""Objects that are made before the youngest are searched for cycles."""
COLLECTED, ALL_COLLECTED = 2.0, 1800
"""Seconds between searches for cycles among new objects, and how many of them until all objects are searched."""
HEADERS = 10.0
"""Seconds within which all headers of a request must be there."""
TOO_SLOW = (
    b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
    b"The request did not arrive in time. Send it again.\n"
)
TOO_MANY = (
    b"HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nRetry-After: 15\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
    b"Too many connections are open from your address. Close some pages, then try again.\n"
)


class Connection(H11Protocol):
    """A connection that is closed if its other end takes its time.

    From the first moment, and again from the first byte after an answer, there are some seconds for all headers of a
    request, however they dribble in. For bodies see `safety`; what is left of a body that nobody reads has the same
    seconds."""

    _late: asyncio.TimerHandle | None = None
    _counted: str | None = None

    def __init__(self, *given: Any, open_ones: Connections, **named: Any) -> None:
        super().__init__(*given, **named)
        self._open_ones = open_ones

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._counted = self._open_ones.begin(self.client[0] if self.client else "")
        if self._counted is None:
            transport.write(TOO_MANY)
            transport.close()
        else:
            self._expect()

    def data_received(self, data: bytes) -> None:
        if self._late is None and self._waits:
            self._expect()
        super().data_received(data)
        if self._late is not None and not self._waits:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY and self._late is None and not self.transport.is_closing():
            self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if self._counted is not None:
            self._open_ones.end(self._counted)
        super().connection_lost(exc)

    @property
    def _waits(self) -> bool:
        """Whether the other end has to send more before anything can be answered."""
        cycle: RequestResponseCycle | None = self.cycle  # there is none before the first request
        return (cycle is None or cycle.response_complete) and self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _expect(self) -> None:
        self._late = self.loop.call_later(HEADERS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _give_up(self) -> None:
        """Say so if that is still possible, and close."""
        self._late = None
        if not self._waits or self.transport.is_closing():
            return
        if self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
            self.transport.write(TOO_SLOW)
        self.transport.close()


class Server(uvicorn.Server):
    """A server that tells open streams first that it stops."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, ready: Callable[[], None] | None = None) -> None:
        super().__init__(config)
        self.application, self.ready = app, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self.ready:
            self.ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.application.state.closing.set()
        stop = getattr(self.application.state.tables, "stop_streams", None)
        if stop is not None:
            stop()
        super().handle_exit(sig, frame)


def serve(app: FastAPI, settings: Settings, ready: Callable[[str], None] | None = None) -> None:
    """Serve until SIGINT or SIGTERM. `ready` is told the address once connections are taken."""
    log_to_stderr()
    listening = listen(settings.host, settings.port)
    port = listening.getsockname()[1]
    url = settings.address or Settings(host=settings.host, port=port).url
    with _ending_well(), _rare_collections():
        server_for(app, (lambda: ready(url)) if ready else None).run(sockets=[listening])


def server_for(app: FastAPI, ready: Callable[[], None] | None = None) -> Server:
    """The server of an application, not yet running."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=True,
        proxy_headers=False,  # see `peers`
        http=partial(Connection, open_ones=Connections(app.state.settings)),  # type: ignore[arg-type]
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=15,
        h11_max_incomplete_event_size=64 * 1024,
        ws="none",
        lifespan="on",
    )
    return Server(config, app, ready)


@contextmanager
def _ending_well() -> Iterator[None]:
    """Uvicorn repeats a signal when it has stopped, and the program would end by it; it is to end as if all is done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {one: signal.signal(one, lambda *_: None) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Python's search for cycles of objects stops everything while it goes through all objects that live long: with a
    thousand games in memory that is most of a second, again and again. Here it goes through the new ones now and then,
    and through all of them once in a while."""
    usual, done = gc.get_threshold(), threading.Event()

    def collect() -> None:
        for number in count(1):
            if done.wait(COLLECTED):
                return
            if number % ALL_COLLECTED == 0:
                gc.unfreeze()
            gc.collect()
            gc.freeze()

    gc.set_threshold(YOUNG, usual[1], 1_000_000)
    gc.freeze()
    thread = threading.Thread(target=collect, name="flagplot-collector", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        gc.unfreeze()
        gc.set_threshold(*usual)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens, or a refusal that says why not."""
    made = None
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(2048)
    except OSError as fault:
        if made is not None:
            made.close()
        remedy = ["another --port or --host"]
        reason = fault.strerror or str(fault)
        raise BadValue(f"the server cannot listen there ({reason})", given=f"{host}:{port}", allowed=remedy) from fault
    made.set_inheritable(False)
    return made
