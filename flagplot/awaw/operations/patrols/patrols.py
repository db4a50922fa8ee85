"""Patrols (21.41, as the sequence of play has them): on the way, in the patrol hex, and what they do from there."""

from __future__ import annotations

from flagplot.awaw.operations.bases.attacks import offer_base_strike
from flagplot.awaw.operations.interception.hexes import open_legs
from flagplot.awaw.operations.names import force_name, hex_name
from flagplot.awaw.operations.passage.air_attacks import may_be_attacked
from flagplot.awaw.operations.passage.completion import reward
from flagplot.awaw.operations.passage.homeward import finish, leave_voyage, send_home
from flagplot.awaw.procedures import air_attack, confrontation, homeward, interceptions, passage, patrol, patrols
from flagplot.awaw.state.battle import ORIGIN
from flagplot.awaw.state.operation import Activity, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

STAY, RETURN = "stay", "return"
_CHOICES: dict[str, Words] = {STAY: "Stay for the combat stage", RETURN: "Return to port"}


@patrols.segment("21.416M", "The patrols are conducted one at a time")
@rule("SOP-PA-SEQ")
def next_patrol(state: State) -> Script[Next]:
    """21.416M: the moving side says which patrol is next; each is conducted to its end."""
    operation = state.operation
    waiting = [key for key, voyage in operation.voyages.items() if _waits(voyage)]
    if not waiting:
        return END
    labels: dict[str, Words] = {key: force_name(state, operation.voyages[key]) for key in waiting}
    question = "Choose the next patrol to sail"
    chosen: str = yield Choose(state.scene.attacker, "patrol", waiting, question, labels, "SOP-PA-SEQ")
    return Call(patrol, (chosen,), then=next_patrol)


def _waits(voyage: Voyage) -> bool:
    return voyage.activity is Activity.PATROL and voyage.progress is Progress.ANNOUNCED and not voyage.joins


@patrol.segment("21.416B", "It sails to its patrol hex")
@rule("SOP-PA-B")
def sail(state: State, key: str) -> Next:
    """21.416B: it sails hex by hex, and is opposed hex by hex."""
    return Call(passage, (key,))


@patrol.segment("21.416I", "From its hex it attacks bases, any number of rounds")
@rule("SOP-PA-C", "SOP-PA-C.2", "23.61A", "18.511C")
def attack_bases(state: State, key: str) -> Script[Next]:
    """21.416I: in its patrol hex its carriers may counterair or attack ships in port; the enemy may flee after each
    round (23.46)."""
    operation = state.operation
    voyage = operation.voyages[key]
    if not operation.sailing(voyage):
        return END
    reward(state, voyage)  # a patrol is carried out by being there
    attack = yield from offer_base_strike(state, key)
    return be_challenged if attack is None else attack._replace(then=challenge_again)


@patrol.segment("21.416J", "Between rounds it may be intercepted, if nobody has tried before")
@rule("SOP-PA-C.1")
def challenge_again(state: State, key: str) -> Next:
    """21.416J: as long as no interception of it was tried."""
    if not open_legs(state, key, submarines=True):
        return attack_bases
    return Call(interceptions, (key,), then=meet_again)


@patrol.segment("22.19C", "If it is, there is naval combat")
@rule("SOP-PA-C.1")
def meet_again(state: State, key: str) -> Next:
    """21.416J: interceptors sail, and meet it in its hex."""
    return Call(confrontation, (key,), then=attack_bases)


@patrol.segment("21.416K", "It stays or returns")
@rule("SOP-PA-D", "SOP-PA-D.1", "SOP-PA-D.2", "22.22B")
def be_challenged(state: State, key: str) -> Script[Next]:
    """21.416K: the patrol says whether it stays in its hex for the combat stage."""
    voyage = state.operation.voyages[key]
    question = ("Keep {} in {}?", force_name(state, voyage), hex_name(state, voyage.at))
    chosen: str = yield Choose(voyage.side, ("stay", key), (STAY, RETURN), question, _CHOICES, "SOP-PA-D")
    voyage.staying = chosen == STAY
    if chosen == STAY:
        yield Note(("{}: {} stays on patrol", state.name(voyage.side), force_name(state, voyage)), "SOP-PA-E")
    if chosen == RETURN or not open_legs(state, key, submarines=True):
        return last_sortie
    return Call(interceptions, (key,))


@patrol.segment("21.416L", "Enemies who want to drive it away sail to its hex")
@rule("SOP-PA-D.2")
def defend(state: State, key: str) -> Next:
    """21.416L: a patrol that stays may be intercepted if nobody has tried before; the one sortie of this hex comes
    before submarines attack (22.921)."""
    return Call(confrontation, (key,), then=settle)


@patrol.segment("23.752A", "If nobody could meet it and there was no naval combat here, one sortie may be flown")
@rule("SOP-PA-D.1.a", "SOP-PA-D.2.a")
def last_sortie(state: State, key: str) -> Next:
    """23.752A: just before it leaves, or as it stays; not where it was in naval combat."""
    operation = state.operation
    voyage = operation.voyages[key]
    if voyage.progress is Progress.ARRIVED and operation.sailing(voyage) and may_be_attacked(state, voyage):
        return Call(air_attack, (key,))
    return None


@patrol.segment("21.416K", "It is on patrol, or on its way home")
@rule("SOP-PA-D.1", "SOP-PA-E", "22.18")
def settle(state: State, key: str) -> Next:
    """21.416K: who stays is an offensive patrol; who returns may be intercepted on the way (22.18), and is inverted at
    base as after any activity."""
    operation = state.operation
    home = operation.homebound()
    if home:
        return Call(homeward, (home,), then=settle)
    voyage = operation.voyages[key]
    if voyage.progress is not Progress.ARRIVED:
        return END
    at = voyage.at
    for force in list(operation.sailing(voyage)):
        if voyage.staying:
            leave_voyage(state, force)
            operation.fleet[force].patrol, operation.fleet[force].at = "offensive", at
        else:
            operation.fleet[force].inverted = True
            send_home(state, force, ORIGIN)
    finish(state, key)
    return settle
