"""Where on the map an answer lies: the hex that an option names, the path that it stands for, who could intercept it.

All of it follows from a view, the map and the texts of options.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from flagplot.awaw.air_units import Force, Role, flying_range, unit
from flagplot.awaw.basing import distance
from flagplot.awaw.battle.air_plan import SEARCHERS
from flagplot.awaw.conversion import break_down
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import Hex, read_hex
from flagplot.awaw.operations.announcing import DIRECT, ways_by_sea
from flagplot.awaw.operations.interception.dice import CARGO, MOST_SPOTTERS, SUBMARINE_HEXES
from flagplot.awaw.operations.interception.immunity import AXIS, NORWEGIAN, RAIDER_PORTS
from flagplot.awaw.operations.interception.interceptors import DEFENSIVE
from flagplot.awaw.ships import ALWAYS_SLOW, Kind, named_ships
from flagplot.awaw.state.operation import Activity
from flagplot.awaw.tables.counts import Interception, interception_dice, within_range
from flagplot.awaw.views.operation import ForceView, OperationView, OrderView
from flagplot.awaw.views.position import Position
from flagplot.awaw.views.units import Flights, ShipView
from flagplot.board.model import MapAnswer, Threat
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.rules import rule
from flagplot.kernel.view_types import HIDDEN
from flagplot.kernel.words import say

Offered = tuple[str, str]
"""An option: its text and its label."""


def map_answers(
    seen: Position, board: Mapboard, options: Sequence[Offered], chosen: Mapping[str, str] | None = None
) -> tuple[MapAnswer, ...]:
    """The options that lie on the map, in their order. `chosen` has the answers of the same plan by their fields: the
    way of a force depends on where it was ordered to go."""
    operation = seen.operation
    if operation is None:
        return ()
    orders = _orders_meant(seen, operation, board, options, chosen or {})
    found = [_answer(seen, operation, board, option, orders) for option in options]
    return tuple([answer for answer in found if answer and answer.at in board])


def _answer(
    seen: Position, operation: OperationView, board: Mapboard, option: Offered, orders: Mapping[str, OrderView]
) -> MapAnswer | None:
    text, label = option
    verb, *rest = text.split(":")
    force = operation.forces.get(rest[0]) if rest else None
    if verb == "order" and force and force.own:
        return _order(seen, operation, board, option, force, rest[-1])
    if verb == "way" and force:
        order = orders.get(rest[0])
        path = _way(seen, board, force, order, rest[-1]) if order else ()
        at = board.labels.get(rest[-1]) if rest[-1] != DIRECT else path[-1] if path else None
        return MapAnswer(text, at, label, path=path, is_way=True) if at else None
    place = _place(seen, operation, rest[-1]) if rest else None
    return MapAnswer(text, place, label) if place else None


def _order(
    seen: Position, operation: OperationView, board: Mapboard, option: Offered, force: ForceView, value: str
) -> MapAnswer | None:
    """What a force is told to do: where that leads, and the shortest way there."""
    text, label = option
    order = _order_of(force, value)
    if order is None:
        host = operation.voyages.get(value)
        return MapAnswer(text, host.at if host else force.at, label)
    return MapAnswer(text, order.to, label, path=_way(seen, board, force, order, DIRECT))


def _order_of(force: ForceView, value: str) -> OrderView | None:
    return next((order for order in (force.own.orders if force.own else ()) if str(order.number) == value), None)


def _start(seen: Position, force: ForceView) -> Hex:
    site = seen.sites.get(force.base)
    return site.at if site else force.at


def _way(seen: Position, board: Mapboard, force: ForceView, order: OrderView, via: str) -> tuple[Hex, ...]:
    through = () if via == DIRECT or via not in board.labels else (board.labels[via],)
    return board.sea_path(_start(seen, force), order.to, via=through) or ()


def _orders_meant(
    seen: Position, operation: OperationView, board: Mapboard, options: Sequence[Offered], chosen: Mapping[str, str]
) -> dict[str, OrderView]:
    """By force: the order whose way is asked for. A plan has it; where only the way is asked, it is the order to which
    all ways that are offered lead, if there is but one."""
    ways: dict[str, list[str]] = {}
    for text, _ in options:
        verb, *rest = text.split(":")
        if verb == "way":
            ways.setdefault(rest[0], []).append(rest[-1])
    found = {}
    for key, offered in ways.items():
        force = operation.forces.get(key)
        if force is None or not force.own:
            continue
        told = chosen.get(f"order:{key}")
        order = _order_of(force, told.rpartition(":")[2]) if told else None
        order = order or _only_order(seen, operation, board, force, offered)
        if order:
            found[key] = order
    return found


def _only_order(
    seen: Position, operation: OperationView, board: Mapboard, force: ForceView, offered: Sequence[str]
) -> OrderView | None:
    orders = [order for order in (force.own.orders if force.own else ()) if order.stage == operation.stage]
    fit = [order for order in orders if {*offered} <= {via for via, _ in _all_ways(seen, board, force, order)}]
    return fit[0] if len({order.to for order in fit}) == 1 else None


def _all_ways(
    seen: Position, board: Mapboard, force: ForceView, order: OrderView
) -> Iterable[tuple[str, tuple[Hex, ...]]]:
    start = _start(seen, force)
    return ways_by_sea(board, start, order.to) if board.sea_path(start, order.to) else ()


def _place(seen: Position, operation: OperationView, value: str) -> Hex | None:
    """The hex that the last word of an option names: itself, or where a base, a force or a voyage is."""
    at = read_hex(value) if "," in value else None
    if at:
        return at
    for known in (seen.sites, operation.forces, operation.flotillas, operation.voyages):
        if value in known:
            return known[value].at
    return None


# --- who could intercept ----------------------------------------------------------------------------------------


def threats_on(
    seen: Position, board: Mapboard, option: str, path: Sequence[Hex], order: str = ""
) -> tuple[Threat, ...]:
    """The enemies that could intercept a force on a path, each in the hex where most dice meet the least distance, as
    far as its owner knows: nobody knows what a marker hides, so it is taken for fast ships. `option` is an order of the
    force, or its way, with the order that it belongs to."""
    operation = seen.operation
    verb, *rest = option.split(":")
    force = operation.forces.get(rest[0]) if operation and rest else None
    if operation is None or verb not in ("order", "way") or force is None or not force.own or len(path) < 2:
        return ()
    meant = _order_of(force, (order or option).rpartition(":")[2])
    open_hexes = _open_hexes(seen, operation, force, meant, path)
    return tuple(_threats(seen, operation, board, force, meant, open_hexes)) if open_hexes else ()


@rule("22.11A", "22.11A.2", "22.11A.6")
def _open_hexes(
    seen: Position, operation: OperationView, force: ForceView, order: OrderView | None, path: Sequence[Hex]
) -> list[Hex]:
    """22.11A: the hexes of a path in which a force may be intercepted: none for ASW and for raiders from some ports,
    and not the coast of Norway for Axis forces that move between Bergen and Oslo or Kiel."""
    if order is None:
        return list(path)
    bases = {key: seen.sites[key].name.casefold() for key in (force.base, order.base) if key in seen.sites}
    ends = {name.replace("-", " ") for name in bases.values()}
    start = bases.get(force.base, "").replace("-", " ")
    if order.activity is Activity.ASW or (order.activity is Activity.RAID and start in RAIDER_PORTS):
        return []
    axis = all([ship.nation in AXIS for ship in force.ships or ()])
    moves = order.activity in (Activity.BASE_CHANGE, Activity.REDEPLOYMENT)
    safe = operation.safe_coast if moves and axis and "bergen" in ends and ends & NORWEGIAN else ()
    return [at for at in path if at not in safe]


def _threats(
    seen: Position,
    operation: OperationView,
    board: Mapboard,
    force: ForceView,
    order: OrderView | None,
    path: Sequence[Hex],
) -> Iterator[Threat]:
    enemy = next(side for side in seen.sides if side != force.side)
    activity = order.activity if order else Activity.PATROL
    about = Interception(
        cargo=bool(force.own and force.own.cargo) or activity in CARGO,
        bombardment=activity is Activity.BOMBARDMENT,
        carrier_mission=activity is Activity.CARRIER_MISSION,
        task_forces=int(force.task_force),
        card_lead=int(operation.cards == enemy),
    )
    spotted = _spotters(seen, operation, enemy, path)
    for who, at, ships in _interceptors(seen, operation, enemy):
        best = _best(operation, board, at, ships, about, spotted, path, enemy)
        if best:
            meet, hexes, ledger = best
            reasons = tuple((line.amount, say(line.words), line.rule) for line in ledger)
            yield Threat(who, at, meet, hexes, ledger.total, reasons, submarines=ships is None)


def _interceptors(
    seen: Position, operation: OperationView, enemy: str
) -> Iterator[tuple[str, Hex, tuple[ShipView, ...] | None]]:
    """Enemy forces in port or on defensive patrol, and submarines (None): nobody else intercepts."""
    for force in operation.forces.values():
        site = seen.sites.get(force.base)
        in_box = not force.patrol and (site is None or site.kind == "box")
        idle = not force.voyage and not force.inverted and force.patrol in ("", DEFENSIVE)
        if force.side == enemy and idle and not in_box:
            yield force.marker, force.at, () if force.ships is HIDDEN else force.ships or ()
    for flotilla in operation.flotillas.values():
        if flotilla.side == enemy and flotilla.factors and flotilla.patrol in ("", DEFENSIVE):
            yield f"a submarine from {flotilla.where}", flotilla.at, None


@rule("22.22", "22.22D", "22.22G", "22.22H")
def _best(
    operation: OperationView,
    board: Mapboard,
    at: Hex,
    ships: tuple[ShipView, ...] | None,
    about: Interception,
    spotted: Sequence[int],
    path: Sequence[Hex],
    enemy: str,
) -> tuple[Hex, int, Ledger] | None:
    """22.22: the hex of a path in which an interception is likeliest: dice are counted up to each of them."""
    found: list[tuple[float, Hex, int, Ledger]] = []
    far = board.sea_distances(at)
    for place, meet in enumerate(path):
        hexes = far.get(meet)
        if hexes is None or not within_range(hexes, operation.theatre):
            continue
        counts = about | Interception(spotters=spotted[place], submarines=_submarines(operation, enemy, meet))
        ledger = interception_dice(**(counts | _of_ships(ships)))
        if ledger.total > 0:
            needed = hexes * 2 - 1 if operation.theatre == "pacific" else hexes
            found.append((ledger.total * 3.5 - needed, meet, hexes, ledger))
    return max(found, key=lambda one: one[0])[1:] if found else None


@rule("22.22D", "22.22J", "22.22K")
def _of_ships(ships: tuple[ShipView, ...] | None) -> Interception:
    """22.22D: what the interceptors themselves count; None is for a submarine, none for ships that nobody has seen."""
    if ships is None:
        return Interception(submarine_force=True)
    light = bool(ships) and all([ship.kind in (Kind.CRUISER, Kind.DESTROYER) for ship in ships])
    return Interception(cruisers_and_destroyers_only=light, slow=any(map(_is_slow, ships)), attempts=1)


def _is_slow(ship: ShipView) -> bool:
    known = named_ships().get(ship.id)
    return ship.damaged or ship.kind in ALWAYS_SLOW or bool(known and known.slow)


def _submarines(operation: OperationView, enemy: str, at: Hex) -> int:
    """22.22H: the submarines that help."""
    boats = [one for one in operation.flotillas.values() if one.side == enemy]
    return sum([one.factors + one.tried + one.away for one in boats if distance(one.at, at) <= SUBMARINE_HEXES])


def _spotters(seen: Position, operation: OperationView, enemy: str, path: Sequence[Hex]) -> list[int]:
    """22.22G: the enemy squadrons that spot somebody up to each hex of a path, at most three."""
    bases = [site for site in seen.sites.values() if site.side == enemy and site.kind == "base"]
    counted = []
    for place in range(len(path)):
        seen_by = 0
        for site in bases:
            hexes = min([distance(site.at, at) for at in path[: place + 1]])
            seen_by += _searchers(site.air, hexes, operation.theatre == "pacific")
        counted.append(min(seen_by, MOST_SPOTTERS))
    return counted


def _searchers(flights: Flights, hexes: int, pacific: bool) -> int:
    """The squadrons of a base that search at this distance."""
    ready: Force = {}
    for flight in flights:
        reach = flying_range(flight.arm, pacific, 0)
        if not flight.inverted and hexes <= reach:
            which = unit(flight.nation, flight.arm, 0, reach, flight.home, Role(flight.role), False)
            ready[which] = ready.get(which, 0) + flight.count
    squadrons = break_down(ready).items() if ready else ()
    return sum([n for which, n in squadrons if which.role in SEARCHERS and (which.is_naval or which.arm == "army")])
