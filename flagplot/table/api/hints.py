"""Hints, and what was weighed, in the interface for programs."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from flagplot.players.search.thought import Thought
from flagplot.table.api.routes import SEATED, SIDE, Game, OnSide, Refusing, Service
from flagplot.table.help.hint_pages import hints_for, reason_of
from flagplot.table.refusals import NotYet

router = APIRouter(prefix="/api", tags=["hints"], route_class=Refusing)


class Weighed(BaseModel):
    """One option, as the staff has weighed it."""

    option: str
    label: str
    value: float = Field(description="From -1 (all lost) to 1 (all won).")
    error: float = Field(description="The standard error of the value.")
    playouts: int
    own_losses: float = Field(description="What the side loses on average, since the battle began.")
    enemy_losses: float
    wins: float = Field(description="How often the side wins, less how often the enemy does.")
    chance: float = Field(description="How often it is taken, where the choice is secret and mixed.")


class ThoughtTold(BaseModel):
    """A decision with all options that were compared."""

    question: str
    chosen: str = Field(description="The option that the staff would take.")
    doctrine: str = Field(description="The option that it would take without looking ahead.")
    sentence: str = Field(description="Why, in words.")
    playouts: int
    unit: str = Field(description="What losses are counted in.")
    followed: str = Field(description="How far it was played on.")
    mixed: bool = Field(description="Whether it is a secret choice that is mixed by chance.")
    options: list[Weighed]

    @classmethod
    def of(cls, thought: Thought) -> ThoughtTold:
        told: dict[str, Any] = thought.as_dict()
        return cls(**{name: told[name] for name in cls.model_fields})


class HintTold(BaseModel):
    """What the staff of a side would do about all that the side decides now."""

    thoughts: list[ThoughtTold]
    answers: dict[str, str] = Field(description="Its answers, by the keys of the plan's fields: send them to `sheet`.")
    why_not: str = Field(default="", description="Why there is no hint.")


@router.get(f"{SIDE}/hint", responses=SEATED)
def hint(request: Request, game: Game, side: OnSide) -> HintTold:
    """What your staff would do now, and why, from what your side knows. It takes up to three seconds."""
    found = hints_for(request, game, side)
    told = [ThoughtTold.of(one) for one in found.thoughts]
    return HintTold(thoughts=told, answers=dict(found.answers), why_not=found.why_not)


@router.get(f"{SIDE}/reasons", responses=SEATED)
def reasons(
    request: Request,
    tables: Service,
    game: Game,
    side: OnSide,
    of: Annotated[str, Query(max_length=80, description="The side that decided.")],
    n: Annotated[int, Query(ge=1, le=100_000, description="Which of its decisions, counted from 1.")],
) -> ThoughtTold | None:
    """When the battle is over: what a side weighed in one of its decisions; nothing if it did not look ahead there."""
    table = tables.table(game)
    if not table.finished:
        raise NotYet("the battle is not over yet")
    thought = reason_of(request, table, of, n)
    return ThoughtTold.of(thought) if thought else None
