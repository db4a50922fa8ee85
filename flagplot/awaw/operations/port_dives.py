"""Kamikazes against ships in port (17.463, 23.11F), in the combat phase of their own player turn.

All the ships in a port are one force (23.43). The air that is based there and the air defense of the port meet the
kamikazes as they meet other air (23.411C, 23.421); the rest is as at sea (17.47).
"""

from __future__ import annotations

from flagplot.awaw.air_combat import Circumstances, Combat, rolls
from flagplot.awaw.air_units import Force
from flagplot.awaw.battle.kamikazes import (
    Kamikazes,
    able_to_dive,
    attack_rolls,
    choose_targets,
    in_order_of_ships,
    met_by,
    rejoin,
    shoot_at,
    spend,
)
from flagplot.awaw.battle.resolution import aimed_at, defense_rolls
from flagplot.awaw.counterair import break_down_site, how_many
from flagplot.awaw.operations.base_targets import enemy_bases
from flagplot.awaw.operations.harbours import (
    come_ashore,
    harbour,
    hit_in_port,
    hit_light_in_port,
    in_port,
    port_level,
    rouse,
    settle_defenders,
)
from flagplot.awaw.operations.record import begin_base_attack, end_fight, name_attackers
from flagplot.awaw.operations.state import OperationState
from flagplot.awaw.ships import Ships
from flagplot.awaw.state import LIGHT_SHIPS, Dive
from flagplot.awaw.tables.grids import NO_EFFECT
from flagplot.kernel.procedures import END, Call, Next, Procedure
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule

port_dive = Procedure("port-dive", "17.463", "Kamikazes attack the ships in a port")


# --- who is attacked --------------------------------------------------------------------------------------------


@rule("17.463", "17.462", "17.47C.1", "23.11F", "23.51")
def ports_in_reach(state: OperationState, side: str) -> list[str]:
    """17.463: the enemy's ports within four hexes of Japan in which there are ships, but none whose ships other air has
    attacked in this phase (17.47C)."""
    struck = state.ports_struck if state.attacked_in == state.stage else []
    return [
        base
        for base in enemy_bases(state, side)
        if base not in struck and in_port(state, base) and state.kamikazes_fly(side, state.place(base).at)
    ]


@rule("17.47C.1")
def dived_at(state: OperationState) -> list[str]:
    """17.47C: the ports whose ships kamikazes have attacked in this phase: no other air of their side does."""
    return state.ports_dived if state.attacked_in == state.stage else []


@rule("17.463", "17.47D", "17.47D.1", "17.47D.2", "17.47D.3")
def announce_port_dives(state: OperationState) -> Script[None]:
    """17.47D: for each port the moving side says how many kamikazes attack the ships in it, and nobody goes with them;
    those of this player turn fly now (17.47D)."""
    side = state.setting.attacker
    for base in ports_in_reach(state, side):
        question = ("How many kamikazes attack the ships in {}?", state.place(base).name)
        number: int = yield Choose(side, ("kamikazes", base), able_to_dive(state), question, how_many, "17.463")
        if number:
            yield _take_off(state, Dive(side, base, number))


def _take_off(state: OperationState, dive: Dive) -> Note:
    state.kamikazes -= dive.number
    state.port_dives.append(dive)
    where = state.place(dive.target).name
    words = ("{}: {} against the ships in {}", state.name(dive.side), Kamikazes(dive.number), where)
    return Note(words, "17.47D", reveals=True)


def under_way(state: OperationState) -> tuple[Dive, str]:
    """The attack that is under way, and the port that it is made on."""
    return state.port_dives[0], state.port_dives[0].target


# --- the defenses -----------------------------------------------------------------------------------------------


@port_dive.segment("17.3126", "Carrier air in port is revealed")
@rule("17.3126A", "23.411.1", "23.131A")
def begin(state: OperationState) -> Script[Next]:
    """17.3126: squadrons of carriers in port come to light and defend the base, like the air that is based there, in
    squadrons: kamikazes count as naval air in air combat (17.464)."""
    dive, base = under_way(state)
    begin_base_attack(state, dive.side, base, "")
    name_attackers(state, dive.side, "kamikazes")
    state.note_attack(base)
    state.ports_dived.append(base)
    yield from come_ashore(state, base)
    rouse(state, base)
    return None


@port_dive.segment("17.47E", "Air combat over the port, in which kamikazes do not roll")
@rule("17.47E", "17.47E.1", "17.464", "23.411C", "23.413")
def air_combat(state: OperationState) -> Script[Next]:
    """23.411C, 23.413: nobody counterairs the air that is based here, so only its uninverted units roll."""
    dive, base = under_way(state)
    if not in_port(state, base):
        yield Note(("{}: no target for {}", state.name(dive.side), Kamikazes(dive.number)), "17.48")
        spend(state, dive)
        return "divert"
    if not _ready(state.sites[base].air):
        return None
    break_down_site(state, state.sites[base])
    dive.defenders = _ready(state.sites[base].air)
    strength, ledger = met_by(state, dive, Circumstances(Combat.NAVAL_BASE))
    side, result = state.place(base).side, NO_EFFECT
    purpose = ("{}: air combat over {}, row {}", state.name(side), state.place(base).name, strength)
    for roll in rolls(side, strength, ledger, purpose, state.setting.options):
        result += yield roll
    yield shoot_at(state, dive, result, "17.47E")
    return None if dive.number else "divert"


def _ready(air: Force) -> Force:
    """23.413: uninverted air, but no transports."""
    return {which: number for which, number in air.items() if not which.inverted and which.strength}


@port_dive.segment("23.4212", "The air defense of the port")
@rule("17.47E", "23.421.2", "23.4212", "23.424#2")
def air_defense(state: OperationState) -> Script[Next]:
    """17.47E, 23.421: then the air defense of the port; if any get through, all the ships are seen (23.424#2)."""
    dive, base = under_way(state)
    side, name, result = state.place(base).side, state.place(base).name, NO_EFFECT
    yield Note(("The attack comes to the ships in {}", name), "23.42", reveals=True)
    for roll in defense_rolls(state, side, name, port_level(state, base)):
        result += yield roll
    yield shoot_at(state, dive, result, "17.47E")
    yield from rejoin(state, dive)
    return None if dive.number else "divert"


# --- the attacks ------------------------------------------------------------------------------------------------


@port_dive.segment("17.47F", "Targets fall by the dice, and then by choice")
@rule("17.47F", "23.43A", "23.43B", "23.424#2")
def targets(state: OperationState) -> Script[Next]:
    """17.47F: a category by the die for each of them, and within it a ship each, of all the ships in port."""
    dive, base = under_way(state)
    for force in in_port(state, base).values():
        force.seen = True
        where = state.place(base).name
        yield Note(("{} in {}: {}", force.marker, where, Ships(force.group.ships.items())), "23.424#2", reveals=True)
    yield from choose_targets(state, dive, harbour(state, base).ships)
    return None


@port_dive.segment("17.47G", "The attacks")
@rule("17.47G", "17.47H", "17.48", "23.443B.1", "23.441")
def attack(state: OperationState) -> Script[Next]:
    """17.47G: for each target one roll on the Naval Attack Table, without the +1 that naval air has at sea (17.354);
    ships are damaged, sunk or destroyed as in any attack on a port. Then all who attacked are lost (17.48)."""
    dive, base = under_way(state)
    for target, number in in_order_of_ships(dive, harbour(state, base).ships):
        aimed = aimed_at(harbour(state, base), target)
        hits = 0
        for roll in attack_rolls(state, dive.side, aimed, number, at_sea=False):
            hits += yield roll
        if hits and target == LIGHT_SHIPS:
            yield from hit_light_in_port(state, base, hits)
        elif hits:
            yield from hit_in_port(state, dive.side, base, aimed[0], hits)
    spend(state, dive)
    return None


@port_dive.segment("17.47E", "Those who were driven off attack after all")
@rule("17.47E.3", "17.47E.3.1")
def divert(state: OperationState) -> Script[Next]:
    """17.47E: there is no other group to which they could be diverted, and nobody fires at them again. So those attack
    that have not rejoined the others: all were driven off in air combat, or by option."""
    dive, base = under_way(state)
    if not dive.diverted:
        return None
    dive.number, dive.diverted = dive.diverted, 0
    if in_port(state, base):
        return "targets"
    yield Note(("{}: no target for {}", state.name(dive.side), Kamikazes(dive.number)), "17.48")
    spend(state, dive)
    return None


@port_dive.segment("17.47D", "A second wave may follow")
@rule("17.47D.2.1")
def second_wave(state: OperationState) -> Script[Next]:
    """17.47D: all the ships in a port are one force, so a second wave may follow, and meets all the defenses again. It
    is the last one."""
    dive, base = under_way(state)
    if dive.lone or not in_port(state, base):
        return None
    dive.lone = True
    question = ("How many kamikazes attack the ships in {} in a second wave?", state.place(base).name)
    number: int = yield Choose(dive.side, "wave", able_to_dive(state), question, how_many, "17.47D")
    if not number:
        return None
    state.port_dives.remove(dive)
    note = _take_off(state, Dive(dive.side, base, number, True))
    state.port_dives = [state.port_dives.pop(), *state.port_dives]
    yield note
    return "air_combat"


@port_dive.segment("23.46", "Who is in the base may leave it")
@rule("23.46", "23.46A", "17.3127")
def leave(state: OperationState) -> Script[Next]:
    """23.46: after the attack those in the base may leave it."""
    _, base = under_way(state)
    yield from settle_defenders(state, base)
    return Call("escape", (base, ""))


@port_dive.segment("17.48", "The attack is over")
@rule("17.48")
def end(state: OperationState) -> Next:
    """17.48: nobody comes back from it."""
    state.port_dives.pop(0)
    end_fight(state)
    state.fleet = {one: force for one, force in state.fleet.items() if force.group.ships or force.sunk_in_port}
    return END
