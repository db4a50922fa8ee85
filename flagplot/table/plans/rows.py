"""A plan as a form: its open decisions as rows of steppers, chips or choices, gathered into blocks.

What a row is called comes from the board, by the words in its key (a group's number, the id of a ship, the tag of air
units), so that a table of counts names its rows in short. Where the board knows nothing of it the question is its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from flagplot.board.model import Board, Counter, Stack
from flagplot.kernel.sheets import By, Field, Sheet
from flagplot.kernel.words import capital
from flagplot.table.plans.grid import Grid, grid_of, number_in
from flagplot.table.plans.missions import Standings
from flagplot.table.plans.shares import Shares, shares_of
from flagplot.table.plans.words import MANY, PlanWords, does_nothing

Control = Literal["stepper", "chips", "radios", "select"]

MOST_RADIOS, MOST_PLACES = 12, 5
"""How many answers are listed one by one, and how many that can be chosen on the map."""
CHIP, CHIPS = 14, 64
"""How long the label of a chip may be, and all of them together."""
FEW = 5
"""Blocks that are shown unfolded; of more, those that were not changed are folded."""
WAITED_FOR = "ready"
"""The kind of questions that are asked only so that the enemy waits; they say themselves that there is nothing."""
COUNT = re.compile(r"^\d+ ")


class Row(NamedTuple):
    """One decision of a plan."""

    field: Field
    control: Control
    name: str
    """What it is about, in short; the question if nothing shorter is known."""
    detail: str = ""
    counter: Counter | None = None
    """The counter to be drawn beside it."""
    values: tuple[int, ...] = ()
    """The numbers that a stepper may take."""
    on_map: bool = False
    """Whether the map shows its answers too."""

    @property
    def value(self) -> int:
        return int(_last(self.field.chosen))

    @property
    def posted(self) -> str:
        """What the form sends if nothing is changed."""
        return str(self.value) if self.control == "stepper" else self.field.chosen

    @property
    def changed(self) -> bool:
        return self.field.by is By.YOU

    @property
    def ordered(self) -> bool:
        return self.field.by in (By.ORDER, By.BEFORE)


@dataclass(slots=True)
class Block:
    """Decisions that belong together: a table of counts, or a choice with the counts that follow from it."""

    title: str
    rows: list[Row] = field(default_factory=list)
    total: str = ""

    @property
    def summary(self) -> str:
        """What is chosen in it, on one line; what does nothing is left out."""
        first, *others = self.rows
        return ", ".join([row.field.label for row in (first, *[one for one in others if not does_nothing(one.field)])])

    @property
    def changed(self) -> bool:
        return any(row.changed or row.field.dropped for row in self.rows)


class Plan(NamedTuple):
    """All that the form of a plan shows."""

    blocks: Sequence[Block]
    staff: Sequence[Field]
    """What the staff decides below the player's level."""
    button: str
    ask: str
    """The question above it."""
    rules: tuple[str, ...]
    folded: bool
    own: bool
    """Whether the player has changed something."""
    grid: Grid | None = None
    """Missions of air units by base and mission; the blocks have the rest."""
    ahead: Sequence[Block] = ()
    """What must wait for the enemy."""
    shares: Shares | None = None
    """Units divided between targets; the blocks have the rest."""

    @property
    def idle(self) -> bool:
        """Whether it leaves its player nothing to decide now; his staff then answers it."""
        return not self.blocks and self.grid is None and self.shares is None

    @property
    def posted(self) -> list[tuple[str, str]]:
        """What the form sends if nothing is changed, for each decision that the player has not made himself."""
        rows = [(row.field, row.posted) for block in (*self.blocks, *self.ahead) for row in block.rows]
        asked = [*(self.grid.fields if self.grid else ()), *(self.shares.fields if self.shares else ())]
        cells = [(one, str(number_in(one)) if one.counts else one.chosen) for one in asked]
        return [(one.key, value) for one, value in [*cells, *rows] if one.by is not By.YOU]


def plan_of(sheet: Sheet, words: PlanWords, board: Board | None, side: str, told: Standings | None = None) -> Plan:
    """The form of a sheet; `told` is who may fly the missions that it is about."""
    fields = sheet.open_to()
    names = Names(board, side)
    grid = grid_of(fields, words, board, side, told or {})
    shares = shares_of(fields, words.shares, board, side)
    within = {one.key for found in (grid, shares) if found for one in found.fields}
    rows = [_row(one, words, names) for one in fields if one.key not in within]
    blocks = _blocks([row for row in rows if not row.field.ahead], words)
    ahead = _blocks([row for row in rows if row.field.ahead], words)
    shown = {one.key for one in fields}
    staff = [one for one in sheet if one.key not in shown and one.by is not By.FORCED]
    now = [one for one in fields if not one.ahead]
    rules = tuple(dict.fromkeys([rule for one in now or fields for rule in one.rules]))
    short = len(now) > 1 or (bool(now) and control_of(now[0], words) == "stepper")
    many = 1 if grid else MANY
    ask = (words.ask(now, many) if short else "") or (now[0].question if now else _nothing_in(sheet))
    folded = len(blocks) > (1 if grid else FEW)
    own = bool(sheet.answers)
    return Plan(blocks, staff, words.button(now, many), ask, rules[:3], folded, own, grid, ahead, shares)


def _nothing_in(sheet: Sheet) -> str:
    """What stands above a plan that leaves its player nothing to decide."""
    first = sheet.fields[0]
    if len(first.offers) > 1:
        return "Nothing for you to decide"
    if first.family == WAITED_FOR:
        return first.question
    return f"Nothing to decide: {first.label[:1].lower()}{first.label[1:]}"


# --- rows -------------------------------------------------------------------------------------------------------


def _row(one: Field, words: PlanWords, names: Names) -> Row:
    control = control_of(one, words)
    if control != "stepper":
        return Row(one, control, one.question, on_map=one.family in words.on_map)
    values = tuple(int(_last(offer.text)) for offer in one.offers)
    found = names.of(one.subject, enemy=words.tables[one.family].enemy if one.family in words.tables else False)
    return Row(one, control, found.name or one.question, found.detail, found.counter, values)


def control_of(one: Field, words: PlanWords) -> Control:
    """How a decision is entered: numbers of units with a stepper, short answers as chips, others as a list."""
    if one.counts and one.family not in words.numbers and _is_count(one):
        return "stepper"
    lengths = [len(offer.label) for offer in one.offers]
    if len(lengths) > (MOST_PLACES if one.family in words.on_map else MOST_RADIOS):
        return "select"
    return "chips" if max(lengths) <= CHIP and sum(lengths) <= CHIPS else "radios"


def _is_count(one: Field) -> bool:
    """Whether the labels are the numbers themselves, and none is left out between them. Nought may have a word."""
    values = [int(_last(offer.text)) for offer in one.offers]
    named = all(not value or offer.label == str(value) for value, offer in zip(values, one.offers, strict=True))
    return named and sorted(values) == [*range(min(values), max(values) + 1)]


def _last(text: str) -> str:
    return text.rpartition(":")[2]


# --- blocks -----------------------------------------------------------------------------------------------------


def _blocks(rows: Sequence[Row], words: PlanWords) -> list[Block]:
    blocks: list[Block] = []
    for row in rows:
        if not (blocks and row.control == "stepper" and _belongs(row, blocks[-1])):
            table = words.tables.get(row.field.family) if row.control == "stepper" else None
            blocks.append(Block(table.title if table else "" if row.control == "stepper" else row.name))
        blocks[-1].rows.append(row)
    for block in blocks:
        block.total = _total(block, words)
    return blocks


def _belongs(row: Row, block: Block) -> bool:
    """Whether counts go on with a block: more of the same kind, or what the choice in it asks for."""
    last = block.rows[-1].field
    return last.family == row.field.family or _last(last.chosen) in row.field.subject.split(":")


def _total(block: Block, words: PlanWords) -> str:
    counted = [row for row in block.rows if row.control == "stepper"]
    table = words.tables.get(counted[0].field.family) if len(counted) > 1 else None
    return f"{sum([row.value for row in counted])} {table.total}" if table else ""


# --- names ------------------------------------------------------------------------------------------------------


class Named(NamedTuple):
    """What a row is called."""

    name: str = ""
    detail: str = ""
    counter: Counter | None = None


class Names:
    """What the words of keys stand for, as far as the board of the reader shows it."""

    def __init__(self, board: Board | None, side: str) -> None:
        self._side = side
        self._groups: dict[tuple[bool, str], str] = {}
        self._units: dict[str, Counter] = {}
        self._places: dict[str, str] = {}
        for stack in _stacks(board):
            if stack.number:
                self._groups[stack.side == side, str(stack.number)] = stack.name or stack.title
            elif ":" in stack.subject:
                self._places[_last(stack.subject)] = stack.title
            for unit in stack.counters:
                for key in (unit.tag, unit.id):
                    if key:
                        self._units.setdefault(key, unit)

    def of(self, subject: str, *, enemy: bool) -> Named:
        """The subject of a counting question: for whom, and with what units."""
        unit, rest = self._unit_at_the_end(subject)
        target = self._units.get(rest)
        name = self._groups.get((not enemy, rest)) or self._places.get(rest) or (target.name if target else "")
        if not name and rest and unit and not rest[0].isdigit():
            name = rest.replace("-", " ").replace(":", ", ")
        what = COUNT.sub("", unit.name) if unit else ""
        return Named(_upper(name or what), _upper(what) if name else "", target or unit)

    def _unit_at_the_end(self, subject: str) -> tuple[Counter | None, str]:
        parts = subject.split(":")
        for cut in range(len(parts)):
            unit = self._units.get(":".join(parts[cut:]))
            if unit is not None:
                return unit, ":".join(parts[:cut])
        return None, subject


def _stacks(board: Board | None) -> Iterator[Stack]:
    while board is not None:
        yield from [stack for place in board.places for stack in place.stacks]
        board = board.around


def _upper(text: str) -> str:
    text = text.removeprefix("the ")
    return capital(text)
