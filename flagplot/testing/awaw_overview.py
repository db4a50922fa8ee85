"""A state of A World at War as its laws see it: every air unit and every ship, and where it is.

It is made from what the umpire sees, not from how the state keeps it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from flagplot.awaw.conversion import factors_from
from flagplot.awaw.looking import look
from flagplot.awaw.state import State
from flagplot.kernel.ruleset import UMPIRE

NAVAL = ("naval", "elite-naval", "kamikaze")
"""Air that is in squadrons from the first and stays so; kamikazes are counted apart."""
FACTORS = "factors"

Kind = tuple[str, str]
"""A nation and an arm."""
Label = tuple[str, int]
"""A side and a combat group number."""
Sort = tuple[str, str, str]
"""Ships that count as the same, whatever hits they have and whether they carry cargo: nation, kind and name."""

FAST_CARRIERS = ("cvl", "cv", "cvb")


class Flight(NamedTuple):
    """Some identical units, as the umpire sees them."""

    where: str
    """A site, or what they do: ``searching lae``, ``patrol of japan CG 3``, ``flown``."""
    home: str
    nation: str
    arm: str
    role: str
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
        return self.units * (3 if self.role == FACTORS else 1)


class Vessel(NamedTuple):
    """A named ship, or some identical light ships."""

    nation: str
    kind: str
    name: str
    size: int
    hits: int
    damaged: bool
    laden: bool
    number: int

    @property
    def sort(self) -> Sort:
        return self.nation, self.kind, self.name

    @property
    def decks(self) -> int:
        return self.number * self.size if self.kind in FAST_CARRIERS else 0


class Formation(NamedTuple):
    """A combat group, or a force that has not joined the battle."""

    side: str
    number: int
    ships: list[Vessel]
    aboard: list[Flight]
    patrol: list[Flight]
    cover: list[Flight]
    seen: dict[str, Any]

    @property
    def label(self) -> Label:
        return self.side, self.number

    def __str__(self) -> str:
        return f"{self.side} CG {self.number}" if self.number else f"a pending force of {self.side}"


class Overview:
    """The units and ships of a state and where they are."""

    def __init__(self, state: State) -> None:
        self.seen: dict[str, Any] = look(state, UMPIRE)
        self.over: bool = self.seen["over"]
        self.lost: dict[str, int] = self.seen["lost"]
        self.sites: dict[str, dict[str, Any]] = self.seen["sites"]
        self.battle: bool = self.seen["kind"] == "naval-battle"
        self.flights: list[Flight] = []
        for key, site in self.sites.items():
            self._add(key, site["air"])
            self._add(f"under {key}", site["hidden"])
            self._add(f"searching {key}", site["searching"])
            self._add(f"struck {key}", site["struck"])
        missions = [self.seen["mission"], *self.seen["announced"]]
        for mission in filter(None, missions):
            self._add("flown", mission["attackers"])
        self.groups: list[Formation] = []
        self.pending: list[Formation] = []
        self.strike: dict[str, Any] | None = None
        if self.battle:
            self._add_battle()

    def _add(self, where: str, flights: list[dict[str, Any]]) -> list[Flight]:
        made = [
            Flight(where, seen["home"], seen["nation"], seen["arm"], seen["role"], seen["count"], seen["aborted"])
            for seen in flights
        ]
        self.flights += made
        return made

    def _add_battle(self) -> None:
        self.groups = [self._formation(entry, entry["side"]) for entry in self.seen["groups"]]
        self.pending = [self._formation(entry, side) for side, some in self.seen["pending"].items() for entry in some]
        for side, air in self.seen["carrier_air"].items():
            for part in ("aboard", "struck", "grounded", "returned"):
                self._add(at_sea(part, side), air[part])
        for gone in self.seen["departed"]:
            self._add(f"decks of {gone['side']} gone from CG {gone['number']}", gone["air"])
        self.strike = self.seen["strike"]
        if self.strike:
            self._add("strike", self.strike["attackers"])

    def _formation(self, seen: dict[str, Any], side: str) -> Formation:
        number = seen.get("number", 0)
        name = f"{side} CG {number}" if number else f"pending {side} {seen['name']}"
        return Formation(
            side,
            number,
            vessels(seen["ships"]),
            self._add(f"decks of {name}", seen["air"]),
            self._add(f"patrol of {name}", seen["patrol"]),
            self._add(f"cover of {name}", seen.get("cover", [])),
            seen,
        )

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
            sums[nation, arm] += units * (3 if unit == FACTORS else 1)
        if self.battle and self.kamikazes:
            sums["japan", "kamikaze"] += self.kamikazes
        return sums

    @property
    def kamikazes(self) -> int:
        """Kamikazes that have not flown, and those of attacks that are under way or announced."""
        flying: int = sum(dive["kamikazes"] + dive["diverted"] for dive in self.seen["dives"])
        left: int = self.seen["kamikazes"]
        return left + flying

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
    def sunk(self) -> list[Vessel]:
        return vessels(self.seen["sunk"])

    @property
    def returned(self) -> list[Vessel]:
        return [which for air in self.seen["carrier_air"].values() for which in vessels(air["returned_ships"])]

    @property
    def afloat(self) -> list[Vessel]:
        """In groups and pending forces, shed (22.524A), withdrawn (22.61), and behind a raider battle (22.35E)."""
        entries = [*self.seen["departed"], *[{"ships": group.seen["shed"]} for group in self.groups]]
        entries.append({"ships": self.seen["shielded"]})
        left = [which for entry in entries for which in vessels(entry["ships"])]
        return [which for group in (*self.groups, *self.pending) for which in group.ships] + left

    def ships(self) -> Counter[Sort]:
        """Every ship of the battle: afloat, sunk or returned to port."""
        return sorts([*self.afloat, *self.sunk, *self.returned])

    def decks(self, side: str, *, damaged: bool) -> Counter[str]:
        """The squadrons that the carriers of a side's combat groups base, by nation, those that were shed among them
        (22.524A)."""
        groups = [group for group in self.groups if group.side == side]
        ships = [which for group in groups for which in (*group.ships, *vessels(group.seen["shed"]))]
        return decks_of(ships, damaged=damaged)

    def group(self, label: Label) -> Formation | None:
        """The group of that number; one that was destroyed only if none has taken its number since (22.523E)."""
        named = [group for group in self.groups if group.label == label]
        return max(named, key=lambda group: bool(group.ships), default=None)


def at_sea(part: str, side: str) -> str:
    """Where carrier air is that is in no combat group: ``struck of japan at sea``."""
    return f"{part} of {side} at sea"


def vessels(ships: list[dict[str, Any]]) -> list[Vessel]:
    return [
        Vessel(
            seen["nation"],
            seen["kind"],
            seen["id"],
            seen["size"],
            seen["hits"],
            seen["damaged"],
            seen["laden"],
            seen["count"],
        )
        for seen in ships
    ]


def sorts(ships: Iterable[Vessel]) -> Counter[Sort]:
    sums: Counter[Sort] = Counter()
    for which in ships:
        sums[which.sort] += which.number
    return sums


def decks_of(ships: Iterable[Vessel], *, damaged: bool) -> Counter[str]:
    sums: Counter[str] = Counter()
    for which in ships:
        if which.damaged == damaged and which.decks:
            sums[which.nation] += which.decks
    return sums


def by_nation(flights: Iterable[Flight]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for flight in flights:
        sums[flight.nation] += flight.units
    return sums
