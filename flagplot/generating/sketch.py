"""What a scenario is made from: its chance, its theatre, the two sides, readings and research."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from flagplot.awaw.options import Options
from flagplot.awaw.ships import NamedShip, named_ships
from flagplot.kernel.options import describe

T = TypeVar("T")

EUROPE = (
    (("germany",), ("italy",), ("germany", "italy"), ("germany", "hungary", "rumania"), ("germany", "finland")),
    (
        ("britain",),
        ("britain", "united-states"),
        ("britain", "france"),
        ("britain", "free-france", "greece", "canada"),
        ("russia", "britain"),
    ),
)
PACIFIC = (
    (("japan",), ("japan", "thailand")),
    (
        ("united-states",),
        ("united-states", "australia"),
        ("britain", "india", "australia"),
        ("united-states", "china", "britain"),
        ("united-states", "new-zealand", "dutch-east-indies"),
    ),
)
"""The nations of the two sides, by theatre."""
SIDES = ("axis", "allies")
READINGS_CHANGED = 0.2
"""How many of the readings are others than the usual one."""


@dataclass
class Sketch:
    """Everything that the parts of one scenario have in common."""

    chance: Random
    pacific: bool
    nations: dict[str, tuple[str, ...]]
    attacker: str
    options: dict[str, Any]
    research: dict[str, dict[str, int]]
    named: dict[str, list[NamedShip]] = field(default_factory=dict)
    """The named ships that are in no force yet, by nation."""
    invoked: bool = False
    """Whether the kamikaze rule is: then there is no elite naval air (17.41)."""

    @property
    def defender(self) -> str:
        return other(self.attacker)

    def likely(self, odds: float) -> bool:
        return self.chance.random() < odds

    def between(self, least: int, most: int) -> int:
        return self.chance.randint(least, most)

    def pick(self, choices: Sequence[T]) -> T:
        return self.chance.choice(choices)

    def some(self, choices: Sequence[T], most: int) -> list[T]:
        """Up to so many of them, in no order."""
        return self.chance.sample(choices, min(len(choices), self.between(0, most)))

    def reads(self, option: str) -> Any:
        """The reading that is played with."""
        return self.options.get(option, getattr(Options(), option))


def other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


def begin(chance: Random) -> Sketch:
    """A sketch of nothing but theatre, sides, readings and research."""
    pacific = chance.random() < 0.5
    camps = PACIFIC if pacific else EUROPE
    nations: dict[str, tuple[str, ...]] = {side: chance.choice(camp) for side, camp in zip(SIDES, camps, strict=True)}
    sketch = Sketch(chance, pacific, nations, chance.choice(SIDES), some_readings(chance, Options), {})
    for country in [country for members in nations.values() for country in members]:
        if chance.random() < 0.5:
            sketch.research[country] = _research(chance)
    for found in named_ships().values():
        sketch.named.setdefault(found.nation, []).append(found)
    return sketch


def some_readings(chance: Random, options: type[Any]) -> dict[str, Any]:
    """A few of the declared readings changed."""
    return {
        reading.name: chance.choice(reading.alternatives[1:])
        for reading in describe(options)
        if chance.random() < READINGS_CHANGED
    }


def _research(chance: Random) -> dict[str, int]:
    most = {"air_drm": 2, "radar": 3, "air_defense": 2, "naval_drm": 1, "torpedo": 2, "asw": 3, "air_range": 2}
    found = {key: chance.randint(0, number) for key, number in most.items()}
    found["jets"] = chance.choice((0, 0, 9, 11, 12))
    return {key: number for key, number in found.items() if number}


def heading(sketch: Sketch, kind: str) -> dict[str, Any]:
    """The part of a scenario that all kinds have."""
    return {
        "game": "awaw",
        "kind": kind,
        "attacker": sketch.attacker,
        "sides": [_side(sketch, side) for side in SIDES],
        "research": sketch.research,
        "options": sketch.options,
    }


def _side(sketch: Sketch, side: str) -> dict[str, Any]:
    flags = {flag: True for flag in ("partial_supply", "naval_oil", "air_oil") if sketch.likely(0.1)}
    return {"id": side, "name": side.title(), "nations": list(sketch.nations[side]), **flags}
