"""An operation: naval forces and submarines on the map, and the voyages that they make.

A battle, an air attack or an attack on a port is `state.battle` while it is fought; what lasts is here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from flagplot.awaw.air_units import Unit
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.ships import Ship
from flagplot.awaw.state.air import Mission
from flagplot.awaw.state.battle import Consequence, Dive, Group, Strike
from flagplot.awaw.state.setting import Scene


class Activity(StrEnum):
    """What a naval force is at sea for (22.15, 22.22); the first ten are announced by the moving side."""

    PATROL = "patrol"
    BASE_CHANGE = "base-change"
    SEA_TRANSPORT = "sea-transport"
    SEA_SUPPLY = "sea-supply"
    INVASION = "seaborne-invasion"
    BOMBARDMENT = "shore-bombardment"
    CARRIER_MISSION = "fast-carrier-mission"
    SEA_ESCORT = "sea-escort"
    REDEPLOYMENT = "redeployment"
    RAID = "raid"
    DISPLACEMENT = "displacement"
    ESCAPE = "escape"
    INTERCEPTION = "interception"
    RETURN = "return"
    ASW = "asw-deployment"
    """ASW moving to or from an SW box (22.11A)."""


class Order(NamedTuple):
    """Something that a force of the moving side may be told to do."""

    activity: Activity
    stage: str
    """The stage of the player turn in which it is announced: movement, combat or redeployment (22.15)."""
    to: Hex
    """Where it does it."""
    base: str = ""
    """The base or mapboard box there, if the activity is meant for one."""
    worth: int = 0
    """What it counts for its side if it is carried out."""


class SupplyLine(NamedTuple):
    """A sea supply line that a side may trace in its own player turn (30.37)."""

    side: str
    start: str
    base: str
    stage: str
    worth: int = 0
    """What it counts for its side if it is not disrupted."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What does not change in an operation."""

    board: Mapboard
    stages: tuple[str, ...]
    """The stages of the player turn that are played, in order (22.15)."""
    orders: dict[str, tuple[Order, ...]]
    """What each force of the moving side may be told to do."""
    ground: dict[str, int] = field(default_factory=dict)
    """Ground factors that defend a base against a seaborne invasion (22.22F)."""
    zones: dict[str, str] = field(default_factory=dict)
    """The supply zone of each base (22.141B, 22.282)."""
    strategic: str = ""
    """The side that has played more strategic cards for naval interceptions (22.22I)."""
    cooperation: bool = True
    """Whether British and French naval forces act together (22.141E, 53.253)."""
    hunting: int = 0
    """What makes raiders easier to find beside their number: escort carriers in the box, air range, codebreaking
    (21.5342)."""
    at_peace: tuple[tuple[str, str], ...] = ()
    """Pairs of nations of the two sides that are not at war with each other (22.112)."""
    norway: tuple[Hex, ...] = ()
    """The hexes of Norway's North Sea coast, in which some Axis moves are safe (22.11A)."""
    lines: tuple[SupplyLine, ...] = ()
    """Sea supply lines that either side may trace when it moves."""
    kamikaze_bases: tuple[str, ...] = ()
    """The air bases in Japan from which kamikazes fly; if none is named, all that their side holds (17.462)."""

    def with_stages(self, stages: tuple[str, ...]) -> Plan:
        """The same with other stages."""
        return replace(self, stages=stages)


@dataclass(slots=True)
class NavalForce:
    """A task force, or naval units of fewer than ten factors, in port or at sea."""

    group: Group
    """Its ships, squadrons aboard and cargo; in a battle this is its combat group."""
    base: str
    """The port that it is in, or that it sailed from."""
    at: Hex
    marker: str = ""
    """What everybody calls it, whatever it holds: ``TF 3``."""
    voyage: str = ""
    """The voyage that it is on, if it is at sea and not on patrol."""
    patrol: str = ""
    """``offensive`` or ``defensive`` while it stays in a patrol hex (21.418, 21.419)."""
    inverted: bool = False
    """Whether it has been used up for this player turn (22.26, 22.81)."""
    tried: str = ""
    """The stage in which it last tried to intercept: it tries but once in a stage (22.14A, 22.27)."""
    seen: bool = False
    """Whether the enemy has seen its ships."""
    grounded: dict[Unit, int] = field(default_factory=dict)
    """Squadrons aboard damaged carriers, which can only be carried (17.3124)."""
    sunk_in_port: dict[Ship, int] = field(default_factory=dict)
    """Named ships that lie sunk in port (23.443B)."""
    ashore: dict[Unit, int] = field(default_factory=dict)
    """Squadrons of its carriers that are land-based since their port was attacked, as they were aboard (17.3126C)."""
    spared: dict[Ship, int] = field(default_factory=dict)
    """Ships of a force that has fought on its way to intercept which were withheld in all rounds: unless they fight
    later they are not inverted with the others (22.26D)."""
    with_cargo: bool = False
    """Whether it set out with cargo of its own, as everybody heard; who sails with it is an escort (22.22A)."""
    began_at_sea: bool = False
    """Raiders that were at sea as the game began: nobody intercepts them as they return (22.11A)."""

    @property
    def side(self) -> str:
        return self.group.side

    @property
    def in_port(self) -> bool:
        return not self.voyage and not self.patrol


@dataclass(slots=True)
class Flotilla:
    """Submarine factors that base or patrol together; each of them acts alone (22.915)."""

    side: str
    nation: str
    base: str
    at: Hex
    factors: int
    """Those that are uninverted and have not tried to intercept in this stage."""
    advanced: bool = False
    patrol: str = ""
    """``offensive`` or ``defensive`` while they are on patrol."""
    tried: int = 0
    """Those that have tried in this stage (22.92)."""
    away: int = 0
    """Those that are out on an interception."""
    inverted: int = 0
    """Those that have attacked and are back (22.92)."""
    lost: int = 0


class Progress(StrEnum):
    """How far a voyage has come."""

    ANNOUNCED = "announced"
    UNDER_WAY = "under way"
    ARRIVED = "arrived"
    """At its destination, with its activity still to be carried out or just carried out."""
    ABORTED = "aborted"
    """It turns back (22.28)."""
    OVER = "over"
    """Back in port, or there is nothing left of it."""


@dataclass(slots=True)
class Voyage:
    """One naval force on one naval activity, along one path of hexes (22.12)."""

    side: str
    activity: Activity
    forces: list[str]
    """The task forces and smaller forces that sail together, by their keys."""
    path: tuple[Hex, ...]
    """The hexes in order, from where it is to where it goes."""
    step: int = -1
    """Where on the path it is; -1 while it has not left port (22.12A)."""
    halt: int = -1
    """Where on the path it is to wait for others that are intercepted together with it (22.141); -1 nowhere."""
    progress: Progress = Progress.ANNOUNCED
    base: str = ""
    """The base or box that it is bound for, if any."""
    order: int = -1
    """Which of the orders of its first force it carries out."""
    freight: int = 0
    """The parts of cargo, or the laden factors, that it set out with."""
    worth: int = 0
    """What it counts for its side if it is carried out, by whomever."""
    shown: bool = False
    """Whether the enemy has asked for its path (22.12)."""
    joins: str = ""
    """The voyage that it is to combine with at the end of its path (22.13C)."""
    leaves: str = ""
    """The voyage that it parts from at the beginning of its path (22.13D, 22.18D)."""
    parts: tuple[Hex, ...] = ()
    """Hexes of the path where other forces join it or leave it: from there on it is a new force (22.13C, D)."""
    attacked: bool = False
    """Whether it was attacked or engaged, or one that it was to combine with was lost, so that it may abort (22.28)."""
    fought_at: list[Hex] = field(default_factory=list)
    """Hexes in which it was in naval combat: there is no air attack outside it (22.132B)."""
    disrupted: bool = False
    """Whether it was a sea supply line that an attack has disrupted (22.9434, 23.752D)."""
    cargo: bool = False
    """Whether it sailed with cargo, which counts on the way home too (22.22A)."""
    was: str = ""
    """What a returning force was at sea for (22.11A, 22.18)."""
    after: str = ""
    """The voyage that a returning force was on before."""
    names: str = ""
    """What everybody called its forces as it was announced."""
    alerted: dict[str, int] = field(default_factory=dict)
    """By base: the search squadrons that it attacked on its way, which have spotted it so (22.22G)."""
    intercepted: list[int] = field(default_factory=list)
    """The legs of its path on which somebody has tried to intercept it (22.13)."""
    staying: bool = False
    """Whether it is a patrol that wants to stay in its hex (22.22B)."""
    # --- interceptions: 22.1, 22.2 ---
    level: int = 0
    """0 a naval activity, 1 an interception, 2 a counter-interception, 3 the last level (22.17)."""
    target: str = ""
    """The voyage that it intercepts."""
    leg: int = 0
    """The part of the target's path in which it does so: each may be intercepted once (22.13)."""
    meet: Hex = (0, 0)
    """The interception hex."""
    flotilla: str = ""
    """The submarine that intercepts, if it is one (22.915)."""
    reached: int = 0
    """The hexes that its interception dice took it (22.23)."""
    arrives: int = 0
    """The round of naval combat in which it arrives; 0 if all attempts have failed (22.24A)."""

    @property
    def at(self) -> Hex:
        return self.path[max(0, self.step)]

    @property
    def is_open(self) -> bool:
        """Whether it still goes where it was bound for."""
        return self.progress in (Progress.ANNOUNCED, Progress.UNDER_WAY)


@dataclass(slots=True)
class AirAttack:
    """One sortie by land-based air outside naval combat (23.752). It is kept until the next one begins, since who has
    acted in a hex does nothing else in it (23.161)."""

    side: str
    """The side that attacks."""
    target: str
    """The voyage, or the submarines on patrol, that are attacked."""
    at: Hex
    cover: dict[Unit, int] = field(default_factory=dict)
    """Air cover over the force as a whole, those over groups that are struck no longer among them (23.23D)."""
    strikes: list[Strike] = field(default_factory=list)
    """Strikes that are announced and not yet flown."""
    flown: bool = False
    """Whether any strike was announced."""
    acted: dict[Unit, int] = field(default_factory=dict)
    """The squadrons of both sides that have covered or struck, and are back."""
    searched: dict[Unit, int] = field(default_factory=dict)
    """Those that have searched."""


@dataclass(slots=True)
class Encounter:
    """A battle that is being fought: where, and who takes part."""

    at: Hex
    target: str
    """The voyage that was intercepted."""
    level: int
    """The level of those who intercept it: 1, or 2 and 3 for counter-interceptions elsewhere (22.161B)."""
    voyages: list[str]
    """All the voyages that take part."""
    supporting: dict[str, int] = field(default_factory=dict)
    """Patrolling forces and flotillas that take part, and the round in which each arrives (22.163)."""


@dataclass(slots=True)
class BaseStrike:
    """An attack on a base from the air, sortie by sortie (23.411)."""

    mission: Mission
    """Those who counterair in this sortie."""
    strike: Strike
    """Those who attack the ships in port."""
    carriers: str = ""
    """The voyage or the patrolling force whose carriers attack; nothing if land-based air does."""
    sortie: int = 1
    back: dict[Unit, int] = field(default_factory=dict)
    """Those who are on their way home in this sortie."""
    launched: dict[str, dict[Unit, int]] = field(default_factory=dict)
    """By force: the squadrons that left its carriers in this sortie."""
    flown: dict[Unit, int] = field(default_factory=dict)
    """Land-based air in its bases that has flown in the attack: in the end it is inverted (18.524A)."""
    used: dict[Unit, int] = field(default_factory=dict)
    """Land-based air of the attacker that was used at sea before the attack began (23.162)."""
    fought: bool = False
    """Whether there was a round against air or naval units, so that those in the base may leave it (23.46)."""
    repelled: bool = False
    """Whether its air units may not leave it all the same, since none of the attackers is left (18.522A)."""


@dataclass(slots=True)
class AirRaids:
    """The bases that were attacked from the air in one stage."""

    stage: int = 0
    inverted: dict[str, dict[Unit, int]] = field(default_factory=dict)
    """By base: those in it that the attacker's last roll has inverted: in a further attack they fight again (23.412A,
    23.461A)."""
    by_land: list[str] = field(default_factory=list)
    """Those of them that land-based air has attacked: it attacks each base once a phase."""
    on_ships: list[str] = field(default_factory=list)
    """Those of them whose ships were attacked: kamikazes do not attack there (17.47C)."""
    by_kamikazes: list[str] = field(default_factory=list)
    """Those whose ships kamikazes have attacked: no other air of their side does (17.47C)."""


class Event(NamedTuple):
    """A line of the record of an operation, as everybody may read it."""

    stage: str
    kind: str
    """``activity``, ``interception``, ``done`` or ``aborted``."""
    side: str
    rule: str
    text: str


@dataclass(slots=True)
class Fight:
    """A battle, or an attack at sea or on a base, for the record. While it goes on its losses are those before it."""

    stage: str
    kind: str
    at: Hex
    sides: dict[str, str]
    """Who takes part, by the markers that everybody sees."""
    sunk: dict[Ship, int]
    damaged: dict[Ship, int]
    air: dict[str, int]
    cargo: dict[str, int]
    submarines: dict[str, int]
    """By flotilla: factors lost."""
    rounds: int = 0
    rule: str = ""
    losers: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    told: tuple[Consequence, ...] = ()
    """What followed from a battle."""
    struck: bool = True
    """Whether anything came of it: an air attack that finds nothing strikes nobody."""


@dataclass(slots=True)
class Operation:
    """Everything that can change in an operation."""

    plan: Plan
    between: Scene
    """The scene between battles: the whole map."""
    stage: int = 0
    """Which of the stages of the player turn is being played."""
    fleet: dict[str, NavalForce] = field(default_factory=dict)
    """All naval forces, in port and at sea, under their keys."""
    flotillas: dict[str, Flotilla] = field(default_factory=dict)
    voyages: dict[str, Voyage] = field(default_factory=dict)
    """What is at sea on an activity or an interception, in the order in which it was announced."""
    sailings: int = 0
    """How many voyages there were, so that each has a key of its own."""
    raids: dict[str, int] = field(default_factory=dict)
    """By SW box: the raiding groups that have reached it (21.5342)."""
    hunted: list[str] = field(default_factory=list)
    """Submarines on patrol that land-based air has had its chance to attack (21.4184C)."""
    struck: list[str] = field(default_factory=list)
    """Patrols whose squadrons have had their one task of the combat stage (21.4181C)."""
    tasks: dict[str, str] = field(default_factory=dict)
    """By force: what the squadrons of its carriers have done in this player turn, and in which phase: a patrol or a
    fast carrier mission attacks bases, or gives ground support, or intercepts defensive air support (21.4181C)."""
    encounter: Encounter | None = None
    """The battle, or the attack at sea, that is being fought."""
    attack: AirAttack | None = None
    """The last air attack outside naval combat."""
    done: dict[str, int] = field(default_factory=dict)
    """For each side what it has achieved, in the points of its orders."""
    told: list[Consequence] = field(default_factory=list)
    """What followed from the battles so far."""
    landed: dict[str, dict[str, int]] = field(default_factory=dict)
    """By side: the cargo that has arrived, and the laden factors that carried it."""
    record: list[Event] = field(default_factory=list)
    """What was announced, intercepted and carried out so far, for the report."""
    open_fights: list[Fight] = field(default_factory=list)
    """What is being fought, for the record; ships that escape from a base under attack may fight on their way."""
    fights: list[Fight] = field(default_factory=list)
    """What was fought so far."""
    curtain: str = ""
    """While a side decides in secret about its forces on the map: what its enemy saw of them before, as JSON."""
    barred_zones: list[str] = field(default_factory=list)
    """Supply zones for which no more transports may be used in this player turn (22.282)."""
    base_strike: BaseStrike | None = None
    """The attack on a base that is under way."""
    last_raids: AirRaids = field(default_factory=AirRaids)
    """The attacks on bases in this stage, or in the last one that had any; see `raids_now`."""
    counterair_first: bool = False
    """While land-based air flies the counterair missions of the combat stage: ships in port are attacked after them
    (23.51)."""
    kamikazes_flown: bool = False
    """Whether kamikazes have attacked: all of a player turn attack at one time (17.47D)."""
    port_dives: list[Dive] = field(default_factory=list)
    """Attacks by kamikazes on ships in port that are announced and not yet over; the first is under way (17.463)."""
    on_guard: dict[Unit, int] = field(default_factory=dict)
    """Carrier squadrons that came ashore as their port was attacked in the naval combat that is being fought: until it
    is over they defend their base and do nothing else (17.3126E)."""

    def fleet_of(self, side: str) -> dict[str, NavalForce]:
        """The forces of a side that have ships, in the order of the scenario."""
        mine = [(key, force) for key, force in self.fleet.items() if force.side == side and force.group.ships]
        return dict(sorted(mine, key=_place))

    def drop_sunk_forces(self) -> None:
        """Forces that have no ships are gone, unless some lie sunk in port and could be raised (23.443B)."""
        self.fleet = {key: force for key, force in self.fleet.items() if force.group.ships or force.sunk_in_port}

    def everybody(self) -> list[tuple[str, NavalForce]]:
        """All forces of both sides, in an order that does not hang on how the dict came about."""
        return sorted(self.fleet.items(), key=_place)

    def boats(self) -> list[tuple[str, Flotilla]]:
        """All flotillas, in the same manner."""
        return sorted(self.flotillas.items())

    def sailing(self, voyage: Voyage) -> dict[str, NavalForce]:
        """The forces of a voyage that are left."""
        return {key: self.fleet[key] for key in voyage.forces if key in self.fleet and self.fleet[key].group.ships}

    def homebound(self) -> str:
        """A voyage whose forces have turned back, if there is any: they go home at once."""
        back = (Activity.RETURN, Progress.ABORTED)
        return next((key for key, voyage in self.voyages.items() if (voyage.activity, voyage.progress) == back), "")

    def is_over(self, key: str) -> bool:
        """Whether a voyage has come to its end."""
        return self.voyages[key].progress is Progress.OVER

    def opposing(self, target: str, leg: int | None = None) -> Iterator[tuple[str, Voyage]]:
        """The interceptions of a voyage that have not come to an end, on one leg of its path or on all."""
        for key, voyage in list(self.voyages.items()):
            if voyage.target == target and voyage.progress is not Progress.OVER and leg in (None, voyage.leg):
                yield key, voyage

    @property
    def raids_now(self) -> AirRaids:
        """The attacks on bases in this stage."""
        return self.last_raids if self.last_raids.stage == self.stage else AirRaids(self.stage)

    def note_attack(self, base: str, *, by_land: bool = False) -> None:
        """A base is attacked from the air in this stage (23.461A)."""
        raids = self.last_raids = self.raids_now
        raids.inverted.setdefault(base, {})
        if by_land and base not in raids.by_land:
            raids.by_land.append(base)


def _place(entry: tuple[str, NavalForce]) -> tuple[int, str]:
    return entry[1].group.place, entry[0]
