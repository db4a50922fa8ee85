"""The odds of a whole battle as a page shows them: who wins, what is lost, which ships are at risk, how long it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

from flagplot.draw.bins import bins_of
from flagplot.kernel.toll import DAMAGED, SUNK
from flagplot.kernel.words import capital
from flagplot.simulation.intervals import Spread
from flagplot.simulation.regression import Estimate
from flagplot.table.workers.forecasts import WANTED, Forecast

SHIPS = 6
"""Ships at risk that are named."""
ENDINGS = 5
COLUMNS = 10
"""Columns of a chart of losses."""
LEAST = 0.005
"""Ships that are sunk more seldom than this are not at risk."""
FACTORS = "factors_sunk"
FIGURES = {"factors_damaged": "Factors damaged", "brps_lost": "BRPs of air lost", "points": "Points"}
"""Further figures of a result, and what people call them."""
NONE = Estimate(0.0, 0.0, 0.0)
CARGO = "laden factors with their cargo"
HEIGHT = 52.0
"""The height of the tallest column."""


class Winner(NamedTuple):
    """A side, or nobody, with its piece of the bar."""

    side: str
    name: str
    nation: str
    share: float
    """In per cent."""
    error: float
    begin: float

    @property
    def percent(self) -> str:
        return f"{self.share:.0f}%"


class Column(NamedTuple):
    """How often each side lost so much, as heights of its columns."""

    label: str
    heights: tuple[float, ...]


class Chart(NamedTuple):
    """What both sides lose, one above the other."""

    columns: Sequence[Column]
    means: Sequence[tuple[str, str, str]]
    """Of each side its name, its nation and its average."""
    words: str


class Risk(NamedTuple):
    """A ship, and how often it is sunk or damaged, in per cent."""

    side: str
    name: str
    nation: str
    sunk: float
    error: float
    damaged: float


class Row(NamedTuple):
    """A figure of both sides."""

    title: str
    cells: Sequence[str]


class Change(NamedTuple):
    """What a change does to a side: how often it wins before and after, and the difference with its error."""

    name: str
    before: float
    after: float
    change: float
    error: float

    @property
    def sure(self) -> bool:
        """Whether it is more than luck."""
        return abs(self.change) > 2 * self.error

    @property
    def words(self) -> str:
        return f"{self.name} wins {self.before:.0f} → {self.after:.0f}%"

    @property
    def difference(self) -> str:
        return f"{self.change:+.1f} ± {self.error:.1f}".replace("-", "−")


class Told(NamedTuple):
    """All figures of a forecast."""

    battles: int
    headline: str
    winners: Sequence[Winner]
    lost: Chart | None
    risks: Sequence[Risk]
    rows: Sequence[Row]
    length: str
    endings: Sequence[tuple[str, str]]
    progress: float
    """In per cent."""
    state: str
    changes: Sequence[Change] = ()

    def as_dict(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "battles": self.battles,
            "winners": {
                one.side or "nobody": {"share": one.share / 100, "standard_error": one.error / 100}
                for one in self.winners
            },
            "figures": {row.title: list(row.cells) for row in self.rows},
            "ships": [
                {"side": one.side, "name": one.name, "sunk": one.sunk / 100, "damaged": one.damaged / 100}
                for one in self.risks
            ],
            "changes": [
                {"side": one.name, "difference": one.change / 100, "standard_error": one.error / 100}
                for one in self.changes
            ],
            "length": self.length,
            "endings": dict(self.endings),
        }


class Names(NamedTuple):
    """What sides and ships are called."""

    sides: Mapping[str, str]
    nations: Mapping[str, str]
    cargo: Mapping[str, int] = {}
    """The factors of cargo that each side sets out with."""


def told(forecast: Forecast, names: Names) -> Told:
    """What has come of the battles so far."""
    with forecast.lock:
        if not forecast.battles:
            return Told(0, "", (), None, (), (), "", (), 100 * forecast.progress, _state(forecast))
        winners = [*_winners(forecast, names)]
        return Told(
            forecast.battles,
            headline(winners, forecast.battles),
            winners,
            _lost(forecast, names),
            [*_risks(forecast, names)],
            [*_rows(forecast, names)],
            _length(forecast),
            [*_endings(forecast)],
            100 * forecast.progress,
            _state(forecast),
            [*_changes(forecast, names)],
        )


def _changes(forecast: Forecast, names: Names) -> Iterator[Change]:
    """The difference is that of the pairs, which is surer than either share; what was before follows from it, so that
    all three agree."""
    now, found = forecast.shares(), forecast.change.estimates()
    for side in forecast.sides if forecast.change.battles > 1 else ():
        one = found.get(f"won {side}", NONE)
        after = min(1.0, max(0.0, now[side].mean))
        before = min(1.0, max(0.0, after - one.mean))
        yield Change(names.sides[side], 100 * before, 100 * after, 100 * one.mean, 100 * one.error)


def _state(forecast: Forecast) -> str:
    if not forecast.done:
        return f"{forecast.battles:,} battles played" if forecast.battles else "The first battles are being played"
    small = forecast.error <= WANTED[forecast.more]
    return f"{forecast.battles:,} battles played{'' if small else '; time is up'}"


def _winners(forecast: Forecast, names: Names) -> Iterator[Winner]:
    found = forecast.shares()
    shares = {side: min(1.0, max(0.0, one.mean)) for side, one in found.items()}
    total = sum(shares.values())
    first, *others = forecast.sides
    begin = 0.0
    for side in (first, "", *others):
        share = 100 * shares.get(side, max(0.0, 1 - total)) / max(1.0, total)
        error = 100 * (found[side].error if side else forecast.error)
        yield Winner(side, names.sides.get(side, "nobody"), names.nations.get(side, ""), share, error, begin)
        begin += share


def headline(winners: Sequence[Winner], battles: int) -> str:
    """The most likely end in one sentence."""
    best = max(winners, key=lambda one: one.share)
    if not best.side:
        return f"Nobody wins {best.percent} of battles" if best.share < 99.5 else "Nobody wins"
    if best.share < 99.5:
        return f"{best.name} wins {best.percent} of battles"
    return f"{best.name} has won all {battles} battles" if battles > 1 else f"{best.name} has won the first battle"


def _lost(forecast: Forecast, names: Names) -> Chart | None:
    """The naval factors that each side loses; where there are none, its units."""
    spreads = [_lost_by(forecast, side) for side in forecast.sides]
    if not any([spread.most for spread in spreads]):
        return None
    pooled: dict[int, int] = {}
    for spread in spreads:
        for number, times in spread.counts.items():
            pooled[number] = pooled.get(number, 0) + times
    bins = bins_of(pooled, COLUMNS)
    shares = [[float(one.weight(spread.counts)) / spread.of for one in bins] for spread in spreads]
    tallest = max([share for row in shares for share in row]) or 1.0
    columns = [
        Column(str(one.first), tuple([HEIGHT * row[place] / tallest for row in shares]))
        for place, one in enumerate(bins)
    ]
    means = [
        (names.sides[side], names.nations[side], f"{spread.mean:.1f} ± {spread.error:.1f}")
        for side, spread in zip(forecast.sides, spreads, strict=True)
    ]
    naval = any([(side, FACTORS) in forecast.tally.figures for side in forecast.sides])
    words = "Factors lost" if naval else "Units lost"
    return Chart(columns, means, words)


def _lost_by(forecast: Forecast, side: str) -> Spread:
    tally = forecast.tally
    if (side, FACTORS) in tally.figures:
        return Spread(tally.figures[side, FACTORS], forecast.battles)
    kinds = [Spread(counts, forecast.battles) for (one, _), counts in tally.lost.items() if one == side]
    return kinds[0] if len(kinds) == 1 else Spread(tally.figures.get((side, "brps_lost"), {}), forecast.battles)


def _risks(forecast: Forecast, names: Names) -> Iterator[Risk]:
    """The ships that are sunk most often, of each side some."""
    fates, number = forecast.tally.fates, forecast.battles
    ships = {(side, name) for side, name, _ in fates}
    ordered = sorted(ships, key=lambda one: (-fates[(*one, SUNK)], -fates[(*one, DAMAGED)], one))
    for side, name in ordered[:SHIPS]:
        sunk = fates[side, name, SUNK] / number
        if sunk >= LEAST:
            error = sqrt(max(sunk * (1 - sunk), 1 / number) / number)
            damaged = fates[side, name, DAMAGED] / number
            yield Risk(side, name, names.nations.get(side, ""), 100 * sunk, 100 * error, 100 * damaged)


def _rows(forecast: Forecast, names: Names) -> Iterator[Row]:
    tally, sides, number = forecast.tally, forecast.sides, forecast.battles
    for figure, title in FIGURES.items():
        if any([(side, figure) in tally.figures for side in sides]):
            yield Row(title, [_average(tally.figures.get((side, figure), {}), number) for side in sides])
    for kind in sorted({kind for _, kind in tally.lost if kind != CARGO}):
        yield Row(f"{capital(kind)} lost", [_average(tally.lost.get((side, kind), {}), number) for side in sides])
    if any(names.cargo.values()):
        yield Row("Cargo that arrives", [_arrives(forecast, side, names.cargo.get(side, 0)) for side in sides])


def _arrives(forecast: Forecast, side: str, cargo: int) -> str:
    if not cargo:
        return "none carried"
    spread = Spread(forecast.tally.through[side], forecast.battles)
    return f"{spread.mean:.1f} of {cargo}"


def _average(counts: Mapping[int, int], battles: int) -> str:
    spread = Spread(counts, battles)
    return f"{spread.mean:.1f} ± {spread.error:.1f}" if spread.most else "none"


def _endings(forecast: Forecast) -> Iterator[tuple[str, str]]:
    """How the battles ended most often."""
    for words, times in forecast.tally.endings.most_common(ENDINGS):
        yield words, f"{100 * times / forecast.battles:.0f}%"


def _length(forecast: Forecast) -> str:
    rounds = Spread(forecast.tally.rounds)
    if not rounds.counts:
        return ""
    low, high = rounds.quantile(5), rounds.quantile(95)
    span = f"{low} to {high}" if low != high else str(low)
    return f"{rounds.mean:.1f} rounds on average, mostly {span}"
