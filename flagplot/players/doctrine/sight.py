"""What the player sees: the view of its side, of which a principle reads the parts that it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, wraps
from typing import Any, TypeVar

from flagplot.awaw.air_units import Arm, Role
from flagplot.awaw.ships import FAST_CARRIERS, LIGHT, Kind
from flagplot.awaw.views.battle import BattleView, EnemyView, FleetView, PendingView
from flagplot.awaw.views.operation import OperationView
from flagplot.awaw.views.position import Position
from flagplot.awaw.views.turn import TurnView
from flagplot.awaw.views.units import FlightView, Ships, ShipView
from flagplot.kernel.views import View
from flagplot.players.doctrine.lots import Lots
from flagplot.players.doctrine.settings import Doctrine

T = TypeVar("T")
_NO_LOTS = Lots()
TRANSPORT = Kind.TRANSPORT  # at hand: a member of an enumeration takes long to look up


class Sight:
    """One moment as the player's side sees it."""

    __slots__ = ("_battle", "_lots", "_ours", "_position", "_view", "doctrine", "side")

    def __init__(self, view: View, doctrine: Doctrine, lots: Lots | None = None) -> None:
        self._view = view
        self.side = view.side
        self.doctrine = doctrine
        self._lots = lots or _NO_LOTS
        self.look_again()

    def look_again(self) -> None:
        """Another moment, if the view is one that goes on with the game."""
        self._position: Position | None = None
        self._battle: BattleView | None = None
        self._ours: list[FleetView] | None = None

    @property
    def position(self) -> Position:
        """Many questions are answered without it."""
        position = self._position
        if position is None:
            position = self._position = self._view.glance()
        return position

    def draw(self, choice: str, weights: Mapping[T, float], usual: T) -> T:
        """Draw a secret choice of this round."""
        if not self._lots.draws or len(weights) < 2:
            return usual
        battle = self._battle or self.battle_if_any
        return self._lots.draw(f"{self.side}/{battle.round if battle else 0}/{choice}", weights, usual)

    @property
    def battle_if_any(self) -> BattleView | None:
        battle = self._battle
        if battle is None:
            battle = self._battle = self._view.close_up()
        return battle

    @property
    def battle(self) -> BattleView:
        """The naval battle that is being fought."""
        battle = self._battle
        if battle is None:
            battle = self._battle = self._view.close_up()
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
        return self.position.enemy

    # --- combat groups ------------------------------------------------------------------------------------------

    @property
    def ours(self) -> list[FleetView]:
        """Our combat groups that are afloat."""
        ours = self._ours
        if ours is None:
            battle = self.battle_if_any
            ours = self._ours = battle.fleets() if battle is not None else []
        return ours

    @property
    def theirs(self) -> list[EnemyView]:
        """The enemy's combat groups that are afloat."""
        battle = self.battle_if_any
        return battle.enemy_groups() if battle is not None else []

    def group(self, number: object) -> FleetView | None:
        """Our combat group of that number, if it is afloat."""
        battle = self.battle_if_any
        return battle.fleet(_as_number(number)) if battle is not None else None

    @property
    def our_ships(self) -> list[Ships]:
        """The ships of each of our combat groups that are afloat."""
        battle = self.battle_if_any
        return battle.own_ships() if battle is not None else []

    def ships_of(self, number: object) -> Ships:
        """The ships of our combat group of that number; none if it is not afloat."""
        battle = self.battle_if_any
        return battle.ships_of(_as_number(number)) if battle is not None else ()

    def target(self, number: object) -> EnemyView | None:
        """The enemy's combat group of that number, if it is afloat."""
        battle = self.battle_if_any
        return battle.enemy_group(_as_number(number)) if battle is not None else None

    @property
    def pending(self) -> list[PendingView]:
        """Our forces that have no number yet."""
        battle = self.battle_if_any
        ours = battle.pending_of(self.side) if battle else ()
        return [force for force in ours if force.ships] if isinstance(ours, tuple) else []


@lru_cache(maxsize=1024)
def _as_number(number: object) -> int:
    """A group number that a question names; 0, which no group has, if that is something else."""
    if isinstance(number, int):
        return number
    text = str(number)
    return int(text) if text.isdecimal() else 0


# --- counting ---------------------------------------------------------------------------------------------------


Listed = TypeVar("Listed")
C = TypeVar("C", int, tuple[Any, ...])
MANY = 4096


def remembered(count: Callable[[Sequence[Listed]], C]) -> Callable[[Sequence[Listed]], C]:
    """A count that is made once for a list which somebody sees again: views show the same list as long as nothing in it
    has changed, so it is known by its being the same one."""
    made: dict[int, tuple[Sequence[Listed], C]] = {}

    @wraps(count)
    def recall(listed: Sequence[Listed]) -> C:
        if type(listed) is not tuple:
            return count(listed)
        found = made.get(id(listed))
        if found is not None and found[0] is listed:
            return found[1]
        if len(made) >= MANY:
            made.clear()
        counted = count(listed)
        made[id(listed)] = listed, counted
        return counted

    return recall


def remembered_pair(count: Callable[[Ships, Ships], C]) -> Callable[[Ships, Ships], C]:
    """The same for a count of two lists."""
    made: dict[tuple[int, int], tuple[Ships, Ships, C]] = {}

    @wraps(count)
    def recall(one: Ships, other: Ships) -> C:
        key = id(one), id(other)
        found = made.get(key)
        if found is not None and found[0] is one and found[1] is other:
            return found[2]
        if len(made) >= MANY:
            made.clear()
        counted = count(one, other)
        made[key] = one, other, counted
        return counted

    return recall


def is_carrier(ship: ShipView) -> bool:
    return ship.kind in FAST_CARRIERS


def is_light(ship: ShipView) -> bool:
    return ship.kind in LIGHT


@remembered
def factors(ships: Sequence[ShipView]) -> int:
    """Naval factors; transports have none."""
    return sum([ship.size * ship.count for ship in ships if ship.kind is not TRANSPORT])


@remembered
def undamaged_factors(ships: Sequence[ShipView]) -> int:
    return sum([ship.size * ship.count for ship in ships if not ship.damaged and ship.kind is not TRANSPORT])


@remembered
def carrier_factors(ships: Sequence[ShipView]) -> int:
    """Factors of undamaged fast carriers: the squadrons that can fly from them."""
    return sum([ship.size for ship in ships if ship.kind in FAST_CARRIERS and not ship.damaged])


@remembered
def guns(ships: Sequence[ShipView]) -> int:
    """The factors that can fight other ships: neither carriers nor transports, undamaged, without cargo."""
    return factors([ship for ship in ships if not (ship.kind in FAST_CARRIERS or ship.damaged or ship.laden)])


@remembered
def squadrons(flights: Sequence[FlightView]) -> int:
    return sum([flight.count for flight in flights])


def air_strength(flights: Sequence[FlightView], *, inverted: bool = False) -> int:
    """Air that can fight, in squadrons; a factor is three, and a jet counts three times. Inverted air only if asked."""
    return _with_inverted(flights) if inverted else _ready(flights)


@remembered
def _with_inverted(flights: Sequence[FlightView]) -> int:
    return sum([_strength(flight) for flight in flights])


@remembered
def _ready(flights: Sequence[FlightView]) -> int:
    return sum([_strength(flight) for flight in flights if not flight.inverted])


def _strength(flight: FlightView) -> int:
    if flight.arm is Arm.TRANSPORT:
        return 0
    return flight.count * (3 if flight.role is Role.FACTORS else 1) * (3 if flight.arm is Arm.JET else 1)
