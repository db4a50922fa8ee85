"""Help at the table: what is being decided, what is not offered and why, and what comes next. And the glossary."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from flagplot.kernel.explaining import Help, help_for, verb_of
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.kernel.words import sentence
from flagplot.register.glossary import Term, terms
from flagplot.table.pages import page, slug
from flagplot.table.reader import As, card, said_which, tables_of

router = APIRouter(include_in_schema=False)

NEXT = 3
"""Steps that are told after the present one."""
END, AGAIN = "End", "the next round, unless the battle ends"
"""The last step of a round, which comes once, and what follows in its place."""


class Decision(NamedTuple):
    """A question that the reader is asked now."""

    asks: str
    help: Help | None
    rules: tuple[str, ...]
    """Those of the question that the help does not cite."""


class Ahead(NamedTuple):
    """Where play stands."""

    title: str
    now: str
    then: tuple[str, ...]


class Told(NamedTuple):
    """All that the card says."""

    decisions: tuple[Decision, ...]
    reasons: dict[str, list[tuple[str, str]]]
    """By force: why it is not offered, with the rule."""
    explained: bool
    """Whether this kind of game tells such reasons."""
    units: bool
    """Whether each base tells what its air units may do."""
    ahead: tuple[Ahead, ...]


@router.get("/table/{game_id}/help")
@router.get("/watch/{public_id}/help")
def at_the_table(request: Request, side: As = "") -> Response:
    """Help for a seat, or for spectators, who are asked nothing; in a dialog, or without script on a page."""
    place = said_which(request, side)
    tables = tables_of(request)
    look = tables.look(place.table.id, place.side, sheet=not place.spectator)
    with tables.game(place.table.id, place.side) as game:
        found = told(game, place.side, look.sheet)
    return card(request, place, "battle_help", told=found)


def told(game: Game[Any], side: str, sheet: Any) -> Told:
    """What a reader is told: of his own question, his own forces, and the steps that everybody sees."""
    view = game.view(side)
    why = getattr(game.ruleset, "why", None)
    found = why(game.state, side) if why and side in game.sides and game.pending is not None else None
    reasons: dict[str, list[tuple[str, str]]] = {}
    for about, text, rule in found or ():
        reasons.setdefault(str(about), []).append((str(text), str(rule)))
    lines = view.board.steps if view.board else ()
    turn = getattr(view.position, "turn", None) is not None and game.pending is not None
    return Told(
        tuple(_decisions(game, side, sheet)), reasons, found is not None, turn, tuple([_ahead(one) for one in lines])
    )


def _decisions(game: Game[Any], side: str, sheet: Any) -> list[Decision]:
    """The open question, and all others on the reader's plan, each kind once."""
    request = game.pending
    if not isinstance(request, Choose) or request.side != side:
        return []
    asked = {verb_of(request): (sentence(request.question), tuple(request.rules))}
    for field in sheet.open_to() if sheet else ():
        asked.setdefault(field.family, (field.question, tuple(field.rules)))
    found = []
    for verb, (asks, rules) in asked.items():
        meant = help_for(game, verb)
        found.append(Decision(asks, meant, tuple([one for one in rules if meant is None or one != meant.rule])))
    return found


def _ahead(steps: Any) -> Ahead:
    names = [*steps.line.values()]
    marks = [*steps.line]
    at = marks.index(steps.mark) if steps.mark in marks else 0
    then = [AGAIN if marks[place] == END else names[place] for place in range(at + 1, min(at + 1 + NEXT, len(names)))]
    return Ahead(steps.title, steps.name or names[at], tuple(then))


# --- the glossary -------------------------------------------------------------------------------------------------


@router.get("/glossary")
def glossary(request: Request) -> Response:
    """All words of the game."""
    return page(request, "glossary.html", terms=[(slug(one.name), one) for one in _ordered()])


@router.get("/glossary.json")
def glossary_for_tips() -> Response:
    """What each word means, for the tips of pages."""
    return JSONResponse(_said(), headers={"Cache-Control": "public, max-age=3600"})


@cache
def _said() -> dict[str, dict[str, str]]:
    return {slug(one.name): {"name": one.name, "says": one.says} for one in terms()}


@cache
def _ordered() -> list[Term]:
    return sorted(terms(), key=lambda one: one.name.lower())
