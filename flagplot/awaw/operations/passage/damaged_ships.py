"""Damaged ships that return to base while the rest of their force sails on (23.443A), after an attack at sea."""

from __future__ import annotations

from typing import NamedTuple

from flagplot.awaw.battle.homecoming import BASE_CHANGES
from flagplot.awaw.battle.withdrawal import LADEN, parcels
from flagplot.awaw.counting import merged
from flagplot.awaw.operations.bases.port_room import port_room, size
from flagplot.awaw.operations.battles.scenes import invaded, ports_by_sea
from flagplot.awaw.operations.interception.regrouping import divide, pick_ships
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.operations.passage.aborting import ABORTABLE, bar_transports, inverts
from flagplot.awaw.operations.passage.homeward import send_home
from flagplot.awaw.operations.records.record import tell
from flagplot.awaw.ships import Fleet, Ships
from flagplot.awaw.state.battle import ORIGIN
from flagplot.awaw.state.operation import Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.requests import Choose, Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words


class Leave(NamedTuple):
    """Ships that leave a force, and the base to which they return."""

    force: str
    ships: Fleet
    base: str


@rule("23.443A.2", "22.28A")
def send_damaged_home(state: State, key: str) -> Script[None]:
    """23.443A: after an attack at sea the owner may send damaged ships home, alone or with undamaged ones to protect
    them; the others sail on. Nobody else learns from the question whether a hidden force has damaged ships."""
    operation = state.operation
    voyage = operation.voyages[key]
    if voyage.activity not in ABORTABLE:
        return
    forces = operation.sailing(voyage).values()
    hidden = any([force.group.task_force and not force.seen for force in forces])
    words = ("{}: choosing damaged ships to send home", state.name(voyage.side))
    script = _decide(state, voyage)
    leaving = yield from secretly(voyage.side, words, script, "23.443", anyway=hidden)
    for leave in leaving:
        yield _announced(state, leave)
        _send(state, key, leave)


@rule("23.443A.2")
def _decide(state: State, voyage: Voyage) -> Script[list[Leave]]:
    """23.443A: force by force which damaged ships leave, and with whom. Somebody sails on: for all of them to turn back
    is to abort (22.28)."""
    forces = state.operation.sailing(voyage)
    left = sum([sum(force.group.ships.values()) for force in forces.values()])
    leaving: list[Leave] = []
    for key, force in forces.items():
        some = [parcel for parcel in parcels(force.group) if parcel.tag != LADEN]
        lamed = [parcel for parcel in some if any([which.damaged for which in parcel.one])]
        ships = yield from pick_ships(force, ("send-home", key), lamed, left - 1, _SEND, "23.443")
        if ships:
            sound = [parcel for parcel in some if parcel not in lamed]
            most = left - 1 - sum(ships.values())
            verb = ("accompany", key)
            ships = merged(ships, (yield from pick_ships(force, verb, sound, most, _ESCORT, "23.443")))
            left -= sum(ships.values())
            base = yield from _choose_base(state, voyage, key, ships)
            leaving.append(Leave(key, ships, base))
    return leaving


_SEND = ("{}: send {} home?", "{}: send how many of {} {} home?", "Sail on", "Send home")
_ESCORT = ("{}: escort them with {}?", "{}: escort them with how many of {} {}?", "Sail on", "Escort them")


@rule("23.443A.2", "22.63", "22.63A", "22.63C")
def _choose_base(state: State, voyage: Voyage, key: str, ships: Fleet) -> Script[str]:
    """22.63: they return to where they came from, or to a port of their side in range that has room for them."""
    force = state.operation.fleet[key]
    labels: dict[str, Words] = {ORIGIN: state.place(force.base).name}
    closed = (force.base, *invaded(state))
    range_ = 10 if state.setting.pacific else 20
    for port, hexes in ports_by_sea(state, voyage.at).items() if voyage.activity not in BASE_CHANGES else ():
        place = state.place(port)
        if (
            place.side == force.side
            and hexes <= range_
            and port not in closed
            and port_room(state, port) >= size(ships)
        ):
            labels[port] = place.name
    question = ("Choose a port for ships of {}", force.group.name)
    base: str = yield Choose(force.side, ("return", key), [*labels], question, labels, "22.63")
    return base


def _announced(state: State, leave: Leave) -> Note:
    """Everybody sees that ships leave; which, only of a force that was seen."""
    force = state.operation.fleet[leave.force]
    public: Words = ("{}: ships of {} return to base", state.name(force.side), force.marker)
    full = ("{}: {}", public, Ships(leave.ships.items()))
    if force.seen or not force.group.task_force:
        return disclosed(full, "23.443", force.side)
    return Note(full, "23.443", side=force.side, twin=public, reveals=force.side)


@rule("23.443A.2", "22.281", "22.282")
def _send(state: State, key: str, leave: Leave) -> None:
    """22.281: they have aborted: they return at once, open to attack, and are inverted as all who abort."""
    operation = state.operation
    voyage, force, name = operation.voyages[key], operation.fleet[leave.force], leave.force
    where = hex_name(state, voyage.at)
    tell(state, "aborted", voyage.side, "23.443A", f"Ships of {force.marker} turn back in {where}")
    if leave.ships != force.group.ships:
        name = divide(state, leave.force, leave.ships)
        part = operation.fleet[name]
        part.voyage, part.inverted, part.began_at_sea = key, force.inverted, force.began_at_sea
        part.group.activity = force.group.activity
        voyage.forces.append(name)
    part = operation.fleet[name]
    bar_transports(state, voyage, [part])
    part.inverted = part.inverted or inverts(state, voyage, part)
    send_home(state, name, leave.base)
