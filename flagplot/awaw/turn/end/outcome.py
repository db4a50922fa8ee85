"""How an air turn ended: what each side lost, what it took, and the points by which the two are compared."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.operations.records.outcome import operation_result
from flagplot.awaw.ships import factors
from flagplot.awaw.state.state import State

TAKEN = 5
"""Points for a base that was taken: ours, since the rules compare no turns."""


def air_lost(state: State, side: str) -> int:
    """17.141A: the BRPs' worth of air that a side has lost: three a factor, one a squadron."""
    nations = state.setting.nations[side]
    worth = {"factors": 3, "squadrons": 1}
    pools = [(pool.split("/"), number) for pool, number in state.losses.air.items()]
    return sum([worth[role] * number for (nation, _, role), number in pools if nation in nations])


def points(state: State, side: str) -> int:
    """What a side has done in the air turn: activities, ships sunk, air shot down, bases taken."""
    enemy = state.other(side)
    nations = state.setting.nations[enemy]
    sunk = {which: number for which, number in state.losses.ships.items() if which.nation in nations}
    return state.operation.done.get(side, 0) + factors(sunk) + air_lost(state, enemy) + TAKEN * len(taken(state, side))


def taken(state: State, side: str) -> list[str]:
    """The bases that a side has taken from the enemy."""
    return [base for base, former in state.turn.lost_bases.items() if former != side and state.place(base).side == side]


def turn_result(state: State) -> dict[str, Any]:
    """What was lost and won, beside the fights and voyages of an operation."""
    turn = state.turn
    one, other = turn.plan.sides
    have = {side: points(state, side) for side in (one, other)}
    lost = {side: air_lost(state, side) for side in (one, other)}
    winner = None if have[one] == have[other] else max(have, key=lambda side: have[side])
    lines = [f"{state.name(side)}: {have[side]} points, and air worth {lost[side]} BRPs lost" for side in have]
    return operation_result(state) | {
        "summary": "; ".join(lines),
        "winner": winner,
        "points": have,
        "brps_lost": lost,
        "losses": dict(sorted(state.losses.air.items())),
        "bases_taken": {side: [state.place(base).name for base in taken(state, side)] for side in have},
        "air": {key: {str(which): number for which, number in site.air.items()} for key, site in state.sites.items()},
        "brps": dict(turn.brps),
        "units": {key: unit.factors for key, unit in turn.units.items()},
    }
