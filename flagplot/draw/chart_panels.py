"""The panels of a chart: bars that lie below each other, and small histograms that share their columns.

A panel knows how high it is at a width, draws itself at a place, and tells itself in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from flagplot.draw.bins import Bin, bins_of
from flagplot.draw.measuring import width_of, wrapped
from flagplot.draw.shapes import Box, Diamond, Shape, Stroke, Words

TITLE, NOTE, TEXT, SMALL = 13.0, 11.0, 11.5, 9.5
"""Sizes of text: of a panel's title, the line below it, its rows, and the numbers at small bars."""
LINE, TITLE_LINE = 15.0, 18.0
GAP = 8.0
"""Between what stands beside each other."""
ROW, BAR = 19.0, 12.0
"""The height of a row, and of the bar in it."""
TALL = 30.0
"""The height of the tallest bar of a small histogram."""
MOST_COLUMNS = 12
"""Columns of small histograms."""
LEAST = 185.0
"""The least room that small histograms have in the narrowest panel."""
CAP = 3.0
"""Half the height of the ends of an interval."""


class Row(NamedTuple):
    """One bar."""

    label: str
    share: float
    cells: tuple[str, ...]
    """What is told beside it, below the headings of the panel."""
    more: float | None = None
    """The chance of so many or more, as an outline."""
    interval: tuple[float, float] | None = None
    hollow: bool = False


class Histogram(NamedTuple):
    """A row of small bars, one for each column of the panel."""

    label: str
    shares: tuple[float, ...]
    cells: tuple[str, ...]


class _Columns(NamedTuple):
    """How the width of a panel is used: labels to the left, cells to the right, bars between."""

    labels: float
    bars: float
    cells: tuple[float, ...]


def _divided(
    width: float, labels: Sequence[str], heads: Sequence[str], cells: Sequence[Sequence[str]], most: float
) -> _Columns:
    """`most` is the part of the width that labels may take."""
    widths = []
    for place, head in enumerate(heads):
        texts = [head, *[row[place] for row in cells]]
        widths.append(max([width_of(text, TEXT) for text in texts]) + GAP)
    longest = max([width_of(label, TEXT) for label in labels], default=0)
    room = min(longest, most * width)
    return _Columns(room, width - room - GAP - sum(widths), tuple(widths))


def _heading(x: float, y: float, width: float, title: str, note: str) -> Iterator[Words]:
    """The title of a panel and the line below it."""
    for line in wrapped(title, TITLE, width, bold=True) if title else ():
        yield Words(x, y + 13, line, TITLE, bold=True)
        y += TITLE_LINE
    for line in wrapped(note, NOTE, width) if note else ():
        yield Words(x, y + 10, line, NOTE, "faint")
        y += LINE


def _heading_height(width: float, title: str, note: str) -> float:
    lines = len(wrapped(note, NOTE, width)) if note else 0
    titled = len(wrapped(title, TITLE, width, bold=True)) if title else 0
    return TITLE_LINE * titled + LINE * lines + 2


def _row_of_cells(x: float, y: float, columns: _Columns, cells: Sequence[str], *, faint: bool) -> Iterator[Words]:
    right = x + columns.labels + GAP + columns.bars
    for text, width in zip(cells, columns.cells, strict=True):
        right += width
        yield Words(right, y, text, TEXT, "faint" if faint else "ink", "end")


# --- bars -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars below each other. A bar across all the room for bars is certainty."""

    title: str
    rows: tuple[Row, ...]
    heads: tuple[str, ...]
    note: str = ""
    mean: float | None = None
    """Where the average lies among the rows."""
    told: str = ""
    """The average in words."""

    def height(self, width: float) -> float:
        columns = self._columns(width)
        return _heading_height(width, self.title, self.note) + LINE + sum([h for h, _ in self._lines(columns)])

    def _columns(self, width: float) -> _Columns:
        return _divided(width, [row.label for row in self.rows], self.heads, [row.cells for row in self.rows], 0.34)

    def _lines(self, columns: _Columns) -> list[tuple[float, list[str]]]:
        """The height of each row, and the lines of its label."""
        labels = [wrapped(row.label, TEXT, columns.labels) for row in self.rows]
        return [(max(ROW, 13.0 * len(lines) + 6), lines) for lines in labels]

    def draw(self, x: float, y: float, width: float) -> Iterator[Shape]:
        columns = self._columns(width)
        yield from _heading(x, y, width, self.title, self.note)
        y += _heading_height(width, self.title, self.note)
        yield from _row_of_cells(x, y + 11, columns, self.heads, faint=True)
        y += LINE
        axis = x + columns.labels + GAP
        top, middles = y, list[float]()
        for row, (height, label) in zip(self.rows, self._lines(columns), strict=True):
            middles.append(y + height / 2)
            for number, line in enumerate(label):
                base = y + height / 2 + 4 + 13 * (number - (len(label) - 1) / 2)
                yield Words(axis - GAP, base, line, TEXT, anchor="end")
            yield from _bar(row, axis, y + height / 2, columns.bars)
            yield from _row_of_cells(x, y + height / 2 + 4, columns, row.cells, faint=False)
            y += height
        yield Stroke(axis, top, axis, y, "edge")
        if self.mean is not None and middles:
            yield Diamond(axis, _between(middles, self.mean), 4.5, "mark", self.told)

    def words(self) -> Iterator[str]:
        yield self.title + (f" ({self.note})" if self.note else "")
        for row in self.rows:
            told = [f"{head} {cell}".strip() for head, cell in zip(self.heads, row.cells, strict=True) if cell]
            yield f"  {row.label}: {', '.join(told)}"


def _bar(row: Row, axis: float, middle: float, full: float) -> Iterator[Shape]:
    told = f"{row.label}: {row.cells[0]}" if row.cells else row.label
    if row.more is not None and row.more > row.share:
        yield Box(axis, middle - BAR / 2, row.more * full, BAR, "edge", hollow=True)
    if row.share > 0:
        yield Box(axis, middle - BAR / 2, row.share * full, BAR, "bar", told, hollow=row.hollow)
    if row.interval is not None:
        low, high = [axis + end * full for end in row.interval]
        yield Stroke(low, middle, high, middle, "ink", 1.5)
        yield Stroke(low, middle - CAP, low, middle + CAP, "ink", 1.5)
        yield Stroke(high, middle - CAP, high, middle + CAP, "ink", 1.5)


def _between(middles: Sequence[float], place: float) -> float:
    below = min(int(place), len(middles) - 1)
    above = min(below + 1, len(middles) - 1)
    return middles[below] + (place - below) * (middles[above] - middles[below])


# --- small histograms -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Grid:
    """Small histograms below each other, with the same columns and the same scale: the tallest bar is as high as a row.
    At each bar stands its share in per cent."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Histogram, ...]
    heads: tuple[str, ...]
    note: str = ""

    def _divided(self, width: float) -> _Columns:
        return _divided(width, [row.label for row in self.rows], self.heads, [row.cells for row in self.rows], 0.28)

    def _labels(self, divided: _Columns) -> list[list[str]]:
        room = divided.bars / max(len(self.columns), 1) - 2
        return [wrapped(column, SMALL, room) for column in self.columns]

    def _head(self, divided: _Columns) -> float:
        return 12.0 * max([len(lines) for lines in self._labels(divided)], default=1) + 5

    def _row(self, row: Histogram, divided: _Columns) -> float:
        return max(TALL + 18, 13.0 * len(wrapped(row.label, TEXT, divided.labels)) + 8)

    def height(self, width: float) -> float:
        divided = self._divided(width)
        rows = sum([self._row(row, divided) for row in self.rows])
        return _heading_height(width, self.title, self.note) + self._head(divided) + rows

    def draw(self, x: float, y: float, width: float) -> Iterator[Shape]:
        divided = self._divided(width)
        yield from _heading(x, y, width, self.title, self.note)
        y += _heading_height(width, self.title, self.note)
        yield from self._draw_head(x, y, divided)
        y += self._head(divided)
        tallest = max([share for row in self.rows for share in row.shares], default=0) or 1
        for row in self.rows:
            y += self._row(row, divided)
            yield from self._draw_row(x, y - 4, row, divided, TALL / tallest)

    def _middles(self, x: float, divided: _Columns) -> list[float]:
        each = divided.bars / max(len(self.columns), 1)
        return [x + divided.labels + GAP + (place + 0.5) * each for place in range(len(self.columns))]

    def _draw_head(self, x: float, y: float, divided: _Columns) -> Iterator[Shape]:
        for middle, lines in zip(self._middles(x, divided), self._labels(divided), strict=True):
            for number, line in enumerate(lines):
                yield Words(middle, y + 11 + 12 * number, line, SMALL, "faint", "middle")
        yield from _row_of_cells(x, y + 11, divided, self.heads, faint=True)

    def _draw_row(self, x: float, base: float, row: Histogram, divided: _Columns, scale: float) -> Iterator[Shape]:
        left = x + divided.labels + GAP
        each = divided.bars / max(len(self.columns), 1)
        lines = wrapped(row.label, TEXT, divided.labels)
        for number, line in enumerate(lines):
            yield Words(left - GAP, base - 13 * (len(lines) - 1 - number) - 1, line, TEXT, anchor="end")
        for middle, column, share in zip(self._middles(x, divided), self.columns, row.shares, strict=True):
            if share > 0:
                wide, tall = each * 0.7, share * scale
                told = f"{row.label}: {column}: {share:.2%}"
                yield Box(middle - wide / 2, base - tall, wide, tall, "bar", told)
                yield Words(middle, base - tall - 2, whole_percent(share), SMALL, "ink", "middle")
        yield Stroke(left, base, left + divided.bars, base, "edge")
        yield from _row_of_cells(x, base - 1, divided, row.cells, faint=False)

    def words(self) -> Iterator[str]:
        yield self.title + (f" ({self.note})" if self.note else "")
        for row in self.rows:
            told = [f"{head} {cell}".strip() for head, cell in zip(self.heads, row.cells, strict=True) if cell]
            shares = [
                f"{column}: {share:.1%}" for column, share in zip(self.columns, row.shares, strict=True) if share > 0
            ]
            yield f"  {row.label}: {'; '.join([*told, *shares])}"


def whole_percent(share: float) -> str:
    """A share in so little room that only whole per cent fit; what is not nothing, or not all, does not read so."""
    if 0 < share <= 0.005:
        return "<1"
    return "99" if 0.99 < share < 1 else f"{100 * share:.0f}"


Panel = Bars | Grid


def fitting_bins(weights: Mapping[int, int] | Mapping[int, Fraction]) -> list[Bin]:
    """As many columns for numbers as there is room for, for their labels and for whole per cent at their bars."""
    for most in (MOST_COLUMNS, 10, 8, 6):
        bins = [one._replace(label=one.label.replace(" or more", " +")) for one in bins_of(weights, most)]
        words = ["<1", *[word for one in bins for word in one.label.split()]]
        if max([width_of(word, SMALL) for word in words]) + 1 <= LEAST / max(len(bins), 1):
            return bins
    return bins_of(weights, 4)
