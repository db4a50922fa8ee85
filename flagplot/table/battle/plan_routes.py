"""What the form of a plan sends: confirm it, change it, ask the staff again, or be asked one question at a time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.sheets import Answers
from flagplot.kernel.words import capital
from flagplot.table.battle.map_page import answers_partial
from flagplot.table.battle.page import done, typed_nonce, whole_page
from flagplot.table.battle.plan_page import panel
from flagplot.table.games.lane import in_lane
from flagplot.table.pages import page
from flagplot.table.plans.forms import STAFF, entries, own_answers
from flagplot.table.plans.shares import settled
from flagplot.table.reader import AsField, Place, by_script, seated, tables_of
from flagplot.table.refusals import PlanChanged

router = APIRouter(include_in_schema=False)

CHANGED = "Your change altered the plan. Check it and confirm again."


@router.post("/table/{game_id}/plan")
async def plan(request: Request, game_id: str) -> Response:
    """Confirm the plan of a side, or see it with other answers."""
    form = {key: value for key, value in (await request.form()).items() if isinstance(value, str)}
    work = partial(_plan, request, game_id, form)
    return await (in_lane(work) if form.get("do") == "confirm" else run_in_threadpool(work))


def _plan(request: Request, game_id: str, sent: Mapping[str, str]) -> Response:
    divided = settled(sent)
    form = divided.form
    place, tables = seated(request, game_id, form.get("as", "")), tables_of(request)
    wanted = form.get("do", "update")
    if wanted == "step":
        tables.set_level(game_id, place.side, "step")
        return _back(request, place)
    answers = {} if wanted == "staff" else own_answers(form)
    if divided.keys:
        answers = divided.asked(answers, tables.plan(game_id, place.side, answers).fields)
    if wanted != "confirm":
        return _again(request, place, answers)
    if not divided.balanced:
        return _again(request, place, answers, CHANGED)
    at, seen = _number(form.get("at", "")), entries(form)
    nonce = form.get("nonce", "") or typed_nonce(form.get("typed", ""), at)
    proposed = entries(form, STAFF) if "by" in form else None  # as he has seen it, whatever his staff has found since

    def confirm() -> str:
        return tables.confirm_plan(game_id, place.side, answers, at, nonce, seen=seen, proposed=proposed)

    try:
        return done(request, place, nonce, confirm)
    except PlanChanged:
        return _again(request, place, answers, CHANGED)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 18 else -1


def _again(request: Request, place: Place, answers: Answers, note: str = "") -> Response:
    """The plan with some answers, to be looked at: that part of the page, or all of it."""
    tables = tables_of(request)
    sheet, standings = tables.plan_with_standings(place.table.id, place.side, answers)
    if not by_script(request):
        return whole_page(request, place, sheet, note, standings)
    look = tables.look(place.table.id, place.side, sheet=True)
    if look.pending is None:  # somebody has answered meanwhile: the stream brings what comes next
        return HTMLResponse("")
    text = panel(place, look, sheet, note, standings=standings)
    on_map = answers_partial(look, sheet) if look.chart is not None else ""
    return HTMLResponse(f'<hx-partial hx-target="#plan" hx-swap="outerMorph">{text}</hx-partial>{on_map}')


@router.post("/table/{game_id}/level")
def set_level(
    request: Request, game_id: str, level: Annotated[str, Form(max_length=20)], side: AsField = ""
) -> Response:
    """Say how much the side decides itself from now on."""
    place = seated(request, game_id, side)
    tables_of(request).set_level(game_id, place.side, level)
    return _back(request, place)


@router.post("/table/{game_id}/staff")
def set_staff(
    request: Request, game_id: str, staff: Annotated[str, Form(max_length=20)], side: AsField = ""
) -> Response:
    """Say who fills in the side's plans from now on."""
    place = seated(request, game_id, side)
    tables_of(request).set_staff(game_id, place.side, staff)
    return _back(request, place)


@router.post("/table/{game_id}/ahead")
def cancel_ahead(request: Request, game_id: str, side: AsField = "") -> Response:
    """Take back the orders ahead of a side."""
    place = seated(request, game_id, side)
    try:
        tables_of(request).cancel_ahead(game_id, place.side)
    except FlagplotError as fault:
        return page(request, "battle_refusal.html", refusal=f"{capital(fault.message)}.")
    return _back(request, place)


def _back(request: Request, place: Place) -> Response:
    """News come by the stream; without a script the page is shown again."""
    if by_script(request):
        return Response(status_code=204)
    return RedirectResponse(place.address, 303)
