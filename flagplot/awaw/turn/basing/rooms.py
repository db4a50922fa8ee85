"""How much air a base holds (18.1): who is there, who comes back, and in an air turn who may use a new airbase."""

from __future__ import annotations

from collections import Counter

from flagplot.awaw.air_units import Force, Unit, room
from flagplot.awaw.basing import capacity
from flagplot.awaw.counting import combined, merged
from flagplot.awaw.reach import squadrons_based
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Airbase
from flagplot.kernel.rules import rule

GUESTS = {"britain": frozenset({"australia", "free-france"})}
"""18.146: whose air may use an airbase at once, beside that of the major power which has placed it."""


@rule("17.21", "17.21.3", "17.31", "17.311", "17.51", "17.61", "18.11", "18.12", "18.13", "18.146.3")
@rule("18.11#ex1", "18.12#ex1", "18.13#ex1")
def fits(state: State, which: Unit, base: str) -> int:
    """18.1: for how many more such units a base has room. Army air, jets and air transports take the room of three
    naval squadrons; a one-hex island has room for one of these more, and a box for any number. Those who are out flying
    keep their place."""
    air = merged(state.sites[base].air, away(state, base))
    free = _free(state, base, air, which)
    counter = state.turn.airbases.get(base)
    if counter is not None and not may_use(state, counter, which.nation):
        foreign = {one: number for one, number in air.items() if not may_use(state, counter, one.nation)}
        free = min(free, _holds(state, base, air, which) - airbase_room(state, base) - room(foreign))
    return max(0, free // which.size)


@rule("18.46", "18.11", "18.13")
def lands(state: State, which: Unit, base: str) -> int:
    """18.46: for how many such units that come back from a mission a base has room. Those who are out flying keep their
    place in their own base (`fits`), so there only who is in it counts."""
    if base != which.home:
        return fits(state, which, base)
    return max(0, _free(state, base, state.sites[base].air, which) // which.size)


@rule("18.15")
def excess(state: State, base: str) -> int:
    """18.15: the squadrons' room by which there is more air in a base than it holds."""
    return 0 if state.place(base).afloat else max(0, -free_room(state, base))


def free_room(state: State, base: str) -> int:
    """The squadrons' room that is left in a base, or by how much it is too full, as a number below zero."""
    return _free(state, base, state.sites[base].air)


def _free(state: State, base: str, air: Force, which: Unit | None = None) -> int:
    """The squadrons' room that some air leaves in a base, to such a unit if one is named."""
    return _holds(state, base, air, which) - room(air) + aboard_in_port(state, base)


@rule("18.13", "17.311")
def _holds(state: State, base: str, air: Force, which: Unit | None) -> int:
    """18.13: the squadrons' room of a base, with the one naval squadron that a one-hex island bases beside all else."""
    place = state.place(base)
    naval = (which is not None and which.is_naval) or any([one.is_naval for one in air])
    return squadrons_based(place, state.setting.pacific) + int(place.island and naval)


@rule("18.11", "17.3126#note1.1")
def taken(state: State, base: str) -> int:
    """18.11: how many squadrons a base has taken in, in every kind of play. Air that is out flying keeps its place
    (18.46); squadrons that an attack on the port has put ashore from their carriers take none (17.3126)."""
    air = state.sites[base].air
    if state.operation_if_any is None:
        return room(air)
    if state.turn_if_any is not None:
        air = merged(air, away(state, base))
    return room(air) - aboard_in_port(state, base)


def airbase_room(state: State, base: str) -> int:
    """18.12: the squadrons that the airbase counter in a base holds."""
    place = state.place(base)
    return 3 * capacity(1, reduced=state.setting.pacific and (place.island or place.jungle))


@rule("18.146", "18.146.1", "18.146.2", "18.146#ex1")
def may_use(state: State, counter: Airbase, country: str) -> bool:
    """18.146: in the phase in which an airbase is placed only the air of the major power that has placed it uses it,
    and Australian and Free French air if it is British; its allies from the next phase on."""
    turn = state.turn
    fresh = counter.player_turn == turn.player_turn and counter.phase == turn.step
    return not fresh or country == counter.nation or country in GUESTS.get(counter.nation, ())


@rule("17.3126#note1.1")
def aboard_in_port(state: State, base: str) -> int:
    """17.3126: squadrons of carriers in port that are ashore since it was attacked take no room in it."""
    there: Counter[tuple[str, str]] = Counter()
    for which, number in state.sites[base].air.items():
        if which.is_naval:
            there[which.nation, which.arm.value] += number
    guests = 0
    for _, force in state.operation.everybody():
        if force.in_port and force.base == base:
            for which, number in force.ashore.items():
                some = min(number, there[which.nation, which.arm.value])
                there[which.nation, which.arm.value] -= some
                guests += some
    return guests


def away(state: State, base: str) -> Force:
    """The air of a base that is out over a hex, or on an air transport mission, and comes back."""
    forces = [flight.air for flight in state.turn.flights]
    if state.turn.airlift is not None:
        forces += [state.turn.airlift.transports, state.turn.airlift.interceptors, state.turn.airlift.guards]
    return combined([from_base(force, base) for force in forces])


def from_base(force: Force, base: str) -> Force:
    """The units of a force whose base it is."""
    return {which: number for which, number in force.items() if which.home == base}
