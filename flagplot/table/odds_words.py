"""The odds of a plan as the sheet shows them: a bar for each ship at risk, a few figures, exact or about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from flagplot.kernel.ledger import Ledger
from flagplot.odds.answer import Answer, Hits, Part
from flagplot.odds.position_answer import OF_A_SHIP, OptionOdds, PositionAnswer, SampledAnswer

FIGURES = 3
SHIPS = 6
"""Ships and figures that are shown at most; the rest is in the text below."""
LEAST = Fraction(1, 200)
"""What is less likely than this is no piece of a bar."""


class Piece(NamedTuple):
    """A piece of a bar: how it is drawn, what it means, where it begins and how wide it is, in per cent."""

    kind: str
    words: str
    begin: float
    width: float

    @property
    def percent(self) -> int:
        return round(self.width)


class Bar(NamedTuple):
    """What may become of one ship."""

    name: str
    pieces: Sequence[Piece]


class Figure(NamedTuple):
    """One number that sums up a plan."""

    number: str
    words: str


class Shown(NamedTuple):
    """The odds of one option, or of a plan."""

    label: str
    bars: Sequence[Bar]
    figures: Sequence[Figure]
    error: str
    """``± 5%`` if it is an estimate; nothing if it is exact."""
    whole: bool
    """Whether every case was gone through."""
    ledgers: Sequence[tuple[str, Ledger]]


def shown(found: PositionAnswer) -> list[Shown]:
    """The odds of each option."""
    return [_option(one) for one in found.options]


def _option(one: OptionOdds) -> Shown:
    answer = one.answer
    ships = [part for part in answer.parts if part.title.endswith(OF_A_SHIP)]
    bars = [Bar(part.title.removesuffix(OF_A_SHIP).partition(",")[0], list(_pieces(part))) for part in ships[:SHIPS]]
    others = [part for part in answer.parts if part.is_number and part not in ships]
    return Shown(one.label, bars, [*_figures(others)][:FIGURES], _error(answer), not answer.left_over, answer.ledgers)


def _pieces(part: Part) -> Iterator[Piece]:
    """From unhurt to sunk."""
    begin = 0.0
    for hits in sorted(part.chances, key=int):
        chance = part.chances[hits]
        if chance >= LEAST:
            kind, words = _fate(hits) if isinstance(hits, Hits) else ("o0", str(hits))
            yield Piece(kind, words, begin, 100 * float(chance))
        begin += 100 * float(chance)


def _fate(hits: Hits) -> tuple[str, str]:
    if hits >= hits.size:
        return "o3", "sunk"
    if 0 < hits == hits.size - 1:
        return "o2", "damaged"
    return "o0", f"{int(hits)} hit{'s' * (hits != 1)}" if hits else "no hit"


def _figures(parts: Sequence[Part]) -> Iterator[Figure]:
    """The chance of any, which most people ask for first; what is the same as another figure says nothing new."""
    seen = {0.0}
    for part in parts:
        some = float(part.chances.chance(lambda number: number != 0))
        if some not in seen:
            seen.add(some)
            yield Figure(f"{100 * some:.0f}%", part.title)


def _error(answer: Answer) -> str:
    if not isinstance(answer, SampledAnswer):
        return ""
    return f"± {100 * sqrt(0.25 / max(1, answer.trials - 1)):.0f}%"
