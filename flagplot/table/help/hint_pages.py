"""Hints at the table: what the staff would do now and why; and after the battle what the program had weighed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from flagplot.kernel.errors import FlagplotError, UnknownName
from flagplot.kernel.words import capital
from flagplot.players.ranks import BUDGETS
from flagplot.players.search.hints import NOT_ASKED, Hints
from flagplot.players.search.thought import Thought
from flagplot.players.search.words import HEAD, MEANING, cells
from flagplot.review.reasons import decisions
from flagplot.table.info import Table
from flagplot.table.reader import As, Place, calculator_of, card, said_which, seated, table_page, tables_of
from flagplot.table.workers.game_work import hinted, reasoned
from flagplot.table.workers.thinking import seed_of

router = APIRouter(include_in_schema=False)

LOOKS_AHEAD = "commodore"
"""How far it is looked ahead for players that did not."""
WEIGHED: dict[str, Any] = {"head": HEAD, "cells": cells, "meaning": MEANING}
"""For a table of what was weighed."""


@router.get("/table/{game_id}/hint")
def hint(request: Request, game_id: str, side: As = "") -> Response:
    """What the staff of a seat would do; in a dialog, or without script on a page."""
    place = said_which(request, side)
    found = hints_for(request, place.table.id, place.side)
    at = tables_of(request).look(game_id, place.side).moment
    return card(request, place, "battle_hint", hints=found, at=at, **WEIGHED)


def hints_for(request: Request, game_id: str, side: str) -> Hints:
    """The hints of a side, reckoned in a process of its own from what the side knows."""
    tables = tables_of(request)
    advised = tables.advice(game_id, side).found
    if advised.thoughts:
        return advised  # his staff has thought about it already
    lines = tables.asked_lines(game_id, side)
    if not lines:
        return Hints(why_not=NOT_ASKED)
    try:
        return calculator_of(request).run(hinted, lines, side, tables.level(game_id, side))
    except FlagplotError as fault:
        return Hints(why_not=f"{capital(fault.message).rstrip('.')}.")


# --- after the battle -------------------------------------------------------------------------------------------


@router.get("/table/{game_id}/reasons")
def reasons(
    request: Request,
    game_id: str,
    side: As = "",
    number: Annotated[int, Query(alias="n", ge=0, le=100_000)] = 0,
    whose: Annotated[str, Query(alias="of", max_length=80)] = "",
) -> Response:
    """The decisions of the other side in a finished battle; of one of them what was weighed."""
    place = seated(request, game_id, side)
    if not place.table.finished:
        return RedirectResponse(place.address, 303)
    other = whose if whose in place.table.sides else _other(place)
    with tables_of(request).game(game_id, place.side) as game:
        past = decisions(game, other)
        name = game.view(place.side).names.get(other, other)
    thought, why_not = _reason(request, place, other, number) if number else (None, "")
    return table_page(
        request,
        place,
        "reasons.html",
        of=other,
        name=name,
        past=past,
        number=number,
        thought=thought,
        why_not=why_not,
        **WEIGHED,
    )


def _other(place: Place) -> str:
    return next((one for one in place.table.sides if one != place.side), place.side)


def _reason(request: Request, place: Place, other: str, number: int) -> tuple[Thought | None, str]:
    """What was weighed in one decision, or why that cannot be told."""
    try:
        found = reason_of(request, place.table, other, number)
    except FlagplotError as fault:
        return None, f"{capital(fault.message).rstrip('.')}."
    return found, "" if found else "Nothing was weighed here: this was decided by the doctrine."


def reason_of(request: Request, table: Table, side: str, number: int) -> Thought | None:
    """What a side weighed in one of its decisions, reckoned again in a process of its own: with the seed and the rank
    that the program played with."""
    if side not in table.sides:
        raise UnknownName("no such side at this table", given=side, allowed=list(table.sides))
    tables = tables_of(request)
    with tables.game(table.id, side) as game:
        seed = seed_of(game, side)
    kind = table.holders[side].kind
    rank = kind if kind in BUDGETS else LOOKS_AHEAD
    return calculator_of(request).run(reasoned, tables.lines(table.id), side, number, rank, seed)
