"""Segment B, and whole air phases: counterair, and those who have to meet it."""

from __future__ import annotations

from math import ceil
from typing import Any

from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.principles import always, first, last, part, principle, says
from flagplot.players.doctrine.sight import Sight, air_strength

NONE = "none"


@principle("counterair")
def counterair(sight: Sight, request: Choose[Any]) -> str:
    """The base with the most air that we can overwhelm; if there is none, the weakest that we can meet with the least
    odds of the doctrine; else no more."""
    sites = sight.position.sites
    ours = sum([air_strength(site.air) for site in sites.values() if site.side == sight.side])
    worth = {str(base): air_strength(sites[base].air) for base in request.values if base in sites}
    weaker = {base: there for base, there in worth.items() if 0 < there * sight.doctrine.counterair_odds <= ours}
    overwhelmed = [base for base, there in weaker.items() if there * sight.doctrine.counterair_force <= ours]
    if overwhelmed:
        return max(overwhelmed, key=lambda base: weaker[base])
    return min(weaker, key=lambda base: weaker[base], default=NONE)


always(first, "with", why="Land-based air goes first: carriers may come again and again.")


@principle("send")
def send(sight: Sight, request: Choose[Any]) -> int:
    """Against a base flies what overwhelms the air that stands in it, if there is as much; from carriers the least odds
    or none."""
    there = air_strength(sight.position.air_at(part(request, 1)))
    mission = sight.position.mission
    if mission is None:  # in a naval battle: no kind of squadrons is sent that could not do it alone
        wanted = sight.doctrine.counterair_odds * there
        return ceil(wanted) if wanted <= request.values[-1] else 0
    missing = max(0, sight.doctrine.counterair_force * there - air_strength(mission.attackers))
    return ceil(missing / 3) if part(request, 2).endswith(":factors") else ceil(missing)


always(first, "next", why="The order of several sorties does not matter much: as they come.")
HITTING_BACK = "Inverted air is left alone, so that all results fall on units that can hit back."
always(says("leave"), "inverted", why=HITTING_BACK)


@principle("transports")
def transports(sight: Sight, request: Choose[Any]) -> str:
    """Air transports are attacked too where the air that defends them is overwhelmed; else all results should fall on
    units that can hit back."""
    theirs, ours = _over_the_base(sight)[::-1]
    return "engage" if ours >= sight.doctrine.counterair_force * theirs else "leave"


@principle("defender")
def defender(sight: Sight, request: Choose[Any]) -> str:
    """The defender stays as long as he has half of what attacks."""
    theirs, ours = _over_the_base(sight)
    return "stay" if 2 * ours >= theirs else "leave"


@principle("attacker")
def attacker(sight: Sight, request: Choose[Any]) -> str:
    """The attacker presses on as long as he is the stronger one."""
    ours, theirs = _over_the_base(sight)
    return "press-on" if ours > theirs else "break-off"


def _over_the_base(sight: Sight) -> tuple[int, int]:
    """What attacks and what defends: in a counterair mission, or in an attack on a base and the ships in its port."""
    mission = sight.position.mission
    if mission is not None:
        attackers, base = mission.attackers, mission.target
    else:
        raid = sight.operation.base_strike
        assert raid is not None
        attackers, base = raid.counterair, raid.base
    return air_strength(attackers), air_strength(sight.position.air_at(base))


always(last, "flee", why="Evacuated units go to the first shelters that have room.")
