"""All printed tables for the command line: whole, to be printed, or one look-up with its explanation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple, TypeVar

from flagplot.awaw.tables import counts, grids
from flagplot.awaw.tables.nations import nation
from flagplot.awaw.tables.sheets import Modifier, Sheet, sheet
from flagplot.kernel.errors import BadValue, UnknownName

NAMES: Final = (
    "air-combat",
    "air-defense",
    "naval-attack",
    "submarine-attack",
    "search",
    "surprise",
    "interception",
    "air-nationality",
    "naval-nationality",
)
BY_STRENGTH: Final = ("air-combat", "air-defense", "naval-attack")
_LARGEST_ROLL: Final = 1000

Result = TypeVar("Result", grids.AirResult, int)


class Table(NamedTuple):
    """A printed table as strings."""

    name: str
    title: str
    rule: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    """Below a grid: its modifiers, then how to read it."""


class LookUp(NamedTuple):
    """One reading of a table: the result, how it came about, and the rows that were combined for it."""

    table: str
    result: str
    explanation: tuple[str, ...]
    rows_used: tuple[str, ...]


class _Catalogue(Mapping[str, Table]):
    """The tables by name; each is read when somebody asks for it."""

    def __getitem__(self, name: str) -> Table:
        if name not in NAMES:
            raise KeyError(name)
        return _table(name)

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


TABLES: Final[Mapping[str, Table]] = _Catalogue()


def table(name: str) -> Table:
    """The table of this name."""
    return TABLES[_known(name)]


def look_up(
    name: str, *, level: int | str | None = None, roll: int | str | None = None, by: str | None = None
) -> LookUp:
    """One reading of a table: by level and roll, by roll (submarine-attack) or by level (surprise)."""
    _known(name)
    if by is not None and name != "naval-attack":
        raise BadValue(f"table {name} is not divided by attackers", given=by, allowed=("no --by",))
    if name in BY_STRENGTH:
        return _by_strength(name, _level(name, level), _roll(name, roll), by or "air")
    if name == "submarine-attack":
        _unused(name, "level", level)
        return _submarine_attack(_roll(name, roll))
    if name == "surprise":
        _unused(name, "roll", roll)
        return _surprise(_level(name, level))
    _unused(name, "level", level)
    _unused(name, "roll", roll)
    raise BadValue("this table is a list with nothing to look up; print it whole", given=name)


def _by_strength(name: str, level: int, roll: int, by: str) -> LookUp:
    parts = grids.rows(name, level, by)
    labels = tuple(_row_label(name, part, by) for part in parts)
    if name == "air-combat":
        readings, total = _readings(grids.air_combat, parts, level, roll)
    elif name == "air-defense":
        readings, total = _readings(grids.air_defense, parts, level, roll)
    elif by == "air":
        readings, total = _readings(grids.naval_attack_by_air, parts, level, roll)
    else:
        readings, total = _readings(grids.naval_attack_by_fleet, parts, level, roll)
    column = sheet(name).columns[grids.column(roll)]
    lines = [f"row {label}, column {column}: {cell}" for label, cell in zip(labels, readings, strict=True)]
    if len(parts) > 1:
        lines.append(f"together {total}")
    return LookUp(name, total, (*_clamped(roll, column), *lines), labels)


def _readings(
    read: Callable[[int, int], Result], parts: tuple[int, ...], level: int, roll: int
) -> tuple[list[str], str]:
    return [str(read(part, roll)) for part in parts], str(read(level, roll))


def _submarine_attack(roll: int) -> LookUp:
    result = grids.submarine_attack(roll)
    column = sheet("submarine-attack").columns[min(max(roll, 2), 10) - 2]
    meaning = "the attacking submarine factor is lost" if result.lost else f"hits: {result.hits}"
    lines = (*_clamped(roll, column), f"column {column}: {meaning}")
    return LookUp("submarine-attack", str(result), lines, ())


def _surprise(level: int) -> LookUp:
    entries = sheet("surprise").extra["effect"]
    effects = counts.surprise_effects(level)
    reached = [entry for entry in entries if entry["level"] <= level]
    told = [entry for entry in reached if entry.get("squadrons_withheld", 0) in (0, effects.squadrons_withheld)]
    words = tuple(f"level {entry['level']}: {entry['words']}" for entry in told)
    return LookUp(
        "surprise", "; ".join(entry["words"] for entry in told), words, (_surprise_label(reached[-1]["level"]),)
    )


def _row_label(name: str, strength: int, by: str) -> str:
    """The printed label of the row of a strength: ``20``, ``58-60``."""
    place = 1 if name == "naval-attack" and by == "fleet" else 0
    labels = [row[place] for row in sheet(name).cells if row[place] != "-"]
    return next(label for label in labels if strength <= int(label.split("-")[-1]))


def _clamped(roll: int, column: str) -> tuple[str, ...]:
    lowest_or_highest = int(column.rstrip("+"))
    return () if roll == lowest_or_highest else (f"a modified roll of {roll} reads column {column}",)


def _known(name: str) -> str:
    if name not in NAMES:
        raise UnknownName("no such table", given=name, allowed=NAMES)
    return name


def _level(name: str, given: int | str | None) -> int:
    level = _whole(name, "level", given, "a whole number from 1")
    if not 1 <= level <= grids.LARGEST_STRENGTH:
        raise BadValue(f"table {name} has no such level", given=given, allowed=(f"1 to {grids.LARGEST_STRENGTH}",))
    return level


def _roll(name: str, given: int | str | None) -> int:
    roll = _whole(name, "roll", given, "a modified roll, a whole number")
    if abs(roll) > _LARGEST_ROLL:
        raise BadValue("no modified roll comes to this", given=given, allowed=("a modified roll, usually 2 to 12",))
    return roll


def _whole(name: str, what: str, given: int | str | None, allowed: str) -> int:
    if given is None:
        raise BadValue(f"table {name} is looked up with a {what}", allowed=(allowed,))
    if isinstance(given, bool) or not re.fullmatch(r"[+-]?[0-9]{1,9}", str(given).strip()):
        raise BadValue(f"no {what} of table {name}", given=given, allowed=(allowed,))
    return int(given)


def _unused(name: str, what: str, given: int | str | None) -> None:
    if given is not None:
        raise BadValue(f"table {name} is not looked up with a {what}", given=given, allowed=(f"no --{what}",))


@cache
def _table(name: str) -> Table:
    printed = sheet(name)
    headings, rows = _listing(printed)
    notes = printed.notes
    if printed.cells:
        limits = [f"{limit.words} ({limit.rule})" for limit in printed.limits]
        notes = (*map(_modifier_text, printed.lines), *limits, *notes)
    return Table(name, printed.title, printed.rule, headings, rows, notes)


def _listing(printed: Sheet) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    if printed.cells:
        return (*printed.labels, *printed.columns), _cells(printed)
    if printed.bases:
        return ("DRM", "Who", "Rule"), _chart_rows(printed)
    if "effect" in printed.extra:
        return ("Level", "Effect or modifier of the die", "Rule"), _surprise_rows(printed)
    return ("Dice", "For each", "At most", "Rule"), tuple(map(_count_row, printed.lines))


def _cells(printed: Sheet) -> tuple[tuple[str, ...], ...]:
    labels = len(printed.labels)
    return tuple((*("" if cell == "-" else cell for cell in row[:labels]), *row[labels:]) for row in printed.cells)


def _chart_rows(printed: Sheet) -> tuple[tuple[str, ...], ...]:
    rows = [(str(entry.drm), _nations(entry.nations, entry.assumed), printed.rule) for entry in printed.bases]
    others = printed.extra.get("others")
    if others is not None:
        rows.append((str(others["drm"]), others["words"], printed.rule))
    return (*rows, *((f"{line.amount:+d}", line.words, line.rule) for line in printed.lines))


def _nations(names: tuple[str, ...], assumed: str) -> str:
    listed = ", ".join(nation(name).name for name in names)
    return f"{listed} ({assumed})" if assumed else listed


def _surprise_rows(printed: Sheet) -> tuple[tuple[str, ...], ...]:
    effects = [(_surprise_label(entry["level"]), entry["words"], printed.rule) for entry in printed.extra["effect"]]
    return (*effects, *((f"{line.amount:+d}", line.words, line.rule) for line in printed.lines))


def _surprise_label(level: int) -> str:
    return "7+" if level == 7 else str(level)


def _count_row(line: Modifier) -> tuple[str, ...]:
    return (_amount(line), line.words, "" if line.cap is None else str(line.cap), line.rule)


def _amount(line: Modifier) -> str:
    if line.signed:
        return f"{'±' if line.amount > 0 else '∓'}{abs(line.amount)}"
    return f"{line.amount:+d}"


def _modifier_text(line: Modifier) -> str:
    use = f"{line.use} attacks: " if line.use else ""
    return f"{_amount(line)}  {use}{line.words} ({line.rule})"
