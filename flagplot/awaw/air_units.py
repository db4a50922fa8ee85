"""Air units (chapter 17): what they are, how they are counted, and how far they fly.

Identical units are counted, not named: a `Flight` is some units of one nation and arm that share a home, a role and
a status. Flights are immutable; a force is a list of them, changed by replacing entries.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from flagplot.awaw.tables.nations import nation
from flagplot.kernel.rules import rule


class Arm(StrEnum):
    """17.11: the types of air unit, elite Japanese naval air (17.352) and Pacific bombers (17.75) apart."""

    ARMY = "army"
    NAVAL = "naval"
    ELITE = "elite-naval"
    JET = "jet"
    TRANSPORT = "transport"
    INTERCEPTOR = "interceptor"
    BOMBER = "bomber"
    PACIFIC_BOMBER = "pacific-bomber"


NAVAL_ARMS = frozenset({Arm.NAVAL, Arm.ELITE})


class Role(StrEnum):
    """17.14: in what the units are counted; army air squadrons are of three kinds (23.132)."""

    FACTORS = "factors"
    SQUADRONS = "squadrons"
    SEARCH = "search"
    COVER = "cover"
    ATTACK = "attack"


ARMY_ROLES = (Role.SEARCH, Role.COVER, Role.ATTACK)


class Flight(NamedTuple):
    """Some identical air units with one home."""

    nation: str
    arm: Arm
    drm: int
    """Their Air Nationality DRM at their home (19.31A)."""
    reach: int
    """Their operational range in hexes (18.31)."""
    home: str
    role: Role
    inverted: bool
    units: int
    aborted: int = 0
    """How many of them the last roll against them forced to abort (18.526)."""

    def of(self, units: int, aborted: int = 0) -> Flight:
        """The same units in another number."""
        nation, arm, drm, reach, home, role, inverted, _, _ = self
        return Flight(nation, arm, drm, reach, home, role, inverted, units, aborted)


UNITS = {
    Arm.ARMY: "army air",
    Arm.NAVAL: "naval air",
    Arm.ELITE: "elite naval air",
    Arm.JET: "jet",
    Arm.TRANSPORT: "air transport",
    Arm.INTERCEPTOR: "interceptor",
    Arm.BOMBER: "strategic bomber",
    Arm.PACIFIC_BOMBER: "Pacific strategic bomber",
}


def name_of(country: str, arm: Arm, role: Role, count: int = 2) -> str:
    """What people call such units: ``German army air factors``."""
    unit = "factor" if role is Role.FACTORS else "squadron"
    part = f" {role.value}" if role in ARMY_ROLES else ""
    return f"{nation(country).adjective} {UNITS[arm]}{part} {unit}{'s' * (count != 1)}"


def described(flights: Iterable[Flight]) -> str:
    """A force in words, its flights of one type added together: ``3 German army air factors, 1 inverted``."""
    totals: dict[tuple[str, Arm, Role], list[int]] = {}
    for flight in flights:
        total = totals.setdefault((flight.nation, flight.arm, flight.role), [0, 0])
        total[0] += flight.units
        total[1] += flight.units * flight.inverted
    parts = [
        f"{count} {name_of(*kind, count)}" + (f" ({inverted} inverted)" if inverted else "")
        for kind, (count, inverted) in totals.items()
        if count
    ]
    return "; ".join(parts) or "no air units"


class Kind:
    """What the units of a flight are called, put into words only when somebody reads it."""

    __slots__ = ("_flight",)

    def __init__(self, flight: Flight) -> None:
        self._flight = flight

    def __str__(self) -> str:
        return name_of(self._flight.nation, self._flight.arm, self._flight.role)


class Force(tuple[Flight, ...]):
    """Flights that are put into words only when somebody reads them."""

    __slots__ = ()

    def __str__(self) -> str:
        return described(self)


class Lost(tuple[Flight, ...]):
    """Eliminated flights, put into words without regard to what they were before."""

    __slots__ = ()

    def __str__(self) -> str:
        return described(flight._replace(inverted=False) for flight in self)


def total(flights: Iterable[Flight]) -> int:
    return sum([flight.units for flight in flights])


def merged(flights: Iterable[Flight]) -> list[Flight]:
    """The force with flights of one kind added together and empty ones dropped."""
    together: dict[tuple[object, ...], Flight] = {}
    for flight in flights:
        kind = flight[:7]
        if kind in together:
            other = together[kind]
            together[kind] = flight.of(flight.units + other.units, flight.aborted + other.aborted)
        elif flight.units:
            together[kind] = flight
    return list(together.values())


@rule("17.141B", "18.11")
def room(flight: Flight) -> int:
    """17.141B, 18.11: the basing room that a flight takes, in squadrons: a factor takes as much as three."""
    return flight.units * (3 if flight.role is Role.FACTORS else 1)


@rule("17.141A")
def value(flights: Iterable[Flight]) -> int:
    """17.141A: what a force cost to build, in BRPs: three a factor, one a squadron."""
    return sum(room(flight) for flight in flights)


@cache
@rule("17.22", "17.32", "17.52A", "17.52B", "17.52C", "17.62", "18.31A", "18.31B", "18.31D", "18.31E")
def flying_range(arm: Arm, pacific: bool, jets: int) -> int:
    """18.31: the operational range in hexes; that of jets grows with the research result for jets."""
    if arm in NAVAL_ARMS:
        return 3
    if arm is Arm.JET:
        return (4 if jets >= 12 else 3 if jets >= 11 else 2) - pacific
    return 3 if pacific else 4
