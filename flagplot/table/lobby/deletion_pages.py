"""Pages of a table that is going to be deleted: keeping it, and its log as text to take away."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response

from flagplot.table.lobby.seat_pages import rights_of
from flagplot.table.reader import As, looking, tables_of

router = APIRouter(include_in_schema=False)


@router.post("/table/{game_id}/keep")
def keep(request: Request, game_id: str) -> Response:
    """Whoever sits at a table, or hosts it, keeps it: its time begins again."""
    rights = rights_of(request, game_id)
    tables_of(request).keep(game_id)
    return RedirectResponse(f"/table/{game_id}" + "/seats" * (not rights.sides), 303)


@router.get("/table/{game_id}/log.txt")
@router.get("/watch/{public_id}/log.txt")
def log(request: Request, side: As = "") -> Response:
    """The log of a side as text."""
    place = looking(request, side)
    look = tables_of(request).look(place.table.id, place.side)
    lines = [place.table.title, "", *[str(entry) for entry in look.log]]
    headers = {"Content-Disposition": f'attachment; filename="{place.table.public_id}.txt"'}
    return PlainTextResponse("\n".join(lines) + "\n", headers=headers)
