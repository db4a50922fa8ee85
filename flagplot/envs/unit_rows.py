"""Ships and air units as rows, from the lists of views and from glances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import repeat

from flagplot.awaw.air_units import Unit
from flagplot.awaw.ships import Ship
from flagplot.awaw.views.glances import Air, Vessels
from flagplot.awaw.views.units import Flights, FlightView, Ships, ShipView
from flagplot.envs.rows import ENOUGH, is_
from flagplot.players.doctrine.sight import remembered


def ship_rows(stand: bytes, ships: Vessels) -> bytes:
    """Ships at a glance that stand together."""
    half = len(ships) // 2
    return stand.join([b"", *map(_ships, ships[:half], ships[half:])])


def air_rows(stand: bytes, air: Air, aborted: Air = ()) -> bytes:
    """Air units at a glance that stand together."""
    half = len(air) // 2
    broken: Iterable[int] = repeat(0)
    if aborted:
        number = dict(zip(aborted[: len(aborted) // 2], aborted[len(aborted) // 2 :], strict=True))
        broken = [number.get(which, 0) for which in air[:half]]
    return stand.join([b"", *map(_squadrons, air[:half], air[half:], broken)])


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


_ships = lru_cache(maxsize=ENOUGH)(_ship)
_squadrons = lru_cache(maxsize=ENOUGH)(_flight)
