"""Announcing activities: which orders to take, with whom to sail, which way, and where to meet."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.mapboard.hexes import distance
from flagplot.awaw.tables.counts import interception_dice
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.attempts import SUNK, Target, chance
from flagplot.players.doctrine.principles import offers, part, principle
from flagplot.players.doctrine.sea import AT_ONCE, CARGO, CARRIERS, STAKES, Hex, Sea, hex_of, likely_win
from flagplot.players.doctrine.sight import Seen, Sight, squadrons

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


@principle("trace")
def trace(sight: Sight, request: Choose[Any]) -> Any:
    """A sea supply line is traced: it puts no ship at risk."""
    return request.values[0]


@principle("recall")
def recall(sight: Sight, request: Choose[Any]) -> str:
    """Submarines return with the other patrols: where they stay aircraft hunt them."""
    return "return"


MARGIN = 1.0
"""What an activity must be worth, for a caution of one."""


def _worth(sea: Sea, key: str, value: str) -> float:
    if value in sea.voyages:
        return _escort_worth(sea, key, value) - _later_worth(sea, key, sea.voyages[value]["activity"])
    order = next((one for one in sea.forces[key].get("orders", ()) if str(one["number"]) == value), None)
    if order is None:
        return LEAST
    return _order_worth(sea, key, order) - _later_worth(sea, key, order["activity"])


def _later_worth(sea: Sea, key: str, activity: str) -> float:
    """What is given up by a force that is used up now and has orders for a later stage; after a change of base it may
    still do what they say."""
    later = [one["worth"] for one in sea.forces[key].get("orders", ()) if one["stage"] in _later(sea)]
    return 0.0 if activity == "base-change" else float(max(later, default=0))


def _later(sea: Sea) -> list[str]:
    """The stages that are still to come."""
    stages = list(sea.sight.data.get("stages", ()))
    now = sea.sight.data.get("stage")
    return stages[stages.index(now) + 1 :] if now in stages else []


LEAST = 10.0
"""What an order counts of which nothing is known: it is carried out."""


def _order_worth(sea: Sea, key: str, order: Seen) -> float:
    """The points of an order and the help that it gives, less the risk."""
    force, to = sea.forces[key], hex_of(order["to"])
    worth = float(order["worth"])
    if order["activity"] == "patrol":
        worth += _support(sea, key, to)
    if order["activity"] in CARRIERS:
        worth += _raid(sea, [force, *_comrades(sea, key, to)], to)
    if not worth:
        return 0.0
    theirs = _likely_to_come(sea, order["activity"], bool(force.get("cargo")), [force], to)
    friends = sea.supporting(sea.side, to)
    if order["activity"] != "patrol":  # patrols sail one after the other
        friends += _friends(sea, key, to)
    return _balance(sea, worth, [force], friends + sea.air_power(sea.side, to), theirs)


def _balance(sea: Sea, worth: float, forces: list[Seen], friends: float, theirs: float) -> float:
    """What an activity is worth to those who are sent, if so much of the enemy is likely to come."""
    win = likely_win(sea.power(forces) + friends, theirs) if theirs else 1.0
    risk = (1 - win) * SUNK * sea.size(forces) * sea.sight.doctrine.caution
    return worth * (1 - STOPPED * (1 - win)) + win * SUNK * theirs - risk


STOPPED = 0.7
"""The share of its worth that an activity loses if the battle is lost."""


def _support(sea: Sea, key: str, at: Hex) -> float:
    """What a patrol in a hex helps others: those who are on their way, or have orders for a later stage."""
    later = _later(sea)
    helped = 0.0
    for other, force in sea.forces.items():
        if other == key or force["side"] != sea.side:
            continue
        for order in force.get("orders", ()):
            hexes = sea.sails(at, hex_of(order["to"]))
            if order["stage"] in later and order["activity"] != "patrol" and hexes <= AT_ONCE + NEAR:
                near = 1.0 if hexes <= AT_ONCE else 0.5
                helped = max(helped, min(PROTECTION, order["worth"] / 2) * near)
    return helped


def _raid(sea: Sea, forces: list[Seen], at: Hex) -> float:
    """What carriers could do to the largest fleet in a port in range."""
    flying = sum([squadrons(force.get("air", ())) for force in forces])
    ports = [0.0]
    for base, site in sea.sites.items():
        if site["side"] != sea.side and distance(hex_of(site["at"]), at) <= CARRIER_RANGE:
            against = max(1, sea.air_in(base))
            odds = min(1.0, flying / (2 * against)) if flying >= against else 0.0
            ports.append(SHARE * odds * sea.size(sea.in_port(base)))
    return max(ports)


SHARE, CARRIER_RANGE = 0.2, 3
"""Of a fleet in port, the share that a raid is taken to sink; and from how far."""


def _friends(sea: Sea, key: str, at: Hex) -> float:
    """The strength of our others that are bound for the same hex, or have orders for it."""
    others = [
        force
        for other, force in sea.forces.items()
        if other != key and force["side"] == sea.side and _goes_to(sea, force, at)
    ]
    return sea.power(others)


def _comrades(sea: Sea, key: str, at: Hex) -> list[Seen]:
    """Forces in the same port that could go to the same hex."""
    base = sea.forces[key]["base"]
    return [
        force
        for other, force in sea.forces.items()
        if other != key and force["side"] == sea.side and force["base"] == base and _goes_to(sea, force, at)
    ]


def _goes_to(sea: Sea, force: Seen, at: Hex) -> bool:
    if force["voyage"] in sea.voyages:
        return bool(sea.voyages[force["voyage"]].get("destination") == list(at))
    stage = sea.sight.data.get("stage")
    free = not force["patrol"] and not force["inverted"]
    return free and any([one["stage"] == stage and hex_of(one["to"]) == at for one in force.get("orders", ())])


def _likely_to_come(sea: Sea, activity: str, cargo: bool, forces: list[Seen], at: Hex) -> float:
    """What the enemy is likely to bring to a hex: each of his free forces by its chance to get there."""
    enemy = sea.sight.enemy
    about = Target(
        cargo=cargo or activity in CARGO,
        bombardment=activity == "shore-bombardment",
        carrier_mission=activity == "fast-carrier-mission",
        patrol_staying=activity == "patrol",
        counter_in_hex=False,
        task_forces=sum([force["task_force"] for force in forces]),
        ground_defenders=0,
        spotters=min(3, sea.searchers(enemy, at)),
        submarines=0,
    )
    dice = interception_dice(**about._asdict()).total
    comes = 0.0
    for force in sea.free(enemy).values():
        comes += sea.power([force]) * chance(dice, sea.sails(hex_of(force["at"]), at), sea.theatre)
    return comes + (sea.air_power(enemy, at) if comes else 0.0)


def _escort_worth(sea: Sea, key: str, host: str) -> float:
    """What a force that sails with another adds to its chances."""
    voyage, force = sea.voyages[host], sea.forces[key]
    at = hex_of(voyage["destination"])
    with_them = sea.sailing(host)
    cargo, friends = bool(voyage["cargo"]), sea.supporting(sea.side, at) + sea.air_power(sea.side, at)
    worth = {}
    for forces in (tuple(with_them), (*with_them, force)):
        stake = _host_stake(sea, host)
        stake += _raid(sea, [*forces], at) if voyage["activity"] in CARRIERS else 0.0
        theirs = _likely_to_come(sea, voyage["activity"], cargo, [*forces], at)
        worth[len(forces)] = _balance(sea, stake, [*forces], friends, theirs)
    return worth[len(with_them) + 1] - worth[len(with_them)] - (TROUBLE if force["task_force"] else 0.0)


def _host_stake(sea: Sea, host: str) -> float:
    """What a voyage of ours is at sea for: the points of its order, or what its activity is usually worth."""
    voyage = sea.voyages[host]
    orders = [one for force in sea.sailing(host) for one in force.get("orders", ())]
    meant = [one["worth"] for one in orders if one["activity"] == voyage["activity"]]
    return float(max(meant, default=STAKES.get(voyage["activity"], 0.0)))


# --- the way ----------------------------------------------------------------------------------------------------


@principle("way")
def way(sight: Sight, request: Choose[Any]) -> str:
    """The way on which fewest enemy aircraft reach it; of equal ones the shortest."""
    sea, key = Sea(sight), part(request, 1)
    to = _destination(sea, key, request)
    if to is None or sea.board is None:
        return DIRECT
    start = hex_of(sea.sites[sea.forces[key]["base"]]["at"])
    cost = {}
    for value in request.values:
        via = () if value == DIRECT else (sea.board.labels[value],)
        path = sea.board.sea_path(start, to, via=via) or ()
        cost[value] = sum([LONG + EXPOSED * sea.strikers(sight.enemy, at) for at in path]) - (value == DIRECT) * LONG
    return str(min(cost, key=lambda value: cost[value]))


def _destination(sea: Sea, key: str, request: Choose[Any]) -> Hex | None:
    """Where the order leads that was taken just now: the same question has the same answer."""
    stage = sea.sight.data.get("stage")
    worth = {
        hex_of(one["to"]): _order_worth(sea, key, one)
        for one in sea.forces[key].get("orders", ())
        if one["stage"] == stage
    }
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
    start = hex_of(force["at"])
    paths = [sea.path(key) for key, voyage in sea.voyages.items() if voyage["side"] == sea.side and "path" in voyage]
    best = {}
    for value in request.values:
        at = hex_of(value)
        along = min([path.index(at) for path in paths if at in path], default=0)
        best[value] = along / 2 + sea.sails(start, at)
    return min(best, key=lambda value: best[value])


# --- in which order ---------------------------------------------------------------------------------------------


@principle("sail")
@principle("patrol", when=lambda request: request.verb == "patrol")
def sail(sight: Sight, request: Choose[Any]) -> Any:
    """Whoever is intercepted sails first, so that others who come the same way are there to help; then the strongest,
    and cargo last."""
    sea = Sea(sight)
    met = {voyage["target"] for voyage in sea.voyages.values() if voyage["arrives"] and voyage["side"] != sea.side}
    return max(request.values, key=lambda key: (key in met, not sea.voyages[key]["cargo"], sea.power(sea.sailing(key))))


@principle("stay", when=offers("return"))
def stay(sight: Sight, request: Choose[Any]) -> str:
    """A patrol stays if a stage follows in which it can help, and if what may come to drive it away can be met."""
    sea, voyage = Sea(sight), Sea(sight).voyages[part(request, 1)]
    stages = sight.data.get("stages", [])
    if not stages or sight.data.get("stage") == stages[-1]:
        return "return"
    at = hex_of(voyage["at"])
    forces = sea.sailing(part(request, 1))
    theirs = _likely_to_come(sea, "patrol", False, forces, at)
    ours = sea.power(forces) + sea.air_power(sight.side, at)
    return "stay" if ours >= sight.doctrine.caution * theirs else "return"
