"""The map as the player's side sees it: who is where, how far that is, and how strong it probably is."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache

from flagplot.awaw.air_units import Role, flying_range
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import distance
from flagplot.awaw.mapboard.reading import maps, read_map
from flagplot.awaw.state.operation import Activity
from flagplot.awaw.views.operation import FlotillaView, ForceView, OperationView, OrderView, VoyageView
from flagplot.awaw.views.position import SiteView
from flagplot.awaw.views.units import Flights, FlightView, Hex
from flagplot.kernel.view_types import HIDDEN
from flagplot.players.doctrine.sight import Sight, air_strength, carrier_factors, factors, guns, squadrons

CARGO = frozenset({Activity.SEA_SUPPLY, Activity.SEA_TRANSPORT, Activity.INVASION, Activity.SEA_ESCORT})
STAKES = {
    Activity.INVASION: 10.0,
    Activity.SEA_ESCORT: 8.0,
    Activity.SEA_TRANSPORT: 6.0,
    Activity.SEA_SUPPLY: 5.0,
    Activity.RAID: 4.0,
    Activity.BOMBARDMENT: 3.0,
    Activity.CARRIER_MISSION: 3.0,
    Activity.BASE_CHANGE: 3.0,
    Activity.PATROL: 3.0,
    Activity.REDEPLOYMENT: 1.0,
    Activity.ESCAPE: 1.0,
    Activity.DISPLACEMENT: 1.0,
}
"""What it is taken to be worth, in naval factors, if an activity is carried out or stopped."""
RETURNING = 0.5
"""The same for a force that returns, or has no cargo."""
AIR = 2.0
"""What a squadron of carrier air counts beside a factor of guns."""
CARRIERS = frozenset({Activity.CARRIER_MISSION, Activity.PATROL})
"""Activities on which carriers are to be expected."""
UNSEEN, UNSEEN_CARGO, UNSEEN_CARRIERS = 20.0, 12.0, 24.0
"""What a task force counts that nobody has seen: as a rule, with cargo, and where carriers are to be expected."""
ASHORE = {Role.FACTORS: 1.5, Role.ATTACK: 1.0, Role.SQUADRONS: 1.0, Role.COVER: 0.5}
"""What land-based air in range of a battle counts, by its role."""
SEARCHERS = frozenset({Role.FACTORS, Role.SEARCH, Role.SQUADRONS})
STRIKERS = frozenset({Role.FACTORS, Role.ATTACK, Role.SQUADRONS})
COVERERS = frozenset({Role.FACTORS, Role.COVER, Role.SQUADRONS})
AT_ONCE = 3
"""Hexes within which a patrol supports a battle from its first round (22.163B)."""
OFFENSIVE = "offensive"
FAR = 99


@lru_cache(maxsize=64)
def _board(name: str) -> Mapboard | None:
    """The map of that name, if it is one that comes with Flagplot."""
    return read_map(name) if name in maps() else None


def hex_of(text: str) -> Hex:
    """A hex of an option, ``q,r``."""
    q, r = text.split(",")
    return int(q), int(r)


def likely_win(ours: float, theirs: float) -> float:
    """The chance that the stronger side is taken to have: its strength squared against that of the other."""
    return ours * ours / (ours * ours + theirs * theirs) if ours else 0.0


# --- what we know of our own forces -----------------------------------------------------------------------------


def orders_for(force: ForceView) -> tuple[OrderView, ...]:
    return force.own.orders if force.own else ()


def air_aboard(force: ForceView) -> Flights:
    return force.own.air if force.own else ()


def has_cargo(force: ForceView) -> bool:
    return bool(force.own and force.own.cargo)


class Sea:
    """The map of one moment."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.side = sight.side

    @cached_property
    def operation(self) -> OperationView:
        return self.sight.operation

    @cached_property
    def forces(self) -> dict[str, ForceView]:
        return self.operation.forces

    @cached_property
    def flotillas(self) -> dict[str, FlotillaView]:
        return self.operation.flotillas

    @cached_property
    def voyages(self) -> dict[str, VoyageView]:
        return self.operation.voyages

    @cached_property
    def sites(self) -> dict[str, SiteView]:
        return self.sight.position.sites

    # --- distances ----------------------------------------------------------------------------------------------

    @cached_property
    def board(self) -> Mapboard | None:
        return _board(self.operation.map)

    @property
    def pacific(self) -> bool:
        return self.board is not None and self.board.pacific

    @property
    def theatre(self) -> str:
        return "pacific" if self.pacific else "europe"

    def sails(self, one: Hex, other: Hex) -> int:
        """The way by sea; of a map that is not at hand the straight line."""
        if self.board is None:
            return distance(one, other)
        hexes = self.board.sea_distance(one, other)
        return FAR if hexes is None else hexes

    def path(self, key: str) -> tuple[Hex, ...]:
        """The path of a voyage as far as it is known: at least where it is."""
        voyage = self.voyages[key]
        return voyage.path or (voyage.at,)

    # --- forces -------------------------------------------------------------------------------------------------

    def sailing(self, key: str) -> list[ForceView]:
        """The forces of a voyage."""
        found = [self.forces[force] for force in self.voyages[key].forces if force in self.forces]
        return [force for force in found if force.ships != ()]

    def power(self, forces: Iterable[ForceView]) -> float:
        """How strong some forces are, or are taken to be: guns, and carrier air twice."""
        return sum([self._power(force) for force in forces])

    def _power(self, force: ForceView) -> float:
        if force.ships is not HIDDEN:
            air = squadrons(force.own.air) if force.own else carrier_factors(force.ships)
            return guns(force.ships) + AIR * air
        voyage = self.voyages.get(force.voyage)
        if voyage is not None and voyage.activity in CARRIERS:
            return UNSEEN_CARRIERS
        return UNSEEN_CARGO if voyage is not None and voyage.cargo else UNSEEN

    def size(self, forces: Iterable[ForceView]) -> float:
        """The naval factors of some forces; a marker that nobody has seen through counts as a task force."""
        return sum([UNSEEN if force.ships is HIDDEN else factors(force.ships) for force in forces])

    def free(self, side: str) -> dict[str, ForceView]:
        """The forces of a side that could intercept somebody: in port or on defensive patrol, and not used up."""
        return {
            key: force
            for key, force in self.forces.items()
            if force.side == side
            and not force.voyage
            and force.patrol != OFFENSIVE
            and not force.inverted
            and force.ships != ()
            and not self._is_box(force.base)
        }

    def _is_box(self, base: str) -> bool:
        return base in self.sites and self.sites[base].kind == "box"

    def in_port(self, base: str) -> list[ForceView]:
        """The forces in a port."""
        return [
            force
            for force in self.forces.values()
            if force.base == base and not force.voyage and not force.patrol and force.ships != ()
        ]

    def supporting(self, side: str, at: Hex) -> float:
        """What offensive patrols of a side could bring to a battle: all of it if they are near, else half."""
        found = 0.0
        for force in self.forces.values():
            if force.side == side and force.patrol == OFFENSIVE:
                hexes = self.sails(force.at, at)
                late = AT_ONCE + (2 if self.pacific else 4)
                found += self._power(force) * (1.0 if hexes <= AT_ONCE else 0.5 if hexes <= late else 0.0)
        return found

    # --- what is at stake ---------------------------------------------------------------------------------------

    def stake(self, key: str) -> float:
        """What it is worth to stop an activity, or to see it through; an interception is about its target."""
        while self.voyages[key].target in self.voyages:
            key = self.voyages[key].target
        return STAKES.get(self.voyages[key].activity, RETURNING)

    # --- land-based air -----------------------------------------------------------------------------------------

    def flying(self, side: str, at: Hex) -> list[FlightView]:
        """The land-based air of a side that can fly and reaches a hex."""
        return [
            flight
            for site in self.sites.values()
            if site.side == side and site.kind == "base"
            for flight in site.air
            if not flight.inverted and distance(site.at, at) <= flying_range(flight.arm, self.pacific, 0)
        ]

    def air_power(self, side: str, at: Hex) -> float:
        """What the land-based air of a side counts in a battle in a hex."""
        return float(sum([ASHORE.get(flight.role, 0.0) * flight.count for flight in self.flying(side, at)]))

    def searchers(self, side: str, at: Hex) -> int:
        """The squadrons that could search a hex: one of each army factor, and naval squadrons ashore."""
        return self._squadrons(SEARCHERS, side, at)

    def strikers(self, side: str, at: Hex) -> int:
        """The squadrons that could strike there; those who do not search."""
        return self._squadrons(STRIKERS, side, at)

    def coverers(self, side: str, at: Hex) -> int:
        """The squadrons that could cover a force there."""
        return self._squadrons(COVERERS, side, at)

    def _squadrons(self, roles: frozenset[Role], side: str, at: Hex) -> int:
        return sum([flight.count for flight in self.flying(side, at) if flight.role in roles])

    def air_in(self, base: str) -> int:
        """The air of a base that can fight, in squadrons."""
        return air_strength(self.sites[base].air)
