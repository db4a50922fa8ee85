"""Our summaries of rules, from the register: a page for each, a card for the dialog, and pages by chapter."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from flagplot.register import Rule, near, register, twins
from flagplot.register.rule_lookup import nearest, parts_of
from flagplot.table.pages import page

LONGEST = 40
CHAPTERS = {"22": "Naval operations", "23": "Air-naval operations", "SOP": "Sequence of play", "LOB": "Line of Battle"}
router = APIRouter(include_in_schema=False)


class Explained(NamedTuple):
    """A rule with what belongs to it."""

    rule: Rule
    parts: list[Rule]
    above: Rule | None
    twins: list[Rule]


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
    return {"asked": number, "found": [explained(rule) for rule in rules], "exact": number in register()}


def explained(rule: Rule) -> Explained:
    """A rule, its parts, the rule above it, and where it is printed again."""
    known = register()
    above = nearest(rule.id[:-1].rstrip(".-#")) if len(rule.id) > 2 else []
    return Explained(
        rule,
        parts_of(rule),
        above[0] if above and above[0].id != rule.id and rule.id.startswith(above[0].id) else None,
        [known[twin] for twin in sorted(twins().get(rule.id, ())) if twin in known],
    )


@cache
def _chapters() -> list[tuple[str, str, int]]:
    """Each chapter: its name in addresses, its title, and how many rules it has."""
    counted: dict[str, int] = {}
    for one in register().values():
        counted[one.chapter] = counted.get(one.chapter, 0) + 1
    known = register()
    return [
        (name, CHAPTERS.get(name) or (known[name].title.removesuffix(" chapter") if name in known else name), number)
        for name, number in counted.items()
    ]
