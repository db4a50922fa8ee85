"""Defensive air support (18.61): the defender's air flies to ground units that are, or may be, attacked.

It stays over its hex until it was used in ground combat, gave up, or returns when the fighting is over. Jets do nothing
but escort it (18.6141).
"""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.awaw.air_units import Force, Listed
from flagplot.awaw.battle.picking import Asked, asked_about, gather
from flagplot.awaw.counterair import launch
from flagplot.awaw.counting import combined, merged, without
from flagplot.awaw.mapboard.hexes import Hex, hex_text
from flagplot.awaw.operations.interception.sailing_together import may_cooperate
from flagplot.awaw.operations.names import factors_long, hex_name, hex_title
from flagplot.awaw.reach import WORST_WINTER
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Flight, FlightKind, GroundAttack, Phase
from flagplot.awaw.turn.ground.carriers_at_sea import within
from flagplot.awaw.turn.ground.strengths import (
    THIRDS,
    air_of,
    attack_ledger,
    defence_ledger,
    defenders,
    defensive_ledger,
    defensive_limit,
    is_low,
    supportable,
)
from flagplot.awaw.turn.ground.support import DONE
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.awaw.turn.missions.inversion import available, form_up
from flagplot.awaw.turn.transport.airlift import cooperate
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

ANY = 9_999
"""No limit, in thirds of a factor: more than counts may be sent (18.614C)."""


# --- who may be supported, by whom ------------------------------------------------------------------------------


@rule("18.611", "18.611.1", "18.619")
def hexes_to_support(state: State) -> list[Hex]:
    """18.611: the hexes with ground units of the defender, whether or not an attack on them is announced: he sends air
    where he thinks that one may come. Where one is announced at less than 1:1 it is deferred (18.619)."""
    turn = state.turn
    side = state.other(state.moving)
    low = [at for attack in turn.attacks if is_deferred(state, attack) for at in attack.hexes]
    units = [unit for unit in turn.units.values() if unit.side == side and not unit.aboard]
    return [at for at in sorted({unit.at for unit in supportable(units)}) if at not in low]


@rule("18.611.1")
def is_deferred(state: State, attack: GroundAttack) -> bool:
    """18.611: whether an attack, as it is announced, stands at less than 1:1. An airdrop is not announced yet."""
    if attack.done or not attack.units:
        return False
    air = merged_support(state, attack.hexes)
    return is_low(attack_ledger(state, attack).total, defence_ledger(state, attack, air).total)


@rule("18.611", "18.611D.1", "18.612", "18.613", "18.6141", "18.6141.1")
def able_to_defend(state: State, at: Hex, task: Task) -> Force:
    """18.611: the defender's uninverted army air and land-based naval air in range, or jets as escorts (18.6141). A hex
    under the worst winter is supported by who is based in it alone, as bases in partial supply or under oil effects
    support their own hex alone (18.611D)."""
    side = state.other(state.moving)
    able = available(state, side, task, at)
    if is_frozen(state, at):
        able = {which: number for which, number in able.items() if state.place(which.home).at == at}
    units = supportable(defenders(state, [at]).values())
    nations = {unit.nation for unit in units}
    late = state.turn.step != Phase.COMBAT and state.setting.options.late_air_support == "army-air"
    return {
        which: number
        for which, number in able.items()
        if not (late and which.is_naval) and any([may_support(state, which.nation, nation) for nation in nations])
    }


@rule("18.611D.2")
def may_support(state: State, country: str, ally: str) -> bool:
    """18.611D: whether air of one nation gives defensive air support to ground units of another: within their alliance
    faction, British and French only while they cooperate (53.251); by option all allies do (`docs/rulings.md`)."""
    if state.setting.options.allied_air_support == "any-ally":
        return may_cooperate(state, {country, ally})
    return cooperate(state, country, ally)


@rule("18.611D.1")
def is_frozen(state: State, at: Hex) -> bool:
    """18.611D: whether a hex is subject to a winter result of 9."""
    places = [place for place in state.scene.places.values() if place.at == at and not place.afloat]
    return at in state.turn.plan.winter or any([place.winter >= WORST_WINTER for place in places])


# --- sending it -------------------------------------------------------------------------------------------------


@rule("18.611")
def send_support(state: State, hexes: Iterable[Hex] | None = None) -> Script[None]:
    """18.611: after ground support is announced the defender sends defensive air support, hex after hex."""
    side = state.other(state.moving)
    form_up(state, side)
    waiting = {hex_text(at): at for at in (hexes_to_support(state) if hexes is None else hexes)}
    while able := {text: at for text, at in waiting.items() if _can_send(state, at)}:
        labels: dict[str, Words] = {text: _hex_words(state, at) for text, at in able.items()}
        labels[DONE] = "No more support"
        question = "Choose a hex for defensive air support"
        chosen: str = yield Choose(side, "defend", [*able, DONE], question, labels, "18.611")
        if chosen == DONE:
            return
        yield from support_hex(state, waiting.pop(chosen))


@rule("18.611", "18.6141")
def _can_send(state: State, at: Hex) -> bool:
    """Whether there is air that could support a hex, or jets that could escort what is there already."""
    if able_to_defend(state, at, Task.FLY_DAS):
        return True
    return bool(support_over(state, at)) and bool(able_to_defend(state, at, Task.ESCORT_DAS))


def _hex_words(state: State, at: Hex) -> Words:
    factors = defensive_limit(state, at) // THIRDS
    return ("{}: up to {} factors count", hex_name(state, at), factors)


DEFERRED = 1
"""The wave of support that is sent as an attack is made (18.619); a hex is attacked once in a phase."""


@rule("18.611", "18.611B", "18.612", "18.613", "18.614C", "18.6141", "17.53E", "17.33H", "17.23H")
def support_hex(state: State, at: Hex, wave: int = 0) -> Script[None]:
    """18.614C: how much air supports the units in a hex, more than may count if the defender likes. Jets escort it, or
    what is there already (18.6141)."""
    side, title = state.other(state.moving), hex_title(state, at)
    question = asked_about(title, "support", "Hold back", "Support it")
    support = Flight(side, FlightKind.DEFENSIVE_SUPPORT, at, {}, wave=wave)
    yield from _send(state, support, f"das:{hex_text(at)}", Task.FLY_DAS, question, "18.611")
    if not support.air and all([flight.wave != wave for flight in support_over(state, at)]):
        return
    question = asked_about(title, "escort", "No escort", "Escort")
    escort = Flight(side, FlightKind.ESCORT, at, {}, wave=wave)
    yield from _send(state, escort, f"escort:{hex_text(at)}", Task.ESCORT_DAS, question, "18.6141")
    flown = Listed(merged(support.air, escort.air).items())
    if flown:
        words = ("{}: defensive air support over {}: {}", state.name(side), hex_name(state, at), flown)
        yield Note(words, "18.611")


def _send(state: State, flight: Flight, verb: str, task: Task, question: Asked, cited: str) -> Script[None]:
    """Send as much air as the owner likes on a flight."""
    able = able_to_defend(state, flight.at, task)
    named = state.scene.name_of_place
    flight.air = yield from gather(flight.side, verb, able, within(able, ANY), 0, question, cited, named=named)
    if flight.air:
        launch(state, flight.air)
        state.turn.flights.append(flight)


# --- what of it counts ------------------------------------------------------------------------------------------


def support_over(state: State, at: Hex) -> list[Flight]:
    """The flights that give defensive air support in a hex and have not been used."""
    kind = FlightKind.DEFENSIVE_SUPPORT
    return [flight for flight in state.turn.flights if flight.kind is kind and flight.at == at and not flight.spent]


@rule("18.614A", "18.614C")
def merged_support(state: State, hexes: Iterable[Hex]) -> Force:
    """18.614: the air over some hexes that could count there, of each kind in its order as far as the limit goes."""
    counted: Force = {}
    for at in hexes:
        able = air_of(support_over(state, at))
        most = within(able, defensive_limit(state, at))
        here: Force = {}
        for which in able:
            number = most(which, here)
            if number:
                here[which] = number
        counted = merged(counted, here)
    return counted


@rule("18.611A", "18.611A.1", "18.614A", "18.614B", "18.614C.1", "18.613.2", "18.618", "18.611D.3")
def use_support(state: State, attack: GroundAttack) -> Script[Force]:
    """18.611A: before ground combat the defender says how much of his air over the hex is used, no more than three
    factors for each ground factor (18.614A); who is not used is not touched, and may stay for exploitation. The limit
    is looked at once, as the combat begins (18.614B). Gives those who are used, as flights that are spent."""
    side, used = state.other(state.moving), dict[Hex, Force]()
    for at in attack.hexes:
        flights = support_over(state, at)
        able = air_of(flights)
        question = asked_about(hex_title(state, at), "fight", "Keep out", "Take part")
        limit, verb = defensive_limit(state, at), f"use:{hex_text(at)}"
        named = state.scene.name_of_place
        air = yield from gather(side, verb, able, within(able, limit), 0, question, "18.611A", named=named)
        if air:
            _set_apart(state, flights, air)
            used[at] = air
    everything = combined(used.values())
    if everything:
        ledger = defensive_ledger(everything, invasion=attack.kind == "invasion")
        words = ("{}: {} in the ground combat, worth {}", state.name(side), Listed(everything.items()))
        yield Note((*words, factors_long(ledger.total)), "18.611C" if attack.kind == "invasion" else "18.611B")
    return everything


def _set_apart(state: State, flights: list[Flight], used: Force) -> None:
    """Those who are used are a flight of their own from here on."""
    left = dict(used)
    for flight in flights:
        part: Force = {}
        for which, number in flight.air.items():
            some = min(number, left.get(which, 0))
            if some:
                part[which] = some
                left[which] -= some
        if part:
            flight.air = without(flight.air, part)
            state.turn.flights.append(Flight(flight.side, flight.kind, flight.at, part, spent=True, wave=flight.wave))
    state.turn.flights = [flight for flight in state.turn.flights if flight.air]
