"""Names on a map: each where there is room for it, the weightier first; what has no room at a size is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from flagplot.draw.measuring import width_of

Kind = Literal["port", "town", "water", "sea", "box"]
"""A port, another place on land, a place at sea, a whole sea, what lies beyond the edge."""
Anchor = Literal["start", "middle", "end"]
LINE = 1.12
"""From one line of a name to the next, in parts of its size."""
UP, DOWN = 0.8, 0.25
"""How far letters reach above and below their base line, in parts of their size."""


class Box(NamedTuple):
    """A rectangle that something takes up."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def overlap(self, other: Box) -> float:
        """The area that both take up."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0

    def within(self, other: Box) -> bool:
        return (
            self.left >= other.left
            and self.top >= other.top
            and self.right <= other.right
            and self.bottom <= other.bottom
        )


class Wanted(NamedTuple):
    """A name to be shown beside a point."""

    text: str
    kind: Kind
    x: float
    y: float
    gap: float
    """How near to the point nothing may stand, since its icon is there."""
    size: float
    wet: tuple[bool, ...] = ()
    """Whether it is sea to the east, south-east … north-east of it: names of coasts stand off shore if they can."""


class Placed(NamedTuple):
    """A name where it is shown; `y` is the base line of its first line."""

    lines: tuple[str, ...]
    kind: Kind
    x: float
    y: float
    anchor: Anchor
    size: float
    box: Box


def place_names(wanted: Iterable[Wanted], taken: Sequence[Box], room: Box) -> list[Placed]:
    """The names that have room, in the order in which they are wanted; none meets another, nor what is taken."""
    full, found = list(taken), list[Placed]()
    for name in wanted:
        for placed in _tries(name):
            if placed.box.within(room) and not any([placed.box.meets(box) for box in full]):
                full.append(placed.box)
                found.append(placed)
                break
    return found


def _tries(name: Wanted) -> Iterator[Placed]:
    """Where a name may stand, the best places first."""
    if name.kind in ("water", "sea", "box"):
        for lines in (broken(name.text), (name.text,)) if name.kind != "box" else ((name.text,),):
            for aside, up in ((0.0, 0.0), (0.0, -1.3), (0.0, 1.3), (0.6, 0.0), (-0.6, 0.0), (0.0, 2.4), (0.0, -2.4)):
                yield _placed(name, lines, name.x + aside * name.size * 2, name.y + up * name.size, "middle")
        return
    far = name.gap + 0.2 * name.size
    places: list[tuple[int, float, float, Anchor]] = [
        (0, far, 0, "start"),
        (3, -far, 0, "end"),
        (1, far * 0.8, far * 0.8, "start"),
        (5, far * 0.8, -far * 0.8, "start"),
        (2, -far * 0.8, far * 0.8, "end"),
        (4, -far * 0.8, -far * 0.8, "end"),
        (6, 0, far + 0.55 * name.size, "middle"),
        (7, 0, -far - 0.55 * name.size, "middle"),
    ]
    if name.wet:
        wet = (*name.wet, name.wet[1] and name.wet[2], name.wet[4] and name.wet[5])
        places.sort(key=lambda place: not wet[place[0]])
    for lines in dict.fromkeys([(name.text,), broken(name.text)]):
        for _, aside, down, anchor in places:
            yield _placed(name, lines, name.x + aside, name.y + down, anchor)


def _placed(name: Wanted, lines: tuple[str, ...], x: float, y: float, anchor: Anchor) -> Placed:
    """A name whose middle stands at some height."""
    wide = max([width_of(line, name.size, bold=True) for line in lines])
    high = (len(lines) - 1) * LINE * name.size
    first = y - high / 2 + 0.28 * name.size
    left = {"start": x, "middle": x - wide / 2, "end": x - wide}[anchor]
    box = Box(left, first - UP * name.size, left + wide, first + high + DOWN * name.size)
    return Placed(lines, name.kind, x, first, anchor, name.size, box)


def broken(name: str) -> tuple[str, ...]:
    """A long name in two lines, broken at the blank nearest to its middle."""
    blanks = [place for place, sign in enumerate(name) if sign == " "]
    if len(name) <= 7 or not blanks:
        return (name,)
    cut = min(blanks, key=lambda place: abs(place - len(name) / 2))
    return name[:cut], name[cut + 1 :]
