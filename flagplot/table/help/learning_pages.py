"""What there is to learn: a battle with a coach, and drills with their odds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from flagplot.briefing.briefing import Briefing, brief
from flagplot.drills import Drill, begun, drill, drills
from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.requests import Choose
from flagplot.kernel.words import say
from flagplot.lessons import lesson
from flagplot.table.pages import page
from flagplot.table.reader import calculator_of

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Posed:
    """A drill as a page shows it."""

    told: Briefing
    question: str
    options: tuple[tuple[str, str], ...]
    """The text of each answer, and what its button says."""


@router.get("/learn")
def overview(request: Request) -> Response:
    """The guided battle and all drills."""
    return page(request, "learn.html", lesson=lesson("first-battle"), drills=list(drills().values()))


@router.get("/learn/{name}")
def one_drill(request: Request, name: str, answer: Annotated[str, Query(max_length=200)] = "") -> Response:
    """A drill, and with an answer what the odds say of it."""
    if name not in drills():
        raise HTTPException(404, "There is no such drill.")
    one, posed, problem, found = drill(name), _posed(name), "", None
    if answer and answer not in [text for text, _ in posed.options]:
        raise HTTPException(404, "This is not one of the answers.")
    if answer:
        try:
            found = calculator_of(request).ask_drill(name)
        except FlagplotError as refusal:  # the desk is busy
            problem = str(refusal)
    names = list(drills())
    following = names[names.index(name) + 1 : names.index(name) + 2]
    return page(
        request,
        "drill.html",
        drill=one,
        posed=posed,
        chosen=answer,
        found=found,
        problem=problem,
        next=drill(following[0]) if following else None,
    )


@cache
def _posed(name: str) -> Posed:
    """A drill's position is the same for everybody, so it is made once."""
    one: Drill = drill(name)
    game = begun(one)
    request = game.pending
    assert isinstance(request, Choose)
    options = tuple([(option.text, option.label) for option in request.options])
    return Posed(brief(game, one.side), say(request.question), options)
