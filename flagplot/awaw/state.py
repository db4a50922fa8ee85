"""The state of an air phase or of a naval battle: plain data, and the questions asked of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from flagplot.awaw.air_combat import Combat
from flagplot.awaw.air_units import NAMES, Arm, Force, Unit
from flagplot.awaw.conversion import Broken
from flagplot.awaw.options import Options
from flagplot.awaw.ships import Ship, ship_ledger
from flagplot.awaw.tables.charts import air_nationality
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.procedures import Frame
from flagplot.kernel.words import say


class Supply(StrEnum):
    """18.51: how a base is supplied."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Research:
    """Results of a nation that touch air and naval combat (19.31A, 17.52, 19.31D, 23.4213, 22.552A)."""

    air_drm: int = 0
    jets: int = 0
    radar: int = 0
    air_defense: int = 0
    naval_drm: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """What does not change about a base, a mapboard box or a carrier force at sea."""

    name: str
    side: str
    at: tuple[int, int]
    installations: int = 0
    island: bool = False
    jungle: bool = False
    box: bool = False
    afloat: bool = False
    supply: Supply = Supply.FULL
    oil: bool = False
    winter: int = 0
    marker: str = ""
    """The TF marker that stands in the port, whatever it hides (20.164)."""


class Conditions(NamedTuple):
    """What changes the Naval Nationality DRM of a nation's ships in a battle (22.552A)."""

    short_supply: bool = False
    oil: bool = False
    research: int = 0


@dataclass(frozen=True, slots=True)
class Setting:
    """What does not change in a game: the sides, the map, research, options."""

    title: str
    kind: str
    pacific: bool
    attacker: str
    defender: str
    names: tuple[str, str]
    """The names of the attacker and the defender."""
    nations: dict[str, tuple[str, ...]]
    """The nations of each side."""
    phases: tuple[str, ...]
    raiders: bool
    places: dict[str, Place]
    held: dict[str, tuple[str, ...]]
    """The places of each side, in the order of the scenario."""
    near: dict[str, tuple[tuple[str, int], ...]]
    """For each base: the enemy places that missions against it may be flown from, with their distance in hexes."""
    refuges: dict[str, tuple[tuple[str, int, int], ...]]
    """For each base: the other places of its side that air may flee to, with distance and room in squadrons."""
    research: dict[str, Research]
    research_of_side: dict[str, dict[str, int]]
    """For each side the best result of its nations."""
    pool: dict[str, int]
    """Factors of each nation and arm at the start, as the force pool that 23.142C speaks of."""
    worth: dict[str, int]
    """BRPs' worth of air that each side had at the start (17.141A)."""
    options: Options
    at: tuple[int, int] = (0, 0)
    """The hex in which a naval battle is fought."""
    in_reach: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    """For each side of a naval battle: its operational bases that can reach it, with their distance (22.442A)."""
    decks_ashore: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    """For each side: the bases within three hexes on which combat air patrol may land, with their room (22.463B)."""
    naval: dict[str, Conditions] = field(default_factory=dict)
    """What changes the Naval Nationality DRM of each nation's ships."""
    codebreaking: str = ""
    """The side that has the search advantage from codebreaking (22.451B)."""

    def best(self, side: str, result: str) -> int:
        """The best research result of the nations of a side: radar and air defense serve all of them."""
        return self.research_of_side[side].get(result, 0)

    def name_of_place(self, place: str) -> str:
        return self.places[place].name


@dataclass(slots=True)
class Site:
    """The air units in a place."""

    air: dict[Unit, int] = field(default_factory=dict)
    hidden: dict[Unit, int] = field(default_factory=dict)
    """Naval air on carriers in port, concealed by the TF marker until the base is attacked (17.3126)."""
    aborted: dict[Unit, int] = field(default_factory=dict)
    """How many of them the last roll against them forced to abort (18.526)."""
    transports: list[Broken] = field(default_factory=list)
    committed: dict[Unit, int] = field(default_factory=dict)
    """How many of them are committed elsewhere, so that they take no part in a naval battle (22.442B)."""
    counteraired: bool = False
    """Counteraired in the current phase (18.523)."""
    shaken: dict[Unit, int] = field(default_factory=dict)
    """In a naval battle, those that the last counterair of an earlier round forced to abort (22.435)."""
    flown: dict[Unit, int] = field(default_factory=dict)
    """Carrier squadrons that counteraired in this naval combat round, those lost not among them (18.524B)."""
    searching: dict[Unit, int] = field(default_factory=dict)
    """Land-based squadrons that search in this naval combat round (22.4422)."""
    struck: dict[Unit, int] = field(default_factory=dict)
    """Squadrons that are back from a strike of this round: land-based ones at their base (23.751B), carrier squadrons
    over the sea, waiting to land (22.463)."""
    grounded: dict[Unit, int] = field(default_factory=dict)
    """Carrier squadrons aboard damaged carriers: they can neither be launched nor land elsewhere (17.3124)."""
    ashore: dict[Unit, int] = field(default_factory=dict)
    """Carrier squadrons that returned to port with carriers that may not fight (22.421A)."""
    gone: dict[Ship, int] = field(default_factory=dict)
    """Those carriers."""


@dataclass(slots=True)
class Mission:
    """One counterair mission against one base."""

    target: str
    side: str
    combat: Combat
    attackers: dict[Unit, int] = field(default_factory=dict)
    aborted: dict[Unit, int] = field(default_factory=dict)
    """How many of the attackers the defender's last roll forced to abort (22.433)."""
    round: int = 0
    squadrons: bool = False


class Facts(NamedTuple):
    """22.452B: the four things that the owner tells of a found combat group."""

    small: bool
    carriers: int
    slow: bool
    cargo: bool

    def __str__(self) -> str:
        size = "fewer than ten factors" if self.small else "ten factors or more"
        carriers = f"{self.carriers} fast carrier{'s' * (self.carriers != 1)}" if self.carriers else "no fast carrier"
        return f"{size}, {carriers}, {'slow' if self.slow else 'fast'}, {'with' if self.cargo else 'without'} cargo"


@dataclass(slots=True)
class Group:
    """A naval force, and from segment A on a combat group (22.42)."""

    side: str
    name: str
    ships: dict[Ship, int]
    task_force: bool = True
    arrives: int = 1
    """The first round in which it can take part (22.24B)."""
    cargo: str = ""
    """What its laden ships carry (22.427)."""
    formed: bool = False
    """Whether it is a combat group: those never combine (22.426)."""
    number: int = 0
    """Its combat group number, 0 while it is pending (22.423, 22.425C)."""
    air: dict[Unit, int] = field(default_factory=dict)
    """Squadrons aboard between rounds. In a round all of a side's carrier air stands together in its place at sea:
    it launches and lands as one force (17.3124, 23.74B)."""
    third: int = 0
    """The most squadrons that may fly patrol over it in this round (23.33)."""
    ready: bool = False
    """Whether it had a fully operational fast carrier as the round began (22.451D)."""
    patrol: dict[Unit, int] = field(default_factory=dict)
    """Combat air patrol over it, secret (22.41B)."""
    cover: dict[Unit, int] = field(default_factory=dict)
    """Land-based air that covers it, secret until it is struck (22.4421B)."""
    results: int = 0
    """Search results against it in this round (22.452)."""
    attacks: int = 0
    """How many of them were used (22.452C)."""
    facts: Facts | None = None
    """What the enemy was last told of it."""
    uncovered: bool = False
    """Whether its air cover came to light in this round, because it was struck (22.4421B)."""
    revealed: bool = False
    """Whether the enemy has seen its ships (23.424#2)."""
    place: int = 0
    """Its place among the forces of the scenario, the order in which its side is asked about it."""


@dataclass(slots=True)
class Aim:
    """Squadrons against one target (23.76C)."""

    target: str
    """The name of a ship, or `LIGHT_SHIPS` for all the light ships together."""
    squadrons: dict[Unit, int]


LIGHT_SHIPS = "light-ships"


@dataclass(slots=True)
class Strike:
    """One air strike on a combat group (23.76)."""

    side: str
    target: str
    surprise: bool = False
    level: int = 0
    """The surprise level; 0 or less is no surprise (23.7413)."""
    attackers: dict[Unit, int] = field(default_factory=dict)
    """Squadrons that are still on their way to the ships."""
    defenders: dict[Unit, int] = field(default_factory=dict)
    """Squadrons over the target that engage them."""
    aims: list[Aim] = field(default_factory=list)
    stricken: bool = False
    """Whether it damaged or sank a fast carrier."""


@dataclass(slots=True)
class State:
    """Everything that can change."""

    setting: Setting
    frames: list[Frame]
    sites: dict[str, Site]
    phase: int = 0
    mission: Mission | None = None
    sorties: list[Mission] = field(default_factory=list)
    """Carrier sorties announced and not yet flown (22.432)."""
    squadrons: bool = False
    """Whether any factors were broken down into squadrons (23.13)."""
    lost: dict[str, int] = field(default_factory=dict)
    """Units eliminated so far: nation/arm/unit, the unit being factors or squadrons."""
    groups: dict[str, Group] = field(default_factory=dict)
    """The naval forces of both sides under the names of the scenario; what order they have is said by themselves."""
    strike: Strike | None = None
    sunk: dict[Ship, int] = field(default_factory=dict)

    # --- asking -------------------------------------------------------------------------------------------------

    def place(self, site: str) -> Place:
        return self.setting.places[site]

    def other(self, side: str) -> str:
        return self.setting.defender if side == self.setting.attacker else self.setting.attacker

    def name(self, side: str) -> str:
        return self.setting.names[side != self.setting.attacker]

    @property
    def sides(self) -> tuple[str, str]:
        """The moving side and the intercepting side; what both do in turn they do in this order."""
        return self.setting.attacker, self.setting.defender

    @property
    def round(self) -> int:
        """The number of the naval combat round."""
        return self.phase + 1

    def at_sea(self, side: str) -> Site:
        """Where all the carrier air of a side stands during a round of a naval battle."""
        return self.sites[at_sea(side)]

    def present(self, side: str) -> list[Group]:
        """The combat groups of a side that take part, in the order of their numbers."""
        groups = [group for group in self.groups.values() if group.number and group.side == side and group.ships]
        return groups if len(groups) < 2 else sorted(groups, key=_number)

    def found(self, side: str) -> list[Group]:
        """Those against which there are search results in this round (22.452)."""
        groups = [group for group in self.groups.values() if group.results and group.side == side and group.ships]
        return groups if len(groups) < 2 else sorted(groups, key=_number)

    def forces(self, side: str) -> dict[str, Group]:
        """All the naval forces of a side by name, in the order of the scenario."""
        mine = [(key, group) for key, group in self.groups.items() if group.side == side]
        return dict(sorted(mine, key=_place))

    def numbered(self, side: str) -> list[Group]:
        """Those and the ones that were destroyed in this round."""
        groups = [group for group in self.groups.values() if group.number and group.side == side]
        groups.sort(key=_number)
        return groups

    def of_side(self, side: str) -> tuple[str, ...]:
        """The sites of a side in the order of the scenario."""
        return self.setting.held[side]

    # --- changing -----------------------------------------------------------------------------------------------

    def lose(self, eliminated: Force) -> None:
        for which, number in eliminated.items():
            self.lost[which.pool] = self.lost.get(which.pool, 0) + number


_number = attrgetter("number")


def _place(entry: tuple[str, Group]) -> int:
    return entry[1].place


@cache
def at_sea(side: str) -> str:
    """The name of a side's place at sea, the home of its carrier air in a naval battle."""
    return f"{side}-at-sea"


NO_RESEARCH = Research()


def drm_ledger(setting: Setting, home: str, country: str, arm: Arm) -> Ledger:
    """19.31A: the Air Nationality DRM of units of a nation at a home."""
    place, elite = setting.places[home], arm is Arm.ELITE
    return air_nationality(
        country,
        arm="naval" if elite else arm.value,
        elite=elite,
        winter=place.winter,
        short_supply=place.supply is Supply.PARTIAL,
        oil=place.oil,
        research=setting.research.get(country, NO_RESEARCH).air_drm,
        chart=setting.options.air_chart,
        supply_and_oil=setting.options.supply_and_oil,
    )


def naval_ledger(setting: Setting, which: Ship) -> Ledger:
    """22.552A: the Naval Nationality DRM of a ship, with its reasons."""
    short, oil, research = setting.naval[which.nation]
    return ship_ledger(
        which.nation,
        which.kind,
        which.size,
        short_supply=short,
        oil=oil,
        research=research,
        supply_and_oil=setting.options.supply_and_oil,
    )


class DrmReasons:
    """Tells, when it is read, where a unit's DRM comes from: ``British army air (2 Britain, -1 partial supply)``."""

    __slots__ = ("_setting", "_which")

    def __init__(self, setting: Setting, which: Unit) -> None:
        self._setting = setting
        self._which = which

    def __str__(self) -> str:
        which = self._which
        lines = drm_ledger(self._setting, which.home, which.nation, which.arm).lines
        parts = [f"{lines[0].amount} {nation(which.nation).name}"]
        parts += [f"{line.amount:+d} {say(line.words)}" for line in lines[1:]]
        return f"{nation(which.nation).adjective} {NAMES[which.arm]} ({', '.join(parts)})"
