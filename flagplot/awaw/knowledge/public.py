"""What both sides know beforehand: the forces of a scenario, and how the enemy's unseen forces may follow from them.

At a table both players have read the scenario, so they know which forces take part; which of them is behind which
number or marker they do not know. A scenario file may say that less is known (`public`), and a player may believe less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations, permutations
from math import prod
from random import Random
from typing import NamedTuple

from flagplot.awaw.air_units import Arm, Force
from flagplot.awaw.battle.groups import absorb, facts_of, has_cargo, is_active, is_encumbered
from flagplot.awaw.battle.rounds import combat_groups
from flagplot.awaw.battle.stages import of_battle
from flagplot.awaw.counting import add, take
from flagplot.awaw.knowledge.habits import carriers_in, escort_weight, number_weight, order_weight
from flagplot.awaw.knowledge.known import Knowledge, Marker
from flagplot.awaw.operations.interception.dice import light_only
from flagplot.awaw.operations.passage.joining import MOST_RAIDERS
from flagplot.awaw.ships import Fleet, Kind, is_slow, undamaged_factors
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import LEAST, surplus_carriers, surplus_factors
from flagplot.kernel.plain_data import copy_of

MOST_DEALS = 2_000
"""Ways to deal forces to numbers that are looked at."""

Light = tuple[str, Kind]
"""Light ships of a nation."""
Squadrons = tuple[str, Arm]
"""Carrier squadrons of a nation."""


class Belief(StrEnum):
    """What is believed of forces that nobody has seen; each leaves more open than the one before it."""

    FORCES = "forces"
    SHIPS = "ships"
    NAVIES = "navies"


BELIEVED = {
    Belief.FORCES: "the enemy has the forces that the scenario lists; any of them may be behind a number or marker",
    Belief.SHIPS: "the enemy has the ships that the scenario lists, in any task forces",
    Belief.NAVIES: "the enemy may have any ships of his navies",
}
"""Each belief in one line."""


@dataclass(frozen=True, slots=True)
class Public:
    """What is known of a side beforehand."""

    belief: Belief = Belief.NAVIES
    forces: tuple[Group, ...] = ()
    """Its naval forces as the scenario lists them."""
    keys: tuple[str, ...] = ()
    """Their names in the file."""
    hidden: Mapping[str, Force] = field(default_factory=dict)
    """By base: the squadrons that the scenario lists under a TF marker."""
    ashore: Mapping[Squadrons, int] = field(default_factory=dict)
    """Naval squadrons that began in bases."""
    guns_alone: bool = False
    """Whether it began without carriers, cargo and aircraft."""

    def ships(self) -> set[str]:
        """The named ships."""
        return {which.id for force in self.forces for which in force.ships if which.named}

    def light(self) -> Counter[Light]:
        """The light ships."""
        return lights([force.ships for force in self.forces])

    def aboard(self, losses: Mapping[str, int], chance: Random) -> dict[Squadrons, int]:
        """The carrier squadrons that are left after some losses: those of bases share in them by chance."""
        began: Counter[Squadrons] = Counter()
        for force in self.forces:
            for which, number in force.air.items():
                began[which.nation, which.arm] += number
        left: dict[Squadrons, int] = {}
        for (nation, arm), number in began.items():
            lost = losses.get(f"{nation}/{arm}/squadrons", 0)
            others = self.ashore.get((nation, arm), 0)
            among = chance.sample(range(number + others), min(lost, number + others)) if others else range(lost)
            left[nation, arm] = number - sum([one < number for one in among])
        return left


NOTHING_PUBLIC = Public()


def public_of(opening: State, side: str, belief: str) -> Public:
    """What is known beforehand of a side, from the state at the start of a scenario."""
    groups = (
        {key: force.group for key, force in opening.operation.fleet.items()}
        if opening.operation_if_any is not None
        else opening.battle.groups
    )
    own = {key: group for key, group in groups.items() if group.side == side}
    bases = {key: site for key, site in opening.sites.items() if opening.place(key).side == side}
    ashore: Counter[Squadrons] = Counter()
    for site in bases.values():
        for which, number in site.air.items():
            ashore[which.nation, which.arm] += number * which.is_naval
    hidden = {key: site.hidden for key, site in bases.items()}
    aircraft = any([site.air or site.hidden for site in bases.values()])
    guns_alone = not (aircraft or any([carriers_in(group.ships) or has_cargo(group) for group in own.values()]))
    return Public(Belief(belief), tuple(own.values()), tuple(own), hidden, ashore, guns_alone)


def lights(fleets: Sequence[Fleet]) -> Counter[Light]:
    """The light ships of some fleets, whatever they carry and have suffered."""
    found: Counter[Light] = Counter()
    for fleet in fleets:
        for which, number in fleet.items():
            if which.light:
                found[which.nation, which.kind] += number
    return found


def light_left(known: Knowledge, public: Public) -> Counter[Light]:
    """The light ships of the scenario that were neither seen nor lost."""
    return public.light() - lights([*_seen_fleets(known), known.state.losses.ships])


def _seen_fleets(known: Knowledge) -> Iterator[Fleet]:
    for group in (*known.groups(), *known.state.battle.withdrawn(known.enemy).values()):
        yield from (group.ships, group.shed)
    if known.state.operation_if_any is not None:
        fights = {key for key, marker in known.markers.items() if marker.fights and not marker.hidden}
        yield from [marker.ships for key, marker in known.markers.items() if not marker.hidden and key not in fights]


# --- in a battle: which force is behind which number ------------------------------------------------------------


class Deal(NamedTuple):
    """One way in which the forces of a scenario may be the enemy's combat groups."""

    numbers: dict[int, Group]
    waiting: tuple[Group, ...] = ()
    """Forces that have not joined."""
    departed: tuple[Group, ...] = ()
    """Forces that left before anybody saw them, in the order in which they did."""
    weight: float = 1.0
    """How likely it is, beside others."""


def deals(known: Knowledge, public: Public) -> list[Deal]:
    """All ways in which the forces of the scenario that were not seen fit what is known, each with how likely an enemy
    would have chosen it (`habits`); none if what was seen does not fit them."""
    found = []
    for left in _unaccounted(known, public):
        if known.waiting is None:
            found.append(Deal({}, tuple(left)))
            continue
        for units, later, weight in _combined(left, _formed_until(known)):
            for deal in _dealt(known, units, later):
                found.append(deal._replace(weight=weight * _numbers_weight(public, deal)))
                if len(found) >= MOST_DEALS:
                    return found
    return found


def _numbers_weight(public: Public, deal: Deal) -> float:
    """How likely groups get the numbers of a deal."""
    if public.guns_alone:
        return order_weight(deal.numbers)
    return prod([number_weight(group, number) for number, group in deal.numbers.items()])


def _formed_until(known: Knowledge) -> int:
    """The last round in which forces that had arrived were made into groups."""
    now = known.state.battle.round
    frames = of_battle(known.state.frames)
    return now - 1 if frames and frames[0].is_at(combat_groups) else now


def _unaccounted(known: Knowledge, public: Public) -> Iterator[list[Group]]:
    """The forces that were not seen. Of forces without named ships it may be any whose ships come to those missing."""
    elsewhere = set(known.elsewhere)
    sure, unsure = list[Group](), list[Group]()
    for force in public.forces:
        named = {which.id for which in force.ships if which.named}
        if named & elsewhere:
            if not named <= elsewhere:
                return  # it was divided
        else:
            (sure if named else unsure).append(force)
    missing = light_left(known, public)
    missing.subtract(lights([force.ships for force in sure]))
    for number in range(len(unsure) + 1):
        for some in combinations(unsure, number):
            if lights([force.ships for force in some]) == +missing and min(missing.values(), default=0) >= 0:
                chosen = [id(force) for force in (*sure, *some)]
                yield [force for force in public.forces if id(force) in chosen]


def _combined(forces: Sequence[Group], until: int) -> Iterator[tuple[list[Group], list[Group], float]]:
    """22.421A: how forces make up combat groups: small ones together, and one with cargo may have an escort; and how
    likely that is. Those that arrive later stay by themselves."""
    later = [copy_of(force) for force in forces if force.arrives > until]
    here = [copy_of(force) for force in forces if force.arrives <= until]
    units = [force for force in here if force.task_force or is_encumbered(force)]
    for arrives in sorted({force.arrives for force in here}):
        small = [one for one in here if one.arrives == arrives and not (one.task_force or is_encumbered(one))]
        for other in small[1:]:
            absorb(small[0], other)
        units += small[:1]
    laden = [place for place, force in enumerate(units) if is_encumbered(force) and force.arrives == 1]
    free = [place for place, force in enumerate(units) if not is_encumbered(force) and force.arrives == 1]
    for number in range(min(len(laden), len(free)) + 1):
        for escorted in combinations(laden, number):
            for escorts in permutations(free, number):
                made = [copy_of(force) for force in units]
                able = [units[place] for place in free]
                chosen = dict(zip(escorted, escorts, strict=True))
                likely = [escort_weight(units[chosen[one]] if one in chosen else None, able) for one in laden]
                for one, escort in chosen.items():
                    brought = made[escort].ships
                    absorb(made[one], made[escort])
                    _shed(made[one], made[escort], brought)
                kept = [force for force in made if force.ships]
                if not any([surplus_factors(force.ships) or surplus_carriers(force.ships) for force in kept]):
                    yield kept, later, prod(likely)


def _shed(group: Group, escort: Group, free: Fleet) -> None:
    """22.421A: beyond 25 factors ships of the escort form a group of their own: the largest first, carriers last, as
    doctrine players choose."""
    left = dict(free)
    while surplus_factors(group.ships) > 0 and (able := [one for one in left if one.weight]):
        which = max(able, key=lambda one: (not one.fast_carrier, one.size))
        for fleet in (group.ships, left):
            take(fleet, which, 1)
        add(escort.ships, which, 1)


def _dealt(known: Knowledge, units: Sequence[Group], later: Sequence[Group]) -> Iterator[Deal]:
    """Which of these groups is behind which number, waits, or has left."""
    gone = [group for group in known.state.battle.withdrawn(known.enemy).values() if not group.revealed]
    numbers, left = len(known.unseen), len(gone)
    if len(units) + len(later) != numbers + left + (known.waiting or 0) or len(units) < numbers + left:
        return
    fitting = {number: [force for force in units if _fits(known, number, force)] for number in known.unseen}

    def place(chosen: list[Group]) -> Iterator[list[Group]]:
        if len(chosen) == numbers:
            yield chosen
            return
        for force in fitting[known.unseen[len(chosen)]]:
            if not _among(force, chosen):
                yield from place([*chosen, force])

    for chosen in place([]):
        behind = dict(zip(known.unseen, chosen, strict=True))
        if not _fits_together(known, behind):
            continue
        others = [force for force in units if not _among(force, chosen)]
        for departed in permutations(others, left):
            staying = [force for force in others if not _among(force, departed)]
            if all([not has_cargo(force) for force in staying]):
                yield Deal(behind, (*staying, *later), departed)


def _among(force: Group, others: Sequence[Group]) -> bool:
    """Whether it is one of the others itself; some forces are equal."""
    return any([force is one for one in others])


def _fits(known: Knowledge, number: int, force: Group) -> bool:
    """22.452B: whether the owner would have told the same of it."""
    facts = known.group(number).facts
    return facts is None or facts_of(force) == facts


def _fits_together(known: Knowledge, behind: Mapping[int, Group]) -> bool:
    """Whether the activities are those that are known, and the search dice could come from these groups."""
    if known.activities != tuple(sorted([force.activity for force in behind.values()])):
        return False
    return known.searching is None or bool(searching(known, behind))


def searching(known: Knowledge, behind: Mapping[int, Group]) -> list[dict[int, bool]]:
    """22.451D: which groups may have given the search dice that were rolled."""
    assert known.searching is not None
    sure, able = dict[int, bool](), list[int]()
    for group in known.groups():
        seen, ships = group.number not in behind, behind.get(group.number, group).ships
        if not is_active(group, known.state.battle.round):
            sure[group.number] = False
            had = seen and (group.facts is None or group.facts.carriers)  # it may have lost them since
            if had or any([which.fast_carrier and not (which.damaged and not seen) for which in ships]):
                able.append(group.number)
        elif not seen:
            sure[group.number] = undamaged_factors(ships) >= LEAST
    more = known.searching - sum(sure.values())
    return [sure | dict.fromkeys(some, True) for some in combinations(able, more)] if more >= 0 else []


def as_unseen(group: Group, force: Group) -> None:
    """A combat group that nobody has seen gets the ships of a force, and all that comes with them."""
    group.ships = dict(force.ships)
    group.task_force, group.activity, group.origin = force.task_force, force.activity, force.origin
    group.cargo, group.loads, group.divisible = force.cargo, dict(force.loads), force.divisible


# --- on a map: which force is behind which marker ---------------------------------------------------------------


def dealt_to_markers(known: Knowledge, public: Public, chance: Random) -> dict[str, Fleet] | None:
    """Forces of the scenario that were not seen, one for each TF marker that hides its ships."""
    elsewhere = set(known.elsewhere)
    free = [force for force in public.forces if not any([which.id in elsewhere for which in force.ships])]
    markers = [key for key, marker in known.markers.items() if marker.hidden]
    dealt: dict[str, Fleet] = {}

    def deal(keys: Sequence[str], left: Sequence[Group]) -> bool:
        if not keys:
            return True
        for force in chance.sample(left, len(left)):
            ships = _under(known.markers[keys[0]], force)
            if ships is not None:
                dealt[keys[0]] = ships
                if deal(keys[1:], [one for one in left if one is not force]):
                    return True
        return False

    return dealt if deal(chance.sample(markers, len(markers)), free) else None


def _under(marker: Marker, force: Group) -> Fleet | None:
    """The ships of a force as a marker would hide them, if all that is known of it fits."""
    ships: Fleet = {}
    for which, number in force.ships.items():
        add(ships, which.carrying(), number)
    for which, number in marker.ships.items():
        plain = which.carrying()
        if ships.get(plain, 0) < number:
            return None
        take(ships, plain, number)
        add(ships, which, number)
    if {which.nation for which in ships} != set(marker.nations) or not force.task_force:
        return None
    if marker.slow not in (None, is_slow(ships)) or marker.light not in (None, light_only(ships)):
        return None
    return ships if marker.large in (None, sum(ships.values()) >= MOST_RAIDERS) else None
