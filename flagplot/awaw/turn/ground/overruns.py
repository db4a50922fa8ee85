"""Overruns in the movement phase (18.511G-H, 18.613): supported, opposed and intercepted from the air, one by one.

Whether an overrun succeeds is not in these rules: the moving side says so, as the ground rules have it.
"""

from __future__ import annotations

from flagplot.awaw.mapboard.hexes import hex_text
from flagplot.awaw.operations.names import factors_long, hex_name
from flagplot.awaw.procedures import overruns
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import GroundAttack
from flagplot.awaw.turn.ground.combat import call_off, launch_support
from flagplot.awaw.turn.ground.conquest import take_hex
from flagplot.awaw.turn.ground.das_interception import next_to_contest
from flagplot.awaw.turn.ground.defensive_support import merged_support, send_support, use_support
from flagplot.awaw.turn.ground.losses import support_losses
from flagplot.awaw.turn.ground.strengths import attack_ledger, defence_ledger, defenders, supporting
from flagplot.awaw.turn.ground.support import ALL, NONE, plan_attack, support_attack
from flagplot.awaw.turn.ground.support_home import fly_back
from flagplot.awaw.turn.missions.inversion import form_up
from flagplot.awaw.turn.nations import unit_names
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, capital, listing

PREVENTED, OVERRUN = "prevented", "overrun"


@overruns.segment("18.511G", "The movement phase allows overruns")
def begin(state: State) -> Next:
    turn = state.turn
    turn.attacks, turn.fought, turn.stormed = [], [], []
    return None


@overruns.segment("18.511G", "An overrun is announced and supported, or none")
@rule("18.511G", "18.551", "18.5522", "SOP-PA-E.1.a", "18.611", "18.613")
def announce(state: State) -> Script[Next]:
    """18.551: overruns may be supported as ground attacks are, also by carriers on patrol (21.4181C); the defender
    may send air to the units that are being overrun (18.611)."""
    form_up(state, state.moving)
    attack = yield from plan_attack(state)
    if attack is None:
        state.turn.attacks = []
        return END
    yield from support_attack(state, attack)
    yield from launch_support(state, attack)
    yield from send_support(state, attack.hexes)
    return None


@overruns.segment("18.511H", "Defensive air support against it may be intercepted")
@rule("18.511H", "18.561")
def contest(state: State) -> Next:
    """18.561: defensive air support against overruns may be intercepted as any other."""
    return next_to_contest(state, then=contest)


@overruns.segment("18.613", "The overrun succeeds or is prevented")
@rule("18.555", "18.613", "18.613.1")
def resolve(state: State) -> Script[Next]:
    """18.613: defensive air support that prevents an overrun stays in its hex, for regular combat; ground support has
    flown its mission either way."""
    turn = state.turn
    attack = turn.attacks[-1]
    text, where = hex_text(attack.hexes[0]), capital(listing([hex_name(state, at) for at in attack.hexes]))
    labels: dict[str, Words] = {ALL: "Try the overrun", NONE: "Call it off"}
    question: Words = ("{}: try the overrun?", where)
    chosen: str = yield Choose(state.moving, ("go", text), (ALL, NONE), question, labels, "18.555")
    turn.fought += attack.units
    turn.stormed += attack.hexes
    if chosen == NONE:
        yield from call_off(state, attack)
        return announce
    air = merged_support(state, attack.hexes)
    ours, theirs = attack_ledger(state, attack).total, defence_ledger(state, attack, air).total
    question = ("{}: {} against {}. Does the overrun succeed?", where, ours, theirs)
    labels = {PREVENTED: "Prevented", OVERRUN: "Defenders overrun"}
    result: str = yield Choose(state.moving, ("result", text), (PREVENTED, OVERRUN), question, labels, "18.613")
    attack.done = True
    if result == OVERRUN:
        yield from _succeed(state, attack)
    else:
        yield Note(("{}: overrun prevented", where), "18.613")
    for flight in supporting(state, attack):
        yield from fly_back(state, flight)
    return announce


@rule("18.616", "18.25")
def _succeed(state: State, attack: GroundAttack) -> Script[None]:
    """18.616: the defenders are eliminated; what of their air took part and how much of it is lost, the players say as
    of other ground combat, and what is left returns."""
    turn = state.turn
    used = yield from use_support(state, attack)
    factors = defence_ledger(state, attack, used).total - defence_ledger(state, attack, {}).total
    question = "Defender loses how many air factors?"
    verb = ("air-lost", hex_text(attack.hexes[0]))
    lost: int = yield Choose(state.moving, verb, range(factors + 1), question, factors_long, "18.616")
    yield from support_losses(state, attack, lost)
    gone = list(defenders(state, attack.hexes))
    overrun = ("{}: {} overrun", state.name(state.other(state.moving)), unit_names(state, gone))
    for name in gone:
        del turn.units[name]
    yield Note(overrun, "18.511G")
    for flight in [one for one in turn.flights if one.at in attack.hexes and one.side != state.moving]:
        yield from fly_back(state, flight)
    names = [name for name in attack.units if name in turn.units]
    for at, name in zip(attack.hexes, names, strict=False):
        yield from take_hex(state, at, [name])
