"""The review of a finished battle: which decisions cost or gained most, and how lucky the dice were."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from flagplot.kernel.ruleset import UMPIRE
from flagplot.review.deciding import COUNTED
from flagplot.review.words import luck_told, mattered, named
from flagplot.table.pages import page
from flagplot.table.reader import As, seated, tables_of

router = APIRouter(include_in_schema=False)


@router.get("/table/{game_id}/review")
def review(request: Request, game_id: str, side: As = "") -> Response:
    """A seat's own decisions. The page comes at once and says how far the review is."""
    place = seated(request, game_id, side)
    if not place.table.finished:
        return RedirectResponse(f"{place.base}{place.query}", 303)
    tables = tables_of(request)
    found = request.app.state.reviews.of(game_id, place.side, tables.lines(game_id))
    fell: list[str] = []
    if found.done:
        with tables.game(game_id, place.side) as game:
            fell = luck_told(game, place.side, UMPIRE)
    part = "_part" if request.headers.get("hx-request") else ""
    return page(
        request,
        f"review{part}.html",
        here=place,
        title=place.table.title,
        review=found,
        named=[named(one) for one in mattered(found.decisions)] if found.done else [],
        fell=fell,
        counted=COUNTED,
    )
