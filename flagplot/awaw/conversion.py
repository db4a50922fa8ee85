"""Conversion of air factors to squadrons and back (23.13, 23.14, 23.17, 23.18)."""

from __future__ import annotations

from typing import NamedTuple

from flagplot.awaw.air_units import ARMY_ROLES, Arm, Force, Role, Unit, add, in_order
from flagplot.awaw.counting import Counts
from flagplot.kernel.rules import rule

ARMY, TRANSPORT, FACTORS = Arm.ARMY, Arm.TRANSPORT, Role.FACTORS  # at hand: an enumeration takes long to look up


@rule("23.131A", "17.141C", "19.51", "17.25", "17.65")
def fought_as_squadrons(one: Force, other: Force) -> bool:
    """23.131A: a combat is fought in squadrons when either side has naval air in it."""
    return any([which.is_naval for which in (*one, *other)])


@rule("23.131", "23.132", "23.132A", "23.132B", "23.132C", "23.133", "23.17", "17.55.2", "23.18")
def break_down(force: Force) -> Force:
    """23.132: each army air factor becomes one search, one cover and one attack squadron; other factors three alike."""
    for which in force:
        if which.is_factor:
            break
    else:
        return force
    broken: Force = {}
    for which, number in force.items():
        if not which.is_factor:
            broken[which] = broken.get(which, 0) + number
        elif which.arm is ARMY:
            for role in ARMY_ROLES:
                squadron = which.counted(role)
                broken[squadron] = broken.get(squadron, 0) + number
        else:
            squadron = which.counted(Role.SQUADRONS)
            broken[squadron] = broken.get(squadron, 0) + 3 * number
    return in_order(broken)


@rule("23.142A", "23.143", "23.141B", "23.142B")
def factors_from(squadrons: int) -> int:
    """23.142A: what squadrons of one base make when they are put together: 1 none, 2 to 4 one factor, 5 to 7 two. The
    unbuilt squadrons of a nation make as many: two that are left over are a factor (23.141B)."""
    return (squadrons + 1) // 3


@rule("23.142A")
def left_over(force: Force) -> Force:
    """23.142A: the squadrons that make no factor as those of each base are put together, one of a kind at most."""
    parts: dict[tuple[str, str, Arm], list[Unit]] = {}
    for which, number in force.items():
        if not which.is_factor and not which.is_naval:
            parts.setdefault((which.home, which.nation, which.arm), []).extend([which] * number)
    return {some[-1]: 1 for some in parts.values() if len(some) > 3 * factors_from(len(some))}


class Broken(NamedTuple):
    """Air transport factors that were broken down in a base: their losses are reckoned from the start (23.18)."""

    nation: str
    ready: int
    inverted: int


@rule("23.142A", "23.144", "23.17", "23.152D")
def recombine(force: Force, transports: list[Broken], transport_losses: str) -> Force:
    """23.14: a base's force with its army air, jet and transport squadrons put together again.

    Naval squadrons stay squadrons. The owner puts together as many uninverted factors as the squadrons allow.
    """
    whole: Force = {}
    parts: dict[tuple[str, Arm], Force] = {}
    for which, number in force.items():
        if which.is_factor or which.is_naval:
            whole[which] = number
        else:
            parts.setdefault((which.nation, which.arm), {})[which] = number
    broken: dict[str, Broken] = {}
    for country, ready, inverted in transports:  # those that came to the base broken down are entries of their own
        known = broken.get(country, Broken(country, 0, 0))
        broken[country] = Broken(country, known.ready + ready, known.inverted + inverted)
    for (country, arm), squadrons in parts.items():
        if arm is TRANSPORT:
            made, inverted = _transports(broken[country], squadrons, transport_losses)
        else:
            made = factors_from(sum(squadrons.values()))
            inverted = made - min(made, uninverted_factors(arm, squadrons))
        factor = next(iter(squadrons)).counted(FACTORS)
        for number, down in ((made - inverted, False), (inverted, True)):
            if number:
                add(whole, factor.turned(inverted=down), number)
    return whole


@rule("23.144", "23.17")
def uninverted_factors(arm: Arm, squadrons: Force) -> int:
    """23.144: a factor is uninverted only if it is made of three uninverted squadrons, of army air one of each kind."""
    ready: dict[Role, int] = {}
    for which, number in squadrons.items():
        if not which.inverted:
            ready[which.role] = ready.get(which.role, 0) + number
    if arm is ARMY:
        return min([ready.get(role, 0) for role in ARMY_ROLES])
    return ready.get(Role.SQUADRONS, 0) // 3


@rule("23.164", "23.162")
def recombined_part(force: Force, part: Force) -> Force:
    """23.164: some of the squadrons of a base, which were used at sea or are committed, as what they are when all of
    them are put together: the owner says which squadrons make a factor, so as few uninverted factors as may be."""
    if not part:
        return {}
    there = Counts(force)  # some of the part may have been lost since
    whole: Force = {}
    made: Force = {}
    for which, number in part.items():
        if which.is_factor or which.is_naval:
            add(whole, which, number)
            continue
        squadrons = {one: there[one] for one in [which.counted(role) for role in _PARTS]}
        of_each = 1 if which.arm is ARMY else 3
        spare = squadrons[which] - of_each * uninverted_factors(which.arm, squadrons)
        factor = which.counted(FACTORS)
        made[factor] = max(made.get(factor, 0), -(-(number - spare) // of_each))
    for factor, number in made.items():
        if number:
            add(whole, factor, number)
    return whole


_PARTS = (*ARMY_ROLES, Role.SQUADRONS)


def _transports(broken: Broken, squadrons: Force, reading: str) -> tuple[int, int]:
    """The transport factors that are left and how many of them are inverted, those that were inverted before too."""
    left = sum(squadrons.values())
    down = sum([number for which, number in squadrons.items() if which.inverted])
    factors = broken.ready + broken.inverted
    aborted = max(0, down - 3 * broken.inverted)
    survive, inverted = surviving_transports(factors, 3 * factors - left, aborted, reading)
    return survive, min(survive, inverted + broken.inverted)


@rule("23.18", "23.18.1")
def surviving_transports(factors: int, killed: int, aborted: int, reading: str) -> tuple[int, int]:
    """23.18: of air transports hit as squadrons, how many factors survive and how many of these are inverted.

    Two squadrons killed are a factor lost. An effect that no lost factor explains inverts a survivor, at least one
    if there was any effect at all.
    """
    survive = factors_from(3 * factors - killed)
    if not killed and not aborted:
        return survive, 0
    unexplained = max(0, killed - 3 * (factors - survive)) + aborted
    inverted = survive if reading == "all-inverted" else max(1, unexplained)
    return survive, min(survive, inverted)


@rule("23.142C")
def beyond_pool(in_play: int, unbuilt: int, pool: int) -> int:
    """23.142C: how many factors must leave the board so that no more exist than the force pool holds."""
    return max(0, in_play + unbuilt - pool)


def broken_transports(force: Force) -> list[Broken]:
    """The air transport factors of a base, as they are before they are broken down."""
    return [
        Broken(which.nation, number * (not which.inverted), number * which.inverted)
        for which, number in force.items()
        if which.is_factor and which.arm is TRANSPORT
    ]
