"""Basing (18.1) and staging (18.2), as far as counterair needs them: room, distance and refuges."""

from __future__ import annotations

from functools import cache

from flagplot.awaw.air_units import Force, room
from flagplot.kernel.rules import rule

UNLIMITED = 9_999
LONGEST_RANGE = 4
"""No unit that bases on the map flies farther (18.31)."""


@cache
def distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Hexes between two hexes given by axial coordinates (column, row along the column's slant)."""
    columns, rows = other[0] - one[0], other[1] - one[1]
    return max(abs(columns), abs(rows), abs(columns + rows))


@rule("17.21", "17.21.1", "17.21.2", "18.12", "18.12.1")
def capacity(installations: int, *, reduced: bool) -> int:
    """18.12: air factors that a hex bases: five for each city, port and airbase; three on a Pacific one-hex island
    or in Pacific jungle."""
    return installations * (3 if reduced else 5)


@rule("18.11", "18.13", "17.311")
def holds(force: Force, factors: int, *, island: bool) -> bool:
    """18.11, 18.13: whether a base holds a force: three squadrons to a factor, one naval squadron more on a one-hex
    island."""
    spare = 1 if island and any(which.is_naval for which in force) else 0
    return room(force) <= 3 * factors + spare


@rule("18.21")
def staging_range(operational: int) -> int:
    """18.21: a unit changes base over up to twice its range."""
    return 2 * operational
