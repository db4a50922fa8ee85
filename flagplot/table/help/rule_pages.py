"""The rules in our words: a page for each, a card for the dialog, and pages by chapter."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

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
TITLES = {"22": "Naval operations", "23": "Air-naval operations", "SOP": "Sequence of play", "LOB": "Line of Battle"}
ABOUT = {
    "17": "What air units there are, how squadrons and factors count, losses, new units, kamikazes.",
    "18": "Air bases, staging, ranges and missions in a player turn, and when air units are inverted.",
    "19": "Rounds of air combat: the dice, their modifiers, who is shot down and who turns back.",
    "22": "Activities at sea, interception, and the naval battle: groups, search, strikes, guns, submarines.",
    "23": "Air strikes on ships, air defense, attacks on bases and ports, carriers and their squadrons.",
    "SOP": "Which step follows which, in a battle, in a round of it and in a player turn.",
    "LOB": "The second game: two lines of ships, day or night, guns and torpedoes. All of it on one page.",
}
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


class Chapter(NamedTuple):
    """A chapter: its name in addresses, its title, what it is about, and how many rules it has."""

    name: str
    title: str
    about: str
    rules: int


@cache
def _chapters() -> list[Chapter]:
    known = register()
    counted: dict[str, int] = {}
    for one in known.values():
        counted[one.chapter] = counted.get(one.chapter, 0) + 1
    titles = {name: known[name].title for name in counted if name in known} | TITLES
    return [Chapter(name, titles.get(name, ""), ABOUT.get(name, ""), number) for name, number in counted.items()]
