"""A fleet combat in which what light ships do hangs on what became of capital ships: both are followed together.

Capital fire is gone through volley by volley, so that it can be stopped, and so that equal states are merged; it is the
same as all at once, since each volley has a target of its own. Then, for each state, light ships choose their targets.
What they do to those is once more a matter of each volley alone, and the same volley at the same ships is worked out
only once. If there are too many states, the likeliest are followed and the rest is left over.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from flagplot.awaw.battle.groups import is_hampered
from flagplot.awaw.battle.gunnery import capital_fire, light_fire, light_pairs
from flagplot.awaw.battle.screening import joined, light_ships, line_of
from flagplot.awaw.state.battle import LIGHT_SHIPS, Volley
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Player
from flagplot.kernel.plain_data import copy_of, key_of
from flagplot.odds.answers.following import (
    Clock,
    Fought,
    Layer,
    Seen,
    after_segment,
    follow,
    likeliest,
    next_layer,
    reach,
)
from flagplot.odds.answers.losses import Toll, Tolls, added, toll
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Limits

CAPITAL_SHARE = 0.5
"""How much of the time capital fire may take."""


def followed_together(
    before: State, aimed: State, players: Mapping[str, Player], limits: Limits, seen: Seen | None
) -> Fought:
    """All that can come of it from capital fire on, the likeliest first."""
    together = _Together(before, players, limits, seen)
    layer = together.capital_fire(aimed)
    for chance, state in likeliest(layer):
        if together.clock.is_late():
            break
        together.light_fire(chance, state)
    return Fought(together.cases, together.states)


class _Together:
    def __init__(self, before: State, players: Mapping[str, Player], limits: Limits, seen: Seen | None) -> None:
        self.before = before
        self.players = players
        self.clock = Clock(limits)
        self.seen = seen
        self.states = 0
        self._volleys: dict[Any, Distribution[Toll]] = {}
        self._plans: dict[tuple[int, ...], tuple[Tolls, dict[Toll, Fraction]]] = {}
        self._jointly: dict[Toll, Fraction] = {}

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
            share = CAPITAL_SHARE * place / len(volleys)
            layer, states = next_layer(layer, partial(self._after, volley=volley), self.clock, share)
            self.states += states
        for _, state in layer.values():
            state.frames[-1] = light_pairs.start()
        return layer

    def _after(self, state: State, volley: Volley) -> list[tuple[State, Fraction]]:
        """What one volley makes of a state."""
        ready = copy_of(state)
        ready.frames[-1] = capital_fire.start()
        joined(ready).volleys = [copy_of(volley)]
        return after_segment(ready, self.players, self.seen)

    # --- light ships ----------------------------------------------------------------------------------------------

    def light_fire(self, chance: Fraction, state: State) -> None:
        """Light ships choose and fire, in one state after capital fire."""
        self.states += 1
        losses = toll(self.before, state)
        aimed = reach(copy_of(state), self.players, light_fire)
        if self._somebody_waits(aimed):
            found = follow(aimed, self.players, lambda after: toll(aimed, after), None, self.clock.limits, self.seen)
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
        hampered = tuple([is_hampered(group) for group in state.battle.groups.values()])
        key = (key_of(volley), tuple(aimed.items()), key_of(joined(state).tallies[enemy]), hampered)
        if key not in self._volleys:
            alone = copy_of(state)
            joined(alone).volleys = joined(alone).volleys[place : place + 1]
            found = follow(alone, self.players, lambda after: toll(state, after), _has_fired, seen=self.seen)
            self.states += found.states
            self._volleys[key] = found.ends
        return self._volleys[key]


def _has_fired(after: State) -> bool:
    return not after.frames[-1].is_at(light_fire)
