"""Carrying out a naval activity at its destination (22.131): cargo is landed, shores are bombarded, bases attacked."""

from __future__ import annotations

from flagplot.awaw.battle.cargo import unload
from flagplot.awaw.battle.groups import FROM_SUPPLY
from flagplot.awaw.operations.bases.port_room import MOVES
from flagplot.awaw.operations.names import ACTIVITIES, force_name, hex_name
from flagplot.awaw.operations.passage.homeward import dock, finish
from flagplot.awaw.operations.records.record import tell
from flagplot.awaw.procedures import carrier_mission, completion, raid
from flagplot.awaw.ships import bombardment_factors
from flagplot.awaw.state.operation import Activity, NavalForce, Voyage
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.transport.sea_transport import put_ashore
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Script, disclosed
from flagplot.kernel.rules import rule

CARGO = frozenset({Activity.SEA_TRANSPORT, Activity.INVASION, Activity.SEA_ESCORT, Activity.SEA_SUPPLY})


@completion.segment("22.131", "What the force came for")
@rule("22.131", "23.61B", "23.76#2")
def carry_out(state: State, key: str) -> Script[Next]:
    """22.131: the force is where it was bound for, after all that opposed it; if it is still fit it does what it came
    for. Air attacks stop it only if too little is left (23.76#2)."""
    voyage = state.operation.voyages[key]
    share = _share(state, voyage)
    told = _told(state, voyage)
    points = reward(state, voyage, share)
    counts = f" ({points} point{'s' * (points != 1)})" if points else ""
    what = f"{ACTIVITIES[voyage.activity]} by {force_name(state, voyage)}"
    words = ("{}: {} in {}{}{}", state.name(voyage.side), what, hex_name(state, voyage.at), told, counts)
    yield disclosed(words, "22.131", voyage.side)
    tell(state, "done", voyage.side, "22.131", f"{what} in {hex_name(state, voyage.at)}{told}{counts}")
    if voyage.activity is Activity.CARRIER_MISSION:
        return Call(carrier_mission, (key,), then=leave)
    if voyage.activity is Activity.RAID:
        return Call(raid, (key,), then=leave)
    return None


@completion.segment("22.15C", "It is done; the force waits to return, or is where it belongs")
@rule("22.15C", "22.552B.3")
def leave(state: State, key: str) -> Next:
    """22.15C: after a change of base it is in port; else it returns with the others."""
    operation = state.operation
    voyage = operation.voyages[key]
    if voyage.activity in MOVES:
        dock(state, voyage)
        return END
    for name, force in operation.sailing(voyage).items():
        force.inverted = True
        force.group.activity = FROM_SUPPLY if voyage.activity is Activity.SEA_SUPPLY else ""
        if voyage.activity in CARGO:
            put_ashore(state, key, name)
            _count_landed(state, force)
            unload(force)
    finish(state, key)
    return END


def _count_landed(state: State, force: NavalForce) -> None:
    """What has arrived, for the report."""
    parts = force.group.loads or {force.group.cargo or "cargo": _laden(force)}
    landed = state.operation.landed.setdefault(force.side, {})
    for part, number in parts.items():
        if number:
            landed[part] = landed.get(part, 0) + number


def _share(state: State, voyage: Voyage) -> tuple[int, int]:
    """How much of the cargo came through: the parts that are left, and those that set out."""
    if voyage.activity not in CARGO or voyage.activity is Activity.SEA_SUPPLY:
        return 1, 1
    left = sum([freight(force) for force in state.operation.sailing(voyage).values()])
    return left, max(1, left, voyage.freight)


def freight(force: NavalForce) -> int:
    """The parts of cargo that a force carries, or the factors that carry some."""
    return sum(force.group.loads.values()) or _laden(force)


def _laden(force: NavalForce) -> int:
    return sum([number for which, number in force.group.ships.items() if which.laden])


def _told(state: State, voyage: Voyage) -> str:
    forces = state.operation.sailing(voyage).values()
    if voyage.activity is Activity.BOMBARDMENT:
        guns = sum([bombardment_factors(force.group.ships) for force in forces])
        return f": support worth {guns // 3} ground factor{'s' * (guns // 3 != 1)}"
    if voyage.activity in CARGO:
        cargo = [force.group.cargo for force in forces if force.group.cargo]
        supply = voyage.activity is Activity.SEA_SUPPLY
        return f": put ashore: {' and '.join(cargo)}" if cargo else "" if supply else NOTHING_LEFT
    return ""


NOTHING_LEFT = ": there is nothing left to land"


def reward(state: State, voyage: Voyage, share: tuple[int, int] = (1, 1)) -> int:
    """What the activity counts for its side, once, in proportion to what came through."""
    operation = state.operation
    left, all_of_it = share
    points, voyage.worth = voyage.worth * left // all_of_it, 0
    operation.done[voyage.side] = operation.done.get(voyage.side, 0) + points
    return points
