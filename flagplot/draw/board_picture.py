"""A board as one picture that stands alone: its places, and on each the stacks with their counters.

Notebooks show it for a view. It has the light colours of the pages, and all of it is told in words for those who do not
see it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from flagplot.board.model import Board, Counter, Note, Place, Stack
from flagplot.draw.board_words import board_in_words, laid_out
from flagplot.draw.counters import HEIGHT, INKS, WIDTH, counter_svg, face_of
from flagplot.draw.measuring import width_of, wrapped
from flagplot.draw.nations import code_of
from flagplot.draw.svg import document, length, xml_text

PAPER, SEA, INK, SOFT = "#fffdf9", "#cfe2ea", "#16202b", "#47535f"
ACROSS, EDGE, GAP, HEAD, LINE = 940.0, 14.0, 10.0, 26.0, 17.0
MOST = 5
"""Counters beside each other on a tray."""


def board_picture(board: Board) -> str:
    """The text of an SVG file."""
    shapes, y = list[str](), EDGE
    for title, places in groupby(board.places, lambda place: place.title):
        y += 20
        shapes.append(_text(EDGE, y - 4, title, 15, INK, bold=True))
        y = _place(shapes, board, list(places), y) + GAP
    ground = f'<rect width="{length(ACROSS)}" height="{length(y)}" rx="8" fill="{SEA}"/>'
    told = "\n".join(board_in_words(board))
    return document("board", board.heading, told, (length(ACROSS), length(y)), [ground, *shapes], "", "light")


def _place(shapes: list[str], board: Board, places: list[Place], y: float) -> float:
    """Its trays in rows from left to right; how far they reach."""
    x, high = EDGE, 0.0
    for stack in [stack for place in places for stack in laid_out(place)]:
        tray = list(_tray(board, stack))
        width, height = _size(stack)
        if x > EDGE and x + width > ACROSS - EDGE:
            x, y, high = EDGE, y + high + GAP, 0.0
        shapes.append(f'<g transform="translate({length(x)} {length(y)})">{"".join(tray)}</g>')
        x, high = x + width + GAP, max(high, height)
    return y + high


def _size(stack: Stack) -> tuple[float, float]:
    counters, notes = stack.counters, _notes(stack)
    columns = max(1, min(MOST, len(counters)))
    rows = -(-len(counters) // columns)
    title = width_of(_title(stack), 14, bold=True)
    width = max(columns * (WIDTH + 6) + 14 if counters else 0, title + 20, 180 if notes else 0)
    return width, HEAD + rows * (HEIGHT + 6) + LINE * len(_lines(notes, width)) + 8


def _tray(board: Board, stack: Stack) -> Iterator[str]:
    width, height = _size(stack)
    nation = next((one.nation for one in stack.counters if one.nation), board.flags.get(stack.side, ""))
    rim = INKS[code_of(nation)][1]
    fill = f'fill="{PAPER}" fill-opacity=".85" stroke="{rim}" stroke-width="1.5"'
    yield f'<rect width="{length(width)}" height="{length(height)}" rx="9" {fill}/>'
    yield _text(9, 18, _title(stack), 14, rim, bold=True)
    y = HEAD
    for number, counter in enumerate(stack.counters):
        column, row = number % MOST, number // MOST
        face = face_of(counter, sunk=stack.kind == "lost" and stack.state == "gone", nation=nation)
        yield counter_svg(face, 8 + column * (WIDTH + 6), HEAD + row * (HEIGHT + 6))
        y = HEAD + (row + 1) * (HEIGHT + 6)
    for number, line in enumerate(_lines(_notes(stack), width)):
        yield _text(9, y + LINE * number + 12, line, 13, SOFT)


def _title(stack: Stack) -> str:
    return f"{stack.title}, {stack.name.removeprefix('the ')}" if stack.name else stack.title


def _notes(stack: Stack) -> list[str]:
    said = [note.told for note in stack.marks if note.text]
    said += [item.told for item in stack.items if isinstance(item, Note)]
    doing: dict[str, list[Counter]] = {}
    for one in stack.counters:
        if one.doing:
            doing.setdefault(one.doing, []).append(one)
    return said + [f"{', '.join([one.brief or one.name for one in some])} {what}" for what, some in doing.items()]


def _lines(notes: list[str], width: float) -> list[str]:
    return [line for note in notes for line in wrapped(note, 13, width - 18)]


def _text(x: float, y: float, text: str, size: int, colour: str, *, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    return f'<text x="{length(x)}" y="{length(y)}" font-size="{size}" fill="{colour}"{weight}>{xml_text(text)}</text>'
