"""The state of an air phase or of a naval battle: plain data, and the questions asked of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from flagplot.awaw.air_combat import Combat
from flagplot.awaw.air_units import NAMES, Arm, Force, Unit
from flagplot.awaw.basing import distance
from flagplot.awaw.conversion import Broken
from flagplot.awaw.counting import add, take
from flagplot.awaw.hits import Tally
from flagplot.awaw.options import Options
from flagplot.awaw.ships import Fleet, Ship, decks, ship_ledger
from flagplot.awaw.tables.charts import air_nationality, naval_nationality
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.procedures import Frame
from flagplot.kernel.requests import Script
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
    kamikaze_growth: int = 0
    """How often the kamikaze pool has grown (17.47H)."""
    ends_turn: bool = True
    """Whether squadrons are put together again after a naval battle, because nothing follows it (23.141C)."""

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
    launched: bool = False
    """Whether carriers have launched an attack in this battle (22.26D)."""
    barred: dict[Unit, int] = field(default_factory=dict)
    """Squadrons of carriers that are withheld in this round: they do not attack (22.26D)."""
    searching: dict[Unit, int] = field(default_factory=dict)
    """Land-based squadrons that search in this naval combat round (22.4422)."""
    used: dict[Unit, int] = field(default_factory=dict)
    """How many of those in the base have searched, covered or attacked at sea in this player turn: they fly no other
    mission in it, and are inverted when the redeployment phase ends (23.162, 23.164)."""
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
class Shipless:
    """What air units attack at sea although it has no ships on the chart: a sea supply line that nobody protects
    (23.752D), or submarines that stay on patrol (23.43C)."""

    left: int
    """The submarine factors that are left; of a line 1 until it is disrupted."""
    nation: str = ""
    """The nation of the submarines; a line has none."""


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
    loads: dict[str, int] = field(default_factory=dict)
    """Each part of the cargo, and the laden factors that it needs (22.82)."""
    divisible: tuple[str, ...] = ()
    """Those of them that can be lost factor by factor, as air units are (22.82A)."""
    activity: str = ""
    """The naval activity of its ships, such as ``sea-transport`` (22.552B, 22.81)."""
    origin: str = ""
    """The base that it came from (22.63)."""
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
    attacked: bool = False
    """Whether it was attacked in this round, from the air, by a fleet or by submarines (22.61D)."""
    fought: bool = False
    """Whether it was in fleet combat in this round, and so has shown where it is (22.93B)."""
    evaded: bool = False
    """Whether it has evaded fleet combat in this round (22.523E, 22.71B)."""
    submarined: int = 0
    """How many submarines have attacked it in this round (22.9416)."""
    shed: dict[Ship, int] = field(default_factory=dict)
    """Damaged ships that have left it to spare its speed, and leave the battle with the end of the round (22.524A)."""
    withheld: dict[str, int] = field(default_factory=dict)
    """Ships that are kept back from a counter-interception battle in this round, by their tags (22.26D)."""
    rested: dict[str, int] = field(default_factory=dict)
    """Those that were kept back in every round so far and are not damaged: they are not inverted (22.26D)."""
    since: int = 0
    """The round in which it joined the battle."""
    idle: dict[Ship, int] = field(default_factory=dict)
    """Raiders that stayed out of fleet combat, and are free to attack transports (22.35E)."""
    kamikazed: bool = False
    """Whether kamikazes were sent against it in this round, so that no other air of their side strikes it (17.47C)."""
    used: bool = False
    """Whether ships of it have engaged in naval combat, so that it is inverted when it comes home (22.26)."""
    carried: int = 0
    """The laden factors that its cargo rides on, as far as they were reckoned (22.82A)."""
    freed: int = 0
    """Laden factors whose cargo was lost while they survived (22.82C)."""
    left: int = 0
    """The round at whose end it left the battle (22.61)."""
    bound: str = ""
    """Where it goes after the battle: a base, or on with its activity (22.63, 22.81A)."""
    parts: dict[str, dict[Ship, int]] = field(default_factory=dict)
    """In an operation: the ships that each force of the map has brought into it, as they were before the battle."""
    shipless: Shipless | None = None
    """What it is instead of ships, if air units attack such a thing outside naval combat."""

    @property
    def is_left(self) -> bool:
        """Whether there is anything of it that can be attacked."""
        return bool(self.ships) or (self.shipless is not None and self.shipless.left > 0)


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
    outside: bool = False
    """Whether it is flown outside naval combat: who gets through sees the whole naval force (23.424#2)."""
    stricken: bool = False
    """Whether it damaged or sank a fast carrier."""


@dataclass(slots=True)
class Dive:
    """One attack by kamikazes on one combat group (17.47)."""

    side: str
    target: str
    number: int
    """Kamikazes that are still on their way to the ships."""
    lone: bool = False
    """Whether the enemy had a single combat group as it was announced, so that a second wave may follow (17.47D)."""
    outside: bool = False
    """Whether it is flown outside naval combat (17.47A): who gets through sees the whole naval force (23.424#2)."""
    defenders: dict[Unit, int] = field(default_factory=dict)
    """Squadrons over the target that engage them."""
    diverted: int = 0
    """Kamikazes that were driven off, and are to attack another group (17.47E)."""
    aims: dict[str, int] = field(default_factory=dict)
    """How many attack each target, under the names that an `Aim` has (17.47F)."""


@dataclass(slots=True)
class Volley:
    """Ships of a side that fire together at one target (22.55)."""

    side: str
    target: str
    """The name of a ship, or `LIGHT_SHIPS` for the light ships together."""
    ships: dict[Ship, int]


@dataclass(slots=True)
class Engagement:
    """One fleet combat between two combat groups (22.53)."""

    moving: str
    """The group of the moving side, under its name of the scenario."""
    intercepting: str
    """The group of the intercepting side."""
    seeker: str = ""
    """The side whose free group sought it (22.521D); none if the groups were paired (22.521A-B)."""
    screened: dict[str, dict[Ship, int]] = field(default_factory=dict)
    """The screened ships of each side (22.531C); all others of its group are in the line."""
    revealed: bool = False
    """Whether both sides have screened ships, and shown all."""
    volleys: list[Volley] = field(default_factory=list)
    """Fire that is agreed on and not yet resolved (22.54C, F)."""
    held: dict[str, dict[str, int]] = field(default_factory=dict)
    """For each side the ships that hold their fire, under their tags (22.54B, E)."""
    tallies: dict[str, Tally] = field(default_factory=dict)
    """What all the fire has done to the light ships of each side (20.551)."""
    stricken: str = ""
    """The side of which it damaged or sank a fast carrier (17.3124)."""
    lamed: list[str] = field(default_factory=list)
    """The sides of which capital fire has damaged cruisers, so that they left the line (22.54C)."""


@dataclass(slots=True)
class Submarines:
    """Submarine factors that came together (22.91)."""

    side: str
    nation: str
    factors: int
    """Those that have not yet attacked: each attacks once (22.94)."""
    advanced: bool = False
    """They attack at +1, whatever else there is (22.941)."""
    accompany: bool = False
    """They came with a naval force, and may choose to attack; those that intercepted must (22.92)."""
    arrives: int = 1
    origin: str = ""
    """The base that they came from."""
    flotilla: str = ""
    """On a map: the key of the flotilla that they are of."""
    spent: int = 0
    """Factors that have attacked and survived."""
    lost: int = 0


@dataclass(slots=True)
class Announced:
    """Submarine attacks on one combat group that are announced and not yet made (22.93D)."""

    flotilla: int
    """The place of the submarines among those of the battle."""
    target: str
    """The group, under its name of the scenario."""
    factors: int


class Outcome(NamedTuple):
    """22.71, 22.72: how a naval battle ended."""

    rule: str
    """The rule that ended it."""
    losers: tuple[str, ...]
    """The sides that have lost it: one, both, or nobody if it was broken off."""
    reasons: tuple[str, ...] = ()
    """The rule by which each of them has."""


class Consequence(NamedTuple):
    """22.63, 22.8: something that follows from a naval battle."""

    side: str
    rule: str
    text: str
    public: str = ""
    """What the enemy reads of it, if he may not read all."""


class Substitutes(NamedTuple):
    """22.9432: destroyers that may be lost instead of others that submarines hit."""

    numbers: dict[str, int]
    """How many, by the force that they are in; those that the scenario only counts under no name."""
    hidden: bool = False
    """Whether the enemy cannot know all of them, since a task force in port hides its ships."""


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
    divided: dict[Unit, int] = field(default_factory=dict)
    """Squadrons of army air factors that counterair several bases, and have one before them still (23.152C)."""
    scattered: dict[Unit, int] = field(default_factory=dict)
    """Those that are back and wait, inverted, to be put together (23.152D)."""
    lost: dict[str, int] = field(default_factory=dict)
    """Units eliminated so far: nation/arm/unit, the unit being factors or squadrons."""
    groups: dict[str, Group] = field(default_factory=dict)
    """The naval forces of both sides under the names of the scenario; what order they have is said by themselves."""
    strike: Strike | None = None
    engagements: list[Engagement] = field(default_factory=list)
    """Fleet combats that are agreed on and not yet fought (22.521C, E)."""
    engagement: Engagement | None = None
    """The fleet combat that is being fought."""
    submarines: list[Submarines] = field(default_factory=list)
    announced: list[Announced] = field(default_factory=list)
    """Submarine attacks of this round, those that are being made first."""
    searched: dict[str, int] = field(default_factory=dict)
    """For each side: the land-based squadrons that have searched in this round (22.9413B)."""
    destroyers_elsewhere: dict[str, int] = field(default_factory=dict)
    """For each side: uninverted destroyers in the base of origin and uncommitted ones in the SW box, which may be lost
    instead of destroyers that submarines hit (22.9432)."""
    sunk_elsewhere: dict[Ship, int] = field(default_factory=dict)
    """Those that were lost so."""
    kamikazes: int = 0
    """Kamikazes that have not flown (17.47); there is only one side that has them."""
    dives: list[Dive] = field(default_factory=list)
    """Attacks by kamikazes that are announced and not yet over; the first of them is under way."""
    shielded: dict[Ship, int] = field(default_factory=dict)
    """Transports in the SW box that raiders are kept from (22.35E)."""
    exposed: bool = False
    """Whether all that stood between them and the raiders is sunk."""
    sunk: dict[Ship, int] = field(default_factory=dict)
    departed: dict[str, Group] = field(default_factory=dict)
    """What has left the battle: groups and parts of groups that withdrew, under names of their own (22.6)."""
    sunk_before: dict[Ship, int] = field(default_factory=dict)
    """What was sunk as the round began, to tell who has lost more in it (22.61A)."""
    damaged_before: dict[Ship, int] = field(default_factory=dict)
    """What was afloat and damaged as the round began."""
    cargo_lost: dict[str, dict[str, int]] = field(default_factory=dict)
    """By side: the parts of its cargo that were lost, in laden factors (22.82)."""
    outcome: Outcome | None = None
    consequences: list[Consequence] = field(default_factory=list)
    """What follows from a battle that is over (22.63, 22.8)."""

    # --- asking -------------------------------------------------------------------------------------------------

    def place(self, site: str) -> Place:
        return self.setting.places[site]

    def other(self, side: str) -> str:
        return self.setting.defender if side == self.setting.attacker else self.setting.attacker

    def name(self, side: str) -> str:
        setting = self.setting
        return setting.names[0] if side == setting.attacker else setting.names[1]

    @property
    def sides(self) -> tuple[str, str]:
        """The moving side and the intercepting side; what both do in turn they do in this order."""
        return self.setting.attacker, self.setting.defender

    @property
    def interceptor(self) -> str:
        """The side that ties favour as the one that intercepts: in a counter-interception battle elsewhere that is who
        has countered (22.161B, `docs/rulings.md`)."""
        setting = self.setting
        return self.other(setting.withholder) if setting.withholder else setting.defender

    @property
    def round(self) -> int:
        """The number of the naval combat round."""
        return self.phase + 1

    def at_sea(self, side: str) -> Site:
        """Where all the carrier air of a side stands during a round of a naval battle."""
        return self.sites[at_sea(side)]

    def present(self, side: str) -> list[Group]:
        """The combat groups of a side that take part, in the order of their numbers."""
        groups = []
        for group in self.groups.values():
            if group.side == side and group.number and (group.ships or group.is_left):
                groups.append(group)
        groups.sort(key=_number)
        return groups

    def found(self, side: str) -> list[Group]:
        """Those against which there are search results in this round (22.452)."""
        groups = []
        for group in self.groups.values():
            if group.results and group.side == side and (group.ships or group.is_left):
                groups.append(group)
        if len(groups) > 1:
            groups.sort(key=_number)
        return groups

    def forces(self, side: str) -> dict[str, Group]:
        """All the naval forces of a side by name, in the order of the scenario."""
        mine = []
        for key, group in self.groups.items():
            if group.side == side:
                mine.append((key, group))
        mine.sort(key=_place)
        return dict(mine)

    def numbered(self, side: str) -> list[Group]:
        """Those and the ones that were destroyed in this round."""
        groups = [group for group in self.groups.values() if group.number and group.side == side]
        groups.sort(key=_number)
        return groups

    def withdrawn(self, side: str) -> dict[str, Group]:
        """What a side has withdrawn, in the order in which it left (22.6)."""
        gone = [(key, group) for key, group in self.departed.items() if group.side == side]
        return dict(sorted(gone, key=_leaving))

    def of_side(self, side: str) -> tuple[str, ...]:
        """The sites of a side in the order of the scenario."""
        return self.setting.held[side]

    def kamikazes_fly(self, side: str, at: tuple[int, int] | None = None) -> bool:
        """Whether a side has kamikazes that may attack in this battle, or in a hex of a map."""
        return self.kamikazes > 0 and "japan" in self.setting.nations[side]

    def air_hexes(self, base: str, at: tuple[int, int]) -> int:
        """How far a hex is from a base for air units that fly a mission; in an air turn they go around neutral land."""
        return distance(self.place(base).at, at)

    @rule("18.525", "23.152B", "23.54")
    def open_to_land_air(self) -> list[str]:
        """18.525: the enemy bases that land-based air of the moving side has not attacked in this phase."""
        bases = self.of_side(self.setting.defender)
        return [base for base in bases if self.setting.near.get(base) and not self.sites[base].counteraired]

    @rule("18.523", "23.461A")
    def is_refuge(self, base: str) -> bool:
        """18.523: whether air units may flee to a base: it is not attacked, nor was it earlier in the phase."""
        return not self.sites[base].counteraired and all([sortie.target != base for sortie in self.sorties])

    def alarmed(self) -> list[str]:
        """23.46C: the bases that air units may leave after a round of this naval battle; only an operation knows of
        patrols."""
        return []

    # --- changing -----------------------------------------------------------------------------------------------

    def vacate(self, base: str) -> None:
        """All air units have left a base: nobody in it was aborted, is committed or was used at sea."""
        site = self.sites[base]
        site.aborted, site.shaken, site.committed, site.used = {}, {}, {}, {}

    def send_out(self, which: Unit, number: int) -> None:
        """Squadrons leave their base to search, cover or strike at sea: those that did so before go first (23.164)."""
        site = self.sites[which.home]
        take(site.air, which, number)
        if which in site.used:
            take(site.used, which, min(number, site.used[which]))

    def bring_back(self, force: Force) -> None:
        """Squadrons return to their bases from the sea, uninverted; what they did is remembered (23.162, 23.164)."""
        for which, number in force.items():
            add(self.sites[which.home].air, which, number)
            add(self.sites[which.home].used, which, number)

    def come_under_attack(self, base: str) -> list[tuple[str, Force]]:
        """17.3126A: a base is attacked from the air, and the squadrons of carriers in it fight as if they were based on
        land. By TF marker: what it hid."""
        site, marker = self.sites[base], self.place(base).marker
        shown = [(marker, site.hidden)] if marker else []
        for which, number in site.hidden.items():
            self.stand_guard(which, number)
        site.hidden = {}
        return shown

    @rule("17.3126E")
    def stand_guard(self, which: Unit, number: int) -> None:
        """17.3126E: squadrons of carriers in port defend it, and do nothing else until the naval battle is over."""
        site = self.sites[which.home]
        add(site.air, which, number)
        if self.setting.kind == "naval-battle":
            add(site.committed, which, number)

    def substitutes(self, group: Group, which: Ship) -> Substitutes:
        """22.9432: the destroyers that may be lost instead of those of a group that submarines hit. An operation has
        some on the map as well."""
        number = self.destroyers_elsewhere.get(group.side, 0)
        return Substitutes({"": number} if number else {})

    def substitute_name(self, source: str) -> str:
        """Where some of them are, as their owner reads it."""
        return "elsewhere"

    def lose_substitutes(self, side: str, source: str, which: Ship, number: int) -> str:
        """22.9432: so many of these destroyers are lost; where, in words."""
        self.destroyers_elsewhere[side] -= number
        add(self.sunk_elsewhere, which, number)
        return "elsewhere"

    def has_room(self, port: str, group: Group) -> bool:
        """22.63: whether a port can take a group that returns from a battle. Only an operation knows who else is
        based there."""
        return True

    @rule("17.3124", "17.3124.5")
    def join_battle(self, group: Group) -> None:
        """A combat group takes part from here on. 17.3124: squadrons aboard its damaged carriers stand with all others
        of their side that can only be carried; in an operation its forces have told them apart before."""
        for which, number in without_deck(group.ships, group.air).items():
            take(group.air, which, number)
            add(self.at_sea(group.side).grounded, which, number)

    def lose_passengers(self) -> Script[None]:
        """22.82A: cargo was lost: in an air turn ground units may be among it."""
        yield from ()

    def lose(self, eliminated: Force) -> None:
        for which, number in eliminated.items():
            self.lost[which.pool] = self.lost.get(which.pool, 0) + number

    def spend_kamikazes(self, number: int) -> None:
        """Kamikazes have flown, and are lost (17.48)."""


_number = attrgetter("number")


def _place(entry: tuple[str, Group]) -> int:
    return entry[1].place


def _leaving(entry: tuple[str, Group]) -> tuple[int, int, str]:
    return entry[1].left, entry[1].number, entry[0]


def is_air_base(place: Place) -> bool:
    """18.12: whether air units may base there: a city, port or airbase, or a mapboard box."""
    return place.box or place.installations > 0


@rule("17.3124.1")
def without_deck(fleet: Fleet, air: Force) -> Force:
    """17.3124: squadrons are taken to be aboard undamaged carriers first; those for whom there is no room there."""
    room = Counter({country: sound for country, (sound, _) in decks(fleet).items()})
    left: Force = {}
    for which, number in air.items():
        based = min(number, room[which.nation])
        room[which.nation] -= based
        if number > based:
            left[which] = number - based
    return left


@cache
def at_sea(side: str) -> str:
    """The name of a side's place at sea, the home of its carrier air in a naval battle."""
    return f"{side}-at-sea"


def rebased(setting: Setting, which: Unit, base: str) -> Unit:
    """A unit as it is in another base, with the DRM that it has there."""
    return which.based(base, drm_ledger(setting, base, which.nation, which.arm).total)


NO_RESEARCH = Research()
ELITE, PARTIAL = Arm.ELITE, Supply.PARTIAL  # at hand: a member of an enumeration takes long to look up


def drm_ledger(setting: Setting, home: str, country: str, arm: Arm) -> Ledger:
    """19.31A: the Air Nationality DRM of units of a nation at a home."""
    place, elite = setting.places[home], arm is ELITE
    return air_nationality(
        country,
        arm=Arm.NAVAL if elite else arm,
        elite=elite,
        winter=place.winter,
        short_supply=place.supply is PARTIAL,
        oil=place.oil,
        research=setting.research.get(country, NO_RESEARCH).air_drm,
        chart=setting.options.air_chart,
        supply_and_oil=setting.options.supply_and_oil,
    )


def advantage(holder: str, side: str) -> int:
    """What an advantage, such as codebreaking, is to a side: 1 if it has it, -1 if the enemy has, 0 if nobody."""
    return 0 if not holder else 1 if holder == side else -1


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
