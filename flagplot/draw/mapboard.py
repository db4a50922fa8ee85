"""A map as SVG: hexes, coasts, names and straits, what stands where, and paths; the same in words for all readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin
from textwrap import wrap
from typing import Literal

from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.drawing import short_name
from flagplot.awaw.mapboard.hexes import ROW_HEIGHT, Hex, distance, middle, neighbours
from flagplot.draw.shapes import Theme
from flagplot.draw.svg import dark_rules, document, xml_text

WIDTH = 44.0
"""A hex from its western to its eastern side."""
RADIUS = WIDTH / (2 * ROW_HEIGHT)
INNER = 0.5
"""How much of a coast hex is land in any case."""
MARGIN, LINE, LETTER, AROUND = 16.0, 18.0, 6.6, 3
DASHES = ("", "9 5", "2 5", "12 4 2 4")
"""Paths differ by their dashes too, not by colour alone."""

Tint = Literal["paper", "sea", "land", "grid", "ink", "faint", "flag", "path", "strait"]

LIGHT: dict[Tint, str] = {
    "paper": "#ffffff",
    "sea": "#dbe9f4",
    "land": "#d9cba3",
    "grid": "#a9bccb",
    "ink": "#1b1f27",
    "faint": "#3f4a57",
    "flag": "#fff7e0",
    "path": "#b3420a",
    "strait": "#0b5cab",
}
DARK: dict[Tint, str] = {
    "paper": "#14181f",
    "sea": "#1c3145",
    "land": "#5a5138",
    "grid": "#3c5368",
    "ink": "#f2f4f6",
    "faint": "#c9d1da",
    "flag": "#2b2412",
    "path": "#f5a65b",
    "strait": "#7fc1ff",
}


def board_svg(
    board: Mapboard,
    marks: Mapping[Hex, str] | None = None,
    paths: Mapping[str, Sequence[Hex]] | None = None,
    *,
    crop: bool = False,
    theme: Theme = "auto",
    notes: Sequence[str] = (),
) -> str:
    """The map, with what stands in some hexes and with named paths, as the text of an SVG file.

    With `crop` only the surroundings of the marks and paths are drawn. `theme` is as for charts: "auto" follows the
    light or dark scheme of whoever looks at it. `notes` are further lines below the map.
    """
    return _Picture(board, dict(marks or {}), dict(paths or {}), crop, theme, notes).svg()


class _Picture:
    """One picture of a map."""

    def __init__(
        self,
        board: Mapboard,
        marks: Mapping[Hex, str],
        paths: Mapping[str, Sequence[Hex]],
        crop: bool,
        theme: Theme,
        notes: Sequence[str],
    ) -> None:
        self.board, self.marks, self.paths, self.theme, self.notes = board, marks, paths, theme, list(notes)
        self.palette = DARK if theme == "dark" else LIGHT
        focus = [*marks, *(at for path in paths.values() for at in path)]
        self.hexes = [at for at in board.terrain if not (crop and focus) or _is_near(at, focus)]
        self.lands, self.fjords = _lands(board), self._fjords()
        spots = [middle(at) for at in self.hexes]
        self.left, self.top = min(x for x, _ in spots) - 0.5, min(y for _, y in spots) - 0.5 / ROW_HEIGHT
        self.width = (max(x for x, _ in spots) - self.left + 0.5) * WIDTH + 2 * MARGIN
        self.below = (max(y for _, y in spots) - self.top + 0.5 / ROW_HEIGHT) * WIDTH + MARGIN + 34
        self.height = self.below + LINE * len(self.legend()) + MARGIN / 2

    def svg(self) -> str:
        title, size = self.board.title, (_number(self.width), _number(self.height))
        shapes = [
            f'<rect width="{_number(self.width)}" height="{_number(self.height)}" {self.fill("paper")}/>',
            f'<text x="{_number(MARGIN)}" y="24" font-size="17" font-weight="bold" {self.fill("ink")}>'
            f"{xml_text(title)}</text>",
            *map(self._hex, self.hexes),
            *self._sides(),
            *self._paths(),
            *self._names(),
            *self._marks(),
            *self._legend(),
        ]
        return document(
            "map", title, self.words(), size, shapes, dark_style() if self.theme == "auto" else "", self.theme
        )

    # --- where things are ---------------------------------------------------------------------------------------

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point given in hexes, on the picture."""
        return (x - self.left) * WIDTH + MARGIN, (y - self.top) * WIDTH + 34

    def centre(self, at: Hex) -> tuple[float, float]:
        return self.at(*middle(at))

    def corners(self, at: Hex, part: float = 1.0) -> list[tuple[float, float]]:
        """The corners of a hex; the side between corner n and the next one faces neighbour n."""
        x, y = self.centre(at)
        angles = [pi / 180 * (60 * number - 30) for number in range(6)]
        return [(x + part * RADIUS * cos(angle), y + part * RADIUS * sin(angle)) for angle in angles]

    def side(self, one: Hex, other: Hex) -> list[tuple[float, float]]:
        """The two ends of the side between adjacent hexes."""
        corners, number = self.corners(one), neighbours(one).index(other)
        return [corners[number], corners[(number + 1) % 6]]

    def fill(self, tint: Tint) -> str:
        return f'class="flagplot-{tint}" fill="{self.palette[tint]}"'

    def stroke(self, tint: Tint, width: float) -> str:
        return f'class="flagplot-{tint}-line" stroke="{self.palette[tint]}" stroke-width="{_number(width)}" fill="none"'

    # --- what is drawn ------------------------------------------------------------------------------------------

    def _hex(self, at: Hex) -> str:
        """A hex with its terrain; coasts join the land beside them."""
        kind = self.board.terrain[at].value
        told = f"{self.board.name_of(at)}, {at[0]},{at[1]}: {kind}"
        base: Tint = "land" if kind == "land" else "sea"
        grid = f'class="flagplot-{base} flagplot-grid-line" fill="{self.palette[base]}" stroke="{self.palette["grid"]}"'
        parts = [f'<path d="{_closed(self.corners(at))}" {grid}/>']
        if kind == "coast":
            parts.append(f'<path d="{self._shore(at)}" {self.fill("land")}/>')
            if at in self.fjords:
                (x, y), (to_x, to_y) = self.centre(at), self.centre(self.fjords[at])
                water = _open([(x, y), ((x + to_x) / 2, (y + to_y) / 2)])
                parts.append(f'<path d="{water}" {self.stroke("sea", 7)} stroke-linecap="round"/>')
        elif kind == "island":
            x, y = self.centre(at)
            parts.append(
                f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(RADIUS * 0.36)}" {self.fill("land")}/>'
            )
        return f"<g>{''.join(parts)}<title>{xml_text(told)}</title></g>"

    def _shore(self, at: Hex) -> str:
        """The land of a coast hex: its middle, and what joins it to land beside it."""
        outer, inner = self.corners(at), self.corners(at, INNER)
        shapes = [inner]
        for number, beside in enumerate(neighbours(at)):
            if self._is_joined(at, beside):
                after = (number + 1) % 6
                shapes.append([inner[number], outer[number], outer[after], inner[after]])
        return "".join(map(_closed, shapes))

    def _is_joined(self, at: Hex, beside: Hex) -> bool:
        """Whether land goes on from a coast hex: always into land, and into a coast of the same land or island."""
        kind = self.board.terrain.get(beside)
        if kind == "coast":
            one, other = self.lands[at], self.lands[beside]
            return not self.board.strait_between(at, beside) and (one == other or not (one or other))
        return kind in (None, "land")

    def _fjords(self) -> dict[Hex, Hex]:
        """For each port in no open water, and each hex on its way out, the next hex towards the sea."""
        ways: dict[Hex, Hex] = {}
        for port in self.board.ports:
            at = port.at
            while at not in ways and self._is_inland(at):
                ways[at] = min(self.board.sea_neighbours(at), key=self._to_sea)
                at = ways[at]
        return ways

    def _is_inland(self, at: Hex) -> bool:
        around = self.board.sea_neighbours(at)
        return bool(around) and all(self.board.terrain[beside] == "coast" for beside in around)

    def _to_sea(self, at: Hex) -> int:
        """How far a water hex lies from open sea."""
        far = self.board.sea_distances(at)
        return next((hexes for other, hexes in far.items() if not self.board.is_land(other)), len(far))

    def _sides(self) -> Iterator[str]:
        """Barred hexsides and straits."""
        shown = set(self.hexes)
        for pair in sorted(map(sorted, self.board.barred)):
            if shown.issuperset(pair):
                told = f"no ship crosses from {self.board.name_of(pair[0])} to {self.board.name_of(pair[1])}"
                line = _open(self.side(pair[0], pair[1]))
                yield f'<path d="{line}" {self.stroke("ink", 3)}><title>{xml_text(told)}</title></path>'
        for strait in self.board.sides:
            if shown.issuperset((strait.one, strait.other)):
                line = _open(self.side(strait.one, strait.other))
                told = f"<title>{xml_text(strait.name)}</title>"
                yield f'<path d="{line}" {self.stroke("strait", 5)} stroke-dasharray="4 3">{told}</path>'

    def _paths(self) -> Iterator[str]:
        for number, (name, path) in enumerate(self.paths.items()):
            points = [self.centre(at) for at in path if at in self.board]
            if not points:
                continue
            dash = DASHES[number % len(DASHES)]
            dashed = f' stroke-dasharray="{dash}"' if dash else ""
            told = f"<title>{xml_text(self._told_path(name, path))}</title>"
            round_ = 'stroke-linejoin="round" stroke-linecap="round"'
            yield f'<path d="{_open(points)}" {self.stroke("paper", 6)} {round_} stroke-opacity="0.7"/>'
            yield f'<path d="{_open(points)}" {self.stroke("path", 3)} {round_}{dashed}>{told}</path>'
            yield from self._arrow(points)

    def _arrow(self, points: Sequence[tuple[float, float]]) -> Iterator[str]:
        """The head of a path that goes somewhere."""
        if len(points) < 2:
            return
        (x0, y0), (x, y) = points[-2:]
        long = ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5
        dx, dy = (x - x0) / long, (y - y0) / long
        head = [
            (x + 7 * dx, y + 7 * dy),
            (x - 6 * dx - 7 * dy, y - 6 * dy + 7 * dx),
            (x - 6 * dx + 7 * dy, y - 6 * dy - 7 * dx),
        ]
        yield f'<path d="{_closed(head)}" {self.fill("path")}/>'

    def _names(self) -> Iterator[str]:
        """Ports with a dot, other places without; names of waters in italics."""
        shown, ports = set(self.hexes), {port.at for port in self.board.ports}
        for at, name in self.board.names.items():
            if at not in shown:
                continue
            x, y = self.centre(at)
            if at in ports:
                yield f'<circle cx="{_number(x)}" cy="{_number(y)}" r="2.6" {self.fill("ink")}/>'
            ashore, lines = self.board.is_land(at), _broken(short_name(name))
            first, slant = (13, "") if ashore else (-2 - 10 * (len(lines) - 1), ' font-style="italic"')
            for number, line in enumerate(lines):
                yield self._words(line, x, y + first + 10 * number, 9.5, slant)

    def _words(self, text: str, x: float, y: float, size: float, more: str = "") -> str:
        """Text with a rim, readable on sea and land."""
        rim = f'paint-order="stroke" stroke="{self.palette["paper"]}" stroke-width="2.4" stroke-opacity="0.75"'
        look = f'class="flagplot-ink flagplot-paper-line" fill="{self.palette["ink"]}" {rim}'
        place = f'x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}" text-anchor="middle"'
        return f"<text {place} {look}{more}>{xml_text(text)}</text>"

    def _marks(self) -> Iterator[str]:
        """What stands in a hex, on a flag over it: higher up where another flag would cover it."""
        taken: list[tuple[float, float, float]] = []
        for at, what in sorted(self.marks.items(), key=lambda mark: -mark[0][1]):
            if at not in self.board:
                continue
            x, y = self.centre(at)
            text = what if len(what) <= 26 else what[:25] + "…"
            wide = 7.2 * len(text) + 12
            left = min(max(x - wide / 2, 4), max(4, self.width - wide - 4))
            top = _free(taken, left, y - 27, wide)
            taken.append((left, top, wide))
            rim = f'stroke="{self.palette["ink"]}" stroke-width="1.2"'
            pole = f"M{_number(x)} {_number(top + FLAG)}V{_number(y - 10)}"
            pole = f'<path d="{pole}" class="flagplot-ink-line" {rim} fill="none"/>' if top + FLAG < y - 10 else ""
            yield (
                f"<g><title>{xml_text(f'{what}, {self.board.name_of(at)}')}</title>{pole}"
                f'<path d="{_closed([(x - 5, y - 10), (x + 5, y - 10), (x, y - 2)])}" {self.fill("ink")}/>'
                f'<rect x="{_number(left)}" y="{_number(top)}" width="{_number(wide)}" height="{_number(FLAG)}" rx="3" '
                f'class="flagplot-flag flagplot-ink-line" fill="{self.palette["flag"]}" {rim}/>'
                f'<text x="{_number(left + wide / 2)}" y="{_number(top + 12.5)}" font-size="11" font-weight="bold" '
                f'text-anchor="middle" {self.fill("ink")}>{xml_text(text)}</text></g>'
            )

    # --- words --------------------------------------------------------------------------------------------------

    def legend(self) -> list[str]:
        """The lines under the map."""
        board = self.board
        shown = set(self.hexes)
        lines = ["blue: sea, sand: land and coasts; dots are ports"]
        if any(shown >= side for side in board.barred):
            lines[0] += "; no ship crosses a thick line"
        straits = [strait.name for strait in board.sides if shown >= {strait.one, strait.other}]
        if straits:
            lines.append(f"straits (dashed hexsides): {', '.join(straits)}")
        lines += [self._told_path(name, path) for name, path in self.paths.items()]
        lines += [f"beyond the edge: {box.name}" for box in board.boxes if not shown.isdisjoint(box.edges)]
        lines += self.notes
        return [part for line in lines for part in wrap(line, int((self.width - 2 * MARGIN) / LETTER))]

    def _legend(self) -> Iterator[str]:
        for number, line in enumerate(self.legend()):
            y = self.below + LINE * (number + 0.8)
            place = f'x="{_number(MARGIN)}" y="{_number(y)}" font-size="12"'
            yield f"<text {place} {self.fill('faint')}>{xml_text(line)}</text>"

    def _told_path(self, name: str, path: Sequence[Hex]) -> str:
        if not path:
            return f"{name}: no path"
        way = f"{self.board.name_of(path[0])} to {self.board.name_of(path[-1])}"
        hexes = f"{len(path) - 1} hex{'es' * (len(path) != 2)}"
        straits = "".join(f", through {strait}" for strait in self.board.straits_along(path))
        return f"{name}: {way}, {hexes}{straits}"

    def words(self) -> str:
        """What is to be seen, for those who do not see it."""
        board = self.board
        theatre = "Pacific" if board.pacific else "Europe"
        lines = [f"A map of hexes ({theatre}). {board.about}"]
        lines += [f"{what}: {board.name_of(at)} ({at[0]},{at[1]})" for at, what in self.marks.items()]
        lines += [self._told_path(name, path) for name, path in self.paths.items()]
        lines.append("Places: " + ", ".join(f"{place.name} ({place.at[0]},{place.at[1]})" for place in board.places))
        return "\n".join(lines)


FLAG, LIFT, LIFTS = 17.0, 19.0, 4
"""How high a flag is, and by how much and how often it is put higher where others are."""


def _free(taken: Sequence[tuple[float, float, float]], left: float, top: float, wide: float) -> float:
    """Where a flag covers no other, as near to its hex as can be; if there is no such place, where it belongs."""
    for lift in range(LIFTS + 1):
        y = top - lift * LIFT
        if y >= 0 and all(abs(y - other) >= FLAG or left >= x + w or x >= left + wide for x, other, w in taken):
            return y
    return top


def _lands(board: Mapboard) -> dict[Hex, Hex | None]:
    """For each hex with land a hex that stands for all of its mainland; None on islands that have no inland hex.

    Coasts belong to the land beside them, and to coasts on the other side of a hexside that no ship can cross.
    """
    lands: dict[Hex, Hex | None] = {at: None for at, kind in board.terrain.items() if kind in ("land", "coast")}
    for start in lands:
        if board.terrain[start] != "land" or lands[start] is not None:
            continue
        lands[start], waiting = start, [start]
        while waiting:
            here = waiting.pop()
            for beside in neighbours(here):
                if beside in lands and lands[beside] is None and _is_one_land(board, here, beside):
                    lands[beside] = start
                    waiting.append(beside)
    return lands


def _is_one_land(board: Mapboard, one: Hex, other: Hex) -> bool:
    return "land" in (board.terrain[one], board.terrain[other]) or frozenset((one, other)) in board.barred


def _is_near(at: Hex, focus: Sequence[Hex]) -> bool:
    return any(distance(at, other) <= AROUND for other in focus)


def _broken(name: str) -> list[str]:
    """A long name in two lines, broken at the blank nearest to its middle."""
    blanks = [place for place, sign in enumerate(name) if sign == " "]
    if len(name) <= 7 or not blanks:
        return [name]
    cut = min(blanks, key=lambda place: abs(place - len(name) / 2))
    return [name[:cut], name[cut + 1 :]]


def dark_style() -> str:
    """The rules of a style sheet that gives maps their dark colours for those who like it dark."""
    return dark_rules("map", DARK)


def _closed(points: Sequence[tuple[float, float]]) -> str:
    return _open(points) + "z"


def _open(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
