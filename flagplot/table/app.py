"""The application: all routers, what stands around them, and the files that pages need.

`create_app(tables, settings)` makes it. `app.state` has `tables` (the service), `settings`, `meters` (what is counted),
`kinds` (what open pages share), `pages` (how many are open), `calculator` (the processes that answer questions of
odds), `courses` (how the chances of finished battles went), `forecasts` (odds of whole battles) and `closing`, an event
that is set when the server stops, so that streams end by themselves.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import Scope

import flagplot
from flagplot.kernel.dice import NONCE
from flagplot.kernel.errors import FlagplotError
from flagplot.table import (
    api,
    battle_extras,
    battle_page,
    battles,
    briefing_page,
    build_api,
    build_pages,
    campaign_pages,
    desk,
    dice_script,
    ending_pages,
    explain_page,
    forecast_pages,
    help_page,
    hint_api,
    hint_pages,
    home,
    learning_pages,
    lobby,
    new_table_pages,
    odds_api,
    orders_page,
    plan_api,
    plan_routes,
    review_pages,
    seat_pages,
    talk_pages,
)
from flagplot.table import deletion_pages as keeping
from flagplot.table import monitoring as observing
from flagplot.table import notify_pages as calling
from flagplot.table import rule_pages as rulebook
from flagplot.table.calculator import Calculator
from flagplot.table.courses import Courses
from flagplot.table.forecasts import Forecasts
from flagplot.table.monitoring import Meters, Observing
from flagplot.table.open_pages import OpenPages
from flagplot.table.pages import STATIC, page
from flagplot.table.peers import Peers
from flagplot.table.rates import Counter
from flagplot.table.rendering import Kinds
from flagplot.table.reviews import Reviews
from flagplot.table.safety import Safety
from flagplot.table.settings import Settings

if TYPE_CHECKING:
    from flagplot.table.tables import Tables

PARTS = (
    *(
        battle_page,
        dice_script,
        plan_routes,
        api,
        plan_api,
        odds_api,
        build_api,
    ),
    *(hint_api, hint_pages),
    *(
        battle_extras,
        orders_page,
        explain_page,
        help_page,
        home,
        learning_pages,
        briefing_page,
        ending_pages,
        campaign_pages,
        review_pages,
        talk_pages,
    ),
    *(forecast_pages, build_pages, desk, new_table_pages, lobby, seat_pages, keeping, calling, rulebook, observing),
)
"""All modules with pages, and those of the interface for programs: each has a `router`."""
MOST_USED = {
    *[f"/table/{{game_id}}/{word}" for word in ("answer", "plan", "pledge", "reveal")],
    *[f"/api{api.SIDE}/{word}" for word in ("answers", "sheet", "pledge", "reveal")],
}
"""What browsers and programs ask for at each move: these are looked at before all others."""
STATUS = {
    "no-such-seat": 404,
    "no-such-table": 404,
    "not-allowed": 403,
    "not-yet": 403,
    "not-your-turn": 409,
    "conflict": 409,
    "stale-answer": 409,
    "old-rules": 409,
    "too-many": 429,
    "too-many-pages": 429,
    "busy": 503,
    "store": 503,
    "too-many-tables": 429,
    "no-room": 507,
}
"""The status of refusals by their code; others are 422."""
WORDS = {
    404: (
        "There is no such page",
        "Perhaps the link is cut off, or the table is gone. The first page leads everywhere.",
    ),
    405: ("That cannot be done here", "This page can be looked at, but nothing can be sent to it."),
}


def create_app(tables: Tables | Any, settings: Settings | None = None, *, counter: Counter | None = None) -> FastAPI:
    """The web application of a service of tables."""
    chosen = settings or Settings()
    app = FastAPI(
        title="Flagplot",
        version=flagplot.__version__,
        summary="Tables for naval and air battles, and exact odds.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=_lifespan,
    )
    app.state.tables, app.state.settings = tables, chosen
    app.state.meters = Meters()
    app.state.kinds = Kinds()
    app.state.pages = OpenPages(chosen)
    app.state.closing = threading.Event()
    app.state.calculator = Calculator(chosen.odds_workers, chosen.odds_seconds)
    app.state.courses = Courses(tables, chosen.course_seconds)
    app.state.reviews = Reviews(chosen.odds_seconds)
    app.state.forecasts = Forecasts(chosen.odds_workers, chosen.odds_seconds)
    for part in PARTS:  # not as routers within the application: it would search them twice for each request
        app.router.routes.extend(part.router.routes)
    app.router.routes.sort(key=lambda route: getattr(route, "path", "") not in MOST_USED)  # others stay as they are
    app.mount("/static", Files(directory=STATIC), name="static")
    if chosen.documentation_folder:
        app.mount("/docs", StaticFiles(directory=chosen.documentation_folder, html=True), name="docs")
    _handle(app)
    app.add_middleware(Observing, meters=app.state.meters, apology=_apology, parting=_parting, log=chosen.log_requests)
    app.add_middleware(Safety, settings=chosen, counter=counter)
    app.add_middleware(Peers, proxies=chosen.proxies)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.calculator.start()
    app.state.forecasts.start()
    battles.prepare()
    yield
    app.state.closing.set()
    app.state.calculator.close()
    app.state.courses.close()
    app.state.reviews.close()
    app.state.forecasts.close()
    close = getattr(app.state.tables, "close", None)
    if close is not None:
        close()


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
        words += f" {NONCE[:1].upper()}{NONCE[1:]}."
    return _told(request, 422, "That cannot be read", words)


async def _refused(request: Request, error: Exception) -> Response:
    """A refusal of the engine or of the service; its code says with which status."""
    assert isinstance(error, FlagplotError)
    status = STATUS.get(error.code, 422)
    words = str(error)
    more = {key: value for key, value in error.as_dict().items() if key not in ("error", "message")}
    return _told(request, status, "That is not possible", words[:1].upper() + words[1:], code=error.code, **more)


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
