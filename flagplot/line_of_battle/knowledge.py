"""What a faction knows of a battle, and states that fit it: all is open but what the enemy has selected in secret."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from flagplot.kernel.plain_data import copy_of
from flagplot.line_of_battle.state import DAY, NIGHT, State

UNKNOWN = ""
"""Stands for what an enemy has selected."""


def knowledge_of(state: State, side: str) -> State:
    """The state as a faction knows it."""
    known = copy_of(state)
    known.hidden = {one: chosen if one == side else UNKNOWN for one, chosen in known.hidden.items()}
    return known


def fill(known: State, chosen: str) -> State:
    """A state in which the enemy has selected this."""
    state = copy_of(known)
    state.hidden = {one: other or chosen for one, other in state.hidden.items()}
    return state


def draw(known: State, chance: Random, day: float = 0.5) -> State:
    """A state that fits what a faction knows; so likely the enemy has selected Day."""
    return fill(known, DAY if chance.random() < day else NIGHT)


@dataclass(frozen=True, slots=True)
class Beliefs:
    """States that fit what a faction knows."""

    known: State

    def draw(self, chance: Random) -> State:
        """A state that fits; the same chance gives the same."""
        return draw(self.known, chance)


def reshuffle(state: State, side: str, chance: Random) -> State:
    """The same state with other secrets, for the tests of secrecy."""
    return draw(knowledge_of(state, side), chance)
