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
from flagplot.table.info import Look


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
    if board.is_battle:
        return Drawn(sea_chart(board, asks), (), board.lead, (), words)
    return Drawn(None, panels_of(board, asks), board.lead, tuple(map(str, board.news)), words)


# --- what can be clicked ----------------------------------------------------------------------------------------


def asks_of(look: Look, board: Board) -> dict[str, Ask]:
    """What on the board answers the reader's question, by its subject."""
    if look.pending is None:
        return {}
    form = f"asked-{look.pending.at}"
    asks = [
        Ask(choice.text, form, key=str(choice.number) if choice.number < 10 else "", words=choice.label)
        for choice in look.pending.options
    ]
    return distinct(meant(look.game, board, asks))


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
