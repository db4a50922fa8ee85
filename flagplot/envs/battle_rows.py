"""A naval battle as rows: combat groups with their ships and air, strikes, fleet combats, submarines."""

from __future__ import annotations

from functools import lru_cache

from flagplot.awaw.state.battle import Facts
from flagplot.awaw.views.glances import (
    BattleGlance,
    CarrierAirGlance,
    DepartedGlance,
    EngagementGlance,
    GroupGlance,
    StrikeGlance,
    SubmarinesGlance,
    Vessels,
)
from flagplot.envs.rows import ENOUGH, HERE, is_, stands, whose
from flagplot.envs.unit_rows import air_rows, ship_rows


def battle_rows(seen: BattleGlance) -> list[bytes]:
    """Everything on the chart."""
    return [
        *map(_group, seen.groups),
        *map(_carrier_air, seen.carrier_air),
        *map(_strike, seen.strikes),
        *map(_engagement, seen.engagements),
        *map(_submarines, seen.submarines),
        *map(_departed, seen.departed),
        _sunk(seen.sunk),
    ]


@lru_cache(maxsize=ENOUGH)
def _group(seen: GroupGlance) -> bytes:
    """A combat group, or a force that waits, and what is in it and over it."""
    mine, number = whose(seen.mine), seen.number
    stand = stands(mine, number, HERE, ("waits" if not number else "active" if seen.active else "distant",))
    befallen = seen.found, seen.attacks, seen.revealed, seen.evaded
    owned = seen.slow, bool(seen.cargo), seen.patrol_limit, seen.ready_carrier, seen.arrives
    rows = stand + _is_group(*befallen, seen.told, *owned) + ship_rows(stand, seen.ships)
    if seen.shed:
        rows += ship_rows(stands(mine, number, HERE, ("shed",)), seen.shed)
    if seen.air:
        rows += air_rows(stands(mine, number, HERE, ("aboard",)), seen.air)
    if seen.patrol:
        rows += air_rows(stands(mine, number, HERE, ("patrol",)), seen.patrol)
    if seen.cover:
        rows += air_rows(stands(mine, number, HERE, ("cover",)), seen.cover)
    return rows


@lru_cache(maxsize=ENOUGH)
def _is_group(
    found: int,
    attacks: int,
    revealed: bool,
    evaded: bool,
    told: Facts | None,
    slow: bool,
    cargo: bool,
    limit: int,
    ready: bool,
    arrives: int,
) -> bytes:
    """What its owner knows of a group, and what the enemy was told of it."""
    small, carriers, told_slow, told_cargo = told or (False, 0, False, False)
    return is_(
        ("group",),
        found=found,
        attacks=attacks,
        revealed=revealed,
        evaded=evaded,
        told=told is not None,
        small=small,
        carriers=carriers,
        slow=slow or told_slow,
        cargo=cargo or told_cargo,
        limit=limit,
        ready=ready,
        arrives=arrives,
    )


@lru_cache(maxsize=ENOUGH)
def _carrier_air(seen: CarrierAirGlance) -> bytes:
    rows = ship_rows(stands(1, 0, HERE, ("carrier-air", "returned")), seen.returned_ships)
    for name, air in zip(seen._fields[:-1], seen, strict=False):
        if air:
            rows += air_rows(stands(1, 0, HERE, ("carrier-air", name)), air)
    return rows


@lru_cache(maxsize=ENOUGH)
def _strike(seen: StrikeGlance) -> bytes:
    mine, group = whose(seen.mine), seen.target
    flown = is_(("strike",), count=seen.kamikazes, surprise=seen.surprise, level=seen.level, target=group)
    rows = [
        stands(mine, group) + flown,
        air_rows(stands(mine, group, state=("attackers",)), seen.attackers),
        air_rows(stands(-mine, group, state=("defenders",)), seen.defenders),
    ]
    for target, squadrons in seen.aims:
        aimed = stands(mine, group, state=("aim", target))
        if isinstance(squadrons, int):
            rows.append(aimed + is_(("kamikazes",), count=squadrons))
        else:
            rows.append(air_rows(aimed, squadrons))
    return b"".join(rows)


@lru_cache(maxsize=ENOUGH)
def _engagement(seen: EngagementGlance) -> bytes:
    state = ("fought" if seen.fought else "agreed",)
    met = is_(("engagement",), target=seen.theirs, revealed=seen.revealed)
    rows = [stands(seen.sought, seen.ours, state=state) + met]
    for mine, ships in seen.screened:
        rows.append(ship_rows(stands(whose(mine), seen.ours, state=("screened",)), ships))
    for mine, target, ships in seen.volleys:
        rows.append(ship_rows(stands(whose(mine), seen.ours, state=("fires", target)), ships))
    for mine, tag, number in seen.held:
        held = is_(("ship",), tuple(tag.split(":")), count=number)
        rows.append(stands(whose(mine), seen.ours, state=("holds",)) + held)
    return b"".join(rows)


@lru_cache(maxsize=ENOUGH)
def _submarines(seen: SubmarinesGlance) -> bytes:
    state = ("advanced",) * seen.advanced + ("accompany",) * seen.accompany
    boats = is_(
        ("submarines",),
        (seen.nation,),
        factors=seen.factors,
        spent=seen.spent,
        lost=seen.lost,
        arrives=seen.arrives,
    )
    return stands(whose(seen.mine), state=state) + boats


@lru_cache(maxsize=ENOUGH)
def _departed(seen: DepartedGlance) -> bytes:
    stand = stands(whose(seen.mine), seen.number, state=("departed",))
    return stand + is_(("group",), round=seen.round) + ship_rows(stand, seen.ships)


@lru_cache(maxsize=ENOUGH)
def _sunk(ships: Vessels) -> bytes:
    return ship_rows(stands(0, state=("sunk",)), ships)
