"""The application with everything in it: all pages and the interface for programs, around the first page
(`flagplot.table.server.bare`).

`create_app(tables, settings)` makes it. `app.state` has `tables` (the service), `settings`, `meters` (what is counted),
`kinds` (what open pages share), `pages` (how many are open), `calculator` (the processes that answer questions of
odds), `courses` (how the chances of finished battles went), `forecasts` (odds of whole battles) and `closing`, an event
that is set when the server stops, so that streams end by themselves.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from flagplot.table.api import build as build_api
from flagplot.table.api import hints as hint_api
from flagplot.table.api import odds as odds_api
from flagplot.table.api import plans as plan_api
from flagplot.table.api import routes as api
from flagplot.table.battle import dice_script, orders_page, plan_routes
from flagplot.table.battle import extras as battle_extras
from flagplot.table.battle import page as battle_page
from flagplot.table.battle.rendering import Kinds
from flagplot.table.desk import build_pages, forecast_pages
from flagplot.table.desk import pages as desk
from flagplot.table.ending import campaign_pages, review_pages
from flagplot.table.ending import pages as ending_pages
from flagplot.table.ending.courses import Courses
from flagplot.table.ending.reviews import Reviews
from flagplot.table.guard.open_pages import OpenPages
from flagplot.table.guard.rates import Counter
from flagplot.table.help import briefing_page, explain_page, hint_pages, learning_pages, rule_pages
from flagplot.table.help import page as help_page
from flagplot.table.lobby import deletion_pages, new_table_pages, notify_pages, seat_pages, talk_pages
from flagplot.table.lobby import joining as lobby
from flagplot.table.server import monitoring
from flagplot.table.server.bare import bare_app
from flagplot.table.settings import Settings
from flagplot.table.workers.calculator import Calculator
from flagplot.table.workers.forecasts import Forecasts

if TYPE_CHECKING:
    from flagplot.table.tables import Tables

PARTS = (
    *(battle_page, dice_script, plan_routes, api, plan_api, odds_api, build_api, hint_api, hint_pages, battle_extras),
    *(orders_page, explain_page, help_page, learning_pages, briefing_page, ending_pages, campaign_pages, review_pages),
    *(talk_pages, forecast_pages, build_pages, desk, new_table_pages, lobby, seat_pages, deletion_pages, notify_pages),
    *(rule_pages, monitoring),
)
"""All modules with pages, and those of the interface for programs: each has a `router`."""
MOST_USED = {
    *[f"/table/{{game_id}}/{word}" for word in ("answer", "plan", "pledge", "reveal")],
    *[f"/api{api.SIDE}/{word}" for word in ("answers", "sheet", "pledge", "reveal")],
}
"""What browsers and programs ask for at each move: these are looked at before all others."""


def create_app(tables: Tables | Any, settings: Settings | None = None, *, counter: Counter | None = None) -> FastAPI:
    """The web application of a service of tables."""
    app = bare_app(settings or Settings(), _lifespan, counter)
    furnish(app, tables)
    return app


def furnish(app: FastAPI, tables: Tables | Any) -> None:
    """Put everything into the bare application that has to do with tables, games and odds."""
    chosen: Settings = app.state.settings
    app.state.kinds = Kinds()
    app.state.pages = OpenPages(chosen)
    app.state.calculator = Calculator(chosen.odds_workers, chosen.odds_seconds)
    app.state.courses = Courses(tables, chosen.course_seconds)
    app.state.reviews = Reviews(chosen.odds_seconds)
    app.state.forecasts = Forecasts(chosen.odds_workers, chosen.odds_seconds)
    app.state.tables = tables
    if chosen.documentation_folder:
        app.mount("/docs", StaticFiles(directory=chosen.documentation_folder, html=True), name="docs")
    # Not as routers within the application: it would search them twice for each request.
    routes = [route for part in PARTS for route in part.router.routes]
    app.router.routes[:0] = sorted(routes, key=lambda route: getattr(route, "path", "") not in MOST_USED)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    begin(app)
    yield
    end(app)


def begin(app: FastAPI) -> None:
    """The processes that answer questions of odds begin."""
    app.state.calculator.start()
    app.state.forecasts.start()


def end(app: FastAPI) -> None:
    """Everything comes to its end."""
    app.state.closing.set()
    app.state.calculator.close()
    app.state.courses.close()
    app.state.reviews.close()
    app.state.forecasts.close()
    close = getattr(app.state.tables, "close", None)
    if close is not None:
        close()
