"""Ground units aboard ships: who is carried by whom, and who was lost on the way (22.82)."""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.nations import unit_name
from flagplot.kernel.requests import Note, Script
from flagplot.kernel.rules import rule


def passengers(state: State, voyage: str) -> list[str]:
    """The ground units aboard the forces of a voyage, and of those that are to join it."""
    operation = state.operation
    forces = [
        key
        for other, one in operation.voyages.items()
        if other == voyage or one.joins == voyage
        for key in operation.sailing(one)
    ]
    return [name for key in forces for name in aboard(state, key)]


def aboard(state: State, key: str) -> list[str]:
    """The ground units that a force carries."""
    return _units_among(state, [state.operation.fleet[key].group])


def _units_among(state: State, groups: Iterable[Group]) -> list[str]:
    """The ground units that are parts of the cargo of some groups."""
    parts = {(group.side, load) for group in groups for load in group.loads}
    return [name for name, unit in state.turn.units.items() if unit.aboard and (unit.side, unit.load) in parts]


def carrier(state: State, name: str) -> str:
    """The force that carries a ground unit; the laden ships of a force may have parted from the others."""
    return next((key for key in state.operation.fleet if name in aboard(state, key)), state.turn.units[name].aboard)


@rule("22.82A", "22.82A.1", "18.5552")
def drown(state: State) -> Script[None]:
    """22.82: ground units whose ships were sunk are eliminated with them, at once and in every phase: in a battle, in
    port, wherever their ships were lost."""
    turn = state.turn
    groups = [
        *(force.group for force in state.operation.fleet.values()),
        *state.battle.groups.values(),
        *state.battle.departed.values(),
    ]
    kept = {*_units_among(state, groups), *turn.ashore}
    for name, unit in list(turn.units.items()):
        if unit.aboard and name not in kept:
            lost = ("{}: {} lost at sea", state.name(unit.side), unit_name(state, name))
            del turn.units[name]
            yield Note(lost, "22.82")


def lose_passengers(state: State) -> Script[None]:
    """22.82A: cargo was lost: in an air turn ground units may be among it."""
    if state.turn_if_any is not None:
        yield from drown(state)
