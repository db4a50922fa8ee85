"""Segment A: which forces sail together, and under which numbers."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.views.battle import PendingView
from flagplot.awaw.views.units import ShipView
from flagplot.kernel.requests import Choose
from flagplot.kernel.words import say
from flagplot.players.doctrine.principles import principle
from flagplot.players.doctrine.sight import Sight, carrier_factors, factors, guns

FAR = (5, 4, 6, 3, 2, 1)
"""Numbers for carriers: late in the line of fire, with a higher number free to evade to."""
LAST = (6, 5, 4, 3, 2, 1)
NEAR = (1, 2, 3, 4, 5, 6)


@principle("number")
def number(sight: Sight, request: Choose[Any]) -> int:
    """Guns take low numbers, to fight and to search at once; carriers high ones; cargo and cripples the highest."""
    force = _asked_about(sight, request)
    free = [value for value in request.values if value]
    return next((wanted for wanted in _wanted(force) if wanted in free), request.values[0])


def _wanted(force: PendingView | None) -> tuple[int, ...]:
    if force is None:
        return NEAR
    if carrier_factors(force.ships):
        return FAR
    return LAST if force.own.cargo or not guns(force.ships) else NEAR


def _asked_about(sight: Sight, request: Choose[Any]) -> PendingView | None:
    """The force that a question names; names may be parts of one another, so the longest counts."""
    words = say(request.question)
    named = [force for force in sight.pending if force.own.name in words]
    return max(named, key=lambda force: len(force.own.name), default=None)


@principle("strengthen")
def strengthen(sight: Sight, request: Choose[Any]) -> Any:
    """Cargo sails alone if its escort has ten factors; else with the strongest guns that have no carriers."""
    laden = _asked_about(sight, request)
    if laden is None or factors(laden.ships) >= ENOUGH:
        return request.values[0]
    escorts = {}
    for option in request.options:
        force = next((one for one in sight.pending if option.label.endswith(one.own.name)), None)
        if force is not None and not carrier_factors(force.ships):
            escorts[option.value] = guns(force.ships)
    return max(escorts, key=lambda key: escorts[key], default=request.values[0])


ENOUGH = 10


@principle("detach")
def detach(sight: Sight, request: Choose[Any]) -> Any:
    """The largest ships go into the other group, but carriers last."""
    ships = {_tag(ship): ship for force in sight.pending for ship in force.ships}
    return max(request.values, key=lambda tag: _detached_first(ships.get(tag)))


def _tag(ship: ShipView) -> str:
    return f"{ship.tag}:damaged" if not ship.id and ship.damaged else ship.tag


def _detached_first(ship: ShipView | None) -> int:
    if ship is None:
        return 0
    return -1 if carrier_factors([ship]) else ship.size


@principle("return")
def return_to_port(sight: Sight, request: Choose[Any]) -> Any:
    """If a carrier must go home, a damaged one or the smallest; after the battle ships return where they came from."""
    if isinstance(request.verb, tuple):
        return request.values[0]
    ships = {ship.id: ship for force in sight.pending for ship in force.ships if ship.id}
    return min(request.values, key=lambda name: carrier_factors([ships[name]]) if name in ships else 0)
