"""The map as the player's side sees it: who is where, how far that is, and how strong it probably is."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import TypeAlias

from flagplot.awaw.air_units import Arm, flying_range
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import distance
from flagplot.awaw.mapboard.reading import maps, read_map
from flagplot.players.doctrine.sight import Seen, Sight, air_strength, carrier_factors, factors, guns, squadrons

Hex: TypeAlias = tuple[int, int]

CARGO = frozenset({"sea-supply", "sea-transport", "seaborne-invasion", "sea-escort"})
STAKES = {
    "seaborne-invasion": 10.0,
    "sea-escort": 8.0,
    "sea-transport": 6.0,
    "sea-supply": 5.0,
    "raid": 4.0,
    "shore-bombardment": 3.0,
    "fast-carrier-mission": 3.0,
    "base-change": 3.0,
    "patrol": 3.0,
    "redeployment": 1.0,
    "escape": 1.0,
    "displacement": 1.0,
}
"""What it is taken to be worth, in naval factors, if an activity is carried out or stopped."""
RETURNING = 0.5
"""The same for a force that returns, or has no cargo."""
AIR = 2.0
"""What a squadron of carrier air counts beside a factor of guns."""
CARRIERS = frozenset({"fast-carrier-mission", "patrol"})
"""Activities on which carriers are to be expected."""
HIDDEN, HIDDEN_CARGO, HIDDEN_CARRIERS = 20.0, 12.0, 24.0
"""What a task force counts that nobody has seen: as a rule, with cargo, and where carriers are to be expected."""
ASHORE = {"factors": 1.5, "attack": 1.0, "squadrons": 1.0, "cover": 0.5}
"""What land-based air in range of a battle counts, by its role."""
AT_ONCE = 3
"""Hexes within which a patrol supports a battle from its first round (22.163B)."""


@lru_cache(maxsize=64)
def _board(name: str) -> Mapboard | None:
    """The map of that name, if it is one that comes with Flagplot."""
    return read_map(name) if name in maps() else None


def hex_of(place: Iterable[int] | str) -> Hex:
    """A hex of the view, ``[q, r]``, or of an option, ``q,r``."""
    q, r = place.split(",") if isinstance(place, str) else place
    return int(q), int(r)


def likely_win(ours: float, theirs: float) -> float:
    """The chance that the stronger side is taken to have: its strength squared against that of the other."""
    return ours * ours / (ours * ours + theirs * theirs) if ours else 0.0


class Sea:
    """The map of one moment."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.side = sight.side
        self.forces: dict[str, Seen] = sight.data.get("forces", {})
        self.flotillas: dict[str, Seen] = sight.data.get("flotillas", {})
        self.voyages: dict[str, Seen] = sight.data.get("voyages", {})
        self.sites: dict[str, Seen] = sight.data["sites"]

    # --- distances ----------------------------------------------------------------------------------------------

    @cached_property
    def board(self) -> Mapboard | None:
        return _board(self.sight.data.get("map", ""))

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

    def path(self, key: str) -> list[Hex]:
        """The path of a voyage as far as it is known: at least where it is."""
        voyage = self.voyages[key]
        return [hex_of(at) for at in voyage.get("path", (voyage["at"],))]

    # --- forces -------------------------------------------------------------------------------------------------

    def sailing(self, key: str) -> list[Seen]:
        """The forces of a voyage."""
        found = [self.forces[force] for force in self.voyages[key]["forces"] if force in self.forces]
        return [force for force in found if force.get("ships", True)]

    def power(self, forces: Iterable[Seen]) -> float:
        """How strong some forces are, or are taken to be: guns, and carrier air twice."""
        return sum([self._power(force) for force in forces])

    def _power(self, force: Seen) -> float:
        if "ships" in force:
            air = squadrons(force["air"]) if "air" in force else carrier_factors(force["ships"])
            return guns(force["ships"]) + AIR * air
        voyage = self.voyages.get(force["voyage"])
        if voyage is not None and voyage["activity"] in CARRIERS:
            return HIDDEN_CARRIERS
        return HIDDEN_CARGO if voyage is not None and voyage["cargo"] else HIDDEN

    def size(self, forces: Iterable[Seen]) -> float:
        """The naval factors of some forces, as far as they are known."""
        return sum([factors(force["ships"]) if "ships" in force else HIDDEN for force in forces])

    def free(self, side: str) -> dict[str, Seen]:
        """The forces of a side that could intercept somebody: in port or on defensive patrol, and not used up."""
        return {
            key: force
            for key, force in self.forces.items()
            if force["side"] == side
            and not force["voyage"]
            and force["patrol"] != "offensive"
            and not force["inverted"]
            and force.get("ships", True)
            and self.sites.get(force["base"], {}).get("kind") != "box"
        }

    def in_port(self, base: str) -> list[Seen]:
        """The forces in a port."""
        return [
            force
            for force in self.forces.values()
            if force["base"] == base and not force["voyage"] and not force["patrol"] and force.get("ships", True)
        ]

    def supporting(self, side: str, at: Hex) -> float:
        """What offensive patrols of a side could bring to a battle: all of it if they are near, else half."""
        found = 0.0
        for force in self.forces.values():
            if force["side"] == side and force["patrol"] == "offensive":
                hexes = self.sails(hex_of(force["at"]), at)
                late = AT_ONCE + (2 if self.pacific else 4)
                found += self._power(force) * (1.0 if hexes <= AT_ONCE else 0.5 if hexes <= late else 0.0)
        return found

    # --- what is at stake ---------------------------------------------------------------------------------------

    def root(self, key: str) -> str:
        """The naval activity about which an interception is."""
        while self.voyages[key]["target"] in self.voyages:
            key = self.voyages[key]["target"]
        return key

    def stake(self, key: str) -> float:
        """What it is worth to stop an activity, or to see it through."""
        voyage = self.voyages[self.root(key)]
        return STAKES.get(voyage["activity"], RETURNING)

    # --- land-based air -----------------------------------------------------------------------------------------

    def flying(self, side: str, at: Hex) -> list[Seen]:
        """The land-based air of a side that can fly and reaches a hex."""
        return [flight for _, flight in self.based(side, at)]

    def based(self, side: str, at: Hex) -> list[tuple[str, Seen]]:
        """The same, with the bases."""
        return [
            (key, flight)
            for key, site in self.sites.items()
            if site["side"] == side and site["kind"] == "base"
            for flight in site["air"]
            if not flight["inverted"] and distance(hex_of(site["at"]), at) <= self.reach(flight)
        ]

    def reach(self, flight: Seen) -> int:
        return flying_range(Arm(flight["arm"]), self.pacific, 0)

    def air_power(self, side: str, at: Hex) -> float:
        """What the land-based air of a side counts in a battle in a hex."""
        return float(sum([ASHORE.get(flight["role"], 0.0) * flight["count"] for flight in self.flying(side, at)]))

    def searchers(self, side: str, at: Hex) -> int:
        """The squadrons that could search a hex: one of each army factor, and naval squadrons ashore."""
        return sum([flight["count"] for flight in self.flying(side, at) if flight["role"] in SEARCHERS])

    def strikers(self, side: str, at: Hex) -> int:
        """The squadrons that could strike there; those who do not search."""
        return sum([flight["count"] for flight in self.flying(side, at) if flight["role"] in STRIKERS])

    def coverers(self, side: str, at: Hex) -> int:
        """The squadrons that could cover a force there."""
        return sum([flight["count"] for flight in self.flying(side, at) if flight["role"] in COVERERS])

    def air_in(self, base: str) -> int:
        """The air of a base that can fight, in squadrons."""
        return air_strength(self.sites[base]["air"])


FAR = 99
SEARCHERS = frozenset({"factors", "search", "squadrons"})
STRIKERS = frozenset({"factors", "attack", "squadrons"})
COVERERS = frozenset({"factors", "cover", "squadrons"})
