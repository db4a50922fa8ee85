"""How all that the enemy keeps secret in a naval battle is drawn: after his ships, the squadrons aboard, patrols, over
which groups air cover flies, and carriers that returned to port."""

from __future__ import annotations

from collections.abc import Sequence

from flagplot.awaw.air_units import Force, add, take
from flagplot.awaw.battle.air_plan import patrol_limit
from flagplot.awaw.battle.decks import damaged_decks, sound_decks, squadrons_by_nation
from flagplot.awaw.battle.groups import facts_of
from flagplot.awaw.counting import Counts, merged
from flagplot.awaw.knowledge.battle_ships import ShipsDraw
from flagplot.awaw.knowledge.fleets import built
from flagplot.awaw.knowledge.habits import patrol
from flagplot.awaw.knowledge.squadrons import aloft, some_squadrons, squadron
from flagplot.awaw.ships import decks, named_ships
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.setting import at_sea

FULL_DECKS = 0.95
"""How often a group is taken to have begun the round with as many squadrons as its decks hold: squadrons are mostly
lost with their carriers."""


class BattleDraw(ShipsDraw):
    """The secrets of the enemy in a battle, about to be filled in."""

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
        shown = merged(aloft(self.state, self.enemy), self._returned())
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
        """Squadrons that are back from a base: as many as there are decks for, beside those still in the air, since
        carriers may have been sunk meanwhile."""
        room, away = sound_decks(groups), Counts(squadrons_by_nation(aloft(self.state, self.enemy)))
        back: Force = {}
        for which, number in self._returned().items():
            if (fits := min(number, room[which.nation] - away[which.nation])) > 0:
                back[which] = fits
                away[which.nation] += fits
        return back

    def _draw_patrols(self) -> None:
        """23.33: squadrons that have not flown, up to a third of those that a group may have had."""
        back = self._returned() if self.moment.mustered else {}
        for group in self.state.battle.present(self.enemy):
            source = self.site.air if self.moment.mustered else group.air
            least, room = sum(group.patrol.values()), sum(sound_decks([group]).values())
            most = patrol_limit(room if self.moment.mustered else sum(source.values()))
            group.third = max(
                least, most if not self.moment.mustered or self._perhaps(FULL_DECKS) else self.chance.randint(0, most)
            )
            wanted = patrol(least, group.third, self.chance)
            for which in self.chance.sample(list(source), len(source)):
                able = source[which] - back.get(which, 0)
                some = min(able, wanted - sum(group.patrol.values()))
                if some > 0:
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
