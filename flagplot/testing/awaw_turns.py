"""Laws of air turns: what is built, lost and converted stays within the force pools, and bases hold what they can.

Ships, submarines and voyages obey the laws of operations. Air is no longer only lost: it is built, and becomes
kamikazes; so what is in play and what can be built are counted together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from flagplot.awaw.air_units import NAVAL_ARMS, Force, room
from flagplot.awaw.procedures import air_turn
from flagplot.awaw.reach import squadrons_based
from flagplot.awaw.state.state import State
from flagplot.testing.awaw_operations import OperationLaws, flights, groups_of

JAPAN = "japan"


class TurnLaws(OperationLaws):
    """The laws of one air turn."""

    def __init__(self, opening: State) -> None:
        OperationLaws.__init__(self, opening)
        self.naval = naval_air(opening)
        self.brps = dict(opening.turn.brps)

    def always(self, now: State) -> Iterator[str]:
        """Nothing is counted twice, and nothing is less than nothing."""
        assert now.turn_if_any is not None
        yield from self._too_many_ships(now)
        for country, number in now.turn.brps.items():
            if number < 0:
                yield f"{country} has {number} BRPs"
        marked = [
            (f"{mark} {which}", number) for mark, some in now.turn.marks.items() for which, number in some.items()
        ]
        for key, number in (*now.turn.unbuilt.items(), *marked):
            if number < 0:
                yield f"{number} of {key}"

    def step(self, before: State, after: State) -> Iterator[str]:
        """As in an operation; and ground units at sea are aboard ships that carry them (22.82)."""
        yield from OperationLaws.step(self, before, after)
        assert after.turn_if_any is not None
        loads = {(group.side, load) for group in groups_of(after) for load in group.loads}
        for key, unit in after.turn.units.items():
            if unit.aboard and key not in after.turn.ashore and (unit.side, unit.load) not in loads:
                yield f"{key} is aboard {unit.aboard}, and nobody carries it"

    def _naval_air(self, now: State) -> Iterator[str]:
        """17.34, 17.352C: naval air is in play or can be built again; only kamikazes are made of it."""
        assert now.turn_if_any is not None
        there = naval_air(now)
        for country, number in self.naval.items():
            converted = country == JAPAN and now.turn.pool.limit
            if there[country] > number or (there[country] < number and not converted):
                yield f"naval air of {country}, built and unbuilt: {number} at the opening, then {there[country]}"

    def _army_air(self, before: State, after: State) -> Iterator[str]:
        """23.142C: at the end of a player turn nobody has more factors than his force pool holds."""
        assert after.turn_if_any is not None
        if after.frames and after.frames[-1].procedure != air_turn.name:
            return
        for key, most in after.turn.pools.items():
            country, arm = key.split("/")
            there = sum(
                [
                    number
                    for force in all_flights(after)
                    for which, number in force.items()
                    if which.is_factor and (which.nation, which.arm.value) == (country, arm)
                ]
            )
            if there + after.turn.unbuilt.get(key, 0) > most:
                yield f"{key}: {there} factors in play and {after.turn.unbuilt.get(key, 0)} unbuilt, of {most}"
        yield from _rooms(after)


def _rooms(state: State) -> Iterator[str]:
    """18.11-18.13: between player turns no base holds more air than it can, carrier squadrons apart that are ashore
    since their port was attacked: for them there is no limit (17.3126B)."""
    for key, site in state.sites.items():
        place = state.place(key)
        if place.afloat or place.box:
            continue
        forces = [force for force in state.operation.fleet.values() if force.base == key and force.in_port]
        guests = sum([number for force in forces for number in force.ashore.values()])
        if room(site.air) - guests > squadrons_based(place, state.setting.pacific) + place.island:
            yield f"{key} holds {room(site.air)} squadrons"


def all_flights(state: State) -> Iterator[Force]:
    """Air units wherever they are: in bases, at sea, and out over the land."""
    yield from flights(state)
    yield from (flight.air for flight in state.turn.flights)
    yield from ({which: number} for which, number in state.turn.freight.values())
    yield from ({entry.which: entry.number} for entry in state.turn.absent)
    if state.turn.airlift is not None:
        lift = state.turn.airlift
        yield from (lift.transports, lift.turned, lift.interceptors, lift.fought, lift.guards)
    if state.turn.raid is not None:
        yield from (state.turn.raid.air, state.turn.raid.guards)


def naval_air(state: State) -> Counter[str]:
    """By nation: naval squadrons in play and unbuilt."""
    sums: Counter[str] = Counter()
    for force in all_flights(state):
        for which, number in force.items():
            if which.is_naval:
                sums[which.nation] += number
    for key, number in state.turn.unbuilt.items():
        country, arm, *_ = key.split("/")
        if arm in NAVAL_ARMS:
            sums[country] += number
    return sums
