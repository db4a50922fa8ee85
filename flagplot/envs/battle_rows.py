"""A naval battle as rows: combat groups with their ships and air, strikes, fleet combats, submarines. Each is made of
the fields of its glance."""

from __future__ import annotations

from flagplot.awaw.views.glances import (
    AirGlance,
    CarrierAirGlance,
    Counted,
    DepartedGlance,
    EngagementGlance,
    Fields,
    GroupGlance,
    ShipsGlance,
    StrikeGlance,
    SubmarinesGlance,
)
from flagplot.envs.rows import HERE, Remembered, is_, stands, whose
from flagplot.envs.unit_rows import air_rows, ship_rows


@Remembered
def group_row(fields: Fields) -> bytes:
    """A combat group, or a force that waits: what its owner knows of it, and what the enemy was told."""
    seen = GroupGlance(*fields)
    small, carriers, slow, cargo = seen.told or (False, 0, False, False)
    group = is_(
        ("group",),
        found=seen.found,
        attacks=seen.attacks,
        revealed=seen.revealed,
        evaded=seen.evaded,
        told=bool(seen.told),
        small=small,
        carriers=carriers,
        slow=seen.slow or slow,
        cargo=seen.cargo or cargo,
        limit=seen.patrol_limit,
        ready=seen.ready_carrier,
        arrives=seen.arrives,
    )
    return stands(whose(seen.mine), seen.number, HERE, (seen.status,)) + group


@Remembered
def ships_row(fields: Fields) -> bytes:
    """The ships of a group."""
    seen = ShipsGlance(*fields)
    return ship_rows(stands(whose(seen.mine), seen.number, HERE, (seen.status,)), seen.ships)


@Remembered
def air_row(fields: Fields) -> bytes:
    """Air of a group or over it."""
    seen = AirGlance(*fields)
    return air_rows(stands(whose(seen.mine), seen.number, HERE, (seen.task,)), seen.air)


@Remembered
def carrier_air_row(fields: Fields) -> bytes:
    """The carrier air of a side."""
    seen = CarrierAirGlance(*fields)
    rows = ship_rows(stands(1, 0, HERE, ("carrier-air", "returned")), seen.returned_ships)
    for name, air in zip(seen._fields[:-1], seen, strict=False):
        if air:
            rows += air_rows(stands(1, 0, HERE, ("carrier-air", name)), air)
    return rows


@Remembered
def strike_row(fields: Fields) -> bytes:
    """A strike at a group, with all that fly."""
    seen = StrikeGlance(*fields)
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


@Remembered
def engagement_row(fields: Fields) -> bytes:
    """A fleet combat, with the ships that have shown what they do."""
    seen = EngagementGlance(*fields)
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


@Remembered
def submarines_row(fields: Fields) -> bytes:
    """Submarines."""
    seen = SubmarinesGlance(*fields)
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


@Remembered
def departed_row(fields: Fields) -> bytes:
    """A group that has left."""
    seen = DepartedGlance(*fields)
    stand = stands(whose(seen.mine), seen.number, state=("departed",))
    return stand + is_(("group",), round=seen.round) + ship_rows(stand, seen.ships)


@Remembered
def sunk_row(ships: Counted) -> bytes:
    """Each ship that was sunk."""
    return ship_rows(stands(0, state=("sunk",)), ships)
