"""Air losses from mixed forces (19.6): who takes the eliminations and aborts of a result.

Types are put in order once per result: the most numerous first, then the lower nationality, then as the owner says.
Eliminations, then aborts, are dealt to them one at a time in that order, round and round, passing over types that
have no unaffected unit left. Both printed examples follow from this (`docs/rulings.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, TypeVar

from flagplot.awaw.air_units import ARMY_ROLES, UNITS, Arm, Flight, Role, name_of
from flagplot.awaw.tables.grids import AirResult
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.requests import Choose, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

K = TypeVar("K", bound=Hashable)


class Type(NamedTuple):
    """19.61: units that count as one type when effects are shared: of one nation, arm and nationality DRM."""

    nation: str
    arm: Arm
    drm: int


class Entry(NamedTuple):
    """A type with the number of its units that are involved."""

    key: Type | Role
    count: int
    drm: int


Share = tuple[int, int]
"""Units eliminated and units aborted."""


@rule("19.61A", "19.61B", "19.61C", "17.57", "17.65.1", "19.65A", "23.154")
def type_of(flight: Flight, drm: int) -> Type:
    """19.61: the type of a flight. Army air squadrons of one nation are one type whatever their role (19.65A)."""
    return Type(flight.nation, flight.arm, drm)


@rule("19.61", "19.63", "19.63#ex1", "19.65#ex1")
def deal(counts: Sequence[int], result: AirResult) -> list[Share]:
    """19.63: the shares of types that stand in this order: eliminations first, then aborts, one at a time."""
    if len(counts) == 1:
        eliminated = min(counts[0], result.eliminated)
        return [(eliminated, min(counts[0] - eliminated, result.aborted))]
    unaffected = list(counts)
    shares = [[0, 0] for _ in counts]
    place = 0
    for effect, number in enumerate(result):
        for _ in range(min(number, sum(unaffected))):
            while not unaffected[place]:
                place = (place + 1) % len(counts)
            unaffected[place] -= 1
            shares[place][effect] += 1
            place = (place + 1) % len(counts)
    return [(eliminated, aborted) for eliminated, aborted in shares]


@rule("19.62")
def share(
    side: str, entries: list[Entry], result: AirResult, *, by_drm: bool = True
) -> Script[list[tuple[Entry, Share]]]:
    """19.61-19.63: each type's share. Among types equal in number and DRM the owner says who comes first (19.62)."""
    if len(entries) == 1:
        return [(entries[0], *deal([entries[0].count], result))]
    ranked = sorted(entries, key=lambda entry: (-entry.count, entry.drm if by_drm else 0))
    shares = deal([entry.count for entry in ranked], result)
    settled: list[tuple[Entry, Share]] = []
    start = 0
    while start < len(ranked):
        equals = [entry for entry in ranked[start:] if _rank(entry, by_drm) == _rank(ranked[start], by_drm)]
        end = start + len(equals)
        settled += yield from _among_equals(side, equals, shares[start:end])
        start = end
    return settled


def _rank(entry: Entry, by_drm: bool) -> tuple[int, int]:
    return entry.count, entry.drm if by_drm else 0


def _among_equals(side: str, equals: list[Entry], shares: list[Share]) -> Script[list[tuple[Entry, Share]]]:
    settled = []
    while len(set(shares)) > 1:
        keys = [_text(entry.key) for entry in equals]
        labels = {key: _words(entry.key) for key, entry in zip(keys, equals, strict=True)}
        question = ("Types are equal. Which takes {}?", _effects(shares[0]))
        chosen: str = yield Choose(side, "first", keys, question, labels, "19.62")
        settled.append((equals.pop(keys.index(chosen)), shares.pop(0)))
    return settled + list(zip(equals, shares, strict=True))


def _text(key: Type | Role) -> str:
    return f"{key.nation}-{key.arm}-{key.drm}" if isinstance(key, Type) else str(key)


def _words(key: Type | Role) -> Words:
    if isinstance(key, Type):
        return ("the {} {} units (DRM {})", nation(key.nation).adjective, UNITS[key.arm], key.drm)
    return ("the {} squadrons", str(key))


def _effects(effects: Share) -> Words:
    return ("{} eliminated and {} aborted", *effects)


class Suffered(NamedTuple):
    """What a result did to a force."""

    eliminated: list[Flight]
    aborted: int
    surplus: int
    """Eliminations that found no unit among those involved (19.64.1)."""


@rule("19.65", "19.65B", "19.51.1")
def suffer(
    side: str,
    force: list[Flight],
    involved: Callable[[Flight], bool],
    result: AirResult,
    drm_of: Callable[[Flight], int],
    *,
    aborts: bool = True,
    by_drm: bool = True,
) -> Script[Suffered]:
    """19.6: apply a result to the involved part of a force, which is changed in place; the owner decides what is left
    open. With `aborts` false the aborts are shared but leave no mark."""
    if not any(result):
        return Suffered([], 0, 0)
    types: dict[Type, list[int]] = {}
    for place, flight in enumerate(force):
        if flight.count and involved(flight):
            types.setdefault(type_of(flight, drm_of(flight)), []).append(place)
    entries = [Entry(key, _count(force, places), key.drm) for key, places in types.items()]
    eliminated: list[Flight] = []
    aborted = 0
    for entry, shares in (yield from share(side, entries, result, by_drm=by_drm)):
        for places, (lose, abort) in (yield from _by_role(side, force, types[entry.key], shares)):  # type: ignore[index]
            if lose:
                eliminated += yield from _eliminate(side, force, places, lose)
            if abort and aborts:
                yield from _abort(side, force, places, abort)
            aborted += abort
    surplus = result.eliminated - sum([flight.count for flight in eliminated])
    return Suffered(eliminated, aborted, surplus)


def _count(force: list[Flight], places: list[int]) -> int:
    return sum([force[place].count for place in places])


@rule("19.65B", "23.153", "19.65#ex2")
def _by_role(
    side: str, force: list[Flight], places: list[int], shares: Share
) -> Script[list[tuple[list[int], Share]]]:
    """19.65B: army air squadrons share their type's effects in a second stage among search, cover and attack."""
    if force[places[0]].role not in ARMY_ROLES:
        return [(places, shares)]
    roles: dict[Role, list[int]] = {}
    for place in places:
        roles.setdefault(force[place].role, []).append(place)
    entries = [Entry(role, _count(force, members), 0) for role, members in roles.items()]
    settled = yield from share(side, entries, AirResult(*shares))
    return [(roles[entry.key], part) for entry, part in settled]  # type: ignore[index]


def _eliminate(side: str, force: list[Flight], places: list[int], number: int) -> Script[list[Flight]]:
    """Remove so many of these equal units; the owner says from which home and of which status."""
    gone: list[Flight] = []
    while number:
        able = [place for place in places if force[place].count]
        open_ = len(able) > 1 and number < _count(force, able)
        place = (yield from _which(side, "lose", force, able)) if open_ else able[0]
        some = 1 if open_ else min(number, force[place].count)
        gone.append(force[place].of(some))
        force[place] = force[place].of(force[place].count - some)
        number -= some
    return gone


@rule("19.64.2")
def _abort(side: str, force: list[Flight], places: list[int], number: int) -> Script[None]:
    """19.64.2: mark so many as aborted: uninverted units first; on inverted ones an abort has no effect."""
    while number:
        able = [place for place in places if not force[place].inverted and force[place].count > force[place].aborted]
        if not able:
            return
        place = able[0] if len(able) == 1 else (yield from _which(side, "abort", force, able))
        some = min(number, force[place].count - force[place].aborted) if len(able) == 1 else 1
        force[place] = force[place].of(force[place].count, force[place].aborted + some)
        number -= some


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
