"""A fleet combat in which what light ships do hangs on what became of capital ships: both are followed together.

Capital fire is gone through volley by volley, so that it can be stopped, and so that equal states are merged; it is the
same as all at once, since each volley has a target of its own. Then, for each state, light ships choose their targets.
What they do to those is once more a matter of each volley alone, and the same volley at the same ships is worked out
only once. If there are too many states, the likeliest are followed and the rest is left over.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flagplot.awaw.battle.groups import is_hampered
from flagplot.awaw.battle.gunnery import engagement
from flagplot.awaw.battle.screening import joined, light_ships, line_of
from flagplot.awaw.state import LIGHT_SHIPS, State, Volley
from flagplot.kernel.game import Player
from flagplot.kernel.plain import copy_of, key_of
from flagplot.library import ruleset
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Limits, enumerate_ends
from flagplot.odds.questions.sea_following import FIRE, LIGHT_FIRE, Fought, Seen, follow, reach
from flagplot.odds.questions.sea_tolls import Toll, Tolls, added, toll

Layer = dict[Any, tuple[Fraction, State]]
CAPITAL_SHARE = 0.5
"""How much of the time capital fire may take."""


def followed_together(
    before: State, aimed: State, players: Mapping[str, Player], limits: Limits, seen: Seen | None
) -> Fought:
    """All that can come of it from capital fire on, the likeliest first."""
    together = _Together(before, players, limits, seen)
    layer = together.capital_fire(aimed)
    for chance, state in sorted(layer.values(), key=_likely):
        if together.is_late(1.0):
            break
        together.light_fire(chance, state)
    return Fought(together.cases, together.states)


def _likely(entry: tuple[Fraction, State]) -> Fraction:
    return -entry[0]


class _Together:
    def __init__(self, before: State, players: Mapping[str, Player], limits: Limits, seen: Seen | None) -> None:
        self.before = before
        self.players = players
        self.limits = limits
        self.seen = seen
        self.states = 0
        self._start = time.monotonic()
        self._volleys: dict[Any, Distribution[Toll]] = {}
        self._plans: dict[tuple[int, ...], tuple[Tolls, dict[Toll, Fraction]]] = {}
        self._jointly: dict[Toll, Fraction] = {}

    def is_late(self, share: float) -> bool:
        """Whether so much of the time is over."""
        return time.monotonic() - self._start > share * self.limits.seconds

    @property
    def cases(self) -> list[Tolls]:
        planned: list[Tolls] = [(Distribution(chances), *parts) for parts, chances in self._plans.values()]
        return [*planned, (Distribution(self._jointly),)]

    # --- capital ships --------------------------------------------------------------------------------------------

    def capital_fire(self, aimed: State) -> Layer:
        """The states after capital fire, and how likely they are; those on light ships last, since damaged cruisers are
        screened when all have fired."""
        volleys = sorted(joined(aimed).volleys, key=lambda volley: volley.target == LIGHT_SHIPS)
        quiet = copy_of(aimed)
        joined(quiet).volleys = []
        layer: Layer = {None: (Fraction(1), quiet)}
        for place, volley in enumerate(volleys, start=1):
            layer = self._fired(layer, volley, CAPITAL_SHARE * place / len(volleys))
        for _, state in layer.values():
            state.frames[-1] = engagement.frames["light_pairs"]
        return layer

    def _fired(self, layer: Layer, volley: Volley, share: float) -> Layer:
        """What a volley makes of the likeliest states, as many as there may be, until so much of the time is over."""
        following: Layer = {}
        for chance, state in sorted(layer.values(), key=_likely)[: self.limits.states]:
            if following and self.is_late(share):
                break
            self.states += 1
            for after, some in self._after(state, volley):
                key = key_of(after)
                known = following.get(key)
                following[key] = ((known[0] if known else Fraction(0)) + chance * some, after)
        return following

    def _after(self, state: State, volley: Volley) -> list[tuple[State, Fraction]]:
        """What one volley makes of a state, which stays at the same segment."""
        ready = copy_of(state)
        ready.frames[-1] = engagement.frames[FIRE]
        joined(ready).volleys = [copy_of(volley)]
        ends: list[State] = []

        def outcome(after: State) -> int:
            ends.append(after)
            return len(ends) - 1

        found = enumerate_ends(ruleset("awaw"), ready, self.players, outcome, over=lambda _: True, seen=self.seen).ends
        return [(ends[place], found[place]) for place in found]

    # --- light ships ----------------------------------------------------------------------------------------------

    def light_fire(self, chance: Fraction, state: State) -> None:
        """Light ships choose and fire, in one state after capital fire."""
        self.states += 1
        losses = toll(self.before, state)
        aimed = reach(copy_of(state), self.players, LIGHT_FIRE)
        if self._somebody_waits(aimed):
            found = follow(aimed, self.players, lambda after: toll(aimed, after), seen=self.seen)
            self.states += found.states
            for more, some in found.ends.chances.items():
                both = added(losses, more)
                self._jointly[both] = self._jointly.get(both, Fraction(0)) + chance * some
            return
        parts = tuple([self._volley(aimed, place) for place in range(len(joined(aimed).volleys))])
        _, chances = self._plans.setdefault(tuple(map(id, parts)), (parts, {}))
        chances[losses] = chances.get(losses, Fraction(0)) + chance

    def _somebody_waits(self, state: State) -> bool:
        """Whether ships that held their fire might still fire at screened ships."""
        fight = joined(state)
        return any([fight.held.get(side) and fight.screened[state.other(side)] for side in state.sides])

    def _volley(self, state: State, place: int) -> Distribution[Toll]:
        """What one volley of light ships does; worked out once for equal ships and targets."""
        volley = joined(state).volleys[place]
        enemy = state.other(volley.side)
        line = line_of(state, enemy)
        light = volley.target == LIGHT_SHIPS
        aimed = light_ships(line) if light else {which: 1 for which in line if which.id == volley.target}
        hampered = tuple([is_hampered(group) for group in state.groups.values()])
        key = (key_of(volley), tuple(aimed.items()), key_of(joined(state).tallies[enemy]), hampered)
        if key not in self._volleys:
            alone = copy_of(state)
            joined(alone).volleys = joined(alone).volleys[place : place + 1]
            found = follow(alone, self.players, lambda after: toll(state, after), _has_fired, seen=self.seen)
            self.states += found.states
            self._volleys[key] = found.ends
        return self._volleys[key]


def _has_fired(after: State) -> bool:
    return after.frames[-1].segment != LIGHT_FIRE
