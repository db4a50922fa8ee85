"""The campaign sheet of a finished battle: what it leaves behind for the map, as text, CSV or JSON."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from flagplot.kernel.ruleset import UMPIRE
from flagplot.report.campaign import campaign_sheet
from flagplot.table.reader import As, looking, table_page, tables_of

router = APIRouter(include_in_schema=False)

Form = Annotated[str, Query(max_length=8)]


@router.get("/table/{game_id}/campaign")
@router.get("/watch/{public_id}/campaign")
def campaign(request: Request, side: As = "", form: Form = "") -> Response:
    """What the battle leaves behind: everything is open after the end; before it there is no sheet."""
    place = looking(request, side)
    if not place.table.finished:
        return RedirectResponse(place.address, 303)
    with tables_of(request).game(place.table.id, place.side) as game:
        sheet = campaign_sheet(game, UMPIRE)
    saved = {"Content-Disposition": f'attachment; filename="campaign-{place.table.public_id}.{form}"'}
    match form:
        case "":
            return table_page(request, place, "campaign.html", sheet=sheet, text=str(sheet))
        case "txt":
            return Response(f"{sheet}\n", media_type="text/plain; charset=utf-8", headers=saved)
        case "csv":
            return Response(sheet.to_csv(), media_type="text/csv; charset=utf-8", headers=saved)
        case "json":
            return JSONResponse(sheet.as_dict(), headers=saved)
    raise HTTPException(404, "A campaign sheet comes as txt, csv or json.")
