"""Ground units that are carried by sea: who is aboard, who was lost on the way, who has arrived (18.555, 22.82)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, count

from flagplot.awaw.battle.cargo import laden_factors, tag
from flagplot.awaw.counting import add, take
from flagplot.awaw.operations.state import Activity
from flagplot.awaw.ships import Kind as ShipKind
from flagplot.awaw.ships import Ship
from flagplot.awaw.state import Group
from flagplot.awaw.turn.nations import unit_name
from flagplot.awaw.turn.state import TurnState
from flagplot.kernel.requests import Note, Script
from flagplot.kernel.rules import rule


def passengers(state: TurnState, voyage: str) -> list[str]:
    """The ground units aboard the forces of a voyage, and of those that are to join it."""
    forces = [
        key
        for other, one in state.voyages.items()
        if other == voyage or one.joins == voyage
        for key in state.sailing(one)
    ]
    return [name for key in forces for name in aboard(state, key)]


def aboard(state: TurnState, key: str) -> list[str]:
    """The ground units that a force carries."""
    return _units_among(state, [state.fleet[key].group])


def _units_among(state: TurnState, groups: Iterable[Group]) -> list[str]:
    """The ground units that are parts of the cargo of some groups."""
    parts = {(group.side, load) for group in groups for load in group.loads}
    return [name for name, unit in state.units.items() if unit.aboard and (unit.side, unit.load) in parts]


def carrier(state: TurnState, name: str) -> str:
    """The force that carries a ground unit; the laden ships of a force may have parted from the others."""
    return next((key for key in state.fleet if name in aboard(state, key)), state.units[name].aboard)


@rule("22.82A")
def stow_units(state: TurnState) -> None:
    """22.82A: a ground unit aboard is a part of the cargo, which is carried or lost as a whole: the part that has its
    name, if a file gives such parts. A laden factor carries a ground factor (`docs/rulings.md`)."""
    taken = {load for force in state.fleet.values() for load in force.group.loads}
    for name, unit in state.units.items():
        if unit.aboard not in state.fleet:
            continue
        group, called = state.fleet[unit.aboard].group, unit_name(state, name)
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


@rule("22.82A", "22.82A.1", "18.5552")
def drown(state: TurnState) -> Script[None]:
    """22.82: ground units whose ships were sunk are eliminated with them, at once and in every phase: in a battle, in
    port, wherever their ships were lost."""
    groups = [*(force.group for force in state.fleet.values()), *state.groups.values(), *state.departed.values()]
    kept = {*_units_among(state, groups), *state.ashore}
    for name, unit in list(state.units.items()):
        if unit.aboard and name not in kept:
            lost = ("{}: {} is lost at sea", state.name(unit.side), unit_name(state, name))
            del state.units[name]
            yield Note(lost, "22.82")


@rule("18.5551")
def embark_again(state: TurnState) -> Script[None]:
    """18.5551: invaders that have not taken their hex are aboard their ships again, and share their fate on the way
    home (22.82); without enough ships for them they are lost."""
    waiting = [name for name in state.ashore if name in state.units and state.units[name].aboard in state.fleet]
    state.ashore = []
    for name in waiting:
        unit = state.units[name]
        group = state.fleet[unit.aboard].group
        if unit.factors <= sum([number for which, number in group.ships.items() if can_carry(which)]):
            lade(group, unit.load, unit.factors)
    yield from drown(state)


def come_ashore(state: TurnState, voyage: str, key: str) -> None:
    """The units of a force are where they were bound for: after a sea transport they are ashore, after an invasion they
    have yet to fight for the hex."""
    sailed = state.voyages[voyage]
    for name in aboard(state, key):
        unit = state.units[name]
        if sailed.activity is Activity.INVASION:
            unit.flown, unit.aboard = "invasion", key
            state.ashore.append(name)
        else:
            unit.flown = "sea"
            unit.at, unit.aboard = sailed.path[-1], ""
