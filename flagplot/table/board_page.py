"""The board on a battle page: the sea chart of a battle, or panels of trays; what can be clicked on it, its words."""

from __future__ import annotations

from dataclasses import dataclass

from flagplot.board.model import Board
from flagplot.draw.board_words import board_in_words
from flagplot.draw.panels import Panel, panels_of
from flagplot.draw.sea_chart import Chart, sea_chart
from flagplot.draw.trays import Asks


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
