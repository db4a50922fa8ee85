"""A page: a title, what is to be known, panels in columns, and what stands below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from flagplot.draw.chart_panels import Panel
from flagplot.draw.measuring import width_of, wrapped
from flagplot.draw.picture import Picture
from flagplot.draw.shapes import Box, Diamond, Shape, Stroke, Words

MARGIN, GUTTER, BETWEEN = 20.0, 36.0, 18.0
"""Around the page, between its columns, and between panels below each other."""
WIDTHS = {1: 400.0, 2: 440.0, 3: 400.0}
"""How wide a column is, beside so many."""
HEADLINE, WORDS, FOOT = 16.0, 12.0, 10.5
LEGEND = 20.0

Key = Literal["bar", "outline", "average", "interval", "hollow"]


class Page(NamedTuple):
    """What is on a page."""

    title: str
    about: Sequence[str]
    panels: Sequence[Panel]
    below: Sequence[str]
    legend: Sequence[tuple[Key, str]] = ()
    hint: str = ""
    """How the picture is to be read, which is of no use to those who are told it."""


def drawn(page: Page, columns: int | None, text: str = "") -> Picture:
    """A picture of a page; without a text of its own it is told panel by panel."""
    number = max(1, min(columns or _suitable(len(page.panels)), max(len(page.panels), 1)))
    each = WIDTHS.get(number, WIDTHS[3])
    width = 2 * MARGIN + number * each + (number - 1) * GUTTER
    picture = Picture(page.title, width, text=text or told(page))
    y = MARGIN
    y = _lines(picture, [page.title], HEADLINE, y, bold=True) + 2
    y = _lines(picture, [*page.about, *([page.hint] if page.hint else [])], WORDS, y) + 6
    if page.legend:
        y = _legend(picture, page.legend, y)
    y += 8
    y = _panels(picture, page.panels, number, each, y)
    picture.height = _lines(picture, page.below, FOOT, y + 4) + MARGIN - 6
    return picture


def _suitable(panels: int) -> int:
    return 1 if panels < 3 else 2 if panels < 13 else 3


def _lines(picture: Picture, texts: Sequence[str], size: float, y: float, *, bold: bool = False) -> float:
    """Texts across the page; the place below them."""
    room = picture.width - 2 * MARGIN
    for text in texts:
        for number, line in enumerate(wrapped(text, size, room, bold=bold)):
            y += size * (1.35 if number else 1.45)
            picture.add([Words(MARGIN, y - size * 0.3, line, size, "ink" if bold else "faint", bold=bold)])
    return y


def _panels(picture: Picture, panels: Sequence[Panel], columns: int, width: float, top: float) -> float:
    """Panels one below the other, column by column, so that the longest column is as short as can be."""
    heights = [panel.height(width) + BETWEEN for panel in panels]
    bottom = top
    for place, some in enumerate(divided(heights, columns)):
        x, y = MARGIN + place * (width + GUTTER), top
        for number in some:
            picture.add(panels[number].draw(x, y, width))
            y += heights[number]
        bottom = max(bottom, y)
    return bottom


def divided(heights: Sequence[float], columns: int) -> list[range]:
    """Which panels stand in each column: in their order, the longest column as short as can be."""
    places = range(len(heights) + 1)
    limits = sorted({sum(heights[first:last]) for first in places for last in places[first:]})
    for limit in limits:
        parts = _filled(heights, limit)
        if len(parts) <= columns:
            return parts
    return [range(len(heights))]


def _filled(heights: Sequence[float], limit: float) -> list[range]:
    """Columns that are filled up to a height, one after the other."""
    parts, first = list[range](), 0
    for place in range(len(heights)):
        if place > first and sum(heights[first : place + 1]) > limit:
            parts.append(range(first, place))
            first = place
    return [*parts, range(first, len(heights))]


def _legend(picture: Picture, legend: Sequence[tuple[Key, str]], y: float) -> float:
    """What the marks mean, in as many lines as they need."""
    x = MARGIN
    for key, text in legend:
        needed = 30 + width_of(text, WORDS) + 14
        if x > MARGIN and x + needed > picture.width - MARGIN:
            x, y = MARGIN, y + LEGEND
        picture.add(_mark(key, x, y + LEGEND / 2))
        picture.add([Words(x + 30, y + LEGEND / 2 + 4, text, WORDS, "faint")])
        x += needed
    return y + LEGEND


def _mark(key: Key, x: float, y: float) -> Iterator[Shape]:
    match key:
        case "bar":
            yield Box(x, y - 5, 22, 10, "bar")
        case "hollow":
            yield Box(x, y - 5, 22, 10, "bar", hollow=True)
        case "outline":
            yield Box(x, y - 5, 22, 10, "edge", hollow=True)
        case "average":
            yield Diamond(x + 11, y, 4.5, "mark")
        case "interval":
            yield Stroke(x + 2, y, x + 20, y, "ink", 1.5)
            for end in (x + 2, x + 20):
                yield Stroke(end, y - 3, end, y + 3, "ink", 1.5)


def told(page: Page) -> str:
    """A page in words."""
    lines = [page.title, *page.about]
    for panel in page.panels:
        lines += ["", *panel.words()]
    return "\n".join([*lines, *([""] if page.below else []), *page.below])
