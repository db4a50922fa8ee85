"""Interception of air transports (18.62): who intercepts where, counter-interception round by round, and the attack on
the transports themselves.

The mission is `state.airlift`. When the procedure is over `transports` are those that go on, `turned` those that were
forced back, and `down` is the number of factors that were shot down.
"""

from __future__ import annotations

from flagplot.awaw.air_combat import Circumstances, Combat
from flagplot.awaw.air_rounds import air_round, to_scale
from flagplot.awaw.air_units import Force, Listed, Role, Unit
from flagplot.awaw.battle.picking import any_of, gather
from flagplot.awaw.conversion import surviving_transports
from flagplot.awaw.counterair import launch
from flagplot.awaw.counting import merged
from flagplot.awaw.mapboard.hexes import Hex, hex_text
from flagplot.awaw.operations.bases.sorties import form_up_again, whole_again
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.procedures import air_interception
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import AirTransportMission, Phase
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.awaw.turn.missions.inversion import available, form_up
from flagplot.awaw.turn.missions.returning import return_home
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

NONE = "none"
PRESS_ON, BREAK_OFF = "press-on", "break-off"
MISSIONS = {
    "air-supply": "air supply",
    "air-transport": "air transport",
    "airdrop": "an airdrop",
    "hump": "BRPs over the Hump",
}


# --- who intercepts ---------------------------------------------------------------------------------------------


@air_interception.segment("18.621", "The defender may intercept, in one hex of the route")
@rule("18.621", "18.621A", "18.621B", "18.621C", "18.621D", "18.471", "18.534", "18.546")
def intercept(state: State) -> Script[Next]:
    """18.621: the other side may send uninverted air against air supply, air transport, airdrops and the Hump, in any
    one hex of their route, both ends included."""
    mission = under_way(state)
    side = state.other(mission.side)
    form_up(state, side)
    hexes = {hex_text(at): at for at in mission.path if available(state, side, Task.INTERCEPT_TRANSPORT, at)}
    if not hexes:
        return END
    labels: dict[str, Words] = {key: ("Intercept in {}", hex_name(state, at)) for key, at in hexes.items()}
    labels[NONE] = "Let it pass"
    question = ("Intercept {} to {}?", MISSIONS[mission.kind], hex_name(state, mission.path[-1]))
    chosen: str = yield Choose(side, "intercept", [*hexes, NONE], question, labels, "18.621")
    if chosen == NONE:
        return END
    mission.intercepted = at = hexes[chosen]
    able = available(state, side, Task.INTERCEPT_TRANSPORT, at)
    ask, named = (
        ("Intercept with how many of {}?", "Intercept with {}?", "Hold back", "Intercept"),
        state.scene.name_of_place,
    )
    mission.interceptors = yield from gather(side, "send", able, any_of(able), 1, ask, "18.621", named=named)
    launch(state, mission.interceptors)
    told = (
        "{}: interception in {} by {}",
        state.name(side),
        _where(state, mission),
        Listed(mission.interceptors.items()),
    )
    yield Note(told, "18.621")
    return None


@air_interception.segment("18.622A", "The moving side may counter-intercept")
@rule("18.622A", "18.472", "18.511I", "18.512H", "18.513B")
def counter(state: State) -> Script[Next]:
    """18.622: eligible air of the moving side in range of that hex may protect the transports."""
    mission = under_way(state)
    form_up(state, mission.side)
    yield from _send_guards(state, mission, least=0)
    return None if mission.guards else attack


def _send_guards(state: State, mission: AirTransportMission, least: int) -> Script[None]:
    able = guards_in_reach(state, mission)
    question, named = (
        ("Counter-intercept with how many of {}?", "Counter-intercept with {}?", "Hold back", "Fly"),
        state.scene.name_of_place,
    )

    def most(which: Unit, chosen: Force) -> int:
        return affordable(state, which, able[which], chosen)

    sent = yield from gather(mission.side, "guard", able, most, least, question, "18.622A", named=named)
    if not sent:
        return
    launch(state, sent)
    pay(state, sent)
    mission.guards = merged(mission.guards, to_scale(sent, {}, squadrons=mission.squadrons)[0])
    yield Note(("{}: counter-interception by {}", state.name(mission.side), Listed(sent.items())), "18.622A")


def guards_in_reach(state: State, mission: AirTransportMission) -> Force:
    """18.622: the air that may still counter-intercept, and that can be paid for."""
    able = available(state, mission.side, Task.COUNTER_INTERCEPT, _hex(mission))
    return {which: number for which, number in able.items() if affordable(state, which, number, {})}


# --- what it costs ----------------------------------------------------------------------------------------------


@rule("18.472.1", "18.473.1", "23.165", "23.75A.2")
def is_charged(state: State) -> bool:
    """18.472: counter-interception is an offensive operation that is paid for as such. It costs nothing in the
    redeployment phase (18.513), nor does anything that is done with regard to ships (18.473). The cost stands in
    chapter 27, which we do not have: a BRP a factor, or by option nothing (`docs/rulings.md`)."""
    priced = state.setting.options.counter_interception_cost == "one-a-factor"
    return priced and state.turn.step != Phase.REDEPLOYMENT


def affordable(state: State, which: Unit, number: int, chosen: Force) -> int:
    """How many of some units their nation can pay for, beside those that were chosen before. Where the scenario does
    not say what BRPs a nation has, nobody counts them."""
    turn = state.turn
    if not is_charged(state) or which.nation not in turn.brps:
        return number
    while number and cost(merged(chosen, {which: number}), which.nation) > turn.brps[which.nation]:
        number -= 1
    return number


@rule("18.472.1", "17.141A")
def cost(force: Force, country: str) -> int:
    """A BRP for each factor of a nation, and for every three naval squadrons or part of them."""
    factors = sum([number for which, number in force.items() if which.nation == country and which.is_factor])
    naval = sum([number for which, number in force.items() if which.nation == country and which.is_naval])
    return factors + -(-naval // 3)


def pay(state: State, sent: Force) -> None:
    """The nations whose air counter-intercepts pay for it."""
    turn = state.turn
    if is_charged(state):
        for country in dict.fromkeys([which.nation for which in sent if which.nation in turn.brps]):
            turn.brps[country] -= cost(sent, country)


# --- counter-interception ---------------------------------------------------------------------------------------


@air_interception.segment("18.622B", "A round of air combat")
@rule("18.622A", "18.622B", "18.622C")
def combat_round(state: State) -> Script[Next]:
    """18.622: all who counter-intercept fight all who intercept, those among them whom an earlier round has forced to
    abort (`docs/rulings.md`)."""
    mission = under_way(state)
    mission.round += 1
    scaled = to_scale(mission.guards, mission.interceptors, squadrons=mission.squadrons)
    mission.guards, mission.interceptors, mission.squadrons = scaled
    result = yield from air_round(
        state,
        mission.side,
        mission.guards,
        state.other(mission.side),
        mission.interceptors,
        _where(state, mission),
        mission.round,
        circumstances=Circumstances(Combat.COUNTER_INTERCEPTION),
    )
    mission.aborted = result.their_aborted
    return None


@air_interception.segment("18.622B", "The interceptors press on or turn away")
@rule("18.622B.1", "18.622B.2", "18.622B.2.1", "18.622B.2.2", "18.622C")
def go_on(state: State) -> Script[Next]:
    """18.622B: if all interceptors are shot down or forced to abort, the transports go on without interference. Else
    these may go on; then the moving side fights another round, with more air if it likes, or withdraws its own and
    leaves the transports to them."""
    mission = under_way(state)
    other = state.other(mission.side)
    if not _unaffected(mission):
        yield Note("No interceptors left: the transports get through", "18.622B")
        return return_all
    labels: dict[str, Words] = {PRESS_ON: "Press on", BREAK_OFF: "Turn away"}
    question = "Press on to the transports?"
    chosen: str = yield Choose(other, "interceptors", (PRESS_ON, BREAK_OFF), question, labels, "18.622B")
    if chosen == BREAK_OFF:
        return return_all
    more = bool(guards_in_reach(state, mission))
    if not mission.guards and not more:
        return None
    labels = {"fight": "Fight another round", "withdraw": "Abandon the transports"}
    question = "Fight another round of counter-interception?"
    fought: str = yield Choose(mission.side, "guards", ("fight", "withdraw"), question, labels, "18.622B")
    if fought == "withdraw":
        return None
    if more:
        yield from _send_guards(state, mission, least=0 if mission.guards else 1)
    return combat_round


def _unaffected(mission: AirTransportMission) -> int:
    return sum(mission.interceptors.values()) - sum(mission.aborted.values())


# --- the attack on the transports -------------------------------------------------------------------------------


@air_interception.segment("18.623", "Interceptors may attack the transports")
@rule("18.623", "18.623.1", "18.623.2", "18.623.3", "18.623.4", "19.12")
def attack(state: State) -> Script[Next]:
    """18.623: some, all or none of the interceptors whom the last round has not stopped attack, with one roll; the
    transports do not roll. Those who do not attack and have not fought are free for something else."""
    mission = under_way(state)
    side = state.other(mission.side)
    able, stopped = yield from form_up_again(state, mission.interceptors, mission.aborted)
    mission.interceptors, mission.aborted = able, {}
    mission.fought = stopped
    question, named = (
        ("Attack the transports with how many of {}?", "Attack the transports with {}?", "No", "Attack"),
        state.scene.name_of_place,
    )
    flying = yield from gather(side, "attack", able, any_of(able), 0, question, "18.623", named=named)
    if not flying:
        return None
    for which, number in flying.items():
        able[which] -= number
    mission.interceptors = {which: number for which, number in able.items() if number}
    yield from _attack_transports(state, mission, side, flying)
    return None


@rule("18.623.3", "23.18", "23.18.1", "17.65", "23.131A")
def _attack_transports(state: State, mission: AirTransportMission, side: str, flying: Force) -> Script[None]:
    """18.623: one roll against all the transports. With naval air among the attackers each of these is three squadrons:
    two lost are the factor lost, any lesser hit forces one back (23.18)."""
    before = dict(mission.transports)
    attackers, transports, squadrons = to_scale(flying, before)
    result = yield from air_round(
        state,
        side,
        attackers,
        mission.side,
        transports,
        _where(state, mission),
        mission.round + 1,
        circumstances=Circumstances(Combat.AIR_TRANSPORT),
        fires_back=False,
    )
    mission.fought = merged(mission.fought, whole_again(attackers, {})[0])
    mission.transports = {}
    reading = state.setting.options.transport_losses
    for which, factors in before.items():
        part = which.counted(Role.SQUADRONS) if squadrons else which
        killed, aborted = result.their_eliminated.get(part, 0), result.their_aborted.get(part, 0)
        left = factors - killed
        if squadrons:
            left, aborted = surviving_transports(factors, killed, aborted, reading)
        mission.down += factors - left
        if unharmed := left - aborted:
            mission.transports[which] = unharmed
        if aborted:
            mission.turned[which] = aborted


# --- home -------------------------------------------------------------------------------------------------------


@air_interception.segment("18.472", "Both sides' fighters return")
@rule("18.472.2", "18.623.4", "18.42A")
def return_all(state: State) -> Script[Next]:
    """18.472: whoever was in air combat is inverted; interceptors that neither fought nor attacked are not (18.623)."""
    mission, at = under_way(state), _hex(under_way(state))
    idle, guards, fought = mission.interceptors, mission.guards, mission.fought
    if mission.round:
        fought, idle = merged(fought, (yield from _whole(state, idle))), {}
    mission.interceptors, mission.guards, mission.fought, mission.aborted = {}, {}, {}, {}
    yield from return_home(state, fought, at, "18.472", "intercepted air transports")
    yield from return_home(state, idle, at, "18.623", "", inverted=False)
    guards = yield from _whole(state, guards)
    yield from return_home(state, guards, at, "18.472", "counter-intercepted")
    return END


def _whole(state: State, force: Force) -> Script[Force]:
    """A force in factors again (23.141A)."""
    on, home = yield from form_up_again(state, force, {})
    return merged(on, home)


def under_way(state: State) -> AirTransportMission:
    turn = state.turn
    assert turn.airlift is not None
    return turn.airlift


def _hex(mission: AirTransportMission) -> Hex:
    assert mission.intercepted is not None
    return mission.intercepted


def _where(state: State, mission: AirTransportMission) -> str:
    return hex_name(state, _hex(mission))
