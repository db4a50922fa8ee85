"""A hex is taken (18.25, 18.617): its bases change hands, their air is displaced, and ships leave their ports."""

from __future__ import annotations

from flagplot.awaw.counting import add, merged
from flagplot.awaw.operations.homeward import send_home
from flagplot.awaw.operations.state import Hex
from flagplot.awaw.operations.words import hex_name
from flagplot.awaw.turn.displacement import capture
from flagplot.awaw.turn.state import TurnState
from flagplot.kernel.requests import Note, Script
from flagplot.kernel.rules import rule


@rule("18.617", "18.251", "18.25")
def take_hex(state: TurnState, at: Hex, names: list[str]) -> Script[None]:
    """18.617: ground units advance into a hex. Air that is based there and took no part is displaced; not before the
    hex is won, if airborne units have dropped on it (18.251)."""
    side = state.moving
    for name in names:
        state.units[name].at, state.units[name].aboard = at, ""
    yield Note(("{}: {} is taken", state.name(side), hex_name(state, at)), "18.25")
    for base, place in list(state.setting.places.items()):
        if place.at == at and place.side != side and not place.afloat and not place.box:
            yield from capture(state, base, side, state.units[names[0]].nation)
            yield from _leave_port(state, base)


def _leave_port(state: TurnState, base: str) -> Script[None]:
    """22.13G: naval units in a port that is taken go to the nearest other port of their side; their way is sailed with
    the next naval activities. If there is none they are lost (`docs/rulings.md`)."""
    enemy = state.other(state.moving)
    haven = _haven(state, base, enemy)
    for key, force in state.everybody():
        if force.side != enemy or force.base != base:
            continue
        if not haven:
            if force.in_port and force.group.ships:
                yield Note(("{} has no port to go to, and is lost", force.marker), "22.13G", reveals=True)
                for which, number in force.group.ships.items():
                    add(state.sunk, which, number)
                state.lose(merged(force.group.air, force.grounded))
                force.group.ships, force.group.air, force.grounded = {}, {}, {}
            continue
        waits = force.in_port and bool(force.group.ships)
        force.base = haven
        if waits:
            yield Note(("{} leaves for {}", force.marker, state.place(haven).name), "22.13G")
            send_home(state, key, haven, at_once=False)
    for _, flotilla in state.boats():
        if flotilla.side == enemy and flotilla.base == base and haven:
            flotilla.base = haven
            if not flotilla.patrol:
                flotilla.at = state.place(haven).at


def _haven(state: TurnState, base: str, side: str) -> str:
    board, start = state.plan.board, state.place(base).at
    ports = {
        key: far
        for key in state.of_side(side)
        if state.place(key).ports and (far := board.sea_distance(start, state.place(key).at)) is not None
    }
    return min(ports, key=lambda key: (ports[key], key), default="")
