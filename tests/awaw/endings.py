"""The end of a round for the tests: groups that have fought, as far as a test says, and now may withdraw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flagplot.awaw.battle.withdrawal import mark_round
from flagplot.awaw.counting import add, take
from flagplot.awaw.procedures import naval_battle
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.procedures import Frame
from tests.awaw.battles import battle, squadron
from tests.awaw.scenes import start

Change = Callable[[State], None]

RED = squadron("reds", "red", "Akagi", "Kongo", cruisers=6, destroyers=4, air=3)
BLUE = squadron("blues", "blue", "Enterprise", "Washington", cruisers=6, destroyers=4, air=3)
"""Two fleets that any test may use: 18 factors with a carrier, a battleship, three cruisers and four destroyers."""


def round_over(
    *forces: dict[str, Any], change: Change | None = None, before: Change | None = None, **more: Any
) -> Game[State]:
    """A battle at the end of its first round. Forces that have arrived are groups, numbered from 1 on each side as they
    are given. `before` is what the round found, `change` what it did."""
    game = start(battle(*(forces or (RED, BLUE)), **({"rounds": 3} | more)))
    state = copy_of(game.border.state)
    state.frames = [Frame(naval_battle.name, "withdrawal")]
    numbers = {"red": 0, "blue": 0}
    for group in state.battle.groups.values():
        if group.arrives == 1:
            numbers[group.side] += 1
            group.formed, group.number = True, numbers[group.side]
    for change_it in (before, mark_round, change):
        if change_it:
            change_it(state)
    return game.from_border(state)


def sink(key: str, tag: str, number: int = 1) -> Change:
    """Ships of a group are sunk."""

    def change(state: State) -> None:
        which = next(which for which in state.battle.groups[key].ships if which.tag == tag)
        take(state.battle.groups[key].ships, which, number)
        add(state.losses.ships, which.bearing(0), number)

    return change


def damage(key: str, tag: str, number: int = 1, hits: int = -1) -> Change:
    """Ships of a group are damaged, or take so many hits."""

    def change(state: State) -> None:
        ships = state.battle.groups[key].ships
        which = next(which for which in ships if which.tag == tag and not which.damaged)
        take(ships, which, number)
        add(ships, which.bearing(which.size - 1 if hits < 0 else hits), number)

    return change


def cripple(key: str) -> Change:
    """All ships of a group are damaged, and those that cannot be are sunk."""

    def change(state: State) -> None:
        for which, number in list(state.battle.groups[key].ships.items()):
            (damage if which.size > 1 else sink)(key, which.tag, number)(state)

    return change


def mark(key: str, **marks: Any) -> Change:
    """Flags of a group: ``mark("reds", attacked=True)``."""

    def change(state: State) -> None:
        group = state.battle.groups[key]
        for name, value in marks.items():
            setattr(group if hasattr(group, name) else group.this_round, name, value)

    return change


def all_of(*changes: Change) -> Change:
    def change(state: State) -> None:
        for one in changes:
            one(state)

    return change
