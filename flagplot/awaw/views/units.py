"""Air units and ships, for those who may see them.

Little changes between two looks at a game, so equal units share one entry, and a fleet or force that has not changed
keeps its list.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from flagplot.awaw.air_units import Arm, Force, Role, Unit, name_of
from flagplot.awaw.ships import Fleet, Kind, Ship, described_ships, ship
from flagplot.kernel.view_types import Seen

Hex = tuple[int, int]


class FlightView(Seen):
    """Air units of one kind in one place."""

    home: str
    nation: str
    arm: Arm
    role: Role
    inverted: bool
    count: int
    aborted: int
    text: str

    @property
    def tag(self) -> str:
        """What they are called in the text of an option."""
        return _air_tag(self.home, self.nation, self.arm, self.role)


@lru_cache(maxsize=4096)
def _air_tag(home: str, nation: str, arm: Arm, role: Role) -> str:
    return f"{home}:{nation}:{arm}:{role}"


class ShipView(Seen):
    """A named ship, or light ships of one kind in the same condition."""

    id: str
    nation: str
    kind: Kind
    size: int
    hits: int
    damaged: bool
    laden: bool
    empty: bool
    count: int
    text: str

    @property
    def tag(self) -> str:
        """What it is, or they are, called in the text of an option."""
        return self.id or f"{self.nation}:{self.kind}{':laden' * self.laden}{':empty' * self.empty}"


Flights = tuple[FlightView, ...]
Ships = tuple[ShipView, ...]


def flights(force: Force, aborted: Force | None = None) -> Flights:
    """Air units; `aborted` says how many of each are."""
    if not force:
        return ()
    if aborted:
        return tuple([_flight(which, number, aborted.get(which, 0)) for which, number in force.items()])
    return flights_listed(*force, *force.values())


@lru_cache(maxsize=4096)
def flights_listed(*units_and_counts: Any) -> Flights:
    """First all units, then how many of each, in the same order: a key that is made sooner than one of pairs."""
    kinds = len(units_and_counts) // 2
    return tuple(map(_flight, units_and_counts[:kinds], units_and_counts[kinds:]))


@lru_cache(maxsize=4096)
def _flight(which: Unit, number: int, aborted: int = 0) -> FlightView:
    return FlightView(
        home=which.home,
        nation=which.nation,
        arm=which.arm,
        role=which.role,
        inverted=which.inverted,
        count=number,
        aborted=aborted,
        text=f"{number} {name_of(which, number)}",
    )


def ships_seen(fleet: Fleet) -> Ships:
    return ships_listed(*fleet, *fleet.values()) if fleet else ()


@lru_cache(maxsize=4096)
def ships_listed(*ships_and_counts: Any) -> Ships:
    kinds = len(ships_and_counts) // 2
    return tuple(map(_vessel, ships_and_counts[:kinds], ships_and_counts[kinds:]))


def counted_together(ships: Iterable[ShipView]) -> Ships:
    """The same ships, but light ships of one kind in the same condition are counted together, wherever they are."""
    alike: dict[tuple[str, int], list[ShipView]] = {}
    for one in ships:
        alike.setdefault((one.tag, one.hits), []).append(one)
    return tuple([some[0] if len(some) == 1 else _sum(some) for some in alike.values()])


def _sum(alike: list[ShipView]) -> ShipView:
    one, number = alike[0], sum([some.count for some in alike])
    return _vessel(ship(one.nation, one.kind, "", one.size, False, 0, one.laden, one.hits), number)


@lru_cache(maxsize=4096)
def _vessel(which: Ship, number: int) -> ShipView:
    return ShipView(
        id=which.id,
        nation=which.nation,
        kind=which.kind,
        size=which.size,
        hits=which.hits,
        damaged=which.damaged,
        laden=which.laden,
        empty=which.empty,
        count=number,
        text=described_ships([(which, number)]),
    )
