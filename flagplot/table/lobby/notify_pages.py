"""Calls when it is one's turn and one is not there: the form of a seat, with a test whose result is shown when known.

Only who holds a side may see or change where it is called; the host may not, nor may the other side.
"""

from __future__ import annotations

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from flagplot.kernel.errors import BadValue, FlagplotError
from flagplot.kernel.words import capital
from flagplot.table.lobby.seat_pages import Refused, rights_of, seats_page
from flagplot.table.pages import page
from flagplot.table.reader import tables_of
from flagplot.table.refusals import NotAllowed
from flagplot.table.seats.cookies import links_of

router = APIRouter(include_in_schema=False)


@router.get("/table/{game}/seats/call/{place}")
def call_state(request: Request, game: str, place: int) -> Response:
    """How the last call of a seat went: the page asks for it while a test is under way."""
    rights = rights_of(request, game)
    side = rights.table.sides[place - 1] if 0 < place <= len(rights.table.sides) else ""
    if side not in rights.sides:
        raise NotAllowed("only who holds a seat may know how it is called")
    return page(request, "call_state.html", game=game, place=place, call=tables_of(request).calls.messenger(game, side))


@router.post("/table/{game}/seats/call")
def call(
    request: Request,
    game: str,
    side: str = Form(""),
    webhook: str = Form("", max_length=2000),
    email: str = Form("", max_length=400),
    code: str = Form("", max_length=60),
    do: str = Form("keep", max_length=20),
) -> Response:
    """Keep the addresses; or keep and test them; or forget them; or confirm the e-mail address. The page shows how a
    test went as soon as it is known."""
    rights, tables = rights_of(request, game), tables_of(request)
    if side not in rights.sides:
        raise NotAllowed("only who holds a seat may say how it is called")
    try:
        if do == "remove":
            tables.calls.set_messenger(game, side)
        else:
            known = tables.calls.messenger(game, side)
            given = (webhook.strip(), email.strip())
            if given != (known.webhook, known.email or known.unconfirmed) or do == "again":
                tables.calls.set_messenger(game, side, webhook=webhook, email=email)
            if do == "confirm" or (do == "keep" and code.strip()):
                tables.calls.confirm(code)
            if do == "test":
                tables.calls.test(game, side)
    except FlagplotError as fault:
        words = str(fault)
        refused = Refused(side, webhook, email, f"{capital(words)}")
        return seats_page(request, rights, links_of(request, game), refused=refused)
    return RedirectResponse(f"/table/{game}/seats#calls-{rights.table.sides.index(side) + 1}", 303)


@router.get("/confirm/{code}")
def look_at_confirmation(request: Request, code: str) -> Response:
    """The page of the link in a mail. It only asks: programs that look through mail open links too."""
    return page(request, "confirm.html", code=code, problem="", done=False)


@router.post("/confirm/{code}")
def confirm(request: Request, code: str) -> Response:
    """Confirm an e-mail address."""
    try:
        tables_of(request).calls.confirm(code)
    except BadValue as fault:
        words = str(fault)
        problem = f"{capital(words)}. Give the address again on the page with your seat."
        return page(request, "confirm.html", status=422, code="", problem=problem, done=False)
    return page(request, "confirm.html", code="", problem="", done=True)
