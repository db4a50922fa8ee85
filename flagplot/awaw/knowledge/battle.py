"""What a side knows of a naval battle, and how the rest is drawn.

Known are the numbers of the enemy's combat groups, what search told of them, the ships of those that were seen, what
they did, and squadrons that are in sight. All else is drawn: the ships and cargo of the others, hits on them, squadrons
aboard, patrols, over which groups air cover flies, who waits and for how long, and carriers that returned to port.
Nobody is taken to be withheld (22.26D).

Only what the chart shows counts as known: not yet what the log alone tells, such as the squadrons that struck in
earlier rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from flagplot.awaw.air_units import Force, add, take
from flagplot.awaw.battle import submarines
from flagplot.awaw.battle.air_plan import patrol_limit
from flagplot.awaw.battle.cargo import laden_factors
from flagplot.awaw.battle.decks import damaged_decks, sound_decks, squadrons_by_nation
from flagplot.awaw.battle.groups import facts_of, is_active
from flagplot.awaw.battle.rounds import combat_air_patrol, combat_groups, landing, late_patrol, searches
from flagplot.awaw.battle.stages import of_battle
from flagplot.awaw.battle.torpedoes import ready_carriers
from flagplot.awaw.counting import merged
from flagplot.awaw.knowledge.fleets import Likely, Told, Wanted, built, fleets, light_ship, told_by
from flagplot.awaw.knowledge.known import Knowledge, name_of
from flagplot.awaw.knowledge.public import Belief, Deal, Public, as_unseen, light_left, lights, searching
from flagplot.awaw.knowledge.squadrons import aloft, some_squadrons, squadron
from flagplot.awaw.procedures import naval_battle
from flagplot.awaw.ships import Fleet, Kind, decks, factors, named_ships, undamaged_factors
from flagplot.awaw.state.air import Site
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.setting import at_sea
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import LEAST, MOST, small_force_faults, task_force_faults
from flagplot.kernel.plain_data import copy_of

TRIES = 40
"""How often an arrangement is drawn that fits everything at once."""
MOST_FORCES = 4


class Moment(NamedTuple):
    """How far a battle has come, as everybody knows."""

    mustered: bool
    """22.41C: whether the carrier squadrons of a side stand together, and not in their groups."""
    patrols: bool
    """Whether combat air patrol is in the air."""
    searched: bool
    """Whether search dice were rolled in this round."""


def moment_of(state: State) -> Moment:
    frames = of_battle(state.frames)
    if not frames:
        return Moment(False, False, False)
    place, setting = naval_battle.segments[frames[0].segment].place, state.setting
    mustered = combat_air_patrol.place < place <= landing.place
    late = setting.options.patrol_chosen == "after-counterair"
    patrols = mustered and (not late or place > late_patrol.place)
    return Moment(mustered, patrols, place > searches.place and not state.scene.raiders)


# --- what is known ----------------------------------------------------------------------------------------------


def veil_battle(known: Knowledge, now: State, *, on_map: bool = False) -> None:
    """Take out of the state what the enemy keeps secret in a battle; `now` is the state in the segment that goes on. On
    a map everybody knows which forces wait, and unless even that is forgotten, which of them a group was that was seen
    or has left."""
    state, enemy = known.state, known.enemy
    theirs = {key: group for key, group in state.battle.groups.items() if group.side == enemy and not group.shipless}
    groups = sorted([group for group in theirs.values() if group.number], key=lambda group: group.number)
    hidden = [group for group in theirs.values() if not group.revealed]
    gone = list(state.battle.withdrawn(enemy).values())
    known.ready = _told_ready(state, now)
    known.unseen = tuple([group.number for group in groups if group.ships and not group.revealed])
    if not on_map:
        known.activities = tuple(sorted([group.activity for group in groups if group.number in known.unseen]))
    known.searching = _searching(state, groups) if moment_of(state).searched else None
    if any([group.formed for group in theirs.values()]):
        known.waiting = len(theirs) - len(groups)
    uncertain = [group for group in groups if group.ships and not group.this_round.uncovered]
    known.over = tuple([group.number for group in uncertain])
    for group in uncertain:
        known.cover = merged(known.cover, group.cover)
    known.elsewhere = _accounted_for(state, [*groups, *gone])
    _forget_damage(state, enemy, hidden, gone)
    told = on_map and not known.forgets_make_up
    numbers = known.unseen if told else tuple([group.number for group in groups])
    stay = {key: group for key, group in theirs.items() if on_map and group.number not in numbers}
    rename(state, {key: name_of(enemy, one.number) for key, one in theirs.items() if one.number and key not in stay})
    state.battle.groups = {key: group for key, group in state.battle.groups.items() if group not in theirs.values()}
    state.battle.groups |= {key: _kept(state, key, group) for key, group in stay.items()}
    for group in [group for group in groups if group.number in numbers]:
        state.battle.groups[name_of(enemy, group.number)] = _seen(state, name_of(enemy, group.number), group)
    if told:
        for group in gone:
            group.air = {}
    else:
        state.battle.departed = {key: group for key, group in state.battle.departed.items() if group.side != enemy}
        state.battle.departed |= {
            f"{enemy} gone {place:02}": _seen(state, "", group) for place, group in enumerate(gone)
        }
    site = state.sites[at_sea(enemy)]
    state.sites[at_sea(enemy)] = Site(
        flown=site.flown,
        struck=site.struck,
        aborted=site.aborted,
        counteraired=site.counteraired,
        launched=site.launched,
    )
    state.battle.consequences = [
        one._replace(text=one.public) if one.side == enemy and one.public else one for one in state.battle.consequences
    ]


def bring_to_light(state: State, enemy: str, now: State) -> None:
    """Groups that were seen since, in the segment whose state is `now`, are known."""
    for key, group in state.battle.groups.items():
        group.revealed |= group.side == enemy and key in now.battle.groups and now.battle.groups[key].revealed


def _told_ready(state: State, now: State) -> dict[int, int]:
    """22.9413: a submarine that has found its group knows how many of its carriers are fully operational."""
    if not state.frames[-1].is_at(submarines.attack) or not state.battle.this_round.announced:
        return {}
    first = state.battle.this_round.announced[0]
    group, boats = now.battle.groups[first.target], state.battle.submarines[first.flotilla].factors
    if now.battle.submarines[first.flotilla].factors == boats:
        return {}  # it has not found it yet
    return {group.number: ready_carriers(group)}


def _searching(state: State, groups: list[Group]) -> int:
    """22.451D: the dice of groups of which nobody can tell whether they gave one. What was damaged since is in sight,
    so it is the number that everybody reckoned when the dice fell."""
    dice = 0
    for group in groups:
        if not is_active(group, state.battle.round):
            dice += group.ready
        elif not group.revealed:
            dice += undamaged_factors(group.ships) >= LEAST
    return dice


def _accounted_for(state: State, groups: list[Group]) -> tuple[str, ...]:
    seen = [fleet for group in groups if group.revealed for fleet in (group.ships, group.shed)]
    return tuple(sorted({which.id for fleet in (state.losses.ships, *seen) for which in fleet if which.named}))


def _forget_damage(state: State, enemy: str, hidden: list[Group], gone: list[Group]) -> None:
    """22.61A: ships that nobody has seen were damaged before the round, or not at all."""
    unseen = [group.ships for group in hidden] + [group.ships for group in gone if not group.revealed]
    for fleet in unseen:
        for which in [which for which in fleet if which in state.battle.this_round.damaged_before]:
            take(
                state.battle.this_round.damaged_before,
                which,
                min(fleet[which], state.battle.this_round.damaged_before[which]),
            )


def _in_sight(state: State, key: str, side: str) -> Force:
    """Combat air patrol that engages a strike."""
    patrol: Force = {}
    for flight in (state.battle.strike, *state.battle.dives):
        if flight is not None and flight.target == key:
            for which, number in flight.defenders.items():
                if which.home == at_sea(side):
                    add(patrol, which, number)
    return patrol


def _kept(state: State, key: str, group: Group) -> Group:
    """A group of which all is known but its air."""
    cover = group.cover if group.this_round.uncovered else {}
    patrol = _in_sight(state, key, group.side)
    return replace(
        group,
        name=f"CG {group.number}",
        air={},
        patrol=patrol,
        cover=cover,
        third=0,
        ready=False,
        withheld={},
        rested={},
    )


def _seen(state: State, key: str, group: Group) -> Group:
    """22.423B: what is open about an enemy group."""
    ships = group.ships if group.revealed else {}
    return Group(
        group.side,
        f"CG {group.number}",
        ships,
        formed=True,
        number=group.number,
        place=group.number,
        cargo="its cargo" if any(which.laden for which in ships) else "",
        carried=laden_factors(ships),
        activity=group.activity if group.revealed else "",
        patrol=_in_sight(state, key, group.side),
        cover=group.cover if group.this_round.uncovered else {},
        this_round=replace(group.this_round),
        facts=group.facts,
        revealed=group.revealed,
        used=group.used,
        shed=group.shed,
        idle=group.idle if group.revealed else {},
        since=group.since,
        left=group.left,
    )


def rename(state: State, names: dict[str, str]) -> None:
    """Groups get other names, wherever they are spoken of."""
    state.battle.groups = {names.get(key, key): group for key, group in state.battle.groups.items()}
    for flight in (state.battle.strike, *state.battle.dives, *state.battle.this_round.announced):
        if flight is not None:
            flight.target = names.get(flight.target, flight.target)
    agreed = [*state.battle.engagements, *([state.battle.engagement] if state.battle.engagement else [])]
    for one in agreed:
        one.moving = names.get(one.moving, one.moving)
        one.intercepting = names.get(one.intercepting, one.intercepting)


# --- what is drawn ----------------------------------------------------------------------------------------------


class Believed(NamedTuple):
    """What is believed of forces that nobody has seen."""

    public: Public
    deals: Sequence[Deal] = ()
    """In a battle: the ways in which forces of the scenario may be the enemy's groups."""


class BattleDraw:
    """The secrets of the enemy in a battle, about to be filled in."""

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
        self.deal = chance.choice(believed.deals) if believed.deals else None
        pooled = believed.public.belief is Belief.SHIPS
        self.light = light_left(known, believed.public) if pooled else None
        """The light ships that are left for forces that nobody has seen; None if there may be any number."""
        self.decked = believed.public.aboard(state.losses.air) if believed.public.forces else None
        """The carrier squadrons that nobody has seen; None if there may be any number."""

    def fill(self) -> bool:
        """Whether all could be filled in. The state is changed in any case."""
        self.roles = self._roles()
        if not (self.draw_ships() and self._enough_decks()):
            return False
        for group in self.unseen():
            self._hurt(group)
            if group.facts is not None and facts_of(group) != group.facts:
                return False
        if not self._has_decks():
            return False
        self.draw_departed()
        self._load()
        self._draw_air()
        if self.moment.patrols:
            self._draw_patrols()
        self._draw_cover()
        self.draw_returned()
        return True

    def unseen(self) -> list[Group]:
        return [group for group in self.state.battle.numbered(self.enemy) if group.number in self.known.unseen]

    def _perhaps(self, odds: float = 0.5) -> bool:
        return self.chance.random() < odds

    # --- ships --------------------------------------------------------------------------------------------------

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
        needed = squadrons_by_nation(aloft(self.state, self.enemy))
        for which, number in merged_most(self.site.flown, self.site.aborted).items():
            needed[which.nation] += number
        return needed

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

    # --- squadrons ----------------------------------------------------------------------------------------------

    def some(self, country: str, most: int) -> Force:
        """Full decks, or any number of squadrons. If their number is public, as many of these as there is room for."""
        if self.decked is not None:
            return self._of_the_scenario(country, most)
        number = most if self._perhaps() else self.chance.randint(0, max(0, most))
        return some_squadrons(self.state, country, at_sea(self.enemy), max(0, number), self.chance)

    def _of_the_scenario(self, country: str, most: int) -> Force:
        force: Force = {}
        assert self.decked is not None
        for (nation, arm), left in self.decked.items():
            if nation == country and (number := max(0, min(left, most - sum(force.values())))):
                add(force, squadron(self.state, country, arm, at_sea(self.enemy)), number)
                self.decked[nation, arm] -= number
        return force

    def _draw_air(self) -> None:
        groups = self.state.battle.present(self.enemy)
        shown = merged(aloft(self.state, self.enemy), merged_most(self.site.flown, self.site.aborted))
        decked = self.decked or {}
        for which, number in shown.items() if self.moment.mustered else ():
            if (which.nation, which.arm) in decked:
                decked[which.nation, which.arm] -= number
        if self.moment.mustered:
            self.site.air = self._back_aboard(groups)
            needed = self._known_air()
            for country, room in sound_decks(groups).items():
                self.site.air = merged(self.site.air, self.some(country, room - needed.get(country, 0)))
        for group in self.state.battle.groups.values():
            if group.side != self.enemy or (group.number and self.moment.mustered):
                continue
            for country, (sound, damaged) in decks(group.ships).items():
                # damaged carriers carry theirs until their group joins
                room = sound if group.number else sound + damaged
                group.air = merged(group.air, self.some(country, room))
        for country, room in damaged_decks(groups).items():
            self.site.grounded = merged(self.site.grounded, self.some(country, room))
        for group in groups:
            sound = any([which.fast_carrier and not which.damaged for which in group.ships])
            group.ready = self.roles.get(group.number, sound and self._perhaps())

    def _back_aboard(self, groups: Sequence[Group]) -> Force:
        """Squadrons that have flown in this round: as many as there are decks for, beside those still in the air. Those
        that flew and struck are counted among the latter, and carriers may have been sunk meanwhile."""
        room, away = sound_decks(groups), squadrons_by_nation(aloft(self.state, self.enemy))
        back: Force = {}
        for which, number in merged_most(self.site.flown, self.site.aborted).items():
            if (fits := min(number, room[which.nation] - away[which.nation])) > 0:
                back[which] = fits
                away[which.nation] += fits
        return back

    def _draw_patrols(self) -> None:
        """23.33: squadrons that have not flown, up to a third of those that a group may have had."""
        for group in self.state.battle.present(self.enemy):
            source = self.site.air if self.moment.mustered else group.air
            least, room = sum(group.patrol.values()), sum(sound_decks([group]).values())
            most = patrol_limit(room if self.moment.mustered else sum(source.values()))
            group.third = max(
                least, most if not self.moment.mustered or self._perhaps() else self.chance.randint(0, most)
            )
            for which in list(source):
                able = source[which] - self.site.flown.get(which, 0) - self.site.aborted.get(which, 0)
                some = self.chance.randint(0, max(0, min(able, group.third - sum(group.patrol.values()))))
                if some:
                    take(source, which, some)
                    add(group.patrol, which, some)

    def _draw_cover(self) -> None:
        """22.4421: each squadron covers one of the groups."""
        for which, number in self.known.cover.items():
            for _ in range(number):
                over = self.state.battle.groups[self.key_of(self.chance.choice(self.known.over))]
                add(over.cover, which, 1)

    def key_of(self, number: int) -> str:
        """The key of an enemy group by its number."""
        return next(
            key
            for key, group in self.state.battle.groups.items()
            if group.side == self.enemy and group.number == number and not group.shipless
        )

    def draw_returned(self) -> None:
        """22.421A: a carrier that returned to port as the groups were formed, with its squadrons."""
        if self.deal is not None or self.known.waiting is None or not self._perhaps(0.2):
            return
        setting = self.state.setting
        spare = [
            which
            for one in named_ships().values()
            if one.nation in setting.nations[self.enemy] and one.id not in self.taken
            if self.light is None or one.id in self.public.ships()
            if (which := built(setting, one)).fast_carrier
        ]
        if spare:
            which = self.chance.choice(spare)
            self.site.gone = {which: 1}
            self.site.ashore = self.some(which.nation, which.size)


def merged_most(one: Force, other: Force) -> Force:
    """As many of each kind as in either."""
    most = merged(one, other)
    return {which: max(one.get(which, 0), other.get(which, 0)) for which in most}
