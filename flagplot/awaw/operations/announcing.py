"""Announcing naval activities (22.15): all of a stage are announced, with forces, cargo and destinations, before the
enemy decides anything."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import Hex, hex_text
from flagplot.awaw.operations.bases.port_room import MOVES
from flagplot.awaw.operations.interception.interceptors import theatre
from flagplot.awaw.operations.names import ACTIVITIES, factors_long, force_name, hex_name, hexes_long
from flagplot.awaw.operations.passage.completion import freight
from flagplot.awaw.operations.passage.homeward import new_voyage
from flagplot.awaw.operations.passage.joining import is_barred, may_act_with
from flagplot.awaw.operations.patrols.patrol_cost import may_afford, pay_for
from flagplot.awaw.operations.patrols.submarine_patrols import divide_flotilla
from flagplot.awaw.procedures import announcing
from flagplot.awaw.state.operation import Activity, Flotilla, NavalForce, Order, SupplyLine, Voyage
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import within_range
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

STAY = "stay"
DIRECT = "direct"
MOST_HEXES = 12


@announcing.segment("22.15", "All activities of this stage, one force after the other")
@rule("22.15", "22.15A", "22.15B", "SOP-NI-A", "SOP-PA-A", "22.111")
def announce(state: State) -> Script[Next]:
    """22.15: the moving side names all its activities of the stage, with forces, cargo and destination. In the movement
    stage patrols and changes of base, in the combat stage missions (22.15A), then supply, raiders and redeployment
    (22.15B)."""
    operation = state.operation
    side = state.scene.attacker
    for number, line in enumerate(operation.plan.lines):
        if may_trace(state, line):
            yield from _trace(state, number, line)
    for key, force in operation.fleet_of(side).items():
        if force.in_port:
            yield from _order(state, key, force)
    for key, flotilla in state.operation.boats():
        if flotilla.side == side and no_patrol(flotilla) is None:
            yield from _send_on_patrol(state, key, flotilla)
    if not any([voyage.is_open and voyage.side == side for voyage in operation.voyages.values()]):
        yield Note(("{}: no naval activities", state.name(side)), "22.15")
    return END


@rule("22.15B")
def may_trace(state: State, line: SupplyLine) -> bool:
    """22.15B: a side traces its own lines in its own player turn, between ports that it still holds."""
    mine = line.side == state.scene.attacker and line.stage == state.now
    return mine and all([state.place(end).side == line.side for end in (line.start, line.base)])


@rule("22.15B", "23.752D")
def _trace(state: State, number: int, line: SupplyLine) -> Script[None]:
    """22.15B: a sea supply line is announced with the other activities; forces that sail with it protect it."""
    side, start, base = state.scene.attacker, state.place(line.start), state.place(line.base)
    question = ("Trace a sea supply line from {} to {}?", start.name, base.name)
    chosen: str = yield Choose(side, ("trace", str(number)), (TRACE, STAY), question, _LINES, "22.15")
    if chosen == TRACE:
        path = state.operation.plan.board.sea_path(start.at, base.at)
        assert path is not None, "the scenario was checked"
        new_voyage(state, Voyage(side, Activity.SEA_SUPPLY, [], path, base=line.base, worth=line.worth, cargo=True))
        yield Note(("{}: sea supply line from {} to {}", state.name(side), start.name, base.name), "22.15")


TRACE = "trace"
_LINES: dict[str, Words] = {TRACE: "Trace the line", STAY: "No supply line"}


def _order(state: State, key: str, force: NavalForce) -> Script[None]:
    """What one force does: it stays, carries out one of its orders, or sails with another."""
    if not _has_a_choice(state, key, force):
        return
    orders = {
        str(n): order
        for n, order in enumerate(state.operation.plan.orders.get(key, ()))
        if not_ordered(state, force, order) is None
    }
    hosts = _hosts(state, force)
    labels: dict[str, Words] = {STAY: "Stay in port"}
    labels |= {number: _words_of(state, order) for number, order in orders.items()}
    labels |= {other: ("Sail with {}", force_name(state, voyage)) for other, voyage in hosts.items()}
    question = ("Choose an activity for {} in {}", force.marker, state.place(force.base).name)
    verb, able = ("order", key), [STAY, *orders, *hosts]
    chosen: str = yield Choose(force.side, verb, able, question, labels, "22.15", always=True)
    if chosen in orders:
        yield from _set_out(state, key, force, int(chosen), orders[chosen])
    elif chosen in hosts:
        yield from _join(state, key, force, chosen)


def _has_a_choice(state: State, key: str, force: NavalForce) -> bool:
    """Whether a force may have something to do, as far as everybody can tell: nobody knows whether it has transports or
    escort carriers, and which paths others take."""
    operation = state.operation
    orders = [order for order in operation.plan.orders.get(key, ()) if _is_in_season(state, force, order)]
    return bool(orders) or any([_is_about_to_sail(force, voyage) for voyage in operation.voyages.values()])


def _is_in_season(state: State, force: NavalForce, order: Order) -> bool:
    """Whether everybody can tell that an order may be carried out, and not too far away."""
    path = state.operation.plan.board.sea_path(state.place(force.base).at, order.to)
    return path is not None and not _is_far(state, order.activity, path) and _out_of_season(state, force, order) is None


def _is_about_to_sail(force: NavalForce, voyage: Voyage) -> bool:
    """Whether a force might sail with a voyage of its side, as far as everybody can tell."""
    ours = voyage.side == force.side and voyage.level == 0 and voyage.is_open and not voyage.joins
    return ours and voyage.step < 0 and _is_fit(force, voyage.activity)


def _words_of(state: State, order: Order) -> Words:
    where = state.place(order.base).name if order.base in state.scene.places else hex_name(state, order.to)
    return ("{}: {}", ACTIVITIES[order.activity], where)


@rule("22.15", "22.81A.2")
def no_orders(state: State, key: str, force: NavalForce) -> Refusal | None:
    """22.15: why a force is given no orders at all: it is at sea, or it has none that it could carry out and nobody
    that it could sail with."""
    if not force.in_port:
        return Refusal("at sea already", "22.15")
    orders = state.operation.plan.orders.get(key, ())
    if any([_is_fit(force, order.activity) for order in orders]) or _hosts(state, force):
        return None
    if force.inverted:
        return Refusal("inverted: already used this player turn", "22.81")
    return Refusal("no activity for it in the scenario", "22.15")


@rule("22.282", "SOP-PA-A")
def not_ordered(state: State, force: NavalForce, order: Order) -> Refusal | None:
    """Why a force is not offered an order, as the end of a sentence. 22.282: no transports for a supply zone after some
    have turned back."""
    refusal = _out_of_season(state, force, order)
    if refusal is not None:
        return refusal
    if not may_afford(state, force, order.activity):
        return Refusal(": its nation has no BRP left for it", "21.411")
    if is_barred(state, force, order.base):
        return Refusal(": some transports turned back, so no more sail to this supply zone", "22.282")
    if not any(True for _ in _ways(state, force, order)):
        return Refusal(": every path is too long or crosses the target hex of another landing", "21.36")
    return None


@rule("22.15A", "22.74-EX", "22.81A.2", "SOP-PA-A")
def _out_of_season(state: State, force: NavalForce, order: Order) -> Refusal | None:
    """22.15A: why an order is not for now, as everybody can tell: each activity has its stage, who is inverted only
    redeploys (22.74-EX), and nobody goes where the enemy has come."""
    if refusal := of_another_stage(state, order):
        return refusal
    if not _is_fit(force, order.activity):
        return Refusal(": inverted, it can only be redeployed", "22.81")
    if not _may_go_there(state, force, order):
        holder = "your own side" if order.activity is Activity.INVASION else "the enemy"
        return Refusal((": {} holds it now", holder), "22.15")
    return None


@rule("22.15A")
def of_another_stage(state: State, order: Order) -> Refusal | None:
    """22.15A: each activity has its stage."""
    return None if order.stage == state.now else Refusal((" is announced in the {} stage", order.stage), "22.15A")


@rule("22.15")
def _may_go_there(state: State, force: NavalForce, order: Order) -> bool:
    """22.15: nobody moves to a hex that the enemy has come to hold, or puts anything ashore there, nor invades one that
    he has lost; everybody knows who holds what."""
    if order.activity is Activity.INVASION:
        places = state.scene.places.values()
        holders = {place.side for place in places if place.at == order.to and not place.afloat and not place.box}
        return holders != {force.side}
    return order.activity not in ASHORE or not state.is_held_against(force.side, order.to)


LANDED = frozenset({Activity.SEA_TRANSPORT, Activity.SEA_ESCORT, Activity.SEA_SUPPLY})
"""What is landed in a place that one's own side holds; to an enemy one it goes by invasion."""
ASHORE = frozenset({*MOVES, *LANDED})
"""Activities that end in a port of one's own."""


def _is_fit(force: NavalForce, activity: Activity) -> bool:
    return not force.inverted or activity is Activity.REDEPLOYMENT


def _set_out(state: State, key: str, force: NavalForce, number: int, order: Order) -> Script[None]:
    path = yield from _choose_way(state, key, force, order)
    voyage = Voyage(force.side, order.activity, [key], path, base=order.base, order=number, worth=order.worth)
    voyage.cargo, voyage.freight = bool(force.group.cargo), freight(force)
    force.group.activity = order.activity.value
    new_voyage(state, voyage)
    cargo = f", with {force.group.cargo}" if force.group.cargo else ""
    words = ("{}: {} from {} on {}{}", state.name(force.side), force.marker, state.place(force.base).name)
    yield Note((*words, _words_of(state, order), cargo), "22.15")
    yield from pay_for(state, force, order.activity)


@rule("22.12")
def _choose_way(state: State, key: str, force: NavalForce, order: Order) -> Script[tuple[Hex, ...]]:
    """22.12: the exact path: the shortest, or by way of a place that is named on the map."""
    ways = dict(islice(_ways(state, force, order), MOST_HEXES))
    labels: dict[str, Words] = {via: _way_words(state, via, way) for via, way in ways.items()}
    question = ("Choose a path for {} to {}", force.marker, hex_name(state, order.to))
    words = ("{}: choosing a path for {}", state.name(force.side), force.marker)
    hidden = order.activity in LANDINGS  # the paths of others count
    chosen: str = yield Choose(force.side, ("way", key), [*labels], question, labels, "22.12", words, always=hidden)
    return ways[chosen]


def _ways(state: State, force: NavalForce, order: Order) -> Iterator[tuple[str, tuple[Hex, ...]]]:
    """The paths that are offered: those that may be sailed."""
    for via, way in ways_by_sea(state.operation.plan.board, state.place(force.base).at, order.to):
        if _is_allowed(state, force.side, order.activity, way):
            yield via, way


def ways_by_sea(board: Mapboard, start: Hex, to: Hex) -> Iterator[tuple[str, tuple[Hex, ...]]]:
    """The paths that come into question: the shortest, and detours by way of a place that are not much longer."""
    direct = board.sea_path(start, to)
    assert direct is not None, "the scenario was checked"
    yield DIRECT, direct
    found = {direct}
    for label in board.places:
        if board.is_water(label.at) and label.at not in direct:
            way = board.sea_path(start, to, via=(label.at,))
            if way and len(way) <= len(direct) + LONGEST_DETOUR and way not in found:
                found.add(way)
                yield label.id, way


UNLIMITED = frozenset({Activity.SEA_SUPPLY, Activity.REDEPLOYMENT, Activity.RAID})
LANDINGS = frozenset({Activity.SEA_TRANSPORT, Activity.INVASION})


def _is_allowed(state: State, side: str, activity: Activity, way: tuple[Hex, ...]) -> bool:
    """Whether a path may be sailed: it enters no hex twice; it is within range, but for supply, redeployment and raids
    (21.36); and no sea transport or invasion enters the target hex of another on its way (21.321)."""
    short = len(set(way)) == len(way) and not _is_far(state, activity, way)
    return short and not (activity in LANDINGS and _cuts_in(state, side, way))


def _is_far(state: State, activity: Activity, way: tuple[Hex, ...]) -> bool:
    """21.36: whether a path is longer than ships sail on an activity."""
    return activity not in UNLIMITED and not within_range(len(way) - 1, theatre(state))


def _cuts_in(state: State, side: str, way: tuple[Hex, ...]) -> bool:
    """21.321: whether a path leads through the target hex of another landing, or the path of that through its own."""
    others = [
        voyage.path
        for voyage in state.operation.voyages.values()
        if voyage.side == side and voyage.activity in LANDINGS and voyage.is_open and not voyage.joins
    ]
    return any([path[-1] in way[1:-1] or way[-1] in path[1:-1] for path in others])


LONGEST_DETOUR = 4


def _way_words(state: State, via: str, way: tuple[Hex, ...]) -> Words:
    if via == DIRECT:
        return ("Shortest path, {}", hexes_long(len(way) - 1))
    return ("Via {}, {}", hex_name(state, state.operation.plan.board.labels[via]), hexes_long(len(way) - 1))


# --- sailing together -------------------------------------------------------------------------------------------


def _hosts(state: State, force: NavalForce) -> dict[str, Voyage]:
    """The voyages that a force may sail with."""
    return {other: voyage for other, voyage in state.operation.voyages.items() if _may_join(state, force, voyage)}


@rule("22.13C.1", "22.13C.2", "22.141D", "22.141E", "22.282")
def _may_join(state: State, force: NavalForce, voyage: Voyage) -> bool:
    """22.13C: forces combine in the course of an activity, at sea or where one of them is picked up; British and French
    ones only if they act together (22.141E), and escort carriers for no patrol or raid."""
    fit = _is_about_to_sail(force, voyage) and may_act_with(state, force, voyage)
    fit = fit and may_afford(state, force, voyage.activity)
    return fit and bool(meeting_hexes(state, force, voyage))


def meeting_hexes(state: State, force: NavalForce, voyage: Voyage) -> list[Hex]:
    """Where a force can join a voyage: in its own base if the voyage passes there, else along the path before its end;
    the hexes nearest to it first. From its base to where they are bound it sails a path as any other (21.36)."""
    board, home = state.operation.plan.board, state.place(force.base).at
    hexes = [home] if home in voyage.path[:-1] else voyage.path[1:-1]
    sails = {at: far for at in hexes if (far := board.sea_distance(home, at)) is not None}
    near = sorted(sails, key=lambda at: (sails[at], voyage.path.index(at)))
    return list(islice((at for at in near if _may_meet_in(state, force, voyage, at)), MOST_HEXES))


def _may_meet_in(state: State, force: NavalForce, voyage: Voyage, at: Hex) -> bool:
    """Whether the way of a force to a hex, and with a voyage on from there, is one that it may sail."""
    way = state.operation.plan.board.sea_path(state.place(force.base).at, at)
    rest = voyage.path[voyage.path.index(at) + 1 :]
    return way is not None and _is_allowed(state, force.side, voyage.activity, (*way, *rest))


@rule("22.13C.1", "22.13C.2")
def _join(state: State, key: str, force: NavalForce, host: str) -> Script[None]:
    """22.13C: it sails with another force from the same port, waits in its own to be picked up, or meets it at sea;
    from there on they are a new force."""
    operation = state.operation
    voyage = operation.voyages[host]
    hexes = meeting_hexes(state, force, voyage)
    labels: dict[str, Words] = {hex_text(at): hex_name(state, at) for at in hexes}
    question = ("Choose where {} meets {}", force.marker, force_name(state, voyage))
    words = ("{}: arranging a meeting at sea", state.name(force.side))
    elsewhere = state.place(force.base).at != voyage.path[0]  # else they leave port together, as everybody sees
    verb = ("meet", key)
    chosen: str = yield Choose(force.side, verb, [*labels], question, labels, "22.13", words, always=elsewhere)
    at = next(at for at in hexes if hex_text(at) == chosen)
    force.group.activity = voyage.activity.value
    voyage.cargo = voyage.cargo or bool(force.group.cargo)
    if at == voyage.path[0]:
        voyage.forces.append(key)
        force.voyage = host
        voyage.freight += freight(force)
        force.with_cargo = bool(force.group.cargo)
        voyage.names = force_name(state, voyage)
    else:
        way = operation.plan.board.sea_path(state.place(force.base).at, at)
        assert way is not None
        voyage.parts = tuple(sorted({*voyage.parts, at}, key=voyage.path.index))
        joiner = Voyage(force.side, voyage.activity, [key], way, base=voyage.base, joins=host)
        joiner.cargo, joiner.freight = bool(force.group.cargo), freight(force)
        new_voyage(state, joiner)
    where = state.place(force.base).name
    yield Note(("{}: {} from {} sails with {}", state.name(force.side), force.marker, where, _named(voyage)), "22.13")
    yield from pay_for(state, force, voyage.activity)


def _named(voyage: Voyage) -> str:
    return f"the {ACTIVITIES[voyage.activity]}"


# --- submarines -------------------------------------------------------------------------------------------------


@rule("22.913", "22.92")
def no_patrol(flotilla: Flotilla) -> Refusal | None:
    """22.913: why submarines are not sent on patrol, whatever their orders."""
    if flotilla.patrol:
        return Refusal("on patrol already", "22.913")
    return None if flotilla.factors else Refusal("all of them are inverted or away", "22.92")


@rule("22.913", "SOP-PA-A", "SOP-PA-E.4", "22.11A.7")
def _send_on_patrol(state: State, key: str, flotilla: Flotilla) -> Script[None]:
    """22.913: submarines patrol by themselves (21.4184A), all of a flotilla or some of it. Nobody intercepts them on
    their way, so they are there as soon as it is announced."""
    plan = enumerate(state.operation.plan.orders.get(key, ()))
    orders = {str(n): order for n, order in plan if of_another_stage(state, order) is None}
    labels: dict[str, Words] = {STAY: "Stay in port"}
    labels |= {number: _words_of(state, order) for number, order in orders.items()}
    question = ("Choose a patrol for submarines in {}", state.place(flotilla.base).name)
    while orders and not flotilla.patrol:
        chosen: str = yield Choose(flotilla.side, ("order", key), [STAY, *orders], question, labels, "22.913")
        if chosen == STAY:
            break
        counts = range(1, flotilla.factors + 1)
        number: int = yield Choose(
            flotilla.side, ("factors", key), counts, "Send how many factors?", factors_long, "22.913"
        )
        sent = state.operation.flotillas[divide_flotilla(state, key, number)]
        sent.at, sent.patrol = orders[chosen].to, "offensive"
        words = ("{}: {} submarine factors from {} patrol {}", state.name(sent.side), sent.factors)
        yield Note((*words, state.place(sent.base).name, hex_name(state, sent.at)), "22.913")
