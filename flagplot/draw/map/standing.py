"""What lies on a map: counters in their nations' colours, paths, and how far air units fly; laid out for each size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import cos, pi, sin
from typing import Final, NamedTuple

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.board.model import MapBase, MapCounter, MapItem, Path, Reach, SeaMap
from flagplot.draw.map.coasts import Point
from flagplot.draw.map.ground import LEVELS, UNIT, Sheet, closed, names_of, number, opened, spots_of, taken_by
from flagplot.draw.map.labels import Box
from flagplot.draw.nations import code_of
from flagplot.draw.svg import xml_text
from flagplot.draw.symbols import SILHOUETTES
from flagplot.kernel.words import capital

FULL, SMALL, MINI = (58, 46), (40, 31), (17, 15)
"""The faces of a counter, in dots of the screen: with its name, with its factors, with its nation's sign alone."""
GAP: Final = 3
ROW: Final = 3
"""Counters that stand side by side."""


class Pile(NamedTuple):
    """The counters in a hex, as they are shown at one size."""

    at: Hex
    box: Box
    far: bool
    """Whether they stand aside, with a line to their hex."""
    counters: tuple[tuple[int, Point], ...]
    """By their number among all counters: where each stands."""


# --- counters ---------------------------------------------------------------------------------------------------


def face_of(size: int) -> tuple[int, int]:
    """Which face a counter shows on a map whose hexes are so many dots wide."""
    return FULL if size >= 49 else SMALL if size >= 25 else MINI


@lru_cache(maxsize=512)
def piles_of(sheet: Sheet, bases: tuple[MapBase, ...], items: tuple[MapItem, ...], size: int) -> tuple[Pile, ...]:
    """Where the counters stand on a map whose hexes are so many dots wide: on their hex if nothing is there, else as
    near as there is room. No counter meets a name, an icon or another counter, while there is room at all."""
    counters = [(item.at, counter) for item in items for counter in item.counters]
    by_hex: dict[Hex, list[int]] = {}
    for place, (at, _) in enumerate(counters):
        if sheet.shows(at) and at in sheet.board:
            by_hex.setdefault(at, []).append(place)
    full = list(_taken(sheet, bases, size))
    piles = []
    for at, places in by_hex.items():
        pile = _pile(sheet, at, _shown(places, counters, size), full, size)
        full.append(pile.box)
        piles.append(pile)
    return tuple(piles)


@lru_cache(maxsize=1024)
def _taken(sheet: Sheet, bases: tuple[MapBase, ...], size: int) -> tuple[Box, ...]:
    """Where names and icons are."""
    icons = [spot for spot in spots_of(sheet.board, bases) if not spot.water and sheet.shows(spot.at)]
    names = [name.box for name in names_of(sheet, bases, size)]
    return (*names, *[taken_by(sheet, spot, size) for spot in icons])


def _shown(places: list[int], counters: Sequence[tuple[Hex, MapCounter]], size: int) -> list[int]:
    """All counters; where they are small, one for each nation."""
    if face_of(size) != MINI:
        return places
    return list({code_of(counters[place][1].nation): place for place in reversed(places)}.values())[::-1]


def _pile(sheet: Sheet, at: Hex, places: list[int], full: Sequence[Box], size: int) -> Pile:
    dot, (wide, high) = UNIT / size, face_of(size)
    usual = min(len(places), ROW)
    columns, box = usual, Box(0, 0, 0, 0)
    for columns in (usual, *range(1, usual)):  # a crowded sea may have room for a column
        rows = -(-len(places) // columns)
        across, down = (columns * (wide + GAP) - GAP) * dot, (rows * (high + GAP) - GAP) * dot
        left, top = _room(sheet, at, across, down, full, dot)
        box = Box(left, top, left + across, top + down)
        if not any([box.meets(one) for one in full]):
            break
    (x, y), (left, top) = sheet.centre(at), box[:2]
    far = not (box.left - UNIT / 4 <= x <= box.right + UNIT / 4 and box.top - UNIT / 2 <= y <= box.bottom + UNIT / 2)
    spots = [
        (place, (left + count % columns * (wide + GAP) * dot, top + count // columns * (high + GAP) * dot))
        for count, place in enumerate(places)
    ]
    return Pile(at, box, far, tuple(spots))


def _room(sheet: Sheet, at: Hex, across: float, down: float, full: Sequence[Box], dot: float) -> Point:
    """The upper left corner of the nearest free place for something of a size; if there is none, of that which covers
    least."""
    (x, y), (wide, high) = sheet.centre(at), sheet.size
    far = FARTHEST + UNIT / 2
    west, east, north, south = x - across - far, x + across + far, y - down - far, y + down + far
    near = [box for box in full if box[0] < east and box[2] > west and box[1] < south and box[3] > north]
    corner_x, corner_y, most_x, most_y = x - across / 2, y - down / 2, wide - across - dot, high - down - dot
    tried = []
    for dx, dy in _tries(across, down):
        left, top = corner_x + dx, corner_y + dy
        left = dot if left < dot else most_x if left > most_x else left
        top = dot if top < dot else most_y if top > most_y else top
        right, bottom = left + across, top + down
        for box in near:  # this is done often, so no function is called
            if box[0] < right and left < box[2] and box[1] < bottom and top < box[3]:
                break
        else:
            return left, top
        tried.append(Box(left, top, right, bottom))
    best = min(tried[:SERIOUS], key=lambda room: sum([room.overlap(box) for box in near if room.meets(box)]))
    return best.left, best.top


GAPS: Final = (
    0.22,
    0.36,
    0.5,
    0.7,
    0.95,
    1.25,
    1.6,
    2.0,
    2.5,
    3.1,
    3.8,
    4.6,
    5.5,
    6.5,
    7.6,
    9.0,
    10.6,
    12.4,
    14.4,
    16.6,
)
"""How far from their hex counters may stand, in widths of a hex; a line leads to it."""
FARTHEST: Final = GAPS[-1] * UNIT
SERIOUS: Final = 20
"""How many of the nearest places are weighed against each other if none is free."""


@lru_cache(maxsize=512)
def _tries(across: float, down: float) -> tuple[Point, ...]:
    """How far from the middle of its hex something of a size may stand, the nearest first; above rather than below."""
    found = [(0.0, 0.0)]
    for gap in GAPS:
        for turn in (0, 1, -1, 2, -2, 4, -4, 3, -3, 8, 7, -7, 6, -6, 5, -5):
            angle = turn * pi / 8 - pi / 2
            found.append((cos(angle) * (across / 2 + gap * UNIT), sin(angle) * (down / 2 + gap * UNIT)))
    return tuple(found)


def counter_symbols(items: Sequence[MapItem], key: str, levels: Sequence[int] = LEVELS) -> str:
    """The faces of all counters, each to be used at every size."""
    faces = {face_of(size) for size in levels}
    made = []
    for place, counter in enumerate([counter for item in items for counter in item.counters]):
        made += [
            _face(counter, face, f"{key}{place}{'msf'[[MINI, SMALL, FULL].index(face)]}") for face in sorted(faces)
        ]
    return f"<defs>{''.join(made)}</defs>"


def _face(counter: MapCounter, face: tuple[int, int], key: str) -> str:
    wide, high = face
    code = code_of(counter.nation)
    plate = f'<rect class="m-face" x=".7" y=".7" width="{wide - 1.4:g}" height="{high - 1.4:g}" rx="4"/>'
    if counter.hidden or counter.inverted:
        lines = "".join([f"M{start} {high}l{high} -{high}" for start in range(-high, wide, 12)])
        plate += f'<clipPath id="{key}c"><rect width="{wide}" height="{high}" rx="4"/></clipPath>'
        plate += f'<path class="m-hatch" clip-path="url(#{key}c)" d="{lines}"/>'
    inner = {MINI: _mini, SMALL: _small, FULL: _full}[face](counter, code)
    return f'<symbol id="{key}" viewBox="0 0 {wide} {high}"><g class="m-chip m-{code}">{plate}{inner}</g></symbol>'


def _mini(counter: MapCounter, code: str) -> str:
    return f'<use class="m-print" href="#m-{code}" x="4" y="3" width="9" height="9"/>'


def _small(counter: MapCounter, code: str) -> str:
    sign = f'<use class="m-print" href="#m-{code}" x="4" y="3" width="9" height="9"/>'
    value = (
        f'<text class="m-print m-f" x="36" y="13" font-size="12.5" text-anchor="end">{xml_text(counter.value)}</text>'
    )
    if counter.silhouette is None:
        name = xml_text(counter.label.replace("group ", "G") if len(counter.label) > 6 else counter.label)
        return f'{sign}{value}<text class="m-print" x="20" y="26" font-size="11.5" text-anchor="middle">{name}</text>'
    return f"{sign}{value}{_art(counter, 20, 21.5, 34)}"


def _full(counter: MapCounter, code: str) -> str:
    sign = f'<use class="m-print" href="#m-{code}" x="5" y="4" width="11" height="11"/>'
    value = (
        f'<text class="m-print m-f" x="53" y="15" font-size="14.5" text-anchor="end">{xml_text(counter.value)}</text>'
    )
    name = capital(counter.label)
    label = f'<text class="m-print" x="29" y="41" font-size="12" text-anchor="middle">{xml_text(name[:9])}</text>'
    if counter.silhouette is None and counter.hidden:
        return f'{sign}<text class="m-print m-f" x="29" y="29" font-size="15" text-anchor="middle">?</text>{label}'
    return f"{sign}{value}{_art(counter, 29, 23, 48)}{label}"


def _art(counter: MapCounter, x: float, y: float, wide: float) -> str:
    """Its silhouette around a point."""
    art = SILHOUETTES[counter.silhouette] if counter.silhouette else "army"
    across, high = (wide * 0.55, wide * 0.38) if art == "air" else (wide, wide * 19 / 70)
    place = f'x="{number(x - across / 2)}" y="{number(y - high / 2)}" width="{number(across)}" height="{number(high)}"'
    return f'<use class="m-print" href="#{art}" {place}/>'


def counters_at(sheet: Sheet, sea: SeaMap, key: str, size: int) -> str:
    """All counters of a map whose hexes are so many dots wide, those that are used by `counter_symbols`."""
    dot, face = UNIT / size, face_of(size)
    wide, high, sign = number(face[0] * dot), number(face[1] * dot), "msf"[[MINI, SMALL, FULL].index(face)]
    parts = []
    for pile in piles_of(sheet, sea.bases, sea.items, size):
        if pile.far:
            foot = sheet.centre(pile.at)
            parts.append(f'<path class="m-pole" d="{opened([foot, _nearest(pile.box, foot)])}"/>')
        parts += [
            f'<use href="#{key}{place}{sign}" x="{number(x)}" y="{number(y)}" width="{wide}" height="{high}"/>'
            for place, (x, y) in pile.counters
        ]
    return "".join(parts)


def _nearest(box: Box, point: Point) -> Point:
    return min(max(point[0], box.left), box.right), min(max(point[1], box.top), box.bottom)


# --- paths and ranges -------------------------------------------------------------------------------------------


def path_parts(sheet: Sheet, paths: Sequence[Path], told: Sequence[str]) -> Iterator[str]:
    """Paths that are set: dotted, in their nation's colour, with an arrow at their end."""
    for path, words in zip(paths, told, strict=True):
        points = [sheet.centre(at) for at in path.hexes if at in sheet.board]
        if len(points) < 2:
            continue
        line = opened(points)
        yield (
            f'<g class="m-{code_of(path.nation)}-word"><title>{xml_text(words)}</title>'
            f'<path class="m-under" d="{line}"/>'
            f'<path class="m-route m-set" d="{line}"/>{arrow(points)}</g>'
        )


def arrow(points: Sequence[Point]) -> str:
    """The head of a path."""
    (x0, y0), (x, y) = points[-2:]
    long = ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5
    dx, dy = (x - x0) / long, (y - y0) / long
    head = [
        (x + 5 * dx, y + 5 * dy),
        (x - 5 * dx - 5 * dy, y - 5 * dy + 5 * dx),
        (x - 5 * dx + 5 * dy, y - 5 * dy - 5 * dx),
    ]
    return f'<path class="m-head" d="{closed(head)}"/>'


def reach_parts(sheet: Sheet, reaches: Sequence[Reach]) -> Iterator[str]:
    """The hexes in reach, as the hexagon around them."""
    for reach in reaches:
        if reach.at not in sheet.board:
            continue
        (x, y), far = sheet.centre(reach.at), reach.hexes + 0.5
        turns = [turn * pi / 3 for turn in range(6)]
        ring = closed([(x + far * UNIT * cos(turn), y + far * UNIT * sin(turn)) for turn in turns])
        look = f'class="m-reach m-{code_of(reach.nation)}-word" data-reach="{xml_text(reach.key)}"'
        yield f'<path {look} d="{ring}"><title>{xml_text(f"{reach.words}: {reach.hexes} hexes")}</title></path>'


def fight_part(sheet: Sheet, at: Hex) -> str:
    """The hex in which it is fought."""
    return f'<path class="m-fight" d="{closed(sheet.corners(at, 0.94))}"/>' if at in sheet.board else ""
