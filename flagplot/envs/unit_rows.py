"""Ships and air units as rows, from the lists of views and from glances."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from flagplot.awaw.air_units import Unit
from flagplot.awaw.ships import Ship
from flagplot.awaw.views.glances import Counted
from flagplot.awaw.views.units import Flights, FlightView, Ships, ShipView
from flagplot.envs.rows import ENOUGH, Remembered, is_
from flagplot.players.doctrine.sight import remembered


def ship_rows(stand: bytes, ships: Counted) -> bytes:
    """Ships at a glance that stand together."""
    return stand.join(_ships[ships])


def air_rows(stand: bytes, air: Counted, aborted: Counted = ()) -> bytes:
    """Air units at a glance that stand together."""
    return stand.join(_squadrons[air, aborted])


def rows_of_ships(stand: bytes, ships: Ships) -> bytes:
    """The ships of a list in a view."""
    return b"".join([stand + one for one in _each_ship(ships)]) if ships else b""


def rows_of_air(stand: bytes, air: Flights) -> bytes:
    """The air units of a list in a view."""
    return b"".join([stand + one for one in _each_flight(air)]) if air else b""


@remembered
def _each_ship(ships: Sequence[ShipView]) -> tuple[bytes, ...]:
    return tuple([_ship(one, one.count) for one in ships])


@remembered
def _each_flight(air: Sequence[FlightView]) -> tuple[bytes, ...]:
    return tuple([_flight(one, one.count, one.aborted) for one in air])


def _ship(one: Ship | ShipView, number: int) -> bytes:
    return is_(
        ("ship", one.kind),
        (one.id, one.nation),
        count=number,
        size=one.size,
        hits=one.hits,
        damaged=one.damaged,
        laden=one.laden,
        empty=one.empty,
    )


def _flight(one: Unit | FlightView, number: int, aborted: int) -> bytes:
    return is_(
        ("air", one.arm, one.role), (one.nation,), (one.home,), count=number, aborted=aborted, inverted=one.inverted
    )


_ship_known, _flight_known = lru_cache(maxsize=ENOUGH)(_ship), lru_cache(maxsize=ENOUGH)(_flight)


@Remembered
def _ships(ships: Counted) -> tuple[bytes, ...]:
    """What each of some ships is, after nothing: what they stand on comes between."""
    return (b"", *[_ship_known(which, number) for which, number in ships])


@Remembered
def _squadrons(air: tuple[Counted, Counted]) -> tuple[bytes, ...]:
    """The same of air units, and how many of each have aborted."""
    units, aborted = air[0], dict(air[1])
    return (b"", *[_flight_known(which, number, aborted.get(which, 0)) for which, number in units])
