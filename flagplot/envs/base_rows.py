"""Bases with their air, and counterair missions, as rows: each is made of the fields of its glance."""

from __future__ import annotations

from flagplot.awaw.views.glances import BaseGlance, Fields, MissionGlance
from flagplot.envs.rows import Remembered, is_, stands, whose
from flagplot.envs.unit_rows import air_rows


@Remembered
def base_row(fields: Fields) -> bytes:
    """A base with its air."""
    seen = BaseGlance(*fields)
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


@Remembered
def mission_row(fields: Fields) -> bytes:
    """A counterair mission, with its attackers."""
    seen = MissionGlance(*fields)
    stand = stands(whose(seen.mine), state=("mission", seen.target))
    mission = is_(("mission",), (), (seen.target,), round=seen.round, ready=seen.flown)
    return stand + mission + air_rows(stand, seen.attackers, seen.aborted)


@Remembered
def lost_row(air: tuple[tuple[str, int], ...]) -> bytes:
    """Each kind of air that was lost."""
    stand = stands(0, state=("lost",))
    return b"".join([stand + is_(("air",), tuple(pool.split("/")), count=number) for pool, number in air])
