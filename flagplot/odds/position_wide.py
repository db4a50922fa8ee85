"""Decisions of *A World at War* that no single procedure decides: how far it is played on, and what is told of the end.

A battle is played to its end, on a map too; on the map the stage of an operation, in an air turn the phase.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flagplot.awaw.battle.aftermath import winner
from flagplot.awaw.operations.records.points import operation_points
from flagplot.awaw.procedures import naval_battle
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.end.outcome import points as turn_points
from flagplot.odds.position_staff import WINNER, Horizon, Told


def wide_horizons(state: State) -> list[Horizon]:
    """Where it ends, the nearest end first."""
    found = []
    if frames := naval_battle.under_way(state.frames):
        below = len(state.frames) - len(frames)
        found.append(Horizon("the battle", "22.72", lambda after: len(after.frames) <= below, tell=_told))
        if not below:
            return found
    if state.turn_if_any is not None:
        turn, step = state.turn.player_turn, state.turn.step
        phase = Horizon(
            f"the {step} phase" if step else "the phase",
            "18.51",
            lambda after: not after.frames or (after.turn.player_turn, after.turn.step) != (turn, step),
            tell=_told,
        )
        return [*found, phase, Horizon("the turn", "18.51", _is_over, tell=_told)]
    if state.operation_if_any is not None:
        stage = state.operation.stage
        part = Horizon(
            f"the {state.now} stage",
            "22.15",
            lambda after: not after.frames or after.operation.stage != stage,
            tell=_told,
        )
        return [*found, part, Horizon("the operation", "22.15", _is_over, tell=_told)]
    return [Horizon("the air phase", "18.52", _is_over, tell=_told)]


def _is_over(state: State) -> bool:
    return not state.frames


def _told(before: State, side: str) -> Callable[[State], Told]:
    """What each side has lost since, the enemy first; then points, and who has won."""
    enemy = before.other(side)
    began = {one: _counts(before, one) for one in (enemy, side)}
    afloat = {one: ships_afloat(before, one) for one in (enemy, side)}
    names = {one: before.name(one) for one in (enemy, side)}
    battle = before.operation_if_any is None and before.scene.kind == "naval-battle"

    def sum_up(after: State) -> Told:
        told: list[tuple[str, Any]] = []
        for one in (enemy, side):
            now = _counts(after, one)
            told += [(f"{names[one]}: {what}", now[what] - began[one][what]) for what in now]
            told.append((f"{names[one]}: factors newly damaged", newly_damaged(afloat[one], ships_afloat(after, one))))
        if battle:
            told.append((WINNER, names.get(winner(after) or "", "nobody")))
        return tuple(told)

    return sum_up


def _counts(state: State, side: str) -> dict[str, int]:
    """What is counted of a side, so that the difference is what was lost or gained."""
    nations = state.setting.nations[side]
    sunk = [
        (which, number)
        for fleet in (state.losses.ships, state.losses.elsewhere)
        for which, number in fleet.items()
        if which.nation in nations
    ]
    boats: list[Any] = [*state.battle.submarines]
    if state.operation_if_any is not None:
        boats += state.operation.flotillas.values()
    air = [number for pool, number in state.losses.air.items() if pool.partition("/")[0] in nations]
    counts = {
        "factors sunk": sum([which.weight * number for which, number in sunk]),
        "fast carriers sunk": sum([which.fast_carrier for which, _ in sunk]),
        "transports sunk": sum([number for which, number in sunk if not which.weight]),
        "air units lost": sum(air),
        "cargo lost": sum(state.losses.cargo.get(side, {}).values()),
        "submarine factors lost": sum([some.lost for some in boats if some.side == side]),
    }
    if state.operation_if_any is not None:
        counts["points"] = (turn_points if state.turn_if_any is not None else operation_points)(state, side)
    return counts


Afloat = dict[str, tuple[int, int, int]]
"""By ship, or kind of light ships: its weight, how many are afloat, and how many of them damaged."""


def ships_afloat(state: State, side: str) -> Afloat:
    """All ships of a side, wherever they are by now."""
    found: Afloat = {}
    groups = [*state.battle.groups.values(), *state.battle.departed.values()]
    fleets = [fleet for group in groups if group.side == side for fleet in (group.ships, group.shed)]
    if state.operation_if_any is not None:
        fighting = {id(group) for group in groups}
        forces = [force for force in state.operation.fleet.values() if force.side == side]
        fleets += [force.group.ships for force in forces if id(force.group) not in fighting]
    for which, number in [pair for fleet in fleets for pair in fleet.items()]:
        _, total, damaged = found.get(which.tag, (0, 0, 0))
        found[which.tag] = which.weight, total + number, damaged + number * which.damaged
    return found


def newly_damaged(before: Afloat, after: Afloat) -> int:
    """The factors that are damaged now and were not before. Damaged ships are the first to sink (20.551), and one that
    sinks is not one damaged less."""
    factors = 0
    for key, (weight, number, damaged) in before.items():
        _, left, damaged_now = after.get(key, (0, 0, 0))
        factors += weight * max(0, damaged_now - max(0, damaged - max(0, number - left)))
    return factors
