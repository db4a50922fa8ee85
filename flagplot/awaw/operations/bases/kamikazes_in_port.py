"""Kamikazes against ships in port (17.463, 23.11F), in the combat phase of their own player turn.

All the ships in a port are one force (23.43). The air that is based there and the air defense of the port meet the
kamikazes as they meet other air (23.411C, 23.421); the rest is as at sea (17.47).
"""

from __future__ import annotations

from flagplot.awaw.battle.kamikazes import (
    Kamikazes,
    able_to_dive,
    ask_second_wave,
    choose_targets,
    find_nothing,
    kamikazes_attack,
    meet_guns,
    meet_squadrons,
)
from flagplot.awaw.counterair import break_down_site
from flagplot.awaw.kamikaze_force import kamikazes_fly
from flagplot.awaw.operations.bases.harbours import InPort, come_ashore, in_port, ready, rouse, settle_defenders
from flagplot.awaw.operations.bases.targets import enemy_bases
from flagplot.awaw.operations.records.record import begin_base_attack, end_fight, name_attackers
from flagplot.awaw.procedures import escape, port_dive
from flagplot.awaw.state.battle import Dive
from flagplot.awaw.state.state import State
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.words import how_many

# --- who is attacked --------------------------------------------------------------------------------------------


@rule("17.463", "17.462", "17.47C.1", "23.11F", "23.51")
def ports_in_reach(state: State, side: str) -> list[str]:
    """17.463: the enemy's ports within four hexes of Japan in which there are ships, but none whose ships other air has
    attacked in this phase (17.47C)."""
    struck = state.operation.raids_now.on_ships
    return [
        base
        for base in enemy_bases(state, side)
        if base not in struck and in_port(state, base) and kamikazes_fly(state, side, state.place(base).at)
    ]


NO_PORT = Refusal("no port within four hexes of Japan holds ships that other air has left alone", "17.462")


@rule("17.47C.1")
def dived_at(state: State) -> list[str]:
    """17.47C: the ports whose ships kamikazes have attacked in this phase: no other air of their side does."""
    return state.operation.raids_now.by_kamikazes


@rule("17.463", "17.47D", "17.47D.1", "17.47D.2", "17.47D.3")
def announce_port_dives(state: State) -> Script[None]:
    """17.47D: for each port the moving side says how many kamikazes attack the ships in it, and nobody goes with them;
    those of this player turn fly now (17.47D)."""
    side = state.scene.attacker
    for base in ports_in_reach(state, side):
        question = ("Attack ships in {} with how many kamikazes?", state.place(base).name)
        number: int = yield Choose(side, ("kamikazes", base), able_to_dive(state), question, how_many, "17.463")
        if number:
            yield _take_off(state, Dive(side, base, number, lone=True))


def _take_off(state: State, dive: Dive) -> Note:
    state.kamikazes -= dive.number
    state.operation.port_dives.append(dive)
    where = state.place(dive.target).name
    words = ("{}: {} against the ships in {}", state.name(dive.side), Kamikazes(dive.number), where)
    return disclosed(words, "17.47D", dive.side)


def under_way(state: State) -> tuple[Dive, InPort]:
    """The attack that is under way, and the ships that it is made on."""
    operation = state.operation
    return operation.port_dives[0], InPort(state, operation.port_dives[0].target)


# --- the defenses -----------------------------------------------------------------------------------------------


@port_dive.segment("17.3126", "Carrier air in port is revealed")
@rule("17.3126A", "23.411.1", "23.131A")
def begin(state: State) -> Script[Next]:
    """17.3126: squadrons of carriers in port come to light and defend the base, like the air that is based there, in
    squadrons: kamikazes count as naval air in air combat (17.464)."""
    operation = state.operation
    dive, base = operation.port_dives[0], operation.port_dives[0].target
    begin_base_attack(state, dive.side, base, "")
    name_attackers(state, dive.side, "kamikazes")
    operation.note_attack(base)
    operation.last_raids.by_kamikazes.append(base)
    yield from come_ashore(state, base)
    rouse(state, base)
    return None


@port_dive.segment("23.411C", "Air based there engages")
@rule("23.411C", "23.413", "23.131A")
def engage(state: State) -> Script[Next]:
    """23.411C, 23.413: nobody counterairs the air that is based here, so only its uninverted units fight, and have no
    choice; in squadrons, like the kamikazes (17.464)."""
    dive, target = under_way(state)
    site = state.sites[target.base]
    if not target.ships:
        yield find_nothing(state, dive)
        return second_wave
    if not ready(site.air):
        return air_defense
    break_down_site(state, site)
    dive.defenders = ready(site.air)
    return None


@port_dive.segment("17.47E", "Air combat over the port, in which kamikazes do not roll")
def air_combat(state: State) -> Script[Next]:
    return meet_squadrons(state, *under_way(state), none_left=divert)


@port_dive.segment("23.4212", "The air defense of the port")
@rule("23.421.2", "23.4212")
def air_defense(state: State) -> Script[Next]:
    """23.421: then the air defense of the port; nobody can be diverted to other ships."""
    return meet_guns(state, *under_way(state), alone=True, none_left=divert)


# --- the attacks ------------------------------------------------------------------------------------------------


@port_dive.segment("17.47F", "Targets are rolled, then chosen")
@rule("23.43A", "23.43B")
def targets(state: State) -> Script[Next]:
    """23.43: of all the ships in port."""
    dive, target = under_way(state)
    return choose_targets(state, dive, target.ships)


@port_dive.segment("17.47G", "The attacks")
@rule("17.47H", "23.441")
def attack(state: State) -> Script[Next]:
    """17.47H: without the +1 that naval air has at sea (17.354)."""
    yield from kamikazes_attack(state, *under_way(state))
    return None


@port_dive.segment("17.47E", "Kamikazes that were driven off attack after all")
@rule("17.47E.3", "17.47E.3.1")
def divert(state: State) -> Script[Next]:
    """17.47E: there is no other group to which they could be diverted, and nobody fires at them again. So those attack
    that have not rejoined the others: all were driven off in air combat, or by option."""
    dive, target = under_way(state)
    if not dive.diverted:
        return None
    dive.number, dive.diverted = dive.diverted, 0
    if not target.ships:
        yield find_nothing(state, dive)
        return None
    yield from target.show()
    return targets


@port_dive.segment("17.47D", "A second wave may follow")
@rule("17.47D.2.1")
def second_wave(state: State) -> Script[Next]:
    """17.47D: all the ships in a port are one force, so a second wave may follow, and meets all the defenses again. It
    is the last one."""
    operation = state.operation
    dive, target = under_way(state)
    number = yield from ask_second_wave(state, dive, target)
    if not number:
        return None
    operation.port_dives.remove(dive)
    note = _take_off(state, Dive(dive.side, dive.target, number))
    operation.port_dives = [operation.port_dives.pop(), *operation.port_dives]
    yield note
    return engage


@port_dive.segment("23.46", "Forces in the base may leave it")
@rule("23.46", "23.46A", "17.3127")
def leave(state: State) -> Script[Next]:
    """23.46: after the attack those in the base may leave it."""
    base = state.operation.port_dives[0].target
    yield from settle_defenders(state, base)
    return Call(escape, (base, ""))


@port_dive.segment("17.48", "The attack ends")
@rule("17.48")
def end(state: State) -> Next:
    """17.48: nobody comes back from it."""
    operation = state.operation
    operation.port_dives.pop(0)
    end_fight(state)
    operation.drop_sunk_forces()
    return END
