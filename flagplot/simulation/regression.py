"""Averages without luck: the part of a figure that goes by luck is found by regression and taken away.

What is taken away is zero on average, however much of it is taken. How much of each control is right is estimated from
the same battles; that shifts an average by far less than its error as long as there are many more battles than
controls, and its error counts it (`_Fit.lever`).
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from copy import deepcopy
from math import sqrt
from operator import mul
from typing import NamedTuple

from flagplot.simulation.controls import Luck

FAR = 4.0
"""A control whose average is off by more standard errors than this is not used: its rare cases have not come up yet."""
EACH = 10
"""Battles with something to explain for each control that is used: with fewer the regression would fit their noise."""
BATCH = 20
"""Battles of consecutive numbers, from 1 on, that are summed up together."""
Counted = tuple[Mapping[str, float], Luck]
"""The figures and the luck of a battle."""


class Estimate(NamedTuple):
    """An average without luck, and its standard error; and the standard error that it has with it."""

    mean: float
    error: float
    plain: float

    @property
    def ratio(self) -> float:
        """How many times as many battles would be needed for the same error if luck were not taken out."""
        return (self.plain / self.error) ** 2 if self.error else 1.0

    def as_dict(self) -> dict[str, float]:
        return {"mean": self.mean, "standard_error": self.error, "variance_ratio": self.ratio}


class Batch(NamedTuple):
    """Sums over the battles of a batch. Most of the work of an estimate is in them, so whoever plays a batch makes
    them."""

    controls: dict[str, float]
    """The sum of each control."""
    products: list[array[float]]
    """Of each control with those before it and itself."""
    figures: dict[str, tuple[float, float, array[float]]]
    """By figure: its sum, that of its squares, and those of its products with each control."""


def summed(battles: Sequence[Counted]) -> Batch:
    """The sums of some battles: to multiply what is in columns takes half as long as battle by battle."""
    names = dict.fromkeys([name for _, luck in battles for name in luck])
    columns = [[luck.get(name, 0.0) for _, luck in battles] for name in names]
    figures = {}
    for name in dict.fromkeys([name for told, _ in battles for name, value in told.items() if value]):
        values = [told.get(name, 0.0) for told, _ in battles]
        figures[name] = sum(values), sum(map(mul, values, values)), _products(values, columns)
    return Batch(
        controls={name: sum(column) for name, column in zip(names, columns, strict=True)},
        products=[_products(column, columns[: row + 1]) for row, column in enumerate(columns)],
        figures=figures,
    )


def _products(column: Sequence[float], columns: Sequence[Sequence[float]]) -> array[float]:
    """The sum of the products of a column with each of some others, in little room: it may be sent elsewhere."""
    return array("d", [sum(map(mul, column, other)) for other in columns])


class Sample:
    """Sums over battles, from which averages without luck are estimated. Battles are added in the order of their
    numbers, and summed up a batch at a time, so sums depend neither on who played them nor on who looks at them."""

    def __init__(self) -> None:
        self.battles = 0
        self._telling = 0
        """Those of which a figure is not zero."""
        self._waiting: list[Counted] = []
        """Battles that are not in the sums yet."""
        self._controls: dict[str, int] = {}
        self._sums: list[float] = []
        self._products: list[list[float]] = []
        """Of each control with those before it and itself."""
        self._figures: dict[str, tuple[list[float], list[float]]] = {}
        """By figure: its sum and that of its squares, and those of its products with each control."""

    def add(self, figures: Mapping[str, float], luck: Luck, batch: Batch | None = None) -> None:
        """One battle more; if it is the last of a batch, perhaps with the sums that somebody else has made of it."""
        self.battles += 1
        self._telling += any(figures.values())
        self._waiting.append((figures, luck))
        if len(self._waiting) == BATCH:
            self._sum_up(batch or summed(self._waiting))

    def _sum_up(self, batch: Batch) -> None:
        """The battles that wait are in the sums now."""
        self._waiting = []
        places = [self._place(name) for name in batch.controls]
        for place, total, row in zip(places, batch.controls.values(), batch.products, strict=True):
            self._sums[place] += total
            mine = self._products[place]
            for other, product in zip(places, row, strict=False):
                if other <= place:
                    mine[other] += product
                else:
                    self._products[other][place] += product
        for name, (total, squares, with_luck) in batch.figures.items():
            sums, products = self._figures.setdefault(name, ([0.0, 0.0], []))
            sums[0] += total
            sums[1] += squares
            products += [0.0] * (len(self._sums) - len(products))
            for place, product in zip(places, with_luck, strict=True):
                products[place] += product

    def _place(self, control: str) -> int:
        """The place of a control in the sums, where there is one for it from now on."""
        place = self._controls.setdefault(control, len(self._sums))
        if place == len(self._sums):
            self._sums.append(0.0)
            self._products.append([0.0] * (place + 1))
        return place

    def add_change(
        self, before: Mapping[str, float], luck_before: Luck, after: Mapping[str, float], luck_after: Luck
    ) -> None:
        """What changes from one battle to another with the same dice."""
        changed = {name: after.get(name, 0.0) - before.get(name, 0.0) for name in {**before, **after}}
        luck = {name: luck_after.get(name, 0.0) - luck_before.get(name, 0.0) for name in luck_before | luck_after}
        self.add(changed, luck)

    @property
    def _used(self) -> list[int]:
        """The controls for which there are enough battles: luck by its amount before luck by steps."""
        shown = [row for _, row in sorted(self._controls.items()) if self._is_shown(row)]
        return shown[: self._telling // EACH]

    def _is_shown(self, row: int) -> bool:
        """Whether a control strays as far as its average is off."""
        total = self._sums[row]
        return total**2 <= FAR**2 * (self._products[row][row] - total**2 / self.battles)

    def estimates(self) -> dict[str, Estimate]:
        """Of each figure the average without luck."""
        if self._waiting:
            whole = deepcopy(self)
            whole._sum_up(summed(self._waiting))
            return whole.estimates()
        used, n = self._used, self.battles
        if n < 2:
            return {}
        fits: dict[int, _Fit] = {}
        found = {}
        for name, ((total, squares), with_luck) in self._figures.items():
            most = min(len(used), int(_strayed(total, squares, n)) // EACH)
            fit = fits.get(most) or fits.setdefault(most, self._fit(used[:most]))
            together = [
                (with_luck[row] if row < len(with_luck) else 0.0) - total * own / n
                for row, own in zip(fit.used, fit.sums, strict=True)
            ]
            slopes = fit.solve(together)
            plain = max(0.0, squares - total * total / n)
            left = max(0.0, plain - sum([a * b for a, b in zip(slopes, together, strict=True)]))
            mean = (total - sum([a * b for a, b in zip(slopes, fit.sums, strict=True)])) / n
            variance = left / max(1, n - fit.solve.rank - 1)
            found[name] = Estimate(mean, sqrt(variance * (1 / n + fit.lever)), sqrt(plain / (n - 1) / n))
        return found

    def _fit(self, used: Sequence[int]) -> _Fit:
        """How figures go by some controls."""
        n, sums = self.battles, [self._sums[row] for row in used]
        spread = [
            [self._product(row, column) - sums[i] * sums[j] / n for j, column in enumerate(used)]
            for i, row in enumerate(used)
        ]
        solve = _Solver(spread, sums)
        return _Fit(used, sums, solve, sum([a * b for a, b in zip(sums, solve(sums), strict=True)]) / n**2)

    def _product(self, row: int, column: int) -> float:
        return self._products[row][column] if column <= row else self._products[column][row]


def _strayed(total: float, squares: float, battles: int) -> float:
    """At least as many as the battles in which a figure is not as usual, a whole number: one battle that was lost among
    a thousand is explained by any roll that fell in it alone."""
    usual = round(total / battles)
    return squares - 2 * usual * total + usual * usual * battles


class _Fit(NamedTuple):
    """What goes by luck, for some controls."""

    used: Sequence[int]
    sums: list[float]
    solve: _Solver
    lever: float
    """By how much the error of an average grows, since the slopes are estimated too."""


class _Solver:
    """Solves equations with a symmetric matrix (by LDL). A control that follows from those before it is left out; so is
    one of which what does not follow from them is far off."""

    def __init__(self, matrix: Sequence[Sequence[float]], sums: Sequence[float]) -> None:
        self._lower: list[list[float]] = []
        self._pivots: list[float] = []
        own: list[float] = []
        """Of each sum what does not follow from those before it."""
        for i, row in enumerate(matrix):
            lower: list[float] = []
            for j in range(i):
                pivot = self._pivots[j]
                mine, other = lower, self._lower[j]
                off = sum([mine[k] * other[k] * self._pivots[k] for k in range(j)])
                lower.append((row[j] - off) / pivot if pivot else 0.0)
            pivot = row[i] - sum([lower[k] ** 2 * self._pivots[k] for k in range(i)])
            own.append(sums[i] - sum([mine * theirs for mine, theirs in zip(lower, own, strict=True)]))
            self._lower.append(lower)
            self._pivots.append(pivot if pivot > 1e-7 * row[i] > 0 and own[i] ** 2 <= FAR**2 * pivot else 0.0)

    @property
    def rank(self) -> int:
        return sum([pivot > 0 for pivot in self._pivots])

    def __call__(self, wanted: Sequence[float]) -> list[float]:
        found: list[float] = []
        for i, lower in enumerate(self._lower):
            found.append(wanted[i] - sum([lower[k] * found[k] for k in range(i)]) if self._pivots[i] else 0.0)
        found = [value / pivot if pivot else 0.0 for value, pivot in zip(found, self._pivots, strict=True)]
        for i in reversed(range(len(found))):
            later = sum([self._lower[k][i] * found[k] for k in range(i + 1, len(found))])
            found[i] = found[i] - later if self._pivots[i] else 0.0
        return found
