"""Typed battles, and the odds of whole battles, in the interface for programs."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from flagplot.kernel.errors import FlagplotError
from flagplot.table.api.routes import SEATED, SIDE, Game, OnSide, Refusing, Service, may_refuse
from flagplot.table.build.packed import LONGEST, pack
from flagplot.table.desk.forecast_pages import More, game_subject, looked
from flagplot.table.desk.forecast_words import told
from flagplot.table.reader import calculator_of

router = APIRouter(prefix="/api", tags=["odds"], route_class=Refusing)


class BattleText(BaseModel):
    """A battle in plain text, one line for each force."""

    text: str = Field(
        max_length=LONGEST, examples=["Japan TF1: Hiryu, 4 CA, 3 DD; 3 NAS\nUS TF16: Hornet, 4 CA, 3 DD; 3 NAS"]
    )


class ProblemTold(BaseModel):
    """Something wrong at a place of the text; lines and columns count from 1."""

    line: int
    column: int
    length: int
    message: str
    suggestion: str = Field(description="What to put there instead; empty if there is no one thing to type.")
    rule: str


class BuiltTold(BaseModel):
    """What a text says."""

    scenario: dict[str, Any] | None = Field(description="The scenario, for a table; null while anything is wrong.")
    problems: list[ProblemTold]
    notes: list[str] = Field(description="How it was understood, and what was filled in.")
    link: str = Field(description="Where a browser shows it.")


class ForecastTold(BaseModel):
    """What comes of a battle if the program plays both sides on, from what the side knows."""

    done: bool = Field(default=False, description="Whether the error is small enough, or the time used up.")
    problem: str = Field(default="", description="Why there are no figures.")
    figures: dict[str, Any] = Field(default={}, description="The figures so far; ask again for better ones.")


@router.post("/build", responses=may_refuse(400, 409, 413))
def build(request: Request, given: BattleText) -> BuiltTold:
    """Read a battle in plain text. Everything wrong is told at once, at its place."""
    found = calculator_of(request).ask_built(given.text)
    return BuiltTold(
        scenario=dict(found.document) if found.ready and found.document else None,
        problems=[ProblemTold(**one._asdict()) for one in found.problems],
        notes=[str(note) for note in found.notes],
        link=f"/build?b={pack(given.text)}",
    )


@router.get(f"{SIDE}/forecast", responses=SEATED)
def forecast(request: Request, tables: Service, game: Game, side: OnSide, more: More = 0) -> ForecastTold:
    """Who will win, from what the side knows now. The battles are played while somebody asks: ask again for better
    figures; `more` (1, 2) wants a smaller error."""
    with tables.game(game, side) as played:
        subject = game_subject(request, played, game, side)
    if subject is None:
        return ForecastTold(problem="Battle over.")
    try:
        found = looked(request, subject, more, who=f"{game} {side}")
    except (FlagplotError, HTTPException) as refusal:
        return ForecastTold(problem=str(refusal))
    return ForecastTold(done=found.done, problem=found.problem, figures=told(found, subject.names).as_dict())
