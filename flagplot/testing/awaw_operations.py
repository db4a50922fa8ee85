"""Laws of operations: ships and squadrons on the map and in battles are neither lost nor found, and voyages make sense.

Ships are counted over everything that can hold them: a group is on the map or in a battle, never in both. Naval air is
counted exactly; army air is put together and broken down on the way, so it may only change by rounding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from flagplot.awaw.air_units import Force, Unit
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.bases.port_room import MOVES
from flagplot.awaw.ships import Fleet, decks
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.operation import Activity, Flotilla, Progress
from flagplot.awaw.state.state import State

Sort = tuple[str, str, str]


class OperationLaws:
    """The laws of one operation."""

    def __init__(self, opening: State) -> None:
        self.ships = ships_of(opening)
        self.air = air_of(opening)
        self.boats = _boats(opening)

    def always(self, now: State) -> Iterator[str]:
        """Nothing is counted twice, even in the middle of a segment; air not while it is shared out against a base."""
        yield from self._too_many_ships(now)
        for kind, number in air_of(now).items() if now.operation.base_strike is None else ():
            if _is_naval(kind) and number > self.air[kind]:
                yield f"{' '.join(kind)} air: {number} squadrons, but there were {self.air[kind]} at the opening"

    def _too_many_ships(self, now: State) -> Iterator[str]:
        for sort, number in ships_of(now).items():
            if number > self.ships[sort]:
                yield f"{' '.join(sort)}: {number} ships, but there were {self.ships[sort]} at the opening"

    def step(self, before: State, after: State) -> Iterator[str]:
        """At borders everything is somewhere, hits never fall at sea, and voyages are where their forces are."""
        there = ships_of(after)
        for sort, number in self.ships.items():
            if there[sort] != number:
                yield f"{' '.join(sort)}: {number} ships at the opening, then {there[sort]}"
        yield from self._naval_air(after)
        yield from self._army_air(before, after)
        if _boats(after) != self.boats:
            yield f"submarine factors: {self.boats} at the opening, then {_boats(after)}"
        yield from _hits(before, after)
        yield from _decks(after)
        yield from _voyages(after)
        yield from _ports(after)
        yield from _nowhere_else(after)
        if after.operation.curtain:
            yield "nobody decides in secret, but the enemy sees what he saw before"

    def _naval_air(self, now: State) -> Iterator[str]:
        """Naval air is never converted."""
        there = air_of(now)
        for kind, number in self.air.items():
            if _is_naval(kind) and there[kind] != number:
                yield f"{' '.join(kind)} air, in squadrons: {number} at the opening, then {there[kind]}"

    def _army_air(self, before: State, after: State) -> Iterator[str]:
        """23.142A: all other air changes only where squadrons are put together, by one in each place; at the end air
        beyond the force pool leaves play (23.142C)."""
        was, now = air_of(before), air_of(after)
        for kind, number in was.items():
            places = sum([any([_kind(which) == kind for which in force]) for force in flights(before)])
            less = number - now[kind]
            if not _is_naval(kind) and (less < -places or (less > places and after.frames)):
                yield f"{' '.join(kind)} air, in squadrons: {number}, then {now[kind]}"


def _kind(which: Unit) -> tuple[str, str]:
    return which.nation, which.arm.value


def _is_naval(kind: tuple[str, str]) -> bool:
    return kind[1] in ("naval", "elite-naval", "kamikaze")


# --- ships ------------------------------------------------------------------------------------------------------


def groups_of(state: State) -> list[Group]:
    """Those of the forces on the map, and of a battle."""
    return [force.group for force in state.operation.fleet.values()] + [
        *state.battle.groups.values(),
        *state.battle.departed.values(),
    ]


def ships_of(state: State) -> Counter[Sort]:
    """All ships; those that lie sunk in port are among the sunk."""
    sums: Counter[Sort] = Counter()
    fleets: list[Fleet] = [state.losses.ships, state.elsewhere.transports]
    fleets += [site.gone for site in state.sites.values()]
    fleets += [fleet for group in groups_of(state) for fleet in (group.ships, group.shed)]
    for fleet in fleets:
        for which, number in fleet.items():
            sums[which.nation, which.kind.value, which.id] += number
    return sums


def _boats(state: State) -> int:
    """Submarine factors of all flotillas, wherever they are."""
    return sum(_factors(one) + one.lost for one in state.operation.flotillas.values())


def _ports(state: State) -> Iterator[str]:
    """21.11: nothing is based in an enemy port, and nothing is on its way to one to base there."""
    based = [(key, force.side, force.base) for key, force in state.operation.fleet.items()]
    based += [(key, one.side, one.base) for key, one in state.operation.flotillas.items() if _factors(one)]
    homing = (*MOVES, Activity.RETURN)
    based += [
        (key, one.side, one.base)
        for key, one in state.operation.voyages.items()
        if one.activity in homing and one.forces
    ]
    for key, side, base in based:
        if base in state.scene.places and state.place(base).side != side:
            yield f"{key} is based in {base}, an enemy port"


def _factors(one: Flotilla) -> int:
    return one.factors + one.tried + one.away + one.inverted


def _hits(before: State, after: State) -> Iterator[str]:
    """20.512: named ships lose hits only in port."""
    was, port = _hits_of(groups_of(before)), [force.group for force in after.operation.fleet.values() if force.in_port]
    mended = _hits_of(port)
    for name, hits in _hits_of(groups_of(after)).items():
        if hits < was.get(name, 0) and name not in mended:
            yield f"{name} had {was[name]} hits and has {hits} at sea"


def _hits_of(groups: list[Group]) -> dict[str, int]:
    return {which.id: which.hits for group in groups for which in group.ships if which.named}


def _decks(state: State) -> Iterator[str]:
    """17.312: the carriers of a force on the map hold the squadrons that are aboard; in a battle nobody has to say
    where they are."""
    for name, force in state.operation.fleet.items():
        if name in state.battle.groups:
            continue
        aboard: Counter[str] = Counter()
        for which, number in (*force.group.air.items(), *force.grounded.items()):
            aboard[which.nation] += number
        room = decks(force.group.ships)
        for country, number in aboard.items():
            holds = sum(room.get(country, (0, 0)))
            if number > holds:
                yield f"{name} has {number} squadrons of {country} aboard, and room for {holds}"


# --- air --------------------------------------------------------------------------------------------------------


def air_of(state: State) -> Counter[tuple[str, str]]:
    sums: Counter[tuple[str, str]] = Counter()
    for force in flights(state):
        for which, number in force.items():
            sums[_kind(which)] += number * (3 if which.is_factor else 1)
    for pool, number in state.losses.air.items():
        country, arm, unit = pool.split("/")
        sums[country, arm] += number * (3 if unit == "factors" else 1)
    diving = [dive.number + dive.diverted for dive in (*state.battle.dives, *state.operation.port_dives)]
    sums["japan", "kamikaze"] += state.kamikazes + sum(diving)
    return sums


def flights(state: State) -> Iterator[Force]:
    """Air units in bases and at sea."""
    for site in state.sites.values():
        yield from (site.air, site.hidden, site.searching, site.struck, site.grounded, site.ashore)
    for group in groups_of(state):
        yield from (group.air, group.patrol, group.cover)
    yield from (force.grounded for force in state.operation.fleet.values())
    missions = [state.battle.mission, *state.battle.sorties]
    if state.operation.base_strike is not None and state.operation.base_strike.mission is not state.battle.mission:
        missions.append(state.operation.base_strike.mission)
    yield from (mission.attackers for mission in missions if mission is not None)
    if state.operation.base_strike is not None:
        yield state.operation.base_strike.back
    if state.operation.attack is not None:
        yield state.operation.attack.cover
        yield from (strike.attackers for strike in state.operation.attack.strikes)
    strikes = [state.battle.strike] if state.battle.strike is not None else []
    if state.operation.base_strike is not None and state.operation.base_strike.strike is not state.battle.strike:
        strikes.append(state.operation.base_strike.strike)
    yield from (strike.attackers for strike in strikes)


# --- voyages ----------------------------------------------------------------------------------------------------


def _voyages(state: State) -> Iterator[str]:
    for key, voyage in state.operation.voyages.items():
        if not -1 <= voyage.step < len(voyage.path):
            yield f"{key} is at step {voyage.step} of a path of {len(voyage.path)} hexes"
        if not _is_sea_path(state.operation.plan.board, voyage.path):
            yield f"{key} sails over land: {voyage.path}"
        for name in voyage.forces:
            force = state.operation.fleet.get(name)
            if force is not None and force.voyage != key and voyage.progress is not Progress.OVER:
                yield f"{name} is in the list of {key}, but on {force.voyage or 'no voyage'}"


@lru_cache(maxsize=4096)
def _is_sea_path(board: Mapboard, path: tuple[Hex, ...]) -> bool:
    return board.is_sea_path(path)


def _nowhere_else(state: State) -> Iterator[str]:
    for name, force in state.operation.fleet.items():
        if force.voyage and force.voyage not in state.operation.voyages:
            yield f"{name} is on {force.voyage}, which does not exist"
        elif force.voyage and name not in state.operation.voyages[force.voyage].forces:
            yield f"{name} is on {force.voyage}, which does not list it"
        if not force.voyage and not force.patrol and force.at != state.place(force.base).at:
            yield f"{name} is in port at {force.base}, but at {force.at}"
