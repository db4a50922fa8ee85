"""Air units and ships as plain data, for those who may see them."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.air_units import Force, name_of
from flagplot.awaw.ships import Fleet, described_ships


def flights(force: Force, aborted: Force | None = None) -> list[dict[str, Any]]:
    """Air units; `aborted` says how many of each are."""
    marks = aborted or {}
    return [
        {
            "home": which.home,
            "nation": which.nation,
            "arm": which.arm.value,
            "role": which.role.value,
            "inverted": which.inverted,
            "count": number,
            "aborted": marks.get(which, 0),
            "text": f"{number} {name_of(which, number)}",
        }
        for which, number in force.items()
    ]


def ships_seen(fleet: Fleet) -> list[dict[str, Any]]:
    return [
        {
            "id": which.id,
            "nation": which.nation,
            "kind": which.kind.value,
            "size": which.size,
            "hits": which.hits,
            "damaged": which.damaged,
            "laden": which.laden,
            "count": number,
            "text": described_ships([(which, number)]),
        }
        for which, number in fleet.items()
    ]
