"""Bases with their air, and counterair missions, as rows."""

from __future__ import annotations

from functools import lru_cache

from flagplot.awaw.views.glances import BaseGlance, MissionGlance, PositionGlance
from flagplot.envs.rows import ENOUGH, is_, stands, whose
from flagplot.envs.unit_rows import air_rows


def base_rows(seen: PositionGlance) -> list[bytes]:
    """Every base, the missions against them, and the air that was lost."""
    rows = [*map(_base, seen.bases), *map(_mission, seen.missions)]
    return [*rows, _lost(seen.lost)] if seen.lost else rows


@lru_cache(maxsize=ENOUGH)
def _base(seen: BaseGlance) -> bytes:
    mine, at = whose(seen.mine), seen.at
    kind = "carriers" if seen.afloat else "box" if seen.box else "base"
    rows = stands(mine, 0, at, ("counteraired",) * seen.counteraired) + is_((kind,), (), (seen.key,))
    if seen.air:
        rows += air_rows(stands(mine, 0, at, ("based",)), seen.air, seen.aborted)
    if seen.searching:
        rows += air_rows(stands(mine, 0, at, ("searching",)), seen.searching)
    if seen.struck:
        rows += air_rows(stands(mine, 0, at, ("struck",)), seen.struck)
    if seen.hidden:
        rows += air_rows(stands(mine, 0, at, ("hidden",)), seen.hidden)
    return rows


@lru_cache(maxsize=ENOUGH)
def _mission(seen: MissionGlance) -> bytes:
    stand = stands(whose(seen.mine), state=("mission", seen.target))
    mission = is_(("mission",), (), (seen.target,), round=seen.round, ready=seen.flown)
    return stand + mission + air_rows(stand, seen.attackers, seen.aborted)


@lru_cache(maxsize=ENOUGH)
def _lost(lost: tuple[tuple[str, int], ...]) -> bytes:
    stand = stands(0, state=("lost",))
    return b"".join([stand + is_(("air",), tuple(pool.split("/")), count=number) for pool, number in lost])
