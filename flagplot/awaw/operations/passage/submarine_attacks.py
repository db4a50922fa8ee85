"""Submarines outside naval combat: they attack forces that they intercept (22.915, 22.921), and are attacked from the
air while they stay on patrol in the enemy's player turn (18.511B, 21.4184C, 23.43C)."""

from __future__ import annotations

from dataclasses import replace

from flagplot.awaw.air_units import add, take
from flagplot.awaw.battle.ambush import call_in, send_out
from flagplot.awaw.battle.torpedoes import attack_supply_line
from flagplot.awaw.counting import merged
from flagplot.awaw.operations.battles.scenes import bring_in, bring_in_submarines, clear_scene, set_scene
from flagplot.awaw.operations.names import force_name, hex_name
from flagplot.awaw.operations.passage.air_attacks import NO, YES, begin
from flagplot.awaw.operations.passage.damaged_ships import send_damaged_home
from flagplot.awaw.operations.passage.naval_air import used_by
from flagplot.awaw.operations.passage.sortie import could_attack, hold_back, release, under_attack
from flagplot.awaw.operations.passage.supply_lines import disrupt, is_bare_line
from flagplot.awaw.procedures import sortie, submarine_ambush, submarine_hunt, submarine_interception
from flagplot.awaw.reach import is_fit
from flagplot.awaw.state.battle import Group, Shipless
from flagplot.awaw.state.operation import AirAttack, Flotilla, Progress
from flagplot.awaw.state.setting import Place
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Choose, Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

# --- submarines attack ------------------------------------------------------------------------------------------


@submarine_interception.segment("22.915", "The submarines that intercepted here close in")
@rule("22.915", "22.921", "22.9416C", "22.93A")
def close_in(state: State, key: str) -> Script[Next]:
    """22.915: each factor came by itself. Those that have intercepted the force in one hex attack one after the other
    there, as in one round of naval combat (22.9416C); nobody else takes part."""
    operation = state.operation
    voyage = operation.voyages[key]
    side = state.other(voyage.side)
    set_scene(state, voyage.at)
    for flotilla, factors in _arrived(state, key).items():
        bring_in_submarines(state, flotilla, factors)
    came = sum([submarines.factors for submarines in state.battle.submarines])
    factors_ = f"{came} submarine factor{'s attack' if came > 1 else ' attacks'}"
    words = ("{}: {} {} in {}", state.name(side), factors_, force_name(state, voyage), hex_name(state, voyage.at))
    yield disclosed(words, "22.915", side)
    stay_over_the_hex(state, key)
    if is_bare_line(state, voyage):
        return attack_line
    for force in operation.sailing(voyage):
        bring_in(state, force)
    return Call(submarine_ambush, (side,), then=surface)


@rule("22.24B.3", "22.92")
def _arrived(state: State, key: str) -> dict[str, int]:
    """22.24B: by flotilla the factors that intercepted a voyage in time, in the hex that it is in; their voyages are
    over. Those that would have come late need naval combat to join in."""
    operation = state.operation
    here = operation.voyages[key].at
    factors: dict[str, int] = {}
    for _, submarine in operation.opposing(key):
        if submarine.flotilla and submarine.arrives == 1 and submarine.meet == here:
            factors[submarine.flotilla] = factors.get(submarine.flotilla, 0) + 1
            submarine.progress = Progress.OVER
    return factors


@rule("23.161", "23.161.1", "22.9413B")
def stay_over_the_hex(state: State, key: str) -> None:
    """23.161: squadrons that have covered or struck in this hex do nothing else in it; those that have searched go on
    searching, and count for the submarine attacks too (22.9413B)."""
    attack = _attack_here(state, key)
    if attack is None:
        return
    hold_back(state, attack.acted)
    for which, number in attack.searched.items():
        state.send_out(which, number)
        add(state.sites[which.home].searching, which, number)


def _attack_here(state: State, key: str) -> AirAttack | None:
    """The air attack on a voyage in the hex that it is in, if there was one."""
    operation = state.operation
    attack = operation.attack
    return attack if attack and attack.target == key and attack.at == operation.voyages[key].at else None


@submarine_interception.segment("22.9434", "They attack an unprotected supply line")
@rule("22.9434", "22.9413C", "22.9416C")
def attack_line(state: State, key: str) -> Script[Next]:
    """22.9434: a sea supply line that nobody protects is disrupted by the attack; the others find nothing more."""
    side = state.other(state.operation.voyages[key].side)
    yield from send_out(state, side)
    submarines = state.battle.submarines[0]
    yield from attack_supply_line(state, submarines)
    call_in(state, side)
    disrupt(state, key)
    return None


@submarine_interception.segment("22.92", "Submarines that attacked are done")
@rule("22.92", "22.28A", "22.917")
def surface(state: State, key: str) -> Script[Next]:
    """22.92: submarines that attacked return to base and are inverted; those that could not are free in later stages.
    The force was attacked, so it may abort (22.28A) or send damaged ships home."""
    operation = state.operation
    operation.voyages[key].attacked = True
    attack = _attack_here(state, key)
    if attack is not None:
        release(state, attack.acted)
        operation.attack = None
    clear_scene(state)
    operation.encounter = None
    yield from send_damaged_home(state, key)
    return END


# --- submarines are attacked ------------------------------------------------------------------------------------


@rule("23.43C", "22.913", "18.511B", "18.45")
def may_be_hunted(state: State, key: str) -> bool:
    """23.43C: submarines are attacked from the air only if they stay on patrol while the other side moves, in its
    movement stage (18.511B)."""
    operation = state.operation
    flotilla, hunter = operation.flotillas[key], operation.between.attacker
    on_patrol = bool(flotilla.patrol) and flotilla.factors > 0 and flotilla.side != hunter
    allowed = state.setting.options.air_against_submarines != "none" and state.now == "movement"
    return on_patrol and allowed and could_attack(state, hunter, flotilla.at, mission_bases(operation.between.places))


@rule("18.51", "18.51.1")
def mission_bases(places: dict[str, Place]) -> dict[str, Place]:
    """18.51: the places from which offensive missions are flown: fully supplied and without oil effects."""
    return {key: place for key, place in places.items() if is_fit(place)}


@submarine_hunt.segment("18.511B", "The moving side says whether it attacks")
@rule("18.511B", "23.43C", "23.162")
def announce(state: State, key: str) -> Script[Next]:
    """18.511B: an attack on patrolling submarines is an offensive mission of the movement phase, so nobody flies it who
    has searched, covered or struck at sea in this player turn (23.162)."""
    flotilla = state.operation.flotillas[key]
    side = state.other(flotilla.side)
    where = hex_name(state, flotilla.at)
    question = ("Attack submarines in {} with land-based air?", where)
    chosen: str = yield Choose(side, ("hunt", key), (NO, YES), question, _ANSWERS, "18.511B")
    if chosen == NO:
        return END
    yield Note(("{}: land-based air attacks the submarines in {}", state.name(side), where), "18.511B")
    begin(state, side, key, flotilla.at)
    reach = dict(state.scene.in_reach)
    fit = mission_bases(state.scene.places)
    reach[side] = tuple([(base, hexes) for base, hexes in reach[side] if base in fit])
    state.scene = replace(state.scene, in_reach=reach)
    hold_back(state, used_by(state, side))
    state.battle.groups[key] = _as_group(flotilla, where)
    return Call(sortie)


_ANSWERS: dict[str, Words] = {NO: "Hold back", YES: "Attack them"}


@rule("23.43C")
def _as_group(flotilla: Flotilla, where: str) -> Group:
    """The submarines of a hex are one group."""
    name = f"the {nation(flotilla.nation).adjective} submarines in {where}"
    target = Shipless(flotilla.factors, flotilla.nation)
    return Group(flotilla.side, name, {}, False, formed=True, number=1, shipless=target)


@submarine_hunt.segment("18.42", "The squadrons that flew are inverted")
@rule("18.42A", "23.43C")
def count_losses(state: State, key: str) -> Next:
    """18.42A: it was a mission, so the attacker's squadrons are inverted for the rest of the player turn."""
    operation = state.operation
    flotilla, attack = operation.flotillas[key], under_attack(state)
    target = state.battle.groups.pop(key).shipless
    assert target is not None
    flotilla.lost += flotilla.factors - target.left
    flotilla.factors = target.left
    flown = merged(attack.acted, attack.searched)
    mine = {which: number for which, number in flown.items() if state.place(which.home).side == attack.side}
    for which, number in mine.items():
        site = state.sites[which.home]
        take(site.air, which, number)
        take(site.used, which, number)
        add(site.air, which.turned(inverted=True), number)
    release(state, used_by(state, attack.side))
    operation.attack = None
    clear_scene(state)
    return END
