"""The chart of a battle: upper sea the enemy, lower sea the reader, between them what is in action and in the air. An
air phase has its bases there, Line of Battle its two lines.

The chart has seas above each other, and each sea has `COLUMNS` columns of equal width, in which trays have their
places. So a page of any width knows where a tray is, and vectors can be drawn from one to another without measuring.
Where there is room for one tray only, each sea is a row of trays to be swiped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import ceil
from typing import Literal, NamedTuple

from flagplot.board.model import Board, Place, Stack, Vector, counter_subject
from flagplot.draw.board_words import laid_out
from flagplot.draw.counters import counter_html, face_of
from flagplot.draw.nations import code_of
from flagplot.draw.trays import Asks, Tray, tray_of

COLUMNS = 48
COLUMN = 20.6
"""A column in pixels, on the screen that a chart is laid out for."""
GAP, RIMS, BETWEEN = 8, 18, 12
"""In pixels: between counters, left and right of them, between trays."""
RING = 8
"""How much wider a counter is that can be clicked."""
LARGE = 1.25
SCREEN = 720
"""The height of a chart that has to be scrolled on no usual screen."""
SEAS = ("theirs-far", "theirs", "air", "ours", "ours-far", "edge")
FLAT = ("air", "edge")
"""Seas whose trays have their counters beside their titles."""
Sea = Literal["theirs-far", "theirs", "air", "ours", "ours-far", "edge"]


class Berth(NamedTuple):
    """A tray and its place in a sea: the row, from which column on, and how many."""

    tray: Tray
    row: int
    column: int
    span: int
    tight: bool = False
    """Whether its rim has to be short."""

    @property
    def look(self) -> str:
        """Its classes: where it is, and to which side the cards of its counters open."""
        words = [f"r{self.row}", f"c{self.column}", f"w{self.span}"]
        return " ".join([*words, *["tight"] * self.tight, *["right"] * (self.middle > 50)])

    @property
    def middle(self) -> float:
        """Of the width of the chart, in hundredths."""
        return 100 * (self.column - 1 + self.span / 2) / COLUMNS


class Water(NamedTuple):
    """A sea with its trays."""

    sea: Sea
    title: str
    berths: tuple[Berth, ...]


class Flight(NamedTuple):
    """A vector as it is drawn: the seas that it crosses, its line, and the counters at its head."""

    nation: str
    first: int
    last: int
    """Rows of the chart, from 1."""
    paths: tuple[str, ...]
    down: bool
    column: int
    span: int
    counters: tuple[str, ...]
    words: str


class Chart(NamedTuple):
    """A battle as it lies on the table."""

    waters: tuple[Water, ...]
    flights: tuple[Flight, ...]
    lines: tuple[str, ...]
    """What else is going on."""
    dense: bool = False
    """Whether there is so much on it that its counters are lower."""
    large: bool = False
    """Whether there is so little on it that all of it is larger."""

    @property
    def lies_in_lines(self) -> bool:
        """Whether there is nothing but a line of each side, which then lies in the middle of its half."""
        return {water.sea for water in self.waters if water.berths} <= {"theirs", "ours", "edge"}


def sea_chart(board: Board, asks: Asks | None = None) -> Chart:
    """The chart of a battle, for one reader."""
    asks = asks or {}
    mine = board.reader if board.reader in board.names else next(iter(board.names))
    trays: dict[Sea, list[Tray]] = {sea: [] for sea in SEAS}  # type: ignore[misc]
    for place in board.places:
        for stack, clicks in _of_place(place, asks):
            trays[_sea(board, stack, mine)].append(tray_of(board, place, stack, clicks))
    drawn = tuple([vector.words for vector in board.vectors])
    lines = (*board.lead, *[str(news) for news in board.news if not news.who.startswith(drawn)])
    waters, grown = _waters(board, trays, mine)
    large = _height(grown, lines, board.vectors, LARGE) < SCREEN
    dense = _height(waters, lines, board.vectors) > SCREEN
    waters = grown if large else waters
    return Chart(waters, tuple(_flights(board, waters, mine)), lines, dense, large)


def _waters(board: Board, trays: Mapping[Sea, Sequence[Tray]], mine: str) -> tuple[tuple[Water, ...], ...]:
    """All seas, and the same with everything larger."""
    berths = {sea: _both_sizes(sea in FLAT, tuple(some)) if some else ((), ()) for sea, some in trays.items()}
    titles = {sea: _title(board, sea, mine) for sea in trays}
    return tuple([tuple([Water(sea, titles[sea], both[size]) for sea, both in berths.items()]) for size in (0, 1)])


def _of_place(place: Place, asks: Asks) -> list[tuple[Stack, Asks]]:
    """The stacks of a place, each with what can be clicked on it; the units of a line or a box lie on one tray."""
    if place.kind not in ("line", "boxes"):
        return [(stack, asks) for stack in laid_out(place, asks)]
    found = list[tuple[Stack, Asks]]()
    for where in dict.fromkeys([stack.where for stack in place.stacks]):
        units = [stack for stack in place.stacks if stack.where == where]
        title, subject = where or place.title.partition(": ")[0], f"line:{place.side}:{where}"
        counters = tuple([one for unit in units for one in unit.counters])
        line = replace(units[0], title=title, kind="line", subject=subject, active=not where, items=counters)
        clicks = {
            counter_subject(subject, unit.counters[0]): asks[unit.subject] for unit in units if unit.subject in asks
        }
        found.append((line, clicks))
    return found


def _sea(board: Board, stack: Stack, mine: str) -> Sea:
    ours = stack.side == mine
    near: Sea = "ours" if ours else "theirs"
    far: Sea = "ours-far" if ours else "theirs-far"
    if stack.kind in ("lost", "departed") or (stack.kind == "line" and stack.state == "gone"):
        return "edge"
    if stack.kind in ("group", "line"):
        return near if stack.active else far
    if stack.kind == "waiting":
        return far
    return "air" if board.is_battle else near


def _title(board: Board, sea: Sea, mine: str) -> str:
    """What is written on a sea; the parts of it are data, the words are for orientation."""
    if not board.is_battle:
        return ""
    other = next(side for side in board.names if side != mine)
    reading = board.reader == mine
    titles = {
        "theirs-far": f"{'their groups' if reading else board.names[other]} still to come up",
        "ours-far": f"{'your groups' if reading else board.names[mine]} still to come up",
    }
    return titles.get(sea, "")


# --- places in a sea --------------------------------------------------------------------------------------------


@lru_cache(maxsize=8_192)
def _both_sizes(flat: bool, trays: tuple[Tray, ...]) -> tuple[tuple[Berth, ...], tuple[Berth, ...]]:
    return _berths(flat, trays), _berths(flat, trays, LARGE)


def _berths(flat: bool, trays: tuple[Tray, ...], scale: float = 1) -> tuple[Berth, ...]:
    """Trays side by side, as wide as their counters need; if that is too much, with their counters in more rows, and at
    last the trays themselves."""
    rows, spans = 1, [_span(tray, 1, scale, flat=flat) for tray in trays]
    while sum(spans) > COLUMNS and rows < 3 and not flat:
        rows += 1
        spans = [_span(tray, rows, scale) for tray in trays]
    berths = list[Berth]()
    for row, line in enumerate(_lines(spans), 1):
        gap, more = divmod(COLUMNS - sum([spans[number] for number in line]), len(line) + 1)
        column = 1 + gap + more // 2
        for number in line:
            berths.append(Berth(trays[number], row, column, spans[number], rows > 1))
            column += spans[number] + gap
    return tuple(berths)


def _height(waters: Sequence[Water], lines: Sequence[str], vectors: Sequence[Vector], scale: float = 1) -> float:
    """How high a chart is, about, with whole counters."""
    return scale * sum([_depth(water, scale) for water in waters]) + 26 * len(lines) + (64 if vectors else 0)


def _depth(water: Water, scale: float) -> int:
    """How high a sea is, about, before it is made larger."""
    if not water.berths:
        return 0
    if water.sea in FLAT:
        return 56 * max([berth.row for berth in water.berths])
    heights: dict[int, int] = {}
    for berth in water.berths:
        tray, wide = berth.tray, sum(berth.tray.widths) + GAP * len(berth.tray.widths)
        rows = max(ceil(wide * scale / (berth.span * COLUMN)), 1)
        high = 44 + rows * (98 if tray.asked else 72) + 24 * bool(tray.notes and not tray.back)
        heights[berth.row] = max(heights.get(berth.row, 0), high)
    return sum(heights.values()) + 20 + 18 * any([berth.tray.above for berth in water.berths])


def _lines(spans: Sequence[int]) -> list[list[int]]:
    """Which trays stand beside each other."""
    lines, room = list[list[int]](), 0
    for number, span in enumerate(spans):
        if span > room:
            lines.append([])
            room = COLUMNS
        lines[-1].append(number)
        room -= span
    return lines


def _span(tray: Tray, rows: int, scale: float, *, flat: bool = False) -> int:
    """The columns that a tray needs with its counters in so many rows; never less than its rim. A flat one has its
    counters beside its title."""
    said = len(tray.when) if rows == 1 or not tray.active else 0
    title = len(tray.title) if rows == 1 else min(len(tray.title), 14)
    rim = 62 + 8.6 * title + 7 * said + sum([34 + 7 * len(badge.text) for badge in tray.badges])
    rim += 6 * len(tray.aside) if rows == 1 else 0
    widths = [width + RING for width in tray.widths] if tray.asked else tray.widths
    counters = _widest(widths or (_back(tray),), rows) + RIMS + RING * tray.asked
    wide = rim + counters if flat else max(rim, counters, 64 * len(tray.above) + RIMS)
    return min(COLUMNS, ceil((wide * scale + BETWEEN) / COLUMN))


def _back(tray: Tray) -> int:
    """The room of a stack that lies face down, with what is known of it beside."""
    return (92 if tray.back else 0) + max([0, *[7 * len(note.told) for note in tray.notes]])


def _widest(widths: Sequence[int], rows: int) -> int:
    """The room that counters need in so many rows, in their order."""
    each = ceil(len(widths) / rows)
    lines = [widths[start : start + each] for start in range(0, len(widths), each)] if each else []
    return max([sum(line) + GAP * (len(line) - 1) for line in lines], default=0)


# --- vectors ----------------------------------------------------------------------------------------------------


def _flights(board: Board, waters: Sequence[Water], mine: str) -> Iterable[Flight]:
    places = {berth.tray.subject: (row, berth) for row, water in enumerate(waters, 1) for berth in water.berths}
    for vector in board.vectors:
        if vector.target in places:
            yield _flight(board, vector, places, mine)


def _flight(board: Board, vector: Vector, places: Mapping[str, tuple[int, Berth]], mine: str) -> Flight:
    """A line from each stack that the reader knows it comes from, or from the edge of that side's sea."""
    row, target = places[vector.target]
    known = [places[source] for source in vector.sources if source in places]
    starts = known or [(5 if vector.side == mine else 1, target)]
    down = vector.side != mine if not known else known[0][0] < row
    rows = [start for start, _ in starts]
    first, last = (min(rows) + 1, row - 1) if down else (row + 1, max(rows) - 1)
    if first > last:  # neighbours: the line crosses the sea between them, or the one that both are in
        first = last = 3
    counters = [counter_html(face_of(one, nation=board.flags.get(vector.side, ""))) for one in vector.counters]
    nation = next((one.nation for one in vector.counters if one.nation), "")
    return Flight(
        code_of(nation or board.flags.get(vector.side, "")),
        first,
        last,
        tuple([_line(berth.middle, target.middle, down) for _, berth in starts]),
        down,
        *_around(target),
        tuple(counters),
        vector.words,
    )


def _around(target: Berth) -> tuple[int, int]:
    """Some columns with the same middle as a tray has: where the head of a vector is."""
    wide = min(target.span, 6 + target.span % 2)
    return target.column + (target.span - wide) // 2, wide


def _line(start: float, end: float, down: bool) -> str:
    """A curve over the whole height of its picture, a hundred by a hundred."""
    if down:
        return f"M{start:.1f} 0C{start:.1f} 55 {end:.1f} 45 {end:.1f} 100"
    return f"M{start:.1f} 100C{start:.1f} 45 {end:.1f} 55 {end:.1f} 0"
