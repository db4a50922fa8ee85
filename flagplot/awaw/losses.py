"""Air losses from mixed forces (19.6): who takes the eliminations and aborts of a result.

Types are put in order once per result: the most numerous first, then the lower nationality, then as the owner says.
Eliminations, then aborts, are dealt to them one at a time in that order, round and round, passing over types that
have no unaffected unit left. Both printed examples follow from this (`docs/rulings.md`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from flagplot.awaw.air_units import ARMY_ROLES, UNITS, Arm, Flight, Role, name_of
from flagplot.awaw.tables.grids import AirResult
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.requests import Choose, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

Type = tuple[str, Arm, int]
"""19.61: units that count as one type when effects are shared: of one nation, arm and nationality DRM."""

Share = tuple[int, int]
"""Units eliminated and units aborted."""


@rule("19.61A", "19.61B", "19.61C", "17.57", "17.65.1", "19.65A", "23.154")
def type_of(flight: Flight) -> Type:
    """19.61: the type of a flight. Army air squadrons of one nation are one type whatever their role (19.65A)."""
    return flight[:3]


@rule("19.61", "19.63", "19.63#ex1", "19.65#ex1")
def deal(counts: Sequence[int], result: AirResult) -> list[Share]:
    """19.63: the shares of types that stand in this order: eliminations first, then aborts, one at a time."""
    unaffected = list(counts)
    shares = [[0, 0] for _ in counts]
    left, place = sum(counts), 0
    for effect, number in enumerate(result):
        for _ in range(min(number, left)):
            while not unaffected[place]:
                place = (place + 1) % len(unaffected)
            unaffected[place] -= 1
            left -= 1
            shares[place][effect] += 1
            place = (place + 1) % len(unaffected)
    return [(eliminated, aborted) for eliminated, aborted in shares]


class Plan(NamedTuple):
    """How a result falls on types, before the owner has said anything."""

    groups: tuple[tuple[tuple[int, ...], tuple[Share, ...]], ...]
    """Types that are equal in number and DRM, with the shares to be had among them."""
    settled: list[tuple[int, Share]] | None
    """Each type's place and share, if nothing is left to the owner."""


@lru_cache(maxsize=50_000)
@rule("19.61", "19.62")
def plan(types: tuple[tuple[int, int], ...], result: AirResult) -> Plan:
    """19.61-19.62: types, each a number of units and a DRM, in the order in which they take effects: the most numerous
    first, then the lower DRM. Types that are equal in both stand together."""
    ranked = sorted(range(len(types)), key=lambda place: (-types[place][0], types[place][1]))
    shares = deal([types[place][0] for place in ranked], result)
    groups: dict[tuple[int, int], list[tuple[int, Share]]] = {}
    for place, part in zip(ranked, shares, strict=True):
        groups.setdefault(types[place], []).append((place, part))
    left_open = any(len({part for _, part in group}) > 1 for group in groups.values())
    return Plan(
        tuple((tuple(p for p, _ in group), tuple(part for _, part in group)) for group in groups.values()),
        None if left_open else list(zip(ranked, shares, strict=True)),
    )


@rule("19.62")
def settle(side: str, keys: Sequence[Type | Role], open_plan: Plan) -> Script[list[tuple[int, Share]]]:
    """19.62: among types equal in number and DRM the owner says who comes first."""
    settled: list[tuple[int, Share]] = []
    for equals, shares in open_plan.groups:
        while len(set(shares)) > 1:
            values = [keys[place] for place in equals]
            question = ("Types are equal. Which takes {} eliminated and {} aborted?", *shares[0])
            chosen: Type | Role = yield Choose(side, "first", values, question, _words, "19.62")
            place = equals[values.index(chosen)]
            settled.append((place, shares[0]))
            equals, shares = tuple([other for other in equals if other != place]), shares[1:]
        settled += zip(equals, shares, strict=True)
    return settled


def _words(key: Type | Role) -> Words:
    if isinstance(key, Role):
        return ("the {} squadrons", key.value)
    country, arm, drm = key
    return ("the {} {} units (DRM {})", nation(country).adjective, UNITS[arm], drm)


class Suffered(NamedTuple):
    """What a result did to a force."""

    eliminated: list[Flight]
    aborted: int
    surplus: int
    """Eliminations that found no unit among those involved (19.64.1)."""


@rule("19.65", "19.65B", "19.51.1")
def suffer(
    side: str, force: list[Flight], places: list[int], result: AirResult, *, aborts: bool = True, by_drm: bool = True
) -> Script[Suffered]:
    """19.6: apply a result to the flights at some places of a force, which is changed in place; the owner decides what
    is left open. With `aborts` false the aborts are shared but leave no mark."""
    if not places or not any(result):
        return Suffered([], 0, result.eliminated)
    types: dict[Type, list[int]] = {}
    for place in places:
        types.setdefault(type_of(force[place]), []).append(place)
    counts = [(_count(force, members), kind[2] if by_drm else 0) for kind, members in types.items()]
    shares = plan(tuple(counts), result)
    settled = shares.settled or (yield from settle(side, list(types), shares))
    groups = list(types.values())
    eliminated: list[Flight] = []
    aborted = 0
    for number, (lose, abort) in settled:
        members = groups[number]
        aborted += abort
        if len(members) == 1:
            _apply(force, members[0], lose, abort * aborts, eliminated)
        elif force[members[0]].role in ARMY_ROLES:
            yield from _by_role(side, force, members, AirResult(lose, abort * aborts), eliminated)
        else:
            yield from _pick(side, force, members, lose, abort * aborts, eliminated)
    surplus = result.eliminated - sum([flight.units for flight in eliminated])
    return Suffered(eliminated, aborted, surplus)


def _count(force: list[Flight], places: list[int]) -> int:
    return sum([force[place].units for place in places])


@rule("19.65B", "23.153", "19.65#ex2")
def _by_role(
    side: str, force: list[Flight], places: list[int], result: AirResult, eliminated: list[Flight]
) -> Script[None]:
    """19.65B: army air squadrons share their type's effects in a second stage among search, cover and attack."""
    roles: dict[Role, list[int]] = {}
    for place in places:
        roles.setdefault(force[place].role, []).append(place)
    shares = plan(tuple([(_count(force, group), 0) for group in roles.values()]), result)
    settled = shares.settled or (yield from settle(side, list(roles), shares))
    groups = list(roles.values())
    for number, (lose, abort) in settled:
        if len(groups[number]) == 1:
            _apply(force, groups[number][0], lose, abort, eliminated)
        else:
            yield from _pick(side, force, groups[number], lose, abort, eliminated)


@rule("19.64.2")
def _apply(force: list[Flight], place: int, lose: int, abort: int, eliminated: list[Flight]) -> None:
    """Eliminate and abort units of one flight; on inverted units an abort has no effect (19.64.2)."""
    flight = force[place]
    if lose:
        eliminated.append(flight.of(lose))
    force[place] = flight.of(flight.units - lose, flight.aborted if flight.inverted else flight.aborted + abort)


def _pick(
    side: str, force: list[Flight], places: list[int], lose: int, abort: int, eliminated: list[Flight]
) -> Script[None]:
    """Eliminate and abort units of several equal flights: the owner says of which home and status.

    Aborts fall on uninverted units first (`docs/rulings.md`); those that find only inverted ones are wasted.
    """
    while lose:
        able = [place for place in places if force[place].units]
        open_ = len(able) > 1 and lose < _count(force, able)
        place = (yield from _which(side, "lose", force, able)) if open_ else able[0]
        some = 1 if open_ else min(lose, force[place].units)
        _apply(force, place, some, 0, eliminated)
        lose -= some
    while abort:
        able = [place for place in places if not force[place].inverted and force[place].units > force[place].aborted]
        if not able:
            return
        place = able[0] if len(able) == 1 else (yield from _which(side, "abort", force, able))
        some = min(abort, force[place].units - force[place].aborted) if len(able) == 1 else 1
        _apply(force, place, 0, some, eliminated)
        abort -= some


def _which(side: str, verb: str, force: list[Flight], places: list[int]) -> Script[int]:
    """The owner picks among equal units of different homes or status."""
    keys = [(force[place].home, "inverted" if force[place].inverted else "ready") for place in places]
    sample = force[places[0]]
    unit = name_of(sample.nation, sample.arm, sample.role, 1)
    question = ("Which {} {}?", unit, "is eliminated" if verb == "lose" else "aborts")
    chosen: tuple[str, str] = yield Choose(side, verb, keys, question, _home_words, "19.61")
    return places[keys.index(chosen)]


def _home_words(key: tuple[str, str]) -> Words:
    return ("one of {}, {}", key[0], "inverted" if key[1] == "inverted" else "uninverted")
