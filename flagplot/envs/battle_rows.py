"""A naval battle as rows: combat groups with their ships and air, strikes, fleet combats, submarines."""

from __future__ import annotations

from functools import lru_cache

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
from flagplot.envs.rows import ENOUGH, HERE, NUMBERS, is_, row_of, stands, whose
from flagplot.envs.unit_rows import air_rows, ship_rows


def battle_rows(seen: BattleGlance) -> list[bytes]:
    """Everything on the chart."""
    _, _, _, groups, departed, carrier_air, strikes, engagements, submarines, sunk = seen
    rows = [*map(_group, groups), *map(_carrier_air, carrier_air)]
    if strikes:
        rows += map(_strike, strikes)
    if engagements:
        rows += map(_engagement, engagements)
    if submarines:
        rows += map(_submarines, submarines)
    if departed:
        rows += map(_departed, departed)
    if sunk:
        rows.append(_sunk(sunk))
    return rows


@lru_cache(maxsize=ENOUGH)
def _group(seen: GroupGlance) -> bytes:
    """A combat group, or a force that waits, and what is in it and over it."""
    mine, number, told = whose(seen.mine), seen.number, seen.told
    small, carriers, slow, cargo = told or (False, 0, False, False)
    stand = stands(mine, number, HERE, ("waits" if not number else "active" if seen.active else "distant",))
    own = seen.slow or slow, bool(seen.cargo) or cargo, seen.patrol_limit, seen.ready_carrier, seen.arrives
    befallen = seen.found, seen.attacks, seen.revealed, seen.evaded
    rows = stand + _is_group((*befallen, told is not None, small, carriers, *own)) + ship_rows(stand, seen.ships)
    if seen.shed:
        rows += ship_rows(stands(mine, number, HERE, ("shed",)), seen.shed)
    if seen.air:
        rows += air_rows(stands(mine, number, HERE, ("aboard",)), seen.air)
    if seen.patrol:
        rows += air_rows(stands(mine, number, HERE, ("patrol",)), seen.patrol)
    if seen.cover:
        rows += air_rows(stands(mine, number, HERE, ("cover",)), seen.cover)
    return rows


_OF_GROUPS = NUMBERS.index("found"), NUMBERS.index("arrives") + 1


@lru_cache(maxsize=ENOUGH)
def _is_group(numbers: tuple[int, ...]) -> bytes:
    """What its owner knows of a group, and what the enemy was told of it: in the order of the columns."""
    return row_of(("group",), (), (), tuple(zip(NUMBERS[slice(*_OF_GROUPS)], numbers, strict=True)))


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
