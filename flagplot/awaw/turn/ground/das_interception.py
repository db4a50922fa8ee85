"""The moving side intercepts defensive air support (18.56): rounds of air combat over the hex that is supported."""

from __future__ import annotations

from flagplot.awaw.air_combat import Circumstances, Combat
from flagplot.awaw.air_rounds import air_round, to_scale
from flagplot.awaw.air_units import Force, Listed
from flagplot.awaw.battle.picking import asked_about, gather
from flagplot.awaw.conversion import break_down
from flagplot.awaw.counterair import launch
from flagplot.awaw.counting import merged
from flagplot.awaw.mapboard.hexes import Hex, hex_text
from flagplot.awaw.operations.bases.sorties import form_up_again
from flagplot.awaw.operations.names import hex_name, hex_title
from flagplot.awaw.procedures import das_interception
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Flight, FlightKind
from flagplot.awaw.turn.ground.carriers_at_sea import forces_in_reach, send_from_carriers, take_aboard, within
from flagplot.awaw.turn.ground.defensive_support import ANY
from flagplot.awaw.turn.ground.strengths import air_of
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.awaw.turn.missions.inversion import available, form_up
from flagplot.awaw.turn.missions.returning import return_home
from flagplot.kernel.procedures import END, AnySegment, Call, Next
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

CONTINUE, RETURN = "continue", "return"
PRESS_ON, BREAK_OFF = "press-on", "break-off"


def next_to_contest(state: State, then: AnySegment) -> Call | None:
    """18.561: the interception of defensive air support that the enemy has not yet had his chance at in this phase."""
    for flight in state.turn.flights:
        if flight.kind is FlightKind.DEFENSIVE_SUPPORT and not flight.contested and not flight.spent:
            for one in party(state, flight.at, flight.wave):
                one.contested = True
            return Call(das_interception, (hex_text(flight.at), flight.wave), then=then)
    return None


def party(state: State, at: Hex, wave: int) -> list[Flight]:
    """Defensive air support that came together, with the jets that escort it."""
    kinds = (FlightKind.DEFENSIVE_SUPPORT, FlightKind.ESCORT)
    return [
        one for one in state.turn.flights if one.kind in kinds and (one.at, one.wave, one.spent) == (at, wave, False)
    ]


def interceptors(state: State, at: Hex) -> list[Flight]:
    """The flights that intercept it."""
    return [one for one in state.turn.flights if one.kind is FlightKind.INTERCEPTION and one.at == at]


def _hex(text: str) -> Hex:
    column, _, row = text.partition(",")
    return int(column), int(row)


# --- taking off -------------------------------------------------------------------------------------------------


@das_interception.segment("18.561", "The moving side may send interceptors")
@rule("18.561", "18.562", "18.511H", "18.512E", "17.23G", "17.33G", "17.53D", "SOP-PA-E.1.b")
def send(state: State, text: str, wave: int) -> Script[Next]:
    """18.561: any uninverted air within range of the hex may intercept, jets too; squadrons of fast carriers at sea
    together with it (18.562)."""
    form_up(state, state.moving)
    sent = yield from _commit(state, _hex(text), least=0)
    return None if sent else END


def _commit(state: State, at: Hex, least: int) -> Script[Force]:
    able = available(state, state.moving, Task.INTERCEPT_DAS, at)
    afloat = forces_in_reach(state, Task.INTERCEPT_DAS, [at])
    question = asked_about(hex_title(state, at), "intercept", "Let it pass", "Intercept")
    must = 0 if afloat else least
    verb = f"intercept:{hex_text(at)}"
    air = yield from gather(
        state.moving, verb, able, within(able, ANY), must, question, "18.561", named=state.scene.name_of_place
    )
    if air:
        launch(state, air)
        state.turn.flights.append(Flight(state.moving, FlightKind.INTERCEPTION, at, air))
        told = ("{}: interception over {} by {}", state.name(state.moving), hex_name(state, at), Listed(air.items()))
        yield Note(told, "18.561")
    more = yield from send_from_carriers(state, Task.INTERCEPT_DAS, (at,), ANY)
    return merged(air, more)


# --- rounds -----------------------------------------------------------------------------------------------------


@das_interception.segment("18.5631", "A round of air combat")
@rule("18.5631", "18.5634.1", "18.562", "18.619.1", "19.11", "17.141C", "23.141A.2")
def fight(state: State, text: str, wave: int) -> Script[Next]:
    """18.5631: all interceptors fight all of the defensive air support that came together, those too who were forced to
    abort in the round before (18.5634); other support over the hex is not touched (18.619)."""
    turn = state.turn
    at = _hex(text)
    ours, theirs = interceptors(state, at), party(state, at, wave)
    broken = any([_in_parts(flight) for flight in (*ours, *theirs)])
    attacking, defending, squadrons = to_scale(air_of(ours), air_of(theirs), squadrons=broken)
    state.squadrons = state.squadrons or squadrons
    number = theirs[0].rounds + 1
    other = state.other(state.moving)
    where, combat = hex_name(state, at), Circumstances(Combat.DEFENSIVE_SUPPORT)
    result = yield from air_round(state, state.moving, attacking, other, defending, where, number, circumstances=combat)
    _share(ours, attacking, result.aborted, squadrons=squadrons)
    _share(theirs, defending, result.their_aborted, squadrons=squadrons)
    for flight in theirs:
        flight.rounds = number
    turn.flights = [flight for flight in turn.flights if flight.air]
    return None


def _in_parts(flight: Flight) -> bool:
    return any([not which.is_factor and not which.is_naval for which in flight.air])


def _share(flights: list[Flight], left: Force, aborted: Force, *, squadrons: bool) -> None:
    """What is left of a force that fought together is again of the flights that made it up."""
    rest, away = dict(left), dict(aborted)
    for flight in flights:
        before = break_down(flight.air) if squadrons else flight.air
        flight.air = {which: some for which, number in before.items() if (some := min(number, rest.get(which, 0)))}
        flight.aborted = {
            which: some for which, number in flight.air.items() if (some := min(number, away.get(which, 0)))
        }
        for which, number in flight.air.items():
            rest[which] -= number
        for which, number in flight.aborted.items():
            away[which] -= number


@das_interception.segment("18.563", "Each side continues or gives up")
@rule("18.5631", "18.5632", "18.5633", "18.5634", "18.5634.1")
def go_on(state: State, text: str, wave: int) -> Script[Next]:
    """18.563: the defender returns to base or continues; if he does, the moving side fights another round with all
    survivors, and with more air even if there are none, or disengages."""
    at = _hex(text)
    theirs = party(state, at, wave)
    if not theirs:
        return None
    side = state.other(state.moving)
    question = ("{}: continue the defensive air support?", hex_title(state, at))
    chosen: str = yield Choose(side, ("mission", text), (CONTINUE, RETURN), question, _DEFENDER, "18.5631")
    if chosen == RETURN:
        yield Note(("{}: defensive air support over {} gives up", state.name(side), hex_name(state, at)), "18.5632")
        yield from _send_home(state, theirs, "18.5632")
        return None
    ours = interceptors(state, at)
    fresh = available(state, state.moving, Task.INTERCEPT_DAS, at)
    if not ours and not fresh and not forces_in_reach(state, Task.INTERCEPT_DAS, [at]):
        return None
    question = ("{}: fight another round?", hex_title(state, at))
    pressed: str = yield Choose(state.moving, ("round", text), (BREAK_OFF, PRESS_ON), question, _ATTACKER, "18.5634")
    if pressed == BREAK_OFF:
        return None
    more = yield from _commit(state, at, least=0 if ours else 1)
    return fight if ours or more else None


_DEFENDER: dict[str, Words] = {CONTINUE: "Continue", RETURN: "Return to base"}
_ATTACKER: dict[str, Words] = {PRESS_ON: "Fight another round", BREAK_OFF: "Break off"}


# --- afterwards -------------------------------------------------------------------------------------------------


@das_interception.segment("18.564", "Interceptors and aborted air return")
@rule("18.5633", "18.564", "23.141A.1")
def come_home(state: State, text: str, wave: int) -> Script[Next]:
    """18.5633: support that the last roll has neither eliminated nor forced to abort counts; the others return. All
    interceptors return and are inverted, whatever came of it (18.564)."""
    turn = state.turn
    at = _hex(text)
    for flight in party(state, at, wave):
        flight.air, back = yield from form_up_again(state, flight.air, flight.aborted)
        flight.aborted = {}
        yield from return_home(state, back, at, "18.5633", "was forced to abort defensive air support")
    turn.flights = [flight for flight in turn.flights if flight.air]
    left = party(state, at, wave)
    if all([flight.kind is FlightKind.ESCORT for flight in left]):
        yield from _send_home(state, left, "18.6141")  # there is nothing to escort any more
    yield from _send_home(state, interceptors(state, at), "18.564")
    return END


def _send_home(state: State, flights: list[Flight], number: str) -> Script[None]:
    turn = state.turn
    reasons = {
        "18.564": "intercepted defensive air support",
        "18.5632": "gave up defensive air support",
        "18.6141": "escorted defensive air support",
    }
    for flight in flights:
        on, back = yield from form_up_again(state, flight.air, {})
        air = merged(on, back)
        turn.flights = [one for one in turn.flights if one is not flight]
        if flight.from_ship:
            yield from take_aboard(state, flight.from_ship, air)
        else:
            yield from return_home(state, air, flight.at, number, reasons[number])
