"""Segments C to F: patrol, cover and search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from flagplot.awaw.air_units import Role
from flagplot.awaw.views.units import FlightView
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.principles import part, principle
from flagplot.players.doctrine.sight import Sight, remembered, squadrons
from flagplot.players.doctrine.target_value import at_stake

SEARCH_DICE = 3
"""Squadrons beyond these bring no further search dice."""
PATROLS = {1.0: 6, 0.6: 3, 0.3: 1}
"""How often which share of a full patrol is flown."""
FULL = {1.0: 1}
DEAREST, OTHER = 4, 1
"""How often cover goes to the dearest group, and to each other one."""
SEARCHING = {0: 4, 1: 1}
"""How often how many naval squadrons fewer search than would bring dice."""


@principle("patrol")
def patrol(sight: Sight, request: Choose[Any]) -> int:
    """Of the squadrons that may fly patrol over their carriers most do; the last few squadrons strike instead."""
    if sight.battle.round >= LATE and _afloat(sight) <= sight.doctrine.last_strike:
        return 0
    most: int = request.values[-1]
    share = sight.draw(f"patrol/{part(request, 1)}", PATROLS if most > 1 else FULL, 1.0)
    return ceil(most * share * sight.doctrine.cap_share)


LATE = 5
"""The round from which the last squadrons strike: else two fleets that are worn out lie off each other to the end."""


def _afloat(sight: Sight) -> int:
    return sum([squadrons(one.air) + squadrons(one.patrol) for one in sight.ours])


@principle("cover")
def cover(sight: Sight, request: Choose[Any]) -> int:
    """Army fighters all cover one group: mostly the one with the most carriers, or else the largest. Naval squadrons
    strike instead."""
    battle = sight.battle_if_any if part(request, 2).endswith("army:cover") else None
    decks = battle.own_decks() if battle is not None else None
    if not decks:
        return 0
    dearest = _dearest(sight, decks)
    weights = {number: DEAREST if number == dearest else OTHER for number in decks}
    most: int = request.values[-1]
    return most if str(sight.draw("cover", weights, dearest)) == part(request, 1) else 0


def _dearest(sight: Sight, decks: Mapping[int, int]) -> int:
    """The group with most at stake; mostly its carriers alone tell."""
    most = max(decks.values())
    best = [number for number, there in decks.items() if there == most]
    return best[0] if len(best) == 1 else max(sight.ours, key=at_stake).number


@principle("search")
def search(sight: Sight, request: Choose[Any]) -> int:
    """All search squadrons search; of naval squadrons ashore only as many as bring dice, now and then one fewer."""
    most: int = request.values[-1]
    if part(request, 1).endswith("army:search"):
        return most
    wanted = min(most, max(0, SEARCH_DICE - _army_searchers(sight)))
    return wanted - sight.draw("search", SEARCHING, 0) if wanted else 0


def _army_searchers(sight: Sight) -> int:
    return sum(map(_searchers, sight.position.own_air()))


@remembered
def _searchers(flights: Sequence[FlightView]) -> int:
    return sum([flight.count for flight in flights if flight.role is Role.SEARCH and not flight.inverted])
