"""Kamikazes, in the first round of a battle or outside one: whom they attack, and where the enemy's are turned to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flagplot.awaw.tables.grids import naval_attack_by_air_row
from flagplot.awaw.views.units import Ships
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.principles import always, last, part, principle
from flagplot.players.doctrine.sight import Sight
from flagplot.players.doctrine.target_value import (
    LARGE,
    Prey,
    Prize,
    at_stake,
    expected_worth,
    kamikaze_drm,
    prey,
    prize,
)

MOST = 15
"""17.47D: the most kamikazes in one attack."""
WORTH = 2
"""17.47G: the squadrons that each counts for."""


@principle("kamikazes")
def kamikazes(sight: Sight, request: Choose[Any]) -> int:
    """All kamikazes go for the found group with the most carriers; what it has no room for attacks the others. Outside
    naval combat a few small ships without cargo are not worth them: they fly once in a turn."""
    found = [group for group in sight.theirs if group.results and not group.attacks]
    if sight.position.operation and sight.position.operation.sortie:
        found = [group for group in found if _is_worth_it(prize(group))]
        if part(request, 1) not in [str(group.number) for group in found]:
            return 0
    best = max(found, key=prize, default=None)
    left = sight.battle.kamikazes
    return left if best is None or str(best.number) == part(request, 1) else left - MOST


def _is_worth_it(what: Prize) -> bool:
    return bool(what.carriers or what.cargo or what.factors >= LARGE)


def _of_ports(request: Choose[Any]) -> bool:
    return request.rule == "17.463"


always(last, "kamikazes", when=_of_ports, why="Ships in port do not have to be found: all that can attack them.")
always(last, "wave", why="Who has not flown flies in the second wave: there is no other day.")


@principle("surplus")
def surplus(sight: Sight, request: Choose[Any]) -> Any:
    """Kamikazes that may choose attack the ship whose loss they bring nearest."""
    return next(iter(shared_out(sight, request.values, 1)), request.values[0])


def shared_out(sight: Sight, names: Iterable[str], number: int) -> dict[str, int]:
    """So many kamikazes one by one, each against the target where it adds most to those that attack already."""
    aims, ships = _under_attack(sight)
    targets = [one for one in prey(ships) if one.id in names]
    there = dict(aims)
    shares: dict[str, int] = {}
    for _ in range(number if targets else 0):
        best = max(targets, key=lambda one: _added(one, there.get(one.id, 0)))
        there[best.id] = there.get(best.id, 0) + 1
        shares[best.id] = shares.get(best.id, 0) + 1
    return shares


def _under_attack(sight: Sight) -> tuple[dict[str, int], Ships]:
    """How many attack each target so far, and the ships of the combat group or port that is attacked."""
    if sight.position.battle and sight.battle.dives:
        dive = sight.battle.dives[0]
        group = sight.target(dive.target)
        return dive.aims, (group.ships or ()) if group else ()
    in_port = sight.operation.port_dives[0]
    return in_port.aims, in_port.ships or ()


def _added(target: Prey, already: int) -> float:
    """What one more kamikaze is worth."""
    return _worth(target, already + 1) - _worth(target, already)


def _worth(target: Prey, number: int) -> float:
    if not number:
        return 0.0
    return expected_worth(target, naval_attack_by_air_row(WORTH * number), kamikaze_drm() - target.drm)


@principle("divert")
def divert(sight: Sight, request: Choose[Any]) -> Any:
    """Kamikazes that were driven off are turned to a group without carriers or cargo, the smallest."""
    return min(request.values, key=lambda number: at_stake(sight.group(number)))
