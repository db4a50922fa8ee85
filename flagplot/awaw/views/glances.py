"""What a side may know of a naval battle and of bases at a glance, for programs that look at every step.

The same as the views show, but as values that are made at once and can be compared and hashed: who has seen an equal
one before knows it without looking into it. What the reader may not know is not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from flagplot.awaw.battle.groups import are_slow
from flagplot.awaw.battle.rounds import search_squadrons
from flagplot.awaw.battle.stages import of_battle, present_mark
from flagplot.awaw.counting import merged
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.state.air import Mission
from flagplot.awaw.state.battle import Dive, Engagement, Facts, Strike, Submarines
from flagplot.awaw.state.setting import at_sea
from flagplot.awaw.state.state import State
from flagplot.kernel.ruleset import UMPIRE

Air = tuple[Any, ...]
"""Air units: first what there is, then how many there are of each, in the same order."""
Vessels = tuple[Any, ...]
"""Ships in the same manner."""

_new = tuple.__new__
"""Makes a named tuple in half of the time."""


def _counts(force: Mapping[Any, int]) -> tuple[Any, ...]:
    return (*force, *force.values()) if force else ()


# --- combat groups ----------------------------------------------------------------------------------------------


class GroupGlance(NamedTuple):
    """A combat group, or a force of the reader's that waits: it has the number 0. Of an enemy's group `ships` are there
    once it is revealed, `cover` once that has come to light, and nothing of what only its owner knows."""

    mine: bool
    number: int
    active: bool
    """Whether the round has reached its number."""
    found: int
    """Search results against it."""
    attacks: int
    """How many of them were used."""
    told: Facts | None
    """What the enemy was last told of it."""
    revealed: bool
    evaded: bool
    ships: Vessels
    cover: Air
    activity: str
    cargo: str
    air: Air
    patrol: Air
    shed: Vessels
    patrol_limit: int
    ready_carrier: bool
    arrives: int
    """The round in which a force that waits may join."""

    @property
    def slow(self) -> bool:
        """As its owner knows it."""
        return self.mine and are_slow(self.ships[: len(self.ships) // 2], self.activity)


def groups_at_a_glance(state: State, reader: str) -> tuple[list[GroupGlance], int]:
    """The combat groups of each side by their numbers, after his own the reader's forces that wait; and how many forces
    of others are known to wait."""
    battle, second, waiting, last, ordered = state.battle, state.scene.defender, False, 0, True
    combat_round, seen, places = battle.phase + 1, list[GroupGlance](), list[int]()
    for group in battle.groups.values():
        number, side, befallen = group.number, group.side, group.this_round
        if side == reader or reader == UMPIRE:
            ships = group.ships
            glance = (
                side == reader,
                number,
                0 < number <= combat_round,
                befallen.results,
                befallen.attacks,
                group.facts,
                group.revealed,
                befallen.evaded,
                (*ships, *ships.values()),
                (*air, *air.values()) if (air := group.cover) else (),
                group.activity,
                group.cargo,
                (*air, *air.values()) if (air := group.air) else (),
                (*air, *air.values()) if (air := group.patrol) else (),
                (*ships, *ships.values()) if (ships := group.shed) else (),
                group.third,
                group.ready,
                0 if number else group.arrives,
            )
        elif number:
            glance = (
                False,
                number,
                number <= combat_round,
                befallen.results,
                befallen.attacks,
                group.facts,
                group.revealed,
                befallen.evaded,
                (*ships, *ships.values()) if (ships := group.ships) and group.revealed else (),
                (*air, *air.values()) if (air := group.cover) and befallen.uncovered else (),
                *_NOT_TOLD,
            )
        else:
            waiting = True
            continue
        seen.append(_new(GroupGlance, glance))
        place = number or NO_NUMBER + group.place
        if side == second:
            place += SECOND
        places.append(place)
        if place < last:
            ordered = False
        last = place
    if not ordered:
        seen = [seen[place] for place in sorted(range(len(seen)), key=places.__getitem__)]
    return seen, _waiting(state, reader) if waiting else 0


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
_NOT_TOLD = ("", "", (), (), (), 0, False, 0)
"""What the enemy does not know of a group."""


class DepartedGlance(NamedTuple):
    """A group that withdrew; its ships if the reader may know them."""

    mine: bool
    number: int
    round: int
    ships: Vessels


def departed_at_a_glance(state: State, reader: str) -> list[DepartedGlance]:
    seen = list[DepartedGlance]()
    for side in state.sides:
        mine, own = side == reader, reader in (side, UMPIRE)
        for group in state.battle.withdrawn(side).values():
            ships = _counts(group.ships) if own or group.revealed else ()
            seen.append(_new(DepartedGlance, (mine, group.number, group.left, ships)))
    return seen


# --- carrier air, strikes and fleet combat ----------------------------------------------------------------------


class CarrierAirGlance(NamedTuple):
    """The carrier air of the reader's side, as it stands during a round."""

    aboard: Air
    aborted: Air
    flown: Air
    struck: Air
    grounded: Air
    returned: Air
    returned_ships: Vessels


def carrier_air_at_a_glance(state: State, reader: str) -> list[CarrierAirGlance]:
    seen = list[CarrierAirGlance]()
    for side in state.sides:
        if side == reader or reader == UMPIRE:
            site = state.sites[at_sea(side)]
            carrier_air = (
                (*air, *air.values()) if (air := site.air) else (),
                (*air, *air.values()) if (air := site.aborted) else (),
                (*air, *air.values()) if (air := site.flown) else (),
                (*air, *air.values()) if (air := site.struck) else (),
                (*air, *air.values()) if (air := site.grounded) else (),
                (*air, *air.values()) if (air := site.ashore) else (),
                (*ships, *ships.values()) if (ships := site.gone) else (),
            )
            seen.append(_new(CarrierAirGlance, carrier_air))
    return seen


class StrikeGlance(NamedTuple):
    """An air strike, or kamikazes that attack (`level` is then how many were diverted): all of it is open."""

    mine: bool
    target: int
    """The number of the group."""
    kamikazes: int
    surprise: bool
    level: int
    attackers: Air
    defenders: Air
    aims: tuple[tuple[str, Air | int], ...]
    """Each target, and the squadrons, or how many kamikazes, that attack it."""


def strikes_at_a_glance(state: State, reader: str) -> list[StrikeGlance]:
    """What is flown against groups: the strike that is under way, and attacks of kamikazes."""
    battle = state.battle
    seen = [_dive(state, dive, reader) for dive in battle.dives]
    return [_strike(state, battle.strike, reader), *seen] if battle.strike else seen


def _strike(state: State, strike: Strike, reader: str) -> StrikeGlance:
    return StrikeGlance(
        strike.side == reader,
        state.battle.groups[strike.target].number,
        0,
        strike.surprise,
        int(strike.level),
        _counts(strike.attackers),
        _counts(strike.defenders),
        tuple([(aim.target, _counts(aim.squadrons)) for aim in strike.aims]),
    )


def _dive(state: State, dive: Dive, reader: str) -> StrikeGlance:
    target, aims = state.battle.groups[dive.target].number, tuple(sorted(dive.aims.items()))
    return StrikeGlance(
        dive.side == reader, target, dive.number, False, dive.diverted, (), _counts(dive.defenders), aims
    )


class EngagementGlance(NamedTuple):
    """A fleet combat that is agreed on, or fought: who meets whom is open; who is screened once both have shown it."""

    ours: int
    theirs: int
    fought: bool
    sought: int
    """1 if the reader's side sought it, -1 if the enemy did, 0 if nobody."""
    revealed: bool = False
    screened: tuple[tuple[bool, Vessels], ...] = ()
    """Whether they are the reader's, and the ships."""
    volleys: tuple[tuple[bool, str, Vessels], ...] = ()
    """Whether they are the reader's, their target, and the ships that fire."""
    held: tuple[tuple[bool, str, int], ...] = ()
    """Whether they are the reader's, the tag of ships that hold their fire, and how many do."""


def engagements_at_a_glance(state: State, reader: str) -> list[EngagementGlance]:
    battle = state.battle
    seen = [_engagement(state, agreed, reader) for agreed in battle.engagements]
    fight = battle.engagement
    if fight is not None:
        shown: tuple[Any, ...] = ()
        if fight.revealed:
            shown = (
                True,
                tuple([(side == reader, _counts(ships)) for side, ships in fight.screened.items()]),
                tuple([(one.side == reader, one.target, _counts(one.ships)) for one in fight.volleys]),
                tuple([(side == reader, *held) for side, some in fight.held.items() for held in some.items()]),
            )
        seen.append(_engagement(state, fight, reader, True, *shown))
    return seen


def _engagement(state: State, agreed: Engagement, reader: str, fought: bool = False, *shown: Any) -> EngagementGlance:
    groups = state.battle.groups
    ours, theirs = groups[agreed.moving].number, groups[agreed.intercepting].number
    if reader == state.scene.defender:
        ours, theirs = theirs, ours
    sought = 0 if not agreed.seeker else 1 if agreed.seeker == reader else -1
    return EngagementGlance(ours, theirs, fought, sought, *shown)


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


def _submarines(one: Submarines, reader: str) -> SubmarinesGlance:
    seen = (one.side == reader, one.nation, one.factors, one.spent, one.lost, one.advanced, one.accompany, one.arrives)
    return _new(SubmarinesGlance, seen)


# --- bases and counterair ---------------------------------------------------------------------------------------


class BaseGlance(NamedTuple):
    """A base, a mapboard box or a carrier force at sea, with its air; what a TF marker hides only if it is his own."""

    key: str
    mine: bool
    at: Hex
    afloat: bool
    box: bool
    counteraired: bool
    air: Air
    aborted: Air
    searching: Air
    struck: Air
    hidden: Air


def bases_at_a_glance(state: State, reader: str) -> list[BaseGlance]:
    """All bases, and in an air phase the carriers at sea."""
    sites, air_phase, seen = state.sites, state.scene.kind == "air-phase", list[BaseGlance]()
    for key, place in state.scene.places.items():
        if place.afloat and not air_phase:
            continue
        site, side = sites[key], place.side
        air, searching, hidden = site.air, site.searching, site.hidden
        if reader not in (side, UMPIRE):
            hidden = {}
            if searching and is_sending(state):
                air, searching = merged(air, searching), {}
        base = (
            key,
            side == reader,
            place.at,
            place.afloat,
            place.box,
            site.counteraired,
            (*air, *air.values()) if air else (),
            (*aborted, *aborted.values()) if (aborted := site.aborted) else (),
            (*searching, *searching.values()) if searching else (),
            (*struck, *struck.values()) if (struck := site.struck) else (),
            (*hidden, *hidden.values()) if hidden else (),
        )
        seen.append(_new(BaseGlance, base))
    return seen


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
    attackers: Air
    aborted: Air


def missions_at_a_glance(state: State, reader: str) -> list[MissionGlance]:
    battle = state.battle
    seen = [_mission(sortie, reader, flown=False) for sortie in battle.sorties]
    return [_mission(battle.mission, reader, flown=True), *seen] if battle.mission else seen


def _mission(mission: Mission, reader: str, *, flown: bool) -> MissionGlance:
    attackers, aborted = _counts(mission.attackers), _counts(mission.aborted)
    return MissionGlance(mission.side == reader, mission.target, flown, mission.round, attackers, aborted)


# --- all of it --------------------------------------------------------------------------------------------------


class BattleGlance(NamedTuple):
    """A naval battle."""

    round: int
    stage: str
    """The letter of the segment that is being played."""
    waiting: int
    """Forces of the enemy that have not joined."""
    groups: list[GroupGlance]
    departed: list[DepartedGlance]
    carrier_air: list[CarrierAirGlance]
    strikes: list[StrikeGlance]
    engagements: list[EngagementGlance]
    submarines: list[SubmarinesGlance]
    sunk: Vessels


def battle_at_a_glance(state: State, reader: str) -> BattleGlance:
    battle = state.battle
    groups, waiting = groups_at_a_glance(state, reader)
    sunk = state.losses.ships
    seen = (
        battle.phase + 1,
        present_mark(state.frames),
        waiting,
        groups,
        departed_at_a_glance(state, reader) if battle.departed else [],
        carrier_air_at_a_glance(state, reader),
        strikes_at_a_glance(state, reader) if battle.strike or battle.dives else [],
        engagements_at_a_glance(state, reader) if battle.engagements or battle.engagement else [],
        [_submarines(one, reader) for one in battle.submarines] if battle.submarines else [],
        (*sunk, *sunk.values()) if sunk else (),
    )
    return _new(BattleGlance, seen)


class PositionGlance(NamedTuple):
    """What every kind of play has, and the naval battle that is being fought."""

    kind: str
    phase: str
    moving: bool
    kamikazes: int
    bases: list[BaseGlance]
    missions: list[MissionGlance]
    lost: tuple[tuple[str, int], ...]
    """Air units eliminated so far."""
    battle: BattleGlance | None
    on_map: bool
    """Whether there is an operation besides."""


def position_at_a_glance(state: State, reader: str) -> PositionGlance:
    scene, battle = state.scene, state.battle
    lost, phases = state.losses.air, scene.phases
    seen = (
        scene.kind,
        phases[min(battle.phase, len(phases) - 1)],
        scene.attacker == reader,
        state.kamikazes,
        bases_at_a_glance(state, reader),
        missions_at_a_glance(state, reader) if battle.mission or battle.sorties else [],
        tuple(sorted(lost.items())) if lost else (),
        battle_at_a_glance(state, reader) if scene.kind == "naval-battle" else None,
        state.operation_if_any is not None,
    )
    return _new(PositionGlance, seen)
