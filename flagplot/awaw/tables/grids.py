"""The tables of rows and columns: air combat, air defense, attacks on ships by air and by fleets, submarines.

Every look-up is an indexing of a cached row: eleven readings for the modified rolls 2 to 12.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

from flagplot.awaw.tables.sheets import sheet
from flagplot.kernel.effects import Effect
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.rules import rule

LOWEST_ROLL = 2
HIGHEST_ROLL = 12
LARGEST_STRENGTH = 10_000
"""No force of the game comes near this; a larger number is a slip of the keyboard."""


class AirResult(NamedTuple):
    """What air combat or air defense does to the other side, in factors or squadrons."""

    eliminated: int
    aborted: int

    def __str__(self) -> str:
        return f"{self.eliminated}/{self.aborted}" if self.eliminated or self.aborted else "0"

    def __add__(self, other: AirResult) -> AirResult:  # type: ignore[override]
        if self is NO_EFFECT:
            return other
        return AirResult(self.eliminated + other.eliminated, self.aborted + other.aborted)

    def effect(self) -> Effect:
        """Those eliminated, and half of those aborted: they are out of this fight, but not lost."""
        return Effect(Fraction(2 * self.eliminated + self.aborted, 2), "air losses")


class SubmarineResult(NamedTuple):
    """What a submarine attack does: hits on the target, or the loss of the attacker."""

    hits: int
    lost: bool

    def __str__(self) -> str:
        return "*" if self.lost else str(self.hits)

    def effect(self) -> Effect:
        """The hits; the loss of the submarine counts as one against it."""
        return Effect(Fraction(self.hits - self.lost), "hits by submarines, less boats lost")


NO_EFFECT = AirResult(0, 0)


def column(roll: int) -> int:
    """19.42, 22.55: the place of a modified roll in a row; below 2 reads as 2, above 12 as 12."""
    return 0 if roll < LOWEST_ROLL else min(roll, HIGHEST_ROLL) - LOWEST_ROLL


def air_combat(strength: int, roll: int) -> AirResult:
    """19.2: the losses that so many factors or squadrons inflict with this modified roll."""
    return air_combat_row(strength)[column(roll)]


def air_defense(level: int, roll: int) -> AirResult:
    """23.42: the attackers shot down and driven off by an air defense of this level."""
    return air_defense_row(level)[column(roll)]


def naval_attack_by_air(squadrons: int, roll: int) -> int:
    """23.44: the hits of so many squadrons on one target."""
    return naval_attack_by_air_row(squadrons)[column(roll)]


def naval_attack_by_fleet(factors: int, roll: int) -> int:
    """22.55: the hits of so many fleet factors on one target."""
    return naval_attack_by_fleet_row(factors)[column(roll)]


@rule("T22.94", "T22.94-09")
def submarine_attack(roll: int) -> SubmarineResult:
    """22.94: the hits of one submarine factor; a modified roll of 2 or less loses it."""
    results = _submarine_row()
    return results[min(column(roll), len(results) - 1)]


@lru_cache(maxsize=LARGEST_STRENGTH)
@rule("T19.2", "T19.2-05")
def air_combat_row(strength: int) -> tuple[AirResult, ...]:
    """19.2: the eleven readings of this strength, rows above 20 combined."""
    return _air_row("air-combat", strength)


@lru_cache(maxsize=LARGEST_STRENGTH)
@rule("T23.42", "T23.42-09")
def air_defense_row(level: int) -> tuple[AirResult, ...]:
    """23.42: the eleven readings of this level, rows above 10 combined."""
    return _air_row("air-defense", level)


@lru_cache(maxsize=LARGEST_STRENGTH)
@rule("T23.44", "T22.55", "T23.44-07", "T22.55-07")
def naval_attack_by_air_row(squadrons: int) -> tuple[int, ...]:
    """23.44: the eleven readings of so many squadrons, rows above 20 combined."""
    return _hits_row("air", squadrons)


@lru_cache(maxsize=LARGEST_STRENGTH)
@rule("T23.44", "T22.55", "T23.44-07")
def naval_attack_by_fleet_row(factors: int) -> tuple[int, ...]:
    """22.55: the eleven readings of so many fleet factors, rows above 60 combined."""
    return _hits_row("fleet", factors)


@rule("T19.2-05", "T23.42-09")
def rows(table: str, strength: int, by: str = "air") -> tuple[int, ...]:
    """19.2, 23.42, 23.44: the strengths whose rows are combined: 43 in air combat is 20, 20 and 3.

    A caller who rolls for each row apart looks up each of them. ``by`` matters for ``naval-attack`` alone.
    """
    last = _last_row(table, by)
    whole, rest = divmod(_checked(strength, table), last)
    return (last,) * whole + ((rest,) if rest else ())


def _last_row(table: str, by: str) -> int:
    if table in ("air-combat", "air-defense"):
        return len(_air_grid(table)) - 1
    if table != "naval-attack":
        raise UnknownName(
            "no such grid of rows by strength", given=table, allowed=("air-combat", "air-defense", "naval-attack")
        )
    return len(_hits_grid(by)) - 1


def _checked(strength: object, table: str) -> int:
    if not isinstance(strength, int) or isinstance(strength, bool) or not 0 <= strength <= LARGEST_STRENGTH:
        raise BadValue(
            "a strength is a whole number",
            given=strength,
            allowed=(f"0 to {LARGEST_STRENGTH}",),
            rule=sheet(table).rule,
        )
    return strength


def _air_row(table: str, strength: int) -> tuple[AirResult, ...]:
    grid = _air_grid(table)
    whole, rest = divmod(_checked(strength, table), len(grid) - 1)
    pairs = zip(grid[-1], grid[rest], strict=True)
    return tuple([AirResult(whole * last[0] + other[0], whole * last[1] + other[1]) for last, other in pairs])


def _hits_row(by: str, strength: int) -> tuple[int, ...]:
    grid = _hits_grid(by)
    whole, rest = divmod(_checked(strength, "naval-attack"), len(grid) - 1)
    return tuple([whole * last + other for last, other in zip(grid[-1], grid[rest], strict=True)])


@cache
def _air_grid(table: str) -> tuple[tuple[AirResult, ...], ...]:
    """The printed rows by strength, with a row of no effect for strength 0."""
    printed = sheet(table)
    grid = [tuple(map(_air_result, row[1:])) for row in printed.cells]
    return ((NO_EFFECT,) * len(printed.columns), *grid)


def _air_result(cell: str) -> AirResult:
    eliminated, _, aborted = cell.partition("/")
    return AirResult(int(eliminated), int(aborted or 0))


@cache
def _hits_grid(by: str) -> tuple[tuple[int, ...], ...]:
    """The rows by squadrons or by fleet factors, one for each strength from 0 to the last printed one."""
    if by not in ("air", "fleet"):
        raise BadValue("an attack on ships is made by air or by a fleet", given=by, allowed=("air", "fleet"))
    printed = sheet("naval-attack")
    grid: list[tuple[int, ...]] = [(0,) * len(printed.columns)]
    for row in printed.cells:
        label = row[0] if by == "air" else row[1]
        grid.extend([tuple(map(int, row[2:]))] * _width(label))
    return tuple(grid)


def _width(label: str) -> int:
    """How many strengths a row stands for: none for ``-``, one for ``4``, three for ``7-9``."""
    if label == "-":
        return 0
    bounds: Sequence[str] = label.split("-")
    return int(bounds[-1]) - int(bounds[0]) + 1


@cache
def _submarine_row() -> tuple[SubmarineResult, ...]:
    (cells,) = sheet("submarine-attack").cells
    return tuple([SubmarineResult(0, True) if cell == "*" else SubmarineResult(int(cell), False) for cell in cells])
