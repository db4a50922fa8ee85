"""Announcing activities: which orders to take, with whom to sail, which way, and where to meet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flagplot.awaw.mapboard.hexes import distance
from flagplot.awaw.state.operation import Activity
from flagplot.awaw.tables.counts import Intercepted, interception_dice
from flagplot.awaw.views.operation import ForceView, OrderView
from flagplot.awaw.views.units import Hex
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.interception_odds import SUNK, chance
from flagplot.players.doctrine.principles import always, first, offers, part, principle, says
from flagplot.players.doctrine.sea import (
    AT_ONCE,
    CARGO,
    CARRIERS,
    STAKES,
    Sea,
    air_aboard,
    has_cargo,
    hex_of,
    likely_win,
    orders_for,
)
from flagplot.players.doctrine.sight import Sight, squadrons

STAY, DIRECT = "stay", "direct"
NEAR = 2
"""Hexes beyond which a patrol does not support a mission from the first round; a little more is still of use."""
PROTECTION = 4.0
"""What a patrol is worth that stands by a mission."""
TROUBLE = 0.4
"""A task force that sails with others must bring them so much more: it is easier to find."""
EXPOSED, LONG = 0.15, 0.1
"""What each enemy squadron over each hex of a way, and each hex, counts against it."""


# --- what a force does ------------------------------------------------------------------------------------------


@principle("order")
def order(sight: Sight, request: Choose[Any]) -> str:
    """The order that is worth most, less what the enemy could do to it; a force without a mission of its own sails with
    cargo, or patrols where it supports others. What is not worth its risk stays in port. Submarines patrol."""
    sea, key = Sea(sight), part(request, 1)
    if key in sea.flotillas:
        return str(request.values[1])
    worth = {str(value): _worth(sea, key, str(value)) for value in request.values if value != STAY}
    best = max(worth, key=lambda value: worth[value], default=STAY)
    least = 0.0 if best in sea.voyages else MARGIN * sight.doctrine.caution
    return best if worth.get(best, 0.0) > least else STAY


always(first, "trace", why="A sea supply line is traced: it puts no ship at risk.")
always(says("return"), "recall", why="Submarines return with the other patrols: where they stay aircraft hunt them.")


MARGIN = 1.0
"""What an activity must be worth, for a caution of one."""


def _worth(sea: Sea, key: str, value: str) -> float:
    if value in sea.voyages:
        return _escort_worth(sea, key, value) - _later_worth(sea, key, sea.voyages[value].activity)
    order = next((one for one in orders_for(sea.forces[key]) if str(one.number) == value), None)
    if order is None:
        return LEAST
    return _order_worth(sea, key, order) - _later_worth(sea, key, order.activity)


def _later_worth(sea: Sea, key: str, activity: Activity) -> float:
    """What is given up by a force that is used up now and has orders for a later stage; after a change of base it may
    still do what they say."""
    stages = _later_stages(sea)
    later = [one.worth for one in orders_for(sea.forces[key]) if one.stage in stages]
    return 0.0 if activity is Activity.BASE_CHANGE else float(max(later, default=0))


def _later_stages(sea: Sea) -> tuple[str, ...]:
    """The stages that are still to come."""
    stages, now = sea.sight.position.stages, sea.sight.position.stage
    return stages[stages.index(now) + 1 :] if now in stages else ()


LEAST = 10.0
"""What an order counts of which nothing is known: it is carried out."""


def _order_worth(sea: Sea, key: str, order: OrderView) -> float:
    """The points of an order and the help that it gives, less the risk."""
    force, to = sea.forces[key], order.to
    others = _bound_for(sea, key, to)
    worth = float(order.worth)
    if order.activity is Activity.PATROL:
        worth += _support(sea, key, to)
    if order.activity in CARRIERS:
        worth += _port_raid(sea, [force, *[one for one in others if one.base == force.base]], to)
    if not worth:
        return 0.0
    theirs = _likely_to_come(sea, order.activity, has_cargo(force), [force], to)
    friends = sea.supporting(sea.side, to)
    if order.activity is not Activity.PATROL:  # patrols sail one after the other
        friends += sea.power(others)
    return _balance(sea, worth, [force], friends + sea.air_power(sea.side, to), theirs)


def _balance(sea: Sea, worth: float, forces: Sequence[ForceView], friends: float, theirs: float) -> float:
    """What an activity is worth to those who are sent, if so much of the enemy is likely to come."""
    win = likely_win(sea.power(forces) + friends, theirs) if theirs else 1.0
    risk = (1 - win) * SUNK * sea.size(forces) * sea.sight.doctrine.caution
    return worth * (1 - STOPPED * (1 - win)) + win * SUNK * theirs - risk


STOPPED = 0.7
"""The share of its worth that an activity loses if the battle is lost."""


def _support(sea: Sea, key: str, at: Hex) -> float:
    """What a patrol in a hex helps others: those who are on their way, or have orders for a later stage."""
    later = _later_stages(sea)
    helped = 0.0
    for order in [order for other, force in sea.forces.items() if other != key for order in orders_for(force)]:
        if order.stage in later and order.activity is not Activity.PATROL:
            hexes = sea.sails(at, order.to)
            near = 1.0 if hexes <= AT_ONCE else 0.5 if hexes <= AT_ONCE + NEAR else 0.0
            helped = max(helped, min(PROTECTION, order.worth / 2) * near)
    return helped


def _port_raid(sea: Sea, forces: Sequence[ForceView], at: Hex) -> float:
    """What carriers could do to the largest fleet in a port in range."""
    flying = sum([squadrons(air_aboard(force)) for force in forces])
    ports = [0.0]
    for base, site in sea.sites.items():
        if site.side != sea.side and distance(site.at, at) <= CARRIER_RANGE:
            against = max(1, sea.air_in(base))
            odds = min(1.0, flying / (2 * against)) if flying >= against else 0.0
            ports.append(SHARE * odds * sea.size(sea.in_port(base)))
    return max(ports)


SHARE, CARRIER_RANGE = 0.2, 3
"""Of a fleet in port, the share that a raid is taken to sink; and from how far."""


def _bound_for(sea: Sea, key: str, at: Hex) -> list[ForceView]:
    """Our other forces that are bound for a hex, or have orders for it."""
    others = [force for other, force in sea.forces.items() if other != key and force.side == sea.side]
    return [force for force in others if _goes_to(sea, force, at)]


def _goes_to(sea: Sea, force: ForceView, at: Hex) -> bool:
    if force.voyage in sea.voyages:
        return sea.voyages[force.voyage].destination == at
    if force.patrol or force.inverted:
        return False
    stage = sea.sight.position.stage
    return any([order.to == at and order.stage == stage for order in orders_for(force)])


def _likely_to_come(sea: Sea, activity: Activity, cargo: bool, forces: Sequence[ForceView], at: Hex) -> float:
    """What the enemy is likely to bring to a hex: each of his free forces by its chance to get there."""
    enemy = sea.sight.enemy
    about = Intercepted(
        cargo=cargo or activity in CARGO,
        bombardment=activity is Activity.BOMBARDMENT,
        carrier_mission=activity is Activity.CARRIER_MISSION,
        patrol_staying=activity is Activity.PATROL,
        counter_in_hex=False,
        task_forces=sum([force.task_force for force in forces]),
        ground_defenders=0,
        spotters=min(3, sea.searchers(enemy, at)),
        submarines=0,
    )
    dice = interception_dice(**about).total
    comes = 0.0
    for force in sea.free(enemy).values():
        comes += sea.power([force]) * chance(dice, sea.sails(force.at, at), sea.theatre)
    return comes + (sea.air_power(enemy, at) if comes else 0.0)


def _escort_worth(sea: Sea, key: str, host: str) -> float:
    """What a force that sails with another adds to its chances."""
    voyage, force = sea.voyages[host], sea.forces[key]
    at = voyage.destination or voyage.at
    friends = sea.supporting(sea.side, at) + sea.air_power(sea.side, at)

    def worth(forces: Sequence[ForceView]) -> float:
        stake = _host_stake(sea, host)
        stake += _port_raid(sea, forces, at) if voyage.activity in CARRIERS else 0.0
        theirs = _likely_to_come(sea, voyage.activity, voyage.cargo, forces, at)
        return _balance(sea, stake, forces, friends, theirs)

    alone = sea.sailing(host)
    return worth([*alone, force]) - worth(alone) - (TROUBLE if force.task_force else 0.0)


def _host_stake(sea: Sea, host: str) -> float:
    """What a voyage of ours is at sea for: the points of its order, or what its activity is usually worth."""
    voyage = sea.voyages[host]
    orders = [order for force in sea.sailing(host) for order in orders_for(force)]
    meant = [order.worth for order in orders if order.activity is voyage.activity]
    return float(max(meant, default=STAKES.get(voyage.activity, 0.0)))


# --- the way ----------------------------------------------------------------------------------------------------


@principle("way")
def way(sight: Sight, request: Choose[Any]) -> str:
    """The way on which fewest enemy aircraft reach it; of equal ones the shortest."""
    sea, key = Sea(sight), part(request, 1)
    to = _destination(sea, key)
    if to is None or sea.board is None:
        return DIRECT
    start = sea.sites[sea.forces[key].base].at
    cost = {}
    for value in request.values:
        via = () if value == DIRECT else (sea.board.labels[value],)
        path = sea.board.sea_path(start, to, via=via) or ()
        cost[value] = sum([LONG + EXPOSED * sea.strikers(sight.enemy, at) for at in path]) - (value == DIRECT) * LONG
    return str(min(cost, key=lambda value: cost[value]))


def _destination(sea: Sea, key: str) -> Hex | None:
    """Where the order leads that was taken just now: the same question has the same answer."""
    orders = [order for order in orders_for(sea.forces[key]) if order.stage == sea.sight.position.stage]
    worth = {order.to: _order_worth(sea, key, order) for order in orders}
    return max(worth, key=lambda at: worth[at], default=None)


def _is_place(request: Choose[Any]) -> bool:
    return all("," in str(value) for value in request.values)


@principle("meet", when=_is_place)
def meeting(sight: Sight, request: Choose[Any]) -> Any:
    """They meet near to where it comes from, and rather early on the way of the others."""
    sea = Sea(sight)
    force = sea.forces.get(part(request, 1))
    if force is None:
        return request.values[0]
    paths = [voyage.path for voyage in sea.voyages.values() if voyage.side == sea.side and voyage.path]
    cost = {}
    for value in request.values:
        at = hex_of(value)
        along = min([path.index(at) for path in paths if at in path], default=0)
        cost[value] = along / 2 + sea.sails(force.at, at)
    return min(cost, key=lambda value: cost[value])


# --- in which order ---------------------------------------------------------------------------------------------


@principle("sail")
@principle("patrol", when=lambda request: request.verb == "patrol")
def sail(sight: Sight, request: Choose[Any]) -> Any:
    """Whoever is intercepted sails first, so that others who come the same way are there to help; then the strongest,
    and cargo last."""
    sea = Sea(sight)
    met = {voyage.target for voyage in sea.voyages.values() if voyage.arrives and voyage.side != sea.side}
    return max(request.values, key=lambda key: (key in met, not sea.voyages[key].cargo, sea.power(sea.sailing(key))))


@principle("stay", when=offers("return"))
def stay(sight: Sight, request: Choose[Any]) -> str:
    """A patrol stays if a stage follows in which it can help, and if what may come to drive it away can be met."""
    sea, key, stages = Sea(sight), part(request, 1), sight.position.stages
    if not stages or sight.position.stage == stages[-1]:
        return "return"
    at, forces = sea.voyages[key].at, sea.sailing(key)
    theirs = _likely_to_come(sea, Activity.PATROL, False, forces, at)
    ours = sea.power(forces) + sea.air_power(sight.side, at)
    return "stay" if ours >= sight.doctrine.caution * theirs else "return"
