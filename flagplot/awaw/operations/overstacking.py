"""Ports that hold too many ships after a return (22.63D-E): the owner says what is lost."""

from __future__ import annotations

from flagplot.awaw.counting import add, take
from flagplot.awaw.operations.scenes import PORT_FACTORS, based
from flagplot.awaw.operations.state import NavalForce, OperationState
from flagplot.awaw.ships import Ship
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words


def excess(state: OperationState, base: str) -> int:
    """The naval factors beyond what a port holds (21.11); boxes hold any number."""
    place = state.place(base)
    return 0 if place.box or not place.ports else max(0, based(state, base) - PORT_FACTORS * place.ports)


@rule("22.63D", "22.63E")
def clear_overstacking(state: OperationState, base: str, number: str) -> Script[None]:
    """22.63D: ships of the owner's choice are eliminated until the port holds the others."""
    place = state.place(base)
    while excess(state, base):
        able = _ships(state, base)
        labels: dict[str, Words] = {
            text: ("{}, of {}", which.name, force.marker) for text, (which, force) in able.items()
        }
        question = ("{} holds {} factors too many: which ship is lost?", place.name, excess(state, base))
        words = ("{}: ships in {} are given up", state.name(place.side), place.name)
        chosen: str = yield Choose(place.side, ("surplus", base), [*labels], question, labels, number, words)
        which, force = able[chosen]
        take(force.group.ships, which, 1)
        add(state.sunk, which, 1)
        yield Note(("{} holds too many ships: {} is lost", place.name, which.name), number, reveals=True)
        state.fleet = {key: one for key, one in state.fleet.items() if one.group.ships or one.sunk_in_port}


def _ships(state: OperationState, base: str) -> dict[str, tuple[Ship, NavalForce]]:
    """The ships in a port that count, each kind of each force once."""
    return {
        f"{key}/{which.tag}{'/damaged' * which.damaged}": (which, force)
        for key, force in state.fleet_of(state.place(base).side).items()
        if force.base == base and force.in_port
        for which in force.group.ships
        if which.weight
    }
