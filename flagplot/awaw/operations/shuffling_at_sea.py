"""Other secrets of a battle on the map, and of forces that are attacked from the air or by submarines outside one.

A battle has the secrets of any battle, except that everybody knows which forces take part from which round on. A force
that is attacked on its way deploys into combat groups: their numbers, ships and squadrons are its owner's, and so is
combat air patrol. Air cover flies over the force as a whole there, in the open (23.23D).
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from flagplot.awaw.battle.air_plan import patrol_limit
from flagplot.awaw.battle.decks import sound_decks
from flagplot.awaw.battle.groups import key_of
from flagplot.awaw.battle.shuffling import Shuffle
from flagplot.awaw.battle.stages import of_battle
from flagplot.awaw.counting import merged
from flagplot.awaw.operations.passage.sortie import announce_kamikazes, announce_strikes, come_home, find
from flagplot.awaw.procedures import air_attack, sortie, submarine_ambush
from flagplot.awaw.ships import NamedShip, named_ships
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.kernel.procedures import AnySegment

PATROLLED = (find, announce_kamikazes, announce_strikes, come_home)
"""The segments of a sortie in which combat air patrol flies, and no strike was announced so far."""


def reshuffle_scene(state: State, side: str, chance: Random) -> None:
    """Give a side other secrets in the battle or the attack that is being fought. The state is changed."""
    if not any([group.side == side and not group.shipless for group in state.battle.groups.values()]):
        return
    if of_battle(state.frames):
        _InBattle(state, side, chance).all()
    elif air_attack.under_way(state.frames) or submarine_ambush.under_way(state.frames):
        _UnderAttack(state, side, chance).all()


def another_ship_of(state: State, nations: Iterable[str]) -> list[NamedShip]:
    """Named ships of some nations that are nowhere in the operation."""
    groups = [force.group for force in state.operation.fleet.values()] + [
        *state.battle.groups.values(),
        *state.battle.departed.values(),
    ]
    fleets = [fleet for group in groups for fleet in (group.ships, group.shed)]
    fleets += [state.losses.ships, *(force.sunk_in_port for force in state.operation.fleet.values())]
    fleets += [site.gone for site in state.sites.values()]
    used = {which.id for fleet in fleets for which in fleet}
    return [found for found in named_ships().values() if found.nation in nations and found.id not in used]


class _InBattle(Shuffle):
    """The secrets of a side in a battle on the map."""

    state: State

    def _other_forces(self) -> None:
        """Everybody knows the markers that meet."""

    def _other_arrival(self, group: Group) -> None:
        """Everybody knows when each of them arrives (22.24B)."""

    def _other_ships(self, group: Group) -> None:
        """Another fleet for a task force that nobody has seen. What was put together from several forces, and ships
        that were kept back all the time, show themselves on the map when the battle is over."""
        key = key_of(self.state, group)
        force = self.state.operation.fleet.get(key)
        hidden = force is not None and group.task_force and not force.seen
        if hidden and len(group.parts) < 2 and not group.rested:
            super()._other_ships(group)
            for brought in (group.parts, self.state.operation.fleet[key].group.parts):
                if key in brought:
                    brought[key] = dict(group.ships)

    def _other_returned(self) -> None:
        """Carriers that leave for want of escorts have markers of their own when the battle is over."""

    def _spare(self) -> list[NamedShip]:
        return another_ship_of(self.state, self._nations())


class _UnderAttack(_InBattle):
    """The secrets of a side whose force is attacked on its way."""

    def _read(self) -> None:
        state, attack = self.state, self.state.operation.attack
        self.searched = False
        flying = sortie.under_way(state.frames)
        self.mustered = bool(flying) and attack is not None and attack.flown
        self.patrolled = bool(flying) and flying[0].is_at(*PATROLLED) and not self.mustered
        self.formed = any([group.formed for group in self._mine()])
        self.flown = bool(state.operation.fights or state.losses.air or state.battle.strike)

    def all(self) -> None:
        groups = self._mine()
        if self.patrolled:
            for group in groups:
                group.air, group.patrol = merged(group.air, group.patrol), {}
        if self.formed:
            self._other_numbers()
        for group in groups:
            self._other_ships(group)
        if self.mustered:
            self._other_air_at_sea()
            self._other_patrols()
        else:
            self._other_air_aboard(self._unseen(), known=self.flown)
            for group in groups:
                if not group.number:
                    self._other_air_aboard([group], known=False)
        self._other_grounded()
        if self.patrolled:
            for group in groups:
                self._fly_patrol(group)

    def _unseen(self) -> list[Group]:
        """The groups that submarines have not come upon: of the others they were told what flies (22.9413)."""
        return [group for group in self.state.battle.present(self.side) if not group.revealed]

    def _room_for_known(self) -> bool:
        if self.mustered:
            return super()._room_for_known()
        groups = self._unseen() if self.flown else []
        room, needed = sound_decks(groups), [entry for group in groups for entry in group.air.items()]
        for which, number in needed:
            room[which.nation] = room.get(which.nation, 0) - number
        return min(room.values(), default=0) >= 0

    def _is_past(self, segment: AnySegment) -> bool:
        """Patrol is flown before anything else (23.34)."""
        return True

    def _fly_patrol(self, group: Group) -> None:
        group.third = patrol_limit(sum(group.air.values()))
        for which in list(group.air):
            most = min(group.air[which], group.third - sum(group.patrol.values()))
            self._move(group.air, group.patrol, which, self.chance.randint(0, most))
