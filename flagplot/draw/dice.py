"""Dice faces as small SVGs, for those who like to see the pips; the number is told in words beside them."""

from __future__ import annotations

from functools import cache
from typing import Final

LOW, MIDDLE, HIGH = 5.0, 10.0, 15.0
SPOTS: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    1: ((MIDDLE, MIDDLE),),
    2: ((LOW, LOW), (HIGH, HIGH)),
    3: ((LOW, LOW), (MIDDLE, MIDDLE), (HIGH, HIGH)),
    4: ((LOW, LOW), (LOW, HIGH), (HIGH, LOW), (HIGH, HIGH)),
    5: ((LOW, LOW), (LOW, HIGH), (MIDDLE, MIDDLE), (HIGH, LOW), (HIGH, HIGH)),
    6: ((LOW, LOW), (LOW, MIDDLE), (LOW, HIGH), (HIGH, LOW), (HIGH, MIDDLE), (HIGH, HIGH)),
}


@cache
def die(face: int) -> str:
    """One die that shows a face of 1 to 6. It tells nothing by itself: the words beside it do."""
    spots = "".join(f'<circle cx="{x:g}" cy="{y:g}" r="1.9"/>' for x, y in SPOTS[face])
    return (
        '<svg class="flagplot-die" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">'
        f'<rect x="1" y="1" width="18" height="18" rx="3.5"/>{spots}</svg>'
    )
