"""Attacks on bases from the air, and those who may leave them."""

from __future__ import annotations

from math import ceil
from typing import Any

from flagplot.awaw.mapboard.hexes import distance
from flagplot.awaw.state.operation import Activity, Progress
from flagplot.awaw.state.turn import Phase
from flagplot.awaw.views.operation import BaseStrikeView, ForceView
from flagplot.kernel.requests import Choose
from flagplot.kernel.view_types import HIDDEN
from flagplot.players.doctrine.principles import always, first, part, principle, says
from flagplot.players.doctrine.sea import OFFENSIVE, Sea, air_aboard
from flagplot.players.doctrine.sight import Sight, air_strength, squadrons

NONE, LAND = "none", "land"
FEW = 3
"""Fewer squadrons than these attack no base."""
EVEN = 1.0
"""For ships in port defending air may be so many times those who fly."""
NEAR = 4
"""Hexes within which the air of a base threatens ships at sea."""


@principle("base-attack")
def attack(sight: Sight, request: Choose[Any]) -> str:
    """The base with the most ships that can be had; without ships in port one whose air threatens ours at sea, with the
    odds of the doctrine. Aircraft that are needed at sea stay at home."""
    sea, by = Sea(sight), part(request, 1)
    worth = {base: _worth(sea, base, by) for base in request.values if base != NONE}
    best = max(worth, key=lambda base: worth[base], default=NONE)
    return best if worth.get(best, 0.0) > 0 else NONE


def _worth(sea: Sea, base: str, by: str) -> float:
    """What an attack on a base is worth: the ships in port, or else the air there."""
    ours, theirs = _attackers(sea, base, by), _defenders(sea, base)
    ships = sea.size(sea.in_port(base)) if _may_attack_ships(sea, by) else 0.0
    if ours < FEW or (by == LAND and _is_needed_at_sea(sea)):
        return 0.0
    if ships and ours >= EVEN * theirs:
        return ships
    odds = sea.sight.doctrine.counterair_odds * (1 if by == LAND else DEARER)
    theirs += UNSEEN * len([force for force in sea.in_port(base) if force.ships is HIDDEN])
    return theirs / 10 if 0 < theirs * odds <= ours and _threatens(sea, base) else 0.0


UNSEEN = 4
"""Squadrons that may be aboard a task force in port that nobody has seen."""
DEARER = 2
"""Carriers need their squadrons for the enemy's: they attack air alone only with so many times the odds."""


def _may_attack_ships(sea: Sea, by: str) -> bool:
    """23.61: on its way to its hex a patrol attacks air alone, and so does land-based air before the combat stage and
    while the counterair missions of that stage are flown (23.51)."""
    if by == LAND:
        return sea.sight.position.stage == Phase.COMBAT and not sea.operation.counterair_first
    return by not in sea.voyages or sea.voyages[by].progress is Progress.ARRIVED


def _defenders(sea: Sea, base: str) -> int:
    """The air that would defend a base, in squadrons: in a further attack those fight again whom the last one has
    aborted (23.412A)."""
    return air_strength(sea.sites[base].air, inverted=base in sea.operation.attacked)


def _attackers(sea: Sea, base: str, by: str) -> int:
    """What could fly against a base, in squadrons."""
    if by == LAND:
        return air_strength(sea.flying(sea.side, sea.sites[base].at))
    return sum([squadrons(air_aboard(force)) for force in _carrier_forces(sea, by)])


def _carrier_forces(sea: Sea, by: str) -> list[ForceView]:
    """The forces whose carriers attack: those of a voyage, or those on patrol in one hex."""
    if by in sea.voyages:
        return sea.sailing(by)
    one = sea.forces.get(by)
    if one is None:
        return []
    return [
        force
        for force in sea.forces.values()
        if force.side == sea.side and force.patrol == one.patrol and force.at == one.at
    ]


def _is_needed_at_sea(sea: Sea) -> bool:
    """Whether ships of ours are about to sail, whom aircraft could cover, or enemies whom they could attack."""
    return any([voyage.progress in (Progress.ANNOUNCED, Progress.UNDER_WAY) for voyage in sea.voyages.values()])


def _threatens(sea: Sea, base: str) -> bool:
    """Whether the air of a base reaches a force of ours at sea or the way that it goes."""
    voyages = [(key, voyage) for key, voyage in sea.voyages.items() if voyage.side == sea.side]
    hexes = [at for key, voyage in voyages if voyage.progress is not Progress.OVER for at in sea.path(key)]
    hexes += [force.at for force in sea.forces.values() if force.side == sea.side and force.patrol]
    return any([distance(sea.sites[base].at, at) <= NEAR for at in hexes])


@principle("another")
def another(sight: Sight, request: Choose[Any]) -> str:
    """Another sortie is flown as long as the attack would be begun now."""
    sea, base = Sea(sight), _base_strike(sight).base
    ours, theirs = _attackers(sea, base, _who_attacks(sea)), _defenders(sea, base)
    worth = sea.size(sea.in_port(base)) and ours >= FEW and ours >= EVEN * theirs
    return "again" if worth else "done"


def _base_strike(sight: Sight) -> BaseStrikeView:
    """The attack that is under way."""
    assert sight.operation.base_strike is not None
    return sight.operation.base_strike


def _who_attacks(sea: Sea) -> str:
    """Whose squadrons fly in the attack that is under way: those of the carriers that are at sea for it, or land-based
    air."""
    for key, voyage in sea.voyages.items():
        if voyage.side == sea.side and (voyage.activity, voyage.progress) in ATTACKING:
            return key
    patrols = {key: force for key, force in sea.forces.items() if force.side == sea.side and force.patrol == OFFENSIVE}
    return next((key for key, force in patrols.items() if squadrons(air_aboard(force))), LAND)


ATTACKING = {
    (Activity.PATROL, Progress.UNDER_WAY),
    (Activity.PATROL, Progress.ARRIVED),
    (Activity.CARRIER_MISSION, Progress.ARRIVED),
}


# --- with what --------------------------------------------------------------------------------------------------


@principle("fly")
def fly(sight: Sight, request: Choose[Any]) -> Any:
    """Against ships, at sea and in port, everything flies; against the air of a base so many times that as the doctrine
    says."""
    if not sight.on_map or sight.operation.base_strike is None:
        return request.values[-1]
    sea, base = Sea(sight), _base_strike(sight).base
    most: int = request.values[-1]
    by = _who_attacks(sea)
    if sea.size(sea.in_port(base)) and _may_attack_ships(sea, by):
        return most
    ours = _attackers(sea, base, by)
    wanted = sight.doctrine.counterair_odds * _defenders(sea, base)
    return most if not ours else ceil(most * min(1.0, wanted / ours))


@principle("share")
def share(sight: Sight, request: Choose[Any]) -> int:
    """As many counterair as the defenders are, but no more than half: ships that are not attacked at once may be gone
    after the round."""
    flown = _base_strike(sight)
    ours, theirs = air_strength(flown.counterair), _defenders(Sea(sight), flown.base)
    most: int = request.values[-1]
    return ceil(most * min(HALF, theirs / ours)) if ours else 0


HALF = 0.5


# --- those who are attacked -------------------------------------------------------------------------------------


@principle("escape")
def escape(sight: Sight, request: Choose[Any]) -> Any:
    """Ships leave a port that is attacked if nobody can wait for them on the way; from a port that only could be
    attacked they go if the air there is too weak to protect them."""
    sea, key = Sea(sight), part(request, 1)
    force = sea.forces[key]
    near = [one for one in sea.free(sight.enemy).values() if sea.sails(one.at, force.at) <= 2 * NEAR]
    if any([sea.power([one]) > sea.power([force]) for one in near]):
        return "stay"
    attacked = force.base in sea.operation.attacked
    return request.values[1] if attacked or sea.air_in(force.base) < FEW else "stay"


always(says("stay"), "flee-from", why="Air units stay: units that flee are inverted.")
always(first, "embark", why="Carriers go to sea with their squadrons.")
