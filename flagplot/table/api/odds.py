"""Odds of the pending question in the interface for programs."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from flagplot.kernel.errors import FlagplotError
from flagplot.table.api.routes import SEATED, SIDE, Game, OnSide, Refusing, Service
from flagplot.table.battle.extras import Believe, More
from flagplot.table.reader import calculator_of
from flagplot.table.workers.game_work import OddsAsked

router = APIRouter(prefix="/api", tags=["odds"], route_class=Refusing)
GONE = "This question is not asked any more."


class OddsTold(BaseModel):
    """What comes of each option of the pending question, with what the side knows alone."""

    question: str = ""
    why_not: str = Field(default="", description="Why there are none: nothing is asked, or the server is busy.")
    decided_by: str = Field(default="", description="To the end of what it was followed or played on.")
    played_on: bool = Field(default=False, description="Whether no single procedure decides, so that it is sampled.")
    options: list[dict[str, Any]] = Field(default=[], description="For each option its parts, exact or with errors.")
    unknown: list[str] = []
    policies: list[str] = []
    belief: dict[str, Any] | None = Field(default=None, description="What is believed of the enemy's unseen forces.")


@router.get(f"{SIDE}/odds", responses=SEATED)
def odds(
    request: Request,
    tables: Service,
    game: Game,
    side: OnSide,
    at: Annotated[int, Query()],
    more: More = 0,
    believe: Believe = "",
) -> OddsTold:
    """The odds of what the side is asked at a moment. Where they are estimates, `more` (1, 2, …) gives them more time,
    and `believe` (forces, ships or navies) says what the enemy may have."""
    lines = tables.asked_lines(game, side, at)
    if not lines:
        return OddsTold(why_not=GONE)
    try:
        found = calculator_of(request).ask_position(lines, OddsAsked(side, more=more, believe=believe))
    except FlagplotError as fault:
        return OddsTold(why_not=fault.message)
    told = {name: value for name, value in found.as_dict().items() if value is not None}
    return OddsTold(**{name: told[name] for name in OddsTold.model_fields if name in told})
