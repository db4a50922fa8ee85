"""Hexes by axial coordinates: q counts along a row to the east, r counts rows to the south.

A row lies half a hex east of the row above it, so the hex south-east of (q, r) is (q, r + 1) and the one south-west
of it is (q - 1, r + 1). They are the coordinates of `at = [q, r]` in scenario files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from flagplot.awaw.basing import distance

__all__ = ["DIRECTIONS", "Hex", "distance", "hex_text", "middle", "neighbours", "read_hex", "steps"]

Hex: TypeAlias = tuple[int, int]

DIRECTIONS: tuple[tuple[str, Hex], ...] = (
    ("east", (1, 0)),
    ("south-east", (0, 1)),
    ("south-west", (-1, 1)),
    ("west", (-1, 0)),
    ("north-west", (0, -1)),
    ("north-east", (1, -1)),
)
"""The six ways out of a hex, clockwise from the east."""

ROW_HEIGHT = 0.75**0.5
"""How far two rows lie apart, if the middles of two hexes of a row are one apart."""


def neighbours(at: Hex) -> tuple[Hex, ...]:
    """The six hexes around a hex, clockwise from the east."""
    q, r = at
    return (q + 1, r), (q, r + 1), (q - 1, r + 1), (q - 1, r), (q, r - 1), (q + 1, r - 1)


def middle(at: Hex) -> tuple[float, float]:
    """Where the middle of a hex lies, to the east and to the south of the middle of (0, 0), in hexes."""
    return at[0] + at[1] / 2, at[1] * ROW_HEIGHT


def steps(start: Hex, end: Hex) -> tuple[tuple[int, str], ...]:
    """The way from one hex to another as the crow flies: none, one or two directions, each with its number of hexes.

    >>> steps((0, 0), (3, -1))
    ((2, 'east'), (1, 'north-east'))
    """
    q, r = end[0] - start[0], end[1] - start[1]
    for place, (name, (dq, dr)) in enumerate(DIRECTIONS):
        other, (oq, orr) = DIRECTIONS[(place + 1) % 6]
        # the two directions are a basis whose determinant is 1
        first, second = q * orr - r * oq, r * dq - q * dr
        if first >= 0 and second >= 0:
            found = sorted(((first, name), (second, other)), key=lambda step: -step[0])
            return tuple(step for step in found if step[0])
    raise AssertionError("one of the six sectors holds it")


def hex_text(at: Sequence[int]) -> str:
    """A hex as options, orders and files write it, and `read_hex` reads it."""
    return f"{at[0]},{at[1]}"


def read_hex(text: str) -> Hex | None:
    """A hex from its coordinates as people write them, such as `3,-1`; None if they are not two whole numbers."""
    try:
        q, r = map(int, text.strip().strip("()[]").replace(",", " ").split())
    except ValueError:
        return None
    return q, r
