"""What a side knows of an operation, and how the rest is drawn.

On the map TF markers hide ships, squadrons and their owner's names for them, and paths that nobody has asked for are
hidden (22.12). Known are the markers and where they stand, their nations, ships on cargo duty, which are announced, the
speed and kind of those who have rolled to intercept, and squadrons that came ashore. In a battle, or in an attack on a
force on its way, everybody knows which forces take part; which of them are behind which number is drawn, and so are the
ships of those that nobody has seen.

Taken as they are: the orders of the scenario, which everybody has read; which forces a group was made of whose ships
were seen, or that has left, since that shows itself as the battle ends; and the ways of forces that are to meet, once
one of them has sailed. A force whose ships were shared out over two groups is not found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from flagplot.awaw.air_units import Force
from flagplot.awaw.battle.groups import CARGO_MISSIONS, HAMPERING
from flagplot.awaw.battle.rounds import combat_groups
from flagplot.awaw.battle.stages import of_battle
from flagplot.awaw.battle.withholding import sound_ships
from flagplot.awaw.counting import combined, merged
from flagplot.awaw.knowledge.battle import Moment, moment_of, rename
from flagplot.awaw.knowledge.battle_draw import BattleDraw
from flagplot.awaw.knowledge.fleets import Told, Wanted, meets
from flagplot.awaw.knowledge.known import Knowledge, Marker, name_of
from flagplot.awaw.knowledge.paths import draw_paths, hide_paths
from flagplot.awaw.knowledge.public import Belief, dealt_to_markers
from flagplot.awaw.knowledge.squadrons import some_squadrons
from flagplot.awaw.operations.bases.overstacking import excess
from flagplot.awaw.operations.interception.dice import light_only
from flagplot.awaw.operations.passage.joining import BARRED_TO_CVES, MOST_RAIDERS
from flagplot.awaw.operations.passage.sortie import announce_kamikazes, announce_strikes, come_home, find
from flagplot.awaw.procedures import sortie
from flagplot.awaw.ships import Fleet, Kind, decks, is_slow
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.operation import Activity, NavalForce
from flagplot.awaw.state.setting import at_sea
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import task_force_faults

PATROLLED = (find, announce_kamikazes, announce_strikes, come_home)
"""The segments of a sortie in which combat air patrol flies, and no strike was announced so far."""
WITHHELD = 0.25
"""How often a group that may be kept back is."""


def sortie_moment(state: State) -> Moment:
    """How far an attack on a force on its way has come; a battle has its own moments."""
    flying = sortie.under_way(state.frames)
    if not flying or state.operation.attack is None:
        return moment_of(state)
    return Moment(state.operation.attack.flown, state.operation.attack.flown or flying[0].is_at(*PATROLLED), False)


# --- what is known ----------------------------------------------------------------------------------------------


def read_markers(known: Knowledge, state: State) -> None:
    """What is known of the enemy's forces, before anything is taken out of the state."""
    theirs = [group for group in state.battle.groups.values() if group.side == known.enemy and not group.shipless]
    behind = [group for group in theirs if group.number and group.ships and not group.revealed]
    if known.forgets_make_up:
        theirs += state.battle.withdrawn(known.enemy).values()
        behind = [group for group in theirs if group.number]
    at = {key: group for group in theirs for key in group.parts}
    for key, force in state.operation.everybody():
        if force.side == known.enemy and (force.group.ships or key in at):
            group = at.get(key)
            known.markers[key] = _marker(state, force, key, group, known.forgets_make_up)
    known.behind = tuple([key for key in known.markers if any([key in group.parts for group in behind])])


def _marker(state: State, force: NavalForce, key: str, group: Group | None, forgets: bool) -> Marker:
    ships, carrier = (group.parts[key], group) if group else (force.group.ships, force.group)
    hidden = force.group.task_force and not force.seen and not force.spared
    hidden = hidden and (forgets or not (group and group.revealed))
    known = _marked(ships) if hidden else dict(ships)
    marker = Marker(tuple(sorted({which.nation for which in ships})), known, hidden, fights=group is not None)
    marker.activity = force.group.activity
    if any([which.laden for which in ships]) and not (group and forgets):
        marker.cargo, marker.loads, marker.divisible = carrier.cargo, carrier.loads, carrier.divisible
    voyage = state.operation.voyages.get(force.voyage)
    if force.tried == state.now or (voyage and voyage.level):
        marker.slow, marker.light = is_slow(ships), light_only(ships)
    if voyage and voyage.activity is Activity.RAID:
        marker.large = sum(ships.values()) >= MOST_RAIDERS
    return marker


def _marked(fleet: Fleet) -> Fleet:
    """22.15A: the ships of a hidden force that are announced: those with cargo, or on the way to it or from it."""
    return {which: number for which, number in fleet.items() if which.laden or which.empty}


def veil_operation(known: Knowledge, state: State) -> None:
    """Take out of the state what TF markers hide. A battle was veiled before."""
    fleets = [marker.ships for marker in known.markers.values()] + [state.losses.ships]
    fleets += [force.sunk_in_port for force in state.operation.fleet.values()]
    seen = [*state.battle.departed.values(), *known.groups()]
    fleets += [fleet for group in seen for fleet in (group.ships, group.shed)]
    known.elsewhere = tuple(sorted({which.id for fleet in fleets for which in fleet if which.named}))
    for key, marker in known.markers.items():
        force, group = state.operation.fleet[key], state.battle.groups.get(key)
        force.group.name, force.group.air, force.grounded = force.marker, {}, {}
        force.group.parts = {}
        if key in known.behind:
            continue
        for one in (force.group, group):
            if one is not None and marker.hidden:
                one.ships, one.parts = _marked(one.ships), {}
        if group is not None and not group.number:
            group.name = force.marker
    hide_paths(state, known.enemy)


# --- what is drawn ----------------------------------------------------------------------------------------------


class OperationDraw(BattleDraw):
    """The secrets of the enemy in an operation, about to be filled in."""

    state: State

    def fill(self) -> bool:
        """First what is being fought, then the map."""
        self.moment = sortie_moment(self.state)
        self.dealt: dict[str, Fleet] = {}
        """By marker: the force of the scenario that it hides, if that is what is believed."""
        if self.public.belief is Belief.FORCES:
            dealt = dealt_to_markers(self.known, self.public, self.chance)
            if dealt is None:
                return False
            self.dealt = dealt
        fought = any([group.side == self.enemy and not group.shipless for group in self.state.battle.groups.values()])
        if (fought or self.known.behind) and not BattleDraw.fill(self):
            return False
        for group in [group for group in self.state.battle.groups.values() if group.number in self.known.unseen]:
            for key in group.parts if group.side == self.enemy else ():
                self.state.operation.fleet[key].group.parts = {key: dict(group.parts[key])}
        for key, marker in self.known.markers.items():
            if marker.hidden and not marker.fights and not self._draw_force(key, self.state.operation.fleet[key].group):
                return False
        for key in self.known.markers:
            self._draw_squadrons(key, self.state.operation.fleet[key])
        draw_paths(self.state, self.enemy, self.chance)
        self._draw_withheld()
        return True

    # --- in a battle --------------------------------------------------------------------------------------------

    def draw_ships(self) -> bool:
        """Which forces are behind which numbers, and what they hold; what those hold that wait."""
        waiting = {
            key: group
            for key, group in self.state.battle.groups.items()
            if group.side == self.enemy and not group.number
        }
        for key in [key for key in waiting if key in self.known.markers and self.known.markers[key].hidden]:
            if not self._draw_force(key, waiting[key]):
                return False
        return self.deal_forces(self.chance.sample(self.known.behind, len(self.known.behind)))

    def deal_forces(self, forces: Sequence[str]) -> bool:
        """Put forces behind the numbers of groups that nobody has seen, at least one behind each."""
        numbers = self.known.unseen
        if len(forces) < len(numbers):
            return False
        parts = {number: [key] for number, key in zip(numbers, forces, strict=False)}
        for key in forces[len(numbers) :] if numbers else ():
            parts[self.chance.choice(numbers)].append(key)
        return all([self._make_up(number, keys) for number, keys in parts.items()])

    def in_order(self, keys: Iterable[str]) -> list[str]:
        return sorted(keys, key=lambda key: (self.state.operation.fleet[key].group.place, key))

    def _make_up(self, number: int, keys: list[str]) -> bool:
        """Some forces are a combat group together."""
        keys = self.in_order(keys)
        group, markers = self.called_after(keys, number), [self.known.markers[key] for key in keys]
        missions = [marker.activity for marker in markers if marker.activity in (*HAMPERING, *CARGO_MISSIONS)]
        group.activity = next(iter(missions), markers[0].activity)
        for marker in markers:
            group.cargo, group.loads = group.cargo or marker.cargo, {**group.loads, **marker.loads}
            group.divisible = (*group.divisible, *marker.divisible)
        return self._share(group, keys)

    def called_after(self, keys: list[str], number: int) -> Group:
        """A combat group goes by the name of the first of the forces that make it up."""
        state, group = self.state, self.state.battle.groups.pop(name_of(self.enemy, number))
        forces = [state.operation.fleet[key] for key in keys]
        rename(state, {name_of(self.enemy, number): keys[0]})
        for strike in state.operation.attack.strikes if state.operation.attack else ():
            strike.target = keys[0] if strike.target == name_of(self.enemy, number) else strike.target
        state.battle.groups[keys[0]] = group
        group.name = " and ".join([force.marker for force in forces])
        group.task_force = any([force.group.task_force for force in forces])
        group.origin, group.place = forces[0].base, forces[0].group.place
        return group

    def _share(self, group: Group, keys: list[str]) -> bool:
        """The ships of a group: those of open forces, then of hidden ones, the last so that all fits what was told."""
        known = self.known.markers
        hidden = [key for key in keys if known[key].hidden]
        group.parts = {key: dict(known[key].ships) for key in keys}
        for key in hidden:
            others = combined([group.parts[other] for other in keys if other != key])
            told = self.told_of(group) if key == hidden[-1] else Told()
            own = self._force_fleet(key, told, others)
            if own is None:
                return False
            group.parts[key] = own
            self.taken |= {which.id for which in own if which.named}
        group.ships = combined(group.parts.values())
        return True

    def wound(self, group: Group) -> None:
        group.parts = {key: self._wounded_force(key, one) for key, one in group.parts.items()}
        group.ships = combined(group.parts.values())

    def _wounded_force(self, key: str, ships: Fleet) -> Fleet:
        """Some hits, unless the force was seen, or has shown itself to be fast: damaged ships are slow."""
        marker = self.known.markers[key]
        return self.wounded(ships) if marker.hidden and marker.slow is not False else ships

    def redraw(self, group: Group) -> None:
        keys = [*group.parts]
        self.taken -= {which.id for which in group.ships if which.named}
        before, parts = group.ships, group.parts
        if not self._share(group, keys):
            group.ships, group.parts = before, parts
        self.taken |= {which.id for which in group.ships if which.named}

    def draw_departed(self) -> None:
        """They are as they are, but for their squadrons."""
        for group in self.state.battle.withdrawn(self.enemy).values():
            for country, (sound, damaged) in decks(group.ships).items():
                group.air = merged(group.air, self.some(country, sound + damaged))

    def draw_returned(self) -> None:
        """Carriers that leave for want of escorts have markers of their own when the battle is over."""

    # --- on the map ---------------------------------------------------------------------------------------------

    def _draw_force(self, key: str, group: Group) -> bool:
        drawn = self._force_fleet(key, Told(small=False), {})
        if drawn is None:
            return False
        own = self._wounded_force(key, drawn)
        self.sail(group, own if self._has_room(key, own) else drawn)
        if key in self.state.battle.groups:
            group.parts = {key: dict(group.ships)}
            self.state.operation.fleet[key].group.parts = {key: dict(group.ships)}
        return True

    def _force_fleet(self, key: str, told: Told, others: Fleet) -> Fleet | None:
        """Ships that a TF marker may hide, if it sails together with others: they would be a task force, of the same
        nations, and as fit for what it has done."""
        marker, force = self.known.markers[key], self.state.operation.fleet[key]
        voyage, options = self.state.operation.voyages.get(force.voyage), self.state.setting.options
        activity = voyage.activity if voyage else Activity.PATROL if force.patrol else None
        barred = {Kind.CVE} if activity in BARRED_TO_CVES else set()
        if marker.light:
            barred = {kind for kind in Kind if kind not in (Kind.CRUISER, Kind.DESTROYER)}

        def fits(fleet: Fleet) -> bool:
            own = _less(fleet, others)
            if not own or task_force_faults(own, options) or _marked(own) != marker.ships:
                return False
            if {which.nation for which in own} != set(marker.nations) or not self._has_room(key, own):
                return False
            if marker.slow not in (None, is_slow(own)) or marker.light not in (None, light_only(own)):
                return False
            return marker.large in (None, sum(own.values()) >= MOST_RAIDERS)

        if self.dealt:
            whole = merged(self.dealt[key], others)
            return self.dealt[key] if meets(whole, told) and fits(whole) else None
        there = tuple(merged(marker.ships, others).items())
        wanted = Wanted(marker.nations, told=told, barred=tuple(sorted(barred)), besides=there, unladen=True)
        fleet = self.pick(wanted._replace(fast=marker.slow is False), fits)
        return None if fleet is None else _less(fleet, others)

    def _has_room(self, key: str, own: Fleet) -> bool:
        """Whether its port holds these ships, and its carriers the squadrons that have shown themselves."""
        force = self.state.operation.fleet[key]
        room = {country: sum(both) for country, both in decks(own).items()}
        for air in (force.ashore, self._away(key)):
            for which, number in air.items():
                room[which.nation] = room.get(which.nation, 0) - number
        if min(room.values(), default=0) < 0:
            return False
        if not force.in_port or key in self.state.battle.groups:
            return True
        before, force.group.ships = force.group.ships, own
        full = excess(self.state, force.base)
        force.group.ships = before
        return not full

    def _away(self, key: str) -> Force:
        """The squadrons of a force that are away against a base, or over land."""
        state, away = self.state, dict[str, Force]()
        if state.operation.base_strike is not None:
            away = state.operation.base_strike.launched
        flown: Force = away.get(key, {})
        if state.turn_if_any is not None:
            flown = merged(flown, state.turn.back_aboard.get(key, {}))
            for flight in state.turn.flights:
                flown = merged(flown, flight.air) if flight.from_ship == key else flown
        return flown

    def _draw_squadrons(self, key: str, force: NavalForce) -> None:
        """As many as its carriers hold, or fewer."""
        if force.ashore or not force.group.ships:
            return
        away, home = self._away(key), at_sea(self.enemy)
        if self.state.turn_if_any is not None:
            force.group.air = dict(self.state.turn.back_aboard.get(key, {}))
        for country, (sound, damaged) in decks(force.group.ships).items():
            left = sound - sum([number for which, number in away.items() if which.nation == country])
            force.group.air = merged(force.group.air, self.some(country, left))
            number = self.chance.randint(0, damaged)
            force.grounded = merged(force.grounded, some_squadrons(self.state, country, home, number, self.chance))

    def _draw_withheld(self) -> None:
        """22.26D: who was on the way to intercept may keep all ships of a group back, or none."""
        frames = of_battle(self.state.frames)
        if self.state.scene.withholder != self.enemy or not frames or frames[0].is_at(combat_groups):
            return
        for group in self.state.battle.present(self.enemy):
            if self.chance.random() < WITHHELD:
                group.withheld = sound_ships(group)
                group.rested = dict(group.withheld) if self.state.battle.round > max(1, group.since) else {}


def _less(fleet: Fleet, others: Fleet) -> Fleet:
    left = {which: number - others.get(which, 0) for which, number in fleet.items()}
    return {which: number for which, number in left.items() if number}
