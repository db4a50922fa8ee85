"""A table that is a list of modifiers: give it counts, it gives a ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import NamedTuple, ParamSpec, TypeVar, cast

from flagplot.awaw.tables.sheets import Modifier, inputs_of, sheet
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.ledger import Ledger, Line
from flagplot.kernel.words import Words

Counts = ParamSpec("Counts")
Found = TypeVar("Found")


def remembered(function: Callable[Counts, Found]) -> Callable[Counts, Found]:
    """A function that keeps its results; `lru_cache` by itself hides from the type checker what may be given."""
    return cast("Callable[Counts, Found]", lru_cache(maxsize=4096)(function))


class CountTable(NamedTuple):
    """The modifier lines of a printed table, or those of one use of it (attacks by air, by fleets)."""

    name: str
    use: str = ""

    @property
    def lines(self) -> tuple[Modifier, ...]:
        """The modifier lines in printed order."""
        return tuple(line for line in sheet(self.name).lines if line.use == self.use)

    @property
    def keys(self) -> tuple[str, ...]:
        """The inputs that `ledger` understands."""
        return tuple(_inputs(self))

    def ledger(self, **counts: int) -> Ledger:
        """The lines that these counts call for, held to the limits of each line and category."""
        return _ledger(self, tuple(counts.items()))


@lru_cache(maxsize=8192)
def _ledger(table: CountTable, counts: tuple[tuple[str, int], ...]) -> Ledger:
    given = dict(counts)
    for name, count in counts:
        _check(table, name, count)
    ledger = Ledger()
    for category, modifiers in _categories(table).items():
        lines = [line for modifier in modifiers if (line := modifier.line(given)) is not None]
        if lines:
            ledger += _limited(table.name, category, Ledger(lines))
    return ledger


def _check(table: CountTable, name: str, count: object) -> None:
    inputs = _inputs(table)
    if name not in inputs:
        raise UnknownName(f"table {table.name} does not count this", given=name, allowed=tuple(inputs))
    if not isinstance(count, int) or (count < 0 and not inputs[name]):
        allowed = "a whole number" if inputs[name] else "a whole number of 0 or more"
        raise BadValue(f"no count of {name}", given=count, allowed=(allowed,), rule=sheet(table.name).rule)


@cache
def _inputs(table: CountTable) -> Mapping[str, bool]:
    return inputs_of(table.lines)


@cache
def _categories(table: CountTable) -> Mapping[str, tuple[Modifier, ...]]:
    """The lines by category, in printed order; a line without one is a category of its own."""
    grouped: dict[str, tuple[Modifier, ...]] = {}
    for line in table.lines:
        name = line.category or line.key
        grouped[name] = (*grouped.get(name, ()), line)
    return grouped


def _limited(table: str, category: str, ledger: Ledger) -> Ledger:
    for limit in sheet(table).limits:
        if limit.category == category:
            return ledger.capped(limit.most, limit.words, limit.rule)
    return ledger


def not_below_zero(ledger: Ledger, words: Words, rule: str) -> Ledger:
    """This ledger with a total of at least zero, by a line that says so."""
    return ledger if ledger.total >= 0 else ledger + Ledger([Line(-ledger.total, words, rule)])
