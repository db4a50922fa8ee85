"""Following a fleet combat: to a segment, or to an end in all ways; and what was found of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from flagplot.awaw.state import State
from flagplot.kernel.game import Player
from flagplot.kernel.plain import copy_of
from flagplot.kernel.requests import Roll
from flagplot.library import ruleset
from flagplot.odds.enumerator import Found, Limits, enumerate_ends
from flagplot.odds.questions.sea_tolls import Cases, Toll

Seen = Callable[[Roll[Any]], None]
FIRE, LIGHT_FIRE = "capital_fire", "light_fire"
"""The segments in which capital and light ships fire."""


class Fought(NamedTuple):
    """What can come of a fleet combat, and how many states were gone through."""

    cases: Cases
    states: int


def reach(state: State, players: Mapping[str, Player], segment: str) -> State:
    """The state in which a segment begins, where no die is rolled before it."""
    reached: list[State] = []

    def over(after: State) -> bool:
        if after.frames[-1].segment == segment:
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
