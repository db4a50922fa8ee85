"""Who sits where: the links to give away, replacing a link, handing a seat over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.ruleset import NEUTRAL
from flagplot.table.battle.page_words import deletion_told, moment_in_words
from flagplot.table.info import Messenger, Seat, Table
from flagplot.table.pages import page
from flagplot.table.reader import tables_of
from flagplot.table.refusals import NoSuchSeat, NotAllowed
from flagplot.table.seats.cookies import GAME, address_of, forget_token, keep_indexed, keep_token, links_of, local_links
from flagplot.table.visitors import cookies_of

if TYPE_CHECKING:
    from flagplot.table.tables import Tables

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Rights:
    """What this browser may do at a table."""

    table: Table
    seat: Seat | None
    token: str
    host: str
    """The host's token, if this browser has it."""

    @property
    def sides(self) -> tuple[str, ...]:
        return self.seat.sides if self.seat else ()


@dataclass(frozen=True, slots=True)
class Refused:
    """What somebody typed into the form of calls, and why it was not taken."""

    side: str
    webhook: str
    email: str
    words: str


def rights_of(request: Request, game: str) -> Rights:
    """What this browser may do at a table; NotAllowed if it has no seat there."""
    if not GAME.fullmatch(game):
        raise NoSuchSeat("there is no such table here")
    tables, known = tables_of(request), cookies_of(request.scope)
    seat, host = None, ""
    token = known.get(f"seat-{game}", "")
    if token:
        seat = opened_by(tables, token, game)
    if known.get(f"host-{game}") and opened_by(tables, known[f"host-{game}"], game):
        host = known[f"host-{game}"]
    if seat is None and not host:
        raise NotAllowed("this browser has no seat at that table: open the link that you were given")
    return Rights(tables.table(game), seat, token if seat else "", host)


def opened_by(tables: Tables, token: str, game: str) -> Seat | None:
    try:
        seat = tables.seat(token)
    except NoSuchSeat:
        return None
    return seat if seat.game == game else None


def side_names(tables: Tables, table: Table) -> dict[str, str]:
    """The sides of a table by their names for people."""
    try:
        return table.usual_names | tables.look(table.id, NEUTRAL).view.sides
    except FlagplotError:  # a table of older rules cannot be looked at
        return table.usual_names


@router.get("/table/{game}/seats")
def seats(request: Request, game: str) -> Response:
    """Who sits where, and the links."""
    return seats_page(request, rights_of(request, game), links_of(request, game))


def seats_page(
    request: Request, rights: Rights, links: Mapping[int, str], given_away: str = "", refused: Refused | None = None
) -> Response:
    base = address_of(request)
    table, tables = rights.table, tables_of(request)
    known = {side: f"{base}/join#{links[place]}" for place, side in enumerate(table.sides) if place in links}
    return page(
        request,
        "seats.html",
        status=422 if refused else 200,
        table=table,
        rights=rights,
        names=side_names(tables, table),
        calls=_calls(tables, rights),
        requests={} if table.readonly else {one.side: one for one in tables.handovers.requests(table.id)},
        absence_days=tables.handovers.days,
        moment_in_words=moment_in_words,
        has_mail=tables.calls.has_mail,
        refused=refused,
        links=known,
        own=f"{base}/join#{rights.token}" if rights.token else "",
        host=f"{base}/join#{rights.host}" if rights.host else "",
        watch=f"{base}/watch/{table.public_id}",
        local=local_links(request),
        given_away=given_away,
        deletion=deletion_told(tables.deletion(table.id), f"/table/{table.id}"),
    )


def _calls(tables: Tables, rights: Rights) -> dict[str, Messenger]:
    """How this browser's own sides want to be called; nobody is called when the game is over."""
    if rights.table.readonly or rights.table.finished:
        return {}
    return {side: tables.calls.messenger(rights.table.id, side) for side in rights.sides}


@router.post("/table/{game}/seats/replace")
def replace(request: Request, game: str, side: str = Form("")) -> Response:
    """A new link for a side; the old one is dead. Whoever replaces his own keeps his seat."""
    rights, tables = rights_of(request, game), tables_of(request)
    own = side in rights.sides
    fresh = tables.handovers.replace_link(rights.token if own else rights.host, side)
    response = RedirectResponse(f"/table/{game}/seats", 303)
    if own:
        tables.join(fresh, name=rights.seat.name if rights.seat else "")
        keep_token(request, response, f"seat-{game}", fresh)
    elif fresh:  # else he has to wait for an answer
        links = {**links_of(request, game), rights.table.sides.index(side): fresh}
        keep_indexed(request, response, game, links)
    return response


@router.post("/table/{game}/seats/leave")
def leave(request: Request, game: str, side: str = Form("")) -> Response:
    """Hand one's own seat over: a new link for somebody else, and this browser knows the seat no more."""
    rights = rights_of(request, game)
    if side not in rights.sides:
        raise NotAllowed("only who holds a seat can hand it over")
    fresh = tables_of(request).handovers.replace_link(rights.token, side, leave=True)
    rest = Rights(rights.table, None, "", rights.host)
    response = seats_page(request, rest, {}, given_away=f"{address_of(request)}/join#{fresh}")
    forget_token(request, response, f"seat-{game}")
    return response


@router.post("/table/{game}/seats/give")
def give(request: Request, game: str, side: str = Form(""), holder: str = Form("")) -> Response:
    """The host gives a seat to a person or to a player of the program; if somebody has joined there, he asks for it."""
    rights = _host_of(request, game)
    fresh = tables_of(request).handovers.hand_over(rights.host, side, holder)
    response = RedirectResponse(f"/table/{game}/seats", 303)
    links = {place: token for place, token in links_of(request, game).items() if rights.table.sides[place] != side}
    keep_indexed(request, response, game, links | ({rights.table.sides.index(side): fresh} if fresh else {}))
    return response


@router.post("/table/{game}/seats/settle")
def settle(request: Request, game: str, side: str = Form(""), yes: str = Form("no")) -> Response:
    """The holder of a seat that the host asks for allows it or declines."""
    rights = rights_of(request, game)
    if side not in rights.sides:
        raise NotAllowed("only who holds a seat can give it up")
    tables_of(request).handovers.settle(rights.token, side, yes=yes == "yes")
    if yes != "yes":
        return RedirectResponse(f"/table/{game}", 303)
    words = "Thank you for playing. This browser no longer opens it; you can watch the game by the table's public link."
    response = page(request, "problem.html", title="You have given up your seat", words=words)
    forget_token(request, response, f"seat-{game}")
    return response


@router.post("/table/{game}/seats/withdraw")
def withdraw(request: Request, game: str, side: str = Form("")) -> Response:
    """The host asks for a seat no more."""
    tables_of(request).handovers.withdraw(_host_of(request, game).host, side)
    return RedirectResponse(f"/table/{game}/seats", 303)


@router.post("/table/{game}/seats/carry-out")
def carry_out(request: Request, game: str, side: str = Form("")) -> Response:
    """The host gives a seat away whose holder has stayed away for long enough."""
    rights = _host_of(request, game)
    fresh = tables_of(request).handovers.carry_out(rights.host, side)
    response = RedirectResponse(f"/table/{game}/seats", 303)
    if fresh:
        keep_indexed(request, response, game, {**links_of(request, game), rights.table.sides.index(side): fresh})
    return response


def _host_of(request: Request, game: str) -> Rights:
    rights = rights_of(request, game)
    if not rights.host:
        raise NotAllowed("only the host of the table may give seats away")
    return rights


@router.post("/table/{game}/forget")
def forget(request: Request, game: str) -> Response:
    """This browser forgets a table; who has its link can come back."""
    response = RedirectResponse("/tables", 303)
    if GAME.fullmatch(game):
        for kind in ("seat", "host"):
            forget_token(request, response, f"{kind}-{game}")
    return response
