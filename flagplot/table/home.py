"""The first page: play at once, tables that wait, odds, and all battles."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from flagplot.table.battles import cards, cards_of_help, example, first_card
from flagplot.table.my_tables import my_tables
from flagplot.table.pages import page

SHOWN = 4
"""Tables on the first page; all of them are under My tables."""
router = APIRouter(include_in_schema=False)


@router.get("/")
def home(request: Request) -> Response:
    """One button plays. An address with a question of odds is one of those that were shared before."""
    if request.url.query:
        return RedirectResponse(f"/odds/strike?{request.url.query}", 303)
    mine, _, number = my_tables(request, SHOWN)
    return page(request, "home.html", mine=mine, number=number, shelves=cards(), first=first_card(), example=example())


@router.get("/help")
def help_page(request: Request) -> Response:
    """How to play, what is on a counter, and the keys."""
    documented = request.app.state.settings.documentation_folder is not None
    return page(request, "help.html", tokens=cards_of_help(), documented=documented)
