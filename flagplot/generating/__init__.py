"""Small legal scenarios made from a number: ``generated:operation:17`` is the name of one, and always of the same.

They are for fuzzing and for properties that should hold of any scenario. What is made is plain data, such as a scenario
file holds, so it can be looked at, saved and changed.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from flagplot.generating.air_phases import air_phase
from flagplot.generating.battles import naval_battle, raider_battle
from flagplot.generating.lines_of_battle import line_of_battle
from flagplot.generating.operations import base_attack, operation
from flagplot.generating.turns import air_turn
from flagplot.kernel.errors import UnknownName

GENERATED = "generated:"
"""How the names of scenarios begin that are made from a number."""
KINDS: dict[str, Callable[[Random], dict[str, Any]]] = {
    "naval-battle": naval_battle,
    "raider-battle": raider_battle,
    "air-phase": air_phase,
    "base-attack": base_attack,
    "operation": operation,
    "air-turn": air_turn,
    "line-of-battle": line_of_battle,
}
"""The kinds of play that scenarios are made for."""


def generate(kind: str, seed: int) -> dict[str, Any]:
    """The scenario of this kind and number: a legal state of the game, as data that `flagplot.load` takes."""
    data = KINDS[kind](Random(f"{kind}:{seed}"))
    return {**data, "title": f"{GENERATED}{kind}:{seed}"}


def read_generated(name: str) -> dict[str, Any]:
    """The scenario that a name such as ``generated:operation:17`` stands for."""
    kind, _, seed = name.removeprefix(GENERATED).partition(":")
    if kind not in KINDS or not seed.isdecimal():
        allowed = [f"{GENERATED}{known}:17" for known in KINDS]
        raise UnknownName("a generated scenario has a kind and a number", given=name, allowed=allowed)
    return generate(kind, int(seed))
