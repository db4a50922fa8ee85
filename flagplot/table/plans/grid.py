"""The missions of an air phase as a grid: the air of each base in the rows, missions in the columns, counts in cells.

A cell has what the plan asks about these units and this mission: how many fly, whether they stage and where to. Where
it asks nothing the cell says what stands in the way, and by which rule.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from flagplot.board.model import Board, Counter
from flagplot.kernel.sheets import Field
from flagplot.table.plans.missions import Standing, Standings
from flagplot.table.plans.words import NOTHING, Mission, PlanWords, does_nothing

NUMBER = re.compile(r"^\d+ ")
WIDEST = 12
"""Letters for which a column has room."""
UNITS = re.compile(r" (factors?|squadrons?)\b")


class Unit(NamedTuple):
    """A row: air units of one kind in a base."""

    base: str
    key: str
    """The base as questions call it."""
    tag: str
    counter: Counter
    first: bool
    """Whether it is the first row of its base."""

    @property
    def name(self) -> str:
        """Base, nation and arm, as the game calls them when it says what they may do."""
        return ":".join(self.tag.split(":")[:3])

    @property
    def number(self) -> int:
        found = NUMBER.match(self.counter.text)
        return int(found[0]) if found else 0

    @property
    def kind(self) -> str:
        """What they are, in short; their number stands on the counter."""
        return UNITS.sub("", NUMBER.sub("", self.counter.words))


class Pick(NamedTuple):
    """One answer of the question above a column, where it is about the units of a row."""

    field: Field
    text: str
    label: str

    @property
    def chosen(self) -> bool:
        return self.field.chosen == self.text


class Cell(NamedTuple):
    """What the plan asks about some units and a mission, or why it does not."""

    fields: tuple[Field, ...] = ()
    pick: Pick | None = None
    standing: Standing | None = None

    @property
    def flying(self) -> int:
        return sum([number_in(one) for one in self.fields if one.counts])


@dataclass(slots=True)
class Column:
    """A mission: the question which one, and the questions about each of the units."""

    mission: Mission
    field: Field
    """The question that begins it; of a column without one the first count."""
    fields: list[Field]
    cells: list[Cell]
    heads: tuple[Pick, ...] = ()
    """The answers of its question that are about no row."""

    @property
    def title(self) -> str:
        return f"{self.mission.title}{', again' * ('#' in self.field.key)}"

    @property
    def picked(self) -> bool:
        """Whether its question is answered in the rows."""
        return any([cell.pick for cell in self.cells])

    @property
    def idle(self) -> bool:
        """Whether nothing is chosen to be done."""
        return not self.field.counts and does_nothing(self.field)

    @property
    def total(self) -> int:
        return sum([cell.flying for cell in self.cells])

    @property
    def all_fields(self) -> list[Field]:
        return self.fields if self.field.counts else [self.field, *self.fields]


class Grid(NamedTuple):
    """The grid of a plan."""

    units: Sequence[Unit]
    columns: Sequence[Column]

    @property
    def fields(self) -> list[Field]:
        return [one for column in self.columns for one in column.all_fields]

    @property
    def rows(self) -> list[tuple[Unit, list[Cell], int]]:
        """Each row with its cells, and how many of its units stay."""
        found = []
        for place, unit in enumerate(self.units):
            cells = [column.cells[place] for column in self.columns]
            gone = sum([c.cells[place].flying for c in self.columns if not c.mission.stay])
            found.append((unit, cells, max(0, unit.number - gone)))
        return found

    @property
    def held(self) -> int:
        return sum([row[2] for row in self.rows])


def number_in(one: Field) -> int:
    """The number that stands in a counting question."""
    return int(one.chosen.rpartition(":")[2])


def numbers_of(one: Field) -> tuple[int, ...]:
    """The numbers that a counting question offers."""
    return tuple(int(offer.text.rpartition(":")[2]) for offer in one.offers)


def told_in_column(text: str, label: str) -> str:
    """An answer above a column, which is narrow: nothing is called that in one word."""
    return "None" if len(label) > WIDEST and text.rpartition(":")[2] in NOTHING else label


def grid_of(fields: Sequence[Field], words: PlanWords, board: Board | None, side: str, told: Standings) -> Grid | None:
    """The grid of a plan; None if it is about no missions of bases."""
    units = _units(board, side)
    if not told or not units:
        return None
    columns: list[Column] = []
    for one in fields:
        mission = words.mission(one)
        if mission is not None and one.key in told and not (columns and _goes_on(columns[-1], one, units)):
            columns.append(Column(mission, one, [one] if one.counts else [], []))
        elif columns and _belongs(one, columns[-1].mission, units):
            columns[-1].fields.append(one)
    for column in columns:
        _fill(column, units, told[column.field.key])
    return Grid(units, columns) if columns else None


def _units(board: Board | None, side: str) -> list[Unit]:
    if board is None or any([place.kind == "chart" for place in board.places]):
        return []  # in a naval battle air flies for the groups on the chart
    units: list[Unit] = []
    for place in board.places:
        for stack in place.stacks if place.kind == "bases" else ():
            here = [one for one in stack.counters if one.tag and not one.doing] if stack.side == side else []
            key = stack.subject.partition(":")[2]
            units += [Unit(stack.title, key, one.tag, one, one is here[0]) for one in here]
    return units


def _goes_on(column: Column, one: Field, units: Sequence[Unit]) -> bool:
    """Whether a count without a question before it belongs to the same mission as the counts before it."""
    same = column.field.family == one.family and column.field.counts and one.counts
    return same and _target(column.field, units) == _target(one, units)


def _target(one: Field, units: Sequence[Unit]) -> str:
    unit = _unit_of(one, units)
    return one.subject.removesuffix(unit.tag) if unit else ""


def _belongs(one: Field, mission: Mission, units: Sequence[Unit]) -> bool:
    kinds = mission.counts if one.counts else mission.follow
    return one.family in kinds and _unit_of(one, units) is not None


def _unit_of(one: Field, units: Sequence[Unit]) -> Unit | None:
    """The row that a question is about: units that can fly before inverted ones; else the first row of its base."""
    ready = sorted(units, key=lambda unit: unit.counter.inverted)
    found = [unit for unit in ready if one.subject == unit.tag or one.subject.endswith(f":{unit.tag}")]
    found += [unit for unit in units if unit.first and unit.key == one.subject.rpartition(":")[2]]
    return found[0] if found else None


def _fill(column: Column, units: Sequence[Unit], standings: Mapping[str, Standing]) -> None:
    picks: dict[Unit, Pick] = {}
    heads = []
    for offer in () if column.field.counts else column.field.offers:
        pick = Pick(column.field, offer.text, offer.label)
        unit = _picked(offer.text.removeprefix(f"{column.field.key.partition('#')[0]}:"), units)
        if unit is None or unit in picks:
            heads.append(pick)
        else:
            picks[unit] = pick
    column.heads = tuple(heads)
    asked = {id(one): _unit_of(one, units) for one in column.fields}
    for unit in units:
        fields = tuple([one for one in column.fields if asked[id(one)] is unit])
        standing = standings.get(unit.name)
        if unit.counter.inverted and not column.mission.stay and standing is not None and standing.open:
            standing = Standing(False, 0, "inverted", "18.42A")
        column.cells.append(Cell(fields, picks.get(unit), standing))


def _picked(subject: str, units: Sequence[Unit]) -> Unit | None:
    """The row that an answer is about: a base, or a base and a nation."""
    found = [unit for unit in units if unit.first and unit.key == subject]
    found += [unit for unit in units if unit.tag.startswith(f"{subject}:") and ":" in subject]
    return found[0] if found else None
