"""Escape from a base under air attack (23.46): ships go to the nearest safe port, air units to other bases."""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.awaw.basing import distance
from flagplot.awaw.counterair import STAY, offer_to_leave
from flagplot.awaw.operations.bases.harbours import embark, in_port
from flagplot.awaw.operations.bases.port_room import port_room, size
from flagplot.awaw.operations.bases.targets import carriers_at, enemy_bases, in_patrol_hex
from flagplot.awaw.operations.names import force_name
from flagplot.awaw.operations.passage.homeward import dock, new_voyage
from flagplot.awaw.procedures import escape, interceptions, passage
from flagplot.awaw.reach import NAVAL_RANGE
from flagplot.awaw.ships import carriers
from flagplot.awaw.state.operation import Activity, NavalForce, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Choose, Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words

FAR = {False: 40, True: 20}
"""How far ships escape, in Europe and in the Pacific (21.3613; by assumption the range of other activities)."""


@rule("23.46", "23.46A", "23.46B", "23.46C")
def threatened(state: State, base: str, key: str) -> list[str]:
    """23.46: the bases that may be left: those that were attacked, by their keys with commas between them; and if a
    patrol has attacked from its patrol hex, or was in naval combat there, all within range of it."""
    bases = base.split(",") if base else []
    if key and in_patrol_hex(state, key):
        at = carriers_at(state, key)
        for other in enemy_bases(state, _attacker(state, key)):
            if other not in bases and distance(at, state.place(other).at) <= NAVAL_RANGE:
                bases.append(other)
    return bases


@rule("23.46C")
def alarmed(state: State) -> list[str]:
    """23.46C: the bases that air units may leave after a round of this naval battle: those within range of a patrol
    that is in naval combat in its patrol hex."""
    operation = state.operation_if_any
    if operation is None or operation.encounter is None:
        return []
    waits = state.setting.options.escape_from_patrols == "after-battle"
    return [] if waits else threatened(state, "", operation.encounter.target)


def _attacker(state: State, key: str) -> str:
    operation = state.operation
    return operation.voyages[key].side if key in operation.voyages else operation.fleet[key].side


# --- ships ------------------------------------------------------------------------------------------------------


@escape.segment("23.462", "Ships leave or stay")
@rule("23.46", "23.462A", "SOP-PA-C.3", "17.3126C.2")
def ships_leave(state: State, base: str, key: str) -> Script[Next]:
    """23.462: ships that are not sunk in port may leave for the nearest base of their side that is in range, has room,
    and is beyond the range of enemy air. Their squadrons may go with them (17.3126C)."""
    for port in threatened(state, base, key):
        forces = in_port(state, port)
        if not forces:
            continue
        side = state.place(port).side
        words = ("{}: choosing whether ships leave {}", state.name(side), state.place(port).name)
        script = _choose_refuges(state, forces)
        going: dict[str, str] = yield from secretly(side, words, script, "23.462")
        for to in dict.fromkeys(going.values()):
            fleeing = [force for force, refuge in going.items() if refuge == to]
            names = ", ".join([forces[force].marker for force in fleeing])
            told = ("{}: {} leaves {} for {}", state.name(side), names, state.place(port).name, state.place(to).name)
            yield disclosed(told, "23.462", side)
            for force in fleeing:
                yield from embark(state, force)
            _set_out(state, fleeing, port, to)
    return None


def _choose_refuges(state: State, forces: dict[str, NavalForce]) -> Script[dict[str, str]]:
    """Which forces leave a port, and where to; forces that go to the same place find room together."""
    going: dict[str, str] = {}
    for key, force in forces.items():
        found = havens(state, key, going)
        if not found:
            continue
        labels: dict[str, Words] = {STAY: "Stay"}
        labels |= {base: ("Sail to {}", state.place(base).name) for base in found}
        question = ("Move {} out of {}?", force.marker, state.place(force.base).name)
        chosen: str = yield Choose(force.side, ("escape", key), [STAY, *found], question, labels, "23.462")
        if chosen != STAY:
            going[key] = chosen
    return going


@rule("23.462A")
def havens(state: State, key: str, going: dict[str, str]) -> list[str]:
    """23.462A: the nearest base of its side within range that can receive a force and is out of range of uninverted
    enemy land-based air and of patrols; several if they are equally near. `going` are others on their way."""
    operation = state.operation
    force = operation.fleet[key]
    board, start = operation.plan.board, state.place(force.base).at
    found: dict[str, int] = {}
    for base in state.of_side(force.side):
        place = state.place(base)
        if base == force.base or place.afloat or not (place.ports or place.box):
            continue
        sails = board.sea_distance(start, place.at)
        bound = sum([size(operation.fleet[other].group.ships) for other, to in going.items() if to == base])
        roomy = place.box or port_room(state, base) - bound >= size(force.group.ships)
        if sails is not None and sails <= FAR[state.setting.pacific] and roomy and not in_enemy_reach(state, base):
            found[base] = sails
    return [base for base, sails in found.items() if sails == min(found.values())]


@rule("23.462A", "18.49")
def in_enemy_reach(state: State, base: str) -> bool:
    """23.462A: whether uninverted enemy land-based air, or the carriers of an enemy patrol, can reach a base; a box is
    out of reach (18.49). A task force on patrol counts until it is known to have no carriers."""
    place = state.place(base)
    if place.box:
        return False
    enemy = state.other(place.side)
    return any([hexes <= reach for hexes, reach in _reaching(state, enemy, place.at)])


def _reaching(state: State, enemy: str, at: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """How far each enemy air unit, and each patrol, is away, and how far it flies."""
    for key in state.of_side(enemy):
        place = state.place(key)
        if not place.afloat and not place.box:
            hexes = distance(place.at, at)
            for which in state.sites[key].air:
                if which.strength and not which.inverted:
                    yield hexes, which.reach
    for force in state.operation.fleet_of(enemy).values():
        open_ = force.seen or not force.group.task_force
        if _on_patrol(state, force) and (carriers(force.group.ships) or not open_):
            yield distance(force.at, at), NAVAL_RANGE


def _on_patrol(state: State, force: NavalForce) -> bool:
    voyage = state.operation.voyages.get(force.voyage)
    return bool(force.patrol) or (voyage is not None and voyage.activity is Activity.PATROL)


def _set_out(state: State, forces: list[str], port: str, to: str) -> None:
    operation = state.operation
    path = operation.plan.board.sea_path(state.place(port).at, state.place(to).at)
    assert path is not None, "the distance was looked up"
    for force in forces:
        operation.fleet[force].group.activity = Activity.ESCAPE.value
    new_voyage(state, Voyage(state.place(port).side, Activity.ESCAPE, forces, path, base=to))


# --- air units --------------------------------------------------------------------------------------------------


@escape.segment("23.461", "Air units leave or stay")
@rule("23.46", "23.461A", "23.461B", "SOP-PA-C.3", "18.522A")
def air_leaves(state: State, base: str, key: str) -> Script[Next]:
    """23.461: all air units of a base may fly to others in staging range that have room and were not attacked in this
    phase, and are inverted there. By option they stay if none of the attackers is left (18.522A)."""
    operation = state.operation
    bases = threatened(state, base, key)
    if operation.base_strike is not None and operation.base_strike.repelled and base in bases:
        bases.remove(base)
    yield from offer_to_leave(state, bases)
    return None


# --- the passage ------------------------------------------------------------------------------------------------


@escape.segment("22.13G", "Departing ships may be intercepted, but not by patrols")
@rule("22.13G", "23.462C")
def contest(state: State, base: str, key: str) -> Next:
    """22.13G: escaping ships may be intercepted; patrols, those that have attacked the base among them, may not
    (23.462C): on offensive patrol nobody intercepts."""
    waiting = _waiting(state)
    return Call(interceptions, (waiting[0],)) if waiting else END


def _waiting(state: State) -> list[str]:
    return [
        key for key, voyage in state.operation.voyages.items() if voyage.activity is Activity.ESCAPE and voyage.is_open
    ]


@escape.segment("23.462B", "They sail")
@rule("23.462B", "22.19")
def sail(state: State, base: str, key: str) -> Next:
    """23.462B: they sail to their refuge; from the water of their base on, the land-based air that has struck the base
    may attack them, as other land-based air may."""
    waiting = _waiting(state)
    return Call(passage, (waiting[0],)) if waiting else None


@escape.segment("23.462A", "They reach their refuge")
@rule("23.462A")
def arrive(state: State, base: str, key: str) -> Script[Next]:
    """23.462A: what is left of them lies in its new base."""
    for voyage in list(state.operation.voyages.values()):
        if voyage.activity is Activity.ESCAPE and voyage.progress is Progress.ARRIVED:
            yield Note(("{} reaches {}", force_name(state, voyage), state.place(voyage.base).name), "23.462")
            dock(state, voyage)
    return contest
