"""How a naval battle that goes on will probably end: a linear model of a few shares, fitted to finished battles."""

from __future__ import annotations

from functools import cache
from math import tanh

from flagplot.awaw.ships import Fleet
from flagplot.awaw.state.state import State
from flagplot.kernel.data_files import read_data

NAMES = ("margin", "guns", "carriers", "squadrons")
"""What the model looks at: losses so far, and how both sides compare in what is left in the battle."""
FILE = "outlook.toml"
CLEAR = 0.15
"""As in the value of an ending: a margin of this share of all that is at stake is a clear success."""


def features(state: State, side: str, margin: float, stake: float) -> tuple[float, ...]:
    """What the model looks at, each from -1 (all is the enemy's) to 1."""
    ours, theirs = _left(state, side), _left(state, state.other(side))
    return tanh(margin / max(1.0, CLEAR * stake)), *[_share(*pair) for pair in zip(ours, theirs, strict=True)]


def foreseen(seen: tuple[float, ...]) -> float:
    """The value that is to be expected."""
    weights = _weights()
    total = sum([weight * value for weight, value in zip(weights, seen, strict=True)])
    return max(-1.0, min(1.0, total))


@cache
def _weights() -> tuple[float, ...]:
    data = read_data("flagplot.players.search", FILE)
    return tuple([float(data["naval-battle"][name]) for name in NAMES])


def _share(ours: float, theirs: float) -> float:
    both = ours + theirs
    return (ours - theirs) / both if both else 0.0


def _left(state: State, side: str) -> tuple[float, float, float]:
    """What a side has in the battle: sound guns, sound fast carriers, and squadrons at sea."""
    groups = state.battle.forces(side).values()
    guns = sum([_sound(group.ships, carriers=False) for group in groups])
    carriers = sum([_sound(group.ships, carriers=True) for group in groups])
    return guns, carriers, sum([number for group in groups for number in group.air.values()])


def _sound(fleet: Fleet, *, carriers: bool) -> int:
    return sum(
        [
            which.weight * number
            for which, number in fleet.items()
            if which.fast_carrier is carriers and not which.damaged
        ]
    )
