"""Ground units that are carried by sea: who is aboard, who was lost on the way, who has arrived (18.555, 22.82)."""

from __future__ import annotations

from flagplot.awaw.battle.cargo import laden_factors, tag
from flagplot.awaw.operations.state import Activity, NavalForce
from flagplot.awaw.ships import Kind as ShipKind
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
    """The ground units that a force carries. Cargo that is given in parts is told apart by the names of the units; else
    as many ground factors are left as there are laden ships."""
    force = state.fleet[key]
    waiting = [name for name, unit in state.units.items() if unit.aboard and unit.side == force.side]
    if force.group.loads:
        parts = {tag(name) for name in force.group.loads}
        return [name for name in waiting if tag(name) in parts]
    mine = [name for name in waiting if state.units[name].aboard == key and not _is_a_load(state, name)]
    return _as_many_as_fit(state, force, mine)


def _is_a_load(state: TurnState, name: str) -> bool:
    """Whether a unit is a part of the cargo of some force."""
    return any([tag(name) == tag(part) for force in state.fleet.values() for part in force.group.loads])


def _as_many_as_fit(state: TurnState, force: NavalForce, names: list[str]) -> list[str]:
    """One laden factor carries one ground factor (`docs/rulings.md`)."""
    room, fit = laden_factors(force.group.ships), []
    for name in names:
        room -= state.units[name].factors
        if room >= 0:
            fit.append(name)
    return fit


@rule("22.82A", "18.5552")
def drown(state: TurnState) -> Script[None]:
    """22.82: ground units whose ships were sunk are lost with them."""
    kept = {name for key in state.fleet for name in aboard(state, key)}
    for name, unit in list(state.units.items()):
        if unit.aboard and name not in kept and name not in state.ashore:
            lost = ("{}: {} is lost at sea", state.name(unit.side), unit_name(state, name))
            del state.units[name]
            yield Note(lost, "22.82")


def come_ashore(state: TurnState, voyage: str, key: str) -> None:
    """The units of a force are where they were bound for: after a sea transport they are ashore, after an invasion they
    have yet to fight for the hex."""
    sailed = state.voyages[voyage]
    ships = state.fleet[key].group.ships
    state.beached[key] = laden_factors({which: n for which, n in ships.items() if which.kind is ShipKind.DESTROYER})
    for name in aboard(state, key):
        unit = state.units[name]
        if sailed.activity is Activity.INVASION:
            unit.flown = "invasion"
            state.ashore.append(name)
        else:
            unit.flown = "sea"
            unit.at, unit.aboard = sailed.path[-1], ""
