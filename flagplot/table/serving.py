"""The server process: uvicorn, which says when it listens and stops within two seconds even while streams are open."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from fastapi import FastAPI

from flagplot.kernel.errors import BadValue
from flagplot.table.observing import log_to_stderr
from flagplot.table.settings import Settings

GRACE = 1
"""Seconds that requests have to come to their end when the server stops."""


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
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=True,
        proxy_headers=True,
        forwarded_allow_ips=settings.proxies,
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=15,
        h11_max_incomplete_event_size=64 * 1024,
        ws="none",
        lifespan="on",
    )
    server = Server(config, app, (lambda: ready(url)) if ready else None)
    with _ending_well():
        server.run(sockets=[listening])


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
