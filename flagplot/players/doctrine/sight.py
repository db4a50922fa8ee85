"""What the player sees: the view of its side, of which a principle reads the parts that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

from flagplot.awaw.air_units import Arm, Role
from flagplot.awaw.ships import FAST_CARRIERS, LIGHT, Kind
from flagplot.awaw.views.battle import BattleView, GroupView, OwnGroup, PendingView
from flagplot.awaw.views.operation import OperationView
from flagplot.awaw.views.position import Position
from flagplot.awaw.views.turn import TurnView
from flagplot.awaw.views.units import FlightView, Ships, ShipView
from flagplot.kernel.views import View
from flagplot.players.doctrine.lots import Lots
from flagplot.players.doctrine.settings import Doctrine

T = TypeVar("T")


class OurGroup(NamedTuple):
    """A combat group of ours: nothing of it is hidden."""

    number: int
    ships: Ships
    own: OwnGroup
    seen: GroupView

    @property
    def evaded(self) -> bool:
        return self.seen.evaded


class Sight:
    """One moment as the player's side sees it."""

    def __init__(self, view: View, doctrine: Doctrine, lots: Lots | None = None) -> None:
        self._view = view
        self.side = view.side
        self.doctrine = doctrine
        self._lots = lots or Lots()

    def draw(self, choice: str, weights: Mapping[T, float], usual: T) -> T:
        """Draw a secret choice of this round."""
        battle = self.position.battle
        return self._lots.draw(f"{self.side}/{battle.round if battle else 0}/{choice}", weights, usual)

    @property
    def position(self) -> Position:
        """Many questions are answered without it."""
        position: Position = self._view.position
        return position

    @property
    def battle(self) -> BattleView:
        """The naval battle that is being fought."""
        battle = self.position.battle
        assert battle is not None
        return battle

    @property
    def operation(self) -> OperationView:
        operation = self.position.operation
        assert operation is not None
        return operation

    @property
    def turn(self) -> TurnView:
        turn = self.position.turn
        assert turn is not None
        return turn

    @property
    def on_map(self) -> bool:
        """Whether no naval battle is being fought, in an operation or an air turn."""
        return self.position.kind in ("operation", "air-turn")

    @property
    def enemy(self) -> str:
        first, second = self.position.sides
        return second if first == self.side else first

    # --- combat groups ------------------------------------------------------------------------------------------

    def _afloat(self, side: str) -> list[GroupView]:
        battle = self.position.battle
        groups = battle.groups_of(side) if battle else ()
        return [group for group in groups if _is_afloat(group)]

    @property
    def ours(self) -> list[OurGroup]:
        """Our combat groups that are afloat."""
        afloat = self._afloat(self.side)
        return [OurGroup(one.number, one.ships, one.own, one) for one in afloat if one.ships and one.own]

    @property
    def theirs(self) -> list[GroupView]:
        """The enemy's combat groups that are afloat."""
        return self._afloat(self.enemy)

    def group(self, number: object) -> OurGroup | None:
        """Our combat group of that number."""
        one = self._numbered(self.side, number)
        return OurGroup(one.number, one.ships, one.own, one) if one and one.ships and one.own else None

    def target(self, number: object) -> GroupView | None:
        """The enemy's combat group of that number."""
        return self._numbered(self.enemy, number)

    def _numbered(self, side: str, number: object) -> GroupView | None:
        battle, text = self.position.battle, str(number)
        group = battle.group(side, int(text)) if battle and text.isdecimal() else None
        return group if group is not None and _is_afloat(group) else None

    @property
    def pending(self) -> list[PendingView]:
        """Our forces that have no number yet."""
        battle = self.position.battle
        ours = battle.pending[self.side] if battle else ()
        return [force for force in ours if force.ships] if isinstance(ours, tuple) else []


def _is_afloat(group: GroupView) -> bool:
    return group.status != "destroyed" and group.ships != ()


# --- counting ---------------------------------------------------------------------------------------------------


def is_carrier(ship: ShipView) -> bool:
    return ship.kind in FAST_CARRIERS


def is_light(ship: ShipView) -> bool:
    return ship.kind in LIGHT


def factors(ships: Iterable[ShipView]) -> int:
    """Naval factors; transports have none."""
    return sum([ship.size * ship.count for ship in ships if ship.kind is not Kind.TRANSPORT])


def undamaged_factors(ships: Iterable[ShipView]) -> int:
    return sum([ship.size * ship.count for ship in ships if not ship.damaged and ship.kind is not Kind.TRANSPORT])


def carrier_factors(ships: Iterable[ShipView]) -> int:
    """Factors of undamaged fast carriers: the squadrons that can fly from them."""
    return sum([ship.size for ship in ships if ship.kind in FAST_CARRIERS and not ship.damaged])


def guns(ships: Iterable[ShipView]) -> int:
    """The factors that can fight other ships: neither carriers nor transports, undamaged, without cargo."""
    return factors([ship for ship in ships if not (ship.kind in FAST_CARRIERS or ship.damaged or ship.laden)])


def squadrons(flights: Iterable[FlightView]) -> int:
    return sum([flight.count for flight in flights])


def air_strength(flights: Iterable[FlightView], *, inverted: bool = False) -> int:
    """Air that can fight, in squadrons; a factor is three, and a jet counts three times. Inverted air only if asked."""
    return sum(
        [
            flight.count * (3 if flight.role is Role.FACTORS else 1) * (3 if flight.arm is Arm.JET else 1)
            for flight in flights
            if flight.arm is not Arm.TRANSPORT and (inverted or not flight.inverted)
        ]
    )
