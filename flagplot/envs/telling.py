"""A view as rows of numbers, and what stands above them: whichever game it is of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from flagplot.awaw.views.position import Position
from flagplot.envs.base_rows import base_rows
from flagplot.envs.battle_rows import battle_rows
from flagplot.envs.line_rows import line_rows
from flagplot.envs.map_rows import operation_rows, turn_rows
from flagplot.envs.rows import Words, is_, stands
from flagplot.kernel.view_types import to_json
from flagplot.line_of_battle.views import Position as LinePosition


class Situation(NamedTuple):
    """How a game stands, for the head of an array."""

    moving: bool = False
    """Whether the reader's side moves; in Line of Battle, whether it is the phasing faction."""
    round: int = 0
    points: int = 0
    enemy_points: int = 0
    waiting: int = 0
    """Forces of the enemy that have not joined a naval battle."""
    kamikazes: int = 0
    stage: Words = ()
    """What is being played: the kind of play, and its step, segment or stage."""


Told = tuple[Situation, list[bytes]]

_new = tuple.__new__
"""Makes a named tuple in half of the time."""


def told(position: Any) -> Told:
    """How a game stands, and all things in the view of a reader, each as one row; several may come in one piece."""
    if isinstance(position, Position):
        return _a_world_at_war(position)
    if isinstance(position, LinePosition):
        return _line_of_battle(position)
    return Situation(), list(_leaves(to_json(position), ""))


def _a_world_at_war(position: Position) -> Told:
    seen = position.at_a_glance()
    kind, phase, moving, kamikazes, _, _, _, battle, on_map = seen
    rows = base_rows(seen)
    if battle:
        rows += battle_rows(battle)
        combat_round, stage, waiting, *_ = battle
    else:
        combat_round, stage, waiting = 0, phase, 0
    operation = position.operation if on_map else None
    if operation is None:
        return _new(Situation, (moving, combat_round, 0, 0, waiting, kamikazes, (kind, stage))), rows
    rows += operation_rows(operation)
    turn = position.turn
    if turn:
        rows += turn_rows(turn)
    points = (turn or operation).points
    now = (kind, stage, operation.stage, operation.mark, turn.stage if turn else "")
    ours, theirs = points.get(position.reader, 0), points.get(position.enemy, 0)
    return Situation(moving, combat_round, ours, theirs, waiting, kamikazes, now), rows


def _line_of_battle(position: LinePosition) -> Told:
    seen = position.at_a_glance()
    stage = (seen.kind, seen.action, seen.mark)
    return Situation(seen.phasing, seen.round, stage=stage), line_rows(seen, position.reader)


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
