"""The parts of a battle page, each a piece of HTML that can be swapped alone.

Each part has a recipe: all that its template is given. A part whose recipe is that of the moment before is not made
again, so what is not in a recipe cannot show on the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

from markupsafe import Markup

from flagplot.board.model import Board
from flagplot.kernel.ruleset import UMPIRE
from flagplot.table.battle import page_words
from flagplot.table.battle.board_page import asks_of, drawn
from flagplot.table.battle.map_page import MapParts, choices_of, map_drawn
from flagplot.table.battle.page_words import Line
from flagplot.table.battle.plan_page import panel
from flagplot.table.battle.recap import recap_of
from flagplot.table.info import Look
from flagplot.table.pages import environment
from flagplot.table.reader import Here, Place
from flagplot.table.seats.talk import REACTIONS
from flagplot.table.service.ordering import scopes_of, strike_words

PARTS = ("top", "status", "since", "question", "news", "ground", "map", "answers", "places", "board", "around", "dice")
"""In the order in which a page has them; each stands in the element `part-…`."""
NO_TOKEN = '<input type="hidden" name="form_token" value="">'
"""The field of a form's token, as it stands in parts: they are the same for all readers of a kind. Pages that are sent
whole have it filled in; later the script of the page sends it along by itself."""


Data = dict[str, Any]


class Recipe(NamedTuple):
    """What a part is made of, and what follows from that for its template: it is worked out only if it is needed."""

    made_of: Data
    more: Callable[[], Data] = dict


class Part(NamedTuple):
    """A part, and what it was made of."""

    made_of: Data
    text: Markup


def parts_of(
    place: Place,
    look: Look,
    board: Board | None,
    lines: Mapping[int, Line],
    before: Mapping[str, Part] | None = None,
) -> dict[str, Part]:
    """All parts as this kind of reader may see them now; what is made of the same as before is taken from there."""
    recipes, known = _recipes(place, look, board, lines), before or {}
    return {name: _made(name, recipes[name], known.get(name)) for name in PARTS}


def _made(name: str, recipe: Recipe, before: Part | None) -> Part:
    if before is not None and before.made_of == recipe.made_of:
        return before
    template = environment().get_template(f"battle_{name}.html")
    return Part(recipe.made_of, Markup(template.render({**recipe.made_of, **recipe.more()})))


def with_token(parts: Mapping[str, Markup], token: str) -> dict[str, Markup]:
    """Parts whose forms work without a script too."""
    field = Markup('<input type="hidden" name="form_token" value="{}">').format(token)
    return {name: Markup(text.replace(Markup(NO_TOKEN), field)) for name, text in parts.items()}


def as_partials(parts: Mapping[str, str]) -> str:
    """Parts for a page that swaps each into its place."""
    return "".join(
        f'<hx-partial hx-target="#part-{name}" hx-swap="innerMorph">{text}</hx-partial>' for name, text in parts.items()
    )


# --- recipes ----------------------------------------------------------------------------------------------------


def _recipes(place: Place, look: Look, board: Board | None, lines: Mapping[int, Line]) -> dict[str, Recipe]:
    here, recap = place.here, recap_of(look, lines)
    return {
        "top": _top(place, look, board),
        "status": _status(here, look, board),
        "since": Recipe(
            {"here": here, "chapters": recap.chapters}, lambda: {"recap": recap, "entry": page_words.entry}
        ),
        "question": _question(place, look, board),
        "news": Recipe({"here": here, "signals": recap.signals, "over": look.result is not None}),
        "answers": _answers(look),
        "dice": _dice(place, look),
        **_map(look, board),
        **_boards(here, look, board),
    }


def _of(look: Look, *names: str) -> SimpleNamespace:
    """Some of what a reader may know."""
    return SimpleNamespace(**{name: getattr(look, name) for name in names})


def _waiting(look: Look) -> str:
    """The name of the side that is waited for."""
    side = None if look.rolling else look.waiting_for
    return page_words.names_of(look).get(side, side) if side else ""


def _top(place: Place, look: Look, board: Board | None) -> Recipe:
    since = None if look.pending else look.waiting_since
    return Recipe(
        {
            "here": place.here,
            "all_seen": look.reader == UMPIRE,
            "nation": page_words.nation_of(board, place.side),
            "opponents": page_words.opponents_of(look, place),
            "unread": look.unread,
            "reacted": look.reacted,
            "reactions": REACTIONS if look.reactions else (),
            "form_token": "",
            "over": look.result is not None,
            "rolling": look.rolling,
            "yours": look.pending is not None,
            "waiting": _waiting(look),
            "since": page_words.moment_for_programs(since),
            "since_words": page_words.moment_in_words(since),
        }
    )


def _status(here: Here, look: Look, board: Board | None) -> Recipe:
    proposal, names = look.proposal, page_words.names_of(look)
    consents = proposal is not None and here.side in proposal.asked
    return Recipe(
        {
            "form_token": "",
            "here": here,
            "steps": board.steps if board else (),
            "proposal": proposal,
            "proposer": names.get(proposal.side, proposal.side) if proposal else "",
            "asked_to_consent": consents,
            "moment": look.moment if consents else 0,
            "seat_requests": look.seat_requests,
        }
    )


def _question(place: Place, look: Look, board: Board | None) -> Recipe:
    """The question, or the plan, whose rows are named after the board."""
    waiting_for = None if look.rolling else look.waiting_for
    shown = _of(
        look,
        "pending",
        "sheet",
        "standings",
        "coach",
        "orders",
        "ahead",
        "result",
        "rolling",
        "may_undo",
        "may_propose",
        "level",
        "advice",
    )
    shown.moment = look.moment if look.may_undo or look.may_propose else 0

    own = page_words.own_words(look, board)

    def more() -> Data:
        return {
            "plan": panel(place, look, look.sheet, board=board) if look.sheet else "",
            "asked": own(look.pending.text) if look.pending else "",
            "buttons": page_words.buttons_of(look.pending, own) if look.pending else [],
            "counting": look.pending is not None and page_words.is_counting(look.pending),
            "scopes_of": lambda one: scopes_of(one, strike_words(look.game)),
        }

    made_of = {
        "form_token": "",
        "here": place.here,
        "look": shown,
        "named_after": board if look.sheet or look.pending else None,
        "waiting_for": waiting_for,
        "waiting": _waiting(look),
        "holder": place.table.holders.get(waiting_for) if waiting_for else None,
        "alone": all(one.is_bot for side, one in place.table.holders.items() if side not in place.here.sides),
        "readonly": place.table.readonly,
    }
    return Recipe(made_of, more)


def _answers(look: Look) -> Recipe:
    """What can be chosen on the map."""
    if look.pending is None or look.chart is None:
        return Recipe({"on_map": None})
    made_of = vars(_of(look, "pending", "sheet", "view", "chart"))
    return Recipe(made_of, lambda: {"on_map": choices_of(look)})


def _dice(place: Place, look: Look) -> Recipe:
    holder = place.table.holders.get(place.side)
    return Recipe(
        {
            "here": place.here,
            "game": place.table.id,
            "commitment": place.table.commitment,
            "contributed": holder is not None and holder.contributed,
            "pledge": look.pledge,
            "reveal": look.reveal,
            "given": look.ahead.given,
        }
    )


def _map(look: Look, board: Board | None) -> dict[str, Recipe]:
    """The map: the ground, what moves on it, what is where in words."""

    @cache
    def map_parts() -> MapParts | None:
        return map_drawn(board, look.chart) if board else None

    sea = board.sea if board and look.chart is not None else None
    made_of = {"chart": look.chart if sea else None, "sea": sea, "battle": board is not None and board.is_battle}
    recipe = Recipe(made_of, lambda: {"pictures": SimpleNamespace(map=map_parts(), map_open=not made_of["battle"])})
    ground = {"chart": made_of["chart"], "bases": sea.bases if sea else ()}
    return {"ground": Recipe(ground, recipe.more), "map": recipe, "places": recipe}


def _boards(here: Here, look: Look, board: Board | None) -> dict[str, Recipe]:
    """The board with what can be clicked on it, and that of the turn around a battle."""
    may_ask = not here.spectator and look.result is None
    usual = {"here": here, "may_ask": may_ask}
    if board is None:
        text = page_words.position_in_words(look)
        nothing = Recipe({**usual, "pictures": SimpleNamespace(board=None, text=text, around=None)})
        return {"board": nothing, "around": nothing}
    asks, around = asks_of(look, board), board.around
    return {
        "board": Recipe(
            {**usual, "lies": board, "asks": asks}, lambda: {"pictures": SimpleNamespace(board=drawn(board, asks))}
        ),
        "around": Recipe(
            {**usual, "lies": around},
            lambda: {"pictures": SimpleNamespace(around=drawn(around) if around else None)},
        ),
    }
