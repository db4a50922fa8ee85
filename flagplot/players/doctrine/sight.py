"""What the player sees: the view of its side, looked at only if a principle needs it, and counted in a few ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, TypeAlias

from flagplot.awaw.ships import CAPITAL, FAST_CARRIERS, LIGHT, Kind
from flagplot.kernel.views import View
from flagplot.players.doctrine.settings import Doctrine

Seen: TypeAlias = Mapping[str, Any]
"""An entry of the view: a combat group, a ship, a flight of squadrons."""

_FAST_CARRIERS = frozenset(map(str, FAST_CARRIERS))
_CAPITAL = frozenset(map(str, CAPITAL))
_LIGHT = frozenset(map(str, LIGHT))
_TRANSPORT = str(Kind.TRANSPORT)


class Sight:
    """One moment as the player's side sees it."""

    def __init__(self, view: View, doctrine: Doctrine) -> None:
        self._view = view
        self.side = view.side
        self.doctrine = doctrine

    @cached_property
    def data(self) -> dict[str, Any]:
        """The position; many questions are answered without it."""
        return self._view.data

    @property
    def on_map(self) -> bool:
        """Whether no naval battle is being fought, in an operation or an air turn."""
        return self.data["kind"] in ("operation", "air-turn")

    @property
    def enemy(self) -> str:
        sides: dict[str, str] = self.data["sides"]
        return next(side for side in sides if side != self.side)

    @property
    def round(self) -> int:
        number: int = self.data.get("round", 1)
        return number

    def groups(self, side: str) -> list[Seen]:
        """The combat groups of a side that are afloat."""
        return [
            group
            for group in self.data.get("groups", ())
            if group["side"] == side and group["status"] != "destroyed" and group.get("ships", True)
        ]

    @property
    def ours(self) -> list[Seen]:
        return self.groups(self.side)

    @property
    def theirs(self) -> list[Seen]:
        return self.groups(self.enemy)

    def group(self, number: object) -> Seen | None:
        """Our combat group of that number."""
        return next((group for group in self.ours if str(group["number"]) == str(number)), None)

    def target(self, number: object) -> Seen | None:
        """The enemy's combat group of that number."""
        return next((group for group in self.theirs if str(group["number"]) == str(number)), None)

    @property
    def pending(self) -> list[Seen]:
        """Our forces that have no number yet."""
        mine = self.data.get("pending", {}).get(self.side, ())
        return [group for group in mine if group["ships"]]


# --- counting ships ---------------------------------------------------------------------------------------------


def is_carrier(ship: Seen) -> bool:
    return ship["kind"] in _FAST_CARRIERS


def is_capital(ship: Seen) -> bool:
    return ship["kind"] in _CAPITAL


def is_light(ship: Seen) -> bool:
    return ship["kind"] in _LIGHT


def factors(ships: Iterable[Seen]) -> int:
    """Naval factors; transports have none."""
    return sum([ship["size"] * ship["count"] for ship in ships if ship["kind"] != _TRANSPORT])


def sound(ships: Iterable[Seen]) -> int:
    """Undamaged naval factors."""
    return factors([ship for ship in ships if not ship["damaged"]])


def carrier_factors(ships: Iterable[Seen]) -> int:
    """Factors of undamaged fast carriers: the squadrons that can fly from them."""
    return sum([ship["size"] for ship in ships if is_carrier(ship) and not ship["damaged"]])


def guns(ships: Iterable[Seen]) -> int:
    """The factors that can fight other ships: neither carriers nor transports, undamaged, without cargo."""
    return factors([ship for ship in ships if not (is_carrier(ship) or ship["damaged"] or ship["laden"])])


def squadrons(flights: Iterable[Seen]) -> int:
    return sum([flight["count"] for flight in flights])


def air_strength(flights: Iterable[Seen]) -> int:
    """Air that can fight, in squadrons; a factor is three, and a jet counts three times."""
    return sum(
        [
            flight["count"] * (3 if flight["role"] == "factors" else 1) * (3 if flight["arm"] == "jet" else 1)
            for flight in flights
            if flight["arm"] != "transport" and not flight["inverted"]
        ]
    )
