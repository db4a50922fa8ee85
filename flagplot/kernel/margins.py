"""By how much a side came out ahead, by the rules' own measure of what was won and lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.kernel.toll import Toll

LOSSES = ("factors_sunk", "brps_lost")
"""What results count against a side, in the order in which we look for it."""
MEASURES = {"points": "points", "factors_sunk": "naval factors", "brps_lost": "BRPs of air"}
UNITS = "units"


def margin(result: Mapping[str, Any], tolls: Mapping[str, Toll], side: str) -> int:
    """What the enemy lost less what the side lost itself: points, naval factors sunk, BRPs of air lost, or units lost
    for good. The margins of two sides add up to nothing."""
    if "points" in result:
        return _more(result["points"], side)
    for name in LOSSES:
        if name in result:
            return -_more(result[name], side)
    return -_more({each: sum(toll.lost.values()) for each, toll in tolls.items()}, side)


def unit_of(result: Mapping[str, Any]) -> str:
    """What a margin counts."""
    return next((word for name, word in MEASURES.items() if name in result), UNITS)


def _more(numbers: Mapping[str, int], side: str) -> int:
    """What a side has more than the others."""
    return numbers[side] - sum([number for each, number in numbers.items() if each != side])


def figure_name(key: str) -> str:
    """A figure of a result as people read it."""
    return key.replace("_", " ").replace("brps", "BRPs")
