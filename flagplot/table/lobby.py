"""Joining a table, and the tables that this browser sits at.

- `/join`: the page of a link. The secret stands behind the `#`, so no log and no other site ever sees it; the page's
  script posts it.
- `/tables`: the tables that this browser sits at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from flagplot.table.info import Seat, Table
from flagplot.table.pages import page
from flagplot.table.reader import tables_of
from flagplot.table.refusals import NoSuchSeat
from flagplot.table.seat_cookies import GAME, TOKEN, forget_token, keep_token, sentence_of
from flagplot.table.seat_pages import opened_by, side_names
from flagplot.table.visitors import cookies_of

MOST_TABLES = 100
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
            own = tables.replace_link(own, seat.sides[0])
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


@dataclass(frozen=True, slots=True)
class Mine:
    """A table that this browser sits at, or made."""

    table: Table
    seat: Seat | None
    names: Mapping[str, str]

    @property
    def my_turn(self) -> bool:
        return bool(self.seat and self.table.waiting_for in self.seat.sides)

    @property
    def state(self) -> str:
        """Whose turn it is, in words."""
        if self.table.finished:
            return "over"
        if self.table.readonly:
            return "of older rules"
        if self.my_turn:
            return "your turn"
        asked = self.table.waiting_for
        return f"waiting for {self.names.get(asked, asked)}" if asked else "going on"


@router.get("/tables")
def my_tables(request: Request) -> Response:
    """The tables of this browser, those first where it is its turn."""
    tables = tables_of(request)
    found, gone = dict[str, Mine](), list[str]()
    for name, token in sorted(cookies_of(request.scope).items(), reverse=True)[: 2 * MOST_TABLES]:
        kind, _, game = name.partition("-")
        if kind not in ("seat", "host") or not GAME.fullmatch(game) or game in found:
            continue
        seat = opened_by(tables, token, game)
        if seat is None:
            gone += [game] * (kind == "seat")
            continue
        table = tables.table(game)
        found[game] = Mine(table, seat if seat.sides else None, side_names(tables, table))
    ordered = sorted(found.values(), key=lambda one: (not one.my_turn, one.table.finished, -one.table.created))
    lost = [game for game in gone if game not in found]
    response = page(request, "tables.html", mine=ordered, gone=lost)
    for game in lost:  # it is told once
        forget_token(request, response, f"seat-{game}")
    return response
