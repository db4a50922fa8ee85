"""The odds of a plan as the sheet shows them: a bar for each ship at risk, a few figures, exact or about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from flagplot.kernel.ledger import Ledger
from flagplot.odds.answer import Answer, Hits, Part, percent
from flagplot.odds.position_answer import OF_A_SHIP, OptionOdds, PositionAnswer, SampledAnswer, SampledPart

FIRST = ("Winner", "points", "factors sunk", "ships sunk", "air units lost")
COLUMNS = 3
LINES = 6
LIKELIEST = 2
"""Figures that are compared side by side, or told of one plan; and those of them that come first."""
BELIEFS = {
    "forces": "the forces of the scenario",
    "ships": "the ships of the scenario, in any task forces",
    "navies": "any ships of their navies",
}
"""What the enemy may have, to choose from."""
FIGURES = 3
SHIPS = 6
"""Ships and figures that are shown at most; the rest is in the text below."""
ANY = {
    "fast carriers sunk": "a carrier sunk",
    "named ships sunk": "a named ship sunk",
    "factors sunk": "a ship sunk",
    "ships sunk": "a ship sunk",
    "factors newly damaged": "a ship damaged",
    "transports sunk": "a transport sunk",
    "LBAs destroyed": "an LBA destroyed",
    "units damaged": "a unit damaged",
    "air units lost": "air lost",
    "submarine factors lost": "submarines lost",
    "inverted air units in its bases": "air inverted in its bases",
}
"""What the chance of one or more of something is called, the most telling first."""
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
    missing: str
    """``12% not followed``, and of that nothing is shown; nothing if everything was followed."""
    ledgers: Sequence[tuple[str, Ledger]]


class Row(NamedTuple):
    """One option of a comparison."""

    label: str
    cells: Sequence[str]


class Comparison(NamedTuple):
    """What each option of a question comes to if both sides play on: averages with their errors."""

    until: str
    """To the end of what."""
    columns: Sequence[str]
    rows: Sequence[Row]
    trials: int
    """How often each was played on, at least."""


def comparison(found: PositionAnswer) -> Comparison | None:
    """The options beside each other, if they were played on."""
    answers = [(one.label, one.answer) for one in found.options if isinstance(one.answer, SampledAnswer)]
    if not found.played_on or not answers:
        return None
    titles = list(dict.fromkeys([part.title for _, answer in answers for part in answer.parts]))
    columns = sorted(titles, key=_rank)[: COLUMNS if len(answers) > 1 else LINES]
    rows = []
    for label, answer in answers:
        parts = {part.title: part for part in answer.parts}
        rows.append(Row(label, [_cell(parts.get(title)) for title in columns]))
    until = found.decided_by.rpartition(" (")[0]
    return Comparison(until, columns, rows, min([answer.trials for _, answer in answers]))


def _rank(title: str) -> int:
    """What matters most comes first."""
    found = [place for place, words in enumerate(FIRST) if title.endswith(words)]
    return found[0] if found else len(FIRST)


def _cell(part: Part | None) -> str:
    if part is None:
        return "–"
    if not part.is_number:
        likeliest = sorted(part.chances, key=lambda one: -part.chances[one])[:LIKELIEST]
        return ", ".join([f"{one} {100 * float(part.chances[one]):.0f}%" for one in likeliest])
    error = f" ± {part.error:.1f}" if isinstance(part, SampledPart) and part.trials > 1 else ""
    return f"{float(part.mean):.1f}{error}"


def shown(found: PositionAnswer) -> list[Shown]:
    """The odds of each option."""
    return [_option(one) for one in found.options]


def _option(one: OptionOdds) -> Shown:
    answer = one.answer
    ships = [part for part in answer.parts if part.title.endswith(OF_A_SHIP)]
    bars = [Bar(part.title.removesuffix(OF_A_SHIP).partition(",")[0], list(_pieces(part))) for part in ships[:SHIPS]]
    others = [part for part in answer.parts if part.is_number and part not in ships]
    return Shown(one.label, bars, [*_figures(others)][:FIGURES], _error(answer), _missing(answer), answer.ledgers)


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
    seen, told = {0.0}, list(ANY)
    named = [(*part.title.rpartition(": "), part) for part in parts]
    for side, colon, what, part in sorted(named, key=lambda one: told.index(one[2]) if one[2] in ANY else len(told)):
        some = float(part.chances.chance(lambda number: number != 0))
        if some not in seen:
            seen.add(some)
            yield Figure(f"{100 * some:.0f}%", f"{side}{colon}{ANY.get(what, what)}")


def _missing(answer: Answer) -> str:
    return "" if answer.is_whole else f"{percent(answer.left_over).strip()} not followed"


def _error(answer: Answer) -> str:
    if not isinstance(answer, SampledAnswer):
        return ""
    return f"± {100 * sqrt(0.25 / max(1, answer.trials - 1)):.0f}%"
