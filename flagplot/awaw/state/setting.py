"""What is fixed for a game, the scene of what happens, and the modifiers that follow from the two alone."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from flagplot.awaw.air_units import NAMES, Arm, Unit
from flagplot.awaw.options import Options
from flagplot.awaw.ships import Kind, Ship, ship_ledger
from flagplot.awaw.tables.charts import air_nationality, naval_nationality
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.rules import rule
from flagplot.kernel.words import say


class Supply(StrEnum):
    """18.51: how a base is supplied."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Research:
    """Results of a nation that touch air and naval combat (19.31A, 17.52, 19.31D, 23.4213, 22.552A, 22.9412,
    17.72)."""

    air_drm: int = 0
    jets: int = 0
    radar: int = 0
    air_defense: int = 0
    naval_drm: int = 0
    torpedo: int = 0
    asw: int = 0
    air_range: int = 0


class Defenses(NamedTuple):
    """What the air defense of a port counts in its hex, under the names of `air_defense_level` (23.4212)."""

    cities_and_ports: int = 0
    airbases: int = 0
    flak: int = 0
    objectives: int = 0
    anchors: int = 0
    fortification: int = 0
    """1 a fortification, 2 a fortress."""


NO_DEFENSES = Defenses()


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
    ports: int = 0
    fortified: bool = False
    """A fortified port: submarines intercept from it even if it is not operational (22.11B)."""
    defenses: Defenses = NO_DEFENSES
    """What stands in it against air attacks on ships in port."""


class Conditions(NamedTuple):
    """What changes the Naval Nationality DRM of a nation's ships in a battle (22.552A)."""

    short_supply: bool = False
    oil: bool = False
    research: int = 0


class Asw(NamedTuple):
    """22.9415: ASW factors in the SW box, and the enemy submarines that could wage war there."""

    factors: int = 0
    submarines: int = 0


@dataclass(frozen=True, slots=True)
class Setting:
    """What does not change in a game: nations, research, options."""

    title: str
    pacific: bool
    nations: dict[str, tuple[str, ...]]
    """The nations of each side."""
    research: dict[str, Research]
    research_of_side: dict[str, dict[str, int]]
    """For each side the best result of its nations."""
    pool: dict[str, int]
    """Factors of each nation and arm at the start, as the force pool that 23.142C speaks of."""
    worth: dict[str, int]
    """BRPs' worth of air that each side had at the start (17.141A)."""
    options: Options
    naval: dict[str, Conditions] = field(default_factory=dict)
    """What changes the Naval Nationality DRM of each nation's ships."""
    ends_turn: bool = True
    """Whether squadrons are put together again after a naval battle, because nothing follows it (23.141C)."""

    def best(self, side: str, result: str) -> int:
        """The best research result of the nations of a side: radar and air defense serve all of them."""
        return self.research_of_side[side].get(result, 0)


@dataclass(frozen=True, slots=True)
class Scene:
    """Where and between whom something happens. A naval battle on a map has a scene of its own, with the bases in reach
    of its hex; what happens elsewhere on the map has the one that the operation keeps for it (`Operation.between`)."""

    kind: str
    """``air-phase`` or ``naval-battle``, and between the battles of a map ``operation`` or ``air-turn``."""
    attacker: str
    """The moving side; in a battle the one that was intercepted."""
    defender: str
    names: tuple[str, str]
    """The names of the attacker and the defender."""
    phases: tuple[str, ...]
    """The air phases, or the rounds after which an undecided battle is broken off."""
    places: dict[str, Place]
    held: dict[str, tuple[str, ...]]
    """The places of each side, in the order of the scenario."""
    near: dict[str, tuple[tuple[str, int], ...]]
    """For each base: the enemy places that missions against it may be flown from, with their distance in hexes."""
    refuges: dict[str, tuple[tuple[str, int, int], ...]]
    """For each base: the other places of its side that air may flee to, with distance and room in squadrons."""
    raiders: bool = False
    at: tuple[int, int] = (0, 0)
    """The hex in which a naval battle is fought."""
    in_reach: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    """For each side of a naval battle: its operational bases that can reach it, with their distance (22.442A)."""
    decks_ashore: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    """For each side: the bases within three hexes on which combat air patrol may land, with their room (22.463B)."""
    codebreaking: str = ""
    """The side that has the search advantage from codebreaking (22.451B)."""
    tactical: str = ""
    """The side that has the tactical codebreaking advantage in fleet combat (22.552A)."""
    underwater: str = ""
    """The side that has the codebreaking advantage in submarine attacks (22.9418)."""
    ports: dict[str, int] = field(default_factory=dict)
    """Bases with a port, and how far from a naval battle they are (22.63)."""
    asw: dict[str, Asw] = field(default_factory=dict)
    """Against the submarines of the other side: the factors of a side in the SW box, and how many submarines face
    them (22.9415)."""
    invaded: tuple[str, ...] = ()
    """Bases that are the target of a seaborne invasion, so that ships do not return to them (22.63C)."""
    withholder: str = ""
    """In a counter-interception battle the side that was on its way to intercept and may withhold ships (22.26D)."""

    def name_of_place(self, place: str) -> str:
        return self.places[place].name

    @property
    def sides(self) -> tuple[str, str]:
        """The moving side and the intercepting side; what both do in turn they do in this order."""
        return self.attacker, self.defender

    def turned_round(self) -> Scene:
        """The same with the other side as the moving one."""
        return replace(self, attacker=self.defender, defender=self.attacker, names=self.names[::-1])


def is_air_base(place: Place) -> bool:
    """18.12: whether air units may base there: a city, port or airbase, or a mapboard box."""
    return place.box or place.installations > 0


@cache
def at_sea(side: str) -> str:
    """The name of a side's place at sea, the home of its carrier air in a naval battle."""
    return f"{side}-at-sea"


NO_RESEARCH = Research()


def drm_ledger(setting: Setting, place: Place, country: str, arm: Arm) -> Ledger:
    """19.31A: the Air Nationality DRM of units of a nation in a place."""
    research, options = setting.research.get(country, NO_RESEARCH).air_drm, setting.options
    return _drm_ledger(
        country, arm, place.winter, place.supply, place.oil, research, options.air_chart, options.supply_and_oil
    )


@lru_cache(maxsize=4096)  # without keywords this is found in a quarter of the time
def _drm_ledger(
    country: str, arm: Arm, winter: int, supply: Supply, oil: bool, research: int, chart: str, supply_and_oil: str
) -> Ledger:
    elite = arm is Arm.ELITE
    return air_nationality(
        country,
        arm=Arm.NAVAL if elite else arm,
        elite=elite,
        winter=winter,
        short_supply=supply is Supply.PARTIAL,
        oil=oil,
        research=research,
        chart=chart,
        supply_and_oil=supply_and_oil,
    )


def advantage(holder: str, side: str) -> int:
    """What an advantage, such as codebreaking, is to a side: 1 if it has it, -1 if the enemy has, 0 if nobody."""
    return 0 if not holder else 1 if holder == side else -1


def naval_ledger(setting: Setting, which: Ship) -> Ledger:
    """22.552A: the Naval Nationality DRM of a ship, with its reasons."""
    return _naval_ledger(
        which.nation, which.kind, which.size, *setting.naval[which.nation], setting.options.supply_and_oil
    )


@lru_cache(maxsize=4096)
def _naval_ledger(
    country: str, kind: Kind, size: int, short: bool, oil: bool, research: int, supply_and_oil: str
) -> Ledger:
    return ship_ledger(
        country, kind, size, short_supply=short, oil=oil, research=research, supply_and_oil=supply_and_oil
    )


@rule("T22.552A-06", "T23.441B-02", "22.9411")
def submarine_ledger(setting: Setting, country: str) -> Ledger:
    """22.552A: the Naval Nationality DRM of submarines; German ones have 1 more."""
    short, oil, research = setting.naval[country]
    return naval_nationality(
        country,
        kind="submarine",
        short_supply=short,
        oil=oil,
        research=research,
        supply_and_oil=setting.options.supply_and_oil,
    )


class DrmReasons:
    """Tells, when it is read, where a unit's DRM comes from: ``British army air (Britain 2, partial supply -1)``."""

    __slots__ = ("_scene", "_setting", "_which")

    def __init__(self, setting: Setting, scene: Scene, which: Unit) -> None:
        self._setting = setting
        self._scene = scene
        self._which = which

    def __str__(self) -> str:
        which = self._which
        lines = drm_ledger(self._setting, self._scene.places[which.home], which.nation, which.arm).lines
        parts = [f"{nation(which.nation).name} {lines[0].amount}"]
        parts += [f"{say(line.words)} {line.amount:+d}" for line in lines[1:]]
        return f"{nation(which.nation).adjective} {NAMES[which.arm]} ({', '.join(parts)})"
