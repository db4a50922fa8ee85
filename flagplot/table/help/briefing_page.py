"""The briefing of a table: before the first decision, and one click away later."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from flagplot.table.pages import page
from flagplot.table.reader import As, looking, tables_of

router = APIRouter(include_in_schema=False)


@router.get("/table/{game_id}/briefing")
@router.get("/watch/{public_id}/briefing")
def briefing(request: Request, side: As = "") -> Response:
    """What a side is told: its orders and forces, and of the enemy what it knows. Spectators read no orders."""
    place = looking(request, side)
    if place.hotseat and not side:
        return RedirectResponse(place.base, 303)  # the screen that shows nothing of any side
    told = tables_of(request).briefing(place.table.id, place.side)
    return page(request, "briefing.html", told=told, here=place)
