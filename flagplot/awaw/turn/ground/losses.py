"""Losses in ground combat (18.556, 18.553E, 18.616): the owner says what of his ground, air and naval units is lost.

The players give the result of a ground combat, how many factors each side loses. What is enforced here is that enough
of them go, at the rates at which they counted: three naval squadrons or fleet factors to a factor (18.5521).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flagplot.awaw.air_units import Counted, Force, Listed, Unit
from flagplot.awaw.counting import add, take
from flagplot.awaw.operations.names import factors_long
from flagplot.awaw.ships import Fleet, Kind, Ship, Ships, bombards
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Flight, GroundAttack
from flagplot.awaw.turn.ground.bombardment import supporting_forces
from flagplot.awaw.turn.ground.strengths import THIRDS, defenders
from flagplot.awaw.turn.nations import unit_name, unit_names
from flagplot.kernel.requests import Choose, Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import how_many


class Item(NamedTuple):
    """Things of one kind that can be lost: what they are called, how many, and what one is worth."""

    tag: str
    words: object
    number: int
    worth: int
    """In thirds of a factor."""


@rule("18.556", "18.616", "18.553E", "18.5521")
def share_out(side: str, items: list[Item], needed: int, number: str) -> Script[dict[str, int]]:
    """18.556: some, all or none of the losses are taken from any of these, provided that sufficient factors are
    eliminated: how many of each, for so many thirds of a factor in all. If that is more than there is everything
    goes."""
    lost: dict[str, int] = {}
    rest = sum([item.number * item.worth for item in items])
    left = min(needed, rest)
    for item in items:
        rest -= item.number * item.worth
        least = max(0, -(-(left - rest) // item.worth))
        most = min(item.number, -(-left // item.worth))
        question = ("{} to lose. Take how many from {}?", _in_factors(left), item.words)
        values = range(least, max(least, most) + 1)
        some: int = yield Choose(side, ("lose", item.tag), values, question, how_many, number)
        if some:
            lost[item.tag] = some
            left -= some * item.worth
    return lost


def _in_factors(thirds: int) -> str:
    whole, part = divmod(max(0, thirds), THIRDS)
    return factors_long(whole) + (f" and {part} third{'s' * (part > 1)}" if part else "")


# --- the attacker -----------------------------------------------------------------------------------------------


@rule("18.556", "18.553E", "18.5521#ex1")
def attacker_losses(state: State, attack: GroundAttack, flights: list[Flight], factors: int) -> Script[None]:
    """18.556: the attacker takes losses from air that gave ground support, from escort carriers and bombarding fleets,
    and from ground units, as he likes (18.553E)."""
    turn = state.turn
    side = state.moving
    items = air_items([flight.air for flight in flights], lambda which: which.size)
    ships = _ships_of(state, attack)
    items += _cve_items(ships, attack.cves) + _gun_items(ships, attack.guns)
    items += [_unit_item(state, name, turn.units[name].factors) for name in attack.units if name in turn.units]
    script = share_out(side, items, THIRDS * factors, "18.556")
    words = ("{}: choosing losses of the attack", state.name(side))
    naval = bool(attack.guns or attack.cves)
    lost = yield from (secretly(side, words, script, "18.556", anyway=False) if naval else script)
    yield from _lose_air(state, flights, lost, "18.556")
    yield from _lose_ships(state, attack, lost)
    yield from _lose_units(state, lost, "18.556")


def air_items(forces: list[Force], worth: Callable[[Unit], int]) -> list[Item]:
    """The air units of some forces, each kind at what one of it is worth."""
    counts: dict[Unit, int] = {}
    for force in forces:
        for which, number in force.items():
            counts[which] = counts.get(which, 0) + number
    return [Item(which.tag, Counted(which, number), number, worth(which)) for which, number in counts.items()]


def _unit_item(state: State, name: str, factors: int) -> Item:
    unit = state.turn.units[name]
    return Item(name, f"{unit_name(state, name)} ({factors_long(unit.factors)})", 1, THIRDS * max(1, factors))


def _ships_of(state: State, attack: GroundAttack) -> Fleet:
    fleet: Fleet = {}
    for key in supporting_forces(state, attack):
        for which, number in state.operation.fleet[key].group.ships.items():
            add(fleet, which, number)
    return fleet


def _cve_items(ships: Fleet, cves: int) -> list[Item]:
    """18.553E: no more escort carriers than gave support."""
    items, left = [], cves
    for which, number in ships.items():
        some = min(left, number) if which.kind is Kind.CVE else 0
        if some:
            items.append(Item(which.tag, f"{factors_long(some)} of escort carriers", some, THIRDS))
            left -= some
    return items


def _gun_items(ships: Fleet, guns: int) -> list[Item]:
    """Fleets are lost as they counted, three factors to one, and no more of them than bombarded."""
    items, left = [], guns
    for which, number in ships.items():
        some = min(number, left // which.size) if bombards(which) else 0
        if some:
            items.append(Item(which.tag, Ships([(which, some)]), some, which.size))
            left -= some * which.size
    return items


@rule("18.553E")
def _lose_ships(state: State, attack: GroundAttack, lost: dict[str, int]) -> Script[None]:
    sunk: Fleet = {}
    for key in supporting_forces(state, attack):
        group = state.operation.fleet[key].group
        for which in [which for which in group.ships if lost.get(which.tag) and _supports(which)]:
            some = min(lost[which.tag], group.ships[which])
            take(group.ships, which, some)
            lost[which.tag] -= some
            add(sunk, which, some)
            add(state.losses.ships, which, some)
    if sunk:
        yield disclosed(
            ("{}: {} lost off the beach", state.name(state.moving), Ships(sunk.items())),
            "18.553E",
            state.moving,
        )


def _supports(which: Ship) -> bool:
    return which.kind is Kind.CVE or bombards(which)


# --- the defender -----------------------------------------------------------------------------------------------


@rule("18.616", "18.611C", "18.614C.2", "18.617")
def defender_losses(state: State, attack: GroundAttack, factors: int) -> Script[None]:
    """18.616: the defender takes losses from ground units, or from air that took part in the ground combat, or both, at
    the strengths that they had in it (18.611C). Air that was not used is not touched, nor is what sits in a base
    (18.614C, 18.617)."""
    side = state.other(state.moving)
    flights, items = _support(state, attack)
    units = defenders(state, attack.hexes)
    items += [_unit_item(state, name, unit.defence) for name, unit in units.items()]
    lost = yield from share_out(side, items, THIRDS * factors, "18.616")
    yield from _lose_air(state, flights, lost, "18.616")
    yield from _lose_units(state, lost, "18.616")


@rule("18.616")
def support_losses(state: State, attack: GroundAttack, factors: int) -> Script[None]:
    """18.616: so many factors of defensive air support that took part are lost."""
    flights, items = _support(state, attack)
    lost = yield from share_out(state.other(state.moving), items, THIRDS * factors, "18.616")
    yield from _lose_air(state, flights, lost, "18.616")


def _support(state: State, attack: GroundAttack) -> tuple[list[Flight], list[Item]]:
    """The defensive air support that takes part, at what it is worth: three times as much against an invasion."""
    more = THIRDS if attack.kind == "invasion" else 1
    flights = [one for one in state.turn.flights if one.spent and one.at in attack.hexes and one.side != state.moving]
    return flights, air_items([one.air for one in flights], lambda which: which.size * more)


# --- both -------------------------------------------------------------------------------------------------------


def _lose_air(state: State, flights: list[Flight], lost: dict[str, int], number: str) -> Script[None]:
    turn = state.turn
    eliminated: Force = {}
    for flight in flights:
        for which in list(flight.air):
            some = min(flight.air[which], lost.get(which.tag, 0))
            if some:
                take(flight.air, which, some)
                lost[which.tag] -= some
                eliminated[which] = eliminated.get(which, 0) + some
    turn.flights = [flight for flight in turn.flights if flight.air]
    if eliminated:
        state.lose(eliminated)
        side = flights[0].side
        yield Note(("{}: {} lost in ground combat", state.name(side), Listed(eliminated.items())), number)


def _lose_units(state: State, lost: dict[str, int], number: str) -> Script[None]:
    turn = state.turn
    gone = [name for name in lost if lost[name] and name in turn.units]
    if gone:
        side, names = turn.units[gone[0]].side, unit_names(state, gone)
        for name in gone:
            del turn.units[name]
        yield Note(("{}: {} eliminated in ground combat", state.name(side), names), number)
