"""Charts of simulations: who has won and how it ended, how long it took, and what was lost, with what is uncertain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from flagplot.draw.bins import bins_of, place_of
from flagplot.draw.chart_page import Key, Page, drawn, told
from flagplot.draw.chart_panels import MOST_COLUMNS, Bars, Grid, Histogram, Panel, Row, fitting_bins
from flagplot.draw.picture import Picture
from flagplot.kernel.margins import figure_name
from flagplot.kernel.toll import DAMAGED, SUNK
from flagplot.simulation.intervals import Share, Spread, between, percent

if TYPE_CHECKING:
    from flagplot.simulation.simulation import Simulation

MOST_ROWS = 10
MOST_SHIPS = 14
"""Named ships of a side that are shown."""
HEADS = ("share", "95 % interval")


def draw_simulation(found: Simulation, columns: int | None = None) -> Picture:
    """A chart of what came of many battles."""
    return drawn(page_of(found), columns)


def text_of(found: Simulation) -> str:
    """What came of many battles in words."""
    return told(page_of(found))


def page_of(found: Simulation) -> Page:
    panels: list[Panel] = []
    if found.battles:
        panels += [*_results(found), *_length(found)]
        for side in found.sides:
            panels += _side(found, side)
    about = _about(found)
    legend: list[tuple[Key, str]] = [("bar", "share of the battles"), ("interval", "95 % interval")]
    legend.append(("average", "average"))
    if found.tally.fates.total():
        legend.append(("hollow", "share in which a ship was damaged"))
    hint = "Small bars show their share in per cent; s.e. is the standard error of an average."
    return Page(found.title, about, panels, [], legend, hint) if panels else Page(found.title, about, [], [])


def _about(found: Simulation) -> list[str]:
    """What was played, by whom, from where, and whether all of it."""
    first, *more = found.conditions
    lines = [f"Sampled: {first}", *more]
    if found.start.save:
        count = f"{found.start.game.turn:,} answer{'s' * (found.start.game.turn != 1)}"
        lines.append(
            f"Continued from {Path(found.start.save).name} after {count}, with other dice; losses and length count the "
            "whole battle. For the umpire only: hidden forces are as they really are."
        )
    return [*lines, *[found.cut_short] * bool(found.stopped)]


# --- shares -----------------------------------------------------------------------------------------------------


def _results(found: Simulation) -> list[Bars]:
    panels = [Bars("Winners", _shares(found.winners), HEADS)]
    if found.endings:
        panels.append(Bars("How it ended", _shares(found.endings), HEADS))
    return panels


def _shares(shares: Mapping[str, Share]) -> tuple[Row, ...]:
    return tuple([_row(name, share) for name, share in shares.items()])


def _row(label: str, share: Share, *, hollow: bool = False) -> Row:
    cells = (percent(share.share), between(*share.interval))
    return Row(label, share.share, cells, interval=share.interval, hollow=hollow)


# --- numbers ----------------------------------------------------------------------------------------------------


def _length(found: Simulation) -> list[Bars]:
    rounds = found.rounds
    panels = [_numbers("Rounds", rounds)] if rounds else []
    return [*panels, _numbers("Answers and rolls", found.answers)]


def _numbers(title: str, spread: Spread) -> Bars:
    bins = bins_of(spread.counts, MOST_ROWS)
    rows = [_row(one.label, Share(int(one.weight(spread.counts)), spread.of)) for one in bins]
    average = f"{_average(spread)} on average; from {spread.least:,} to {spread.most:,}"
    return Bars(title, tuple(rows), HEADS, average, place_of(spread.mean, bins), average)


def _average(spread: Spread) -> str:
    return f"{spread.mean:.2f} (s.e. {spread.error:.2f})"


# --- sides ------------------------------------------------------------------------------------------------------


def _side(found: Simulation, side: str) -> list[Panel]:
    name = found.sides[side]
    figures = {figure_name(key): spread for key, spread in found.figures(side).items()}
    panels: list[Panel] = []
    if figures:
        panels += _grids(f"{name}: totals of a battle", figures)
    if lost := found.lost(side):
        panels += _grids(f"{name}: lost in a battle", lost)
    return [*panels, *_named(found, side)]


def _grids(title: str, spreads: Mapping[str, Spread]) -> list[Grid]:
    """Small numbers stand apart from great ones: they are not to be taken together for want of columns."""
    small = {label: spread for label, spread in spreads.items() if spread.most < MOST_COLUMNS}
    great = {label: spread for label, spread in spreads.items() if label not in small}
    further = f"{title}, greater numbers" if small else title
    return [_grid(name, some) for name, some in ((title, small), (further, great)) if some]


def _grid(title: str, spreads: Mapping[str, Spread]) -> Grid:
    pooled: Counter[int] = Counter()
    for spread in spreads.values():
        pooled.update(spread.counts)
    bins = fitting_bins(pooled)
    rows = [
        Histogram(label, tuple([one.weight(spread.counts) / spread.of for one in bins]), _mean(spread))
        for label, spread in spreads.items()
    ]
    return Grid(title, tuple([one.label for one in bins]), tuple(rows), ("average", "s.e."))


def _mean(spread: Spread) -> tuple[str, str]:
    return f"{spread.mean:.2f}", f"{spread.error:.2f}"


def _named(found: Simulation, side: str) -> list[Bars]:
    """Ships that were sunk or damaged, those that were sunk most often first."""
    fates = {name: (found.fate(side, name, SUNK), found.fate(side, name, DAMAGED)) for name in found.named[side]}
    hurt = [name for name, both in fates.items() if any([share.times for share in both])]
    hurt.sort(key=lambda name: [-share.times for share in fates[name]])
    rows = []
    for name in hurt[:MOST_SHIPS]:
        sunk, damaged = fates[name]
        rows += [_row(f"{name}: {SUNK}", sunk), _row(f"{name}: {DAMAGED}", damaged, hollow=True)]
    notes = [f"{len(hurt) - MOST_SHIPS} others less often"] if len(hurt) > MOST_SHIPS else []
    spared = len(fates) - len(hurt)
    notes += [f"{spared} {'others ' * bool(hurt)}neither sunk nor damaged"] if spared else []
    if not fates:
        return []
    return [Bars(f"{found.sides[side]}: by name", tuple(rows), HEADS, "; ".join(notes))]
