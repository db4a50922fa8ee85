"""Following what happens at sea: to a segment, to an end in all ways, or layer by layer with the likeliest first."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from flagplot.awaw.state.state import State
from flagplot.kernel.game import Player
from flagplot.kernel.plain_data import copy_of, key_of
from flagplot.kernel.procedures import AnySegment
from flagplot.kernel.requests import Roll
from flagplot.library import ruleset
from flagplot.odds.answers.losses import Cases, Toll
from flagplot.odds.enumerator import Found, Limits, enumerate_ends

Seen = Callable[[Roll[Any]], None]


class Fought(NamedTuple):
    """What can come of a fleet combat, and how many states were gone through."""

    cases: Cases
    states: int


def reach(state: State, players: Mapping[str, Player], segment: AnySegment) -> State:
    """The state in which a segment begins, where no die is rolled before it."""
    reached: list[State] = []

    def over(after: State) -> bool:
        if after.frames[-1].is_at(segment):
            reached.append(after)
        return bool(reached)

    enumerate_ends(ruleset("awaw"), state, players, lambda _: 0, over=over)
    (only,) = reached
    return only


def follow(
    state: State,
    players: Mapping[str, Player],
    outcome: Callable[[State], Toll],
    over: Callable[[State], bool] | None = None,
    limits: Limits | None = None,
    seen: Seen | None = None,
) -> Found[Toll]:
    """All that can become of a state."""
    return enumerate_ends(ruleset("awaw"), copy_of(state), players, outcome, over=over, limits=limits, seen=seen)


# --- layer by layer -----------------------------------------------------------------------------------------------

Layer = dict[Any, tuple[Fraction, State]]
"""States with their chances, under keys that are equal for equal states."""


class Clock:
    """How much of the time is over."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._start = time.monotonic()

    def is_late(self, share: float = 1.0) -> bool:
        return time.monotonic() - self._start > share * self.limits.seconds


def likeliest(layer: Layer) -> list[tuple[Fraction, State]]:
    """The states of a layer, the likeliest first."""
    return sorted(layer.values(), key=lambda entry: -entry[0])


def next_layer(
    layer: Layer, step: Callable[[State], Iterable[tuple[State, Fraction]]], clock: Clock, share: float
) -> tuple[Layer, int]:
    """What a step makes of the likeliest states, as many as there may be, until so much of the time is over; and how
    many they were. What is not followed is missing in the chances."""
    following: Layer = {}
    states = 0
    for chance, state in likeliest(layer)[: clock.limits.states]:
        if following and clock.is_late(share):
            break
        states += 1
        for after, some in step(state):
            key = key_of(after)
            known = following.get(key)
            following[key] = ((known[0] if known else Fraction(0)) + chance * some, after)
    return following, states


def after_segment(
    state: State, players: Mapping[str, Player], seen: Seen | None = None
) -> list[tuple[State, Fraction]]:
    """All that can become of a state in its next segment. The state itself is not changed."""
    ends: list[State] = []

    def outcome(after: State) -> int:
        ends.append(after)
        return len(ends) - 1

    found = enumerate_ends(ruleset("awaw"), state, players, outcome, over=lambda _: True, seen=seen).ends
    return [(ends[place], found[place]) for place in found]
