"""A map as a picture that stands alone: a file, a notebook, a report. The same in words is in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from textwrap import wrap
from typing import Any

from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.mapboard.reading import read_map
from flagplot.board.model import Path, SeaMap
from flagplot.draw.map.ground import UNIT, Sheet, ground_parts, level_for, natural, number, sheet_of, written_ground
from flagplot.draw.map.standing import counter_symbols, counters_at, fight_part, path_parts
from flagplot.draw.map.style import file_sheet
from flagplot.draw.shapes import Theme
from flagplot.draw.svg import document, xml_text
from flagplot.draw.symbols import SYMBOLS
from flagplot.kernel.errors import BadValue
from flagplot.kernel.game import Game

WIDE = 1100.0
"""About how wide a picture is to be, in dots of the screen."""
LINE, LETTER, MARGIN = 18.0, 6.6, 12.0


def map_picture(board: Mapboard, sea: SeaMap | None = None, *, crop: bool = False) -> MapPicture:
    """A map, with what stands on it and with paths; with `crop` only the waters around those."""
    return MapPicture(board, sea or bare(), crop=crop)


def game_picture(game: Game[Any], reader: str) -> MapPicture:
    """The map of a game as a side or the umpire knows it, for a notebook: the waters where something is."""
    sea, chart = game.view(reader).board.sea, game.scenario.get("map")
    if sea is None or chart is None:
        raise BadValue("this game has no map", given=game.scenario["title"], allowed=["an operation or an air turn"])
    board = read_map(chart)
    notes = [f"{board.name_of(at)}: {what}" for at, what in sea.marks.items()]
    return MapPicture(board, sea, crop=True, notes=notes)


def bare(paths: Sequence[Path] = ()) -> SeaMap:
    """A map on which nothing stands, with some paths."""
    return SeaMap((), tuple(paths), (), (), {})


class MapPicture:
    """A map that can be shown in a notebook or written as a file."""

    def __init__(self, board: Mapboard, sea: SeaMap, *, crop: bool, notes: Sequence[str] = ()) -> None:
        focus = [item.at for item in sea.items] + [at for path in sea.paths for at in path.hexes]
        self.board, self.sea, self.notes = board, sea, list(notes)
        self.title = board.title
        self.text = words_of(board, sea)
        """The same in words."""
        self.sheet: Sheet = sheet_of(board, tuple(dict.fromkeys(focus)) if crop else ())
        self.dots = natural(self.sheet, WIDE)
        self.size = level_for(self.dots)

    @property
    def legend(self) -> list[str]:
        """The lines under the map."""
        shown, board = set(self.sheet.hexes), self.board
        straits = [strait.name for strait in board.sides if shown >= {strait.one, strait.other}]
        lines = [f"Straits (dashed hexsides): {', '.join(straits)}"] if straits else []
        lines += _beach_words(board, self.sea)
        lines += [told_path(board, path.who, path.hexes) for path in self.sea.paths]
        lines += [f"Beyond the edge: {box.name}" for box in board.boxes if not shown.isdisjoint(box.edges)]
        letters = int((self.sheet.size[0] * self.dots / UNIT - 2 * MARGIN) / LETTER)
        return [part for line in [*lines, *self.notes] for part in wrap(line, letters)]

    def svg(self, theme: Theme = "auto") -> str:
        """The picture as the text of an SVG file; `auto` follows the light or dark scheme of whoever looks at it."""
        scale, (across, down) = self.dots / UNIT, self.sheet.size
        wide, high = across * scale, down * scale
        below, legend = high + MARGIN / 2, self.legend
        whole = below + LINE * len(legend) + MARGIN / 2 if legend else high
        shapes = [
            f'<rect class="m-paper" width="{number(wide)}" height="{number(whole)}"/>',
            f'<svg width="{number(wide)}" height="{number(high)}" viewBox="0 0 {number(across)} {number(down)}">',
            *self._drawn(),
            "</svg>",
            *[
                f'<text class="m-note" x="{number(MARGIN)}" y="{number(below + LINE * (row + 0.8))}" font-size="13">'
                f"{xml_text(line)}</text>"
                for row, line in enumerate(legend)
            ],
        ]
        shapes.insert(0, _symbols("".join(shapes)))
        style = file_sheet(theme, "".join(shapes)) if theme != "page" else ""
        size = number(wide), number(whole)
        return document("map", self.board.title, self.text, size, shapes, style, theme)

    def _drawn(self) -> Iterator[str]:
        sheet, sea = self.sheet, self.sea
        key = f"c{blake2b(repr((self.board.name, sea.items)).encode(), digest_size=4).hexdigest()}-"
        yield from ground_parts(sheet)
        yield from path_parts(sheet, sea.paths, [told_path(self.board, path.who, path.hexes) for path in sea.paths])
        yield from written_ground(sheet, sea.bases, self.size)
        yield fight_part(sheet, sea.fighting) if sea.fighting else ""
        if sea.items:
            yield counter_symbols(sea.items, key, [self.size])
            yield counters_at(sheet, sea, key, self.size)

    def png(self, scale: float = 2) -> bytes:
        """The picture as the bytes of a PNG file, so many dots for each unit of length."""
        from flagplot.draw.map.png import map_png

        return map_png(self, scale)

    def _repr_svg_(self) -> str:
        return self.svg()


def _symbols(text: str) -> str:
    """The shapes that a picture uses; they use no others."""
    used = [key for key in SYMBOLS if f'href="#{key}"' in text]
    made = [
        f'<symbol id="{key}" viewBox="0 0 {SYMBOLS[key].width} {SYMBOLS[key].height}">'
        f'<path fill-rule="evenodd" d="{SYMBOLS[key].path}"/></symbol>'
        for key in used
    ]
    return f"<defs>{''.join(made)}</defs>"


# --- words ------------------------------------------------------------------------------------------------------


def told_path(board: Mapboard, name: str, path: Sequence[Hex]) -> str:
    """A path in words: from where to where, how long, through which straits."""
    if not path:
        return f"{name}: no path"
    way = f"{board.name_of(path[0])} to {board.name_of(path[-1])}"
    hexes = f"{len(path) - 1} hex{'es' * (len(path) != 2)}"
    straits = "".join(f", through {strait}" for strait in board.straits_along(path))
    return f"{name}: {way}, {hexes}{straits}"


def _beach_words(board: Mapboard, sea: SeaMap) -> list[str]:
    """Where troops may land, on one line; nothing if nobody is ordered to."""
    beaches = [board.name_of(base.at) for base in sea.bases if "beach" in base.has and base.at in board]
    return [f"Landing beaches: {', '.join(beaches)}"] if beaches else []


def words_of(board: Mapboard, sea: SeaMap) -> str:
    """All that is on a map: what it shows, its ports, what stands where, paths, straits and what lies beyond."""
    lines = [board.about, f"Ports: {', '.join([port.name for port in board.ports])}."] if board.ports else [board.about]
    lines += [f"{line}." for line in _beach_words(board, sea)]
    lines += [f"{what}: {board.name_of(at)} ({at[0]},{at[1]})." for at, what in sea.marks.items() if at in board]
    lines += [f"{told_path(board, path.who, path.hexes)}." for path in sea.paths]
    lines += [f"Straits: {', '.join([strait.name for strait in board.sides])}."] if board.sides else []
    lines += [f"Beyond the edge: {', '.join([box.name for box in board.boxes])}."] if board.boxes else []
    return " ".join(lines)
