"""How the enemy's ships in a naval battle are drawn that nobody has seen: which there are, with which hits and cargo,
who waits and for how long, and who has left. Nobody is taken to be withheld (22.26D)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from flagplot.awaw.air_units import Force, add, take
from flagplot.awaw.battle.cargo import laden_factors
from flagplot.awaw.battle.decks import sound_decks, squadrons_by_nation
from flagplot.awaw.battle.groups import facts_of, is_active
from flagplot.awaw.battle.rounds import combat_groups
from flagplot.awaw.battle.stages import of_battle
from flagplot.awaw.counting import Counts, merged
from flagplot.awaw.knowledge.battle import moment_of
from flagplot.awaw.knowledge.fleets import Likely, Told, Wanted, built, fleets, light_ship, told_by
from flagplot.awaw.knowledge.known import Knowledge, name_of
from flagplot.awaw.knowledge.public import Belief, Deal, Public, as_unseen, light_left, lights, searching
from flagplot.awaw.knowledge.squadrons import aloft
from flagplot.awaw.ships import Fleet, Kind, factors, named_ships, undamaged_factors
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import LEAST, MOST, small_force_faults, task_force_faults
from flagplot.kernel.plain_data import copy_of

TRIES = 40
"""How often an arrangement is drawn that fits everything at once."""
MOST_FORCES = 4


class Believed(NamedTuple):
    """What is believed of forces that nobody has seen."""

    public: Public
    deals: Sequence[Deal] = ()
    """In a battle: the ways in which forces of the scenario may be the enemy's groups."""

    def deal(self, chance: Random) -> Deal | None:
        """One of these ways, by their weights; none if there are none."""
        return chance.choices(self.deals, [one.weight for one in self.deals])[0] if self.deals else None


class ShipsDraw:
    """The ships of the enemy in a battle, about to be filled in."""

    def __init__(
        self, known: Knowledge, state: State, chance: Random, likely: Likely, hurt: float, believed: Believed
    ) -> None:
        self.known = known
        self.enemy = known.enemy
        self.state = state
        self.chance = chance
        self.likely = likely
        self.hurt = hurt
        self.site = state.at_sea(known.enemy)
        self.moment = moment_of(state)
        self.taken = set(known.elsewhere)
        self.public = believed.public
        self.deal = believed.deal(chance)
        pooled = believed.public.belief is Belief.SHIPS
        self.light = light_left(known, believed.public) if pooled else None
        """The light ships that are left for forces that nobody has seen; None if there may be any number."""
        self.decked = believed.public.aboard(state.losses.air, chance) if believed.public.forces else None
        """The carrier squadrons that nobody has seen; None if there may be any number."""
        self.roles: dict[int, bool] = {}

    def unseen(self) -> list[Group]:
        return [group for group in self.state.battle.numbered(self.enemy) if group.number in self.known.unseen]

    def _perhaps(self, odds: float = 0.5) -> bool:
        return self.chance.random() < odds

    def _roles(self) -> dict[int, bool]:
        """22.451D: which groups gave a search die: those of ten factors, or distant ones with a ready carrier."""
        if self.known.searching is None:
            return {}
        if self.deal is not None:
            return self.chance.choice(searching(self.known, self.deal.numbers))
        roles, able = dict[int, bool](), list[int]()
        for group in self.state.battle.numbered(self.enemy):
            distant, facts = not is_active(group, self.state.battle.round), group.facts
            if distant or group.number in self.known.unseen:
                roles[group.number] = not distant and facts is not None and not facts.small
                if facts is None or (distant and facts.carriers):
                    able.append(group.number)
        more = max(0, self.known.searching - sum(roles.values()))
        return roles | dict.fromkeys(self.chance.sample(able, min(len(able), more)), True)

    def draw_ships(self) -> bool:
        """Ships for all groups that nobody has seen, and for forces that have not joined."""
        if self.deal is not None:
            self._sail_as_dealt(self.deal)
            return True
        unseen = self.known.unseen
        if self.light is not None:  # ships are few: first those groups of which something was told
            unseen = tuple(sorted(unseen, key=lambda number: self.known.group(number).facts is None))
        for number, activity in zip(unseen, self._dealt(self.known.activities), strict=True):
            group = self.state.battle.groups[name_of(self.enemy, number)]
            group.activity = activity
            fleet = self.fleet(self.told_of(group))
            if fleet is None:
                return False
            self.sail(group, fleet)
        waiting = self.known.waiting
        number = self.chance.randint(1, MOST_FORCES) if waiting is None else waiting
        if self.light is not None and waiting is None:
            number = len(self.public.forces)
        drawn = all([self._draw_waiting(place, sure=waiting is None and not place) for place in range(number)])
        if drawn and self.light is not None:
            self._deal_the_rest()
        return drawn

    def _sail_as_dealt(self, deal: Deal) -> None:
        """Forces of the scenario are behind the numbers, wait, or have left."""
        for number, force in deal.numbers.items():
            as_unseen(self.state.battle.groups[name_of(self.enemy, number)], force)
        for place, force in enumerate(deal.waiting):
            name, made = f"force {place + 1}", copy_of(force)
            self.state.battle.groups[f"{self.enemy} {name}"] = replace(made, name=name, place=10 + place, air={})

    def _deal_the_rest(self) -> None:
        """All ships of the scenario sail: what is left goes to forces that may have it."""
        state, nations = self.state, self.state.setting.nations[self.enemy]
        left = [built(state.setting, one) for one in named_ships().values() if one.nation in nations]
        left = [which for which in left if which.id in self.public.ships() - self.taken]
        for (nation, kind), number in (self.light or {}).items():
            left += [light_ship(state.setting, nation, kind)] * number
        able = [*self.unseen(), *[group for group in state.battle.forces(self.enemy).values() if not group.number]]
        for which in self.chance.sample(left, len(left)):
            for group in self.chance.sample(able, len(able)):
                grown = merged(group.ships, {which: 1})
                if self._may_be(group, grown):
                    self.sail(group, grown)
                    break

    def _may_be(self, group: Group, ships: Fleet) -> bool:
        """Whether a group that nobody has seen may have these ships."""
        faults = task_force_faults if factors(ships) >= LEAST else small_force_faults
        if faults(ships, self.state.setting.options):
            return False
        if not group.number:
            return group.task_force == (factors(ships) >= LEAST)
        if group.facts is not None and facts_of(replace(group, ships=ships)) != group.facts:
            return False
        role = self.roles.get(group.number)
        if role is None or not is_active(group, self.state.battle.round):
            return True
        return role == (undamaged_factors(ships) >= LEAST)

    def _dealt(self, things: tuple[str, ...]) -> list[str]:
        return self.chance.sample(things, len(things))

    def told_of(self, group: Group, carriers: int | None = None) -> Told:
        """What is known of the ships of a group, from its owner's words and from the search dice."""
        told, role = told_by(group.facts), self.roles.get(group.number)
        if group.facts is None:
            if role is not None and is_active(group, self.state.battle.round):
                told = told._replace(small=not role)
            elif role and carriers is None:
                carriers = self.chance.randint(1, 3)
            told = told._replace(carriers=carriers)
        elif group.activity == "sea-supply":
            told = told._replace(slow=None)
        return told

    def fleet(self, told: Told, fits: Callable[[Fleet], bool] = bool) -> Fleet | None:
        """Ships that are not somewhere else."""
        return self.pick(Wanted(tuple(self.state.setting.nations[self.enemy]), told=told), fits)

    def pick(self, wanted: Wanted, fits: Callable[[Fleet], bool]) -> Fleet | None:
        likely, taken = self.likely, self.taken - {which.id for which, _ in wanted.besides}
        if self.light is not None:
            able = tuple([(nation, kind, number) for (nation, kind), number in sorted(self.light.items()) if number])
            likely = likely._replace(pool=frozenset(self.public.ships() - taken), light=able)
        wanted = wanted._replace(elsewhere=frozenset(self.known.elsewhere), likely=likely)

        def free(fleet: Fleet) -> bool:
            """Whether its ships are not somewhere else."""
            many = self.light is not None and not lights([fleet]) <= self.light
            return not many and taken.isdisjoint([which.id for which in fleet]) and fits(fleet)

        return fleets(self.state.setting, wanted).draw(self.chance, free, TRIES)

    def sail(self, group: Group, fleet: Fleet) -> None:
        self.taken -= {which.id for which in group.ships if which.named}
        if self.light is not None:
            self.light += lights([group.ships])
            self.light -= lights([fleet])
        group.ships = fleet
        self.taken |= {which.id for which in fleet if which.named}

    def _draw_waiting(self, place: int, *, sure: bool) -> bool:
        """A force that has not joined, and when it does; one at least is there at once."""
        task_force = self._perhaps(0.7)
        if self.light is not None and place < len(self.public.forces):
            task_force = self.public.forces[place].task_force
        faults, options = task_force_faults if task_force else small_force_faults, self.state.setting.options
        most = self._fair_share(place) if task_force else MOST

        def fits(fleet: Fleet) -> bool:
            return factors(fleet) <= most and not faults(fleet, options)

        fleet = self.fleet(Told(small=not task_force), fits)
        if fleet is None:
            return False
        key = f"{self.enemy} force {place + 1}"
        group = self.state.battle.groups[key] = Group(
            self.enemy, f"force {place + 1}", {}, task_force, place=10 + place
        )
        self.sail(group, fleet)
        if not sure and not self.state.scene.raiders:
            frames = of_battle(self.state.frames)
            soonest = self.state.battle.round + bool(
                self.known.waiting is not None and not frames[0].is_at(combat_groups)
            )
            group.arrives = self.chance.randint(soonest, soonest + 1)
        return True

    def _fair_share(self, place: int) -> int:
        """The factors of one of the forces that have not joined, if ships are few and all are to have some."""
        if self.light is None:
            return MOST
        named = [one.factors for one in named_ships().values() if one.id in self.public.ships() - self.taken]
        left = sum(named) + sum([(1 + (kind is Kind.CRUISER)) * number for (_, kind), number in self.light.items()])
        return max(LEAST, left // max(1, (self.known.waiting or len(self.public.forces)) - place))

    def _known_air(self) -> dict[str, int]:
        """By nation: squadrons that have shown themselves in this round, and need decks."""
        needed = Counts(squadrons_by_nation(aloft(self.state, self.enemy)))
        for which, number in self._returned().items():
            needed[which.nation] += number
        return needed

    def _returned(self) -> Force:
        """Squadrons that attacked a base in this round and are back. Those that were not aborted may strike, too: they
        are taken to be among those that are away."""
        flown, aborted, away = self.site.flown, self.site.aborted, aloft(self.state, self.enemy)
        for group in self.state.battle.present(self.enemy):
            for which, number in group.patrol.items():
                take(away, which, number)
        again = {which: min(away.get(which, 0), flown[which] - aborted.get(which, 0)) for which in flown}
        return {which: number - again.get(which, 0) for which, number in merged_most(flown, aborted).items()}

    def _enough_decks(self) -> bool:
        """Carriers for squadrons that have shown themselves, in groups that may have some."""
        able = [group for group in self.unseen() if group.facts is None or group.facts.carriers]
        for _ in range(TRIES):
            if self._has_decks():
                return True
            if not able or self.public.belief is Belief.FORCES:
                return False
            group = self.chance.choice(able)
            self.redraw(group)
        return False

    def redraw(self, group: Group) -> None:
        """Other ships for a group, with more carriers."""
        fleet = self.fleet(self.told_of(group, self.chance.randint(2, 5)))
        if fleet is not None:
            self.sail(group, fleet)

    def _has_decks(self) -> bool:
        if not self.known.unseen or self.deal is not None:
            return True  # all carriers are known; some may have been damaged since
        room, needed = (
            sound_decks(self.state.battle.present(self.enemy)),
            self._known_air() if self.moment.mustered else {},
        )
        return all([room[country] >= number for country, number in needed.items()])

    def _hurt(self, group: Group) -> None:
        """Hits on some of its named ships, as far as they do not belie what is known."""
        before = group.ships, group.parts
        self.wound(group)
        known = group.facts is None or facts_of(group) == group.facts
        role = self.roles.get(group.number)
        if role is not None and is_active(group, self.state.battle.round):
            known = known and role == (undamaged_factors(group.ships) >= LEAST)
        if not known:
            group.ships, group.parts = before
        for which, number in group.ships.items():
            if which.damaged:
                add(self.state.battle.this_round.damaged_before, which, number)

    def wound(self, group: Group) -> None:
        group.ships = self.wounded(group.ships)

    def wounded(self, fleet: Fleet) -> Fleet:
        """The same ships, some with hits."""
        hurt = dict(fleet)
        for which in [which for which in fleet if which.named and which.size > 1 and self._perhaps(self.hurt)]:
            take(hurt, which, 1)
            add(hurt, which.bearing(self.chance.randrange(1, which.size)), 1)
        return hurt

    def draw_departed(self) -> None:
        dealt = [*self.deal.departed] if self.deal is not None else []
        for group in self.state.battle.withdrawn(self.enemy).values():
            if not group.revealed and dealt:
                as_unseen(group, dealt.pop(0))
                group.air = {}
            elif not group.revealed:
                group.ships = self.fleet(Told()) or {}
                self.taken |= {which.id for which in group.ships if which.named}

    def _load(self) -> None:
        """22.427: cargo on ships that can carry it."""
        for group in self.state.battle.groups.values():
            if group.side == self.enemy and not group.loads and any([which.laden for which in group.ships]):
                group.cargo = group.cargo or "its cargo"
                group.carried = laden_factors(group.ships) if group.formed else 0


def merged_most(one: Force, other: Force) -> Force:
    """As many of each kind as in either."""
    most = merged(one, other)
    return {which: max(one.get(which, 0), other.get(which, 0)) for which in most}
