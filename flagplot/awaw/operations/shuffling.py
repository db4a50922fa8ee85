"""Other secrets of an operation that would look the same to one side, for the tests of secrecy.

On the map: what TF markers hide, ships and squadrons, their owner's names for them, and paths that nobody has asked
for. In a battle, or in an attack on a force that has deployed: what the groups hold (`shuffling_at_sea`). What the side
has seen, was told or could reckon stays true: markers, cargo, speed and kind of those who have rolled to intercept,
squadrons that came ashore.
"""

from __future__ import annotations

from random import Random

from flagplot.awaw.air_units import Force
from flagplot.awaw.battle.shuffling import Shuffle
from flagplot.awaw.operations.bases.overstacking import excess
from flagplot.awaw.operations.interception.declaring import might_intercept
from flagplot.awaw.operations.interception.dice import light_only
from flagplot.awaw.operations.interception.immunity import is_immune
from flagplot.awaw.operations.interception.interceptions import declare, has_interceptors
from flagplot.awaw.operations.interception.sailing_together import is_known
from flagplot.awaw.operations.operation import (
    contest,
    go_on_patrol,
    hunt_submarines,
    strike_from_land,
    strike_from_patrol,
)
from flagplot.awaw.operations.passage.joining import BARRED_TO_CVES
from flagplot.awaw.operations.shuffling_at_sea import another_ship_of, reshuffle_scene
from flagplot.awaw.procedures import attempts
from flagplot.awaw.ships import Fleet, Kind, NamedShip, decks, is_slow
from flagplot.awaw.state.operation import Activity, NavalForce, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import task_force_faults

TRIES = 10
"""How often other contents are looked for that fit what is known of a force."""
DETOUR = 4
"""By how many hexes another path may be longer."""


def reshuffle_operation(state: State, side: str, chance: Random) -> None:
    """Give the enemy of a side other secrets that fit all that the side has seen. The state is changed."""
    enemy = state.other(side)
    reshuffle_scene(state, enemy, chance)
    _OnTheMap(state, enemy, chance).all()
    for key, voyage in state.operation.voyages.items() if _paths_will_be_asked_for(state, side) else ():
        if voyage.side == enemy and _is_hidden(state, key, voyage):
            _other_path(state, voyage, chance)


class _OnTheMap(Shuffle):
    """What the forces of a side hold that are in no battle."""

    state: State
    force: NavalForce
    """The force that is being changed."""

    def _read(self) -> None:
        state = self.state
        self.flown = bool(state.operation.fights or state.operation.open_fights or state.losses.air)

    def all(self) -> None:
        forces = list(self.state.operation.fleet_of(self.side).values())
        hidden = [force for force in forces if force.group.task_force and not force.seen and not force.spared]
        self._trade_places(hidden)
        for self.force in hidden:
            self._other_contents()
            self.force.group.name += ", renamed"
        for self.force in forces:
            if not self.force.ashore:
                self._other_squadrons()

    # --- ships --------------------------------------------------------------------------------------------------

    def _trade_places(self, hidden: list[NavalForce]) -> None:
        """Two task forces change what they hold."""
        if len(hidden) < 2 or not self._perhaps(0.3):
            return
        one, other = self.chance.sample(hidden, 2)
        if one.group.cargo or other.group.cargo or one.ashore or other.ashore or self.state.operation.base_strike:
            return
        before = one.group.ships, other.group.ships
        one.group.ships, other.group.ships = other.group.ships, one.group.ships
        if self._fits(one, before[0]) and self._fits(other, before[1]):
            one.group.air, other.group.air = other.group.air, one.group.air
            one.grounded, other.grounded = other.grounded, one.grounded
        else:
            one.group.ships, other.group.ships = before

    def _other_contents(self) -> None:
        group, before = self.force.group, self.force.group.ships
        for _ in range(TRIES):
            fleet = dict(before)
            for _ in range(self.chance.randint(1, 4)):
                self._change(fleet)
            group.ships = fleet
            if fleet != before and _marked(fleet) == _marked(before) and self._fits(self.force, before):
                return
            group.ships = before

    def _fits(self, force: NavalForce, before: Fleet) -> bool:  # type: ignore[override]
        """Whether a force could have the ships that it has now instead of those before, for all that the enemy
        knows: it would be a task force, of the same nations, and as fit for what it has done."""
        state, fleet = self.state, force.group.ships
        voyage = state.operation.voyages.get(force.voyage)
        options = state.setting.options
        if {which.nation for which in fleet} != {which.nation for which in before}:
            return False
        if task_force_faults(fleet, options) or not self._has_room(force):
            return False
        if (force.tried == state.now or (voyage and voyage.level)) and _rolled_as(fleet) != _rolled_as(before):
            return False
        activity = voyage.activity if voyage else Activity.PATROL if force.patrol else None
        if activity in BARRED_TO_CVES and any([which.kind is Kind.CVE for which in fleet]):
            return False
        if activity is Activity.RAID and (sum(fleet.values()) >= 3) != (sum(before.values()) >= 3):
            return False
        return not force.in_port or not excess(state, force.base)

    def _has_room(self, force: NavalForce) -> bool:
        """Whether its carriers hold the squadrons that cannot be other than they are."""
        sound = {country: room for country, (room, _) in decks(force.group.ships).items()}
        known = [force.ashore, self._launched(force)] + ([force.group.air] if self.flown else [])
        for air in known:
            for which, number in air.items():
                sound[which.nation] = sound.get(which.nation, 0) - number
        return min(sound.values(), default=0) >= 0

    def _launched(self, force: NavalForce) -> Force:
        """The squadrons of a force that are away against a base."""
        raid = self.state.operation.base_strike
        for key, away in raid.launched.items() if raid else ():
            if self.state.operation.fleet.get(key) is force:
                return away
        return {}

    def _nations(self) -> list[str]:
        return sorted({which.nation for which in self.force.group.ships})

    def _spare(self) -> list[NamedShip]:
        return another_ship_of(self.state, self._nations())

    # --- squadrons ----------------------------------------------------------------------------------------------

    def _other_squadrons(self) -> None:
        """As many as its carriers hold, or fewer; not fewer than there are if some may have shown themselves."""
        force, air = self.force, self.force.group.air
        away = self._launched(force)
        for country, (room, _) in decks(force.group.ships).items():
            kinds = list(self._kinds(country))
            self.chance.shuffle(kinds)
            left = room - sum([number for which, number in away.items() if which.nation == country])
            least = {which: air.get(which, 0) if self.flown else 0 for which in kinds}
            left -= sum(least.values())
            for which in kinds:
                more = self.chance.randint(0, max(0, left))
                self._set(air, which, least[which] + more)
                left -= more
        for which in [which for which in air if which.nation not in decks(force.group.ships)]:
            self._set(air, which, 0)


def _marked(fleet: Fleet) -> Fleet:
    """The ships of which something is known: those on cargo duty, and those that were hit."""
    return {which: number for which, number in fleet.items() if which.laden or which.empty or which.hits}


def _rolled_as(fleet: Fleet) -> tuple[bool, bool]:
    """What the dice of an interception have shown of a fleet (22.22D, 22.22J)."""
    return is_slow(fleet), light_only(fleet)


# --- paths ------------------------------------------------------------------------------------------------------


def _paths_will_be_asked_for(state: State, side: str) -> bool:
    """Whether a side decides about interceptions before anybody sails: from then on the enemy's paths show themselves
    hex by hex."""
    last = state.frames[-1]
    if last.procedure == attempts.name:
        return last.is_at(declare) and any([might_intercept(state, side, key) for key in state.operation.voyages])
    return any([frame.is_at(*BEFORE) for frame in state.frames]) and has_interceptors(state, side)


BEFORE = (hunt_submarines, go_on_patrol, strike_from_patrol, strike_from_land, contest)
"""Segments of an operation before the paths of its activities are asked for."""


def _is_hidden(state: State, key: str, voyage: Voyage) -> bool:
    """22.12: whether nobody knows how a force is to sail, and no other force counts on it."""
    waits = voyage.progress is Progress.ANNOUNCED and voyage.activity not in (Activity.RETURN, Activity.ESCAPE)
    alone = not (voyage.level or voyage.joins or voyage.leaves or voyage.parts or voyage.intercepted)
    others = [other for other in state.operation.voyages.values() if key in (other.joins, other.leaves, other.target)]
    return waits and alone and not is_known(voyage) and not is_immune(state, voyage) and not others


def _other_path(state: State, voyage: Voyage, chance: Random) -> None:
    """Another way to the same destination."""
    board, path = state.operation.plan.board, voyage.path
    via = [label.at for label in board.places if board.is_water(label.at) and label.at not in path]
    for at in chance.sample(via, min(len(via), TRIES)):
        way = board.sea_path(path[0], path[-1], (at,))
        if way and len(way) <= len(path) + DETOUR and len(set(way)) == len(way):
            voyage.path = way
            return
