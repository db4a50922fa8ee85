"""Ships and air units as rows, from the lists of views and from glances."""

from __future__ import annotations

from collections.abc import Sequence

from flagplot.awaw.air_units import Unit
from flagplot.awaw.ships import Ship
from flagplot.awaw.views.glances import Air, Vessels
from flagplot.awaw.views.units import Flights, FlightView, Ships, ShipView
from flagplot.envs.rows import Rows, is_
from flagplot.players.doctrine.sight import remembered


def ship_rows(stand: bytes, ships: Vessels) -> bytes:
    """Ships at a glance that stand together."""
    half = len(ships) // 2
    return stand.join([b"", *map(_ships.of, zip(ships[:half], ships[half:], strict=True))])


def air_rows(stand: bytes, air: Air, aborted: Air = ()) -> bytes:
    """Air units at a glance that stand together."""
    half, broken = len(air) // 2, dict[Unit, int]()
    if aborted:
        broken = dict(zip(aborted[: len(aborted) // 2], aborted[len(aborted) // 2 :], strict=True))
    each = [broken.get(which, 0) for which in air[:half]]
    return stand.join([b"", *map(_squadrons.of, zip(air[:half], air[half:], each, strict=True))])


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


_ships = Rows[tuple[Ship, int]](lambda key: _ship(*key))
_squadrons = Rows[tuple[Unit, int, int]](lambda key: _flight(*key))
