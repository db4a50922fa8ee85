"""Ground units that are carried by sea: who is aboard, who was lost on the way, who has arrived (18.555, 22.82)."""

from __future__ import annotations

from itertools import chain, count

from flagplot.awaw.battle.cargo import laden_factors, tag
from flagplot.awaw.counting import add, take
from flagplot.awaw.ships import Kind as ShipKind
from flagplot.awaw.ships import Ship
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.operation import Activity
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.nations import unit_name
from flagplot.awaw.turn.transport.passengers import aboard, drown
from flagplot.kernel.requests import Script
from flagplot.kernel.rules import rule


@rule("22.82A")
def stow_units(state: State) -> None:
    """22.82A: a ground unit aboard is a part of the cargo, which is carried or lost as a whole: the part that has its
    name, if a file gives such parts. A laden factor carries a ground factor (`docs/rulings.md`)."""
    operation = state.operation
    taken = {load for force in operation.fleet.values() for load in force.group.loads}
    for name, unit in state.turn.units.items():
        if unit.aboard not in operation.fleet:
            continue
        group, called = operation.fleet[unit.aboard].group, unit_name(state, name)
        named = [load for load in group.loads if tag(load) in (tag(name), tag(called))]
        if named:
            unit.load = named[0]
        elif unit.factors <= laden_factors(group.ships) - sum(group.loads.values()):
            names = chain([called], (f"{called} {n}" for n in count(2)))
            unit.load = next(load for load in names if load not in taken)
            taken.add(unit.load)
            group.loads[unit.load] = unit.factors


def lade(group: Group, name: str, factors: int) -> None:
    """Destroyers and transports that are free and sound carry a load."""
    group.loads[name], needed = factors, factors
    for one in [one for one in group.ships if can_carry(one)]:
        some = min(needed, group.ships[one])
        if some:
            take(group.ships, one, some)
            add(group.ships, one.carrying(laden=True), some)
            needed -= some
    group.cargo = ", ".join(sorted(group.loads))


def can_carry(which: Ship) -> bool:
    return which.kind in (ShipKind.DESTROYER, ShipKind.TRANSPORT) and not which.laden and not which.damaged


@rule("18.5551")
def embark_again(state: State) -> Script[None]:
    """18.5551: invaders that have not taken their hex are aboard their ships again, and share their fate on the way
    home (22.82); without enough ships for them they are lost."""
    turn = state.turn
    operation = state.operation
    waiting = [name for name in turn.ashore if name in turn.units and turn.units[name].aboard in operation.fleet]
    turn.ashore = []
    for name in waiting:
        unit = turn.units[name]
        group = operation.fleet[unit.aboard].group
        if unit.factors <= sum([number for which, number in group.ships.items() if can_carry(which)]):
            lade(group, unit.load, unit.factors)
    yield from drown(state)


def come_ashore(state: State, voyage: str, key: str) -> None:
    """The units of a force are where they were bound for: after a sea transport they are ashore, after an invasion they
    have yet to fight for the hex."""
    turn = state.turn
    sailed = state.operation.voyages[voyage]
    for name in aboard(state, key):
        unit = turn.units[name]
        if sailed.activity is Activity.INVASION:
            unit.flown, unit.aboard = "invasion", key
            turn.ashore.append(name)
        else:
            unit.flown = "sea"
            unit.at, unit.aboard = sailed.path[-1], ""
