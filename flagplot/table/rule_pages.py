"""The rules in our words: a page for each, a card for the dialog, and pages by chapter."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from flagplot import library
from flagplot.kernel.options import Reading, describe
from flagplot.register import near, register
from flagplot.register.meaning import meaning
from flagplot.register.rule_lookup import nearest
from flagplot.table.pages import page

LONGEST = 40
CHAPTERS = {"22": "Naval operations", "23": "Air-naval operations", "SOP": "Sequence of play", "LOB": "Line of Battle"}
router = APIRouter(include_in_schema=False)


@router.get("/rules")
def chapters(request: Request) -> Response:
    """The chapters of the register."""
    return page(request, "rules.html", chapters=_chapters(), rules=[], chapter="")


@router.get("/rules/chapter/{chapter}")
def one_chapter(request: Request, chapter: str) -> Response:
    """All rules of a chapter."""
    found = [rule for rule in register().values() if rule.chapter == chapter]
    if not found:
        raise HTTPException(404, "There is no such chapter.")
    return page(request, "rules.html", chapters=_chapters(), rules=found, chapter=chapter)


@router.get("/rules/{number}/card")
def card(request: Request, number: str) -> Response:
    """A rule for the dialog."""
    return page(request, "rule_card.html", **_found(number))


@router.get("/rules/{number}")
def rule(request: Request, number: str) -> Response:
    """A rule as a page of its own."""
    return page(request, "rule.html", **_found(number))


def _found(number: str) -> dict[str, Any]:
    rules = nearest(number) if len(number) <= LONGEST else []
    if not rules:
        like = near(number[:LONGEST], register())
        words = f"There is no rule {number[:LONGEST]} in the register."
        raise HTTPException(404, words + (f" Perhaps {', '.join(like[:4])}?" if like else ""))
    found = [(meaning(rule), _switches().get(rule.id, [])) for rule in rules]
    return {"asked": number, "found": found, "exact": number in register()}


@cache
def _switches() -> dict[str, list[Reading]]:
    """By rule: the readings of it that can be switched."""
    found: dict[str, list[Reading]] = {}
    for name in library.games():
        for reading in describe(type(library.ruleset(name).options)):
            for number in reading.rules:
                found.setdefault(number, []).append(reading)
    return found


@cache
def _chapters() -> list[tuple[str, str, int]]:
    """Each chapter: its name in addresses, its title, and how many rules it has."""
    known = register()
    counted: dict[str, int] = {}
    for one in known.values():
        counted[one.chapter] = counted.get(one.chapter, 0) + 1
    titles = {name: known[name].title for name in counted if name in known} | CHAPTERS
    return [(name, titles.get(name, name), number) for name, number in counted.items()]
