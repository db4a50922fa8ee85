"""Who wins a battle of *Line of Battle*, over all dice, taken apart where the dice of one attack do not touch another.

In a round the results wait until both factions have attacked (LOB-04), so what becomes of a unit follows from the
attacks on it alone. Each unit that is attacked is followed by itself, by the scripts; how the round ends for all of
them is a product. Before the last round its ends are listed, likeliest first, since what the players decide next
depends on all of them. After the last round nobody decides anything: it is enough to know who still holds the line.

None of this is taken for granted. While targets are named, what dice have noted is `UNKNOWN`: a script or a player who
looks at it raises `Entangled`, and so does a unit whose results touch another. Then the battle must be followed as one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from typing import Any, NamedTuple

from flagplot.kernel.game import Player
from flagplot.kernel.plain_data import copy_of, key_of
from flagplot.kernel.replaying import through_segment
from flagplot.kernel.requests import Roll
from flagplot.kernel.ruleset import Ruleset
from flagplot.line_of_battle.attacks import attack_roll, attacks, roll_attacks, to_roll, waiting
from flagplot.line_of_battle.ending import holds, winner
from flagplot.line_of_battle.rounds import battle, day_or_night, other_attacks, phasing_attacks, take_effect
from flagplot.line_of_battle.state import Box, Marker, State
from flagplot.line_of_battle.units import Unit
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import CERTAIN, Found, Limits, Mass, Search


class Entangled(Exception):
    """Something follows from dice that were to be followed by themselves."""


class Unknown:
    """Stands for what dice decide that are followed elsewhere."""

    def _looked_at(self, *_: object) -> Any:
        raise Entangled

    __bool__ = __index__ = __add__ = __radd__ = __sub__ = __rsub__ = __str__ = _looked_at
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _looked_at
    __hash__ = object.__hash__


UNKNOWN: Any = Unknown()
GONE = Marker(box=Box.OUT, damaged=True, fate=UNKNOWN)
"""A unit that has left for good: how it went makes no difference to who wins."""

Noted = tuple[int, bool]
"""The damage points beside a unit, and whether it is disabled."""


class Attack(NamedTuple):
    """An attack that is to be rolled, and the position before any of its faction is."""

    border: State
    key: str
    roll: Roll[Any]

    @property
    def like(self) -> tuple[int, Any]:
        """The same for attacks whose dice are as many and read alike."""
        return self.roll.dice, self.roll.reads


def _target(attack: Attack) -> Unit:
    return attack.border.unit(attack.border.markers[attack.key].target)


class Fate(NamedTuple):
    """What may become of a unit in a round, and whether it still holds the line."""

    chance: Mass
    marker: Marker
    holds: bool


class Fought(NamedTuple):
    """A round in which all attacks are made."""

    quiet: State
    """The position before results take effect, if no attack had any."""
    fates: dict[str, list[Fate]]
    """By unit that was attacked."""


class Open(NamedTuple):
    """A position that is not followed yet."""

    chance: Mass
    state: State
    """What it has in common with other positions after the same round."""
    keys: tuple[str, ...] = ()
    markers: tuple[Marker, ...] = ()
    """What became of the units with these keys."""

    def position(self) -> State:
        state = copy_of(self.state)
        state.markers |= dict(zip(self.keys, map(copy_of, self.markers), strict=True))
        return state


class Over(NamedTuple):
    """An end of the battle."""

    chance: Mass
    side: str | None
    """Who has won, if anybody."""


def winners(
    ruleset: Ruleset[State], state: State, players: Mapping[str, Player], limits: Limits
) -> Found[str | None] | None:
    """The chances of each winner of a battle that stands at a border. Positions after a round count as states; if the
    limits do not allow all of them, the likeliest were followed. None if the battle cannot be taken apart."""
    if not battle.under_way(state.frames) or attacks.under_way(state.frames):
        return None
    try:
        return _followed(_Battle(ruleset, players), state, limits)
    except Entangled:
        return None


def _followed(fight: _Battle, state: State, limits: Limits) -> Found[str | None]:
    waiting: list[tuple[float, int, Open]] = [(-1.0, 0, Open(CERTAIN, state))]
    won: dict[str | None, Mass] = {}
    start, put, followed = time.monotonic(), 0, 0
    while waiting and followed < limits.states and time.monotonic() - start < limits.seconds:
        here = heappop(waiting)[-1]
        followed += 1
        for then in fight.follow(here):
            if isinstance(then, Open):
                put += 1
                heappush(waiting, (-then.chance.ways / 6**then.chance.power, put, then))
            else:
                won[then.side] = won[then.side] + then.chance if then.side in won else then.chance
    chances = {side: mass.fraction for side, mass in won.items()}
    return Found(Distribution(chances), followed, fight.search.ways, complete=not waiting)


class _Battle:
    """The steps of a battle, each of them run by the scripts and remembered where it comes again."""

    def __init__(self, ruleset: Ruleset[State], players: Mapping[str, Player]) -> None:
        self.ruleset, self.players = ruleset, players
        self.search: Search[State] = Search(ruleset, players)
        self._selected: dict[Any, list[tuple[Mass, State]]] = {}
        self._rolled: dict[Any, list[tuple[Mass, Noted]]] = {}
        self._noted: dict[Any, dict[Noted, Mass]] = {}
        self._results: dict[Any, tuple[Marker, bool]] = {}
        self._fates: dict[Any, list[Fate]] = {}
        self._resolved: dict[tuple[bool, bool], str | None] = {}

    def follow(self, here: Open) -> Iterator[Open | Over]:
        """What comes of a position after one round more."""
        for chance, then in self.to_the_attacks(here.position()):
            reached = here.chance.times(*chance)
            if not then.frames:
                yield Over(reached, winner(then))
            elif then.round == then.setting.rounds:
                for decided, side in self.decided(self.fight(then)):
                    yield Over(reached.times(*decided), side)
            else:
                yield from self.ends(reached, self.fight(then))

    # --- between the attacks ------------------------------------------------------------------------------------

    def to_the_attacks(self, state: State) -> Iterator[tuple[Mass, State]]:
        """From a border to where the next attacks begin, or to the end of the battle."""
        waiting = [(CERTAIN, state)]
        while waiting:
            chance, here = waiting.pop()
            if not here.frames or here.frames[-1].is_at(phasing_attacks):
                yield chance, here
            else:
                waiting += [(chance.times(*further), after) for further, after in self._through(here)]

    def _through(self, state: State) -> list[tuple[Mass, State]]:
        """All that can become of a state in its next segment, equal states taken together. Dice are rolled for day or
        night alone; units make no difference to that, and without them few states are left."""
        if not state.frames[-1].is_at(day_or_night):
            through_segment(self.ruleset, self.players, state)
            return [(CERTAIN, state)]
        markers, state.markers = state.markers, {}
        code = key_of(state)
        if code not in self._selected:
            found: dict[Any, tuple[Mass, State]] = {}
            for ways, dice, after in self.search.through(state):
                then, chance = key_of(after), Mass(ways, dice)
                found[then] = (found[then][0] + chance if then in found else chance, after)
            self._selected[code] = [*found.values()]
        return [(chance, _with_markers(after, markers)) for chance, after in self._selected[code]]

    # --- a round ------------------------------------------------------------------------------------------------

    def fight(self, state: State) -> Fought:
        """The attacks of both factions and their results."""
        if state.after:
            raise Entangled  # whether the night follows in the same round depends on who is left
        now, noted = copy_of(state), {key: _noted(marker) for key, marker in state.markers.items()}
        struck: dict[str, list[Attack]] = {}
        while not now.frames[-1].is_at(take_effect):
            if now.frames[-1].is_at(roll_attacks):
                self._put_off(now, struck)
            if _is_in_vain(now):
                now.frames[-1] = (other_attacks if now.frames[-1].is_at(phasing_attacks) else take_effect).start()
            else:
                through_segment(self.ruleset, self.players, now)
        for key in struck:
            _note(now.markers[key], noted[key])
        return Fought(now, {key: self._fates_of(now, key, on_it) for key, on_it in struck.items()})

    def ends(self, reached: Mass, fought: Fought) -> Iterator[Open]:
        """All positions after a round."""
        found: list[tuple[Mass, tuple[Marker, ...]]] = [(reached, ())]
        for fates in fought.fates.values():
            found = [(chance.times(*one.chance), (*markers, one.marker)) for chance, markers in found for one in fates]
        after, keys = self._effects(fought.quiet), tuple(fought.fates)
        for chance, markers in found:
            yield Open(chance, after, keys, markers)

    def _put_off(self, now: State, struck: dict[str, list[Attack]]) -> None:
        """Leave the attacks that are named for later; until then nobody knows what they do."""
        side, border = str(now.frames[-1].arguments[0]), copy_of(now)
        for key in to_roll(now, side):
            marker = now.markers[key]
            struck.setdefault(marker.target, []).append(Attack(border, key, attack_roll(now, side, key)))
            marker.attacked = True
        for key in struck:
            now.markers[key].points = now.markers[key].disabled = UNKNOWN

    def _fates_of(self, now: State, key: str, attacks: list[Attack]) -> list[Fate]:
        """What becomes of a unit: the same for all units like it after attacks like these, in whatever order, since
        their points add up."""
        like = now.unit(key)._replace(id="", name="", side=""), now.markers[key].damaged
        start, attacks = _noted(now.markers[key]), sorted(attacks, key=lambda attack: attack.roll.dice)
        code = (like, start, *[attack.like for attack in attacks])
        if code not in self._fates:
            found: dict[Any, Fate] = {}
            for noted, chance in self._notes(start, attacks).items():
                marker, stands = self._result(now, key, like, noted)
                which = key_of(marker)
                found[which] = Fate(found[which].chance + chance if which in found else chance, marker, stands)
            self._fates[code] = [*found.values()]
        return self._fates[code]

    def _notes(self, start: Noted, attacks: list[Attack]) -> dict[Noted, Mass]:
        """What is noted beside a unit after some attacks."""
        if not attacks:
            return {start: CERTAIN}
        code = (start, _target(attacks[0]).lba, *[attack.like for attack in attacks])
        if code not in self._noted:
            found: dict[Noted, Mass] = {}
            for before, chance in self._notes(start, attacks[:-1]).items():
                for further, then in self._rolls(attacks[-1], before):
                    mass = chance.times(*further)
                    found[then] = found[then] + mass if then in found else mass
            self._noted[code] = found
        return self._noted[code]

    def _rolls(self, attack: Attack, before: Noted) -> list[tuple[Mass, Noted]]:
        """What one attack notes beside its target, by the script of the attack."""
        target = attack.border.markers[attack.key].target
        code = (attack.like, _target(attack).lba, before)
        if code not in self._rolled:
            alone = copy_of(attack.border)
            _note(alone.markers[target], before)
            for other in to_roll(alone, str(alone.frames[-1].arguments[0])):
                alone.markers[other].attacked = other != attack.key
            found: dict[Noted, Mass] = {}
            for ways, dice, after in self.search.through(alone):
                then, mass = _noted(after.markers[target]), Mass(ways, dice)
                found[then] = found[then] + mass if then in found else mass
            self._rolled[code] = [(mass, then) for then, mass in found.items()]
        return self._rolled[code]

    def _result(self, now: State, key: str, like: tuple[Unit, bool], noted: Noted) -> tuple[Marker, bool]:
        """What notes beside a unit come to at the end of the round, and whether it still holds the line."""
        if (like, noted) not in self._results:
            struck, quiet = copy_of(now), self._effects(now)
            _note(struck.markers[key], noted)
            after = self._effects(struck)
            self._results[like, noted] = _merged(after, key), holds(after, key)
            after.markers[key] = quiet.markers[key]
            if key_of(after) != key_of(quiet):
                raise Entangled
        return self._results[like, noted]

    def _effects(self, state: State) -> State:
        """The position after step 4 and the end of the round."""
        after = copy_of(state)
        for _ in range(2):
            through_segment(self.ruleset, self.players, after)
        return after

    # --- the end ------------------------------------------------------------------------------------------------

    def decided(self, fought: Fought) -> Iterator[tuple[Mass, str | None]]:
        """Who wins after the last round: it is enough to know which factions still hold the line."""
        first, second = [self._holding(fought, side) for side in fought.quiet.setting.sides]
        for one, chance in first.items():
            for other, further in second.items():
                yield chance.times(*further), self._winner(fought, (one, other))

    def _holding(self, fought: Fought, side: str) -> dict[bool, Mass]:
        """Whether a faction still holds the line, with the chance of each."""
        none = CERTAIN
        for key in fought.quiet.of(side):
            gone = [fate.chance for fate in fought.fates.get(key, ()) if not fate.holds]
            if not gone and holds(fought.quiet, key):
                return {True: CERTAIN}
            if gone:
                none = none.times(*sum(gone[1:], gone[0]))
        if none.ways == 6**none.power:
            return {False: CERTAIN}
        return {False: none, True: Mass(6**none.power - none.ways, none.power)}

    def _winner(self, fought: Fought, holding: tuple[bool, bool]) -> str | None:
        """What the script says of a position in which these factions hold the line."""
        if holding not in self._resolved:
            state = self._effects(fought.quiet)
            of = dict(zip(state.setting.sides, holding, strict=True))
            for key, fates in fought.fates.items():
                fitting = [fate.marker for fate in fates if fate.holds == of[state.unit(key).side]]
                state.markers[key] = copy_of((fitting or [fates[0].marker])[0])
            while state.frames:
                through_segment(self.ruleset, self.players, state)
            self._resolved[holding] = winner(state)
        return self._resolved[holding]


def _is_in_vain(state: State) -> bool:
    """Whether a faction is about to attack in the last round and cannot drive the enemy from the line, since fewer of
    its units can attack than hold it. Who wins does not depend on its dice then."""
    if state.round < state.setting.rounds or not state.frames[-1].is_at(phasing_attacks, other_attacks):
        return False
    side = state.setting.phasing if state.frames[-1].is_at(phasing_attacks) else state.setting.other
    enemies = sum([holds(state, key) for key in state.of(state.setting.enemy(side))])
    return len(state.line(side)) < enemies or len(waiting(state, side)) < enemies


def _noted(marker: Marker) -> Noted:
    return marker.points, marker.disabled


def _note(marker: Marker, noted: Noted) -> None:
    marker.points, marker.disabled = noted


def _with_markers(state: State, markers: Mapping[str, Marker]) -> State:
    state = copy_of(state)
    state.markers = {key: copy_of(marker) for key, marker in markers.items()}
    return state


def _merged(state: State, key: str) -> Marker:
    """The marker of a unit after a round, the same for all that have left for good."""
    marker = state.markers[key]
    returns = marker.fate == "disabled" and state.setting.options.delay_box == "rejoin"
    return GONE if marker.box in (Box.DELAY, Box.OUT) and not returns else marker
