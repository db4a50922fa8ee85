"""A board that is no sea chart, as panels of trays: bases, forces, ground units, fronts, boxes of a line of battle."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from flagplot.board.model import Board, Place
from flagplot.draw.board_words import bare_bases, laid_out
from flagplot.draw.nations import code_of
from flagplot.draw.trays import Asks, Tray, tray_of


class Panel(NamedTuple):
    """A place with its trays."""

    title: str
    note: str
    kind: str
    nation: str
    trays: tuple[Tray, ...]
    bare: tuple[str, ...]
    """Bases without anything, which are only named."""
    lines: tuple[str, ...]


def panels_of(board: Board, asks: Asks | None = None) -> tuple[Panel, ...]:
    """The places of a board; those of one name, as the bases of both sides, are one panel."""
    return tuple(
        [_panel(board, list(some), asks or {}) for _, some in groupby(board.places, lambda place: place.title)]
    )


def _panel(board: Board, places: list[Place], asks: Asks) -> Panel:
    first, bare = places[0], [stack for place in places for stack in bare_bases(place) if stack.subject not in asks]
    trays = [
        tray_of(board, place, stack, asks) for place in places for stack in laid_out(place, asks)
    ]  # fmt: skip
    return Panel(
        title=first.title,
        note="; ".join([place.note for place in places if place.note]),
        kind=first.kind,
        nation=code_of(board.flags.get(first.side, "")),
        trays=tuple(trays),
        bare=tuple([stack.title for stack in bare]),
        lines=tuple([line for place in places for line in place.lines]),
    )
