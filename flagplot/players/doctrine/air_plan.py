"""Segments C to F: patrol, cover and search."""

from __future__ import annotations

from math import ceil
from typing import Any

from flagplot.awaw.air_units import Role
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.principles import part, principle
from flagplot.players.doctrine.sight import Sight
from flagplot.players.doctrine.target_value import at_stake

SEARCH_DICE = 3
"""Squadrons beyond these bring no further search dice."""


@principle("patrol")
def patrol(sight: Sight, request: Choose[Any]) -> int:
    """Of the squadrons that may fly patrol over their carriers, a fixed share does."""
    most: int = request.values[-1]
    return ceil(most * sight.doctrine.cap_share)


@principle("cover")
def cover(sight: Sight, request: Choose[Any]) -> int:
    """Army fighters all cover the group with the most carriers, or else the largest; naval squadrons strike instead."""
    if not part(request, 2).endswith("army:cover"):
        return 0
    dearest = max(sight.ours, key=at_stake, default=None)
    most: int = request.values[-1]
    return most if dearest is not None and str(dearest.number) == part(request, 1) else 0


@principle("search")
def search(sight: Sight, request: Choose[Any]) -> int:
    """All search squadrons search; of naval squadrons ashore only as many as bring dice."""
    most: int = request.values[-1]
    if part(request, 1).endswith("army:search"):
        return most
    return min(most, max(0, SEARCH_DICE - _army_searchers(sight)))


def _army_searchers(sight: Sight) -> int:
    return sum(
        [
            flight.count
            for site in sight.position.sites.values()
            if site.side == sight.side
            for flight in site.air
            if flight.role is Role.SEARCH and not flight.inverted
        ]
    )
