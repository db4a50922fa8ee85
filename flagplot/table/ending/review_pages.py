"""The review of a finished battle: which decisions cost or gained most, and how lucky the dice were."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from flagplot.kernel.ruleset import UMPIRE
from flagplot.review.deciding import COUNTED
from flagplot.review.words import luck_told, mattered, named
from flagplot.table.reader import As, by_script, seated, table_page, tables_of

router = APIRouter(include_in_schema=False)


@router.get("/table/{game_id}/review")
def review(request: Request, game_id: str, side: As = "") -> Response:
    """A seat's own decisions. The page comes at once and says how far the review is."""
    place = seated(request, game_id, side)
    if not place.table.finished:
        return RedirectResponse(place.address, 303)
    tables = tables_of(request)
    found = request.app.state.reviews.of(game_id, place.side, tables.lines(game_id))
    fell: list[str] = []
    if found.done:
        with tables.game(game_id, place.side) as game:
            fell = luck_told(game, place.side, UMPIRE)
    return table_page(
        request,
        place,
        f"review{'_part' * by_script(request)}.html",
        review=found,
        named=[named(one) for one in mattered(found.decisions)] if found.done else [],
        fell=fell,
        counted=COUNTED,
    )
