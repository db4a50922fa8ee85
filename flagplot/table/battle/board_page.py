"""The board on a battle page: the sea chart of a battle, or panels of trays; what can be clicked on it, its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from flagplot import library
from flagplot.board.model import Board
from flagplot.draw.board_words import board_in_words
from flagplot.draw.counters import Ask
from flagplot.draw.panels import Panel, panels_of
from flagplot.draw.sea_chart import Chart, sea_chart
from flagplot.draw.trays import Asks
from flagplot.kernel.sheets import Sheet
from flagplot.table.info import Look

PLAN = "plan"
"""The form of the plan, by its id."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A board for a page."""

    chart: Chart | None
    panels: tuple[Panel, ...]
    lead: tuple[str, ...]
    news: tuple[str, ...]
    told: list[str]
    """All of it in words."""


def drawn(board: Board, asks: Asks | None = None) -> Drawn:
    """The board as its reader may know it; `asks` is what answers the reader's question."""
    words = board_in_words(board)
    if board.is_charted:
        return Drawn(sea_chart(board, asks), (), board.lead, (), words)
    return Drawn(None, panels_of(board, asks), board.lead, tuple(map(str, board.news)), words)


# --- what can be clicked ----------------------------------------------------------------------------------------


def asks_of(look: Look, board: Board) -> dict[str, Ask]:
    """What on the board answers the reader's question, or a field of the plan, by its subject."""
    if look.pending is None:
        return {}
    if look.sheet is not None:
        return _numbered(_plan(look.game, board, look.sheet))
    form = f"asked-{look.pending.at}"
    asks = [
        Ask(choice.text, form, key=str(choice.number) if choice.number < 10 else "", words=choice.label)
        for choice in look.pending.options
    ]
    return distinct(meant(look.game, board, asks))


def _plan(game: str, board: Board, sheet: Sheet) -> dict[str, Ask]:
    """What sets a field of the plan: a choice is taken by a click, and what is counted grows by one. Where several
    fields are about the same, the first one has it."""
    asks: dict[str, Ask] = {}
    chosen = {field.chosen for field in sheet.open_to() if not field.counts}
    for field in sheet.open_to():
        values = list(field.offers)
        if field.counts:
            here = [offer.text for offer in values].index(field.chosen)
            values = values[min(here + 1, len(values) - 1) :][:1]
        offered = [
            Ask(
                one.text,
                PLAN,
                field.key,
                words=f"{field.question} {one.label}",
                more=field.counts,
                chosen=one.text in chosen,
            )
            for one in values
        ]
        for subject, ask in distinct(meant(game, board, offered)).items():
            asks.setdefault(subject, ask)
    return asks


def _numbered(asks: dict[str, Ask]) -> dict[str, Ask]:
    """With the keys 1 to 9, as long as there are no more: what means the same has the same key."""
    options = list(dict.fromkeys([ask.option for ask in asks.values()]))
    keys = {option: str(number) for number, option in enumerate(options, 1)} if len(options) < 10 else {}
    return {subject: ask._replace(key=keys.get(ask.option, "")) for subject, ask in asks.items()}


def meant(game: str, board: Board, asks: Iterable[Ask]) -> Iterator[tuple[str, Ask]]:
    """Each subject with what it would answer."""
    for ask in asks:
        yield from [(subject, ask) for subject in library.subjects_of(game, board, ask.option)]


def distinct(found: Iterable[tuple[str, Ask]]) -> dict[str, Ask]:
    """Those that mean one thing: a click on a counter that several options are about would not say which."""
    asks: dict[str, list[Ask]] = {}
    for subject, ask in found:
        asks.setdefault(subject, []).append(ask)
    return {subject: some[0] for subject, some in asks.items() if len(some) == 1}
