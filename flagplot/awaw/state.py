"""The state of an air phase or of the air part of a naval battle: plain data, and the questions asked of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from flagplot.awaw.air_combat import Combat
from flagplot.awaw.air_units import NAMES, Arm, Force, Unit
from flagplot.awaw.conversion import Broken
from flagplot.awaw.options import Options
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
    """Results of a nation that touch air combat (19.31A, 17.52, 19.31D)."""

    air_drm: int = 0
    jets: int = 0
    radar: int = 0


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
    pool: dict[str, int]
    """Factors of each nation and arm at the start, as the force pool that 23.142C speaks of."""
    worth: dict[str, int]
    """BRPs' worth of air that each side had at the start (17.141A)."""
    options: Options

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
    counteraired: bool = False
    """Counteraired in the current phase (18.523)."""
    third: int = 0
    """The most squadrons of a carrier force that may fly patrol in this round (23.33)."""
    patrol: int = 0
    """Squadrons on combat air patrol over a carrier force, secret (22.41B)."""
    flown: int = 0
    """Squadrons of a carrier force that counteraired in this naval combat round."""


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

    # --- asking -------------------------------------------------------------------------------------------------

    def place(self, site: str) -> Place:
        return self.setting.places[site]

    def other(self, side: str) -> str:
        return self.setting.defender if side == self.setting.attacker else self.setting.attacker

    def name(self, side: str) -> str:
        return self.setting.names[side != self.setting.attacker]

    def of_side(self, side: str) -> tuple[str, ...]:
        """The sites of a side in the order of the scenario."""
        return self.setting.held[side]

    # --- changing -----------------------------------------------------------------------------------------------

    def lose(self, eliminated: Force) -> None:
        for which, number in eliminated.items():
            self.lost[which.pool] = self.lost.get(which.pool, 0) + number


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
