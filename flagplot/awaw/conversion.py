"""Conversion of air factors to squadrons and back (23.13, 23.14, 23.17, 23.18)."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from flagplot.awaw.air_units import ARMY_ROLES, NAVAL_ARMS, Arm, Flight, Role, merged
from flagplot.kernel.rules import rule


@rule("23.131A", "17.141C", "19.51", "17.25", "17.65")
def fought_as_squadrons(one: list[Flight], other: list[Flight]) -> bool:
    """23.131A: a combat is fought in squadrons when either side has naval air in it."""
    return any([flight.arm in NAVAL_ARMS for flight in (*one, *other)])


@rule("23.132", "23.132A", "23.132B", "23.132C", "23.133", "23.17", "17.55.2", "23.18")
def break_down(flights: list[Flight]) -> list[Flight]:
    """23.132: each army air factor becomes one search, one cover and one attack squadron; other factors three alike."""
    if not any([flight.role is Role.FACTORS for flight in flights]):
        return flights
    broken: list[Flight] = []
    for flight in flights:
        if flight.role is not Role.FACTORS:
            broken.append(flight)
        elif flight.arm is Arm.ARMY:
            broken += [flight._replace(role=role) for role in ARMY_ROLES]
        else:
            broken.append(flight._replace(role=Role.SQUADRONS, units=3 * flight.units, aborted=3 * flight.aborted))
    return merged(broken)


@rule("23.142A", "23.143")
def factors_from(squadrons: int) -> int:
    """23.142A: what squadrons of one base make when they are put together: 1 none, 2 to 4 one factor, 5 to 7 two."""
    return (squadrons + 1) // 3


class Broken(NamedTuple):
    """Air transport factors that were broken down in a base: their losses are reckoned from the start (23.18)."""

    nation: str
    ready: int
    inverted: int


@rule("23.142A", "23.144", "23.17", "23.152D")
def recombine(flights: list[Flight], transports: list[Broken], transport_losses: str) -> list[Flight]:
    """23.14: a base's force with its army air, jet and transport squadrons put together again.

    Naval squadrons stay squadrons. The owner puts together as many uninverted factors as the squadrons allow.
    """
    if all([flight.role is Role.FACTORS or flight.arm in NAVAL_ARMS for flight in flights]):
        return flights
    whole: list[Flight] = []
    parts: dict[tuple[str, Arm], list[Flight]] = {}
    for flight in flights:
        if flight.arm in NAVAL_ARMS or flight.role is Role.FACTORS:
            whole.append(flight)
        else:
            parts.setdefault((flight.nation, flight.arm), []).append(flight)
    broken = {entry.nation: entry for entry in transports}
    for (nation, arm), squadrons in parts.items():
        if arm is Arm.TRANSPORT:
            made, inverted = _transports(broken[nation], squadrons, transport_losses)
        else:
            made = factors_from(sum([flight.units for flight in squadrons]))
            inverted = made - min(made, _uninverted_factors(arm, squadrons))
        factor = squadrons[0]._replace(role=Role.FACTORS, inverted=False)
        whole.append(factor.of(made - inverted))
        whole.append(factor._replace(inverted=True).of(inverted))
    return merged(whole)


def _transports(broken: Broken, squadrons: list[Flight], reading: str) -> tuple[int, int]:
    """The transport factors that are left and how many of them are inverted, those that were inverted before too."""
    left = sum([flight.units for flight in squadrons])
    down = sum([flight.units for flight in squadrons if flight.inverted])
    factors = broken.ready + broken.inverted
    aborted = max(0, down - 3 * broken.inverted)
    survive, inverted = surviving_transports(factors, 3 * factors - left, aborted, reading)
    return survive, min(survive, inverted + broken.inverted)


@rule("23.144")
def _uninverted_factors(arm: Arm, squadrons: list[Flight]) -> int:
    """23.144: a factor is uninverted only if it is made of three uninverted squadrons, of army air one of each kind."""
    ready: Counter[Role] = Counter()
    for flight in squadrons:
        if not flight.inverted:
            ready[flight.role] += flight.units
    if arm is Arm.ARMY:
        return min(ready[role] for role in ARMY_ROLES)
    return ready[Role.SQUADRONS] // 3


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
