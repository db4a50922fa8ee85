"""Standing orders: the page that lists and gives them, and orders by a click at the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.words import capital
from flagplot.table.pages import page
from flagplot.table.plans.order_words import SHARES, standing_words
from flagplot.table.reader import As, AsField, Place, by_script, seated, table_page, tables_of
from flagplot.table.service.ordering import ROOM, scopes_of, strike_words

router = APIRouter(include_in_schema=False)

MOST_OPTIONS = 12
"""Options of the question in hand whose texts the page shows."""


@router.get("/table/{game_id}/orders")
def orders(request: Request, game_id: str, side: As = "") -> Response:
    """The standing orders of a side."""
    place = seated(request, game_id, side)
    return _orders(request, place, tables_of(request).orders(game_id, place.side))


@router.post("/table/{game_id}/orders")
def set_orders(
    request: Request, game_id: str, text: Annotated[str, Form(max_length=ROOM)] = "", side: AsField = ""
) -> Response:
    """Give standing orders as text; they answer from now on."""
    place = seated(request, game_id, side)
    try:
        tables_of(request).set_orders(game_id, place.side, text)
    except FlagplotError as fault:
        return _orders(request, place, text, str(fault))
    return RedirectResponse(f"{place.base}/orders{place.query}", 303)


@router.post("/table/{game_id}/order")
def order(
    request: Request,
    game_id: str,
    do: Annotated[str, Form(max_length=20)],
    key: Annotated[str, Form(max_length=500)] = "",
    scope: Annotated[str, Form(max_length=20)] = "phase",
    value: Annotated[str, Form(max_length=500)] = "",
    number: Annotated[int, Form(ge=0, le=10_000)] = 0,
    below: Annotated[int, Form(ge=0, le=100)] = 0,
    back: Annotated[str, Form(max_length=20)] = "",
    side: AsField = "",
) -> Response:
    """Orders by a click: the same answer for some time, the staff's answer, everything to the staff until something
    happens, a ready-made one, or no longer. The page of orders is shown again, the table gets news by its stream."""
    place, tables, listed = seated(request, game_id, side), tables_of(request), back == "orders"
    try:
        if do == "cancel":
            tables.cancel_order(game_id, place.side, number)
        elif do == "pass":
            tables.pass_until(game_id, place.side, scope)
        elif do == "add":
            tables.add_order(game_id, place.side, value, below)
        else:
            tables.order(game_id, place.side, key, scope, "staff" if do == "staff" else value)
    except FlagplotError as fault:
        words = f"{capital(fault.message)}."
        if listed:
            return _orders(request, place, tables.orders(game_id, place.side), words)
        return page(request, "battle_refusal.html", refusal=words)
    if by_script(request):
        return Response(status_code=204)
    return RedirectResponse(f"{place.base}{'/orders' * listed}{place.query}", 303)


def _orders(request: Request, place: Place, text: str, faults: str = "") -> Response:
    look = tables_of(request).look(place.table.id, place.side, sheet=True)
    asked, strikes = look.pending, strike_words(look.game)
    return table_page(
        request,
        replace(place, names=tuple(look.view.sides.items())),
        "battle_orders.html",
        status=422 if faults else 200,
        look=look,
        ready=standing_words(look.game),
        shares=SHARES,
        scopes_of=lambda one: scopes_of(one, strikes),
        text=text,
        faults=faults.splitlines(),
        question=asked.text if asked else "",
        options=[choice.text for choice in asked.options][:MOST_OPTIONS] if asked else [],
    )
