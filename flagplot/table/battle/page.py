"""The battle page: the chart or map, the question, the dice as they fall, the log; for seats and for spectators.

Every answer is made from the view, the log and the question of one reader. Parts of the page are sent again by a stream
when their bytes have changed (`streaming`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import RedirectResponse, Response
from starlette.exceptions import HTTPException

from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.sheets import Sheet
from flagplot.kernel.words import capital
from flagplot.table.battle.dice_script import RECEIPT, Nonce
from flagplot.table.battle.page_parts import with_token
from flagplot.table.battle.page_words import Data, deletion_told, told, turn_in_words
from flagplot.table.battle.recap import chapters_of
from flagplot.table.battle.rendering import Rendered
from flagplot.table.battle.streaming import Check, events_of, stream
from flagplot.table.games.lane import laned
from flagplot.table.guard.open_pages import counted_as, pages_of
from flagplot.table.pages import page
from flagplot.table.plans.missions import Standings
from flagplot.table.reader import As, AsField, Place, by_script, looking, seated, table_page, tables_of, watching
from flagplot.table.refusals import OldRules, PlanChanged
from flagplot.table.visitors import form_token

LATE = ("stale-answer", "not-your-turn", "conflict")
"""Refusals of what came too late: what was given is a number or a name that means nothing to people."""
NO_SCRIPT = (
    "Your answer came without the random bytes that the script of this page adds to it: with them nobody, the server "
    "neither, can choose the dice. Let this site run its script, or type a few random letters into the field for "
    "them, and answer again."
)
TYPED = 8
"""Letters that do for random bytes."""
router = APIRouter(include_in_schema=False)

Typed = Annotated[str, Form(max_length=200)]
Moment = Annotated[int, Form()]
"""When the page of a take-back was made: the same letters typed at another time are another nonce."""


# --- the page ---------------------------------------------------------------------------------------------------


@router.get("/table/{game_id}")
def battle(request: Request, game_id: str, side: As = "") -> Response:
    """The page of a seat. Who holds several sides sees nothing of any before he has said as which he looks."""
    place = seated(request, game_id, side)
    if place.hotseat and not side:
        return _hand_over(request, place)
    return whole_page(request, place)


@router.get("/watch/{public_id}")
def watch(request: Request, public_id: str) -> Response:
    """The page of a spectator."""
    return whole_page(request, watching(request, public_id))


def _hand_over(request: Request, place: Place) -> Response:
    """A screen that shows nothing of any side: whose turn it is, and who is to take a seat."""
    tables = tables_of(request)
    look = tables.look(place.table.id, place.side)
    names = look.view.sides
    turn = place.table.waiting_for
    order = sorted(place.sides, key=lambda side: side != turn)
    return page(
        request,
        "battle_handover.html",
        title=place.table.title,
        sides=[(side, names.get(side, side)) for side in order],
        turn=names.get(turn, turn) if turn else "",
        place=place,
        over=look.result is not None,
    )


def whole_page(
    request: Request, place: Place, sheet: Sheet | None = None, note: str = "", standings: Standings | None = None
) -> Response:
    """The page; with another plan than that of the staff, if one is given, and a note above it."""
    try:
        look = tables_of(request).look(place.table.id, place.side, sheet=True)
    except OldRules:
        return _old(request, place)
    relinked = () if place.spectator else tuple(tables_of(request).relinked(place.table.id).items())
    place = replace(place, names=tuple(look.view.sides.items()), relinked=relinked)
    if not place.spectator:
        tables_of(request).seen(place.table.id, place.side, len(look.log))
    if sheet is not None and look.sheet is not None and sheet.moment == look.sheet.moment:
        look = replace(look, sheet=sheet, standings=standings or {})
    parts = with_token(Rendered.of(place, look).parts, form_token(request.scope))
    return table_page(
        request,
        place,
        "battle.html",
        turn=turn_in_words(look),
        part=parts,
        live=look.result is None,
        note=note,
        deletion=_deletion(request, place),
    )


def _deletion(request: Request, place: Place) -> Data | None:
    """That the table will be deleted soon."""
    found = tables_of(request).deletion(place.table.id)
    return deletion_told(found, place.base, f"{place.base}/log.txt{place.query}", watching=place.spectator)


def _old(request: Request, place: Place) -> Response:
    words = f"{capital(place.table.readonly)}."
    return page(request, "problem.html", title=place.table.title, words=words)


# --- parts of the page ------------------------------------------------------------------------------------------


@router.get("/table/{game_id}/log")
@router.get("/watch/{public_id}/log")
def whole_log(request: Request, side: As = "") -> Response:
    """All lines of the log."""
    place = looking(request, side)
    look = tables_of(request).look(place.table.id, place.side)
    lines = [told(look, one, number) for number, one in enumerate(look.log, start=1)]
    part = "log" if by_script(request) else "whole_log"
    return table_page(request, place, f"battle_{part}.html", chapters=chapters_of(look, lines))


@router.get("/table/{game_id}/stream")
async def seat_stream(request: Request, game_id: str, side: As = "") -> Response:
    """News of a seat, as they come."""
    from starlette.concurrency import run_in_threadpool

    place = await run_in_threadpool(seated, request, game_id, side)
    if place.hotseat and not side:
        raise HTTPException(403, "Say as which side you look.")
    return _streamed(request, place, lambda: seated(request, game_id, side, place.table))


@router.get("/watch/{public_id}/stream")
async def watch_stream(request: Request, public_id: str) -> Response:
    """News for a spectator."""
    from starlette.concurrency import run_in_threadpool

    place = await run_in_threadpool(watching, request, public_id)
    return _streamed(request, place, lambda: None)


def _streamed(request: Request, place: Place, check: Check) -> Response:
    side = "" if place.spectator else place.side
    pages_of(request).check(place.table.id, side, counted_as(request, side))
    return events_of(stream(request, place, check))


# --- answers ----------------------------------------------------------------------------------------------------


@router.post("/table/{game_id}/answer")
@laned()
def answer(
    request: Request,
    game_id: str,
    option: Annotated[str, Form(max_length=500)],
    at: Annotated[int, Form()],
    nonce: Nonce = "",
    typed: Typed = "",
    side: AsField = "",
) -> Response:
    """Answer the question of a side."""
    place, nonce = seated(request, game_id, side), nonce or typed_nonce(typed, at)
    return done(request, place, nonce, lambda: tables_of(request).answer(game_id, place.side, option, at, nonce))


class TakeBack(NamedTuple):
    """What a form about a take-back sends."""

    place: Place
    nonce: str


def _take_back(
    request: Request, game_id: str, nonce: Nonce = "", typed: Typed = "", moment: Moment = 0, side: AsField = ""
) -> TakeBack:
    what = request.url.path.rpartition("/")[2]
    return TakeBack(seated(request, game_id, side), nonce or typed_nonce(typed, f"{what}/{moment}"))


Sent = Annotated[TakeBack, Depends(_take_back)]


@router.post("/table/{game_id}/undo")
def undo(request: Request, game_id: str, sent: Sent) -> Response:
    """Take back the last decision, while that is free."""
    place, nonce = sent
    return done(request, place, nonce, lambda: tables_of(request).undo(game_id, place.side, nonce))


@router.post("/table/{game_id}/propose")
def propose(request: Request, game_id: str, sent: Sent) -> Response:
    """Ask the other side to let the last decision be taken back."""
    place, nonce = sent
    return done(request, place, nonce, lambda: tables_of(request).propose_undo(game_id, place.side, nonce))


@router.post("/table/{game_id}/consent")
def consent(request: Request, game_id: str, sent: Sent, yes: Annotated[str, Form(max_length=10)] = "no") -> Response:
    """Say yes or no to a take-back."""
    place, nonce = sent
    needed = nonce if yes == "yes" else "none"  # a no gives the dice nothing
    return done(request, place, needed, lambda: tables_of(request).consent(game_id, place.side, yes == "yes", nonce))


def typed_nonce(typed: str, at: int | str) -> str:
    """The nonce of an answer whose page runs no script: what the person has typed, which the server cannot foresee.
    Nothing if that is too little."""
    if len(typed.strip()) < TYPED:
        return ""
    return sha256(f"{at}/{typed}".encode("utf8", "surrogatepass")).hexdigest()[:32]


def done(request: Request, place: Place, nonce: str, deed: Callable[[], str | None]) -> Response:
    """Do it, and tell a refusal, or hand out the receipt. What comes of it reaches the page by its stream alone, as all
    news do: if it came by this way too, one could overtake the other, and the page would go on showing the older."""
    refusal, receipt = "", None
    try:
        receipt = deed() if nonce else None
        refusal = "" if nonce else NO_SCRIPT
    except PlanChanged:
        raise  # it is shown again
    except FlagplotError as fault:
        refusal = _in_words(fault)
    if by_script(request):
        told = page(request, "battle_refusal.html", refusal=refusal)
        told.headers.update({RECEIPT: receipt} if receipt else {})
        return told
    if refusal:
        return page(request, "problem.html", status=409, title="That is not possible", words=refusal)
    return RedirectResponse(place.address, 303)


def _in_words(fault: FlagplotError) -> str:
    """A refusal as a page says it: without the ids of options, which only programs use."""
    words = fault.message if fault.code in LATE else str(fault)
    if fault.allowed:
        words = f"{fault.message}{f' (rule {fault.rule})' if fault.rule else ''}. Choose one from the page."
    return capital(words)
