"""The briefing of a table: before the first decision, and one click away later."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from flagplot.table.pages import page
from flagplot.table.reader import Place, seated, tables_of, watching

router = APIRouter(include_in_schema=False)

As = Annotated[str, Query(alias="as", max_length=80)]


@router.get("/table/{game_id}/briefing")
def briefing(request: Request, game_id: str, side: As = "") -> Response:
    """What a side is told: its orders and forces, and of the enemy what it knows."""
    place = seated(request, game_id, side)
    if place.hotseat and not side:
        return RedirectResponse(place.base, 303)  # the screen that shows nothing of any side
    return _briefing(request, place)


@router.get("/watch/{public_id}/briefing")
def watched_briefing(request: Request, public_id: str) -> Response:
    """The same for spectators, who read no orders."""
    return _briefing(request, watching(request, public_id))


def _briefing(request: Request, place: Place) -> Response:
    told = tables_of(request).briefing(place.table.id, place.side)
    return page(request, "briefing.html", told=told, here=place)
