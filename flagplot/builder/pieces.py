"""Pieces of a text that know where they stand, and how a text falls into statements and their items."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Piece(NamedTuple):
    """Some letters of one line of the text; line and column count from 1."""

    text: str
    line: int
    column: int
    letters: int = -1
    """How many letters of the text stand for it, if they are not these: a cell of a table is read with its heading."""

    @property
    def length(self) -> int:
        return max(1, len(self.text) if self.letters < 0 else self.letters)

    def part(self, start: int, end: int | None = None) -> Piece:
        """The letters from start to end, without blanks around them."""
        text = self.text[start:end]
        if self.letters >= 0:
            return Piece(text.strip(), self.line, self.column, self.letters)
        blanks = len(text) - len(text.lstrip())
        return Piece(text.strip(), self.line, self.column + start + blanks)

    def strip(self) -> Piece:
        return self.part(0)

    def match(self, matched: re.Match[str], group: int | str = 0) -> Piece:
        """The part that a group of a match in this piece took."""
        return self.part(matched.start(group), matched.end(group))


START = Piece("", 1, 1)
"""Where to tell what no line says."""


class Statement(NamedTuple):
    """A line with what continues it: what stands before the colon, and what comes after it."""

    head: Piece
    body: tuple[Piece, ...]
    colon: bool = True

    @property
    def whole(self) -> Piece:
        return self.body[0] if not self.head.text and self.body else self.head

    @property
    def last(self) -> int:
        return self.body[-1].line if self.body else self.head.line

    @property
    def prose(self) -> str:
        """The body as it was written, line by line."""
        return "\n".join([piece.text for piece in self.body])

    @property
    def items(self) -> list[Piece]:
        """The items of its body."""
        return [item for body in self.body for item in items_of(body)]


_BULLET = re.compile(r"[-*•‣]\s+(?=\S)")
_COMMENT = re.compile(r"#(?:\s|$)|#{2,}|//")
_COLON = re.compile(r"[:：]")
_OTHER_SIGNS = re.compile(r"\s[-–—=]\s|\s?[–—]\s?")


def pieces_of(text: str) -> Iterator[Piece]:
    """The lines of a text that say something, bullets left out."""
    for number, line in enumerate(text.split("\n"), start=1):
        piece = Piece(line.rstrip("\r"), number, 1)
        if piece.text.strip():
            yield piece


def is_comment(piece: Piece) -> bool:
    return bool(_COMMENT.match(piece.text.lstrip()))


def indentation(piece: Piece) -> int:
    return len(piece.text) - len(piece.text.lstrip())


def statement(piece: Piece) -> Statement:
    """A line in two: up to the colon, and after it."""
    bare = piece.strip()
    if bullet := _BULLET.match(bare.text):
        bare = bare.part(bullet.end())
    covered = _covered(bare.text)
    for sign in (_COLON, _OTHER_SIGNS):
        for found in sign.finditer(bare.text):
            if not covered[found.start()]:
                after = bare.part(found.end())
                return Statement(bare.part(0, found.start()), (after,) if after.text else ())
    return Statement(bare, (), colon=False)


def _covered(text: str) -> bytearray:
    """For each letter whether it stands within quotes or brackets."""
    depth, quoted, covered = 0, False, bytearray(len(text))
    for place, letter in enumerate(text):
        covered[place] = quoted or depth > 0
        quoted ^= letter == '"'
        if not quoted:
            depth = max(0, depth + (letter in "([") - (letter in ")]"))
    return covered


_HEX = re.compile(r"\b(?:at|hex|to|from|patrol|in)\s+-?\d+\s*,\s*-?\d+", re.IGNORECASE)
_SEPARATOR = re.compile(r"[,;+&|]|\s+and\s+(?=\S)", re.IGNORECASE)
_PROSE = re.compile(r"\s*(?:cargo|carrying|carries|with cargo|load)\b", re.IGNORECASE)


def items_of(piece: Piece) -> Iterator[Piece]:
    """The items of a list: what stands between commas, semicolons or "and", but not within quotes or brackets."""
    covered = _covered(piece.text)
    for found in _HEX.finditer(piece.text):
        covered[slice(*found.span())] = b"\1" * len(found[0])
    start = 0
    for found in _SEPARATOR.finditer(piece.text):
        if covered[found.start()] or (found[0].strip().lower() == "and" and _PROSE.match(piece.text, start)):
            continue
        yield from _said(piece.part(start, found.start()))
        start = found.end()
    yield from _said(piece.part(start))


def _said(piece: Piece) -> Iterator[Piece]:
    bare = piece.text.rstrip(". ")
    if bare:
        yield piece._replace(text=bare)


def parts_of(piece: Piece, separator: str) -> Iterator[Piece]:
    """What stands between separators that are not within quotes or brackets."""
    start, covered = 0, _covered(piece.text)
    for found in re.finditer(separator, piece.text):
        if not covered[found.start()]:
            yield from _said(piece.part(start, found.start()))
            start = found.end()
    yield from _said(piece.part(start))
