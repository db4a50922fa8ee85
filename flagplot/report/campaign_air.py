"""Air lost by base: the base whose counters are taken off the map.

A game counts air that is eliminated by nation and arm, not by base. The bases tell the rest: if none has gained air of
an arm, what each is short of is what it has lost, and what is left over was lost from carriers. Where air of an arm has
flown to another base nobody can tell, and nothing is said of bases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from flagplot.awaw.air_units import Role
from flagplot.awaw.views.units import FlightView

SQUADRONS = 3
"""Squadrons of a factor (23.131)."""


class Lost(NamedTuple):
    """Air units that were lost: their key as losses count them, how many, and from which base, if that is known."""

    key: str
    number: int
    base: str = ""


def lost_by_base(
    lost: Mapping[str, int], before: Iterable[Mapping[str, Any]], now: Mapping[str, Iterable[FlightView]]
) -> Iterator[Lost]:
    """The losses of a side: `before` are the bases of the scenario, `now` the air of each base by its name."""
    then, still = _before(before), _now(now)
    for arm in dict.fromkeys([key.rpartition("/")[0] for key in lost]):
        keys = {key: number for key, number in lost.items() if key.rpartition("/")[0] == arm}
        short = {base: then[base, arm] - still[base, arm] for base, one in {**then, **still} if one == arm}
        left = sum([number * _size(key) for key, number in keys.items()]) - sum(short.values())
        if min(short.values(), default=0) < 0 or left < 0:
            yield from [Lost(key, number) for key, number in keys.items()]
            continue
        for base, squadrons in short.items():
            yield from _told(arm, squadrons, base, keys)
        yield from _told(arm, left, "", keys)


def _size(key: str) -> int:
    return SQUADRONS if key.endswith(f"/{Role.FACTORS}") else 1


def _told(arm: str, squadrons: int, base: str, keys: Mapping[str, int]) -> Iterator[Lost]:
    """So many squadrons, as factors where this arm is counted so."""
    by_factors = f"{arm}/{Role.FACTORS}" in keys
    factors, rest = divmod(squadrons, SQUADRONS) if by_factors else (0, squadrons)
    if factors:
        yield Lost(f"{arm}/{Role.FACTORS}", factors, base)
    if rest:
        yield Lost(f"{arm}/{Role.SQUADRONS}", rest, base)


def _before(bases: Iterable[Mapping[str, Any]]) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for base in bases:
        for some in base.get("air", ()):
            squadrons = some.get("squadrons", 0) + SQUADRONS * some.get("factors", 0)
            found[base["name"], f"{some['nation']}/{some['arm']}"] += squadrons
    return found


def _now(sites: Mapping[str, Iterable[FlightView]]) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for base, flights in sites.items():
        for flight in flights:
            size = SQUADRONS if flight.role is Role.FACTORS else 1
            found[base, f"{flight.nation}/{flight.arm}"] += size * flight.count
    return found
