"""How the server is watched: /healthz, /metrics for Prometheus, and a log of one JSON object a line.

Nothing that is written or counted holds a secret: a request is named by the template of its path (``/table/{game}``),
never by the path itself, its query or its headers, and a fault by its kind and place, never by its message.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from hmac import compare_digest
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import flagplot
from flagplot.table.guard.peers import is_local
from flagplot.table.settings import Settings

LOG = logging.getLogger("flagplot.table")
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
UNMATCHED = "(no such page)"
NEEDS_TOKEN = {"WWW-Authenticate": "Bearer"}
router = APIRouter()


class Meters:
    """What is counted, for one application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "flagplot_requests", "Requests answered.", ["method", "route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "flagplot_request_seconds", "How long requests took.", ["route"], buckets=BUCKETS, registry=self.registry
        )
        self.open = Gauge(
            "flagplot_requests_open", "Requests being answered, streams among them.", registry=self.registry
        )
        self.faults = Counter("flagplot_faults", "Requests that met a fault of the program.", registry=self.registry)
        self.tables = Gauge("flagplot_tables", "Tables, games in memory and streams.", ["what"], registry=self.registry)
        self.odds = Histogram(
            "flagplot_odds_seconds",
            "How long questions of odds took.",
            ["kind", "end"],
            buckets=BUCKETS,
            registry=self.registry,
        )


class Observing:
    """Counts, times and logs every request; sits inside `Safety`, around everything else."""

    def __init__(
        self,
        app: ASGIApp,
        meters: Meters,
        apology: Callable[[Scope, str], ASGIApp],
        parting: Callable[[Scope], ASGIApp],
        log: bool = True,
    ) -> None:
        """`apology` is said when the program is at fault, `parting` when the server stops before it is done."""
        self.app, self.meters, self.apology, self.parting, self.log = app, meters, apology, parting, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status = time.monotonic(), 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        with self.meters.open.track_inprogress():
            try:
                await self.app(scope, receive, sent)
            except Exception as fault:  # whatever it is, the reader gets a page and the log its place
                self.meters.faults.inc()
                mark = log_fault(scope, fault)
                if status:
                    raise
                await self.apology(scope, mark)(scope, receive, sent)
            except asyncio.CancelledError:  # the server stops, and waits no longer
                if status:
                    raise
                await self.parting(scope)(scope, receive, sent)
            finally:
                seconds = time.monotonic() - start
                route = route_of(scope)
                self.meters.requests.labels(_method(scope), route, status or 499).inc()
                self.meters.seconds.labels(route).observe(seconds)
                if self.log:
                    LOG.info(
                        "request",
                        extra={
                            "told": {
                                "method": _method(scope),
                                "route": route,
                                "status": status or 499,
                                "ms": round(seconds * 1000, 1),
                            }
                        },
                    )


def route_of(scope: Scope) -> str:
    """The template of the path that was asked for; a path that nobody has is not written down."""
    if scope["path"].startswith("/static/"):
        return "/static"
    return str(getattr(scope.get("route"), "path", "") or UNMATCHED)


def _method(scope: Scope) -> str:
    """One of the methods that there are: others would make new counters."""
    return (
        scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS") else "OTHER"
    )


def log_fault(scope: Scope, fault: BaseException) -> str:
    """Write down a fault of the program: its kind and where it happened; the mark by which it can be found."""
    mark = f"{time.time_ns() & 0xFFFFFFFF:08x}"
    frames = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(fault.__traceback__)]
    told = {"mark": mark, "route": route_of(scope), "fault": type(fault).__name__, "at": frames[-12:]}
    LOG.error("fault", extra={"told": told})
    return mark


# --- what can be asked --------------------------------------------------------------------------------------------


@router.get("/healthz", include_in_schema=False)
def healthz(request: Request) -> JSONResponse:
    """Whether the server answers and its store can be written."""
    tables = request.app.state.tables
    check = getattr(tables, "trouble", None)
    try:
        trouble = check() if check is not None else ""
    except Exception as fault:  # whatever is wrong with the store is the answer here
        log_fault(request.scope, fault)
        trouble = "the store cannot be read"
    return JSONResponse({"status": trouble or "ok", "version": flagplot.__version__}, 503 if trouble else 200)


@router.get("/metrics", include_in_schema=False)
def metrics(request: Request) -> Response:
    """Counters for Prometheus, for programs on this machine and those that have the token."""
    settings: Settings = request.app.state.settings
    if not settings.metrics:
        return PlainTextResponse("metrics are switched off", 404)
    if not is_local(request.scope) and not _has_token(request, settings.metrics_token):
        words = "The figures of this server are for programs on its own machine, or with the token that its owner set."
        return PlainTextResponse(words, 401 if settings.metrics_token else 403, NEEDS_TOKEN)
    meters: Meters = request.app.state.meters
    figures = getattr(request.app.state.tables, "figures", None)
    for what, number in (figures() if figures else {}).items():
        meters.tables.labels(what).set(number)
    return Response(generate_latest(meters.registry), media_type=CONTENT_TYPE_LATEST)


def _has_token(request: Request, token: str) -> bool:
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    return bool(token) and kind.casefold() == "bearer" and compare_digest(given.strip().encode(), token.encode())


# --- the log ------------------------------------------------------------------------------------------------------


class JsonLines(logging.Formatter):
    """A log record as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "told", {}),
        }
        if record.exc_info and record.exc_info[0]:
            told["fault"] = record.exc_info[0].__name__
            told["at"] = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(record.exc_info[2])][
                -12:
            ]
        return json.dumps(told, ensure_ascii=False)


def log_to_stderr() -> None:
    """Our log and that of the server as JSON lines; the server's own log of requests, which has addresses, is off."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("flagplot", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = ([handler] if name != "uvicorn.error" else []), name == "uvicorn.error"
        logger.setLevel(logging.INFO if name == "flagplot" else logging.WARNING)
    access = logging.getLogger("uvicorn.access")
    access.handlers, access.propagate, access.disabled = [], False, True
