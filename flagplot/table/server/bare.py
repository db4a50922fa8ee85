"""The bare application: the first page, the files that pages need, what stands around every request, and what is said
when something goes wrong. All else is put into it by `flagplot.table.server.app.furnish`; nothing here knows a game, so
that the first page is there soon after the server is started (`flagplot.table.server.opening`)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import Scope

import flagplot
from flagplot.kernel.dice import NONCE
from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.words import capital
from flagplot.table.guard.peers import Peers
from flagplot.table.guard.rates import Counter
from flagplot.table.guard.safety import Safety
from flagplot.table.lobby import home
from flagplot.table.pages import STATIC, page
from flagplot.table.server.monitoring import Meters, Observing
from flagplot.table.settings import Settings

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]

STATUS = {"not-yet": 403, "stale-answer": 409, "old-rules": 409, "busy": 503}
"""The status of a page that refuses, by code, where it is not the refusal's own; without either it is 422."""
WORDS = {
    404: (
        "There is no such page",
        "Perhaps the link is cut off, or the table is gone. The first page leads everywhere.",
    ),
    405: ("That cannot be done here", "This page can be looked at, but nothing can be sent to it."),
}


def bare_app(settings: Settings, lifespan: Lifespan, counter: Counter | None = None) -> FastAPI:
    """The application without tables."""
    app = FastAPI(
        title="Flagplot",
        version=flagplot.__version__,
        summary="Tables for naval and air battles, and exact odds.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    app.state.tables, app.state.settings = None, settings
    app.state.meters = Meters()
    app.state.closing = threading.Event()
    app.router.routes.extend(home.router.routes)
    app.mount("/static", Files(directory=STATIC), name="static")
    _handle(app)
    app.add_middleware(
        Observing, meters=app.state.meters, apology=_apology, parting=_parting, log=settings.log_requests
    )
    app.add_middleware(Safety, settings=settings, counter=counter)
    app.add_middleware(Peers, proxies=settings.proxies)
    return app


class Files(StaticFiles):
    """Our static files. Their addresses hold a mark of the content, so browsers need not ask again."""

    def file_response(self, *given: Any, **named: Any) -> Response:
        response = super().file_response(*given, **named)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


# --- what goes wrong ----------------------------------------------------------------------------------------------


def _handle(app: FastAPI) -> None:
    app.add_exception_handler(HTTPException, _no_page)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(FlagplotError, _refused)


def _told(request: Request, status: int, title: str, words: str, **more: Any) -> Response:
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": title, "message": words, **more}, status)
    template = "refusal.html" if request.headers.get("hx-request") else "problem.html"
    return page(request, template, status=status, title=title, words=words)


async def _no_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    usual = str(error.detail or "")
    title, words = WORDS.get(error.status_code, ("That cannot be done", ""))
    if error.status_code not in WORDS or usual not in ("Not Found", "Method Not Allowed"):
        words = usual or words
    response = _told(request, error.status_code, title, words)
    response.headers.update(error.headers or {})
    return response


async def _unreadable(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    places = dict.fromkeys([str(fault["loc"][-1]) for fault in error.errors() if fault.get("loc")])
    words = f"Something is missing or of the wrong kind: {', '.join(places) or 'the request'}."
    if "nonce" in places:
        words += f" {capital(NONCE)}."
    return _told(request, 422, "That cannot be read", words)


async def _refused(request: Request, error: Exception) -> Response:
    """A refusal of the engine or of the service."""
    assert isinstance(error, FlagplotError)
    status = STATUS.get(error.code, getattr(error, "status", 422))
    words = str(error)
    more = {key: value for key, value in error.as_dict().items() if key not in ("error", "message")}
    return _told(request, status, "That is not possible", capital(words), code=error.code, **more)


def _apology(scope: Scope, mark: str) -> Response:
    """What is said when the program itself is at fault."""
    words = f"A fault of the program, not yours. What was acknowledged before is kept. In the server's log: {mark}."
    return _told(Request(scope), 500, "Something went wrong here", words, mark=mark)


def _parting(scope: Scope) -> Response:
    """What is said to a request that the server could not finish before it had to stop."""
    words = "Try again in a moment. If you sent an answer, it may have been kept all the same: the table shows it then."
    response = _told(Request(scope), 503, "The server is being restarted", words)
    response.headers["Retry-After"] = "2"
    return response
