"""Segments C to F: patrol, cover and search."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from flagplot.awaw.air_units import Role
from flagplot.awaw.views.battle import FleetView
from flagplot.awaw.views.units import FlightView
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.principles import part, principle
from flagplot.players.doctrine.sight import Sight, carrier_factors, remembered, squadrons
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
    ours = sight.ours if part(request, 2).endswith("army:cover") else ()
    if not ours:
        return 0
    dearest = _dearest(ours).number
    weights = {group.number: DEAREST if group.number == dearest else OTHER for group in ours}
    most: int = request.values[-1]
    return most if str(sight.draw("cover", weights, dearest)) == part(request, 1) else 0


def _dearest(ours: Sequence[FleetView]) -> FleetView:
    """The group with most at stake; mostly its carriers alone tell."""
    decks = [carrier_factors(group.ships) for group in ours]
    most = max(decks)
    return ours[decks.index(most)] if decks.count(most) == 1 else max(ours, key=at_stake)


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
