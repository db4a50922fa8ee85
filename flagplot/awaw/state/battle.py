"""A battle: combat groups, strikes, fleet combat, submarines, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from flagplot.awaw.air_units import Unit
from flagplot.awaw.hits import Tally
from flagplot.awaw.ships import Ship
from flagplot.awaw.state.air import Mission


class Facts(NamedTuple):
    """22.452B: the four things that the owner tells of a found combat group."""

    small: bool
    carriers: int
    slow: bool
    cargo: bool

    def __str__(self) -> str:
        size = "fewer than ten factors" if self.small else "ten or more factors"
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


GO_ON, ABORT, ORIGIN = "go-on", "abort", "origin"
"""What a group is bound for: on with its activity, or back to where it came from; else a base by its name in files."""


@dataclass(slots=True)
class GroupRound:
    """What befell a combat group in a naval combat round: dropped with the end of the round."""

    results: int = 0
    """Search results against it in this round (22.452)."""
    attacks: int = 0
    """How many of them were used (22.452C)."""
    uncovered: bool = False
    """Whether its air cover came to light in this round, because it was struck (22.4421B)."""
    attacked: bool = False
    """Whether it was attacked in this round, from the air, by a fleet or by submarines (22.61D)."""
    fought: bool = False
    """Whether it was in fleet combat in this round, and so has shown where it is (22.93B)."""
    evaded: bool = False
    """Whether it has evaded fleet combat in this round (22.523E, 22.71B)."""
    submarined: int = 0
    """How many submarines have attacked it in this round (22.9416)."""
    kamikazed: bool = False
    """Whether kamikazes were sent against it in this round, so that no other air of their side strikes it (17.47C)."""


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
    facts: Facts | None = None
    """What the enemy was last told of it."""
    revealed: bool = False
    """Whether the enemy has seen its ships (23.424#2)."""
    place: int = 0
    """Its place among the forces of the scenario, the order in which its side is asked about it."""
    this_round: GroupRound = field(default_factory=GroupRound)
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
class Round:
    """What belongs to one naval combat round, or to all attacks by submarines in one hex."""

    announced: list[Announced] = field(default_factory=list)
    """Submarine attacks of this round, those that are being made first."""
    searched: dict[str, int] = field(default_factory=dict)
    """For each side: the land-based squadrons that have searched in this round (22.9413B)."""
    sunk_before: dict[Ship, int] = field(default_factory=dict)
    """What was sunk as the round began, to tell who has lost more in it (22.61A)."""
    damaged_before: dict[Ship, int] = field(default_factory=dict)
    """What was afloat and damaged as the round began."""


@dataclass(slots=True)
class Battle:
    """A naval battle, an air phase, or an attack that uses their scripts: what begins and ends with it."""

    phase: int = 0
    """Which air phase it is, or which naval combat round, counted from 0."""
    mission: Mission | None = None
    sorties: list[Mission] = field(default_factory=list)
    """Carrier sorties announced and not yet flown (22.432)."""
    groups: dict[str, Group] = field(default_factory=dict)
    """The naval forces of both sides under the names of the scenario; what order they have is said by themselves."""
    departed: dict[str, Group] = field(default_factory=dict)
    """What has left the battle: groups and parts of groups that withdrew, under names of their own (22.6)."""
    submarines: list[Submarines] = field(default_factory=list)
    strike: Strike | None = None
    dives: list[Dive] = field(default_factory=list)
    """Attacks by kamikazes that are announced and not yet over; the first of them is under way."""
    engagements: list[Engagement] = field(default_factory=list)
    """Fleet combats that are agreed on and not yet fought (22.521C, E)."""
    engagement: Engagement | None = None
    """The fleet combat that is being fought."""
    this_round: Round = field(default_factory=Round)
    outcome: Outcome | None = None
    consequences: list[Consequence] = field(default_factory=list)
    """What follows from a battle that is over (22.63, 22.8)."""

    @property
    def round(self) -> int:
        """The number of the naval combat round."""
        return self.phase + 1

    def end_round(self) -> None:
        """The round is over: groups without ships are gone, and what was found has to be found again (22.451)."""
        for key, group in [*self.groups.items()]:
            if group.ships:
                group.this_round = GroupRound()
            else:
                del self.groups[key]

    def present(self, side: str) -> list[Group]:
        """The combat groups of a side that take part, in the order of their numbers."""
        groups = []
        for group in self.groups.values():
            if group.side == side and group.number and (group.ships or group.is_left):
                groups.append(group)
        if len(groups) > 1:
            groups.sort(key=_number)
        return groups

    def found(self, side: str) -> list[Group]:
        """Those against which there are search results in this round (22.452)."""
        groups = []
        for group in self.groups.values():
            if group.this_round.results and group.side == side and (group.ships or group.is_left):
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
        groups = []
        for group in self.groups.values():
            if group.side == side and group.number:
                groups.append(group)
        if len(groups) > 1:
            groups.sort(key=_number)
        return groups

    def withdrawn(self, side: str) -> dict[str, Group]:
        """What a side has withdrawn, in the order in which it left (22.6)."""
        gone = {key: group for key, group in self.departed.items() if group.side == side}
        return dict(sorted(gone.items(), key=_leaving)) if len(gone) > 1 else gone


_number = attrgetter("number")


def _place(entry: tuple[str, Group]) -> int:
    return entry[1].place


def _leaving(entry: tuple[str, Group]) -> tuple[int, int, str]:
    return entry[1].left, entry[1].number, entry[0]
