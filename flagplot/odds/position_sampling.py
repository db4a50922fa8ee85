"""Odds of a position by chance: states that fit what a side knows, and one playout of each option in each of them.

Whatever is decided, the states and the dice are the same: a roll has the dice of its rule, its side and how often that
was rolled, so that two options differ by what they bring about, and not by luck. The dice of the game are never used.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from flagplot.kernel.dice import Head, Keyed
from flagplot.kernel.errors import BadValue
from flagplot.kernel.game import Player
from flagplot.kernel.playout import Playout, Start
from flagplot.kernel.replaying import Reached, Replay
from flagplot.kernel.requests import Choose, Faces, Roll
from flagplot.odds.position_staff import Told, Worlds

TRIES = 40
"""How many arrangements are drawn for each one that fits what was seen since the border; then some serve again."""
FIRST_TRIES = 2_000
"""How many are drawn for the first that fits."""
LEAST = 2
"""Trials of every option if they take no more than twice the time: with one there is no error to tell."""


class NothingFits(BadValue):
    """No state was found that fits what a side has seen."""


class KeyedDice(Keyed):
    """Dice of one trial, the same for every option; `seen` hears of each roll."""

    __slots__ = ("seen",)

    def __init__(self, trial: int, seen: Callable[[Roll[Any]], None] | None = None) -> None:
        super().__init__(trial)
        self.seen = seen

    def faces(self, roll: Roll[Any], number: int, head: Head) -> Faces:
        if self.seen is not None:
            self.seen(roll)
        return super().faces(roll, number, head)


class Pool:
    """States that fit, one for each trial, as far as there are enough of them."""

    def __init__(self, worlds: Worlds, replay: Replay, deadline: float) -> None:
        self.worlds = worlds
        self.replay = replay
        self.deadline = deadline
        self.found: list[tuple[Any, Reached]] = []
        self.drawn = 0

    def __getitem__(self, trial: int) -> tuple[Any, Reached]:
        """The state of a trial. Where few fit, those that do serve for several trials, with other dice."""
        while len(self.found) <= trial and self._go_on(trial):
            world = self.worlds.draw(Random(f"arrangement {self.drawn}"))
            self.drawn += 1
            reached = self.replay.reach(world)
            if reached is not None:
                self.found.append((world, reached))
        if not self.found:
            raise NothingFits("no arrangement fits what has been seen", allowed=["another --assume"])
        return self.found[trial % len(self.found)]

    def _go_on(self, trial: int) -> bool:
        if not self.found:
            return self.drawn < FIRST_TRIES
        return self.drawn < TRIES * (trial + 1) and time.monotonic() < self.deadline


class Trials:
    """What has come of each of some options so far."""

    def __init__(self, options: Sequence[str]) -> None:
        self.ends: dict[str, Counter[Told]] = {text: Counter() for text in options}

    def number(self, option: str) -> int:
        return self.ends[option].total()

    def chances(self, option: str) -> dict[Told, Fraction]:
        ends = self.ends[option]
        return {told: Fraction(number, ends.total()) for told, number in ends.items()}


def sample(
    options: Sequence[str],
    pools: Mapping[str, Pool],
    play: Callable[[str, Any, Reached, int], Told],
    trials: int,
    deadline: float,
) -> Trials:
    """Trial by trial each option in the same state with the same dice, until there are enough or time is up."""
    found, start = Trials(options), time.monotonic()
    latest = deadline + max(0.0, deadline - start)
    for trial in range(trials):
        for option in options:
            if trial and time.monotonic() > (deadline if trial >= LEAST else latest):
                return found
            world, reached = pools[option][trial]
            found.ends[option][play(option, world, reached, trial)] += 1
    return found


def play_on(
    players: Mapping[str, Player],
    start: Start[Any],
    option: str,
    over: Callable[[Any], bool],
    dice: KeyedDice,
) -> Any:
    """The state in which it ends if an option is taken; without an option it has been taken."""
    played = Playout(start, over)
    if option:
        assert isinstance(played.pending, Choose)
        played.answer(option)
    played.play(players, dice)
    return played.state


def pools_of(worlds: Mapping[str, Worlds], replay: Replay, deadline: float) -> dict[str, Pool]:
    """A pool for each option; options that hang on the same have one together."""
    made: dict[Hashable, Pool] = {}
    return {
        option: made.setdefault(one.key, Pool(one, replay, deadline)) if one.key else Pool(one, replay, deadline)
        for option, one in worlds.items()
    }
