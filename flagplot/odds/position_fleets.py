"""All fleets that an unseen combat group may have, each as likely as any other.

They are far too many to list: whatever named ships of the enemy are not known to be elsewhere, and any light ships, up
to the 25 factors of a combat group (22.421A), as far as they fit what the owner told when it was found (22.452B). They
are counted instead, kind by kind; and from the counts one of them is drawn so that all are equally likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple, TypeVar

from flagplot.awaw.counting import add
from flagplot.awaw.ships import Fleet, Kind, NamedShip, Ship, named_ships, ship
from flagplot.awaw.state.battle import Facts
from flagplot.awaw.state.setting import Setting, naval_ledger
from flagplot.awaw.task_forces import LEAST, MOST, surplus_carriers

T = TypeVar("T")

MOST_CARRIERS = 6
"""In a group of which nothing is known; of a found one their number is told."""
MOST_IDLE = 6
"""The most transports: they do not count in the size of a group."""
TRIES = 200


class _Sum(NamedTuple):
    """What matters of some of the ships."""

    factors: int
    carriers: int
    slow: bool
    laden: bool


NO_SHIPS = _Sum(0, 0, False, False)


class _Kind(NamedTuple):
    """One named ship, or light ships of one kind."""

    which: Ship
    most: int


def rated(setting: Setting, which: Ship) -> Ship:
    """A ship with its DRM in this battle (22.552A)."""
    drm = naval_ledger(setting, which).total
    rated = ship(which.nation, which.kind, which.id, which.size, which.striped, drm, which.laden, which.hits)
    return rated.carrying(empty=True) if which.empty else rated


def built(setting: Setting, found: NamedShip) -> Ship:
    return rated(setting, ship(found.nation, found.kind, found.id, found.factors, found.slow, 0))


LIGHT = (
    (Kind.CRUISER, 2, False, MOST // 2),
    (Kind.CVE, 1, False, 4),
    (Kind.DESTROYER, 1, False, MOST),
    (Kind.DESTROYER, 1, True, MOST),
    (Kind.TRANSPORT, 1, False, MOST_IDLE),
    (Kind.TRANSPORT, 1, True, MOST_IDLE),
)


class Fleets:
    """The fleets of some countries, without the ships that are elsewhere, that fit what was told."""

    def __init__(self, setting: Setting, side: str, elsewhere: frozenset[str], facts: Facts | None) -> None:
        self.setting = setting
        self.facts = facts
        self.kinds = [kind for kind in self._kinds(side, elsewhere) if self._may(kind.which)]
        self.counts = self._counted()
        last = self.counts[-1]
        self.ends = [(one, last[one]) for one in last if self._fits(one)]
        self.number = sum([ways for _, ways in self.ends])
        """How many there are, those among them whose carriers lack an escort."""

    def _kinds(self, side: str, elsewhere: frozenset[str]) -> list[_Kind]:
        countries = self.setting.nations[side]
        named = [built(self.setting, one) for one in named_ships().values() if one.nation in countries]
        kinds = [_Kind(which, 1) for which in named if which.id not in elsewhere]
        sailing = [country for country in countries if any(which.nation == country for which in named)]
        for country in sailing or countries:
            for kind, size, laden, most in LIGHT:
                kinds.append(_Kind(rated(self.setting, ship(country, kind, "", size, False, 0, laden)), most))
        return kinds

    def _may(self, which: Ship) -> bool:
        """22.452B: what was told may rule a kind of ship out."""
        facts = self.facts
        if facts is None:
            return True
        if which.fast_carrier and not facts.carriers:
            return False
        return (facts.slow or not which.slow) and (facts.cargo or not which.laden)

    def _fits(self, one: _Sum) -> bool:
        facts = self.facts
        if one == NO_SHIPS:
            return False
        if facts is None:
            return True
        if (one.factors < LEAST) != facts.small or one.carriers != facts.carriers:
            return False
        return facts.slow == (one.slow or one.laden) and facts.cargo == one.laden

    def _most_carriers(self) -> int:
        return self.facts.carriers if self.facts is not None else MOST_CARRIERS

    def _counted(self) -> list[dict[_Sum, int]]:
        """After each kind: in how many ways the kinds so far come to each sum."""
        counts: list[dict[_Sum, int]] = [{NO_SHIPS: 1}]
        for kind in self.kinds:
            after: dict[_Sum, int] = {}
            for before, ways in counts[-1].items():
                for number in range(kind.most + 1):
                    found = self._added(before, kind.which, number)
                    if found is None:
                        break
                    after[found] = after.get(found, 0) + ways
            counts.append(after)
        return counts

    def _added(self, before: _Sum, which: Ship, number: int) -> _Sum | None:
        if not number:
            return before
        size, carriers = before.factors + number * which.weight, before.carriers + which.fast_carrier
        if size > MOST or carriers > self._most_carriers():
            return None
        return _Sum(size, carriers, before.slow or which.slow, before.laden or which.laden)

    def draw(self, chance: Random) -> Fleet | None:
        """One of them; nothing if there is none."""
        for _ in range(TRIES if self.number else 0):
            fleet = self._drawn(chance)
            escorted = self.setting.options.task_force_escort != "fast-fleet" or not surplus_carriers(fleet)
            if fleet and escorted:
                return fleet
        return None

    def _drawn(self, chance: Random) -> Fleet:
        """Backwards through the counts: how many there are of the last kind, of the one before it, and so on."""
        here = _pick(self.ends, chance)
        fleet: list[tuple[Ship, int]] = []
        for kind, before in zip(reversed(self.kinds), reversed(self.counts[:-1]), strict=True):
            able = self._sources(kind, before, here)
            (here, number) = _pick(able, chance)
            if number:
                fleet.append((kind.which, number))
        made: Fleet = {}
        for which, number in fleet:
            add(made, which, number)
        return made

    def _sources(self, kind: _Kind, before: dict[_Sum, int], after: _Sum) -> list[tuple[tuple[_Sum, int], int]]:
        """The sums before a kind, and how many of it were added, that lead to one after it."""
        which, able = kind.which, []
        for number in range(kind.most + 1):
            size, carriers = after.factors - number * which.weight, after.carriers - which.fast_carrier * bool(number)
            if size < 0 or carriers < 0:
                break
            for slow in (False, True):
                for laden in (False, True):
                    one = _Sum(size, carriers, slow, laden)
                    if one in before and self._added(one, which, number) == after:
                        able.append(((one, number), before[one]))
        return able


def _pick(able: Sequence[tuple[T, int]], chance: Random) -> T:
    """One of some things, as likely as its ways are many. The numbers are too large for floats."""
    left = chance.randrange(sum([ways for _, ways in able]))
    for thing, ways in able:
        left -= ways
        if left < 0:
            return thing
    raise AssertionError


@lru_cache(maxsize=32)
def _fleets(key: tuple[str, frozenset[str], Facts | None], setting: _Shared) -> Fleets:
    return Fleets(setting.setting, *key)


class _Shared:
    """A setting as a key: it is one object for all states of a game."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shared) and other.setting is self.setting

    def __hash__(self) -> int:
        return id(self.setting)


def fleets(setting: Setting, side: str, elsewhere: frozenset[str], facts: Facts | None) -> Fleets:
    """The fleets that fit; counted once."""
    return _fleets((side, elsewhere, facts), _Shared(setting))
