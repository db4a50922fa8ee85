"""Air losses from mixed forces (19.6): who takes the eliminations and aborts of a result.

Types are put in order once per result: the most numerous first, then the lower nationality, then as the owner says.
Eliminations, then aborts, are dealt to them one at a time in that order, round and round, passing over types that
have no unaffected unit left. Both printed examples follow from this (`docs/rulings.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter

from flagplot.awaw.air_units import ARMY_ROLES, NAMES, Force, Plural, Role, Type, Unit, take
from flagplot.awaw.tables.grids import AirResult
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.requests import Choose, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, plural

Named = Callable[[str], str]
"""Gives the name of a home."""

Share = tuple[int, int]
"""Units eliminated and units aborted."""

Kind = Type | Role
"""Among what a result is shared out: types, or the roles of army air squadrons."""


@rule("19.61", "19.63", "19.63#ex1", "19.65#ex1")
def deal(counts: Sequence[int], result: Share) -> list[Share]:
    """19.63: the shares of types that stand in this order: eliminations first, then aborts, one at a time."""
    takers = [place for turn in range(max(counts)) for place, count in enumerate(counts) if turn < count]
    eliminated, aborted = takers[: result[0]], takers[result[0] : sum(result)]
    return [(eliminated.count(place), aborted.count(place)) for place in range(len(counts))]


Plan = list[tuple[tuple[Kind, ...], tuple[Share, ...]]]
"""How a result falls on types: those that are equal in number and DRM, with the shares to be had among them."""


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
    return [(tuple([kind for kind, _ in group]), tuple([part for _, part in group])) for group in groups.values()]


def _drm(kind: Kind) -> int:
    return 0 if isinstance(kind, Role) else kind[2]


Shares = list[tuple[Kind, Share]]
"""What each type takes, in the order in which they take it."""


@lru_cache(maxsize=50_000)
def planned(types: tuple[tuple[Kind, int], ...], result: Share, by_drm: bool = True) -> tuple[Plan, Shares | None]:
    """The plan, and the shares where it leaves the owner nothing to say, as nearly always."""
    made = plan(types, result, by_drm)
    if any([len(set(shares)) > 1 for _, shares in made]):
        return made, None
    return made, [share for equals, shares in made for share in zip(equals, shares, strict=True)]


@rule("19.62")
def settle(side: str, planned: Plan, of: Words = "Equal types") -> Script[Shares]:
    """19.62: among types equal in number and DRM the owner says who comes first."""
    settled: Shares = []
    for equals, shares in planned:
        while len(set(shares)) > 1:
            question = ("{}: who takes {}?", of, _share_words(*shares[0]))
            chosen: Kind = yield Choose(side, "first", equals, question, _words, "19.62")
            settled.append((chosen, shares[0]))
            equals, shares = tuple([kind for kind in equals if kind != chosen]), shares[1:]
        settled += zip(equals, shares, strict=True)
    return settled


@lru_cache(maxsize=256)
def _share_words(eliminated: int, aborted: int) -> str:
    parts = [plural(eliminated, "loss", "losses")] * bool(eliminated) + [plural(aborted, "abort")] * bool(aborted)
    return " and ".join(parts) or "no losses"


def _words(kind: Kind) -> Words:
    if isinstance(kind, Role):
        return ("{} squadrons", kind.value)
    country, arm, drm = kind
    return ("{} {} units (DRM {})", nation(country).adjective, NAMES[arm], drm)


@dataclass(slots=True)
class Suffered:
    """What a result did to a force."""

    eliminated: Force
    aborted: int
    surplus: int
    """Eliminations that found no unit among those involved (19.64.1)."""


@rule("17.55.1", "17.57", "17.65.1", "19.42", "19.51.1", "19.61A", "19.61B", "19.61C", "19.64.1", "19.65", "19.65A")
@rule("19.65B", "23.154")
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
        abort = to_abort if to_abort < there - lose else there - lose
        _apply(force, which, lose, abort, eliminated, aborted)
        return Suffered(eliminated, abort, to_lose - lose)
    types, counts = _sorted_by(force, involved, _type_of)
    made, shares = planned(tuple(counts.items()), result, by_drm)
    if shares is None:
        shares = yield from settle(side, made)
    for kind, (lose, abort) in shares:
        members = types[kind]
        if len(members) == 1:
            _fall_on(force, members[0], lose, abort, eliminated, aborted)
        elif members[0].role in ARMY_ROLES:
            yield from _by_role(side, force, members, (lose, abort), eliminated, aborted, named)
        else:
            yield from _pick(side, force, members, lose, abort, eliminated, aborted, named)
    return Suffered(eliminated, sum([abort for _, (_, abort) in shares]), to_lose - sum(eliminated.values()))


_type_of: Callable[[Unit], Kind] = attrgetter("type")
_role_of: Callable[[Unit], Kind] = attrgetter("role")


def _sorted_by(
    force: Force, units: Sequence[Unit], kind_of: Callable[[Unit], Kind]
) -> tuple[dict[Kind, list[Unit]], dict[Kind, int]]:
    """Units by kind, and how many there are of each."""
    kinds: dict[Kind, list[Unit]] = {}
    counts: dict[Kind, int] = {}
    for which in units:
        kind = kind_of(which)
        if kind in kinds:
            kinds[kind].append(which)
            counts[kind] += force[which]
        else:
            kinds[kind] = [which]
            counts[kind] = force[which]
    return kinds, counts


def _count(force: Force, members: list[Unit]) -> int:
    return sum([force[which] for which in members])


@rule("19.65B", "23.153", "19.65#ex2")
def _by_role(
    side: str, force: Force, members: list[Unit], result: Share, eliminated: Force, aborted: Force, named: Named
) -> Script[None]:
    """19.65B: army air squadrons share their type's effects in a second stage among search, cover and attack."""
    roles, counts = _sorted_by(force, members, _role_of)
    made, shares = planned(tuple(counts.items()), result)
    if shares is None:
        shares = yield from settle(side, made, ("Equal {} army air squadrons", nation(members[0].nation).adjective))
    for role, (lose, abort) in shares:
        able = roles[role]
        if len(able) == 1:
            _fall_on(force, able[0], lose, abort, eliminated, aborted)
        else:
            yield from _pick(side, force, able, lose, abort, eliminated, aborted, named)


@rule("19.64.2")
def _apply(force: Force, which: Unit, lose: int, abort: int, eliminated: Force, aborted: Force) -> None:
    """Eliminate and abort units of one kind; on inverted units an abort has no effect (19.64.2)."""
    if lose:
        take(force, which, lose)
        eliminated[which] = eliminated.get(which, 0) + lose
    if abort and not which.inverted:
        aborted[which] = aborted.get(which, 0) + abort


def _fall_on(force: Force, which: Unit, lose: int, abort: int, eliminated: Force, aborted: Force) -> None:
    """Eliminate and abort units of the only kind that there is: `_pick` without anything to say."""
    if abort:
        left = force[which] - lose - aborted.get(which, 0)
        abort = abort if abort < left else max(0, left)
    _apply(force, which, lose, abort, eliminated, aborted)


def _pick(
    side: str, force: Force, members: list[Unit], lose: int, abort: int, eliminated: Force, aborted: Force, named: Named
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
    question = ("{} one of the {}", "Eliminate" if verb == "lose" else "Abort", Plural(able[0]))

    def label(key: tuple[str, str]) -> Words:
        return ("{}one from {}", "inverted " * (key[1] == "inverted"), named(key[0]))

    return Choose(side, verb, keys, question, label, "19.61")
