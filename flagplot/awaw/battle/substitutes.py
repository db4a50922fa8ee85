"""Destroyers that are lost instead of others that submarines hit (22.9432)."""

from __future__ import annotations

from flagplot.awaw.counting import add, take
from flagplot.awaw.operations.markers import strike_marker
from flagplot.awaw.ships import Ship
from flagplot.awaw.state.battle import Group, Substitutes
from flagplot.awaw.state.operation import Activity, Operation
from flagplot.awaw.state.state import State
from flagplot.kernel.rules import rule


@rule("22.9432", "22.9434")
def substitutes(state: State, group: Group, which: Ship) -> Substitutes:
    """22.9432: the destroyers that may be lost instead of those of a group that submarines hit: those that the scenario
    counts; in an operation also uninverted ones of the same nation in the bases from which the forces of the group
    came, and in ports on the way of a sea supply line (22.9434)."""
    elsewhere = state.elsewhere.destroyers.get(group.side, 0)
    numbers = {"": elsewhere} if elsewhere else {}
    operation = state.operation_if_any
    if operation is None:
        return Substitutes(numbers)
    bases = _bases_behind(operation, group)
    there = [
        (key, force)
        for key, force in operation.fleet_of(group.side).items()
        if force.in_port and not force.inverted and force.base in bases
    ]
    numbers |= {key: number for key, force in there if (number := force.group.ships.get(which, 0))}
    return Substitutes(numbers, any([force.group.task_force and not force.seen for _, force in there]))


def _bases_behind(operation: Operation, group: Group) -> set[str]:
    forces = [operation.fleet[key] for key in group.parts]
    bases = {force.base for force in forces}
    for voyage in [operation.voyages[force.voyage] for force in forces if force.voyage]:
        if voyage.activity is Activity.SEA_SUPPLY:
            places = operation.between.places.items()
            bases |= {key for key, place in places if place.ports and place.at in voyage.path}
    return bases


def substitute_name(state: State, source: str) -> str:
    """Where some of them are, as their owner reads it."""
    if not source:
        return "elsewhere"
    force = state.operation.fleet[source]
    return f"by {force.marker} in {state.place(force.base).name}"


def lose_substitutes(state: State, side: str, source: str, which: Ship, number: int) -> str:
    """22.9432: removes this number of destroyers and says where they were. Losses in port count as sunk, but not when
    the round is decided (22.61A), and may leave a task force too small."""
    if not source:
        state.elsewhere.destroyers[side] -= number
        add(state.losses.elsewhere, which, number)
        return "elsewhere"
    force = state.operation.fleet[source]
    take(force.group.ships, which, number)
    add(state.losses.ships, which, number)
    add(state.battle.this_round.sunk_before, which, number)
    strike_marker(state, force)
    return f"in {state.place(force.base).name}"
