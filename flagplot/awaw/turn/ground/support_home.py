"""What becomes of air that supports ground combat: it returns and is inverted, or is lost with its attack (18.555)."""

from __future__ import annotations

from flagplot.awaw.air_units import Force, Listed
from flagplot.awaw.counting import without
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Flight, FlightKind, GroundAttack
from flagplot.awaw.turn.ground.carriers_at_sea import take_aboard
from flagplot.awaw.turn.ground.losses import Item, air_items, share_out
from flagplot.awaw.turn.ground.strengths import THIRDS, air_of, cve_limit, support_limit, supporting, thirds
from flagplot.awaw.turn.missions.returning import return_home
from flagplot.kernel.requests import Note, Script
from flagplot.kernel.rules import rule

ANY = 9_999
"""No limit, in thirds of a factor."""
REASONS = {
    FlightKind.GROUND_SUPPORT: ("18.42A", "gave ground support"),
    FlightKind.DEFENSIVE_SUPPORT: ("18.618", "gave defensive air support"),
    FlightKind.ESCORT: ("18.6141", "escorted defensive air support"),
    FlightKind.INTERCEPTION: ("18.564", "intercepted defensive air support"),
}
"""Why air that returns from a hex is inverted."""


@rule("18.42A", "18.614C.3", "18.618.1", "18.6141")
def fly_back(state: State, flight: Flight, number: str = "") -> Script[None]:
    """18.42: air that was out over a hex has flown its mission, whether or not it was used, and is inverted as it
    returns (18.618); squadrons of carriers go back aboard."""
    turn = state.turn
    turn.flights = [one for one in turn.flights if one is not flight]
    if flight.from_ship:
        yield from take_aboard(state, flight.from_ship, flight.air)
    else:
        by, why = REASONS[flight.kind]
        yield from return_home(state, flight.air, flight.at, number or by, why)


@rule("18.5551", "18.555.2")
def spare_support(state: State, attack: GroundAttack) -> Script[None]:
    """18.5551: an attack cannot be made because of the enemy, or its invasion was aborted: its ground support returns
    to base and is inverted."""
    for flight in supporting(state, attack):
        yield from fly_back(state, flight, "18.5551")


@rule("18.555")
def lose_support(state: State, attack: GroundAttack) -> Script[None]:
    """18.555: the attacker has freely decided not to attack: the air that was to support him is eliminated."""
    turn = state.turn
    flights = supporting(state, attack)
    lost = air_of(flights)
    turn.flights = [flight for flight in turn.flights if all([flight is not one for one in flights])]
    if lost:
        state.lose(lost)
        where = hex_name(state, attack.hexes[0])
        words = ("{}: no attack on {}; {} eliminated", state.name(state.moving), where, Listed(lost.items()))
        yield Note(words, "18.555")


@rule("18.554A", "18.555.1", "18.5552", "18.554C")
def trim_support(state: State, attack: GroundAttack, *, freely: bool, most: int = ANY) -> Script[None]:
    """18.555: with fewer ground factors than 18.554 asks for, the air in excess is eliminated if the attacker has left
    units out of his own will; if the enemy has stopped some of them on their way it returns (18.5552). The limit is
    looked at as the combat begins, and not after losses (18.554C). No more than `most` thirds of a factor leave."""
    turn = state.turn
    attack.cves = min(attack.cves, cve_limit(state, attack))
    flights = supporting(state, attack)
    over = min(most, thirds(air_of(flights)) - support_limit(state, attack))
    if over <= 0:
        return
    items: list[Item] = air_items([flight.air for flight in flights], lambda which: which.size)
    number = "18.5552" if attack.kind == "invasion" and not freely else "18.555"
    gone = yield from share_out(state.moving, items, over, number)
    for flight in flights:
        part = _cut(flight, gone)
        if not part:
            continue
        if freely:
            state.lose(part)
            yield Note(("{}: {} eliminated", state.name(state.moving), Listed(part.items())), number)
        else:
            away = Flight(flight.side, flight.kind, flight.at, part, from_ship=flight.from_ship)
            yield from fly_back(state, away, number)
    turn.flights = [flight for flight in turn.flights if flight.air]


@rule("18.551", "18.554A", "18.555", "18.555.1", "18.555.2")
def settle_airdrop(state: State, attack: GroundAttack) -> Script[None]:
    """18.555: the airdrops are over. Support that counted on airborne units returns if interceptors have kept these
    away, and is eliminated if its owner has not sent them; an attack for which nobody came is none."""
    turn = state.turn
    driven_off, attack.airborne, attack.driven_off = attack.driven_off, 0, 0
    yield from trim_support(state, attack, freely=False, most=3 * THIRDS * driven_off)
    yield from trim_support(state, attack, freely=True)
    if not attack.units:
        turn.attacks = [one for one in turn.attacks if one is not attack]


def _cut(flight: Flight, gone: dict[str, int]) -> Force:
    """Those of a flight that are among so many of each kind; they leave it."""
    part: Force = {}
    for which, number in flight.air.items():
        some = min(number, gone.get(which.tag, 0))
        if some:
            part[which] = some
            gone[which.tag] -= some
    flight.air = without(flight.air, part)
    return part
