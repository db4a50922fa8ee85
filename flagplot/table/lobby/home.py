"""The first page: play at once, tables that wait, odds, and all battles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from flagplot.table.lobby.battles import cards, cards_of_help, example, first_card
from flagplot.table.pages import page
from flagplot.table.visitors import cookies_of

if TYPE_CHECKING:
    from flagplot.table.lobby.my_tables import Mine

SHOWN = 4
"""Tables on the first page; all of them are under My tables."""
SEATS = ("seat-", "host-")
"""How the names of cookies begin that open a seat, or a table to its host."""
router = APIRouter(include_in_schema=False)


@router.get("/")
def home(request: Request) -> Response:
    """One button plays. An address with a question of odds is one of those that were shared before."""
    if request.url.query:
        return RedirectResponse(f"/odds/strike?{request.url.query}", 303)
    mine, number = _mine(request)
    return page(request, "home.html", mine=mine, number=number, shelves=cards(), first=first_card(), example=example())


def _mine(request: Request) -> tuple[list[Mine], int]:
    """Some tables of this browser, and how many there are. Who has no seat anywhere does not wait for the games."""
    if not any([name.startswith(SEATS) for name in cookies_of(request.scope)]):
        return [], 0
    if request.app.state.tables is None:
        request.app.state.furnish()
    from flagplot.table.lobby.my_tables import my_tables

    mine, _, number = my_tables(request, SHOWN)
    return mine, number


@router.get("/help")
def help_page(request: Request) -> Response:
    """How to play, what is on a counter, and the keys."""
    documented = request.app.state.settings.documentation_folder is not None
    return page(request, "help.html", tokens=cards_of_help(), documented=documented)
