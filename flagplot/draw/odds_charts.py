"""Charts of exact odds: one answer, or the answers for several options beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from flagplot.draw.bins import Bin, bins_of, place_of
from flagplot.draw.chart_page import Key, Page, drawn
from flagplot.draw.chart_panels import Bars, Grid, Histogram, Row, fitting_bins
from flagplot.draw.picture import Picture
from flagplot.odds.answer import Answer, Part, percent
from flagplot.odds.chances import NEGLIGIBLE

MOST_ROWS = 14
"""Rows of a panel, beyond which numbers are taken together."""
MOST_WORDS = 6
"""Columns of outcomes in words."""
LEFT_OVER = "not followed"
OTHERS = "others"
Chances = Mapping[Any, Fraction]


def draw_answer(answer: Answer, columns: int | None = None) -> Picture:
    """A chart of one answer: a panel for each thing that was asked, and below them rules, policies and options."""
    sure = [part for part in answer.parts if _is_certain(part)]
    open_ = [part for part in answer.parts if not _is_certain(part)] or sure
    panels = [_bars(part, answer.left_over) for part in open_]
    legend: list[tuple[Key, str]] = [("bar", "chance")]
    if any([part.is_number for part in open_]):
        legend += [("outline", "chance of at least this many"), ("average", "average")]
    if not answer.is_whole:
        legend.append(("hollow", "not followed to the end"))
    certain = [f"{_always(answer)}: {'; '.join(map(_certainty, sure))}."] if sure and open_ is not sure else []
    page = Page(answer.question, [answer.soundness], panels, [*certain, *_below([answer])], legend)
    return drawn(page, columns, str(answer))


def draw_parts(answer: Answer, width: float) -> list[tuple[Part, Picture]]:
    """A small chart for each thing that was asked, for a page that arranges them itself; what is certain has none."""
    return [(part, _panel(_bars(part, answer.left_over), width)) for part in answer.parts if not _is_certain(part)]


def _panel(bars: Bars, width: float) -> Picture:
    """A panel alone; the page tells its title."""
    alone = replace(bars, title="")
    picture = Picture(bars.title, width, alone.height(width) + 2, "\n".join(bars.words()))
    picture.add(alone.draw(0, 0, width))
    return picture


def certain(answer: Answer) -> list[str]:
    """What was asked and cannot come out otherwise, each with what comes out."""
    return [_certainty(part) for part in answer.parts if _is_certain(part)]


def _is_certain(part: Part) -> bool:
    return len(part.chances) == 1 and part.chances.total == 1


def _certainty(part: Part) -> str:
    return f"{part.title}: {next(iter(part.chances))}"


def _always(answer: Answer) -> str:
    """What never came out otherwise is certain only if nothing was sampled."""
    return "Certain" if answer.as_dict()["exact"] else "In every trial"


def _below(answers: Iterable[Answer]) -> list[str]:
    """The rules of all modifiers, how was decided, and which readings were used."""
    answers = list(answers)
    rules = dict.fromkeys([line.rule for one in answers for _, ledger in one.ledgers for line in ledger if line.rule])
    policies = dict.fromkeys([words for one in answers for words in one.policies])
    options = dict.fromkeys([f"Option {name} = {value}" for one in answers for name, value in one.options.items()])
    told = [f"Rules of the modifiers: {', '.join(rules)}."] if rules else []
    return [*told, *[f"Assumed: {words}." for words in policies], *options]


# --- one answer -------------------------------------------------------------------------------------------------


def _bars(part: Part, left_over: Fraction) -> Bars:
    missing = (_missing(left_over, part.is_number),) if left_over >= NEGLIGIBLE else ()
    if not part.is_number:
        return Bars(part.title, (*_word_rows(part.chances.chances), *missing), ("chance",))
    bins = bins_of(part.chances.chances, MOST_ROWS)
    return Bars(
        part.title,
        (*_number_rows(part.chances.chances, bins), *missing),
        ("chance", "or more"),
        part.average,
        place_of(float(part.mean), bins) if bins else None,
        part.average,
    )


def _number_rows(chances: Chances, bins: Sequence[Bin]) -> list[Row]:
    rows, left = list[Row](), sum(chances.values(), Fraction(0))
    for one in bins:
        chance = Fraction(one.weight(chances))
        rows.append(Row(one.label, float(chance), (_percent(chance), _percent(left)), float(left)))
        left -= chance
    return rows


def _word_rows(chances: Chances) -> list[Row]:
    return [Row(word, float(chance), (_percent(chance),)) for word, chance in _most_likely(chances, MOST_ROWS).items()]


def _most_likely(chances: Chances, most: int) -> dict[str, Fraction]:
    """Outcomes in words, the likeliest first; if they are too many, the unlikely ones together."""
    ordered = sorted(chances, key=lambda outcome: -chances[outcome])
    shown = ordered if len(ordered) <= most else ordered[: most - 1]
    told: dict[str, Fraction] = {}
    for outcome in shown:
        told[str(outcome)] = told.get(str(outcome), Fraction(0)) + chances[outcome]
    rest = sum([chances[outcome] for outcome in ordered[len(shown) :]], Fraction(0))
    return told | ({OTHERS: rest} if rest else {})


def _missing(left_over: Fraction, is_number: bool) -> Row:
    return Row(LEFT_OVER, float(left_over), (_percent(left_over), *([""] if is_number else [])), hollow=True)


def _percent(chance: Fraction) -> str:
    return percent(chance).strip()


# --- options beside each other ----------------------------------------------------------------------------------


def draw_options(
    title: str, options: Sequence[tuple[str, Answer]], columns: int | None = None, *, notes: Sequence[str] = ()
) -> Picture:
    """A chart of the answers for several options: a panel for each thing that was asked, in it a row for each option,
    all on the same scale. What else is to be known can be told in notes below."""
    titles = dict.fromkeys([part.title for _, answer in options for part in answer.parts])
    panels, alike = list[Grid](), list[str]()
    for name in titles:
        parts = [(label, answer, part) for label, answer in options for part in answer.parts if part.title == name]
        first = parts[0][2]
        if _is_certain(first) and len(parts) == len(options) and all([part == first for _, _, part in parts]):
            alike.append(_certainty(first))
        else:
            panels.append(_grid(name, parts))
    certain = [f"{_always(options[0][1])}, whatever is chosen: {'; '.join(alike)}."] if alike else []
    below = [*certain, *_below([one for _, one in options]), *notes]
    page = Page(title, _soundness(options), panels, below, hint="Each bar shows its chance in per cent.")
    return drawn(page, columns, _told(title, options, notes))


def _soundness(options: Sequence[tuple[str, Answer]]) -> list[str]:
    unsure = [(label, answer.soundness) for label, answer in options if not answer.as_dict()["exact"]]
    if not unsure:
        return ["Exact."]
    if len(unsure) == len(options) and len({words for _, words in unsure}) == 1:
        return [unsure[0][1]]
    return [f"{label}: {words}" for label, words in unsure]


def _grid(title: str, parts: Sequence[tuple[str, Answer, Part]]) -> Grid:
    numbers = all([part.is_number for _, _, part in parts])
    pooled: dict[Any, Fraction] = {}
    for _, _, part in parts:
        for outcome, chance in part.chances.chances.items():
            pooled[outcome] = pooled.get(outcome, Fraction(0)) + chance
    bins = fitting_bins(pooled) if numbers else []
    words = [] if numbers else [*_most_likely(pooled, MOST_WORDS)]
    missing = not all([answer.is_whole for _, answer, _ in parts])
    rows = []
    for label, answer, part in parts:
        chances = part.chances.chances
        shares = [float(one.weight(chances)) for one in bins] if numbers else _word_shares(chances, words)
        cells = (f"{float(part.mean):.2f}",) if numbers else ()
        rows.append(Histogram(label, (*shares, *([float(answer.left_over)] if missing else [])), cells))
    heads = [one.label for one in bins] if numbers else words
    return Grid(title, (*heads, *([LEFT_OVER] if missing else [])), tuple(rows), ("average",) if numbers else ())


def _word_shares(chances: Chances, words: Sequence[str]) -> list[float]:
    told = {str(outcome): chance for outcome, chance in chances.items()}
    rest = sum([chance for word, chance in told.items() if word not in words], Fraction(0))
    return [float(told.get(word, rest if word == OTHERS else Fraction(0))) for word in words]


def _told(title: str, options: Sequence[tuple[str, Answer]], notes: Sequence[str]) -> str:
    lines = [title]
    for label, answer in options:
        lines += ["", f"{label}:", *[line for part in answer.parts for line in part.lines()], answer.soundness]
    return "\n".join([*lines, "", *_below([answer for _, answer in options]), *notes])
