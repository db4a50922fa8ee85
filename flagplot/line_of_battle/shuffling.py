"""States that differ only in what a faction may not know, for the tests of secrecy."""

from __future__ import annotations

from random import Random

from flagplot.kernel.plain_data import copy_of
from flagplot.line_of_battle.state import DAY, NIGHT, State


def reshuffle(state: State, side: str, chance: Random) -> State:
    """The same state with other secrets: another day or night selected by the enemy."""
    other = copy_of(state)
    for key in other.hidden:
        if key != side:
            other.hidden[key] = chance.choice((DAY, NIGHT))
    return other
