"""Segment A: which forces sail together, and under which numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flagplot.awaw.views.battle import PendingView
from flagplot.awaw.views.units import ShipView
from flagplot.kernel.requests import Choose
from flagplot.kernel.words import say
from flagplot.players.doctrine.principles import part, principle
from flagplot.players.doctrine.sight import Sight, carrier_factors, factors, guns, is_carrier, remembered

FAR = {5: 4, 4: 4, 6: 3, 3: 3, 2: 1, 1: 1}
"""Numbers for carriers, the usual one first, and how often each is drawn: mostly late in the line of fire, with a
higher number free to evade to."""
LAST = {6: 4, 5: 3, 4: 3, 3: 2, 2: 1, 1: 1}
NEAR = {1: 4, 2: 3, 3: 3, 4: 2, 5: 2, 6: 1}
FIRST = {1: 4, 2: 3, 3: 3}
"""The first number of a fleet of guns alone."""


@principle("number")
def number(sight: Sight, request: Choose[Any]) -> int:
    """Guns mostly take low numbers, to fight and to search at once; carriers high ones; cargo and cripples the highest.
    No number gives a group away. A single group of guns hides nothing, so it comes into action at once; a fleet of guns
    alone keeps the order of its guns."""
    force = _asked_about(sight, request)
    if _wanted(force) is NEAR and len(sight.pending) + len(sight.ours) == 1:
        return int(request.values[0])
    if force is not None and _has_guns_alone(sight):
        return _in_order_of_guns(sight, force, request.values)
    weights = {wanted: often for wanted, often in _wanted(force).items() if wanted in request.values}
    usual = next(iter(weights), request.values[0])
    return sight.draw(f"number/{part(request, 1)}", weights, usual)


def _wanted(force: PendingView | None) -> dict[int, int]:
    if force is None:
        return NEAR
    if carrier_factors(force.ships):
        return FAR
    return LAST if force.own.cargo or not guns(force.ships) else NEAR


def _has_guns_alone(sight: Sight) -> bool:
    """Whether our side has neither carriers nor cargo nor aircraft: then numbers only settle which groups meet."""
    forces = [(force.ships, force.own.cargo) for force in sight.pending]
    forces += [(group.ships, group.cargo) for group in sight.ours]
    hiding = any([cargo or any(map(is_carrier, ships)) for ships, cargo in forces])
    return not hiding and not any(sight.position.own_air())


def _in_order_of_guns(sight: Sight, force: PendingView, free: Sequence[int]) -> int:
    """22.521: groups meet from the lowest number up, so the strongest of ours comes first and no weak one meets
    their strongest. Where the order begins is drawn. Groups that bring no search dice (22.451D) come last."""
    numbers = [number for number in free if number]
    if guns(force.ships) < ENOUGH:
        return numbers[-1]
    used = [group.number for group in sight.ours]
    first = sight.draw("first", FIRST, 1)
    line = [number for number in range(first, MOST + 1) if number not in used]
    waiting = [one for one in sight.pending if one.arrives <= sight.battle.round]
    place = sum([guns(one.ships) > guns(force.ships) for one in waiting])
    wanted = line[place] if place < len(line) else MOST
    return next((number for number in numbers if number >= wanted), numbers[-1])


def _asked_about(sight: Sight, request: Choose[Any]) -> PendingView | None:
    """The force that a question names; names may be parts of one another, so the longest counts."""
    words = say(request.question)
    named = [force for force in sight.pending if force.own.name in words]
    return max(named, key=lambda force: len(force.own.name), default=None)


@principle("strengthen")
def strengthen(sight: Sight, request: Choose[Any]) -> Any:
    """Cargo is mostly drawn to sail with the strongest carriers, under their patrol. Else, and without a draw, it sails
    alone if its escort has ten factors, or with the strongest guns that have no carriers."""
    laden = _asked_about(sight, request)
    if laden is None:
        return request.values[0]
    forces = {option.value: _offered(sight, option.label) for option in request.options}
    guard = max(forces, key=lambda key: _guns_alone(forces[key]))
    if factors(laden.ships) >= ENOUGH or not _guns_alone(forces[guard]):
        guard = request.values[0]
    flat = max(forces, key=lambda key: _decks(forces[key]))
    often = min(1.0, sight.doctrine.carrier_escort) if _decks(forces[flat]) else 0.0
    weights = {key: some for key, some in ((flat, often), (guard, 1 - often)) if some > 0}
    return sight.draw(f"escort/{laden.own.name}", weights, guard if often < 1 else flat)


ENOUGH = 10
"""A group with this many factors brings a search die, and is escort enough for cargo."""
MOST = 6
"""The highest number of a group."""


def _offered(sight: Sight, label: str) -> PendingView | None:
    """The force that would escort."""
    return next((one for one in sight.pending if label.endswith(one.own.name)), None)


def _decks(force: PendingView | None) -> int:
    return carrier_factors(force.ships) if force is not None else 0


def _guns_alone(force: PendingView | None) -> int:
    """The guns of a force without carriers."""
    return 0 if force is None or _decks(force) else guns(force.ships)


@principle("detach")
def detach(sight: Sight, request: Choose[Any]) -> Any:
    """The largest ships go into the other group, but carriers last."""
    first: dict[str, int] = {}
    for force in sight.pending:
        first.update(_detached_first(force.ships))
    return max(request.values, key=lambda tag: first.get(tag, 0))


def _tag(ship: ShipView) -> str:
    return f"{ship.tag}:damaged" if not ship.id and ship.damaged else ship.tag


@remembered
def _detached_first(ships: Sequence[ShipView]) -> tuple[tuple[str, int], ...]:
    """How gladly each ship is detached."""
    return tuple([(_tag(ship), -1 if carrier_factors([ship]) else ship.size) for ship in ships])


@principle("return")
def return_to_port(sight: Sight, request: Choose[Any]) -> Any:
    """If a carrier must go home, a damaged one or the smallest; after the battle ships return where they came from."""
    if isinstance(request.verb, tuple):
        return request.values[0]
    ships = {ship.id: ship for force in sight.pending for ship in force.ships if ship.id}
    return min(request.values, key=lambda name: carrier_factors([ships[name]]) if name in ships else 0)
