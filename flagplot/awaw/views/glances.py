"""What a side may know of a naval battle and of bases at a glance, for programs that look at every step.

The same as the views show, but nothing is built of it here. What the reader sees of a thing, as values that can be
compared and hashed, is looked up at once in what somebody makes of such things: who has seen equal ones before knows
what he made of them. What the reader may not know is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

from flagplot.awaw.battle.groups import are_slow
from flagplot.awaw.battle.rounds import search_squadrons
from flagplot.awaw.battle.stages import of_battle, present_mark
from flagplot.awaw.counting import merged
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.ships import Ship
from flagplot.awaw.state.battle import Engagement, Facts, Group
from flagplot.awaw.state.setting import at_sea
from flagplot.awaw.state.state import State
from flagplot.kernel.ruleset import UMPIRE

Made = TypeVar("Made")
"""What is made of things that are seen."""
Fields = tuple[Any, ...]
"""The fields of one of the glances below, in their order."""
Maker = Mapping[Fields, Made]
"""What is made of a thing, for any fields that it may have."""
Counted = tuple[tuple[Any, int], ...]
"""Air units or ships, and how many there are of each."""


# --- combat groups ----------------------------------------------------------------------------------------------


class GroupGlance(NamedTuple):
    """A combat group, or a force of the reader's that waits: it has the number 0. Of an enemy's group there is nothing
    of what only its owner knows."""

    mine: bool
    number: int
    status: str
    """``active`` once the round has reached its number, before that ``distant``; ``waits``."""
    found: int
    """Search results against it."""
    attacks: int
    """How many of them were used."""
    told: Facts | None
    """What the enemy was last told of it."""
    revealed: bool
    evaded: bool
    slow: bool
    """As its owner knows it, as is what follows."""
    cargo: bool
    patrol_limit: int
    ready_carrier: bool
    arrives: int
    """The round in which a force that waits may join."""


class ShipsGlance(NamedTuple):
    """The ships of a group: an enemy's once it is revealed."""

    mine: bool
    number: int
    status: str
    """That of the group, or ``shed``."""
    ships: Counted


class AirGlance(NamedTuple):
    """Air of a group, or over it: of an enemy's what covers it, once that has come to light."""

    mine: bool
    number: int
    task: str
    """``aboard``, ``patrol`` or ``cover``."""
    air: Counted


def groups_at_a_glance(state: State, reader: str, make: Makers[Made]) -> tuple[list[Made], int]:
    """The combat groups of each side by their numbers, after his own the reader's forces that wait, each with its ships
    and air; and how many forces of others are known to wait."""
    seen: list[Made] = []
    combat_round, waiting = state.battle.phase + 1, False
    put, group_of, ships_of, air_of = seen.append, make.group, make.ships, make.air
    for _, group in _by_number(state):
        number, befallen, revealed = group.number, group.this_round, group.revealed
        mine = group.side == reader
        status = "waits" if not number else "active" if number <= combat_round else "distant"
        if mine or reader == UMPIRE:
            ships = group.ships
            put(
                group_of[
                    mine,
                    number,
                    status,
                    befallen.results,
                    befallen.attacks,
                    group.facts,
                    revealed,
                    befallen.evaded,
                    mine and _are_slow(group.activity, *ships),
                    True if group.cargo else False,  # noqa: SIM210  # sooner than bool()
                    group.third,
                    group.ready,
                    0 if number else group.arrives,
                ]
            )
            put(ships_of[mine, number, status, tuple(ships.items())])
            if shed := group.shed:
                put(ships_of[mine, number, "shed", tuple(shed.items())])
            if air := group.air:
                put(air_of[mine, number, "aboard", tuple(air.items())])
            if patrol := group.patrol:
                put(air_of[mine, number, "patrol", tuple(patrol.items())])
            if cover := group.cover:
                put(air_of[mine, number, "cover", tuple(cover.items())])
        elif number:
            results, attacks, evaded = befallen.results, befallen.attacks, befallen.evaded
            put(group_of[False, number, status, results, attacks, group.facts, revealed, evaded, *_NOT_TOLD])
            if revealed:
                put(ships_of[False, number, status, tuple(group.ships.items())])
            if befallen.uncovered and (cover := group.cover):
                put(air_of[False, number, "cover", tuple(cover.items())])
        else:
            waiting = True
    return seen, _waiting(state, reader) if waiting else 0


def _by_number(state: State) -> list[tuple[int, Group]]:
    """All groups, those of the side that moves first, each side's by their numbers."""
    placed: list[tuple[int, Group]] = []
    second, last, ordered = state.scene.defender, 0, True
    for group in state.battle.groups.values():
        place = group.number or NO_NUMBER + group.place
        if group.side == second:
            place += SECOND
        placed.append((place, group))
        if place < last:
            ordered = False
        last = place
    if not ordered:
        placed.sort(key=_place)
    return placed


_place = itemgetter(0)


@lru_cache(maxsize=4096)  # little changes between two looks
def _are_slow(activity: str, *ships: Ship) -> bool:
    return are_slow(ships, activity)


def _waiting(state: State, reader: str) -> int:
    """How many forces of others are known to wait: of sides that have formed combat groups."""
    waiting = 0
    for side in state.sides:
        groups = [group for group in state.battle.groups.values() if group.side == side]
        if side != reader and any([group.formed for group in groups]):
            waiting += len([group for group in groups if not group.number])
    return waiting


NO_NUMBER = 1000
"""Comes after all numbers; by their places in the scenario come those without one."""
SECOND = 1000 * NO_NUMBER
"""Comes after all of the side that moves."""
_NOT_TOLD = (False, False, 0, False, 0)
"""What the enemy does not know of a group."""


class DepartedGlance(NamedTuple):
    """A group that withdrew; its ships if the reader may know them."""

    mine: bool
    number: int
    round: int
    ships: Counted


def departed_at_a_glance(state: State, reader: str, make: Maker[Made]) -> Iterable[Made]:
    """In the order of `Battle.withdrawn`, first those of the side that moves."""
    second, departed = state.scene.defender, state.battle.departed
    for _, _, _, _, group in sorted(
        [(group.side == second, group.left, group.number, key, group) for key, group in departed.items()]
    ):
        known = group.revealed or reader in (group.side, UMPIRE)
        yield make[group.side == reader, group.number, group.left, tuple(group.ships.items()) if known else ()]


# --- carrier air, strikes and fleet combat ----------------------------------------------------------------------


class CarrierAirGlance(NamedTuple):
    """The carrier air of the reader's side, as it stands during a round."""

    aboard: Counted
    aborted: Counted
    flown: Counted
    struck: Counted
    grounded: Counted
    returned: Counted
    returned_ships: Counted


def carrier_air_at_a_glance(state: State, reader: str, make: Maker[Made]) -> list[Made]:
    seen: list[Made] = []
    for side in state.sides if reader == UMPIRE else (reader,):
        site = state.sites.get(at_sea(side))
        if site is not None:
            carrier_air = (
                tuple(air.items()) if (air := site.air) else (),
                tuple(air.items()) if (air := site.aborted) else (),
                tuple(air.items()) if (air := site.flown) else (),
                tuple(air.items()) if (air := site.struck) else (),
                tuple(air.items()) if (air := site.grounded) else (),
                tuple(air.items()) if (air := site.ashore) else (),
                tuple(ships.items()) if (ships := site.gone) else (),
            )
            seen.append(make[carrier_air])
    return seen


class StrikeGlance(NamedTuple):
    """An air strike, or kamikazes that attack (`level` is then how many were diverted): all of it is open."""

    mine: bool
    target: int
    """The number of the group."""
    kamikazes: int
    surprise: bool
    level: int
    attackers: Counted
    defenders: Counted
    aims: tuple[tuple[str, Counted | int], ...]
    """Each target, and the squadrons, or how many kamikazes, that attack it."""


def strikes_at_a_glance(state: State, reader: str, make: Maker[Made]) -> Iterable[Made]:
    """What is flown against groups: the strike that is under way, and attacks of kamikazes."""
    battle, strike = state.battle, state.battle.strike
    if strike:
        aims: tuple[Any, ...] = tuple([(aim.target, tuple(aim.squadrons.items())) for aim in strike.aims])
        air = tuple(strike.attackers.items()), tuple(strike.defenders.items())
        number = battle.groups[strike.target].number
        yield make[strike.side == reader, number, 0, strike.surprise, int(strike.level), *air, aims]
    for dive in battle.dives:
        aims, number = tuple(sorted(dive.aims.items())), battle.groups[dive.target].number
        defenders = tuple(dive.defenders.items())
        yield make[dive.side == reader, number, dive.number, False, dive.diverted, (), defenders, aims]


class EngagementGlance(NamedTuple):
    """A fleet combat that is agreed on, or fought: who meets whom is open; who is screened once both have shown it."""

    ours: int
    theirs: int
    sought: int
    """1 if the reader's side sought it, -1 if the enemy did, 0 if nobody."""
    fought: bool
    revealed: bool = False
    screened: tuple[tuple[bool, Counted], ...] = ()
    """Whether they are the reader's, and the ships."""
    volleys: tuple[tuple[bool, str, Counted], ...] = ()
    """Whether they are the reader's, their target, and the ships that fire."""
    held: tuple[tuple[bool, str, int], ...] = ()
    """Whether they are the reader's, the tag of ships that hold their fire, and how many do."""


def engagements_at_a_glance(state: State, reader: str, make: Maker[Made]) -> Iterable[Made]:
    fight = state.battle.engagement
    for agreed in state.battle.engagements:
        yield make[*_agreed(state, agreed, reader), False]
    if fight and fight.revealed:
        screened = tuple([(side == reader, tuple(ships.items())) for side, ships in fight.screened.items()])
        volleys = tuple([(one.side == reader, one.target, tuple(one.ships.items())) for one in fight.volleys])
        held = tuple([(side == reader, *held) for side, some in fight.held.items() for held in some.items()])
        yield make[*_agreed(state, fight, reader), True, True, screened, volleys, held]
    elif fight:
        yield make[*_agreed(state, fight, reader), True]


def _agreed(state: State, agreed: Engagement, reader: str) -> tuple[int, int, int]:
    """The numbers of the groups, the reader's side's first, and who sought it."""
    groups = state.battle.groups
    ours, theirs = groups[agreed.moving].number, groups[agreed.intercepting].number
    if reader == state.scene.defender:
        ours, theirs = theirs, ours
    return ours, theirs, 0 if not agreed.seeker else 1 if agreed.seeker == reader else -1


class SubmarinesGlance(NamedTuple):
    """Submarines in a battle."""

    mine: bool
    nation: str
    factors: int
    spent: int
    lost: int
    advanced: bool
    accompany: bool
    arrives: int


def submarines_at_a_glance(state: State, reader: str, make: Maker[Made]) -> list[Made]:
    return [
        make[one.side == reader, one.nation, one.factors, one.spent, one.lost, one.advanced, one.accompany, one.arrives]
        for one in state.battle.submarines
    ]


# --- bases and counterair ---------------------------------------------------------------------------------------


class BaseGlance(NamedTuple):
    """A base, a mapboard box or a carrier force at sea, with its air; what a TF marker hides only if it is his own."""

    key: str
    mine: bool
    at: Hex
    afloat: bool
    box: bool
    counteraired: bool
    air: Counted
    aborted: Counted
    searching: Counted
    struck: Counted
    hidden: Counted


def bases_at_a_glance(state: State, reader: str, make: Maker[Made]) -> list[Made]:
    """All bases, and in an air phase the carriers at sea."""
    seen: list[Made] = []
    sites, air_phase = state.sites, state.scene.kind == "air-phase"
    for key, place in state.scene.places.items():
        if place.afloat and not air_phase:
            continue
        site, mine = sites[key], place.side == reader
        air, searching, hidden = site.air, site.searching, site.hidden
        if not mine and reader != UMPIRE:
            hidden = NO_AIR
            if searching and is_sending(state):
                air, searching = merged(air, searching), NO_AIR
        seen.append(
            make[
                key,
                mine,
                place.at,
                place.afloat,
                place.box,
                site.counteraired,
                tuple(air.items()) if air else (),
                tuple(aborted.items()) if (aborted := site.aborted) else (),
                tuple(searching.items()) if searching else (),
                tuple(struck.items()) if (struck := site.struck) else (),
                tuple(hidden.items()) if hidden else (),
            ]
        )
    return seen


NO_AIR: dict[Any, int] = {}


def is_sending(state: State) -> bool:
    """22.4422: whether squadrons are being sent out to search: nobody sees the enemy's before both have chosen."""
    frames = of_battle(state.frames)
    return bool(frames) and frames[0].is_at(search_squadrons)


class MissionGlance(NamedTuple):
    """A counterair mission that is flown, or announced: all of it is open."""

    mine: bool
    target: str
    flown: bool
    round: int
    attackers: Counted
    aborted: Counted


def missions_at_a_glance(state: State, reader: str, make: Maker[Made]) -> Iterable[Made]:
    battle = state.battle
    for mission, flown in ((battle.mission, True), *[(sortie, False) for sortie in battle.sorties]):
        if mission:
            attackers, aborted = tuple(mission.attackers.items()), tuple(mission.aborted.items())
            yield make[mission.side == reader, mission.target, flown, mission.round, attackers, aborted]


# --- all of it --------------------------------------------------------------------------------------------------


class Makers(NamedTuple, Generic[Made]):
    """What is made of each thing that is seen. But for `lost` and `sunk`, each has a glance that names its fields."""

    base: Maker[Made]
    mission: Maker[Made]
    lost: Maker[Made]
    """Of the air units that were eliminated so far: nation/arm/unit, and how many."""
    group: Maker[Made]
    ships: Maker[Made]
    air: Maker[Made]
    carrier_air: Maker[Made]
    strike: Maker[Made]
    engagement: Maker[Made]
    submarines: Maker[Made]
    departed: Maker[Made]
    sunk: Maker[Made]
    """Of the ships that were sunk so far, and how many."""


PositionGlance = tuple[str, bool, int, bool, int, str, int, list[Made]]
"""What every kind of play has, and the naval battle that is being fought: the kind of play; whether the reader's side
moves; kamikazes; whether there is an operation besides; the round of a battle, the letter of its segment, and how many
forces of the enemy have not joined it (elsewhere 0, the phase, 0); and what was made of each thing."""


def position_at_a_glance(state: State, reader: str, make: Makers[Made]) -> PositionGlance[Made]:
    scene, battle, losses = state.scene, state.battle, state.losses
    things = bases_at_a_glance(state, reader, make.base)
    if battle.mission or battle.sorties:
        things += missions_at_a_glance(state, reader, make.mission)
    if losses.air:
        things.append(make.lost[tuple(sorted(losses.air.items()))])
    if scene.kind == "naval-battle":
        groups, waiting = groups_at_a_glance(state, reader, make)
        things += groups
        things += carrier_air_at_a_glance(state, reader, make.carrier_air)
        if battle.strike or battle.dives:
            things += strikes_at_a_glance(state, reader, make.strike)
        if battle.engagements or battle.engagement:
            things += engagements_at_a_glance(state, reader, make.engagement)
        if battle.submarines:
            things += submarines_at_a_glance(state, reader, make.submarines)
        if battle.departed:
            things += departed_at_a_glance(state, reader, make.departed)
        if losses.ships:
            things.append(make.sunk[tuple(losses.ships.items())])
        fought = battle.phase + 1, present_mark(state.frames), waiting
    else:
        fought = 0, scene.phases[min(battle.phase, len(scene.phases) - 1)], 0
    on_map = state.operation_if_any is not None
    return scene.kind, scene.attacker == reader, state.kamikazes, on_map, *fought, things
