"""Ground combat as far as the air rules go (18.55, 18.56, 18.61).

Invaders have arrived or not, ships and carriers support them, the defender sends his air, and it may be intercepted;
then the moving side makes its attacks one after the other. What a ground combat does is not in these rules: the moving
side gives the result as the dice of the ground rules had it, and what each side loses for it is held to here.
"""

from __future__ import annotations

from flagplot.awaw.mapboard.hexes import Hex, hex_text
from flagplot.awaw.operations.names import factors_long, hex_name, hex_title
from flagplot.awaw.procedures import airdrops, ground_attack, ground_combat
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import GroundAttack, Phase
from flagplot.awaw.turn.ground.bombardment import support_from_sea
from flagplot.awaw.turn.ground.carriers_at_sea import send_from_carriers
from flagplot.awaw.turn.ground.conquest import take_hex
from flagplot.awaw.turn.ground.das_interception import next_to_contest
from flagplot.awaw.turn.ground.defensive_support import (
    DEFERRED,
    able_to_defend,
    is_deferred,
    send_support,
    support_hex,
    support_over,
    use_support,
)
from flagplot.awaw.turn.ground.losses import attacker_losses, defender_losses
from flagplot.awaw.turn.ground.strengths import (
    THIRDS,
    air_of,
    attack_ledger,
    defence_ledger,
    defenders,
    odds,
    support_limit,
    supportable,
    supporting,
    thirds,
)
from flagplot.awaw.turn.ground.support import (
    ALL,
    DONE,
    NONE,
    NOUNS,
    count_on_airborne,
    plan_at,
    target_words,
    targets,
    unit_words,
)
from flagplot.awaw.turn.ground.support_home import fly_back, lose_support, settle_airdrop, spare_support, trim_support
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.awaw.turn.missions.inversion import form_up
from flagplot.awaw.turn.transport.landing import embark_again
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, listing

FEWER = "fewer"
STAY, RETURN = "stay", "return"


# --- before the fighting ----------------------------------------------------------------------------------------


@ground_combat.segment("18.5551", "Invaders have arrived or were turned back")
@rule("18.5551", "18.5552", "18.555.2")
def arrive(state: State) -> Script[Next]:
    """18.5551: the support of an invasion that was turned back or aborted returns to base; if only a part of the
    invaders came through, what is now in excess does (18.5552)."""
    turn = state.turn
    for attack in turn.attacks:
        if attack.kind != "invasion":
            continue
        there = [name for name in attack.units if name in turn.ashore]
        if not there:
            attack.done = True
            yield Note(("Invasion of {} called off", hex_name(state, attack.hexes[0])), "18.5551")
            yield from spare_support(state, attack)
        else:
            attack.units = there
            yield from trim_support(state, attack, freely=False)
    return None


@ground_combat.segment("18.553", "Ships off the shore support the attacks")
@rule("18.5521.1", "18.553A")
def support_from_ships(state: State) -> Script[Next]:
    """18.5521, 18.553: fleets bombard the shore, and escort carriers support invasions."""
    for attack in _to_come(state):
        yield from support_from_sea(state, attack)
    return None


@ground_combat.segment("18.5522", "Squadrons of fast carriers at sea support the attacks")
@rule("18.5522", "SOP-PA-E.1.a", "18.552", "18.554A")
def support_from_carriers(state: State) -> Script[Next]:
    """18.5522: carriers at sea within range of an attacked hex give ground support to regular attacks and invasions."""
    turn = state.turn
    for attack in _to_come(state):
        yield from launch_support(state, attack)
    turn.attacks = [attack for attack in turn.attacks if attack.units or supporting(state, attack)]
    return None


def launch_support(state: State, attack: GroundAttack) -> Script[None]:
    """18.554A: carriers support an attack as far as the limit on all support goes; first for the units that make it,
    then for airborne units that may join it."""
    attack.airborne = 0
    yield from _launch(state, attack, "launch")
    count_on_airborne(state, attack)
    if attack.airborne:
        yield from _launch(state, attack, "launch-airdrop")


def _launch(state: State, attack: GroundAttack, verb: str) -> Script[None]:
    used = thirds(air_of(supporting(state, attack))) + THIRDS * attack.cves
    left = support_limit(state, attack) - used
    if left > 0:
        yield from send_from_carriers(state, Task.GROUND_SUPPORT, attack.hexes, left, verb)


def _to_come(state: State) -> list[GroundAttack]:
    return [attack for attack in state.turn.attacks if not attack.done]


@ground_combat.segment("18.611", "The defender sends defensive air support")
@rule("18.611", "18.613.1", "18.561")
def defend(state: State) -> Script[Next]:
    """18.611: after ground support is announced. What has prevented an overrun is still there (18.613), and may be
    intercepted in this phase too."""
    turn = state.turn
    for flight in turn.flights:
        flight.contested, flight.wave, flight.rounds = False, 0, 0
    for attack in turn.attacks:
        attack.low_odds = is_deferred(state, attack)
    yield from send_support(state)
    return None


@ground_combat.segment("18.56", "It may be intercepted")
@rule("18.561", "18.512E")
def contest(state: State) -> Next:
    """18.561: after the defender has committed his air."""
    return next_to_contest(state, then=contest)


@ground_combat.segment("18.512C", "Airborne units are dropped")
def drop_airborne(state: State) -> Next:
    return Call(airdrops)


@ground_combat.segment("18.555", "Ground support that counted on airborne units is settled")
def after_airdrops(state: State) -> Script[Next]:
    for attack in _to_come(state):
        yield from settle_airdrop(state, attack)
    return None


# --- the attacks ------------------------------------------------------------------------------------------------


@ground_combat.segment("18.551", "The next attack, or no more")
@rule("18.551", "18.555", "18.611.1")
def next_attack(state: State) -> Script[Next]:
    """18.551: the moving side makes its attacks in any order; it may make others that it has not announced, without
    ground support. What it has announced and does not make is called off (18.555)."""
    turn = state.turn
    waiting = {hex_text(attack.hexes[0]): attack for attack in _to_come(state)}
    labels: dict[str, Words] = {text: _attack_words(state, attack) for text, attack in waiting.items()}
    others = {hex_text(at): at for at in targets(state)}
    labels |= {text: ("Attack {}, without ground support", target_words(state, at)) for text, at in others.items()}
    labels[DONE] = "No more attacks"
    question = "Choose the next ground attack"
    chosen: str = yield Choose(state.moving, "fight", [*waiting, *others, DONE], question, labels, "18.551")
    if chosen == DONE:
        return None
    attack = waiting.get(chosen) or (yield from plan_at(state, others[chosen]))
    turn.fighting_now = turn.attacks.index(attack)
    return Call(ground_attack, then=next_attack)


def _attack_words(state: State, attack: GroundAttack) -> Words:
    where = listing([hex_name(state, at) for at in attack.hexes])
    return ("Make {} against {}, strength {}", NOUNS[attack.kind], where, attack_ledger(state, attack).total)


@ground_combat.segment("18.618", "Unused air returns, or stays for exploitation")
@rule("18.555", "18.613.2", "18.618", "18.618.1")
def close(state: State) -> Script[Next]:
    """18.618: defensive air support that was neither used nor driven off may stay in its hex for exploitation, if its
    owner likes; else it returns, and has flown its mission even if nobody attacked."""
    turn = state.turn
    for attack in _to_come(state):
        yield from call_off(state, attack)
    for at in sorted({flight.at for flight in turn.flights if flight.side != state.moving}):
        stays = yield from _may_stay(state, at)
        flights = [one for one in turn.flights if one.at == at and one.side != state.moving]
        for flight in [] if stays else flights:
            yield from fly_back(state, flight)
    for flight in [one for one in turn.flights if one.side == state.moving]:
        yield from fly_back(state, flight)
    yield from embark_again(state)
    return END


@rule("18.613.2", "18.618")
def _may_stay(state: State, at: Hex) -> Script[bool]:
    turn = state.turn
    later = turn.step == Phase.COMBAT and Phase.EXPLOITATION in turn.plan.phases
    if not later or not support_over(state, at) or not supportable(defenders(state, [at]).values()):
        return False
    side = state.other(state.moving)
    question = ("{}: keep defensive air support for exploitation?", hex_title(state, at))
    labels: dict[str, Words] = {RETURN: "Return to base", STAY: "Stay over the hex"}
    verb = ("remain", hex_text(at))
    chosen: str = yield Choose(side, verb, (RETURN, STAY), question, labels, "18.618")
    return chosen == STAY


# --- one attack -------------------------------------------------------------------------------------------------


@ground_attack.segment("18.555", "The attack is made with all its units, with fewer, or called off")
@rule("18.555", "18.555.1", "18.5551", "18.554C")
def go(state: State) -> Script[Next]:
    """18.555: if the attacker decides freely not to attack, or with fewer ground factors, ground support that is then
    too much is eliminated; not so that of an invasion which is given up (18.5551)."""
    attack = _now(state)
    values = [ALL, *[FEWER] * (len(attack.units) > 1 and attack.kind != "invasion"), NONE]
    question = ("Make the attack on {}?", hex_name(state, attack.hexes[0]))
    verb = ("go", hex_text(attack.hexes[0]))
    chosen: str = yield Choose(state.moving, verb, values, question, _GO, "18.555")
    if chosen == NONE:
        yield from call_off(state, attack)
        return END
    if chosen == FEWER:
        yield from _leave_out(state, attack)
        yield from trim_support(state, attack, freely=True)
    return None


_GO: dict[str, Words] = {ALL: "Attack with all units", FEWER: "Leave some units out", NONE: "Call it off"}


def _leave_out(state: State, attack: GroundAttack) -> Script[None]:
    while len(attack.units) > 1:
        labels: dict[str, Words] = {name: unit_words(state, name) for name in attack.units}
        labels[DONE] = "Leave out no more"
        verb, question = ("without", hex_text(attack.hexes[0])), "Choose a unit to leave out"
        chosen: str = yield Choose(state.moving, verb, [DONE, *attack.units], question, labels, "18.555")
        if chosen == DONE:
            return
        attack.units = [name for name in attack.units if name != chosen]


@rule("18.555", "18.5551")
def call_off(state: State, attack: GroundAttack) -> Script[None]:
    """18.555: the attack is not made, out of the attacker's own will. Its support is lost, but for that of an
    invasion (18.5551)."""
    attack.done = True
    if attack.kind == "invasion":
        yield from spare_support(state, attack)
    else:
        yield from lose_support(state, attack)


@ground_attack.segment("18.619", "Against an attack at less than 1:1 defensive air support may still be sent")
@rule("18.619", "18.611.1", "18.619.2", "18.619.3")
def defer(state: State) -> Script[Next]:
    """18.619: at less than 1:1 the defender may send air that is not committed, also if airborne units have bettered
    the odds since the attack was announced. From here on it has to be made, at whatever odds."""
    attack = _now(state)
    if not attack.low_odds and not is_deferred(state, attack):
        return None
    attack.low_odds = True
    side = state.other(state.moving)
    form_up(state, side)
    for at in attack.hexes:
        if able_to_defend(state, at, Task.FLY_DAS):
            yield from support_hex(state, at, DEFERRED)
    return None


@ground_attack.segment("18.619", "It may be intercepted as any other")
@rule("18.619.1")
def contest_deferred(state: State) -> Next:
    """18.619: and what was there before is not touched by that."""
    return next_to_contest(state, then=contest_deferred)


@ground_attack.segment("18.616", "The ground combat")
@rule("18.554C", "18.556", "18.611A.1", "18.614B", "18.615", "18.616", "18.617")
def fight(state: State) -> Script[Next]:
    """18.615: each side adds its air to its ground units, and there is no air combat between them. The result is what
    the players say; losses are taken by their owners (18.556, 18.616)."""
    turn = state.turn
    attack = _now(state)
    text = hex_text(attack.hexes[0])
    turn.fought += attack.units
    turn.stormed += attack.hexes
    attack.done = True
    flights = supporting(state, attack)
    if defenders(state, attack.hexes):
        used = yield from use_support(state, attack)
        ours, theirs = attack_ledger(state, attack), defence_ledger(state, attack, used)
        yield from _announce(state, attack, ours.total, theirs.total)
        question: Words = ("{} against {}: attacker loses how many factors?", ours.total, theirs.total)
        verb = ("attacker-loses", text)
        mine: int = yield Choose(state.moving, verb, range(ours.total + 1), question, factors_long, "18.556")
        question = ("{} against {}: defender loses how many factors?", ours.total, theirs.total)
        verb = ("defender-loses", text)
        other: int = yield Choose(state.moving, verb, range(theirs.total + 1), question, factors_long, "18.616")
        yield from attacker_losses(state, attack, flights, mine)
        yield from defender_losses(state, attack, other)
    for at in attack.hexes:
        yield from _advance(state, attack, at)
    return None


def _announce(state: State, attack: GroundAttack, ours: int, theirs: int) -> Script[None]:
    one, other = odds(ours, theirs)
    where = listing([hex_name(state, at) for at in attack.hexes])
    words = ("{}: {} against {}, {} to {}: {}:{}", state.name(state.moving), NOUNS[attack.kind], where, ours, theirs)
    yield Note((*words, one, other), "18.615")


def _now(state: State) -> GroundAttack:
    turn = state.turn
    return turn.attacks[turn.fighting_now]


@rule("18.617", "18.251")
def _advance(state: State, attack: GroundAttack, at: Hex) -> Script[None]:
    """18.617: attackers may advance into a hex in which nobody is left to defend it; invaders and airborne units are
    there already."""
    turn = state.turn
    left = [name for name in attack.units if name in turn.units]
    if not left or defenders(state, [at]):
        return
    there = [name for name in left if turn.units[name].at == at]  # airborne units, in an attack with others
    if attack.kind == "invasion" or there:
        yield from take_hex(state, at, left if attack.kind == "invasion" else there)
        return
    here = [name for name in left if turn.units[name].at not in attack.hexes]  # who has not advanced elsewhere
    labels: dict[str, Words] = {name: unit_words(state, name) for name in here}
    labels[NONE] = "No advance"
    question = ("{} is empty. Advance a unit?", hex_title(state, at))
    verb = ("advance", hex_text(at))
    chosen: str = yield Choose(state.moving, verb, [NONE, *here], question, labels, "18.617")
    if chosen != NONE:
        yield from take_hex(state, at, [chosen])


@ground_attack.segment("18.42A", "Air that took part returns and is inverted")
@rule("18.42A", "18.618.1", "18.614C.3")
def come_home(state: State) -> Script[Next]:
    """18.42: ground support, and defensive air support that was used, have flown their mission."""
    attack = _now(state)
    for flight in supporting(state, attack):
        yield from fly_back(state, flight)
    for flight in [one for one in state.turn.flights if one.spent and one.at in attack.hexes]:
        yield from fly_back(state, flight)
    return END
