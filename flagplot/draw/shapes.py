"""What a picture is made of: a few shapes, which can be written as SVG or as PNG."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from flagplot.draw.colours import Colour

Theme = Literal["auto", "light", "dark", "page"]
"""`auto` follows the scheme of whoever looks at it. `page` is for pages that have the style sheet of `dark_style` and
allow no styles in what they show."""
Anchor = Literal["start", "middle", "end"]


class Box(NamedTuple):
    """A rectangle, filled or only outlined."""

    x: float
    y: float
    width: float
    height: float
    colour: Colour
    told: str = ""
    """What it stands for, for those who point at it."""
    hollow: bool = False


class Stroke(NamedTuple):
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    colour: Colour
    width: float = 1


class Diamond(NamedTuple):
    """A mark, with a rim in the colour of the paper so that it stands out from whatever it lies on."""

    x: float
    y: float
    radius: float
    colour: Colour
    told: str = ""


class Words(NamedTuple):
    """A line of text; `y` is its base line."""

    x: float
    y: float
    text: str
    size: float
    colour: Colour = "ink"
    anchor: Anchor = "start"
    bold: bool = False


Shape = Box | Stroke | Diamond | Words


@dataclass(slots=True)
class Drawing:
    """Shapes on paper of a natural size, and the same in words."""

    title: str
    width: float
    height: float = 0
    text: str = ""
    """What is to be seen, for those who do not see it."""
    shapes: list[Shape] = field(default_factory=list)

    def add(self, shapes: Iterable[Shape]) -> None:
        self.shapes += shapes
