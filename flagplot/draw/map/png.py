"""A map as PNG, drawn by Pillow from the same layout as the SVG, in the light colours."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from math import acos, ceil, cos, pi, sin, sqrt
from typing import TYPE_CHECKING, Protocol

from flagplot.awaw.mapboard.hexes import neighbours
from flagplot.board.model import MapCounter, SeaMap
from flagplot.draw.map.coasts import Loop, Point, coastlines
from flagplot.draw.map.ground import UNIT, Sheet, icons_of, names_of, spots_of
from flagplot.draw.map.labels import LINE
from flagplot.draw.map.standing import FULL, face_of, piles_of
from flagplot.draw.map.style import LIGHT
from flagplot.draw.nations import code_of
from flagplot.draw.png import drawable, font_of
from flagplot.draw.symbols import SILHOUETTES, SYMBOLS

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw


COMMANDS = re.compile(r"([MLHVCSAZ])|(-?(?:\d+\.?\d*|\.\d+))")
"""What our shapes are written with."""
SMOOTH = 6
"""Points for each bend."""


class Mapped(Protocol):
    """A map that is laid out."""

    sheet: Sheet
    sea: SeaMap
    dots: float
    """How wide a hex is, in dots of the screen."""
    size: int
    """The size of `LEVELS` for which names and counters are laid out."""

    @property
    def legend(self) -> list[str]:
        """The lines under the map."""


def map_png(picture: Mapped, scale: float) -> bytes:
    """The bytes of the file, so many dots for each dot of the screen."""
    drawn = _Drawn(picture, scale * picture.dots / UNIT, scale)
    written = io.BytesIO()
    drawn.image.save(written, "PNG", optimize=True)
    return written.getvalue()


class _Drawn:
    """One picture."""

    def __init__(self, picture: Mapped, factor: float, scale: float) -> None:
        from PIL import Image, ImageDraw

        self.picture, self.sheet, self.factor, self.scale = picture, picture.sheet, factor, scale
        wide, high = self.sheet.size
        legend = picture.legend
        below = (20 * len(legend) + 14) * scale if legend else 0
        size = ceil(wide * factor), ceil(high * factor + below)
        self.image: Image.Image = Image.new("RGB", size, LIGHT["paper"])
        self.pen: ImageDraw.ImageDraw = ImageDraw.Draw(self.image)
        self.pen.rectangle((0, 0, size[0], high * factor), fill=LIGHT["sea"])
        self._land()
        self._grid()
        self._paths()
        self._names()
        self._counters()
        if legend:
            self.pen.rectangle((0, high * factor, size[0], size[1]), fill=LIGHT["paper"])
        for row, line in enumerate(legend):
            self._text(12, high * factor / scale + 20 * (row + 1), line, 13, LIGHT["ink"], on_screen=True)

    def _at(self, point: Point) -> Point:
        return point[0] * self.factor, point[1] * self.factor

    def _land(self) -> None:
        loops = [[self._at(self.sheet.point(x, y)) for x, y in _smooth(loop)] for loop in coastlines(self.sheet.board)]
        for loop in sorted(loops, key=lambda loop: -abs(_area(loop))):
            dry = _area(loop) > 0
            if not dry:
                self.pen.polygon(loop, fill=LIGHT["sea"])
            for width, colour in ((26, _mixed("shoal", "sea")), (12, LIGHT["shoal"])):
                self._line([*loop, loop[0]], width * self.factor, colour)
            if dry:
                self.pen.polygon(loop, fill=LIGHT["land"])
        for loop in loops:
            self._line([*loop, loop[0]], 1.4 * self.factor, LIGHT["coast"])

    def _grid(self) -> None:
        for at in self.sheet.hexes:
            corners = [self._at(corner) for corner in self.sheet.corners(at)]
            self._line(
                [*corners, corners[0]],
                self.scale / 2,
                _mixed("grid", "land" if self.sheet.board.is_land(at) else "sea"),
            )
        for strait in self.sheet.board.sides:
            if strait.other in neighbours(strait.one):
                side = [self._at(end) for end in self.sheet.side(strait.one, strait.other)]
                self._line(side, 3 * self.scale, LIGHT["water"])

    def _paths(self) -> None:
        for path in self.picture.sea.paths:
            points = [self._at(self.sheet.centre(at)) for at in path.hexes if at in self.sheet.board]
            if len(points) > 1:
                self._line(points, 7 * self.scale, LIGHT["halo"])
                self._line(points, 3.5 * self.scale, LIGHT[f"{code_of(path.nation)}-word"])

    def _names(self) -> None:
        sea, size = self.picture.sea, self.picture.size
        for spot in spots_of(self.sheet.board, sea.bases):
            for sign, x, y, half in icons_of(self.sheet, spot, size):
                box = [*self._at((x - half, y - half)), *self._at((x + half, y + half))]
                plate = self.pen.rectangle if sign == "i-run" else self.pen.ellipse
                plate(box, fill=LIGHT["paper"], outline=LIGHT["place"], width=max(1, round(1.5 * self.scale)))
                if sign:
                    self._shape(sign, x - half * 0.72, y - half * 0.72, 2 * half * 0.72, LIGHT["place"])
        for name in names_of(self.sheet, sea.bases, size):
            colour = LIGHT["water" if name.kind in ("water", "sea", "box") else "place"]
            for row, line in enumerate(name.lines):
                y = name.y + row * LINE * name.size
                self._text(name.x, y, line, name.size, colour, anchor=name.anchor, halo=LIGHT["halo"])

    def _counters(self) -> None:
        sea, size = self.picture.sea, self.picture.size
        counters = [counter for item in sea.items for counter in item.counters]
        wide, high = face_of(size)
        dot = UNIT / size
        for pile in piles_of(self.sheet, sea.bases, sea.items, size):
            for place, (x, y) in pile.counters:
                self._counter(counters[place], x, y, wide * dot, high * dot, named=(wide, high) == FULL)

    def _counter(self, counter: MapCounter, x: float, y: float, wide: float, high: float, *, named: bool) -> None:
        code = code_of(counter.nation)
        box = [*self._at((x, y)), *self._at((x + wide, y + high))]
        ink = LIGHT[f"{code}-ink"]
        self.pen.rounded_rectangle(
            box, 4 * self.scale, fill=LIGHT[code], outline=LIGHT[f"{code}-edge"], width=round(self.scale)
        )
        self._shape(f"m-{code}", x + wide * 0.08, y + high * 0.09, wide * 0.19, ink)
        self._text(x + wide * 0.92, y + high * 0.34, counter.value, high * 0.32, ink, anchor="end")
        art = SILHOUETTES[counter.silhouette] if counter.silhouette else ""
        across = wide * (0.46 if art == "air" else 0.84)
        if art:
            self._shape(art, x + (wide - across) / 2, y + high * (0.3 if named else 0.48), across, ink)
        if named or not art:
            self._text(x + wide / 2, y + high * 0.9, counter.label[:9], high * 0.26, ink, anchor="middle")

    # --- pen ----------------------------------------------------------------------------------------------------

    def _line(self, points: Sequence[Point], width: float, colour: str) -> None:
        self.pen.line(
            [number for point in points for number in point], fill=colour, width=max(1, round(width)), joint="curve"
        )

    def _shape(self, symbol: str, x: float, y: float, width: float, colour: str) -> None:
        """A symbol, its holes left open."""
        from PIL import Image, ImageChops, ImageDraw

        one = SYMBOLS[symbol]
        by = width * self.factor / one.width
        size = ceil(one.width * by) + 1, ceil(one.height * by) + 1
        mask = Image.new("1", size)
        for outline in outlines(one.path):
            part = Image.new("1", size)
            ImageDraw.Draw(part).polygon([(px * by, py * by) for px, py in outline], fill=1)
            mask = ImageChops.logical_xor(mask, part)
        left, top = self._at((x, y))
        self.image.paste(Image.new("RGB", size, colour), (round(left), round(top)), mask)

    def _text(
        self, x: float, y: float, text: str, size: float, colour: str,
        *, anchor: str = "start", halo: str = "", on_screen: bool = False,
    ) -> None:  # fmt: skip
        factor = self.scale if on_screen else self.factor
        font = font_of(size * factor * 0.97)
        rim = max(1, round(0.12 * size * factor)) if halo else 0
        side = {"start": "ls", "middle": "ms", "end": "rs"}[anchor]
        self.pen.text(
            (x * factor, y * factor),
            drawable(text),
            fill=colour,
            font=font,
            anchor=side,
            stroke_width=rim,
            stroke_fill=halo or None,
        )


def _mixed(one: str, other: str) -> str:
    """A colour between two."""
    parts = [(int(LIGHT[one][at : at + 2], 16) + int(LIGHT[other][at : at + 2], 16)) // 2 for at in (1, 3, 5)]
    return f"#{parts[0]:02x}{parts[1]:02x}{parts[2]:02x}"


def _area(loop: Sequence[Point]) -> float:
    pairs = zip(loop, [*loop[1:], loop[0]], strict=True)
    return sum([x * to_y - to_x * y for (x, y), (to_x, to_y) in pairs]) / 2


def _smooth(loop: Loop) -> list[Point]:
    """The rounded line of a coast as many short ones."""
    before, found = loop[-1], []
    for place, (x, y) in enumerate(loop):
        after = loop[(place + 1) % len(loop)]
        (x0, y0), (x1, y1) = ((before[0] + x) / 2, (before[1] + y) / 2), ((after[0] + x) / 2, (after[1] + y) / 2)
        for step in range(SMOOTH):
            t = step / SMOOTH
            found.append(
                (
                    (1 - t) ** 2 * x0 + 2 * t * (1 - t) * x + t * t * x1,
                    (1 - t) ** 2 * y0 + 2 * t * (1 - t) * y + t * t * y1,
                )
            )
        before = x, y
    return found


# --- shapes -----------------------------------------------------------------------------------------------------


def outlines(path: str) -> Iterator[list[Point]]:
    """The outlines of a shape, curves as short lines."""
    line: list[Point] = []
    here, bend = (0.0, 0.0), (0.0, 0.0)
    for command, numbers in _commands(path):
        if command == "Z":
            yield line
            line = []
            continue
        if command == "M":
            line = []
        here, bend, points = _followed(command, numbers, here, bend)
        line += points
    if len(line) > 2:
        yield line


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    """Each command with its numbers; one that is repeated without being named is named."""
    lengths = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "A": 7, "Z": 0}
    command, numbers = "", list[float]()
    for named, number in COMMANDS.findall(path):
        if named:
            command = named
            if command == "Z":
                yield command, []
            continue
        numbers.append(float(number))
        if len(numbers) == lengths[command]:
            yield command, numbers
            numbers = []
            command = "L" if command == "M" else command


def _followed(command: str, numbers: list[float], here: Point, bend: Point) -> tuple[Point, Point, list[Point]]:
    """Where a command leads, the bend that the next one may go on with, and the points on the way."""
    x, y = here
    if command in "ML":
        end = numbers[0], numbers[1]
    elif command in "HV":
        end = (numbers[0], y) if command == "H" else (x, numbers[0])
    elif command in "CS":
        first = (numbers[0], numbers[1]) if command == "C" else (2 * x - bend[0], 2 * y - bend[1])
        second, end = (numbers[-4], numbers[-3]), (numbers[-2], numbers[-1])
        steps = [step / 8 for step in range(1, 9)]
        return end, second, [_cubic(here, first, second, end, t) for t in steps]
    else:
        end = numbers[5], numbers[6]
        return end, end, _arc(here, numbers[0], bool(numbers[3]), bool(numbers[4]), end)
    return end, end, [end]


def _cubic(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    u = 1 - t
    weights = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
    return sum([w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True)]), sum(
        [w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True)]
    )


def _arc(start: Point, radius: float, large: bool, sweep: bool, end: Point) -> list[Point]:
    """A part of a circle."""
    (x0, y0), (x1, y1) = start, end
    dx, dy = (x1 - x0) / 2, (y1 - y0) / 2
    half = sqrt(dx * dx + dy * dy)
    radius = max(radius, half)
    away = sqrt(max(0.0, radius * radius - half * half)) / half * (1 if large != sweep else -1)
    cx, cy = (x0 + x1) / 2 - away * dy, (y0 + y1) / 2 + away * dx
    begin = acos(max(-1.0, min(1.0, (x0 - cx) / radius))) * (1 if y0 >= cy else -1)
    finish = acos(max(-1.0, min(1.0, (x1 - cx) / radius))) * (1 if y1 >= cy else -1)
    turn = finish - begin
    turn += 2 * pi if sweep and turn <= 0 else -2 * pi if not sweep and turn >= 0 else 0
    return [
        (cx + radius * cos(begin + turn * step / 10), cy + radius * sin(begin + turn * step / 10))
        for step in range(1, 11)
    ]
