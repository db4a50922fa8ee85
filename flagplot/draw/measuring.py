"""How wide text is, before anybody knows in which font it will be shown: as wide as in the widest of the usual ones."""

from __future__ import annotations

WIDTHS = {
    0.30: " ',.IJijl",
    0.40: "!()[]rt-/:;\\f|",
    0.50: '"*_`sz',
    0.60: "?LcFPTYaekovxy",
    0.65: "$0123456789EKSbdghnpqu{}",
    0.70: "ABCRVXZ",
    0.80: "DGHNUOQ&w",
    0.85: "#+<=>M^~",
    1.00: "%m@W…",
}
"""Characters by their width, in parts of the size of the text."""
EACH = {character: width for width, characters in WIDTHS.items() for character in characters}
OTHERS = 0.70
WIDE = 1.05
"""Characters of East Asian writing, which are as wide as high."""
BOLD = 1.15


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """The room that a line of text needs."""
    return size * sum([EACH.get(one, WIDE if one >= "\u2e80" else OTHERS) for one in text]) * (BOLD if bold else 1)


def wrapped(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """The lines of a text that fit into some room: broken between words, or within one that is too long itself."""
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if width_of(joined, size, bold=bold) <= room:
            lines[-1:] = [joined]
        else:
            lines += _pieces(word, size, room, bold=bold)
    return lines or [""]


def _pieces(word: str, size: float, room: float, *, bold: bool) -> list[str]:
    pieces = [""]
    for character in word:
        if pieces[-1] and width_of(pieces[-1] + character, size, bold=bold) > room:
            pieces.append("")
        pieces[-1] += character
    return pieces
