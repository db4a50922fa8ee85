"""How much a port holds (20.14, 21.11): ships of every kind, transports and submarines take room by their factors."""

from __future__ import annotations

from flagplot.awaw.operations.battles.dispersal import Claims, deal
from flagplot.awaw.ships import Fleet
from flagplot.awaw.state.battle import ORIGIN, Group
from flagplot.awaw.state.operation import Activity, Flotilla, NavalForce
from flagplot.awaw.state.state import State
from flagplot.kernel.rules import rule

PORT_FACTORS = 50
"""Naval factors that a port holds (21.11)."""
MOVES = frozenset({Activity.BASE_CHANGE, Activity.REDEPLOYMENT, Activity.DISPLACEMENT, Activity.ESCAPE, Activity.ASW})
"""Activities that end in another base."""


def size(fleet: Fleet) -> int:
    """20.14: the factors of a fleet as they count for basing, transports among them."""
    return sum([number * which.size for which, number in fleet.items()])


def holds(state: State, base: str) -> int:
    """21.11: the naval factors for which a base has ports: 50 each."""
    return PORT_FACTORS * state.place(base).ports


@rule("22.63D")
def based(state: State, base: str) -> int:
    """The naval factors that lie in a port now, submarines among them."""
    operation = state.operation
    ships = [size(force.group.ships) for force in operation.fleet.values() if force.base == base and force.in_port]
    return sum(ships) + sum([in_harbour(one) for one in operation.flotillas.values() if one.base == base])


def in_harbour(flotilla: Flotilla) -> int:
    """The factors of a flotilla that lie in its port: those that have attacked are back there (22.92)."""
    return flotilla.inverted + (0 if flotilla.patrol else flotilla.factors + flotilla.tried)


@rule("23.462A", "22.63")
def port_room(state: State, base: str, besides: Group | None = None) -> int:
    """The naval factors for which a port still has room; those at sea come back to it, or to where they move. A combat
    group that asks for room for itself is left out."""
    operation = state.operation
    ships = [size(force.group.ships) for force in operation.fleet.values() if _belongs(state, force) == base]
    boats = [
        one.factors + one.tried + one.away + one.inverted for one in operation.flotillas.values() if one.base == base
    ]
    groups = [
        group for group in (*state.battle.groups.values(), *state.battle.departed.values()) if group is not besides
    ]
    fighting = [_returning(state, group, base) for group in groups if group.ships]
    return holds(state, base) - sum(ships) - sum(boats) - sum(fighting)


def has_room(state: State, port: str, group: Group) -> bool:
    """22.63: whether a port can take a group that returns from a battle, beside all that is based there or is to return
    there from the same battle. Only an operation knows who that is."""
    return state.operation_if_any is None or port_room(state, port, besides=group) >= size(group.ships)


@rule("22.63")
def _returning(state: State, group: Group, base: str) -> int:
    """22.63: the factors of a combat group that take room in a port: all of it if it was sent there, else those of its
    forces that belong there."""
    if group.bound in state.scene.places:
        return size(group.ships) if group.bound == base else 0
    total = 0
    for key, part in deal(group, Claims(group.parts)).items():
        force = state.operation.fleet[key]
        total += size(part.ships) * ((force.base if group.bound == ORIGIN else _belongs(state, force)) == base)
    return total


def _belongs(state: State, force: NavalForce) -> str:
    """The base in which a force takes room: that to which it moves or returns, else its own."""
    voyage = state.operation.voyages.get(force.voyage)
    return voyage.base if voyage is not None and voyage.activity in (*MOVES, Activity.RETURN) else force.base
