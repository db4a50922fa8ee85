"""What a battle of A World at War is worth: naval factors, BRPs of air where there are no ships, or points."""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.awaw.battle.aftermath import winner
from flagplot.awaw.operations.records.points import operation_points
from flagplot.awaw.procedures import naval_battle
from flagplot.awaw.result import result
from flagplot.awaw.ships import Fleet, factors, undamaged_factors
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.end.outcome import points as turn_points
from flagplot.players.search.judging import POINTS, Horizon, Standing, value_of
from flagplot.players.search.outlook import features, foreseen

NAVAL = "naval-battle"
ON_MAP = 50.0
"""Points that are at stake in an operation or a turn; few of them decide."""
DAMAGED, AIR, TRANSPORT, SUBMARINE = 0.5, 0.5, 1.0, 1.0
"""What counts beside a factor sunk: a factor damaged, an air unit lost, a transport sunk, a submarine factor lost."""


class AWorldAtWarJudge:
    """A factor sunk counts one; in an air phase BRPs count, on a map points, by the rules."""

    kinds = frozenset({NAVAL, "air-phase", "operation", "air-turn"})

    def unit(self, state: State) -> str:
        if state.operation_if_any is not None:
            return POINTS
        return "factors" if state.scene.kind == NAVAL else "BRPs"

    def stake(self, state: State) -> float:
        if state.operation_if_any is not None:
            return ON_MAP
        if state.scene.kind != NAVAL:
            return float(sum(state.setting.worth.values()))
        afloat = sum([factors(fleet) for side in state.sides for fleet in fleets(state, side)])
        return float(afloat + sum([which.weight * number for which, number in state.losses.ships.items()]))

    def standing(self, state: State) -> Standing:
        over = not state.frames
        if state.operation_if_any is not None:
            return _standing_on_map(state, over=over)
        if state.scene.kind != NAVAL:
            told = result(state)
            return Standing(told["brps_lost"], told["winner"] if over else None, over)
        return Standing({side: lost(state, side) for side in state.sides}, winner(state) if over else None, over)

    def round(self, state: State) -> int:
        return state.battle.round

    def horizon(self, state: State, rounds: int | None) -> Horizon | None:
        """A battle to its end, or for some rounds; on a map the battle that is fought, else the stage or phase."""
        fought = naval_battle.under_way(state.frames)
        if state.operation_if_any is None:
            if rounds is None or not fought:
                return None
            last = state.battle.round + rounds
            return Horizon(f"the end of round {last}", lambda after: after.battle.round > last)
        if fought:
            below = len(state.frames) - len(fought)
            return Horizon("the end of the battle", lambda after: len(after.frames) <= below)
        part = _part(state)
        return Horizon(f"the end of the {part[-1] or 'phase'}", lambda after: not after.frames or _part(after) != part)

    def slowness(self, kind: str) -> float:
        """An air phase has few decisions, each quickly made."""
        return {NAVAL: 1.0, "air-phase": 0.25}.get(kind, 4.0)

    def outlook(self, state: State, side: str) -> float:
        """What is not a naval battle counts as it stands."""
        told, stake = self.standing(state).lost, self.stake(state)
        margin = told[state.other(side)] - told[side]
        if state.operation_if_any is not None or state.scene.kind != NAVAL:
            return value_of(0.0, margin, stake)
        return foreseen(features(state, side, margin, stake))


def _part(state: State) -> tuple[int, str]:
    """The part of an operation or a turn that is being played."""
    if state.turn_if_any is not None:
        return state.turn.player_turn, f"{state.turn.step} phase" if state.turn.step else ""
    return state.operation.stage, f"{state.now} stage"


def _standing_on_map(state: State, *, over: bool) -> Standing:
    """Points: those that a side has count as lost to the other."""
    points = turn_points if state.turn_if_any is not None else operation_points
    first, second = state.sides
    have = {side: points(state, side) for side in (first, second)}
    ahead = None if have[first] == have[second] else max(have, key=lambda side: have[side])
    return Standing({first: have[second], second: have[first]}, ahead if over else None, over)


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
