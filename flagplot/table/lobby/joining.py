"""Joining a table, and the tables that this browser sits at.

- `/join`: the page of a link. The secret stands behind the `#`, so no log and no other site ever sees it; the page's
  script posts it.
- `/tables`: the tables that this browser sits at.
"""

from __future__ import annotations

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from flagplot.table.lobby.my_tables import my_tables
from flagplot.table.lobby.seat_pages import side_names
from flagplot.table.pages import page
from flagplot.table.reader import tables_of
from flagplot.table.refusals import NoSuchSeat
from flagplot.table.seats.cookies import TOKEN, forget_token, keep_token, sentence_of

router = APIRouter(include_in_schema=False)


# --- joining ------------------------------------------------------------------------------------------------------


@router.get("/join")
def invitation(request: Request) -> Response:
    """The page of a link: its script knows the rest."""
    return page(request, "join.html", problem="")


@router.post("/join/look")
def look_at_invitation(request: Request, token: str = Form("")) -> Response:
    """What a link opens, before somebody sits down."""
    tables = tables_of(request)
    seat = tables.seat(_token(token))
    table = tables.table(seat.game)
    return page(request, "invitation.html", seat=seat, table=table, names=side_names(tables, table))


@router.post("/join")
def join(request: Request, token: str = Form(""), name: str = Form(""), alone: str = Form("")) -> Response:
    """Sit down; if `alone`, by a new link, which whoever sent the invitation does not know. The page of the table then
    adds the browser's random bytes to the dice: not before it has seen what the server is committed to."""
    tables = tables_of(request)
    own = _token(token)
    try:
        seat = tables.seat(own)
        where = "seats" if not seat.sides else "" if seat.joined else "briefing"
        if seat.sides and alone:
            own = tables.handovers.replace_link(own, seat.sides[0])
        if seat.sides:
            seat = tables.join(own, name=name)
    except NoSuchSeat as error:
        return page(request, "join.html", status=404, problem=sentence_of(error))
    response = RedirectResponse(f"/table/{seat.game}/{where}".rstrip("/"), 303)
    keep_token(request, response, f"{'seat' if seat.sides else 'host'}-{seat.game}", own)
    return response


def _token(given: str) -> str:
    """The secret of a link, or of a whole address that somebody pasted."""
    own = given.strip().rpartition("#")[2]
    if not TOKEN.fullmatch(own):
        raise NoSuchSeat
    return own


# --- my tables ----------------------------------------------------------------------------------------------------


@router.get("/tables")
def tables_page(request: Request) -> Response:
    """The tables of this browser, those first where it is its turn."""
    mine, lost, _ = my_tables(request)
    response = page(request, "tables.html", mine=mine, gone=lost)
    for game in lost:  # it is told once
        forget_token(request, response, f"seat-{game}")
    return response
