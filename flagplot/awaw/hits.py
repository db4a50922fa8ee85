"""Effects of attacks on ships (20.5): who takes the hits, who is damaged and who sinks.

A named ship is a target of its own. The light ships of a fleet are one target, and the hits on it are shared out: first
between cruisers and one-factor units (20.551), then among the types of each (20.57). Both are reckoned over a whole
attack, which is an air strike, the attack of a submarine, or all the fire of one engagement; its `Tally` lasts as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter

from flagplot.awaw.counting import Counts, add, take
from flagplot.awaw.options import Options
from flagplot.awaw.ships import EMPTY, NAMES, Fleet, Kind, Ship, struck
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.effects import Effect
from flagplot.kernel.requests import Choose, Faces, Roll, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words


@rule("T23.44-08", "T22.55-08", "23.443A.1", "23.443A.3", "23.444")
def hit_named(fleet: Fleet, which: Ship, hits: int) -> Ship | None:
    """T23.44-08, 23.443A: give a named ship, or one cruiser, of a fleet so many hits: the ship as it is then, or
    nothing if it sank. Sunk ships leave the fleet at once."""
    take(fleet, which, 1)
    after = struck(which, hits)
    if after is not None:
        add(fleet, after, 1)
    return after


Sinks = Callable[[int], int]
"""How many factors some hits sink; one object for equal cases, by which it is remembered what dice come to."""


@lru_cache(maxsize=1024)
def sinks_named(which: Ship) -> Sinks:
    """How many factors hits on a named ship sink."""
    return lambda hits: which.size if which.hits + hits >= which.size else 0


# --- light ships ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Tally:
    """What one attack has done to light ships so far."""

    one_factor_hits: int = 0
    """Hits on destroyers, CVEs and transports; each has sunk one."""
    cruiser_hits: int = 0
    cruiser_factors_sunk: int = 0
    taken: dict[str, int] = field(default_factory=dict)
    """Hits on each type."""


@rule("23.443A.1", "T23.44-09", "T22.55-09", "T23.44-10", "T22.55-10", "T23.44-11", "T22.55-11")
def hit_light(side: str, fleet: Fleet, hits: int, tally: Tally, options: Options) -> Script[Fleet]:
    """20.55: deal hits to the light ships of a fleet; `side`, the owner, decides what is left open. What was sunk.

    Fleet and tally are changed in place. Hits that find no light ship are wasted.
    """
    sunk: Fleet = {}
    others: Fleet = {}
    for which, number in fleet.items():
        if which.light and which.size == 1:
            others[which] = number
    on_cruisers, on_others = split(hits, _blows(fleet, options), sum(others.values()), tally)
    if on_cruisers:
        yield from _hit_cruisers(side, fleet, on_cruisers, tally, sunk, options)
    if on_others:
        yield from _sink_others(side, fleet, others, on_others, tally, sunk, options)
    return sunk


@rule("T23.44-11", "T22.55-11")
def split(hits: int, blows: Sequence[int], one_factor: int, tally: Tally) -> tuple[int, int]:
    """20.551: how many hits fall on cruisers and how many on one-factor units; `blows` holds for each hit that the
    cruisers can take the factors that it sinks.

    They take them in turn, cruisers first, but no more one-factor units sink than cruiser factors have been sunk, as
    long as there are cruisers. When one kind is gone the other takes all.
    """
    on_cruisers = on_others = 0
    factors_sunk = tally.cruiser_factors_sunk
    for _ in range(hits):
        their_turn = tally.one_factor_hits + on_others < min(factors_sunk, tally.cruiser_hits + on_cruisers)
        afloat = on_cruisers < len(blows)
        if on_others < one_factor and (their_turn or not afloat):
            on_others += 1
        elif afloat:
            factors_sunk += blows[on_cruisers]
            on_cruisers += 1
    return on_cruisers, on_others


def sinks_light(fleet: Fleet, tally: Tally, options: Options) -> Sinks:
    """How many factors hits on the light ships of a fleet sink, as things stand."""
    one_factor = sum([number for which, number in fleet.items() if which.light and which.size == 1])
    so_far = tally.one_factor_hits, tally.cruiser_hits, tally.cruiser_factors_sunk
    return _sinks_light(tuple(_blows(fleet, options)), one_factor, *so_far)


@lru_cache(maxsize=4096)
def _sinks_light(blows: Sequence[int], one_factor: int, on_one_factor: int, on_cruisers: int, sunk: int) -> Sinks:
    tally = Tally(on_one_factor, on_cruisers, sunk)

    def sinks(hits: int) -> int:
        on_cruisers, on_others = split(hits, blows, one_factor, tally)
        return sum(blows[:on_cruisers]) + on_others

    return sinks


def _blows(fleet: Fleet, options: Options) -> list[int]:
    """The factors that each hit on the cruisers of a fleet sinks, in turn: two if it finds a damaged one."""
    damaged = sound = 0
    for which in _cruisers(fleet):
        if which.damaged:
            damaged += fleet[which]
        else:
            sound += fleet[which]
    return [2] * damaged + [0, 2] * sound if options.damaged_cruiser_first else [0] * sound + [2] * (sound + damaged)


def _cruisers(fleet: Fleet) -> list[Ship]:
    """The light ships of two factors; all others have one (20.11)."""
    return [which for which in fleet if which.light and which.size == 2]


@rule("T23.44-09", "T22.55-09", "23.45")
def _hit_cruisers(side: str, fleet: Fleet, hits: int, tally: Tally, sunk: Fleet, options: Options) -> Script[None]:
    """T23.44-09: hits on cruisers finish a damaged one first, so that an odd hit leaves one damaged (by option they
    damage a sound one while there is any); 23.45: nations take them by equal shares."""
    numbers: dict[str, int] = {}
    for which in _cruisers(fleet):
        numbers[which.tag] = numbers.get(which.tag, 0) + fleet[which]
    tally.cruiser_hits += hits
    while hits:
        able = _in_line(fleet, options)
        level = _least_hit(list(able), tally.taken)
        blow = able[level[0]].size - able[level[0]].hits if options.damaged_cruiser_first else 1
        if blow * len(level) > hits:
            level = [(yield from _first(side, level, numbers, {key: able[key].drm for key in level}))]
        for key in level:
            some = min(blow, hits)
            hits -= some
            tally.taken[key] = tally.taken.get(key, 0) + some
            if hit_named(fleet, able[key], some) is None:
                tally.cruiser_factors_sunk += able[key].size
                add(sunk, able[key].bearing(0), 1)


def _in_line(fleet: Fleet, options: Options) -> dict[str, Ship]:
    """For each type the cruiser that takes the next hit on it: all of them damaged, or all sound."""
    cruisers = sorted(_cruisers(fleet), key=attrgetter("drm"), reverse=True)
    wanted = [which for which in cruisers if which.damaged is options.damaged_cruiser_first]
    return {which.tag: which for which in wanted or cruisers}


@rule("T23.44-10", "T22.55-10", "23.45")
def _sink_others(
    side: str, fleet: Fleet, others: Fleet, hits: int, tally: Tally, sunk: Fleet, options: Options
) -> Script[None]:
    """T23.44-10: a one-factor unit sinks with every hit; 23.45: the types take them by equal shares, or by option
    as the owner likes."""
    tally.one_factor_hits += hits
    for types in _types(others, options):
        numbers = {key: sum(members.values()) for key, members in types.items()}
        some = min(hits, sum(numbers.values()))
        hits -= some
        if not some:
            continue
        if options.one_factor_losses == "owner":
            losses = yield from _as_the_owner_likes(side, numbers, some)
        else:
            losses = yield from _by_equal_shares(side, types, numbers, some, tally)
        for key, lose in losses.items():
            if lose:
                tally.taken[key] = tally.taken.get(key, 0) + lose
                yield from _sink(side, fleet, types[key], lose, sunk)


def _types(others: Fleet, options: Options) -> list[dict[str, Fleet]]:
    """20.58B: the types of one-factor units; after those that lose ships first, those that lose them only when all the
    others are gone.

    What cargo does is an assumption: laden ships are types of their own, or by option of one type with the free ones,
    and the owner says which are hit, or they come after all free ships. Ships on cargo duty without cargo are of one
    type with the free ones.
    """
    free: dict[str, Fleet] = {}
    laden: dict[str, Fleet] = {}
    for which, number in others.items():
        apart = which.laden and options.cargo_hits != "owner"
        key = which.tag if apart else f"{which.nation}:{which.kind}"
        types = laden if which.laden and options.cargo_hits == "cargo-last" else free
        types.setdefault(key, {})[which] = number
    return [free, laden]


@rule("23.45")
def _by_equal_shares(
    side: str, types: Mapping[str, Fleet], numbers: Mapping[str, int], hits: int, tally: Tally
) -> Script[dict[str, int]]:
    """23.45: the losses of types of which there are so many: one at a time, to the type that has lost fewest so far."""
    if len(types) < 2:
        return dict.fromkeys(types, hits)
    drms = {key: min([which.drm for which in members]) for key, members in types.items()}
    losses = dict.fromkeys(numbers, 0)
    taken = Counts(tally.taken)
    while hits:
        level = _least_hit([key for key in numbers if losses[key] < numbers[key]], taken)
        takers = level if len(level) <= hits else [(yield from _first(side, level, numbers, drms))]
        for key in takers:
            losses[key] += 1
            taken[key] += 1
        hits -= len(takers)
    return losses


def _as_the_owner_likes(side: str, numbers: Mapping[str, int], hits: int) -> Script[dict[str, int]]:
    """23.45, by option: the owner says of which type each loss is."""
    if hits == sum(numbers.values()):
        return dict(numbers)
    losses = dict.fromkeys(numbers, 0)
    for _ in range(hits):
        able = [key for key in numbers if losses[key] < numbers[key]]
        key = (yield _which(side, able, "Choose light ships for the next hit", "23.45")) if len(able) > 1 else able[0]
        losses[key] += 1
    return losses


def _least_hit(keys: list[str], taken: Mapping[str, int]) -> list[str]:
    """Those of the types that have taken fewest hits in this attack."""
    if len(keys) < 2:
        return keys
    least = min([taken.get(key, 0) for key in keys])
    return [key for key in keys if taken.get(key, 0) == least]


@rule("23.45")
def _first(side: str, keys: list[str], numbers: Mapping[str, int], drms: Mapping[str, int]) -> Script[str]:
    """23.45, as 19.61-19.62 have it for air units: the odd hit falls on the type that was most numerous as the attack
    began, then on the lower DRM, then as the owner says."""
    best = min([(-numbers[key], drms[key]) for key in keys])
    equals = [key for key in keys if (-numbers[key], drms[key]) == best]
    if len(equals) == 1:
        return equals[0]
    chosen: str = yield _which(side, equals, "Equal light ships: which take the hit?", "23.45")
    return chosen


def _sink(side: str, fleet: Fleet, members: Iterable[Ship], lose: int, sunk: Fleet) -> Script[None]:
    """Sink one-factor units of a type: the owner says whether those on cargo duty, and the lower DRM comes first."""
    ranked = sorted(members, key=attrgetter("drm"))
    while lose:
        able = [which for which in ranked if which in fleet]
        tags = list(dict.fromkeys([which.tag for which in able]))
        which, some = able[0], min(lose, fleet[able[0]])
        if len(tags) > 1 and lose < sum([fleet[other] for other in able]):
            chosen: str = yield _which(side, tags, "Choose ships to take the hit", "23.43B")
            which, some = next(other for other in able if other.tag == chosen), 1
        take(fleet, which, some)
        add(sunk, which, some)
        lose -= some


def _which(side: str, keys: list[str], question: Words, number: str) -> Choose[str]:
    return Choose(side, "hit", keys, question, _words, number)


def _words(key: str) -> Words:
    country, kind, *duty = key.split(":")
    what = {"laden": " with cargo", "empty": f" {EMPTY}"}[duty[0]] if duty else ""
    return ("{} {}s{}", nation(country).adjective, NAMES[Kind(kind)], what)


# --- critical hits ----------------------------------------------------------------------------------------------


class Critical(StrEnum):
    """20.524: what the die for a critical hit says."""

    SUNK = "sunk"
    DESTROYED = "destroyed"
    """In port, where a ship that is sunk lies on the bottom and could be raised (23.443B)."""
    NOTHING = "no effect"

    def effect(self) -> Effect:
        return Effect(Fraction(self is not Critical.NOTHING), "critical hits")


_CRITICAL_FROM = {"on-6": (6, "a 6"), "on-5-6": (5, "a 5 or 6")}


@rule("T23.7413-07")
def critical_roll(side: str, which: Ship, options: Options) -> Roll[Critical] | None:
    """T23.7413-07: the die for a named ship that an attack of surprise level 7 or more has damaged, if one is rolled.

    What it does (20.524) could not be read: that a 6 sinks the ship is an assumption, and the purpose says so.
    """
    return _critical(side, which, options, Critical.SUNK, "sinks", "T23.7413-07") if which.damaged else None


@rule("23.443B.1", "23.443B.2")
def destroying_roll(side: str, which: Ship, options: Options) -> Roll[Critical] | None:
    """23.443B: the die for a named ship that was sunk in port: by assumption a 6 destroys it (20.524), else it lies
    where it is."""
    return _critical(side, which, options, Critical.DESTROYED, "is destroyed", "23.443B")


def _critical(
    side: str, which: Ship, options: Options, worst: Critical, what: str, number: str
) -> Roll[Critical] | None:
    if options.critical_hits == "never" or not which.named:
        return None
    least, faces = _CRITICAL_FROM[options.critical_hits]

    def reads(rolled: Faces) -> Critical:
        return worst if rolled[0] >= least else Critical.NOTHING

    purpose = ("critical hit on {} ({} on {}; 20.524, by assumption)", which.name, what, faces)
    return Roll(side, 1, purpose, reads, number)
