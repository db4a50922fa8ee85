"""A state of A World at War as its laws see it: every air unit and every ship, and where it is.

It is made from what the umpire sees, not from how the state keeps it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from flagplot.awaw.air_units import NAVAL_ARMS, Arm, Role
from flagplot.awaw.conversion import factors_from
from flagplot.awaw.ships import FAST_CARRIERS
from flagplot.awaw.state.state import State
from flagplot.awaw.views.battle import BattleView, GroupView, OwnGroup, PendingView
from flagplot.awaw.views.position import Position
from flagplot.awaw.views.units import Flights, Ships, ShipView
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.view_types import known

NAVAL = (*NAVAL_ARMS, "kamikaze")
"""Air that is in squadrons from the first and stays so; kamikazes are counted apart."""

Kind = tuple[str, str]
"""A nation and an arm."""
Label = tuple[str, int]
"""A side and a combat group number."""
Sort = tuple[str, str, str]
"""Ships that count as the same, whatever hits they have and whether they carry cargo: nation, kind and name."""


class Flight(NamedTuple):
    """Some identical units, as the umpire sees them."""

    where: str
    """A site, or what they do: ``searching lae``, ``patrol of japan CG 3``, ``flown``."""
    home: str
    nation: str
    arm: Arm
    role: Role
    units: int
    aborted: int

    @property
    def kind(self) -> Kind:
        return self.nation, self.arm

    @property
    def naval(self) -> bool:
        return self.arm in NAVAL

    @property
    def squadrons(self) -> int:
        """Air factors and squadrons on one scale."""
        return self.units * (3 if self.role is Role.FACTORS else 1)


@dataclass
class Formation:
    """A combat group, or a force that has not joined the battle, with its air."""

    side: str
    ships: Ships
    own: OwnGroup
    aboard: list[Flight]
    patrol: list[Flight]

    def __str__(self) -> str:
        return f"a pending force of {self.side}"


@dataclass
class CombatGroup(Formation):
    """A combat group."""

    cover: list[Flight]
    seen: GroupView

    @property
    def label(self) -> Label:
        return self.side, self.seen.number

    def __str__(self) -> str:
        return f"{self.side} CG {self.seen.number}"


class Overview:
    """The units and ships of a state and where they are. It reads the state when it is asked, and holds only as long as
    that does not change."""

    def __init__(self, state: State) -> None:
        self.seen = Position(state, UMPIRE)
        self.over = self.seen.over
        self.lost = self.seen.lost
        self.sites = self.seen.sites
        self.battle = self.seen.battle
        self.flights: list[Flight] = []
        for key, site in self.sites.items():
            self._add(key, site.air)
            self._add(f"under {key}", known(site.hidden))
            self._add(f"searching {key}", site.searching)
            self._add(f"struck {key}", site.struck)
        for mission in filter(None, [self.seen.mission, *self.seen.announced]):
            self._add("flown", mission.attackers)
        self.groups: list[CombatGroup] = []
        self.pending: list[Formation] = []
        if self.battle:
            self._add_battle(self.battle)

    def _add(self, where: str, flights: Flights) -> list[Flight]:
        made = [
            Flight(where, seen.home, seen.nation, seen.arm, seen.role, seen.count, seen.aborted) for seen in flights
        ]
        self.flights += made
        return made

    def _add_battle(self, battle: BattleView) -> None:
        self.groups = [self._group(seen) for seen in battle.groups]
        for side, forces in battle.pending.items():
            assert isinstance(forces, tuple)
            self.pending += [self._pending(side, force) for force in forces]
        for side, air in battle.carrier_air.items():
            self._add(at_sea("aboard", side), air.aboard)
            self._add(at_sea("struck", side), air.struck)
            self._add(at_sea("grounded", side), air.grounded)
            self._add(at_sea("returned", side), air.returned)
        for gone in battle.departed:
            self._add(f"decks of {gone.side} gone from CG {gone.number}", known(gone.own).air)
        if battle.strike:
            self._add("strike", battle.strike.attackers)

    def _group(self, seen: GroupView) -> CombatGroup:
        own, name = known(seen.own), f"{seen.side} CG {seen.number}"
        aboard, patrol = self._add(f"decks of {name}", own.air), self._add(f"patrol of {name}", own.patrol)
        cover = self._add(f"cover of {name}", known(seen.cover))
        return CombatGroup(seen.side, known(seen.ships), own, aboard, patrol, cover, seen)

    def _pending(self, side: str, force: PendingView) -> Formation:
        name = f"pending {side} {force.own.name}"
        aboard, patrol = self._add(f"decks of {name}", force.own.air), self._add(f"patrol of {name}", force.own.patrol)
        return Formation(side, force.ships, force.own, aboard, patrol)

    # --- air units ----------------------------------------------------------------------------------------------

    def at(self, where: str) -> list[Flight]:
        return [flight for flight in self.flights if flight.where == where]

    def account(self) -> Counter[Kind]:
        """Units in play and lost, in squadrons."""
        sums: Counter[Kind] = Counter()
        for flight in self.flights:
            sums[flight.kind] += flight.squadrons
        for key, units in self.lost.items():
            nation, arm, unit = key.split("/")
            sums[nation, arm] += units * (3 if unit == Role.FACTORS else 1)
        if self.battle and (kamikazes := _kamikazes(self.battle)):
            sums["japan", "kamikaze"] += kamikazes
        return sums

    def places(self, kind: Kind) -> int:
        """In how many places there are units of a kind, those of different homes apart."""
        return len({(flight.where, flight.home) for flight in self.flights if flight.kind == kind})

    def pooled(self, kind: Kind) -> int:
        """23.142C: factors of a nation and arm in play, and those that wait to be built again."""
        pool = "/".join(kind)
        unbuilt = self.lost.get(f"{pool}/factors", 0) + factors_from(self.lost.get(f"{pool}/squadrons", 0))
        return unbuilt + sum(flight.units for flight in self.flights if flight.kind == kind)

    def aloft(self, side: str) -> list[Flight]:
        """Carrier squadrons of a side on patrol, or back from a strike and not yet aboard."""
        patrols = [flight for group in self.groups if group.side == side for flight in group.patrol]
        return patrols + self.at(at_sea("struck", side))

    # --- ships --------------------------------------------------------------------------------------------------

    @property
    def chart(self) -> BattleView:
        """The Naval Combat Chart of a naval battle."""
        assert self.battle is not None
        return self.battle

    @property
    def afloat(self) -> list[ShipView]:
        """In groups and pending forces, shed (22.524A), withdrawn (22.61), and behind a raider battle (22.35E)."""
        fleets = [force.ships for force in (*self.groups, *self.pending)]
        fleets += [known(gone.ships) for gone in self.chart.departed]
        fleets += [*[group.own.shed for group in self.groups], self.chart.shielded]
        return [ship for fleet in fleets for ship in fleet]

    def ships(self) -> Counter[Sort]:
        """Every ship of the battle: afloat, sunk or returned to port."""
        returned = [ship for air in self.chart.carrier_air.values() for ship in air.returned_ships]
        return sorts([*self.afloat, *self.chart.sunk, *returned])

    def decks(self, side: str, *, damaged: bool) -> Counter[str]:
        """The squadrons that the carriers of a side's combat groups base, by nation, those that were shed among them
        (22.524A)."""
        groups = [group for group in self.groups if group.side == side]
        return decks_of([ship for group in groups for ship in (*group.ships, *group.own.shed)], damaged=damaged)

    def group(self, label: Label) -> CombatGroup | None:
        """The group of that number; one that was destroyed only if none has taken its number since (22.523E)."""
        named = [group for group in self.groups if group.label == label]
        return max(named, key=lambda group: bool(group.ships), default=None)


def _kamikazes(battle: BattleView) -> int:
    """Kamikazes that have not flown, and those of attacks that are under way or announced."""
    return battle.kamikazes + sum([dive.kamikazes + dive.diverted for dive in battle.dives])


def at_sea(part: str, side: str) -> str:
    """Where carrier air is that is in no combat group: ``struck of japan at sea``."""
    return f"{part} of {side} at sea"


def sorts(ships: Iterable[ShipView]) -> Counter[Sort]:
    sums: Counter[Sort] = Counter()
    for ship in ships:
        sums[ship.nation, ship.kind, ship.id] += ship.count
    return sums


def decks_in(ship: ShipView) -> int:
    """The squadrons that a carrier bases."""
    return ship.count * ship.size if ship.kind in FAST_CARRIERS else 0


def decks_of(ships: Iterable[ShipView], *, damaged: bool) -> Counter[str]:
    sums: Counter[str] = Counter()
    for ship in ships:
        if ship.damaged == damaged and decks_in(ship):
            sums[ship.nation] += decks_in(ship)
    return sums


def by_nation(flights: Iterable[Flight]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for flight in flights:
        sums[flight.nation] += flight.units
    return sums
