"""A view as rows of numbers, and what stands above them: whichever game it is of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flagplot.awaw.views.glances import Makers
from flagplot.awaw.views.position import Position
from flagplot.envs.base_rows import base_row, lost_row, mission_row
from flagplot.envs.battle_rows import (
    air_row,
    carrier_air_row,
    departed_row,
    engagement_row,
    group_row,
    ships_row,
    strike_row,
    submarines_row,
    sunk_row,
)
from flagplot.envs.line_rows import counter_row, selected_row
from flagplot.envs.map_rows import operation_rows, turn_rows
from flagplot.envs.rows import Words, is_, stands
from flagplot.kernel.view_types import to_json
from flagplot.line_of_battle.views import Position as LinePosition

Situation = tuple[bool, int, int, int, int, int, Words]
"""How a game stands, for the head of an array: whether the reader's side moves (in Line of Battle, whether it is the
phasing faction), the round, his points and the enemy's, the enemy's forces that have not joined a naval battle,
kamikazes, and what is being played: the kind of play, and its step, segment or stage."""
NOTHING_TOLD: Situation = False, 0, 0, 0, 0, 0, ()


ROWS = Makers(
    base_row,
    mission_row,
    lost_row,
    group_row,
    ships_row,
    air_row,
    carrier_air_row,
    strike_row,
    engagement_row,
    submarines_row,
    departed_row,
    sunk_row,
)
"""Of each thing that is seen, its rows."""

Told = tuple[Situation, list[bytes]]


def told(position: Any) -> Told:
    """How a game stands, and all things in the view of a reader, each as one row; several may come in one piece."""
    if isinstance(position, Position):
        return _a_world_at_war(position)
    if isinstance(position, LinePosition):
        return _line_of_battle(position)
    return NOTHING_TOLD, list(_leaves(to_json(position), ""))


def _a_world_at_war(position: Position) -> Told:
    kind, moving, kamikazes, on_map, combat_round, stage, waiting, rows = position.at_a_glance(ROWS)
    operation = position.operation if on_map else None
    if operation is None:
        return (moving, combat_round, 0, 0, waiting, kamikazes, (kind, stage)), rows
    rows += operation_rows(operation)
    turn = position.turn
    if turn:
        rows += turn_rows(turn)
    points = (turn or operation).points
    now = (kind, stage, operation.stage, operation.mark, turn.stage if turn else "")
    ours, theirs = points.get(position.reader, 0), points.get(position.enemy, 0)
    return (moving, combat_round, ours, theirs, waiting, kamikazes, now), rows


def _line_of_battle(position: LinePosition) -> Told:
    kind, phasing, combat_round, action, mark, selected, rows = position.at_a_glance(counter_row)
    for side, chosen in selected.items():
        rows.append(selected_row[side == position.reader, chosen])
    return (phasing, combat_round, 0, 0, 0, 0, (kind, action, mark)), rows


def _leaves(data: Any, path: str) -> Iterator[bytes]:
    """The view of a game that we do not know, leaf by leaf."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _leaves(value, f"{path}.{key}")
    elif isinstance(data, list):
        for place, value in enumerate(data):
            yield from _leaves(value, f"{path}.{place}")
    elif isinstance(data, int | float):
        yield stands(0) + is_(("leaf",), (path,), count=data)
    else:
        yield stands(0) + is_(("leaf",), (path,), (str(data),))
