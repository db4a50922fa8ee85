"""Tables that were pasted, as CSV, with tabs or in Markdown: one row a force, a base or a counter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from flagplot.builder.pieces import Piece, Statement
from flagplot.builder.vocabulary import fold, type_of

OWNER: Final = frozenset({"side", "nation", "country", "owner", "navy", "player"})
NAME: Final = frozenset({"force", "name", "unit", "base", "place", "group", "task force", "tf", "fleet", "counter"})
ITEMS: Final = frozenset(
    {"ships", "air", "units", "details", "notes", "other", "contents", "activity", "mission", "what"}
)
BEFORE: Final = {
    "from": "from ",
    "origin": "from ",
    "port": "from ",
    "at": "at ",
    "hex": "at ",
    "arrives": "arrives round ",
    "round": "arrives round ",
    "cargo": "cargo ",
    "distance": "",
}
FACTORS: Final = frozenset({"gunnery", "torpedo", "airstrike", "defense", "defence", "damage"})
EMPTY: Final = frozenset({"", "-", "–", "—", "0", "none"})
SEPARATORS: Final = ("|", "\t", ";", ",")


def rows_read(pieces: Iterable[Piece]) -> Iterator[Piece | Statement]:
    """The lines of a text, with the rows of tables turned into statements."""
    header: list[str] = []
    separator, last = "", 0
    for piece in pieces:
        if header and (piece.line > last + 1 or separator not in piece.text):
            header = []
        last = piece.line
        if header:
            if not re.fullmatch(r"[\s|:+-]+", piece.text):
                yield _row(piece, header, separator)
            continue
        separator = next((sign for sign in SEPARATORS if _header(piece, sign)), "")
        header = _header(piece, separator) if separator else []
        if not header:
            yield piece


def _header(piece: Piece, separator: str) -> list[str]:
    """The columns that a line names, if it is the head of a table."""
    if separator not in piece.text:
        return []
    columns = [fold(cell.text.strip("*")) for cell in _cells(piece, separator)]
    known = all(_is_column(column) for column in columns)
    return columns if known and len(columns) > 1 and any(column in NAME for column in columns) else []


def _is_column(column: str) -> bool:
    return column in OWNER | NAME | ITEMS | FACTORS | set(BEFORE) or type_of(column) is not None


def _row(piece: Piece, header: Sequence[str], separator: str) -> Statement:
    """A row as the line that a player would have typed; each part keeps its place."""
    owner = name = Piece("", piece.line, piece.column)
    items: list[Piece] = []
    for column, cell in zip(header, _cells(piece, separator), strict=False):
        if cell.text.casefold() in EMPTY:
            continue
        if column in OWNER:
            owner = cell
        elif column in NAME:
            name = cell
        elif column in ITEMS:
            items.append(cell)
        elif column in BEFORE:
            items.append(_written(f"{BEFORE[column]}{cell.text}", cell))
        elif column in FACTORS:
            items.append(_written(f"{column} {cell.text}", cell))
        elif cell.text.isdigit():
            items.append(_written(f"{cell.text} {column}", cell))
        else:
            items.append(_written(cell.text, cell))
    head = _written(f"{owner.text} {name.text}".strip(), name if name.text else owner)
    return Statement(head, tuple(items))


def _written(text: str, cell: Piece) -> Piece:
    return Piece(text, cell.line, cell.column, len(cell.text))


def _cells(piece: Piece, separator: str) -> list[Piece]:
    """The cells of a row; a cell in quotes may hold separators."""
    text, start, quoted = piece.text, 0, False
    cells = []
    for place, letter in enumerate(text):
        quoted ^= letter == '"'
        if letter == separator and not quoted:
            cells.append(_cell(piece, start, place))
            start = place + 1
    cells.append(_cell(piece, start, len(text)))
    if separator == "|" and text.strip().startswith("|"):
        cells = cells[1:-1] if text.strip().endswith("|") else cells[1:]
    return cells


def _cell(piece: Piece, start: int, end: int) -> Piece:
    cell = piece.part(start, end)
    return cell.part(1, -1) if len(cell.text) > 1 and cell.text[0] == cell.text[-1] == '"' else cell
