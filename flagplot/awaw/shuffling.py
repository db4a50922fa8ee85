"""States that differ only in what a side may not know, for the tests of secrecy."""

from __future__ import annotations

from random import Random

from flagplot.awaw.battle.shuffling import reshuffle_battle
from flagplot.awaw.operations.shuffling import reshuffle_operation
from flagplot.awaw.state.state import State
from flagplot.kernel.plain import copy_of


def reshuffle(state: State, side: str, chance: Random) -> State:
    """The same state with other secrets: other carrier air under the enemy's markers, other combat groups."""
    other = copy_of(state)
    for key, site in other.sites.items():
        place = other.scene.places[key]
        if place.side != side and place.marker and not site.counteraired and site.hidden:
            site.hidden = {next(iter(site.hidden)): chance.randint(1, 9)}
    if other.operation_if_any is not None:
        reshuffle_operation(other, side, chance)
    elif other.scene.kind == "naval-battle":
        reshuffle_battle(other, side, chance)
    return other
