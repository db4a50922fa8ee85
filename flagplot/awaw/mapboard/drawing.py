"""A map as lines of text: the whole of it where there is room, else the waters that matter.

A hex takes four columns, with three letters of its name, or two, with one letter; every second row is shifted by half a
hex. At the left edge stand the coordinates of the first hex of a row, and q grows by one from hex to hex.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from textwrap import wrap

from flagplot.awaw.mapboard.board import Mapboard, Strait, Terrain, hex_at
from flagplot.awaw.mapboard.hexes import Hex, hex_text
from flagplot.kernel.words import capital

WIDE, NARROW = 4, 2
"""Columns of text for a hex."""
MARGIN = 2
"""Hexes that are shown around what matters."""
SEA, OFF = "·", " "
LOOKS = {Terrain.SEA: SEA, Terrain.COAST: "+", Terrain.ISLAND: "o", Terrain.LAND: "#"}
PATH = "*"


def draw_board(
    board: Mapboard,
    marks: Mapping[Hex, str] | None = None,
    path: Sequence[Hex] = (),
    width: int = 80,
    *,
    legend: bool = True,
    names: bool = True,
    crop: bool = False,
) -> list[str]:
    """A map in lines of at most `width` columns, with what stands in some hexes and a path.

    `marks` says what stands in a hex: a number stands for it on the map, and the legend explains it. If not all of the
    map fits, or with `crop`, only the surroundings of the marks and the path are drawn; without any, the map is drawn
    in parts. Without `names` the legend explains the marks alone.
    """
    marks = dict(marks or {})
    windows, cell = _windows(board, [*marks, *path], width, crop=crop)
    numbers = dict(zip(marks, signs(len(marks)), strict=True))
    lines: list[str] = []
    for place, window in enumerate(windows):
        if len(windows) > 1:
            lines += [*[""] * (place > 0), f"Part {place + 1} of {len(windows)}, from the west:"]
        shown = _Shown(board, window, cell, numbers, frozenset(path))
        lines += shown.lines()
        if legend and names:
            lines += ["", *shown.names(width)]
    if legend and names:
        lines += _explained(board, marks, numbers, path, cell, width)
    elif legend:
        lines += _marked(board, marks, numbers, cell, width)
    return lines


# --- what is shown ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Window:
    """Columns and rows of the drawing, the last ones not included."""

    left: int
    right: int
    top: int
    bottom: int

    def drawn(self, cell: int) -> int:
        """How wide it is in text, without the coordinates."""
        return (self.right - self.left) * cell + (cell // 2 - 1 if cell == WIDE else 0)


def _windows(board: Mapboard, focus: Sequence[Hex], width: int, *, crop: bool = False) -> tuple[list[_Window], int]:
    """What to draw, and how many columns of text for a hex."""
    room = width - _edge(board)
    whole = _Window(0, len(board.rows[0]), 0, len(board.rows))
    if whole.drawn(WIDE) <= room and not (crop and focus):
        return [whole], WIDE
    part = whole
    for cell, margin in ((WIDE, MARGIN), (NARROW, MARGIN), (NARROW, 1), (NARROW, 0)):
        part = _around(board, focus, margin) if focus else whole
        if part.drawn(cell) <= room:
            return [part], cell
    return list(_parts(part, max(4, room // NARROW))), NARROW


def _around(board: Mapboard, focus: Iterable[Hex], margin: int) -> _Window:
    """The surroundings of some hexes."""
    spots = [_spot(board, at) for at in focus]
    columns, rows = [spot[0] for spot in spots], [spot[1] for spot in spots]
    return _Window(
        max(0, min(columns) - margin),
        min(len(board.rows[0]), max(columns) + margin + 1),
        max(0, min(rows) - margin),
        min(len(board.rows), max(rows) + margin + 1),
    )


def _parts(whole: _Window, most: int) -> Iterator[_Window]:
    """A window that is too wide, in parts of equal width."""
    columns = whole.right - whole.left
    count = -(-columns // most)
    for part in range(count):
        left, right = (whole.left + columns * (part + more) // count for more in (0, 1))
        yield _Window(left, right, whole.top, whole.bottom)


def _spot(board: Mapboard, at: Hex) -> tuple[int, int]:
    """Column and row of a hex in the drawing."""
    row = at[1] + board.origin[1]
    return at[0] - hex_at(0, row, board.origin)[0], row


def _edge(board: Mapboard) -> int:
    """Room for the coordinates at the left edge."""
    corners = [
        hex_at(column, row, board.origin) for row in range(len(board.rows)) for column in (0, len(board.rows[0]))
    ]
    return max(len(hex_text(at)) for at in corners) + 1


def signs(count: int) -> list[str]:
    """Signs for so many marks."""
    known = [*digits[1:], *ascii_uppercase, *"@&%$!=<>^", *map(chr, range(ord("α"), ord("ω") + 1))]
    return (known + ["?"] * count)[:count]


# --- one window -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Shown:
    """A window of the map in text."""

    board: Mapboard
    window: _Window
    cell: int
    numbers: Mapping[Hex, str]
    path: frozenset[Hex]
    short: dict[Hex, str] = field(default_factory=dict)
    """What stands on the map for each named hex."""

    def __post_init__(self) -> None:
        named = [at for at in self.hexes() if at in self.board.names]
        taken = set(self.numbers.values()) | {"o"}
        self.short = _letters(self.board, named, taken) if self.cell == NARROW else _abbreviations(self.board, named)

    def hexes(self) -> Iterator[Hex]:
        for row in range(self.window.top, self.window.bottom):
            for column in range(self.window.left, self.window.right):
                yield hex_at(column, row, self.board.origin)

    def lines(self) -> list[str]:
        """The rows, each with the coordinates of its first hex."""
        edge = _edge(self.board)
        lines = []
        for row in range(self.window.top, self.window.bottom):
            hexes = [hex_at(column, row, self.board.origin) for column in range(self.window.left, self.window.right)]
            shift = " " * (self.cell // 2 * (row % 2))
            line = shift + "".join(map(self._look, hexes))
            lines.append(f"{hex_text(hexes[0]):>{edge - 1}} {line}".rstrip())
        return lines

    def _look(self, at: Hex) -> str:
        """A hex: a mark, a name, the path or the terrain; the path shows beside a mark or a name."""
        on_path = at in self.path
        if at in self.numbers:
            text = self.numbers[at] if self.cell == NARROW else f"[{self.numbers[at]}]"
        elif at in self.short:
            text = self.short[at]
        elif on_path:
            text, on_path = self._plain(PATH), False
        else:
            kind = self.board.terrain.get(at)
            text = self._plain(OFF if kind is None else LOOKS[kind])
        text = text[: self.cell - 1]
        return (text + PATH * on_path).ljust(self.cell)

    def _plain(self, look: str) -> str:
        """A sign that fills its hex, or stands in the middle of it."""
        if self.cell == NARROW:
            return look
        return look * 3 if look == LOOKS[Terrain.LAND] else f" {look} "

    def names(self, width: int) -> list[str]:
        """The legend of the names in this window."""
        return _columns([f"{short} {self.board.names[at]}" for at, short in self.short.items()], width)


def _letters(board: Mapboard, named: Iterable[Hex], taken: set[str]) -> dict[Hex, str]:
    """A letter for each named hex, from its name if possible."""
    found: dict[Hex, str] = {}
    for at in named:
        letters = [letter for letter in short_name(board.names[at]) if letter in ascii_letters]
        likes = [letters[0].lower(), letters[0].upper(), *map(str.lower, letters)] if letters else []
        free = (sign for sign in [*likes, *ascii_lowercase, *ascii_uppercase, "?"] if sign not in taken or sign == "?")
        found[at] = next(free)
        taken.add(found[at])
    return found


def _abbreviations(board: Mapboard, named: Iterable[Hex]) -> dict[Hex, str]:
    """Three letters for each named hex: the first three if possible."""
    found: dict[Hex, str] = {}
    for at in named:
        letters = "".join(filter(str.isalnum, short_name(board.names[at])))
        tries = ("".join((letters[:1], *pair)) for pair in combinations(letters[1:], 2))
        found[at] = next((text for text in tries if text not in found.values()), letters[:3] or "?")
    return found


def short_name(name: str) -> str:
    """A name without its article and the like, for the map itself."""
    for start in ("the waters off ", "the ", "The "):
        name = name.removeprefix(start)
    return name


# --- the legend -------------------------------------------------------------------------------------------------


def _explained(
    board: Mapboard, marks: Mapping[Hex, str], numbers: Mapping[Hex, str], path: Sequence[Hex], cell: int, width: int
) -> list[str]:
    signs = [f"{look} {kind.value}" for kind, look in LOOKS.items()] + [f"{PATH} path"] * bool(path)
    lines = ["  ".join(signs), *_marked(board, marks, numbers, cell, width)]
    seen = frozenset(path)
    for strait in board.sides:
        if not path or {strait.one, strait.other} <= seen:
            lines += wrap(
                f"{capital(strait.name)}: {_sides(board, strait)}",
                width,
                subsequent_indent="  ",
                break_on_hyphens=False,
            )
    return lines


def _marked(board: Mapboard, marks: Mapping[Hex, str], numbers: Mapping[Hex, str], cell: int, width: int) -> list[str]:
    """What the marks mean."""
    lines = []
    for at, what in marks.items():
        sign = f"[{numbers[at]}]" if cell == WIDE else numbers[at]
        text = f"{sign} {what}, {_where(board, at)}"
        lines += wrap(text, width, subsequent_indent=" " * (len(sign) + 1), break_on_hyphens=False)
    return lines


def _where(board: Mapboard, at: Hex) -> str:
    return f"{board.name_of(at)} ({hex_text(at)})"


def _sides(board: Mapboard, strait: Strait) -> str:
    return f"between {_where(board, strait.one)} and {_where(board, strait.other)}"


def _columns(items: Sequence[str], width: int) -> list[str]:
    """Items in columns under each other."""
    if not items:
        return []
    broad = max(map(len, items)) + 2
    count = max(1, width // broad)
    rows = -(-len(items) // count)
    return ["".join(item.ljust(broad) for item in items[row::rows]).rstrip() for row in range(rows)]
