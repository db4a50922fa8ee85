"""Which bases may be attacked from the air, by whom and with what (23.11F, 23.51, 23.61-23.62)."""

from __future__ import annotations

from enum import StrEnum

from flagplot.awaw.air_units import ARMY_ROLES, Arm, Force, Role, Unit, add
from flagplot.awaw.basing import distance
from flagplot.awaw.counting import combined
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.names import force_name
from flagplot.awaw.procedures import base_strike
from flagplot.awaw.reach import NAVAL_RANGE, flies_missions, is_fit
from flagplot.awaw.ships import carriers, decks
from flagplot.awaw.state.operation import Activity, NavalForce, Progress
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.missions.overflight import air_hexes
from flagplot.kernel.procedures import Call
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

LAND_BASED = ""
"""Instead of the key of a voyage or of a patrolling force: land-based air attacks."""
NONE = "none"
BASE_ATTACK = "base-attack"
"""What carriers have done that have attacked a base (`Operation.tasks`)."""


class Permission(StrEnum):
    """What an attack on a base may be aimed at."""

    NOTHING = "nothing"
    COUNTERAIR = "counterair"
    """Its air units alone."""
    ALL = "all"
    """Its air units, and the ships in port."""


# --- who may attack ---------------------------------------------------------------------------------------------


@rule("23.51", "23.61", "23.61A", "23.61B", "23.62", "18.511A", "18.511C", "18.512A", "18.512B", "SOP-PA-B.1.b.1")
def permission(state: State, key: str) -> Permission:
    """23.61: carriers attack bases from their patrol hex, on a fast carrier mission from their mission hex, and on the
    way to a patrol hex air bases alone; on any other activity they may not, whoever has attacked them (23.62). 23.51:
    land-based air attacks ships in port in the combat phase, after the counterair missions of it; air bases in the
    movement phase too (18.511)."""
    operation = state.operation
    if key == LAND_BASED:
        ports = Permission.COUNTERAIR if operation.counterair_first else Permission.ALL
        stages = {"movement": Permission.COUNTERAIR, "combat": ports}
        return stages.get(state.now, Permission.NOTHING)
    voyage = operation.voyages.get(key)
    if voyage is None:
        patrols = key in operation.fleet and operation.fleet[key].patrol == "offensive"
        return Permission.ALL if patrols else Permission.NOTHING
    arrived = voyage.step == len(voyage.path) - 1 and voyage.progress in (Progress.UNDER_WAY, Progress.ARRIVED)
    if voyage.activity is Activity.PATROL and not voyage.level:
        return Permission.ALL if arrived else Permission.COUNTERAIR
    mission = voyage.activity is Activity.CARRIER_MISSION and arrived
    return Permission.ALL if mission else Permission.NOTHING


NOT_FROM_HERE = Refusal("carriers attack bases from a patrol or mission hex, and air bases on the way to one", "23.61")
"""What `permission` says of carriers, for people."""
NO_BASE_IN_RANGE = Refusal(f"no enemy base within {NAVAL_RANGE} hexes", "23.61")


def is_patrol(state: State, key: str) -> bool:
    """Whether the carriers of a key are on patrol, or on the way to it: they attack one round at a time (21.416I)."""
    operation = state.operation
    voyage = operation.voyages.get(key)
    return voyage.activity is Activity.PATROL if voyage else key in operation.fleet


def in_patrol_hex(state: State, key: str) -> bool:
    """23.46B: whether it is a patrol in its patrol hex."""
    return is_patrol(state, key) and permission(state, key) is Permission.ALL


def carrier_forces(state: State, key: str) -> dict[str, NavalForce]:
    """The forces whose carriers attack together: those of a voyage, or those on patrol in one hex."""
    operation = state.operation
    if key in operation.voyages:
        return operation.sailing(operation.voyages[key])
    one = operation.fleet[key]
    mine = {other: force for other, force in operation.fleet_of(one.side).items() if force.patrol == one.patrol}
    free = [other for other in mine if operation.tasks.get(other, BASE_ATTACK) == BASE_ATTACK]  # 21.4181C
    return {other: mine[other] for other in free if mine[other].at == one.at}


def carriers_at(state: State, key: str) -> Hex:
    """The hex from which carriers attack."""
    operation = state.operation
    return operation.voyages[key].at if key in operation.voyages else operation.fleet[key].at


# --- with what --------------------------------------------------------------------------------------------------


@rule("23.51.1", "23.11F", "18.51", "18.51.1")
def available(state: State, base: str, key: str) -> Force:
    """23.51: what can fly against a base: land-based air, or that of carriers, and never both together."""
    if key == LAND_BASED:
        return land_air(state, base)
    if distance(carriers_at(state, key), state.place(base).at) > NAVAL_RANGE:
        return {}
    return combined([launchable(force) for force in carrier_forces(state, key).values()])


@rule("17.3124.5", "17.312")
def launchable(force: NavalForce) -> Force:
    """17.3124: the squadrons of undamaged carriers; damaged ones launch none."""
    sound = {country: room for country, (room, _) in decks(force.group.ships).items()}
    able: Force = {}
    for which, number in force.group.air.items():
        some = min(number, sound.get(which.nation, 0))
        if some:
            sound[which.nation] -= some
            able[which] = some
    return able


@rule("18.51", "18.51.1", "18.521", "23.11F", "23.162", "23.54")
def land_air(state: State, base: str) -> Force:
    """18.51: uninverted air in range, in bases that are fully supplied and free of oil effects, that has not been
    committed at sea in this player turn (23.162). Army air flies in factors (23.11F); squadrons that have counteraired
    in this attack may fly again (23.54)."""
    operation = state.operation
    aim = state.place(base)
    flown = operation.base_strike.flown if operation.base_strike else {}
    air: Force = {}
    for key in state.of_side(state.other(aim.side)):
        place, site = state.place(key), state.sites[key]
        if place.afloat or place.box or not is_fit(place):
            continue
        hexes = air_hexes(state, key, aim.at)
        for which, number in site.air.items():
            if not flies_missions(place, which, state.setting.options):
                continue
            free = number - site.committed.get(which, 0) - site.used.get(which, 0)
            if which.role in ARMY_ROLES or (which.arm is Arm.JET and which.role is Role.SQUADRONS):
                free = min(free, flown.get(which, 0))
            if free > 0 and which.strength and not which.inverted and which.reach >= hexes:
                add(air, which, free)
    return air


@rule("23.11F", "17.53B", "17.531")
def may_attack_ships(which: Unit) -> bool:
    """23.11F: ships in port are attacked by army and naval air; jets only escort them (17.53)."""
    return which.arm in (Arm.ARMY, Arm.NAVAL, Arm.ELITE)


# --- which bases ------------------------------------------------------------------------------------------------


def enemy_bases(state: State, side: str) -> list[str]:
    """The bases of the enemy that can be attacked: those on the map that can hold anything."""
    places = [(key, state.place(key)) for key in state.of_side(state.other(side))]
    return [
        key
        for key, place in places
        if not place.afloat and not place.box and (place.installations or place.island or place.ports)
    ]


@rule("18.525", "23.152B", "23.54")
def open_to_land_air(state: State) -> list[str]:
    """18.525: the enemy bases that land-based air of the moving side has not attacked in this phase."""
    operation, scene = state.operation_if_any, state.scene
    if operation is None:
        bases = state.of_side(scene.defender)
        return [base for base in bases if scene.near.get(base) and not state.sites[base].counteraired]
    return [base for base in enemy_bases(state, scene.attacker) if base not in operation.raids_now.by_land]


@rule("23.61", "17.32")
def carrier_targets(state: State, key: str) -> list[str]:
    """The bases that these carriers may attack, as far as everybody can tell: whether a task force has carriers, and
    squadrons aboard, is known to its owner."""
    if permission(state, key) is Permission.NOTHING:
        return []
    forces = carrier_forces(state, key)
    if not any([may_have_carriers(force) for force in forces.values()]):
        return []
    side, at = next(iter(forces.values())).side, carriers_at(state, key)
    return [base for base in enemy_bases(state, side) if distance(at, state.place(base).at) <= NAVAL_RANGE]


def may_have_carriers(force: NavalForce) -> bool:
    """Whether a force may have carriers, as far as everybody can tell."""
    return (force.group.task_force and not force.seen) or carriers(force.group.ships) > 0


@rule("18.525", "23.51", "18.523")
def land_targets(state: State, side: str) -> list[str]:
    """The bases that land-based air of the moving side may attack, each once a phase."""
    if permission(state, LAND_BASED) is Permission.NOTHING or side != state.scene.attacker:
        return []
    return [base for base in open_to_land_air(state) if land_air(state, base)]


@rule("23.61", "23.51", "SOP-PA-C.2", "SOP-PA-E.1.c")
def offer_base_strike(state: State, key: str = LAND_BASED, among: list[str] | None = None) -> Script[Call | None]:
    """23.61: the side is asked which base, of some or of all, its carriers or its land-based air attack next: the
    attack, or nothing.

    A task force is asked whether or not it has carriers, so that nobody learns it from the question.
    """
    land = key == LAND_BASED
    side = state.scene.attacker
    if not land and carrier_forces(state, key):
        side = next(iter(carrier_forces(state, key).values())).side
    known = among
    if known is None:
        known = land_targets(state, side) if land else carrier_targets(state, key)
    if not known:
        return None
    able = [base for base in known if available(state, base, key)]
    labels: dict[str, Words] = {base: ("Attack {}", state.place(base).name) for base in able}
    labels[NONE] = "No attack"
    question = ("Choose a base for {} to attack", "land-based air" if land else _who(state, key))
    verb, number = ("base-attack", key or "land"), "23.51" if land else "23.61"
    chosen: str = yield Choose(side, verb, [*able, NONE], question, labels, number, always=not land)
    return None if chosen == NONE else Call(base_strike, (chosen, key))


def _who(state: State, key: str) -> str:
    operation = state.operation
    return force_name(state, operation.voyages[key]) if key in operation.voyages else operation.fleet[key].marker
