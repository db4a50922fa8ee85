"""Ports that hold too many ships after a return (22.63D-E): the owner says what is lost."""

from __future__ import annotations

from flagplot.awaw.air_units import Force, Lost
from flagplot.awaw.battle.cargo import note_carried, settle_cargo
from flagplot.awaw.battle.decks import by_nation
from flagplot.awaw.battle.picking import pick
from flagplot.awaw.counting import add, merged, take
from flagplot.awaw.operations.bases.port_room import based, holds, in_harbour
from flagplot.awaw.operations.battles.scenes import ground_surplus
from flagplot.awaw.ships import Ship, decks
from flagplot.awaw.state.operation import Flotilla, NavalForce
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.requests import Choose, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words


def excess(state: State, base: str) -> int:
    """The naval factors beyond what a port holds (21.11); boxes hold any number."""
    place = state.place(base)
    return 0 if place.box or not place.ports else max(0, based(state, base) - holds(state, base))


@rule("22.63D", "22.63E")
def clear_overstacking(state: State, base: str, number: str) -> Script[None]:
    """22.63D: ships or submarines of the owner's choice are eliminated until the port holds the others."""
    place = state.place(base)
    while excess(state, base):
        ships, boats = _ships(state, base), _boats(state, base)
        labels: dict[str, Words] = {
            text: ("{} of {}", which.name, force.marker) for text, (which, force) in ships.items()
        }
        labels |= {key: ("1 {} submarine factor", nation(boat.nation).adjective) for key, boat in boats.items()}
        question = ("{} is {} factors over capacity: lose what?", place.name, excess(state, base))
        words = ("{}: giving up ships in {}", state.name(place.side), place.name)
        chosen: str = yield Choose(place.side, ("surplus", base), [*labels], question, labels, number, words)
        if chosen in boats:
            _scuttle(boats[chosen])
            lost = "1 submarine factor"
        else:
            which, force = ships[chosen]
            note_carried(force.group)
            take(force.group.ships, which, 1)
            add(state.losses.ships, which, 1)
            lost = which.name
        yield disclosed(("{} over capacity: {} lost", place.name, lost), number, place.side)
        if chosen in ships:
            yield from settle_cargo(state, ships[chosen][1].group, ships[chosen][1].marker)
            yield from _lose_squadrons(state, ships[chosen][1])
        state.operation.drop_sunk_forces()


@rule("17.3124")
def _lose_squadrons(state: State, force: NavalForce) -> Script[None]:
    """17.3124: squadrons for which a force has no carrier any more are lost with the one that was given up."""
    room = decks(force.group.ships)
    down: Force = {}
    for country, aboard in by_nation(merged(force.group.air, force.grounded)).items():
        surplus = sum(aboard.values()) - sum(room.get(country, (0, 0)))
        question = ("Carrier lost. How many of {} are lost?", "Carrier lost. Is {} lost?", "Spare it", "Lose it")
        down |= yield from pick(force.side, "down", aboard, surplus, question, "17.3124")
    for which, number in down.items():
        lamed = min(number, force.grounded.get(which, 0))
        for aboard, some in ((force.grounded, lamed), (force.group.air, number - lamed)):
            if some:
                take(aboard, which, some)
    if down:
        ground_surplus(force)
        state.lose(down)
        told = ("{}: {} lost with the carriers", state.name(force.side), Lost(down.items()))
        yield disclosed(told, "17.3124", force.side)


def _scuttle(flotilla: Flotilla) -> None:
    """One factor less, of those that are inverted first."""
    flotilla.lost += 1
    if flotilla.inverted:
        flotilla.inverted -= 1
    elif flotilla.tried:
        flotilla.tried -= 1
    else:
        flotilla.factors -= 1


def _ships(state: State, base: str) -> dict[str, tuple[Ship, NavalForce]]:
    """The ships in a port, each kind of each force once."""
    return {
        f"{key}/{which.tag}{'/damaged' * which.damaged}": (which, force)
        for key, force in state.operation.fleet_of(state.place(base).side).items()
        if force.base == base and force.in_port
        for which in force.group.ships
    }


def _boats(state: State, base: str) -> dict[str, Flotilla]:
    """The submarines in a port."""
    return {
        key: flotilla for key, flotilla in state.operation.boats() if flotilla.base == base and in_harbour(flotilla)
    }
