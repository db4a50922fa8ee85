"""A hex is taken (18.25, 18.617): its bases change hands, their air is displaced, and ships leave their ports."""

from __future__ import annotations

from flagplot.awaw.counting import add, merged
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.bases.port_room import MOVES
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.operations.passage.homeward import leave_voyage, send_home
from flagplot.awaw.state.operation import Activity, Flotilla
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.nations import nation
from flagplot.awaw.turn.basing.displacement import capture
from flagplot.awaw.turn.transport.passengers import drown
from flagplot.kernel.requests import Note, Script, disclosed
from flagplot.kernel.rules import rule


@rule("18.617", "18.251", "18.25")
def take_hex(state: State, at: Hex, names: list[str]) -> Script[None]:
    """18.617: ground units advance into a hex. Air that is based there and took no part is displaced; not before the
    hex is won, if airborne units have dropped on it (18.251)."""
    turn = state.turn
    side = state.moving
    for name in names:
        turn.units[name].at, turn.units[name].aboard = at, ""
    yield Note(("{}: {} taken", state.name(side), hex_name(state, at)), "18.25")
    for base, place in list(state.scene.places.items()):
        if place.at == at and place.side != side and not place.afloat and not place.box:
            yield from capture(state, base, side, turn.units[names[0]].nation)
            yield from _leave_port(state, base)


@rule("22.13G")
def _leave_port(state: State, base: str) -> Script[None]:
    """22.13G: naval units in a port that is taken go to the nearest other port of their side; their way is sailed with
    the next naval activities. Those at sea return there too. If there is none all are lost (`docs/rulings.md`)."""
    operation = state.operation
    enemy = state.other(state.moving)
    haven = _haven(state, base, enemy)
    yield from _give_up_wrecks(state, base)
    for key, force in operation.everybody():
        bound = operation.voyages[force.voyage].base if force.voyage else ""
        if force.side != enemy or base not in (force.base, bound) or not force.group.ships:
            continue
        if not haven:
            yield from _lose(state, key)
        elif force.in_port:
            yield Note(("{} sails to {}", force.marker, state.place(haven).name), "22.13G")
            force.base = haven
            send_home(state, key, haven, at_once=False)
        else:
            _turn_elsewhere(state, key, base, haven)
    for _, flotilla in operation.boats():
        if flotilla.base == base and flotilla.side == enemy:
            yield from _move_submarines(state, flotilla, haven)


def _give_up_wrecks(state: State, base: str) -> Script[None]:
    """Ships that lie sunk in a port that is taken are gone; they were counted when they were sunk (23.443B)."""
    operation = state.operation
    for key, force in operation.everybody():
        if force.base == base and force.sunk_in_port:
            yield Note(("{}: ships sunk there are lost for good", state.place(base).name), "22.13G")
            force.sunk_in_port = {}
            if not force.group.ships:
                del operation.fleet[key]


@rule("22.11A.7", "22.13G")
def _move_submarines(state: State, flotilla: Flotilla, haven: str) -> Script[None]:
    """22.11A: nobody intercepts submarines, so those of a port that is taken are in their new one at once. Without any
    port they are lost as ships are, on patrol too."""
    name = ("{} submarines of {}", nation(flotilla.nation).adjective, state.place(flotilla.base).name)
    if haven:
        flotilla.base = haven
        if not flotilla.patrol:
            flotilla.at = state.place(haven).at
        yield Note((f"{name[0]} sail to {{}}", *name[1:], state.place(haven).name), "22.13G")
        return
    flotilla.lost += flotilla.factors + flotilla.tried + flotilla.inverted
    flotilla.factors = flotilla.tried = flotilla.inverted = 0
    flotilla.patrol, flotilla.at = "", state.place(flotilla.base).at
    yield Note((f"{name[0]} have no port to go to: lost", *name[1:]), "22.13G")


def _lose(state: State, key: str) -> Script[None]:
    force = state.operation.fleet[key]
    yield disclosed(("{} has no port to go to: lost", force.marker), "22.13G", force.side)
    for which, number in force.group.ships.items():
        add(state.losses.ships, which, number)
    state.lose(merged(force.group.air, force.grounded))
    leave_voyage(state, key)
    del state.operation.fleet[key]
    yield from drown(state)


def _turn_elsewhere(state: State, key: str, base: str, haven: str) -> None:
    """A force at sea whose port was taken has another one to return to."""
    operation = state.operation
    force = operation.fleet[key]
    if force.base == base:
        force.base = haven
    voyage = operation.voyages.get(force.voyage)
    if voyage is not None and voyage.base == base and voyage.activity in (Activity.RETURN, *MOVES):
        sailed = voyage.path[: max(0, voyage.step) + 1]
        rest = operation.plan.board.sea_path(sailed[-1], state.place(haven).at) or sailed[-1:]
        voyage.base, voyage.path = haven, sailed + rest[1:]


def _haven(state: State, base: str, side: str) -> str:
    board, start = state.operation.plan.board, state.place(base).at
    ports = {
        key: far
        for key in state.of_side(side)
        if (state.place(key).ports or state.place(key).box)
        and (far := board.sea_distance(start, state.place(key).at)) is not None
    }
    return min(ports, key=lambda key: (ports[key], key), default="")
