"""The end of a battle: who won and why, what it cost, how the dice fell; and another one."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from flagplot.table.ending.course_words import told_course
from flagplot.table.ending.courses import Courses
from flagplot.table.guard.quotas import network_of
from flagplot.table.pages import page
from flagplot.table.reader import As, AsField, Place, looking, seated, tables_of
from flagplot.table.seats.cookies import keep_token

router = APIRouter(include_in_schema=False)


@router.get("/table/{game_id}/ending")
@router.get("/watch/{public_id}/ending")
def ending(request: Request, side: As = "") -> Response:
    """How it ended."""
    place = looking(request, side)
    if not place.table.finished:
        return RedirectResponse(place.address, 303)
    tables = tables_of(request)
    told = tables.ending(place.table.id, place.side)
    course = tables_course(request, place)
    offer = None if place.spectator else tables.rematches.offered(place.table.id, place.sides)
    asking = place.table.holders[offer.side].name if offer else ""
    return page(request, "ending.html", told=told, here=place, offer=offer, asking=asking, **course)


@router.get("/table/{game_id}/ending/course")
@router.get("/watch/{public_id}/ending/course")
def course(request: Request, side: As = "") -> Response:
    """How the chances went, if that is known by now; the part of the page that waits for it."""
    place = looking(request, side)
    if not place.table.finished:
        return RedirectResponse(place.address, 303)
    return page(request, "ending_course.html", here=place, **tables_course(request, place))


def tables_course(request: Request, place: Place) -> dict[str, Any]:
    """What the page says of the chances: they are worked out in the background, from the first look on."""
    courses: Courses = request.app.state.courses
    found = courses.known(place.table.id)
    if found is None:
        return {"course": None, "under_way": courses.begin(place.table.id)}
    with tables_of(request).game(place.table.id, place.side) as game:
        return told_course(found, game, place.side)


@router.post("/table/{game_id}/rematch")
def rematch(
    request: Request, game_id: str, swap: Annotated[str, Form(max_length=10)] = "", side: AsField = ""
) -> Response:
    """Play it again: take the seat that is kept, or make a table and offer the others theirs."""
    place = seated(request, game_id, side)
    name = place.table.holders[place.side].name
    network = network_of(request.scope)
    taken = tables_of(request).rematches.take(game_id, place.sides, swap=bool(swap), name=name, network=network)
    response = RedirectResponse(f"/table/{taken.game}/briefing", 303)
    keep_token(request, response, f"seat-{taken.game}", taken.token)
    if taken.host:
        keep_token(request, response, f"host-{taken.game}", taken.host)
    return response
