"""Squadrons of fast carriers at sea that take part in ground combat (18.5522, 18.562, 21.4181C).

Carriers on offensive patrol, or on a mission in their mission hex, may attack bases, or give ground support, or
intercept defensive air support: one of them in a player turn, and support or interception in one phase of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from flagplot.awaw.air_units import Counted, Force, Listed, Unit, add, take
from flagplot.awaw.battle.picking import Most, asked_about, gather
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.bases.targets import launchable, may_have_carriers
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.reach import NAVAL_RANGE
from flagplot.awaw.ships import decks
from flagplot.awaw.state.operation import Activity, NavalForce, Progress
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Flight, FlightKind, Phase
from flagplot.awaw.turn.missions.abilities import Task, in_phase
from flagplot.awaw.turn.missions.overflight import air_distance
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly

MISSIONS = frozenset({Activity.CARRIER_MISSION, Activity.INVASION, Activity.BOMBARDMENT})
"""What carriers are at sea for when they fly over land, beside patrols (23.61B)."""
_KINDS = {Task.GROUND_SUPPORT: FlightKind.GROUND_SUPPORT, Task.INTERCEPT_DAS: FlightKind.INTERCEPTION}
_RULES = {Task.GROUND_SUPPORT: "18.5522", Task.INTERCEPT_DAS: "18.562"}


@rule("18.5522", "18.562", "18.48", "SOP-PA-E.1.a", "SOP-PA-E.1.b")
def forces_in_reach(state: State, task: Task, hexes: Iterable[Hex]) -> list[str]:
    """18.5522: the forces of the moving side whose carriers may fly over all of some hexes, for all that everybody can
    tell; nobody in exploitation, when all are home."""
    if in_phase(task, state.turn.step) is not None or state.turn.step == Phase.EXPLOITATION:
        return []
    aims = list(hexes)
    fleet = state.operation.fleet_of(state.moving)
    return [key for key, force in fleet.items() if may_have_carriers(force) and not kept_away(state, task, key, aims)]


OUT_OF_RANGE = Refusal("no hex in range of its station needs it", "18.5522")


@rule("18.5522", "18.562")
def kept_away(state: State, task: Task, key: str, hexes: Iterable[Hex]) -> Refusal | None:
    """18.5522: why squadrons of a force at sea do not fly over all of some hexes: it is not on station there, one of
    the hexes is out of range, or it has done something else (21.4181C)."""
    force = state.operation.fleet[key]
    if not _is_on_station(state, force):
        return Refusal("carriers support land combat only from an offensive patrol or a mission hex", "18.5522")
    if not all([_is_in_range(state, force.at, at) for at in hexes]):
        return OUT_OF_RANGE
    if state.operation.tasks.get(key, _task(state, task)) != _task(state, task):
        return Refusal("already did something else this player turn", "21.4181C")
    return None


def _is_in_range(state: State, one: Hex, other: Hex) -> bool:
    hexes = air_distance(state, one, other)
    return hexes is not None and hexes <= NAVAL_RANGE


def _task(state: State, task: Task) -> str:
    return f"{task.value}/{state.turn.step}"


def _is_on_station(state: State, force: NavalForce) -> bool:
    if force.patrol:
        return force.patrol == "offensive"
    voyage = state.operation.voyages.get(force.voyage)
    if voyage is None or voyage.level or voyage.activity not in MISSIONS or force.at != voyage.path[-1]:
        return False
    return voyage.progress in (Progress.ARRIVED, Progress.OVER)


@rule("18.5522", "18.562", "17.312")
def send_from_carriers(
    state: State, task: Task, hexes: tuple[Hex, ...], most: int, verb: str = "launch"
) -> Script[Force]:
    """Force by force the moving side says how many squadrons fly, up to so many thirds of a factor in all. Task forces
    are asked about whether or not they have any, so that nobody learns it from the question. Gives what flew."""
    side, sent = state.moving, dict[str, Force]()
    for key in forces_in_reach(state, task, hexes):
        force = state.operation.fleet[key]
        able, left = _fresh(state, key), most - sum([sum(air.values()) for air in sent.values()])
        where = hex_name(state, hexes[0])
        question = asked_about(f"{force.marker} over {where}", "fly", "Stay aboard", "Fly")
        script = gather(side, f"{verb}:{key}", able, within(able, left), 0, question, _RULES[task])
        words = ("{}: launching squadrons from {}", state.name(side), force.marker)
        sent[key] = yield from secretly(side, words, script, _RULES[task])
    for key, air in sent.items():
        if air:
            yield from _take_off(state, key, task, hexes[0], air)
    flown: Force = {}
    for air in sent.values():
        for which, number in air.items():
            add(flown, which, number)
    return flown


@rule("18.564", "18.42A")
def _fresh(state: State, key: str) -> Force:
    """18.564: the squadrons of a force that can take off and have flown no mission in this player turn."""
    force = state.operation.fleet[key]
    fresh = Counter(force.group.air) - Counter(state.turn.back_aboard.get(key, {}))
    return {which: min(number, fresh[which]) for which, number in launchable(force).items() if which in fresh}


def within(able: Force, thirds: int) -> Most:
    """How many of each kind may still fly, if so many thirds of a factor may in all."""

    def most(which: Unit, chosen: Force) -> int:
        used = sum([number * unit.size for unit, number in chosen.items()])
        return max(0, min(able[which], (thirds - used) // which.size))

    return most


def _take_off(state: State, key: str, task: Task, at: Hex, air: Force) -> Script[None]:
    operation = state.operation
    force = operation.fleet[key]
    for which, number in air.items():
        take(force.group.air, which, number)
    operation.tasks[key] = _task(state, task)
    state.turn.flights.append(Flight(force.side, _KINDS[task], at, dict(air), from_ship=key))
    told = ("{}: {} launches over {}: {}", state.name(force.side), force.marker, hex_name(state, at))
    yield disclosed((*told, Listed(air.items())), _RULES[task], force.side)


@rule("18.564", "17.3124", "18.524B")
def take_aboard(state: State, key: str, air: Force) -> Script[None]:
    """Squadrons return to the sound carriers of their force, as far as there is room on their decks; others are lost
    (17.3124). They have flown their mission (18.564)."""
    force = state.operation.fleet[key]
    room = Counter({country: sound for country, (sound, _) in decks(force.group.ships).items()})
    for which, number in force.group.air.items():
        room[which.nation] -= number
    landed: Force = {}
    for which, number in air.items():
        back = min(number, max(0, room[which.nation]))
        if back:
            landed[which] = back
            add(force.group.air, which, back)
            add(state.turn.back_aboard.setdefault(key, {}), which, back)
            room[which.nation] -= back
        if lost := number - back:
            state.lose({which: lost})
            yield Note(("No deck left for {}: lost", Counted(which, lost)), "17.3124")
    if landed:
        yield Note(("{}: back aboard {}: {}", state.name(force.side), force.marker, Listed(landed.items())), "18.564")
