"""An air turn: ground units, airbase counters, BRPs and force pools, and why each air unit is inverted.

Air units lie in `state.sites[base].air`, counted and not named, as everywhere. What befell some of them in this player
turn is a mark (`marks`): so many of that kind in that base have staged, were built, were redeployed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from flagplot.awaw.air_units import Force, Unit
from flagplot.awaw.mapboard.hexes import Hex


class Phase(StrEnum):
    """The phases of a player turn, as far as air and naval units take part in them."""

    MOVEMENT = "movement"
    COMBAT = "combat"
    EXPLOITATION = "exploitation"
    CONSTRUCTION = "construction"
    REDEPLOYMENT = "redeployment"
    END = "end"


class Kind(StrEnum):
    """Kinds of ground unit, as far as air missions tell them apart (18.543, 18.544, 18.611D)."""

    INFANTRY = "infantry"
    ARMOR = "armor"
    AIRBORNE = "airborne"
    SPECIALIZED = "specialized"
    """Commandos, Chindits and the like, airborne units apart."""
    REPLACEMENT = "replacement"
    PARTISAN = "partisan"


class Ration(StrEnum):
    """How a ground unit is supplied."""

    FULL = "full"
    LIMITED = "limited"
    NONE = "none"


@dataclass(slots=True)
class GroundUnit:
    """A ground unit: missions carry it, support it or defend it. It fights by results that the players give."""

    side: str
    nation: str
    kind: Kind
    factors: int
    at: Hex
    strength: int = 0
    """What it counts as defender, its terrain included; 0 if that is its factors."""
    movement: int = 0
    """Movement factors that it has left in this player turn."""
    supply: Ration = Ration.FULL
    flown: str = ""
    """How it travelled in this player turn: ``air``, ``airdrop``, ``sea`` or ``invasion`` (18.547C)."""
    aboard: str = ""
    """The naval force that it is cargo of, if it is at sea or waits in port to land."""
    load: str = ""
    """The part of that cargo that it is (22.82A)."""
    jungle: bool = False
    """Whether jungle costs it nothing more, as the Chindits; Japanese units need no word for it (13.41C)."""
    name: str = ""
    """What people call it; its nation and kind if the scenario says nothing."""

    @property
    def defence(self) -> int:
        return self.strength or self.factors


@dataclass(slots=True)
class Airbase:
    """An airbase counter on the map (18.14)."""

    nation: str
    player_turn: int = -1
    """The player turn in which it was placed, and the phase of it; -1 before the game began (18.146)."""
    phase: str = ""


class Until(StrEnum):
    """When inverted air may be uninverted again, at the earliest (18.72)."""

    NOW = "now"
    """At any time in its owner's player turn."""
    TURN_END = "turn-end"
    """When the player turn in which it was inverted is over (18.72B)."""
    NEXT_TURN = "next-turn"
    """Not before its owner's next player turn (18.72C-D)."""


class Down(NamedTuple):
    """Why some of the inverted air in a base is inverted, and until when (18.42, 18.43, 18.46, 18.7)."""

    which: Unit
    """As it stands in the base: inverted."""
    number: int
    rule: str
    why: str
    until: Until


class Freight(NamedTuple):
    """Air units that are part of the cargo of a naval force (18.24)."""

    which: Unit
    """As they were in the base that they come from."""
    number: int


@dataclass(slots=True)
class Kamikazes:
    """The Japanese kamikaze force pool (17.43); those that are built and have not flown are `state.kamikazes`."""

    limit: int = 0
    """0 as long as the rule is not invoked (17.41)."""
    unbuilt: int = 0
    used: int = 0
    """Flown since the pool last grew (17.43B)."""
    growth: int = 0
    """How often it has grown (17.47H)."""
    last: int = -1
    """The player turn in which kamikazes last attacked: all of a turn attack at one time (17.47D)."""


class FlightKind(StrEnum):
    """What air that is out over a hex is there for."""

    GROUND_SUPPORT = "ground-support"
    DEFENSIVE_SUPPORT = "defensive-support"
    ESCORT = "escort"
    """Jets that escort defensive air support (18.6141)."""
    INTERCEPTION = "interception"


@dataclass(slots=True)
class Flight:
    """Air units that are out over a hex, away from their bases (`Unit.home`), until the fighting there is over."""

    side: str
    kind: FlightKind
    at: Hex
    air: Force
    from_ship: str = ""
    """The force whose carriers they flew from, if any (18.5522)."""
    aborted: Force = field(default_factory=dict)
    """How many of them the last roll forced to abort."""
    spent: bool = False
    """Whether they were used in ground combat, so that they do not stay for exploitation (18.618)."""
    wave: int = 0
    """Defensive air support that was deferred is apart from what was there before: which of the attacks it is for,
    counted from 1 (18.619)."""
    contested: bool = False
    """Whether the enemy has had his chance in this phase to intercept them (18.561)."""
    rounds: int = 0
    """How many rounds of air combat they have fought."""


@dataclass(slots=True)
class GroundAttack:
    """An attack on one or more enemy hexes that is announced and not yet fought (18.55)."""

    hexes: tuple[Hex, ...]
    units: list[str]
    """The attacking ground units."""
    kind: str = "regular"
    """``overrun``, ``regular``, ``invasion``, ``airdrop`` or ``exploitation``."""
    guns: int = 0
    """Fleet factors that bombard the shore (18.5521)."""
    cves: int = 0
    """CVE factors that give ground support (18.553)."""
    airborne: int = 0
    """Factors of airborne units that may still be dropped to join it, while ground support is sent (18.554A)."""
    driven_off: int = 0
    """Factors of airborne units that were to join it, and that interceptors have kept away (18.555)."""
    low_odds: bool = False
    """Announced at less than 1:1, so that defensive air support is deferred (18.619)."""
    voyage: str = ""
    """The voyage that brings the invaders (18.5551)."""
    done: bool = False
    """Whether it was made, or will not be made any more."""


@dataclass(slots=True)
class AirTransportMission:
    """An air transport activity that is under way (18.621): who carries whom, along which hexes."""

    kind: str
    """``air-supply``, ``air-transport``, ``airdrop`` or ``hump``."""
    side: str
    path: tuple[Hex, ...]
    """The hexes of its route, base of origin and destination included."""
    transports: Force
    """The factors that fly, away from their base."""
    units: list[str] = field(default_factory=list)
    """The ground units that are supplied, carried or dropped."""
    to: str = ""
    """The base that it ends in."""
    intercepted: Hex | None = None
    """The hex in which it is intercepted."""
    interceptors: Force = field(default_factory=dict)
    guards: Force = field(default_factory=dict)
    """Counter-intercepting air (18.622)."""
    aborted: Force = field(default_factory=dict)
    """Interceptors that the last roll forced to abort (18.623)."""
    fought: Force = field(default_factory=dict)
    """Those of both sides that were in air combat: they are inverted in the end (18.472, 18.623)."""
    turned: Force = field(default_factory=dict)
    """Transports that were forced back (18.623)."""
    down: int = 0
    """Transport factors that were shot down (18.624)."""
    round: int = 0
    squadrons: bool = False


@dataclass(slots=True)
class Raid:
    """A bombing raid on an economic target (18.57): who flies, and who opposes it."""

    target: str
    """The base or place that is bombed, as `TurnPlan.targets` has it."""
    nation: str
    base: str
    """The base from which it sets out, or is taken to if the bombers stand in an SW box."""
    route: tuple[Hex, ...]
    air: Force = field(default_factory=dict)
    """Army air and jets, away from their bases."""
    bombing_army: int = 0
    """The army air factors that bomb; the others escort them."""
    strategic: Force = field(default_factory=dict)
    """Strategic bombers and interceptors, at home on their front."""
    guards: Force = field(default_factory=dict)
    """Army air and jets of the defender."""
    interceptors: Force = field(default_factory=dict)
    """The defender's interceptors, at home on their front."""


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """What does not change in an air turn."""

    sides: tuple[str, str]
    """The sides, in the order of the scenario; whose player turn it is changes, this does not."""
    turns: tuple[str, ...]
    """The side of each player turn that is played."""
    phases: tuple[str, ...]
    """The phases that each player turn has in this scenario; `Phase.END` always follows."""
    year: int = 1942
    season: str = "summer"
    factions: dict[str, str] = field(default_factory=dict)
    """The alliance faction of each nation (18.142C)."""
    at_war: dict[str, bool] = field(default_factory=dict)
    """What the rules ask of the war: ``us-germany``, ``us-japan``, ``japan-west`` and the like."""
    neutral: tuple[Hex, ...] = ()
    """Land hexes that are wholly neutral: nobody flies over them (18.22)."""
    neutral_sides: tuple[tuple[Hex, Hex], ...] = ()
    """Hexsides of neutral land alone between hexes that are part water (18.22)."""
    island_groups: dict[str, str] = field(default_factory=dict)
    """The Pacific island group that a base lies in (18.142E)."""
    airbase_counters: dict[str, int] = field(default_factory=dict)
    """Airbase counters of a nation in this theatre beyond those of 18.14, from production (42.22E)."""
    training: dict[str, int] = field(default_factory=dict)
    """Additions to the naval air training rates, from production or the pre-war games (17.353)."""
    new_minors: tuple[str, ...] = ()
    """Bases in minor countries that joined in this turn: no airbases in the first movement phase (18.142C)."""
    gained: tuple[str, ...] = ()
    """Bases gained without fighting in this turn, which may be staged to at once (18.21C)."""
    hump: tuple[str, ...] = ()
    """The two bases between which BRPs are flown to China (18.511E), if the scenario has them."""
    hump_brps: int = 5
    """The BRPs that a transport factor flies to China (40.85 could not be read: an assumption)."""
    us_boxes: tuple[str, ...] = ()
    """The boxes of the United States, where Western Allied air is uninverted by itself (18.73B)."""
    rough: tuple[Hex, ...] = ()
    """Hexes of rough terrain, jungle bases apart: to leave an air transport there costs more (18.547A)."""
    targets: dict[str, str] = field(default_factory=dict)
    """Economic targets that may be bombed: name by base or place of the map (18.512F)."""
    fronts: dict[str, str] = field(default_factory=dict)
    """The front of each base, for strategic bombers and interceptors (17.71)."""
    overruns: bool = True
    """Whether overruns are offered in the movement phase."""
    winter: tuple[Hex, ...] = ()
    """Hexes that are subject to a winter result of 9, beside bases that say so themselves (18.611D)."""
    opening: bool = False
    """Whether each major power may place an airbase before the first turn (18.141)."""
    isolated: tuple[str, ...] = ()
    """Bases that the enemy has cut off from supply, so that their airbases are removed (18.147)."""
    launched: tuple[str, ...] = ()
    """Forces whose carriers are launched in this turn: squadrons built in their port may go aboard (17.3122C)."""
    redeployments: dict[str, int] = field(default_factory=dict)
    """By nation: air units that it may redeploy in a turn; any number if none is given."""
    homes: dict[str, str] = field(default_factory=dict)
    """By base: the nation in whose home country it lies. New units of the nation appear there, and from there
    kamikazes fly (17.462); a nation for which none is given has them in any base of its side."""


@dataclass(slots=True)
class Turn:
    """Everything that can change in an air turn."""

    plan: TurnPlan
    player_turn: int = 0
    """Which of the player turns is being played."""
    step: str = ""
    """The phase that is being played (`Phase`)."""
    units: dict[str, GroundUnit] = field(default_factory=dict)
    """The ground units, by name."""
    airbases: dict[str, Airbase] = field(default_factory=dict)
    """By base: the airbase counter there."""
    placed: dict[str, int] = field(default_factory=dict)
    """By nation: airbases placed in this player turn (18.142B)."""
    freight: dict[str, Freight] = field(default_factory=dict)
    """By the name of a part of the cargo of some force: the air units that it is, and are not ashore again (18.24)."""
    controllers: dict[str, str] = field(default_factory=dict)
    """By base: the nation that controls it, where that is not the first of its side (18.142C)."""
    held_at_start: dict[str, str] = field(default_factory=dict)
    """The side that held each base as the phase began (18.21B, 18.46)."""
    lost_bases: dict[str, str] = field(default_factory=dict)
    """Bases that have changed hands, and the side that held each as the game began."""
    untraced: list[str] = field(default_factory=list)
    """Bases that were captured, and to which their new owner has not traced supply yet (18.142C)."""
    brps: dict[str, int] = field(default_factory=dict)
    """By nation: BRPs that are left."""
    unbuilt: dict[str, int] = field(default_factory=dict)
    """By nation and arm (``japan/naval``): what the force pool allows to build, factors or naval squadrons."""
    pools: dict[str, int] = field(default_factory=dict)
    """By nation and arm: the factors that it has in all, in play and unbuilt (23.133); naval air is not among them."""
    built: dict[str, int] = field(default_factory=dict)
    """The same: what was built in this player turn."""
    pool: Kamikazes = field(default_factory=Kamikazes)
    bombers: dict[str, Force] = field(default_factory=dict)
    """By front: strategic bombers and interceptors in the SW box (17.71, 17.81)."""
    marks: dict[str, Force] = field(default_factory=dict)
    """By mark: how many of which units, in their bases, it holds for (see `marks`)."""
    down: list[Down] = field(default_factory=list)
    absent: list[Down] = field(default_factory=list)
    """Air of the defender whose base fell while it was out, and that is displaced as the phase ends (18.25)."""
    berths: dict[str, str] = field(default_factory=dict)
    """By naval force: its port as the naval redeployments of this player turn began (21.7)."""
    flights: list[Flight] = field(default_factory=list)
    """Air that is out over a hex."""
    attacks: list[GroundAttack] = field(default_factory=list)
    fighting_now: int = -1
    """Which of the attacks is being fought."""
    fought: list[str] = field(default_factory=list)
    """The ground units that have attacked in this phase: each does so once."""
    stormed: list[Hex] = field(default_factory=list)
    """The hexes that were attacked in this phase."""
    ashore: list[str] = field(default_factory=list)
    """The ground units that seaborne invasions have brought to where they were bound for in this phase."""
    back_aboard: dict[str, Force] = field(default_factory=dict)
    """By naval force: squadrons that are back aboard from ground combat, and fly no more in this turn (18.564)."""
    raid: Raid | None = None
    """The bombing raid that is under way."""
    raided: dict[str, int] = field(default_factory=dict)
    """The raids of this player turn, by nation and target (``japan:perth``): the army air factors that were sent."""
    bombed: dict[str, int] = field(default_factory=dict)
    """By target: the BRPs that bombing has cost (18.57)."""
    airlift: AirTransportMission | None = None
    supplied: list[str] = field(default_factory=list)
    """Ground units that were supplied by air since the last player turn of their side began (18.532)."""
    granted: dict[str, int] = field(default_factory=dict)
    """BRPs that were flown to China, by nation (18.511E)."""
