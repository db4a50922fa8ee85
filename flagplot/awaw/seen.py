"""Air units and ships as plain data, for those who may see them.

A player looks often and little changes between two looks, so the entry of so many of a kind is made once and copied.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flagplot.awaw.air_units import Force, Unit, name_of
from flagplot.awaw.ships import Fleet, Ship, described_ships


def flights(force: Force, aborted: Force | None = None) -> list[dict[str, Any]]:
    """Air units; `aborted` says how many of each are."""
    if aborted:
        return [_flight(which, number) | {"aborted": aborted.get(which, 0)} for which, number in force.items()]
    return [_flight(which, number).copy() for which, number in force.items()]


@lru_cache(maxsize=4096)
def _flight(which: Unit, number: int) -> dict[str, Any]:
    return {
        "home": which.home,
        "nation": which.nation,
        "arm": which.arm.value,
        "role": which.role.value,
        "inverted": which.inverted,
        "count": number,
        "aborted": 0,
        "text": f"{number} {name_of(which, number)}",
    }


def ships_seen(fleet: Fleet) -> list[dict[str, Any]]:
    return [_vessel(which, number).copy() for which, number in fleet.items()]


@lru_cache(maxsize=4096)
def _vessel(which: Ship, number: int) -> dict[str, Any]:
    return {
        "id": which.id,
        "nation": which.nation,
        "kind": which.kind.value,
        "size": which.size,
        "hits": which.hits,
        "damaged": which.damaged,
        "laden": which.laden,
        "empty": which.empty,
        "count": number,
        "text": described_ships([(which, number)]),
    }
