"""The colours of a chart, by what they are for: once for a light page, once for a dark one.

Blue and orange differ for every kind of eyes. Text has a contrast of at least 4.5 to 1 to the paper, and shapes of 3 to
1, also where one lies on another (WCAG 2); a test holds that. Nothing is told by colour alone.
"""

from __future__ import annotations

from typing import Literal, get_args

Colour = Literal["paper", "ink", "faint", "bar", "edge", "mark"]
"""`ink` and `faint` are for text, `bar` for what is filled, `edge` for outlines, `mark` for averages."""

COLOURS: tuple[Colour, ...] = get_args(Colour)

LIGHT: dict[Colour, str] = {
    "paper": "#ffffff",
    "ink": "#1b1f27",
    "faint": "#545b66",
    "bar": "#2b7fc4",
    "edge": "#6b7280",
    "mark": "#b45309",
}
DARK: dict[Colour, str] = {
    "paper": "#14181f",
    "ink": "#eceef1",
    "faint": "#b3bac4",
    "bar": "#3b82c4",
    "edge": "#8f98a5",
    "mark": "#f0a04b",
}
