"""The parts of a battle page, each a piece of HTML that can be swapped alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from flagplot.kernel.ruleset import UMPIRE
from flagplot.table import page_words
from flagplot.table.clicks import scopes_of
from flagplot.table.info import Look
from flagplot.table.map_page import choices_of
from flagplot.table.page_words import Line
from flagplot.table.pages import environment
from flagplot.table.plan_page import panel
from flagplot.table.reader import Place
from flagplot.table.recap import recap_of

PARTS = ("top", "status", "since", "question", "news", "ground", "map", "answers", "places", "board", "around", "dice")
"""In the order in which a page has them; each stands in the element `part-…`."""
PICTURES = ("ground", "map", "places", "board", "around")
"""Those that show the position, and nothing else that changes while a game goes on."""
NO_TOKEN = '<input type="hidden" name="form_token" value="">'
"""The field of a form's token, as it stands in parts: they are the same for all readers of a kind. Pages that are sent
whole have it filled in; later the script of the page sends it along by itself."""


def parts_of(
    place: Place, look: Look, lines: Mapping[int, Line], kept: Mapping[str, Markup] | None = None
) -> dict[str, Markup]:
    """All parts as this kind of reader may see them now; those in `kept` are the same as before."""
    kept = kept or {}
    context = _context(place, look, lines, pictures=not kept)
    return {name: kept[name] if name in kept else _rendered(name, context) for name in PARTS}


def _rendered(name: str, context: Mapping[str, Any]) -> Markup:
    return Markup(environment().get_template(f"battle_{name}.html").render(context))


def with_token(parts: Mapping[str, Markup], token: str) -> dict[str, Markup]:
    """Parts whose forms work without a script too."""
    field = Markup('<input type="hidden" name="form_token" value="{}">').format(token)
    return {name: Markup(text.replace(Markup(NO_TOKEN), field)) for name, text in parts.items()}


def as_partials(parts: Mapping[str, str]) -> str:
    """Parts for a page that swaps each into its place."""
    return "".join(
        f'<hx-partial hx-target="#part-{name}" hx-swap="innerMorph">{text}</hx-partial>' for name, text in parts.items()
    )


def _context(place: Place, look: Look, lines: Mapping[int, Line], *, pictures: bool) -> dict[str, Any]:
    names, board = page_words.names_of(look), page_words.board_of(look)
    waiting, proposal = None if look.rolling else look.waiting_for, look.proposal
    return {
        "form_token": "",
        "look": look,
        "here": place,
        "all_seen": look.reader == UMPIRE,
        "waiting_for": waiting,
        "waiting": names.get(waiting, waiting) if waiting else "",
        "holder": place.table.holders.get(waiting) if waiting else None,
        "readonly": place.table.readonly,
        "scopes_of": scopes_of,
        "since": page_words.moment_for_programs(look.waiting_since),
        "since_words": page_words.moment_in_words(look.waiting_since),
        "steps": board.steps if board else (),
        "proposer": names.get(proposal.side, proposal.side) if proposal else "",
        "asked_to_consent": proposal is not None and place.side in proposal.asked,
        "plan": panel(place, look, look.sheet, board=board) if look.sheet else "",
        "buttons": page_words.buttons_of(look.pending) if look.pending else [],
        "counting": look.pending is not None and page_words.is_counting(look.pending),
        "recap": recap_of(look, lines),
        "pictures": page_words.pictures_of(look, board) if pictures else None,
        "on_map": choices_of(look),
        "nation": page_words.nation_of(board, place.side),
        "opponents": page_words.opponents_of(look, place),
        "may_ask": not place.spectator and look.result is None,
    }
