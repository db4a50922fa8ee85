"""What a reading of the dice is worth to the side that rolled, as a number, so that rolls can be compared.

A game gives its readings a method ``effect() -> Effect`` where a number makes sense: hits, losses, search results. A
reading without one (which kind of ship a submarine comes upon) has no measure, and neither has a plain whole number:
nobody but the game knows what it stands for.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple


class Effect(NamedTuple):
    """How much a reading is worth to the side that rolled; more is better. Only amounts of one unit can be added."""

    amount: Fraction
    unit: str
    """What is counted, in the plural: ``hits``."""


def effect(reading: object) -> Effect | None:
    """What a reading is worth, or None if it has no measure."""
    measure: Callable[[], Effect] | None = getattr(reading, "effect", None)
    return None if measure is None else measure()
