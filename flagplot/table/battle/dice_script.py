"""The browser's part in the dice: what the script `dice.js` of a seat's page sends by itself, and the receipts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import PlainTextResponse, Response

from flagplot.kernel.errors import FlagplotError
from flagplot.table.games.lane import AHEAD, laned
from flagplot.table.reader import AsField, by_script, seated, tables_of

RECEIPT = "Flagplot-Receipt"
"""The header in which the script finds the receipt of what a page sent; those of a plan with commas between."""

router = APIRouter(include_in_schema=False)

Hexadecimal = Annotated[str, Form(max_length=200)]
Nonce = Hexadecimal


@router.post("/table/{game_id}/receipt")
def receipt(request: Request, game_id: str, nonce: Nonce = "", side: AsField = "") -> Response:
    """Once more the receipt of something that this side sent, if it was taken."""
    place = seated(request, game_id, side)
    return _taken(request, lambda: tables_of(request).receipt(game_id, place.side, nonce))


@router.post("/table/{game_id}/contribute")
def contribute(request: Request, game_id: str, contribution: Hexadecimal = "", side: AsField = "") -> Response:
    """Add the browser's random bytes to the dice, once for whoever sits down."""
    place = seated(request, game_id, side)
    return _taken(request, lambda: tables_of(request).contribute(game_id, place.side, contribution))


@router.post("/table/{game_id}/pledge")
@laned()
def pledge(request: Request, game_id: str, pledge: Hexadecimal = "", side: AsField = "") -> Response:
    """Promise fresh bytes by their hash."""
    place = seated(request, game_id, side)
    return _taken(request, lambda: tables_of(request).pledge(game_id, place.side, pledge))


@router.post("/table/{game_id}/reveal")
@laned(AHEAD)
def reveal(
    request: Request,
    game_id: str,
    reveal: Hexadecimal = "",
    receipt: Hexadecimal = "",
    pledge: Hexadecimal = "",
    side: AsField = "",
) -> Response:
    """Tell the bytes that were promised for the answer with that receipt, and promise the next."""
    place = seated(request, game_id, side)
    return _taken(request, lambda: tables_of(request).reveal(game_id, place.side, reveal, pledge, receipt))


def _taken(request: Request, deed: Callable[[], str | None]) -> Response:
    """Do it and hand out the receipt. A refusal is told to the script as a page that is well: bytes may come late, and
    a browser would complain about it to nobody."""
    try:
        receipt = deed()
    except FlagplotError:
        if not by_script(request):
            raise
        receipt = ""
    if receipt == "":
        return PlainTextResponse("This was not taken.")
    return Response(status_code=204, headers={RECEIPT: receipt} if receipt else {})
