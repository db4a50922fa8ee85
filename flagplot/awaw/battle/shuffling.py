"""Other secrets of a naval battle that would look the same to one side, for the tests of secrecy.

All is changed that the side cannot know: which groups are under which numbers, their ships and cargo, the squadrons
aboard and on damaged carriers, patrols, over which groups air cover flies, who is pending, who returned to port. What
it was told, was shown or could reckon stays true: the facts of groups that were found (22.452B), the ships of groups
that were struck (23.424#2), the number of search dice of this round, and squadrons that have shown themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from flagplot.awaw.air_units import Arm, Force, Role, Unit, add, flying_range, take, unit
from flagplot.awaw.battle.cargo import laden_factors
from flagplot.awaw.battle.decks import damaged_decks, in_the_air, sound_decks
from flagplot.awaw.battle.groups import facts_of
from flagplot.awaw.battle.rounds import combat_air_patrol, combat_groups, landing, late_patrol, searches
from flagplot.awaw.battle.search import dice_of
from flagplot.awaw.battle.stages import of_battle
from flagplot.awaw.counting import merged
from flagplot.awaw.procedures import naval_battle
from flagplot.awaw.ships import Fleet, Kind, NamedShip, Ship, decks, factors, named_ships, ship, undamaged_factors
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.setting import at_sea, drm_ledger, naval_ledger
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import LEAST, MOST, small_force_faults, surplus_carriers, task_force_faults
from flagplot.kernel.procedures import AnySegment

TRIES = 6
"""How often other ships are looked for that fit what is known of a group."""


def reshuffle_battle(state: State, side: str, chance: Random) -> None:
    """Give the enemy of a side other secrets that fit all that the side has seen. The state is changed."""
    if of_battle(state.frames):
        Shuffle(state, state.other(side), chance).all()


class Shuffle:
    """The secrets of one side, about to be changed."""

    def __init__(self, state: State, side: str, chance: Random) -> None:
        self.state = state
        self.side = side
        self.chance = chance
        self.site = state.at_sea(side)
        self._read()

    def _read(self) -> None:
        """How far the battle has come."""
        state = self.state
        self.frame = of_battle(state.frames)[0]
        self.mustered = self._is_past(combat_air_patrol) and not self._is_past(landing)
        self.searched = self._is_past(searches)
        self.formed = (
            state.battle.round > 1 or self._is_past(combat_groups) or any(group.formed for group in self._mine())
        )
        self.flown = state.battle.round > 1 or bool(
            self.site.flown or self.site.struck or state.battle.sorties or state.battle.mission
        )
        self.flown |= state.battle.strike is not None or bool(state.losses.air)

    def _is_past(self, segment: AnySegment) -> bool:
        return naval_battle.segments[self.frame.segment].place > segment.place

    def _mine(self) -> list[Group]:
        return [*self.state.battle.forces(self.side).values()]

    def all(self) -> None:
        if not self.formed:
            self._other_forces()
        self._other_numbers()
        for group in self._mine():
            self._other_ships(group)
            self._other_arrival(group)
        if self.mustered:
            self._other_air_at_sea()
            self._other_patrols()
            air = self.site.air
            self.site.barred = {which: min(n, air[which]) for which, n in self.site.barred.items() if which in air}
        elif self.state.battle.engagement is None:  # while guns fire, squadrons may be aboard carriers that were hit
            self._other_air_aboard([group for group in self._mine() if group.number], known=self.flown)
        for group in self._mine():
            if not group.number:
                self._other_air_aboard([group], known=False)
        self._other_cover()
        self._other_grounded()
        if self.formed:
            self._other_returned()

    def _perhaps(self, odds: float = 0.5) -> bool:
        return self.chance.random() < odds

    # --- groups -------------------------------------------------------------------------------------------------

    def _other_forces(self) -> None:
        """Before segment A nobody knows how many forces there are."""
        mine = self.state.battle.forces(self.side)
        first = [key for key, group in mine.items() if group.arrives == 1]
        if len(mine) > 1 and self._perhaps(0.3):
            gone = self.chance.choice([key for key in mine if first != [key]])
            del self.state.battle.groups[gone]
        if len(mine) < 5 and self._perhaps(0.3):
            like = self.chance.choice(list(mine.values()))
            fleet = {which: number for which, number in like.ships.items() if not which.named}
            spare = [self._built(other) for other in self._spare()]
            for which in self.chance.sample(spare, min(len(spare), 3)):
                add(fleet, which, 1)
            task_force = factors(fleet) >= LEAST
            if fleet and not self._faults(fleet, task_force):
                last = 1 + max(group.place for group in mine.values())
                self.state.battle.groups["another"] = Group(self.side, "another force", fleet, task_force, place=last)

    def _other_numbers(self) -> None:
        """Groups of which nothing was learnt change their numbers, but not those whose fleet combat is agreed on, or
        that submarines are to attack."""
        state = self.state
        agreed = [state.battle.engagement] if state.battle.engagement else []
        bound = [key for one in (*state.battle.engagements, *agreed) for key in (one.moving, one.intercepting)]
        bound += [one.target for one in state.battle.this_round.announced]
        met = [state.battle.groups[key] for key in bound]
        unseen = [
            group
            for group in self.state.battle.present(self.side)
            if not (
                group.revealed
                or group.facts
                or group.this_round.results
                or group.this_round.uncovered
                or group.this_round.fought
                or group in met
            )
        ]
        before, dice = [group.number for group in unseen], self._dice()
        for group, number in zip(unseen, self.chance.sample(before, len(before)), strict=True):
            group.number = number
        if self._dice() != dice:
            for group, number in zip(unseen, before, strict=True):
                group.number = number

    def _dice(self) -> int:
        """The search dice of this round, which the enemy has seen fall."""
        return dice_of(self.state, self.side).total if self.searched else 0

    def _other_arrival(self, group: Group) -> None:
        if not group.formed and (self.formed or self.state.battle.round > 1):
            soonest = self.state.battle.round + (not self.frame.is_at(combat_groups))
            group.arrives = self.chance.randint(soonest, soonest + 1)

    # --- ships --------------------------------------------------------------------------------------------------

    def _other_ships(self, group: Group) -> None:
        """Another fleet, if one is found that fits what is known."""
        if group.revealed or not group.ships:
            return
        before, cargo = group.ships, group.cargo
        for _ in range(TRIES):
            fleet = dict(before)
            for _ in range(self.chance.randint(1, 6)):
                self._change(fleet)
            group.ships = fleet
            group.cargo = "something" if any(which.laden for which in fleet) else ""
            if fleet and self._fits(group, before):
                break
            group.ships, group.cargo = before, cargo
        if group.ships is not before:
            self._other_past(group, before)
        if not self.searched and group.number:
            sound = any(which.fast_carrier and not which.damaged for which in group.ships)
            group.ready = sound and self._perhaps()

    def _other_past(self, group: Group, before: Fleet) -> None:
        """Its ships were as they are when the round began: nothing is known to have happened to them (22.61A)."""
        group.loads, group.divisible, group.rested = {}, (), {}
        group.carried = laden_factors(group.ships) if group.formed else 0
        known = self.state.battle.this_round.damaged_before
        for which in [which for which in before if which in known]:
            take(known, which, min(known[which], before[which]))
        for which, number in group.ships.items():
            if which.damaged:
                add(known, which, number)

    def _change(self, fleet: Fleet) -> None:
        """One ship or a few more, fewer, or another one."""
        named = [which for which in fleet if which.named]
        spare = [found for found in self._spare() if all(which.id != found.id for which in fleet)]
        roll = self.chance.random()
        if named and roll < 0.5:
            old = self.chance.choice(named)
            take(fleet, old, 1)
            if roll < 0.1:
                add(fleet, old.bearing(self.chance.randrange(old.size)), 1)
            elif spare and roll < 0.35:
                add(fleet, self._built(self.chance.choice(spare)), 1)
        elif spare and roll < 0.6:
            add(fleet, self._built(self.chance.choice(spare)), 1)
        else:
            self._change_light(fleet)

    def _change_light(self, fleet: Fleet) -> None:
        light = [which for which in fleet if which.light]
        if light and self._perhaps():
            which = self.chance.choice(light)
            take(fleet, which, self.chance.randint(1, fleet[which]))
        else:
            kind = self.chance.choice(LIGHT)
            laden = kind in (Kind.DESTROYER, Kind.TRANSPORT) and self._perhaps(0.3)
            country = self.chance.choice(self._nations())
            size = 2 if kind is Kind.CRUISER else 1
            which = self._rated(ship(country, kind, "", size, False, 0, laden, 0))
            empty = kind in (Kind.DESTROYER, Kind.TRANSPORT) and not laden and self._perhaps(0.2)
            add(fleet, which.carrying(empty=True) if empty else which, self.chance.randint(1, 4))

    def _fits(self, group: Group, before: Fleet) -> bool:
        """Whether a group could have these ships instead of those before, for all that the enemy knows."""
        state, fleet = self.state, group.ships
        if group.facts is not None and facts_of(group) != group.facts:
            return False
        if self.searched and (undamaged_factors(fleet) >= LEAST) != (undamaged_factors(before) >= LEAST):
            return False
        if group.number and not self._room_for_known():
            return False
        if not group.formed:
            return not self._faults(fleet, group.task_force)
        unbalanced = surplus_carriers(fleet) and state.setting.options.task_force_escort == "fast-fleet"
        return factors(fleet) <= max(MOST, factors(before)) and not unbalanced

    def _faults(self, fleet: Fleet, task_force: bool) -> bool:
        checked = task_force_faults if task_force else small_force_faults
        return bool(checked(fleet, self.state.setting.options))

    def _room_for_known(self) -> bool:
        """Whether the carriers hold the squadrons that cannot be other than they are."""
        room = sound_decks(self.state.battle.present(self.side))
        if self.mustered:
            needed = merged(self.site.air, self._aloft())
        else:
            needed = {}
            for group in self.state.battle.present(self.side) if self.flown else ():
                needed = merged(needed, group.air)
        return all(number <= room.get(country, 0) for country, number in _by_nation(needed).items())

    def _nations(self) -> list[str]:
        """The nations of the side that have ships in the battle."""
        return sorted({which.nation for group in self._mine() for which in group.ships})

    def _spare(self) -> list[NamedShip]:
        """Named ships that are nowhere in the battle."""
        used = {which.id for group in self.state.battle.groups.values() for which in (*group.ships, *group.shed)}
        used |= {which.id for fleet in (self.state.losses.ships, self.site.gone) for which in fleet}
        used |= {which.id for group in self.state.battle.departed.values() for which in group.ships}
        nations = self._nations()
        return [found for found in named_ships().values() if found.nation in nations and found.id not in used]

    def _built(self, found: NamedShip) -> Ship:
        return self._rated(ship(found.nation, found.kind, found.id, found.factors, found.slow, 0))

    def _rated(self, which: Ship) -> Ship:
        drm = naval_ledger(self.state.setting, which).total
        rated = ship(which.nation, which.kind, which.id, which.size, which.striped, drm, which.laden, which.hits)
        return rated.carrying(empty=True) if which.empty else rated

    # --- squadrons ----------------------------------------------------------------------------------------------

    def _kinds(self, country: str) -> Iterator[Unit]:
        """The carrier squadrons that a nation may have."""
        setting, home = self.state.setting, at_sea(self.side)
        place = self.state.place(home)
        for arm in (Arm.ELITE, Arm.NAVAL) if country == "japan" else (Arm.NAVAL,):
            drm, reach = (
                drm_ledger(setting, place, country, arm).total,
                flying_range(arm, setting.pacific, 0),
            )
            yield unit(country, arm, drm, reach, home, Role.SQUADRONS, False)

    def _aloft(self) -> Force:
        """Carrier squadrons that are away, in whatever role: they need decks as well."""
        away = in_the_air(self.state, self.side)
        missions = [self.state.battle.mission, *self.state.battle.sorties]
        for mission in missions:
            if mission is not None and mission.side == self.side:
                away = merged(away, mission.attackers)
        return away

    def _other_air_at_sea(self) -> None:
        """More squadrons aboard, or fewer if none has flown so far."""
        away = _by_nation(self._aloft())
        for country, room in sound_decks(self.state.battle.present(self.side)).items():
            for which in self._kinds(country):
                there = self.site.air.get(which, 0)
                left = room - away.get(country, 0) - _by_nation(self.site.air).get(country, 0)
                least = there if self.flown else 0
                self._set(self.site.air, which, self.chance.randint(least, there + max(0, left)))

    def _set(self, force: Force, which: Unit, number: int) -> None:
        if which in force:
            take(force, which, force[which])
        if number:
            add(force, which, number)

    def _other_air_aboard(self, groups: list[Group], *, known: bool) -> None:
        """Other squadrons aboard some groups, at least as many of each kind as there are if they are `known`."""
        room = {
            (place, country): sum(bases) if not group.number else bases[0]  # damaged ones carry theirs until it joins
            for place, group in enumerate(groups)
            for country, bases in _decks(group)
        }
        air: Force = {}
        for group in groups:
            air, group.air = merged(air, group.air), {}
        for country in dict.fromkeys([country for _, country in room]):
            decks_left = [place for (place, other), bases in room.items() if other == country for _ in range(bases)]
            self.chance.shuffle(decks_left)
            wanted = [which for which in self._kinds(country) if known for _ in range(air.get(which, 0))]
            kinds = list(self._kinds(country))
            more = self.chance.randint(0, len(decks_left) - len(wanted))
            wanted += [self.chance.choice(kinds) for _ in range(more)]
            for which, place in zip(wanted, decks_left, strict=False):
                add(groups[place].air, which, 1)

    def _other_patrols(self) -> None:
        """Squadrons on patrol change places with squadrons aboard that have not flown."""
        late = self.state.setting.options.patrol_chosen == "after-counterair"
        if late and not self._is_past(late_patrol):
            return
        for group in self.state.battle.present(self.side):
            if group.this_round.uncovered:
                continue
            room = sum(bases[0] for _, bases in _decks(group))
            least = sum(group.patrol.values())
            group.third = self.chance.randint(least, max(least, group.third, -(-room // 3)))
            for which in list(group.patrol):
                self._move(group.patrol, self.site.air, which, self.chance.randint(0, group.patrol[which]))
            for which in list(self.site.air):
                able = self.site.air[which] - self.site.flown.get(which, 0)
                most = min(able, group.third - sum(group.patrol.values()))
                self._move(self.site.air, group.patrol, which, self.chance.randint(0, max(0, most)))

    def _move(self, one: Force, other: Force, which: Unit, number: int) -> None:
        if number:
            take(one, which, number)
            add(other, which, number)

    def _other_cover(self) -> None:
        """Squadrons that cover one group cover another, unless they came to light."""
        groups = [group for group in self.state.battle.present(self.side) if not group.this_round.uncovered]
        flying: Force = {}
        for group in groups:
            flying, group.cover = merged(flying, group.cover), {}
        for which, number in flying.items():
            for _ in range(number):
                add(self.chance.choice(groups).cover, which, 1)

    def _other_grounded(self) -> None:
        """More or fewer squadrons on damaged carriers."""
        for country, room in damaged_decks(self.state.battle.present(self.side)).items():
            for which in self._kinds(country):
                others = _by_nation(self.site.grounded).get(country, 0) - self.site.grounded.get(which, 0)
                if room > others:
                    self._set(self.site.grounded, which, self.chance.randint(0, room - others))

    def _other_returned(self) -> None:
        """A carrier more that returned to port as the groups were formed, with its squadrons."""
        spare = [found for found in self._spare() if self._built(found).fast_carrier]
        if spare and self._perhaps(0.2):
            which = self._built(self.chance.choice(spare))
            add(self.site.gone, which, 1)
            aboard = self.chance.randint(0, which.size)
            for squadron in list(self._kinds(which.nation))[:1] if aboard else ():
                add(self.site.ashore, squadron, aboard)


LIGHT = (Kind.CRUISER, Kind.DESTROYER, Kind.DESTROYER, Kind.CVE, Kind.TRANSPORT)


def _decks(group: Group) -> list[tuple[str, tuple[int, int]]]:
    return [(country, bases) for country, bases in decks(group.ships).items() if bases[0] or not group.number]


def _by_nation(force: Force) -> dict[str, int]:
    sums: dict[str, int] = {}
    for which, number in force.items():
        sums[which.nation] = sums.get(which.nation, 0) + number
    return sums
