"""The ground of a map: sea, land, hexes, names and icons. It follows from the map file and the places that a battle has
bases at, so it is made once; what moves lies on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from math import ceil, cos, pi, sin
from typing import Final

from flagplot.awaw.mapboard.board import Label, Mapboard, Terrain, hex_at
from flagplot.awaw.mapboard.drawing import short_name
from flagplot.awaw.mapboard.hexes import ROW_HEIGHT, Hex, middle, neighbours
from flagplot.board.model import MapBase
from flagplot.draw.map.coasts import Loop, Point, coastlines
from flagplot.draw.map.labels import LINE, Box, Placed, Wanted, place_names
from flagplot.draw.measuring import width_of
from flagplot.draw.svg import xml_text
from flagplot.kernel.data_files import read_data
from flagplot.kernel.words import capital

UNIT: Final = 40.0
"""Units of a drawing for the width of a hex."""
LEVELS: Final = (9, 13, 18, 25, 35, 49, 69, 96)
"""Dots of the screen for the width of a hex: names and counters are laid out for each of these sizes, and the largest
that is not larger than the map on the screen is shown. So they keep their size within a third, and never meet."""
NAME, WATERS, OCEAN, ICON = 12.5, 13.5, 16.0, 8.5
"""Dots of the screen: the size of names, of places at sea, of whole seas, and half the width of an icon."""
SIDE = 0.5 / ROW_HEIGHT
"""From the middle of a hex to a corner, in hexes."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The part of a map that is shown, and where things are on the drawing of it."""

    board: Mapboard
    left: float
    top: float
    across: float
    down: float
    """In hexes."""

    @property
    def size(self) -> tuple[float, float]:
        return self.across * UNIT, self.down * UNIT

    def point(self, x: float, y: float) -> Point:
        """A point that is given in hexes."""
        return (x - self.left) * UNIT, (y - self.top) * UNIT

    def centre(self, at: Hex) -> Point:
        return self.point(*middle(at))

    def corners(self, at: Hex, part: float = 1.0) -> list[Point]:
        """The corners of a hex; the side between corner n and the next one faces neighbour n."""
        x, y = middle(at)
        half, high = part * 0.5, part * SIDE
        around = ((half, -high / 2), (half, high / 2), (0, high), (-half, high / 2), (-half, -high / 2), (0, -high))
        return [self.point(x + dx, y + dy) for dx, dy in around]

    def side(self, one: Hex, other: Hex) -> list[Point]:
        """The two ends of the side between adjacent hexes."""
        corners, number = self.corners(one), neighbours(one).index(other)
        return [corners[number], corners[(number + 1) % 6]]

    def shows(self, at: Hex) -> bool:
        x, y = self.centre(at)
        return 0 <= x <= self.size[0] and 0 <= y <= self.size[1]

    @property
    def hexes(self) -> list[Hex]:
        return [at for at in self.board.terrain if self.shows(at)]


@lru_cache(maxsize=256)
def sheet_of(board: Mapboard, about: tuple[Hex, ...] = (), around: int = 3) -> Sheet:
    """The whole of a map, or what lies around some hexes."""
    inside = [at for at in about if at in board]
    spots = [middle(at) for at in (inside or board.terrain)]
    room = around if inside else 0
    whole = [middle(at) for at in board.terrain]
    left = max(min([x for x, _ in spots]) - room, min([x for x, _ in whole])) - 0.5
    right = min(max([x for x, _ in spots]) + room, max([x for x, _ in whole])) + 0.5
    top = max(min([y for _, y in spots]) - room * ROW_HEIGHT, min([y for _, y in whole])) - SIDE
    bottom = min(max([y for _, y in spots]) + room * ROW_HEIGHT, max([y for _, y in whole])) + SIDE
    return Sheet(board, left, top, right - left, bottom - top)


# --- the parts --------------------------------------------------------------------------------------------------


def ground_parts(sheet: Sheet) -> list[str]:
    """Sea, land and hexes."""
    wide, high = map(number, sheet.size)
    coast = "".join([_rounded(sheet, loop) for loop in coastlines(sheet.board) if _is_seen(sheet, loop)])
    parts = [f'<rect class="m-sea" width="{wide}" height="{high}"/>']
    if coast:
        key = f"coast-{blake2b(coast.encode(), digest_size=4).hexdigest()}"
        parts.append(f'<defs><path id="{key}" d="{coast}"/></defs>')
        parts += [f'<use class="{look}" href="#{key}"/>' for look in ("m-shelf", "m-shoal", "m-land")]
    parts.append(f'<path class="m-grid" d="{_grid(sheet)}"/>')
    return [*parts, *_sides(sheet)]


def _is_seen(sheet: Sheet, loop: Loop) -> bool:
    points = [sheet.point(x, y) for x, y in loop]
    wide, high = sheet.size
    return any([-UNIT < x < wide + UNIT and -UNIT < y < high + UNIT for x, y in points])


def _rounded(sheet: Sheet, loop: Loop) -> str:
    """A closed line through the middles of the sides of a polygon, its corners rounded off."""
    points = [whole(sheet.point(x, y)) for x, y in loop]
    following = [*points[1:], points[0]]
    mids = [whole(((x + to_x) / 2, (y + to_y) / 2)) for (x, y), (to_x, to_y) in zip(points, following, strict=True)]
    here, curve = mids[-1], []
    for (x, y), (to_x, to_y) in zip(points, mids, strict=True):
        steps = (x - here[0], y - here[1], to_x - here[0], to_y - here[1])
        curve.append(" ".join(map(str, steps)).replace(" -", "-"))
        here = to_x, to_y
    return f"M{mids[-1][0]} {mids[-1][1]}q{' '.join(curve)}z"


def _grid(sheet: Sheet) -> str:
    """Every hexside of the map once: zigzags between the rows, and uprights within them."""
    shown, sides = set(sheet.hexes), dict[tuple[Point, Point], None]()
    for at in sheet.hexes:
        corners, around = sheet.corners(at), neighbours(at)
        for side in range(6):
            if side < 3 or around[side] not in shown:
                ends = sorted((pair_of(corners[side]), pair_of(corners[(side + 1) % 6])))
                sides[ends[0], ends[1]] = None
    lines: list[str] = []
    last: Point | None = None
    for start, end in sorted(
        sides, key=lambda line: (line[0][0] == line[1][0], round((line[0][1] + line[1][1]) / 2), line)
    ):
        if start[0] == end[0]:
            lines.append(f"M{pair(start)}V{number(end[1])}")
        else:
            lines.append(f" {pair(end)}" if start == last else f"M{pair(start)} {pair(end)}")
        last = end
    return "".join(lines)


def _sides(sheet: Sheet) -> Iterator[str]:
    """Barred hexsides and straits."""
    shown, board = set(sheet.hexes), sheet.board
    for one, other in sorted(map(sorted, board.barred)):
        wet = not (board.is_land(one) and board.is_land(other))  # else land lies there, as is to be seen
        if wet and {one, other} <= shown:
            told = xml_text(f"no ship crosses from {board.name_of(one)} to {board.name_of(other)}")
            yield f'<path class="m-bar" d="{opened(_shortened(sheet.side(one, other)))}"><title>{told}</title></path>'
    for strait in board.sides:
        if {strait.one, strait.other} <= shown:
            line, told = opened(sheet.side(strait.one, strait.other)), xml_text(capital(strait.name))
            yield f'<path class="m-strait" d="{line}"><title>{told}</title></path>'


def _shortened(ends: Sequence[Point]) -> list[Point]:
    (x, y), (to_x, to_y) = ends
    return [(x + share * (to_x - x), y + share * (to_y - y)) for share in (0.2, 0.8)]


# --- names and icons --------------------------------------------------------------------------------------------


def written_ground(sheet: Sheet, bases: tuple[MapBase, ...], size: int) -> Iterator[str]:
    """The icons and names of a map on which a hex is so many dots wide."""
    for spot in spots_of(sheet.board, bases):
        yield from [_icon(spot, *icon, size) for icon in icons_of(sheet, spot, size)]
    for name in names_of(sheet, bases, size):
        yield written(name)


def written(name: Placed) -> str:
    """A name as text, line by line."""
    look = {
        "port": "m-name",
        "town": "m-name m-town",
        "water": "m-name m-water",
        "sea": "m-name m-water",
        "box": "m-name m-box",
    }[name.kind]
    anchor = "" if name.anchor == "start" else f' text-anchor="{name.anchor}"'
    place = f'class="{look}" font-size="{number(name.size)}"{anchor}'
    return "".join(
        [
            f'<text {place} x="{number(name.x)}" y="{number(name.y + row * LINE * name.size)}">{xml_text(line)}</text>'
            for row, line in enumerate(name.lines)
        ]
    )


@dataclass(frozen=True, slots=True)
class Spot:
    """A named hex, and what there is."""

    at: Hex
    name: str
    port: bool = False
    airbase: bool = False
    fortress: bool = False
    beach: bool = False
    water: bool = False
    weight: int = 0
    """Names of more weight come first where there is no room for all."""

    @property
    def signs(self) -> list[str]:
        """The icons that stand for it; none if it is only a name."""
        harbour = self.port or (self.fortress and not self.airbase)
        there = {"i-run": self.airbase, "i-anchor": harbour, "i-beach": self.beach}
        return [sign for sign, is_there in there.items() if is_there]


@lru_cache(maxsize=256)
def spots_of(board: Mapboard, bases: tuple[MapBase, ...]) -> tuple[Spot, ...]:
    """The places of a map, those that the battle uses first; one for each hex."""
    found: dict[Hex, Spot] = {}
    used = {base.at: base for base in bases}
    for label in board.places:
        known, base = found.get(label.at), used.get(label.at)
        if known is None:
            found[label.at] = _spot(board, label, base)
        elif label.port and not known.port:
            found[label.at] = _spot(board, label._replace(name=known.name), base)
    for at, base in used.items():
        if at not in found and at in board:
            found[at] = Spot(at, base.name, "port" in base.has, *_has(base), False, 3)
    return tuple(sorted(found.values(), key=lambda spot: -spot.weight))


def _spot(board: Mapboard, label: Label, base: MapBase | None) -> Spot:
    water = board.terrain[label.at] is Terrain.SEA
    weight = 3 if base else 2 if label.port else 1
    return Spot(label.at, short_name(label.name), label.port, *_has(base), water, weight)


def _has(base: MapBase | None) -> tuple[bool, bool, bool]:
    """Whether there is an airbase, a fortress, a beach."""
    has = base.has if base else ()
    return "airbase" in has, "fortress" in has, "beach" in has


@lru_cache(maxsize=1024)
def names_of(sheet: Sheet, bases: tuple[MapBase, ...], size: int) -> tuple[Placed, ...]:
    """The names that have room on a map on which a hex is so many dots wide."""
    dot, (wide, high) = UNIT / size, sheet.size
    spots = [spot for spot in spots_of(sheet.board, bases) if sheet.shows(spot.at)]
    taken = [taken_by(sheet, spot, size) for spot in spots if not spot.water]
    wanted = [
        Wanted(
            capital(spot.name),
            "water" if spot.water else "port" if spot.port else "town",
            *sheet.centre(spot.at),
            gap=_reach(spot, size),
            size=dot * (WATERS if spot.water else NAME),
            wet=tuple(not sheet.board.is_land(beside) for beside in neighbours(spot.at)),
        )
        for spot in spots
    ]
    edge, seas = 2 * dot, [*_seas(sheet, dot, [spot.name for spot in spots if spot.water])]
    return tuple(place_names([*_beyond(sheet, dot), *wanted, *seas], taken, Box(edge, edge, wide - edge, high - edge)))


def _seas(sheet: Sheet, dot: float, written: Sequence[str]) -> Iterator[Wanted]:
    """The names of whole seas, where there is room for them after everything that matters."""
    for name, (column, row) in _all_seas().get(sheet.board.name, {}).items():
        at = hex_at(column, row, sheet.board.origin)
        if at in sheet.board and sheet.shows(at) and name not in written:
            yield Wanted(name, "sea", *sheet.centre(at), gap=0, size=dot * OCEAN)


@cache
def _all_seas() -> dict[str, dict[str, tuple[int, int]]]:
    """The names of the seas of maps that come with Flagplot, by map."""
    return read_data("flagplot.draw.map", "seas.toml")


def _beyond(sheet: Sheet, dot: float) -> Iterator[Wanted]:
    """What lies beyond the edge: its name at the edge from which ships sail there, with an arrow that points to it."""
    wide, high = sheet.size
    for box in sheet.board.boxes:
        edges = [sheet.centre(at) for at in box.edges if sheet.shows(at)]
        if not edges:
            continue
        x, y = (sum(along) / len(edges) for along in zip(*edges, strict=True))
        name, size = capital(short_name(box.name)), dot * WATERS
        half = width_of(f"◂ {name}", size, bold=True) / 2 + 3 * dot
        sides = {x: "◂", wide - x: "▸", y: "▴", high - y: "▾"}
        arrow = sides[min(sides)]
        text = f"{name} {arrow}" if arrow == "▸" else f"{arrow} {name}"
        x = min(max(x, half), wide - half)
        yield Wanted(text, "box", x, min(max(y, size), high - size), 0, size)


def _half(size: int) -> float:
    """Half an icon, in units of the drawing: never more than a sixth of a hex."""
    return min(ICON * UNIT / size, UNIT * 0.2)


def _reach(spot: Spot, size: int) -> float:
    """How far the icons of a place reach to its sides."""
    half = _half(size)
    if _is_small(size):
        return half * 0.6
    return half * 1.05 * max(1, len(spot.signs))


def taken_by(sheet: Sheet, spot: Spot, size: int) -> Box:
    (x, y), half, reach = sheet.centre(spot.at), _half(size), _reach(spot, size)
    return Box(x - reach, y - half, x + reach, y + half)


def _is_small(size: int) -> bool:
    """Whether there is only room for dots."""
    return size < 25


def icons_of(sheet: Sheet, spot: Spot, size: int) -> Iterator[tuple[str, float, float, float]]:
    """What stands for a place: a runway for an airbase, an anchor for a port, a shore for a beach, a dot (no sign) for
    any other; each with its middle and half its width."""
    if spot.water or not sheet.shows(spot.at):
        return
    (x, y), half = sheet.centre(spot.at), _half(size)
    if _is_small(size) or not spot.signs:
        yield "", x, y, half * 0.5
        return
    for place, sign in enumerate(spot.signs):
        yield sign, x + (2 * place - len(spot.signs) + 1) * half * 1.05, y, half


def _icon(spot: Spot, sign: str, x: float, y: float, half: float, size: int) -> str:
    """An icon on a plate: round for a port, square for an airbase, and with a second rim for a fortress."""
    rim = number(1.5 * UNIT / size)
    box = room(x - half, y - half, 2 * half, 2 * half)
    if sign == "i-run":
        plate = f'<rect class="m-dot" {box} rx="{number(half * 0.3)}" stroke-width="{rim}"/>'
    else:
        plate = f'<circle class="m-dot" cx="{number(x)}" cy="{number(y)}" r="{number(half)}" stroke-width="{rim}"/>'
    if not sign:
        return plate
    inner = half * 0.72
    place = room(x - inner, y - inner, 2 * inner, 2 * inner)
    wall = _wall(x, y, half * 1.35, rim) if spot.fortress else ""
    return f'{wall}{plate}<use class="m-icon" href="#{sign}" {place}/>'


def _wall(x: float, y: float, far: float, rim: str) -> str:
    """The wall of a fortress: a star of eight points."""
    points = []
    for turn in range(16):
        reach = far if turn % 2 == 0 else far * 0.8
        points.append((x + reach * cos(turn * pi / 8), y + reach * sin(turn * pi / 8)))
    return f'<path class="m-dot" d="{closed(points)}" stroke-width="{rim}"/>'


# --- numbers ----------------------------------------------------------------------------------------------------


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def room(x: float, y: float, wide: float, high: float) -> str:
    """The attributes of a box."""
    return f'x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}"'


def whole(point: Point) -> tuple[int, int]:
    return round(point[0]), round(point[1])


def pair_of(point: Point) -> Point:
    """A point as it is written, so that equal ones are the same."""
    return round(point[0], 1), round(point[1], 1)


def pair(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def opened(points: Sequence[Point]) -> str:
    return "M" + "L".join(map(pair, points))


def closed(points: Sequence[Point]) -> str:
    return opened(points) + "Z"


def level_for(dots: float) -> int:
    """The size for which names are laid out on a map whose hexes are so many dots wide."""
    return max([size for size in LEVELS if size <= dots], default=LEVELS[0])


def natural(sheet: Sheet, room: float) -> float:
    """How wide a hex is on a picture that is to be about so wide."""
    return min(64.0, max(26.0, ceil(room / sheet.across)))
