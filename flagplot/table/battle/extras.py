"""Beside the battle page: odds of the question, replay, the report, the save and the proof."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from flagplot.kernel.codewords import words_of
from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.kernel.words import capital
from flagplot.odds.position_answer import PositionAnswer
from flagplot.table.battle import page_words
from flagplot.table.battle.map_page import map_drawn
from flagplot.table.info import Table
from flagplot.table.pages import page
from flagplot.table.plans.forms import entries, own_answers
from flagplot.table.plans.odds_words import BELIEFS, comparison, shown
from flagplot.table.plans.shares import settled
from flagplot.table.reader import As, Place, by_script, calculator_of, looking, seated, table_page, tables_of
from flagplot.table.workers.game_work import OddsAsked

router = APIRouter(include_in_schema=False)

Step = Annotated[int, Query(ge=0, le=1_000_000)]
Reader = Annotated[str, Query(alias="seen", max_length=80)]
More = Annotated[int, Query(ge=0, le=8)]
Believe = Annotated[str, Query(max_length=20)]
MOST_MORE = 2
"""How often a better estimate is offered: then the time for a question is used up."""
NOT_YET = "Spectators can see this when the battle is over: before that it would tell too much."
SENTENCE = re.compile(r"(?<=\.) ")
"""Where a sentence ends; those that name a command of the terminal are not for a page."""


# --- odds of the question ---------------------------------------------------------------------------------------


@router.get("/table/{game_id}/odds")
def odds(
    request: Request,
    game_id: str,
    at: Annotated[int, Query()],
    side: As = "",
    quick: Annotated[str, Query()] = "",
    more: More = 0,
    believe: Believe = "",
) -> Response:
    """What comes of the plan that the form holds, or of each option of a single question, with what the side knows
    alone; reckoned elsewhere, within a few seconds. Nobody has asked for `quick` ones: they are exact and soon, or a
    button that asks for them. `more` says how often somebody has wanted a better estimate."""
    place = seated(request, game_id, side)
    form = settled(request.query_params).form
    tables, answers = tables_of(request), own_answers(form)
    lines = tables.asked_lines(game_id, place.side, at)
    if not lines:
        return _odds(request, "This question is not asked any more.", quick)
    filled = bool(entries(form))
    plan = [one.chosen for one in tables.plan(game_id, place.side, answers)] if filled else []
    try:
        wanted = OddsAsked(place.side, tuple(plan), bool(quick), more, believe)
        found = calculator_of(request).ask_position(lines, wanted)
    except FlagplotError as fault:
        return _odds(request, _sentence(fault.message), quick, slow=True)
    return _odds(request, found.why_not, quick, found, slow=found.slow, more=more)


def _odds(
    request: Request,
    why_not: str,
    quick: str,
    found: PositionAnswer | None = None,
    *,
    slow: bool = False,
    more: int = 0,
) -> Response:
    options, compared = (shown(found), comparison(found)) if found else ([], None)
    if quick and not compared and not any([one.bars or one.figures for one in options]):
        options = []  # nobody has asked, and there is nothing to tell
    return page(
        request,
        "battle_odds.html",
        why_not=without_commands(why_not) or "Nothing is at stake.",
        asked_for=not quick,
        options=options,
        slow=slow and bool(quick),
        unknown=found.unknown if found else (),
        compared=compared,
        belief=found.belief if found else None,
        beliefs=BELIEFS,
        more=more + 1 if found and found.is_sampled and more < MOST_MORE else 0,
    )


def without_commands(words: str) -> str:
    """Sentences for a page: what a terminal is told to type is left out."""
    return " ".join([one for one in SENTENCE.split(words) if "`" not in one])


def _sentence(words: str) -> str:
    return f"{capital(words).rstrip('.')}."


def _named(place: Place, look: Any) -> Place:
    return replace(place, names=tuple(look.view.sides.items()))


# --- replay -----------------------------------------------------------------------------------------------------


@router.get("/table/{game_id}/replay")
@router.get("/watch/{public_id}/replay")
def replay(request: Request, step: Step = 0, seen: Reader = "", side: As = "") -> Response:
    """The game again, as a side saw it: one's own at any time, the others when it is over."""
    place = looking(request, side)
    readers = _readers(place)
    reader = seen or readers[0]
    if reader not in readers:
        raise HTTPException(403, "The game as others saw it is shown at the end.")
    tables = tables_of(request)
    look = tables.replay(place.table.id, reader, 0)
    if step:
        look = tables.replay(place.table.id, reader, min(step, look.steps))
    names, board = page_words.names_of(look), page_words.board_of(look)
    context: dict[str, Any] = {
        "look": look,
        "reader": reader,
        "readers": [(one, names.get(one, "All of it")) for one in readers],
        "steps": board.steps if board else (),
        "pictures": page_words.pictures_of(look, board),
        "may_ask": False,
        "log": [page_words.entry(line, True) for line in reversed([*page_words.log_of(look, 8)])],
        "asked": look.pending.text if look.pending else "",
        "waiting": names.get(look.waiting_for, look.waiting_for) if look.waiting_for else "",
    }
    place = _named(place, look)
    if by_script(request):
        return table_page(request, place, "battle_replay_step.html", **context)
    moments = tables.key_moments(place.table.id, reader)
    return table_page(request, place, "battle_replay.html", moments=moments, **context)


def _readers(place: Place) -> list[str]:
    """As whom somebody may replay a game: the first is shown unless another is wanted."""
    if place.table.finished:
        own = [place.side] if not place.spectator else []
        return list(dict.fromkeys([*own, UMPIRE, *place.table.sides]))
    if place.spectator:
        raise HTTPException(403, NOT_YET)
    return [place.side]


# --- the report -------------------------------------------------------------------------------------------------


@router.get("/table/{game_id}/report")
@router.get("/watch/{public_id}/report")
def report(request: Request, side: As = "") -> Response:
    """The battle on one page, as the side may know it."""
    from flagplot.report.gathering import gathered
    from flagplot.report.page import page as lines_of

    place = looking(request, side)
    if place.spectator and not place.table.finished:
        raise HTTPException(403, NOT_YET)
    reader = UMPIRE if place.side == NEUTRAL else place.side
    with tables_of(request).game(place.table.id, place.side) as game:
        lines = lines_of(gathered(game, reader, save_name(place.table)))
        board, chart = game.view(reader).board, game.scenario.get("map")
    drawn = map_drawn(board, chart) if board else None
    text = "\n".join(lines)
    parts = [(heading, paragraphs(body)) for heading, body in _sections(_without_the_command(lines))]
    return table_page(request, place, "battle_report.html", parts=parts, text=text, map=drawn)


def save_name(table: Table) -> str:
    """What the file of a game is called: everybody who may have it may know its public name."""
    return f"{table.public_id}.jsonl"


def _without_the_command(lines: list[str]) -> list[str]:
    """Without the line for whoever works in a terminal; on a page the proof tells how a save is checked."""
    return [line for line in lines if not line.startswith("To verify it:")]


class Paragraph(NamedTuple):
    """A line of a report, however long: by itself, in a list, or in a list under a line."""

    text: str
    level: int


def paragraphs(body: str) -> list[Paragraph]:
    """The text of a report, which is broken for a terminal, in whole lines."""
    found: list[Paragraph] = []
    goes_on = 0
    for line in body.splitlines():
        indent, words = len(line) - len(line.lstrip()), line.strip()
        if words.startswith("- "):
            found.append(Paragraph(words.removeprefix("- "), 1))
            goes_on = indent + 2
        elif words and found and (indent >= goes_on if indent else _is_cut(found[-1], words)):
            found[-1] = found[-1]._replace(text=f"{found[-1].text} {words}")
        elif words:
            found.append(Paragraph(words, 1 if indent else 0))
            goes_on = indent + 2 if indent else 3
    return found


def _is_cut(before: Paragraph, words: str) -> bool:
    """Whether a line goes on with a sentence that was broken before it."""
    return not before.level and before.text[-1] not in ".:)" and words[0].islower()


def _sections(lines: list[str]) -> list[tuple[str, str]]:
    """The report by its headings, which are underlined."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line and below and set(below) <= {"-", "="} and len(below) >= min(len(line), 3):
            parts.append((line, []))
        elif not (line and set(line) <= {"-", "="}):
            parts[-1][1].append(line)
    return [(title, "\n".join(body).strip("\n")) for title, body in parts if title or any(body)]


# --- the save and the proof -------------------------------------------------------------------------------------


@router.get("/table/{game_id}/save")
@router.get("/watch/{public_id}/save")
def save(request: Request) -> Response:
    """The save with the opened secret, when the game is over."""
    place = looking(request)
    if not place.table.finished:
        raise HTTPException(403, "The save holds the secrets of both sides: it is here when the game is over.")
    text = tables_of(request).save(place.table.id)
    headers = {"Content-Disposition": f'attachment; filename="{save_name(place.table)}"'}
    return Response(text, media_type="application/jsonl", headers=headers)


@router.get("/table/{game_id}/proof")
@router.get("/watch/{public_id}/proof")
def proof(request: Request, side: As = "") -> Response:
    """The dice: what was committed to and added; when the game is over, all of it proved."""
    place = looking(request, side)
    tables, table = tables_of(request), place.table
    look = tables.look(table.id, place.side)
    names = page_words.names_of(look)
    found = tables.verify(table.id) if table.finished else None
    return table_page(
        request,
        _named(place, look),
        "battle_proof.html",
        table=table,
        seats=[(names.get(side, side), holder) for side, holder in table.holders.items()],
        mine=[(side, names.get(side, side)) for side in place.sides],
        found=found,
        words=words_of(found.head if found else table.commitment),
        sentences=_sentences(found.in_words()) if found else [],
        file=save_name(table),
        takes_nonces=tables.takes_nonces(table.id),
    )


def _sentences(words: list[str]) -> list[tuple[str, str]]:
    """What the proof found: each with a class, by whether it is good, open or wrong."""
    told = []
    for line in words:
        kind = "wrong" if line.startswith("problem: ") else "open" if line.startswith("note: ") else "good"
        text = line.removeprefix("problem: ").removeprefix("note: ")
        if not line.startswith(("head: ", "(")):
            told.append((kind, _sentence(text)))
    return told
