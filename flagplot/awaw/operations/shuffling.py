"""Other secrets of an operation that would look the same to one side, for the tests of secrecy.

What a TF marker hides is changed: other ships of the same kind, size and speed, and other squadrons aboard as long as
none has shown itself. What follows from them in the open (dice, speed, size) stays as it is.
"""

from __future__ import annotations

from random import Random

from flagplot.awaw.air_units import take
from flagplot.awaw.counting import add
from flagplot.awaw.operations.state import NavalForce, OperationState
from flagplot.awaw.ships import NamedShip, Ship, named_ships, ship


def reshuffle_operation(state: OperationState, side: str, chance: Random) -> None:
    """Give the enemy's hidden task forces on the map other contents. The state is changed."""
    for force in state.fleet_of(state.other(side)).values():
        if force.group.task_force and not force.seen:
            _other_ships(state, force, chance)
            _other_squadrons(state, force, chance)


def _other_ships(state: OperationState, force: NavalForce, chance: Random) -> None:
    fleet = force.group.ships
    for which in [which for which in fleet if which.named]:
        spare = [other for other in _spare(state) if _is_like(other, which)]
        if spare and chance.random() < 0.5:
            found = chance.choice(spare)
            take(fleet, which, 1)
            add(
                fleet,
                ship(found.nation, found.kind, found.id, found.factors, found.slow, which.drm, False, which.hits),
                1,
            )


def _is_like(other: NamedShip, which: Ship) -> bool:
    return (other.nation, other.kind, other.factors, other.slow) == (
        which.nation,
        which.kind,
        which.size,
        which.striped,
    )


def _spare(state: OperationState) -> list[NamedShip]:
    """Named ships that are nowhere in the operation."""
    groups = [force.group for force in state.fleet.values()] + [*state.groups.values(), *state.departed.values()]
    used = {which.id for group in groups for which in group.ships} | {which.id for which in state.sunk}
    used |= {which.id for force in state.fleet.values() for which in force.sunk_in_port}
    return [found for found in named_ships().values() if found.id not in used]


def _other_squadrons(state: OperationState, force: NavalForce, chance: Random) -> None:
    """Fewer squadrons than the carriers hold, as long as nobody has seen them fly."""
    if state.fights or state.base_strike is not None or state.attack is not None:
        return
    for which, number in list(force.group.air.items()):
        fewer = chance.randint(0, number - 1)
        if chance.random() < 0.3 and fewer:
            take(force.group.air, which, fewer)
