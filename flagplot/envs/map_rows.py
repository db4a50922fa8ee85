"""An operation and an air turn as rows: what stands on the map, what is at sea and in the air, what is planned."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from flagplot.awaw.views.operation import FlotillaView, ForceView, Named, OperationView, OrderView, VoyageView
from flagplot.awaw.views.turn import AirFlightView, TurnView, UnitView
from flagplot.awaw.views.units import Flights
from flagplot.envs.rows import ENOUGH, Words, is_, stands, whose
from flagplot.envs.unit_rows import rows_of_air, rows_of_ships

# --- operations -------------------------------------------------------------------------------------------------


def operation_rows(view: OperationView) -> list[bytes]:
    reader = view.reader
    rows = _each("force", reader, view.forces_at_a_glance(), lambda name: _force(name, view.force(name), reader))
    if voyages := view.voyages_at_a_glance():
        rows += _each("voyage", reader, voyages, lambda name: _voyage(name, view.voyage(name), reader))
    if flotillas := view.flotillas_at_a_glance():
        rows += _each("flotilla", reader, flotillas, lambda name: _flotilla(name, view.flotillas[name], reader))
    if view.base_strike or view.port_dives or view.sortie:
        rows += _air_attacks(view)
    if view.sunk:
        rows.append(rows_of_ships(stands(0, state=("sunk",)), view.sunk))
    return rows + [stands(0) + is_(("attacked",), (), (base,)) for base in view.attacked]


_known: dict[Hashable, bytes] = {}


def _each(kind: str, reader: str, markers: Named, make: Callable[[str], bytes]) -> list[bytes]:
    """The rows of each marker, made once for all that have the same key."""
    each = []
    for name, key in markers:
        marker = kind, reader, name, key
        rows = _known.get(marker)
        if rows is None:
            if len(_known) >= ENOUGH:
                _known.clear()
            rows = _known[marker] = make(name)
        each.append(rows)
    return each


def _force(key: str, force: ForceView, reader: str) -> bytes:
    """A force, and what is in it as far as the reader knows; `state` of all of it has its name."""
    mine, at, own = whose(force.side == reader), force.at, force.own
    state = (*("task-force",) * force.task_force, *("patrol",) * bool(force.patrol))
    places, cargo = (force.base, force.voyage), bool(own and own.cargo)
    rows = stands(mine, 0, at, state) + is_(
        ("force",), (key,), places, inverted=force.inverted, cargo=cargo, revealed=bool(force.ships)
    )
    rows += rows_of_ships(stands(mine, 0, at, (key,)), force.ships or ())
    rows += rows_of_ships(stands(mine, 0, at, (key, "sunk")), force.sunk_in_port or ())
    if own:
        rows += rows_of_air(stands(mine, 0, at, (key, "aboard")), own.air)
        rows += rows_of_air(stands(mine, 0, at, (key, "grounded")), own.grounded)
        rows += b"".join([_order(key, order) for order in own.orders])
    return rows


def _order(key: str, order: OrderView) -> bytes:
    x, y = order.to
    return stands(1, state=(order.stage,)) + is_(
        ("order", order.activity), (key,), (order.base,), worth=order.worth, to_x=x, to_y=y, count=order.number
    )


def _voyage(key: str, voyage: VoyageView, reader: str) -> bytes:
    x, y = voyage.destination or (0, 0)
    state = (voyage.progress, voyage.joins, voyage.target, voyage.flotilla)
    return stands(whose(voyage.side == reader), 0, voyage.at, state) + is_(
        ("voyage", voyage.activity),
        (key,),
        (voyage.base,),
        cargo=voyage.cargo,
        level=voyage.level,
        arrives=voyage.arrives,
        reached=voyage.meeting.reached if voyage.meeting else 0,
        revealed=bool(voyage.path),
        to_x=x,
        to_y=y,
    )


def _flotilla(key: str, flotilla: FlotillaView, reader: str) -> bytes:
    state = ("patrol",) * bool(flotilla.patrol)
    return stands(whose(flotilla.side == reader), 0, flotilla.at, state) + is_(
        ("submarines",),
        (key, flotilla.nation),
        (flotilla.base,),
        factors=flotilla.factors,
        away=flotilla.away,
        tried=flotilla.tried,
        inverted=flotilla.inverted,
        lost=flotilla.lost,
    )


def _air_attacks(view: OperationView) -> Iterator[bytes]:
    """Attacks on bases and on ships at sea outside a battle, as they are flown."""
    reader, raid, sortie = view.reader, view.base_strike, view.sortie
    if raid:
        mine, where = whose(raid.side == reader), (raid.base,)
        yield stands(mine) + is_(("base-strike",), (), where, round=raid.sortie, revealed=bool(raid.ships))
        yield rows_of_air(stands(mine, state=("counterair",)), raid.counterair)
        yield rows_of_air(stands(mine, state=("attackers",)), raid.attackers)
        for aim in raid.aims:
            yield rows_of_air(stands(mine, state=("aim", aim.target)), aim.squadrons)
        yield rows_of_ships(stands(-mine, state=where), raid.ships or ())
    for dive in view.port_dives:
        mine, where = whose(dive.side == reader), (dive.base,)
        yield stands(mine) + is_(
            ("strike",), (), where, count=dive.kamikazes, level=dive.diverted, revealed=bool(dive.ships)
        )
        yield rows_of_air(stands(-mine, state=("defenders",)), dive.defenders)
        for target, number in dive.aims.items():
            yield stands(mine, state=("aim", target)) + is_(("kamikazes",), count=number)
        yield rows_of_ships(stands(-mine, state=where), dive.ships or ())
    if sortie:
        mine, at = whose(sortie.side == reader), sortie.at
        yield stands(mine, 0, at) + is_(("sortie",), (sortie.target,))
        yield rows_of_air(stands(-mine, 0, at, ("cover",)), sortie.cover)
        for strike in sortie.strikes:
            yield rows_of_air(stands(mine, strike.group, at, ("attackers",)), strike.attackers)


# --- air turns --------------------------------------------------------------------------------------------------


def turn_rows(view: TurnView) -> Iterator[bytes]:
    reader = view.reader
    for key, unit in view.units.items():
        yield _ground_unit(key, unit, reader)
    for base, nation in view.airbases.items():
        yield stands(0) + is_(("airbase",), (nation,), (base,))
    for nation, brps in view.brps.items():
        yield stands(0) + is_(("brps",), (nation,), points=brps)
    for kind, number in view.force_pool.items():
        yield stands(0) + is_(("pool",), tuple(kind.split("/")), count=number)
    pool = view.kamikaze_pool
    yield stands(0) + is_(("kamikazes",), ready=pool.ready, limit=pool.limit, count=pool.unbuilt, spent=pool.used)
    for front, bombers in view.strategic.items():
        yield _air("strategic", (front,), bombers)
    for down in view.inverted:
        yield _air("inverted", (down.until,), down.air)
    for down in view.absent:
        yield _air("absent", (down.until,), down.air)
    for flight in view.flights:
        yield _flight(flight, reader)
    yield from _ground_attacks(view)
    for base in view.supplied:
        yield stands(0) + is_(("supplied",), (), (base,))


def _ground_unit(key: str, unit: UnitView, reader: str) -> bytes:
    state = (unit.supply, unit.travelled, unit.aboard)
    return stands(whose(unit.side == reader), 0, unit.at, state) + is_(
        ("ground", unit.kind), (key, unit.nation), factors=unit.factors, defense=unit.defence
    )


def _air(what: str, state: Words, air: Flights) -> bytes:
    return rows_of_air(stands(0, state=(what, *state)), air)


def _flight(flight: AirFlightView, reader: str) -> bytes:
    return rows_of_air(stands(whose(flight.side == reader), 0, flight.at, (flight.kind,)), flight.air)


def _ground_attacks(view: TurnView) -> Iterator[bytes]:
    """Attacks on the ground that are announced, and the air transport that is under way."""
    for attack in view.attacks:
        at = attack.hexes[0] if attack.hexes else (0, 0)
        yield stands(0, 0, at) + is_(("attack", attack.kind), attack.units, gunnery=attack.guns, carriers=attack.cves)
    airlift = view.airlift
    if airlift:
        mine = whose(airlift.side == view.reader)
        at = airlift.intercepted or airlift.path[-1]
        yield stands(mine, 0, at) + is_(("airlift", airlift.kind), airlift.units, (airlift.to,), round=airlift.round)
        yield rows_of_air(stands(mine, 0, at, ("transports",)), airlift.transports)
        yield rows_of_air(stands(-mine, 0, at, ("interceptors",)), airlift.interceptors)
        yield rows_of_air(stands(mine, 0, at, ("guards",)), airlift.guards)
