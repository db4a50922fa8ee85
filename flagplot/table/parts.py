"""The parts of a battle page, each a piece of HTML that can be swapped alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from fastapi import Request
from markupsafe import Markup

from flagplot.kernel.ruleset import UMPIRE
from flagplot.table import showing
from flagplot.table.facts import Look
from flagplot.table.pages import environment, rendered
from flagplot.table.places import Place, tables_of
from flagplot.table.showing import Told

PARTS = ("top", "status", "question", "news", "map", "board", "around", "log")
"""In the order in which a page has them; each stands in the element `part-…`."""


def parts_of(request: Request, place: Place, look: Look) -> dict[str, Markup]:
    """All parts as this reader may see them now."""
    prepared()
    context = _context(request, place, look)
    return {name: Markup(rendered(request, f"battle_{name}.html", **context)) for name in PARTS}


def as_partials(parts: Mapping[str, str]) -> str:
    """Parts for a page that swaps each into its place."""
    return "".join(
        f'<hx-partial hx-target="#part-{name}" hx-swap="innerMorph">{text}</hx-partial>' for name, text in parts.items()
    )


def _context(request: Request, place: Place, look: Look) -> dict[str, Any]:
    names = showing.names_of(look)
    waiting, proposal = look.waiting_for, look.proposal
    log = showing.log_of(look)
    return {
        "look": look,
        "here": place,
        "all_seen": look.reader == UMPIRE,
        "waiting_for": waiting,
        "waiting": names.get(waiting, waiting) if waiting else "",
        "holder": place.table.holders.get(waiting) if waiting else None,
        "readonly": place.table.readonly,
        "since": showing.moment_for_programs(look.waiting_since),
        "since_words": showing.moment_in_words(look.waiting_since),
        "steps": showing.steps_of(look.view),
        "proposer": names.get(proposal.side, proposal.side) if proposal else "",
        "asked_to_consent": proposal is not None and place.side in proposal.asked,
        "buttons": showing.buttons_of(look.pending) if look.pending else [],
        "counting": look.pending is not None and showing.is_counting(look.pending),
        "news": showing.news_of(look),
        "pictures": showing.pictures_of(look, chart_of(request, place)),
        "my_place": showing.place_of(look, place.side),
        "opponents": showing.opponents_of(look, place),
        "waits": showing.verb_of(names.get(waiting, waiting) if waiting else ""),
        "may_ask": not place.spectator and look.result is None,
        "log": log,
    }


def chart_of(request: Request, place: Place) -> Any:
    """The map of an operation, as its scenario names it or holds it; None without one."""
    with tables_of(request).game(place.table.id, place.side) as game:
        return game.scenario.get("map")


@cache
def prepared() -> None:
    """What these templates need besides what all have."""
    filters = environment().filters
    filters["drawing"] = Markup  # for our own pictures, whose texts are escaped where they are drawn
    filters["as_entry"] = entry


@lru_cache(maxsize=16_384)
def entry(line: Told, open_it: bool = False) -> Markup:
    """A line of a log as it stands on pages; lines stay as they are, so each is made once."""
    macros: Any = environment().get_template("battle_macros.html").module
    return Markup(str(macros.entry(line, open_it)).strip())
