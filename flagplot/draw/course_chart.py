"""The chance to win over the time of a battle, as a chart: one side's from below, the other's from above."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 360.0, 196.0
LEFT, RIGHT, TOP, BOTTOM = 42.0, 14.0, 18.0, 170.0
"""Where the axes are; so small that the text is readable on a phone."""


class Spot(NamedTuple):
    """A moment: how far the battle has gone, from 0 to 1, and the chances of the two sides."""

    far: float
    ours: float
    theirs: float
    mark: int = 0
    """The number of a turning point."""


def course_chart(spots: Sequence[Spot], nations: tuple[str, str], words: str) -> str:
    """The chart; `nations` are the codes of the two sides' colours, `words` say the same to those who do not see it."""
    ours = [(_x(spot.far), _y(spot.ours)) for spot in spots]
    theirs = [(_x(spot.far), _y(1 - spot.theirs)) for spot in spots]
    first, last = ours[0][0], ours[-1][0]
    parts = [
        f'<svg class="course" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{escape(words)}">',
        *[_level(share) for share in (0.0, 0.5, 1.0)],
        f'<path class="area {nations[1]}" d="{_path([*theirs, (last, _y(1)), (first, _y(1))])}Z"/>',
        f'<path class="area {nations[0]}" d="{_path([*ours, (last, _y(0)), (first, _y(0))])}Z"/>',
        f'<path class="line {nations[1]}" d="{_path(theirs)}"/>',
        f'<path class="line {nations[0]}" d="{_path(ours)}"/>',
        *[_mark(spot) for spot in spots if spot.mark],
        f'<text x="{LEFT:g}" y="{HEIGHT - 8:g}">start</text>',
        f'<text x="{WIDTH - RIGHT:g}" y="{HEIGHT - 8:g}" text-anchor="end">end</text>',
        "</svg>",
    ]
    return "".join(parts)


def _x(far: float) -> float:
    return LEFT + far * (WIDTH - LEFT - RIGHT)


def _y(share: float) -> float:
    return BOTTOM - share * (BOTTOM - TOP)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join([f"{x:.1f} {y:.1f}" for x, y in points])


def _level(share: float) -> str:
    at = _y(share)
    return (
        f'<path class="level" d="M{LEFT:g} {at:g}H{WIDTH - RIGHT:g}"/>'
        f'<text x="{LEFT - 6:g}" y="{at + 4:g}" text-anchor="end">{share:.0%}</text>'
    )


def _mark(spot: Spot) -> str:
    x, y = _x(spot.far), _y(spot.ours)
    above = y - 13 if y > TOP + 24 else y + 23
    return (
        f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="6"/>'
        f'<text class="which" x="{x:.1f}" y="{above:.1f}" text-anchor="middle">{spot.mark}</text>'
    )
