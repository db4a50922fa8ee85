"""Chat with the other side, and one's own note pad: for those who sit at a table, and for nobody else."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.words import capital
from flagplot.table.battle.page_words import moment_in_words
from flagplot.table.lobby.seat_pages import side_names
from flagplot.table.pages import page
from flagplot.table.reader import As, AsField, Place, by_script, seated, tables_of
from flagplot.table.seats.talk import MESSAGE, PAD, REACTIONS

router = APIRouter(include_in_schema=False)

MARGIN = 200
"""Characters more than a text may have that still come this far, so that what was typed can be shown again."""
Spoken = Annotated[str, Form(max_length=MESSAGE + MARGIN)]
Noted = Annotated[str, Form(max_length=PAD + MARGIN)]


@router.get("/table/{game_id}/notes")
def notes(request: Request, game_id: str, side: As = "") -> Response:
    """The chat and the note pad of a seat."""
    place = seated(request, game_id, side)
    if place.hotseat and not side:
        return RedirectResponse(place.base, 303)  # the screen that shows nothing of any side
    return _notes(request, place)


@router.get("/table/{game_id}/said")
def said(request: Request, game_id: str, side: As = "") -> Response:
    """The chat alone, for the page to keep up with it."""
    place = seated(request, game_id, side)
    if not place.hotseat or side:
        tables_of(request).talk.read(game_id, place.side)
    return page(request, "said.html", here=place, said=_said(request, place))


@router.post("/table/{game_id}/say")
def say(request: Request, game_id: str, text: Spoken = "", side: AsField = "") -> Response:
    """Say something to the other side."""
    place = seated(request, game_id, side)
    return _done(request, place, lambda: tables_of(request).talk.say(game_id, place.side, text), message=text)


@router.post("/table/{game_id}/pad")
def write(request: Request, game_id: str, text: Noted = "", side: AsField = "") -> Response:
    """Keep what stands on the note pad."""
    place = seated(request, game_id, side)
    return _done(request, place, lambda: tables_of(request).talk.write_pad(game_id, place.side, text), pad=text)


@router.post("/table/{game_id}/react")
def react(
    request: Request, game_id: str, text: Annotated[str, Form(max_length=40)] = "", side: AsField = ""
) -> Response:
    """Say one of a few things with one click."""
    place = seated(request, game_id, side)
    tables_of(request).talk.react(game_id, place.side, text)
    if by_script(request):
        return Response(status_code=204)
    return RedirectResponse(place.address, 303)


@router.post("/table/{game_id}/reactions")
def reactions(
    request: Request, game_id: str, on: Annotated[str, Form(max_length=10)] = "", side: AsField = ""
) -> Response:
    """Turn quick reactions on or off for a seat."""
    place = seated(request, game_id, side)
    tables_of(request).talk.want_reactions(game_id, place.side, bool(on))
    return RedirectResponse(f"{place.base}/notes{place.query}", 303)


def _done(request: Request, place: Place, deed: Any, **typed: str) -> Response:
    """Do it and show the page again; after a refusal with what was typed."""
    try:
        deed()
    except FlagplotError as fault:
        words = f"{capital(fault.message)}."
        return _notes(request, place, status=422, problem=words, **typed)
    return RedirectResponse(f"{place.base}/notes{place.query}", 303)


def _notes(
    request: Request, place: Place, *, status: int = 200, problem: str = "", message: str = "", pad: str | None = None
) -> Response:
    talk = tables_of(request).talk
    own = talk.pad(place.table.id, place.side) if pad is None else pad
    talk.read(place.table.id, place.side)
    people = [side for side, holder in place.table.holders.items() if not holder.is_bot and side not in place.sides]
    return page(
        request,
        "notes.html",
        status=status,
        here=place,
        said=_said(request, place),
        people=people,
        reactions=REACTIONS,
        wants=talk.wants_reactions(place.table.id, place.side),
        both=talk.unread(place.table.id, place.side).reactions,
        pad=own,
        message=message,
        problem=problem,
        most=MESSAGE,
        room=PAD,
    )


def _said(request: Request, place: Place) -> list[dict[str, Any]]:
    tables, table = tables_of(request), place.table
    names = side_names(tables, table)
    return [
        {
            "mine": one.side in place.sides,
            "who": table.holders[one.side].name or names[one.side] if one.side in table.holders else one.side,
            "when": moment_in_words(one.at),
            "text": one.text,
        }
        for one in tables.talk.messages(table.id)
    ]
