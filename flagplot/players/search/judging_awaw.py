"""What a battle of A World at War is worth: naval factors, or BRPs of air where there are no ships."""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.awaw.battle.aftermath import winner
from flagplot.awaw.result import result
from flagplot.awaw.ships import Fleet, factors, undamaged_factors
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.players.search.judging import Standing, value_of
from flagplot.players.search.outlook import features, foreseen

NAVAL = "naval-battle"
DAMAGED, AIR, TRANSPORT, SUBMARINE = 0.5, 0.5, 1.0, 1.0
"""What counts beside a factor sunk: a factor damaged, an air unit lost, a transport sunk, a submarine factor lost."""


class AWorldAtWarJudge:
    """A factor sunk counts one; in an air phase BRPs count, by the rules."""

    kinds = frozenset({NAVAL, "air-phase"})

    def unit(self, state: State) -> str:
        return "factors" if state.scene.kind == NAVAL else "BRPs"

    def stake(self, state: State) -> float:
        if state.scene.kind != NAVAL:
            return float(sum(state.setting.worth.values()))
        afloat = sum([factors(fleet) for side in state.sides for fleet in fleets(state, side)])
        return float(afloat + sum([which.weight * number for which, number in state.losses.ships.items()]))

    def standing(self, state: State) -> Standing:
        over = not state.frames
        if state.scene.kind != NAVAL:
            told = result(state)
            return Standing(told["brps_lost"], told["winner"] if over else None, over)
        return Standing({side: lost(state, side) for side in state.sides}, winner(state) if over else None, over)

    def round(self, state: State) -> int:
        return state.battle.round if state.scene.kind == NAVAL else 0

    def outlook(self, state: State, side: str) -> float:
        """Air phases are played to their end; one that is broken off counts as it stands."""
        told, stake = self.standing(state).lost, self.stake(state)
        enemy = state.other(side)
        if state.scene.kind != NAVAL:
            return value_of(0.0, told[enemy] - told[side], stake)
        return foreseen(features(state, side, told[enemy] - told[side], stake))


def groups(state: State, side: str) -> Iterator[Group]:
    """The forces of a side, in the battle or withdrawn from it."""
    for group in (*state.battle.groups.values(), *state.battle.departed.values()):
        if group.side == side:
            yield group


def fleets(state: State, side: str) -> Iterator[Fleet]:
    for group in groups(state, side):
        yield from (group.ships, group.shed)


def lost(state: State, side: str) -> float:
    """What a side has lost in a naval battle so far."""
    nations = state.setting.nations[side]
    total = 0.0
    for fleet in (state.losses.ships, state.losses.elsewhere):
        for which, number in fleet.items():
            if which.nation in nations:
                total += number * (which.weight or TRANSPORT)
    for pool, number in state.losses.air.items():
        if pool.partition("/")[0] in nations:
            total += AIR * number
    total += DAMAGED * sum([factors(fleet) - undamaged_factors(fleet) for fleet in fleets(state, side)])
    return total + SUBMARINE * sum([some.lost for some in state.battle.submarines if some.side == side])


JUDGE = AWorldAtWarJudge()
