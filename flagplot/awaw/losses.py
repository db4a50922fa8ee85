"""Air losses from mixed forces (19.6): who takes the eliminations and aborts of a result.

Types are put in order once per result: the most numerous first, then the lower nationality, then as the owner says.
Eliminations, then aborts, are dealt to them one at a time in that order, round and round, passing over types that
have no unaffected unit left. Both printed examples follow from this (`docs/rulings.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from flagplot.awaw.air_units import ARMY_ROLES, NAMES, Force, Plural, Role, Type, Unit, take
from flagplot.awaw.tables.grids import AirResult
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.requests import Choose, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

Named = Callable[[str], str]
"""Gives the name of a home."""

Share = tuple[int, int]
"""Units eliminated and units aborted."""

Kind = Type | Role
"""Among what a result is shared out: types, or the roles of army air squadrons."""


@rule("19.61", "19.63", "19.63#ex1", "19.65#ex1")
def deal(counts: Sequence[int], result: Share) -> list[Share]:
    """19.63: the shares of types that stand in this order: eliminations first, then aborts, one at a time."""
    takers: list[int] = []
    unaffected = list(counts)
    while len(takers) < sum(result) and any(unaffected):
        takers += [place for place, left in enumerate(unaffected) if left]
        unaffected = [left - 1 if left else 0 for left in unaffected]
    eliminated, aborted = takers[: result[0]], takers[result[0] : sum(result)]
    return [(eliminated.count(place), aborted.count(place)) for place in range(len(counts))]


class Plan(NamedTuple):
    """How a result falls on types, before the owner has said anything."""

    groups: tuple[tuple[tuple[Kind, ...], tuple[Share, ...]], ...]
    """Types that are equal in number and DRM, with the shares to be had among them."""
    settled: list[tuple[Kind, Share]] | None
    """Each type and its share, if nothing is left to the owner."""


@lru_cache(maxsize=50_000)
@rule("19.61", "19.62")
def plan(types: tuple[tuple[Kind, int], ...], result: Share, by_drm: bool = True) -> Plan:
    """19.61-19.62: types, each with its number of units, in the order in which they take effects: the most numerous
    first, then the lower DRM. Types that are equal in both stand together."""
    ranks = {kind: (-number, _drm(kind) * by_drm) for kind, number in types}
    ranked = sorted(ranks, key=lambda kind: ranks[kind])
    shares = deal([-ranks[kind][0] for kind in ranked], result)
    groups: dict[tuple[int, int], list[tuple[Kind, Share]]] = {}
    for kind, part in zip(ranked, shares, strict=True):
        groups.setdefault(ranks[kind], []).append((kind, part))
    left_open = any(len({part for _, part in group}) > 1 for group in groups.values())
    return Plan(
        tuple((tuple(kind for kind, _ in group), tuple(part for _, part in group)) for group in groups.values()),
        None if left_open else list(zip(ranked, shares, strict=True)),
    )


def _drm(kind: Kind) -> int:
    return 0 if isinstance(kind, Role) else kind[2]


@rule("19.62")
def settle(side: str, open_plan: Plan, of: Words = "Of equal types") -> Script[list[tuple[Kind, Share]]]:
    """19.62: among types equal in number and DRM the owner says who comes first."""
    settled: list[tuple[Kind, Share]] = []
    for equals, shares in open_plan.groups:
        while len(set(shares)) > 1:
            question = ("{}, which take {} eliminated and {} aborted?", of, *shares[0])
            chosen: Kind = yield Choose(side, "first", equals, question, _words, "19.62")
            settled.append((chosen, shares[0]))
            equals, shares = tuple([kind for kind in equals if kind != chosen]), shares[1:]
        settled += zip(equals, shares, strict=True)
    return settled


def _words(kind: Kind) -> Words:
    if isinstance(kind, Role):
        return ("the {} squadrons", kind.value)
    country, arm, drm = kind
    return ("the {} {} units (DRM {})", nation(country).adjective, NAMES[arm], drm)


@dataclass(slots=True)
class Suffered:
    """What a result did to a force."""

    eliminated: Force
    aborted: int
    surplus: int
    """Eliminations that found no unit among those involved (19.64.1)."""


@rule("19.65", "19.65B", "19.51.1", "19.61A", "19.61B", "19.61C", "17.55.1", "17.57", "17.65.1", "19.65A", "23.154")
def suffer(
    side: str,
    force: Force,
    involved: Sequence[Unit],
    result: AirResult,
    aborted: Force,
    *,
    by_drm: bool = True,
    named: Named = str,
) -> Script[Suffered]:
    """19.6: apply a result to the involved units of a force, which is changed in place; the owner decides what is left
    open. Units forced to abort are counted in `aborted`; `named` gives the name of a home.

    Types are nations, arms and DRMs; army air squadrons of one nation are one type whatever their role (19.65A).
    """
    eliminated: Force = {}
    to_lose, to_abort = result
    if not involved or not (to_lose or to_abort):
        return Suffered(eliminated, 0, to_lose)
    if len(involved) == 1:
        which = involved[0]
        there = force[which]
        lose = to_lose if to_lose < there else there
        abort = to_abort if lose + to_abort < there else there - lose
        _apply(force, which, lose, abort, eliminated, aborted)
        return Suffered(eliminated, abort, to_lose - lose)
    types: dict[Kind, list[Unit]] = {}
    counts: dict[Kind, int] = {}
    for which in involved:
        kind: Kind = which.type
        types.setdefault(kind, []).append(which)
        counts[kind] = counts.get(kind, 0) + force[which]
    shares = plan(tuple(counts.items()), result, by_drm)
    aborts = 0
    for kind, share in shares.settled or (yield from settle(side, shares)):
        members, (lose, abort) = types[kind], share
        aborts += abort
        if len(members) == 1:
            _apply(force, members[0], lose, abort, eliminated, aborted)
        elif members[0].role in ARMY_ROLES:
            yield from _by_role(side, force, members, share, eliminated, aborted, named)
        else:
            yield from _pick(side, force, members, lose, abort, eliminated, aborted, named)
    return Suffered(eliminated, aborts, to_lose - sum(eliminated.values()))


def _count(force: Force, members: list[Unit]) -> int:
    return sum([force[which] for which in members])


@rule("19.65B", "23.153", "19.65#ex2")
def _by_role(
    side: str,
    force: Force,
    members: list[Unit],
    result: Share,
    eliminated: Force,
    aborted: Force,
    named: Named,
) -> Script[None]:
    """19.65B: army air squadrons share their type's effects in a second stage among search, cover and attack."""
    roles: dict[Kind, list[Unit]] = {}
    counts: dict[Kind, int] = {}
    for which in members:
        role: Kind = which.role
        roles.setdefault(role, []).append(which)
        counts[role] = counts.get(role, 0) + force[which]
    shares = plan(tuple(counts.items()), result)
    of = ("Of equal {} army air squadrons", nation(members[0].nation).adjective)
    for role, (lose, abort) in shares.settled or (yield from settle(side, shares, of)):
        alike = roles[role]
        if len(alike) == 1:
            _apply(force, alike[0], lose, abort, eliminated, aborted)
        else:
            yield from _pick(side, force, alike, lose, abort, eliminated, aborted, named)


@rule("19.64.2")
def _apply(force: Force, which: Unit, lose: int, abort: int, eliminated: Force, aborted: Force) -> None:
    """Eliminate and abort units of one kind; on inverted units an abort has no effect (19.64.2)."""
    if lose:
        take(force, which, lose)
        eliminated[which] = eliminated.get(which, 0) + lose
    if abort and not which.inverted:
        aborted[which] = aborted.get(which, 0) + abort


def _pick(
    side: str,
    force: Force,
    members: list[Unit],
    lose: int,
    abort: int,
    eliminated: Force,
    aborted: Force,
    named: Named,
) -> Script[None]:
    """Eliminate and abort units that differ only in home and status: the owner says which.

    Aborts fall on uninverted units first (`docs/rulings.md`); those that find only inverted ones are wasted.
    """
    while lose:
        able = [which for which in members if which in force]
        if len(able) > 1 and lose < _count(force, able):
            asked = _which(side, "lose", able, named)
            which, some = able[asked.values.index((yield asked))], 1
        else:
            which, some = able[0], min(lose, force[able[0]])
        _apply(force, which, some, 0, eliminated, aborted)
        lose -= some
    while abort:
        able = [which for which in members if not which.inverted and force.get(which, 0) > aborted.get(which, 0)]
        if not able:
            return
        if len(able) > 1:
            asked = _which(side, "abort", able, named)
            which, some = able[asked.values.index((yield asked))], 1
        else:
            which, some = able[0], min(abort, force[able[0]] - aborted.get(able[0], 0))
        _apply(force, which, 0, some, eliminated, aborted)
        abort -= some


def _which(side: str, verb: str, able: list[Unit], named: Named) -> Choose[tuple[str, str]]:
    """The question which of several equal units of different homes or status."""
    keys = [(which.home, "inverted" if which.inverted else "ready") for which in able]
    question = ("Of the {}, which {}?", Plural(able[0]), "is eliminated" if verb == "lose" else "aborts")

    def label(key: tuple[str, str]) -> Words:
        return ("one from {}, {}", named(key[0]), "inverted" if key[1] == "inverted" else "uninverted")

    return Choose(side, verb, keys, question, label, "19.61")
