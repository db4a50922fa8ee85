"""All fleets that an unseen force may have, each as likely as any other, or by weights.

They are far too many to list: whatever named ships of the enemy are not known to be elsewhere, and any light ships, up
to the 25 factors of a combat group (22.421A), as far as they fit what is known, say from what the owner told when it
was found (22.452B). They are counted instead, kind by kind; and from the counts one of them is drawn, so that all are
equally likely, or some ships rarer than others (`Likely`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from random import Random
from typing import NamedTuple, TypeAlias, TypeVar

from flagplot.awaw.counting import add, merged
from flagplot.awaw.ships import Fleet, Kind, NamedShip, Ship, carriers, factors, is_slow, named_ships, ship
from flagplot.awaw.state.battle import Facts
from flagplot.awaw.state.setting import Setting, naval_ledger
from flagplot.awaw.task_forces import LEAST, MOST, surplus_carriers

T = TypeVar("T")

MOST_CARRIERS = 6
"""In a group of which nothing is known; of a found one their number is told."""
MOST_IDLE = 6
"""The most transports: they do not count in the size of a group."""
TRIES = 200


class Told(NamedTuple):
    """What is known of a fleet, as of a found group (22.452B); None for what is not known."""

    small: bool | None = None
    carriers: int | None = None
    slow: bool | None = None
    cargo: bool | None = None


class Likely(NamedTuple):
    """Which ships may be there, and how likely they are."""

    pool: frozenset[str] | None = None
    """The named ships that may be in the enemy's forces; all of his nations if nothing is said."""
    against: int = 1
    """How much likelier it is that a named ship, an escort carrier, a transport or cargo is missing from a fleet than
    that it is there; 1 makes all fleets equally likely."""
    light: tuple[tuple[str, Kind, int], ...] | None = None
    """The most light ships of each nation and kind that may be there; without it, any number."""


class _Sum(NamedTuple):
    """What matters of some of the ships."""

    factors: int
    carriers: int
    slow: bool
    laden: bool


NO_SHIPS = _Sum(0, 0, False, False)


def _meets(one: _Sum, told: Told) -> bool:
    if told.small not in (None, one.factors < LEAST) or told.carriers not in (None, one.carriers):
        return False
    return told.slow in (None, one.slow or one.laden) and told.cargo in (None, one.laden)


def meets(fleet: Fleet, told: Told) -> bool:
    """Whether these ships are as was told."""
    laden = any([which.laden for which in fleet])
    return _meets(_Sum(factors(fleet), carriers(fleet), is_slow(fleet), laden), told)


_Kept: TypeAlias = tuple[int, bool, bool]
"""A sum without its factors."""
_Source: TypeAlias = tuple[tuple[_Sum, int], int]
"""A sum before a kind and how many of it were added; and in how many ways."""


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


def light_ship(setting: Setting, nation: str, kind: Kind) -> Ship:
    """A light ship of a kind, without cargo."""
    return rated(setting, ship(nation, kind, "", 2 if kind is Kind.CRUISER else 1, False, 0))


LIGHT = (
    (Kind.CRUISER, 2, False, MOST // 2),
    (Kind.CVE, 1, False, 4),
    (Kind.DESTROYER, 1, False, MOST),
    (Kind.DESTROYER, 1, True, MOST),
    (Kind.TRANSPORT, 1, False, MOST_IDLE),
    (Kind.TRANSPORT, 1, True, MOST_IDLE),
)


class Wanted(NamedTuple):
    """The fleets that are sought."""

    nations: tuple[str, ...]
    elsewhere: frozenset[str] = frozenset()
    """Named ships that are not among them, since they are elsewhere."""
    told: Told = Told()
    barred: tuple[Kind, ...] = ()
    """Kinds of ships that are not among them."""
    fast: bool = False
    """Whether no slow ship is among them."""
    unladen: bool = False
    """Whether they carry nothing."""
    besides: tuple[tuple[Ship, int], ...] = ()
    """Ships that are there in any case."""
    likely: Likely = Likely()


class Fleets:
    """The fleets of some countries, without the ships that are elsewhere, that fit what was told."""

    def __init__(self, setting: Setting, wanted: Wanted) -> None:
        self.setting = setting
        self.told = wanted.told
        self.besides = dict(wanted.besides)
        self.against = wanted.likely.against
        self.kinds = [kind for kind in self._kinds(wanted) if self._may(kind.which)]
        self.digit = prod([self._weight(kind.which, 0) + kind.most for kind in self.kinds]).bit_length()
        """Bits that hold any number of ways."""
        self.counts = self._counted()
        self.ends = list(self._ends())
        self.number = sum([ways for _, ways in self.ends])
        """How many there are, those among them whose carriers lack an escort."""
        self._found: list[dict[_Sum, tuple[list[_Source], int]]] = [{} for _ in self.kinds]
        """For each kind what `_sources` found before, and in how many ways in all: fleets are drawn again and again."""

    def _kinds(self, wanted: Wanted) -> list[_Kind]:
        countries, pool, limits = wanted.nations, wanted.likely.pool, wanted.likely.light
        able = None if limits is None else {(country, kind): number for country, kind, number in limits}
        named = [built(self.setting, one) for one in named_ships().values() if one.nation in countries]
        kinds = [
            _Kind(which, 1)
            for which in named
            if which.id not in wanted.elsewhere and (pool is None or which.id in pool)
        ]
        sailing = [country for country in countries if any(which.nation == country for which in named)]
        for country in sailing or countries:
            for kind, size, laden, most in LIGHT:
                if able is not None:
                    most = min(most, able.get((country, kind), 0))
                if not most:
                    continue
                kinds.append(_Kind(rated(self.setting, ship(country, kind, "", size, False, 0, laden)), most))
        return [
            one
            for one in kinds
            if one.which.kind not in wanted.barred
            and not (wanted.fast and one.which.slow)
            and not (wanted.unladen and one.which.laden)
        ]

    def _may(self, which: Ship) -> bool:
        """22.452B: what was told may rule a kind of ship out."""
        told = self.told
        if which.fast_carrier and told.carriers == 0:
            return False
        return (told.slow is not False or not which.slow) and (told.cargo is not False or not which.laden)

    def _fits(self, one: _Sum) -> bool:
        return one != NO_SHIPS and _meets(one, self.told)

    def _most_carriers(self) -> int:
        return self.told.carriers if self.told.carriers is not None else MOST_CARRIERS

    def _counted(self) -> list[dict[_Kept, int]]:
        """After each kind: in how many ways the kinds so far come to each sum. The ways to come to 0, 1, 2 … factors
        are the digits of one large number, so that all of them are counted at once when a ship is added."""
        there = self.besides
        kept = carriers(there), is_slow(there), any([which.laden for which in there])
        counts: list[dict[_Kept, int]] = [{kept: 1 << self.digit * factors(there)}]
        for kind in self.kinds:
            counts.append(self._counted_after(kind, counts[-1]))
        return counts

    def _counted_after(self, kind: _Kind, before: dict[_Kept, int]) -> dict[_Kept, int]:
        which, none = kind.which, self._weight(kind.which, 0)
        shifts = [self.digit * which.weight * number for number in range(1, kind.most + 1)]
        fitting = (1 << self.digit * (MOST + 1)) - 1
        after = {kept: ways * none for kept, ways in before.items()}
        for (number, slow, laden), ways in before.items():
            number += which.fast_carrier
            if number <= self._most_carriers():
                found = number, slow or which.slow, laden or which.laden
                some = sum([ways << shift for shift in shifts])  # much quicker than to multiply such numbers
                after[found] = after.get(found, 0) + (some & fitting)
        return after

    def _ways(self, place: int, one: _Sum) -> int:
        """In how many ways the kinds before a place come to a sum."""
        ways = self.counts[place].get((one.carriers, one.slow, one.laden), 0)
        return (ways >> self.digit * one.factors) & ((1 << self.digit) - 1)

    def _ends(self) -> Iterator[tuple[_Sum, int]]:
        """The sums of all kinds that fit, and their ways."""
        for kept, ways in sorted(self.counts[-1].items()):
            for size in range(ways.bit_length() // self.digit + 1):
                one = _Sum(size, *kept)
                if self._fits(one) and (found := self._ways(len(self.kinds), one)):
                    yield one, found

    def _weight(self, which: Ship, number: int) -> int:
        """What one kind adds to the weight of a fleet that has so many of it."""
        usual = which.kind in (Kind.CRUISER, Kind.DESTROYER) and not which.laden
        return 1 if number or usual else self.against

    def draw(self, chance: Random, fits: Callable[[Fleet], bool] = bool, tries: int = TRIES) -> Fleet | None:
        """One of them that fits in other ways too; nothing if none is found."""
        for _ in range(tries if self.number else 0):
            fleet = self._drawn(chance)
            escorted = self.setting.options.task_force_escort != "fast-fleet" or not surplus_carriers(fleet)
            if fleet and escorted and fits(fleet):
                return fleet
        return None

    def _drawn(self, chance: Random) -> Fleet:
        """Backwards through the counts: how many there are of the last kind, of the one before it, and so on."""
        here = _pick(self.ends, self.number, chance)
        fleet: list[tuple[Ship, int]] = []
        for place in range(len(self.kinds) - 1, -1, -1):
            found = self._found[place]
            if here not in found:
                able = self._sources(place, here)
                found[here] = able, sum([ways for _, ways in able])
            (here, number) = _pick(*found[here], chance)
            if number:
                fleet.append((self.kinds[place].which, number))
        made: Fleet = {}
        for which, number in fleet:
            add(made, which, number)
        return merged(made, self.besides)

    def _sources(self, place: int, after: _Sum) -> list[_Source]:
        """The sums before a kind, and how many of it were added, that lead to one after it."""
        kind = self.kinds[place]
        which, able = kind.which, []
        if ways := self._ways(place, after):
            able.append(((after, 0), ways * self._weight(which, 0)))
        carriers, weight = after.carriers - which.fast_carrier, self._weight(which, 1)
        if carriers < 0 or after.carriers > self._most_carriers() or after.factors > MOST:
            return able
        slows, ladens = _before(after.slow, which.slow), _before(after.laden, which.laden)
        most = min(kind.most, after.factors // which.weight) if which.weight else kind.most
        for number in range(1, most + 1):
            for slow, laden in product(slows, ladens):
                one = _Sum(after.factors - number * which.weight, carriers, slow, laden)
                if ways := self._ways(place, one):
                    able.append(((one, number), ways * weight))
        return able


def _before(after: bool, added: bool) -> tuple[bool, ...]:
    """Whether a fleet may have had something before a ship was added that has it or not."""
    return ((False, True) if after else ()) if added else (after,)


def _pick(able: Sequence[tuple[T, int]], total: int, chance: Random) -> T:
    """One of some things, as likely as its ways are many; `total` is their sum. They are too large for floats."""
    left = chance.randrange(total)
    for thing, ways in able:
        left -= ways
        if left < 0:
            return thing
    raise AssertionError


@lru_cache(maxsize=128)
def _fleets(wanted: Wanted, setting: _Shared) -> Fleets:
    return Fleets(setting.setting, wanted)


class _Shared:
    """A setting as a key: what matters here is how ships are rated, and what escort carriers need."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        options = setting.options
        self.key = (*sorted(setting.naval.items()), options.supply_and_oil, options.task_force_escort)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shared) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)


def fleets(setting: Setting, wanted: Wanted) -> Fleets:
    """The fleets that fit; counted once."""
    return _fleets(wanted, _Shared(setting))


def told_by(facts: Facts | None) -> Told:
    """What the facts of a group tell of its ships."""
    return Told() if facts is None else Told(*facts)
