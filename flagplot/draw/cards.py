"""Cards: what a board is made of, in words, and each card as an SVG of its own.

A layout is a few bands of cards: the combat groups of a side, its bases, the boxes of a faction. A page lays the cards
out as it has room. Each card says in words all that it shows. The classes of its shapes begin with `flagplot-`; each
shape has its light colour by itself, and a style sheet may give it another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from flagplot.board.model import Look, State
from flagplot.draw.glyphs import GLYPH_WIDTH, GLYPHS, Glyph
from flagplot.draw.measuring import width_of, wrapped
from flagplot.draw.svg import FONTS, xml_text
from flagplot.draw.svg import length as n

Tone = State | Literal["empty"]
"""How a card looks: as the state of its stack, or an empty place."""
Tint = Literal["board", "paper", "hatch", "ink", "faint", "edge", "one", "two", "none", "on", "hit", "whole"]
"""`one` and `two` are the sides, `none` is nobody, `on` is for words on these; `hit` and `whole` are for hits."""

LIGHT: dict[Tint, str] = {
    "board": "#eef2f6",
    "paper": "#ffffff",
    "hatch": "#dbe1e8",
    "ink": "#1b1f27",
    "faint": "#4d5561",
    "edge": "#76808d",
    "one": "#8a3a06",
    "two": "#1c5289",
    "none": "#4d5561",
    "on": "#ffffff",
    "hit": "#a81f1f",
    "whole": "#6b7683",
}
SIDES: tuple[Tint, Tint] = ("one", "two")

WIDTH = 154.0
HEAD, PAD, LINE, BETWEEN = 22.0, 7.0, 14.3, 3.0
BIG, SIZE, SMALL = 12.2, 11.5, 10.5
PIP, PIPS = 5.0, 6.3
"""A pip, and from one pip to the next."""
EMPTY_HEIGHT = 34.0
HATCHED = 14.0
"""The least height of what stands for the unknown."""


class Row(NamedTuple):
    """A line of a card: a sign, words, and for a ship how many hits it bears and has."""

    text: str
    glyph: Glyph | None = None
    look: Look = "plain"
    pips: tuple[int, int] | None = None
    """How many hits it was built to bear, and how many it has taken."""
    words: str = ""
    """The same for those who do not see it, if the text alone does not tell it."""

    @property
    def told(self) -> str:
        return self.words or self.text


@dataclass(slots=True)
class Card:
    """Something with a name and a few lines."""

    title: str
    mark: str = ""
    """What stands at the right of its head."""
    tone: Tone = "plain"
    side: int = 0
    """Whose it is: 0 or 1, or -1 for nobody's."""
    rows: list[Row] = field(default_factory=list)
    key: str = ""
    """A name for pages, the same as long as it is the same card."""
    about: str = ""
    """What it is, before all else, for those who do not see it."""
    unit: str = ""
    """What a page can ask the game about: “what may it do, and why not?”; nothing if it cannot be asked."""

    @property
    def name(self) -> str:
        marks = f" ({self.mark})" if self.mark else ""
        return f"{self.about}{', ' * bool(self.about)}{self.title}{marks}"

    @property
    def told(self) -> list[str]:
        return [row.told for row in self.rows]

    @property
    def height(self) -> float:
        if self.tone == "empty":
            return EMPTY_HEIGHT
        return self.filled + PAD - BETWEEN + (HATCHED if self.tone == "hidden" else 0)

    @property
    def filled(self) -> float:
        """How far its rows reach."""
        return HEAD + PAD + sum(_height(row) for row in self.body)

    @property
    def body(self) -> list[Row]:
        """What stands below the head: its rows, and before them what had no room in the head."""
        first = [Row(self.title, look="strong")] if self.head != self.title else []
        return [*first, *([Row(self.mark, look="faint")] if self.mark and not self.is_marked else []), *self.rows]

    @property
    def head(self) -> str:
        """The title as far as it has room."""
        room, text = WIDTH - 2 * PAD, self.title
        while text and width_of(text, BIG, bold=True) > room:
            text = text[:-2].rstrip() + "…"
        return text

    @property
    def is_marked(self) -> bool:
        """Whether its mark has room beside the title."""
        taken = width_of(self.head, BIG, bold=True) + width_of(self.mark, SMALL)
        return taken + 6 <= WIDTH - 2 * PAD

    def svg(self) -> str:
        """The card as an SVG for a page that knows the colours (see `style_of`)."""
        return _outer(self.title, self.mark, self.tone, self.side, tuple(self.rows), self.about)


@dataclass(slots=True)
class Band:
    """Cards that belong together."""

    title: str
    cards: list[Card]
    note: str = ""
    kind: Literal["places", "cards"] = "cards"
    """`places` are six beside each other, if there is room for them."""
    side: int = -1
    lines: list[str] = field(default_factory=list)
    """Sentences below the cards, which may name rules."""


@dataclass(slots=True)
class Layout:
    """A board as bands of cards, and what is being done, in words."""

    title: str
    bands: list[Band]
    doing: list[str] = field(default_factory=list)

    @property
    def told(self) -> list[str]:
        """All of it in lines of text."""
        lines = [*self.doing]
        for band in self.bands:
            lines.append(f"{band.title}: {band.note}" if band.note else band.title)
            for card in band.cards:
                rest = "; ".join(card.told)
                lines.append(f"  {card.name}: {rest}" if rest else f"  {card.name}")
            lines += [f"  {line}" for line in band.lines]
        return lines


# --- one card ---------------------------------------------------------------------------------------------------


def _room(row: Row) -> float:
    room = WIDTH - 2 * PAD - (GLYPH_WIDTH + 4 if row.glyph else 0)
    return room - (row.pips[0] * PIPS + 3 if row.pips else 0)


def _lines(row: Row) -> list[str]:
    return wrapped(row.text, _size(row), _room(row), bold=row.look in ("strong", "hit"))


def _size(row: Row) -> float:
    return {"strong": BIG, "faint": SMALL}.get(row.look, SIZE)


def _height(row: Row) -> float:
    return LINE * len(_lines(row)) + BETWEEN


def _fill(tint: Tint) -> str:
    return f'class="flagplot-{tint}" fill="{LIGHT[tint]}"'


def _line(tint: Tint, width: float = 1) -> str:
    return f'class="flagplot-{tint}-line" stroke="{LIGHT[tint]}" stroke-width="{n(width)}" fill="none"'


def _words(x: float, y: float, text: str, tint: Tint, size: float, more: str = "") -> str:
    return f'<text x="{n(x)}" y="{n(y)}" font-size="{n(size)}" {_fill(tint)}{more}>{xml_text(text)}</text>'


@lru_cache(maxsize=16_384)
def _outer(title: str, mark: str, tone: Tone, side: int, rows: tuple[Row, ...], about_it: str) -> str:
    """A position changes little from one moment to the next: most of its cards were drawn before."""
    card = Card(title, mark, tone, side, list(rows), about=about_it)
    height = card.height
    about = f"<title>{xml_text(card.name)}</title><desc>{xml_text('; '.join(card.told))}</desc>"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="flagplot-card flagplot-{card.tone}-card" role="img" '
        f'viewBox="0 0 {n(WIDTH)} {n(height)}" width="{n(WIDTH)}" height="{n(height)}" font-family="{FONTS}">'
        f"{about}{''.join(_drawn(card, height))}</svg>"
    )


def _drawn(card: Card, height: float) -> Iterator[str]:
    """The shapes of a card."""
    if card.tone == "empty":
        yield from _empty(card, height)
        return
    tint: Tint = "none" if card.side < 0 else SIDES[card.side]
    frame = f'x="0.75" y="0.75" width="{n(WIDTH - 1.5)}" height="{n(height - 1.5)}" rx="4"'
    yield f"<rect {frame} {_fill('paper')}/>"
    if card.tone == "hidden":
        yield from _hatching(card.filled, height)
    solid = card.tone in ("active", "plain")
    head = f"M0.75 {n(HEAD)}V4.75a4 4 0 0 1 4-4H{n(WIDTH - 4.75)}a4 4 0 0 1 4 4V{n(HEAD)}z"
    yield f'<path d="{head}" {_fill(tint if solid else "paper")}/>'
    yield f'<path d="M0.75 {n(HEAD)}H{n(WIDTH - 0.75)}" {_line(tint)}/>'
    dashes = ' stroke-dasharray="5 3"' if card.tone in ("hidden", "gone") else ""
    yield f"<rect {frame} {_line(tint, 1.5)}{dashes}/>"
    on: Tint = "on" if solid else tint
    yield _words(PAD, 15.6, card.head, on, BIG, ' font-weight="bold"')
    if card.mark and card.is_marked:
        yield _words(WIDTH - PAD, 15.4, card.mark, on, SMALL, ' text-anchor="end"')
    y = HEAD + PAD
    for row in card.body:
        yield from _row(row, y)
        y += _height(row)


def _empty(card: Card, height: float) -> Iterator[str]:
    frame = f'x="0.75" y="0.75" width="{n(WIDTH - 1.5)}" height="{n(height - 1.5)}" rx="4"'
    yield f'<rect {frame} {_line("edge")} stroke-dasharray="2 4"/>'
    yield _words(PAD, 16, card.title, "faint", SIZE)
    if card.mark:
        yield _words(WIDTH - PAD, 16, card.mark, "faint", SMALL, ' text-anchor="end"')


def _hatching(top: float, height: float) -> Iterator[str]:
    """Slanted lines below the words: what is there is not known."""
    bottom = height - 1.5
    parts = []
    for start in range(int(-(bottom - top)), int(WIDTH), 9):
        x1, x2 = max(start, 1.5), min(start + bottom - top, WIDTH - 1.5)
        if x2 > x1:
            parts.append(f"M{n(x1)} {n(bottom - (x1 - start))}L{n(x2)} {n(bottom - (x2 - start))}")
    yield f'<path d="{"".join(parts)}" {_line("hatch", 2)}/>'


def _row(row: Row, y: float) -> Iterator[str]:
    x = PAD
    tint: Tint = {"faint": "faint", "hit": "hit"}.get(row.look, "ink")  # type: ignore[assignment]
    if row.glyph:
        yield f'<path transform="translate({n(x)} {n(y + 0.6)})" d="{GLYPHS[row.glyph]}" {_fill(tint)}/>'
        x += GLYPH_WIDTH + 4
    bold = ' font-weight="bold"' if row.look in ("strong", "hit") else ""
    for number, line in enumerate(_lines(row)):
        yield _words(x, y + 9.8 + LINE * number, line, tint, _size(row), bold)
    if row.pips:
        yield from _hits(row.pips, y)


def _hits(pips: tuple[int, int], y: float) -> Iterator[str]:
    """A box for each hit that a ship was built to bear; those taken are filled and crossed."""
    size, hits = pips
    left = WIDTH - PAD - size * PIPS + (PIPS - PIP)
    top = y + 3
    for number in range(size):
        x = left + number * PIPS
        box = f'x="{n(x)}" y="{n(top)}" width="{n(PIP)}" height="{n(PIP + 2)}"'
        if number < hits:
            yield f"<rect {box} {_fill('hit')}/>"
        else:
            yield f"<rect {box} {_line('whole')}/>"
