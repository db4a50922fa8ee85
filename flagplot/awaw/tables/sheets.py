"""Reading the data files: one TOML file a printed table, with its grid, its modifier lines and its limits."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from flagplot.kernel.ledger import Line


class Modifier(NamedTuple):
    """One printed modifier line: what it counts, how much it gives, and where it stands in the rules."""

    key: str
    amount: int
    words: str
    rule: str
    register: tuple[str, ...]
    counts: tuple[tuple[str, int], ...]
    """The inputs that are added up, each with its weight."""
    per: int = 1
    up: bool = False
    """Whether a part of ``per`` counts as a whole."""
    beyond: int = 0
    """How many are free before the line begins to count."""
    at_least: int = 0
    """If set, the line gives its amount once, from this count on."""
    cap: int | None = None
    """The most that the line may give, either way."""
    signed: bool = False
    """Whether the inputs may be negative."""
    category: str = ""
    use: str = ""
    of: tuple[str, ...] = ()
    """On a nationality chart: the kinds (``cv``) or kinds of a nation (``cvl/japan``) it is for."""

    def line(self, given: Mapping[str, int]) -> Line | None:
        """The line of a ledger for these inputs, or nothing if it adds nothing."""
        count = -self.beyond
        for name, weight in self.counts:
            count += weight * given.get(name, 0)
        if self.at_least:
            return Line(self.amount, self.words, self.rule) if count >= self.at_least else None
        if count == 0 or (count < 0 and not self.signed):
            return None
        steps = -(-count // self.per) if self.up else count // self.per
        return self._counted(count, self.amount * steps)

    def _counted(self, count: int, amount: int) -> Line | None:
        if amount == 0:
            return None
        if self.cap is not None and abs(amount) > self.cap:
            held = self.cap if amount > 0 else -self.cap
            return Line(held, ("{}: {}, at most {}", self.words, count, self.cap), self.rule)
        return Line(amount, ("{}: {}", self.words, count), self.rule)


class Limit(NamedTuple):
    """The most that a category of modifiers may come to, either way."""

    category: str
    most: int
    words: str
    rule: str
    register: tuple[str, ...]


class Base(NamedTuple):
    """The nations of one value of a chart; ``assumed`` says why, where the chart does not name them."""

    drm: int
    nations: tuple[str, ...]
    register: tuple[str, ...]
    assumed: str = ""


class Sheet(NamedTuple):
    """A printed table as its data file has it."""

    name: str
    title: str
    rule: str
    register: tuple[str, ...]
    labels: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    lines: tuple[Modifier, ...]
    limits: tuple[Limit, ...]
    bases: tuple[Base, ...]
    notes: tuple[str, ...]
    extra: Mapping[str, Any]
    """What only this table has, as it stands in the file."""

    def limit(self, category: str) -> Limit:
        """The limit of a category; a category without one is a fault of the data file."""
        return next(limit for limit in self.limits if limit.category == category)

    def modifier(self, key: str) -> Modifier | None:
        """The line with this key, if the table has it."""
        return next((line for line in self.lines if line.key == key), None)


def text_of(name: str) -> str:
    """The text of a data file."""
    return (files("flagplot.awaw.tables") / "data" / name).read_text(encoding="utf-8")


@cache
def sheet(name: str) -> Sheet:
    """The printed table of this name, read once."""
    raw = tomllib.loads(text_of(f"{name}.toml"))
    grid = raw.get("grid", {})
    return Sheet(
        name=name,
        title=raw["title"],
        rule=raw["rule"],
        register=tuple(raw["register"]),
        labels=tuple(grid.get("labels", ())),
        columns=tuple(grid.get("columns", ())),
        cells=tuple(tuple(row.split()) for row in grid.get("cells", "").split("\n") if row.strip()),
        lines=tuple(_modifier(entry) for entry in raw.get("line", ())),
        limits=tuple(Limit(**_frozen(entry)) for entry in raw.get("limit", ())),
        bases=tuple(Base(**_frozen(entry)) for entry in raw.get("base", ())),
        notes=tuple(raw.get("notes", ())),
        extra={key: raw[key] for key in ("advanced", "effect", "others") if key in raw},
    )


def _modifier(entry: Mapping[str, Any]) -> Modifier:
    inputs: Mapping[str, int] = entry.get("counts", {entry["key"].replace("-", "_"): 1})
    return Modifier(**(_frozen(entry) | {"counts": tuple(inputs.items())}))


def _frozen(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}


def inputs_of(lines: Iterable[Modifier]) -> dict[str, bool]:
    """The names of the inputs that some lines count, and whether each may be negative."""
    return {name: line.signed for line in lines for name, _ in line.counts}
