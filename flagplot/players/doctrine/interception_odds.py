"""What an attempt to intercept is worth: exact chances by the printed table, against strength and what is at stake."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import lru_cache
from itertools import chain, combinations, pairwise, product
from math import prod
from typing import NamedTuple

from flagplot.awaw.mapboard.hexes import distance
from flagplot.awaw.ships import ALWAYS_SLOW
from flagplot.awaw.state.operation import Activity, Progress
from flagplot.awaw.tables.counts import Intercepted, interception_dice, interception_distance, within_range
from flagplot.awaw.views.operation import ForceView, VoyageView
from flagplot.awaw.views.units import Hex
from flagplot.kernel.view_types import HIDDEN
from flagplot.players.doctrine.sea import CARGO, CARRIERS, Sea, has_cargo, likely_win
from flagplot.players.doctrine.sight import carrier_factors, factors, guns, is_light

MOST_SPOTTERS, SUBMARINE_HEXES = 3, 3
MOST_LOOSE = 9
"""22.14C: factors outside task forces that intercept one target from one port."""
MOST_ATTEMPTS = 4
"""So many attempts are weighed against each other, the strongest."""
SUNK = 0.3
"""The share of the beaten side that is taken to be sunk."""
CAUGHT = 0.5
"""What guns count against carriers."""
LATE = 0.5
"""What a force that comes late counts."""
APART = frozenset({Activity.SEA_ESCORT, Activity.REDEPLOYMENT, Activity.RAID})
"""22.141C-D: forces on these activities are intercepted by themselves."""


# --- dice -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def chance(dice: int, hexes: int, theatre: str) -> float:
    """The chance that so many dice reach so far (22.21)."""
    if dice <= 0 or not within_range(hexes, theatre):
        return 0.0
    ways = {0: 1}
    for _ in range(dice):
        sums: dict[int, int] = {}
        for total, number in ways.items():
            for face in range(1, 7):
                sums[total + face] = sums.get(total + face, 0) + number
        ways = sums
    reach = [number for total, number in ways.items() if interception_distance(total, theatre) >= hexes]
    return float(sum(reach) / 6**dice)


def target_at(sea: Sea, key: str, at: Hex, side: str) -> Intercepted:
    """The target as a side counts it that intercepts it in a hex (22.22)."""
    voyage, path = sea.voyages[key], sea.path(key)
    activity = voyage.activity
    return Intercepted(
        cargo=not voyage.level and (voyage.cargo or activity in CARGO),
        bombardment=activity is Activity.BOMBARDMENT,
        carrier_mission=activity is Activity.CARRIER_MISSION,
        patrol_staying=activity is Activity.PATROL and voyage.progress is Progress.ARRIVED,
        counter_in_hex=voyage.meeting is not None and voyage.meeting.meet == at,
        task_forces=sum([force.task_force for force in met_with(sea, key, at)]),
        ground_defenders=int(activity is Activity.INVASION and at == path[-1]),
        spotters=min(MOST_SPOTTERS, max([sea.searchers(side, hex_) for hex_ in path[: _place(path, at) + 1]])),
        submarines=_near(sea, side, at),
    )


def _place(path: Sequence[Hex], at: Hex) -> int:
    return path.index(at) if at in path else len(path) - 1


def _near(sea: Sea, side: str, at: Hex) -> int:
    """22.22H: the submarines of a side that help in a hex."""
    boats = [one for one in sea.flotillas.values() if one.side == side and distance(one.at, at) <= SUBMARINE_HEXES]
    return sum([one.factors + one.tried + one.away for one in boats])


def met_with(sea: Sea, key: str, at: Hex) -> list[ForceView]:
    """The forces that are met in a hex: those of the voyage, those who have joined it by then, and those who are there
    at the same time (22.13C, 22.141)."""
    voyage, path = sea.voyages[key], sea.path(key)
    found = sea.sailing(key)
    for other, one in sea.voyages.items():
        if other == key or one.side != voyage.side or one.flotilla or one.progress is Progress.OVER:
            continue
        theirs = sea.path(other)
        joined = one.joins == key and theirs[-1] in path[: _place(path, at) + 1]
        if joined or not (one.joins or _sail_apart(one, voyage) or not _together(path, theirs, at)):
            found += sea.sailing(other)
    return found


def _sail_apart(one: VoyageView, other: VoyageView) -> bool:
    """22.141: whether two voyages of a side are never met together."""
    if one.level != other.level or (one.level == 0 and {one.activity, other.activity} & APART):
        return True
    return (one.activity is Activity.RETURN) != (other.activity is Activity.RETURN)


def _together(one: Sequence[Hex], other: Sequence[Hex], at: Hex) -> bool:
    """22.141A: whether two forces are in a hex at the same time."""
    if at not in one or at not in other:
        return False
    ends = one[0] == other[0] == at or one[-1] == other[-1] == at
    return ends or bool(_steps(one, at) & _steps(other, at))


def _steps(path: Sequence[Hex], at: Hex) -> set[tuple[Hex, Hex]]:
    return {step for step in pairwise(path) if at in step}


def submarine_chance(sea: Sea, key: str, at: Hex, hexes: int) -> float:
    """The chance that one submarine factor intercepts a voyage in a hex (22.915)."""
    about = target_at(sea, key, at, sea.side)
    return chance(interception_dice(**about, submarine_force=True).total, hexes, sea.theatre)


# --- attempts ---------------------------------------------------------------------------------------------------


class Attempt(NamedTuple):
    """Forces that would intercept together: a task force, or the smaller forces of a port."""

    keys: tuple[str, ...]
    at: Hex
    power: float
    guns: float
    """How much of its power are guns, which must come near."""
    light: bool
    slow: bool


def possible_attempts(sea: Sea, forces: dict[str, ForceView]) -> list[Attempt]:
    """The attempts that these forces can make, the strongest ones."""
    found = [_attempt(sea, (key,), [force]) for key, force in forces.items() if force.task_force]
    ports: dict[Hex, list[str]] = {}
    for key, force in forces.items():
        if not force.task_force:
            mates = ports.setdefault(force.at, [])
            together = sum([factors(forces[mate].ships or ()) for mate in (*mates, key)])
            mates += [key] * (together <= MOST_LOOSE or not mates)
    found += [_attempt(sea, tuple(mates), [forces[mate] for mate in mates]) for mates in ports.values()]
    return sorted(found, key=lambda one: -one.power)[:MOST_ATTEMPTS]


def _attempt(sea: Sea, keys: tuple[str, ...], forces: Sequence[ForceView]) -> Attempt:
    ships = [ship for force in forces for ship in force.ships or ()]
    light = bool(ships) and all([is_light(ship) for ship in ships])
    slow = any([ship.damaged or ship.kind in ALWAYS_SLOW for ship in ships])
    return Attempt(keys, forces[0].at, sea.power(forces), float(guns(ships)), light, slow)


class Interception(NamedTuple):
    """An interception that is weighed: what it is worth, where, and with which forces."""

    worth: float
    at: Hex
    keys: frozenset[str]


def best_interception(
    sea: Sea, key: str, hexes: Iterable[Hex], least: float = 0.0, kept: Container[str] = ()
) -> Interception | None:
    """The best way to intercept a voyage in one of these hexes, if it is worth more than something; `kept` are forces
    that are kept for another target. Those who are already on their way to it go in any case, and where they go.
    """
    sent = sent_against(sea, key)
    free = {name: force for name, force in sea.free(sea.side).items() if name not in kept and not has_cargo(force)}
    attempts = possible_attempts(sea, free)
    best: Interception | None = None
    for at in [sent[0][1]] if sent else hexes:
        view = _Hex(sea, key, at)
        already = [attempt for attempt, _ in sent]
        near = [one for one in attempts if within_range(sea.sails(one.at, at), sea.theatre)]
        for some in _subsets(near):
            worth = view.worth([*already, *some]) if some or already else 0.0
            if worth > (best.worth if best else least):
                best = Interception(worth, at, frozenset(chain.from_iterable([one.keys for one in some])))
    return best


def kept_for_others(sea: Sea, key: str, worth: float) -> frozenset[str]:
    """The forces that are worth more against another voyage that may be intercepted now."""
    voyage = sea.voyages[key]
    kept: frozenset[str] = frozenset()
    for other, rival in sea.voyages.items():
        alike = rival.side == voyage.side and rival.level == voyage.level and not rival.flotilla
        open_ = rival.progress is Progress.ANNOUNCED and not rival.joins and rival.path
        if other != key and alike and open_ and not sent_against(sea, other):
            better = best_interception(sea, other, sea.path(other), worth)
            kept |= better.keys if better else frozenset()
    return kept


def sent_against(sea: Sea, key: str) -> list[tuple[Attempt, Hex]]:
    """Our attempts on a voyage that are declared and not rolled for, and where."""
    found = []
    for other, voyage in sea.voyages.items():
        waits = voyage.progress is Progress.ANNOUNCED and not voyage.arrives and voyage.meeting
        if voyage.target == key and voyage.side == sea.side and not voyage.flotilla and waits:
            attempt = _attempt(sea, voyage.forces, sea.sailing(other))
            found.append((attempt._replace(at=sea.path(other)[0]), waits.meet))
    return found


def _subsets(attempts: Sequence[Attempt]) -> Iterable[tuple[Attempt, ...]]:
    return chain.from_iterable([combinations(attempts, number) for number in range(len(attempts) + 1)])


def _has_carriers(force: ForceView, activity: Activity) -> bool:
    """Whether a force has carriers, or is taken to have."""
    return activity in CARRIERS if force.ships is HIDDEN else carrier_factors(force.ships) > 0


class _Hex:
    """An interception hex, as it is weighed."""

    def __init__(self, sea: Sea, key: str, at: Hex) -> None:
        self.sea, self.at = sea, at
        self.about = target_at(sea, key, at, sea.side)
        self.stake = sea.stake(key)
        voyage = sea.voyages[key]
        enemy = voyage.side
        met = met_with(sea, key, at)
        self.size = sea.size(met)
        self.theirs = sea.power(met) + sea.air_power(enemy, at)
        self.friends = sea.air_power(sea.side, at)
        self.elusive = any([_has_carriers(force, voyage.activity) for force in met])
        self.there = 0.0
        if not voyage.level:
            self.theirs += sea.supporting(enemy, at)
        elif self.about["counter_in_hex"]:  # our force that is intercepted there fights beside them
            self.there = sea.power(sea.sailing(voyage.target)) + sea.supporting(sea.side, at)

    def worth(self, attempts: Sequence[Attempt]) -> float:
        """What so many attempts are worth on average: who arrives, in time or late, and what comes of it."""
        chances = [self._chance(one, len(attempts)) for one in attempts]
        if any([not one for one in chances]):
            return 0.0
        worth = 0.0
        before = self._swing(0.0, 0.0) if self.there else 0.0
        sent = sum([one.power for one in attempts])
        for in_time in product((True, False), repeat=len(attempts)):
            if any(in_time):
                likely = prod([one if so else 1 - one for one, so in zip(chances, in_time, strict=True)])
                power = sum([self._power(one) * (1 if so else LATE) for one, so in zip(attempts, in_time, strict=True)])
                worth += likely * (self._swing(power, sent) - before)
        return worth

    def _power(self, one: Attempt) -> float:
        """Guns count half against carriers, which strike from afar and evade."""
        return one.power - (1 - CAUGHT) * one.guns * self.elusive

    def _chance(self, one: Attempt, attempts: int) -> float:
        dice = interception_dice(**self.about, cruisers_and_destroyers_only=one.light, slow=one.slow, attempts=attempts)
        return chance(dice.total, self.sea.sails(one.at, self.at), self.sea.theatre)

    def _swing(self, power: float, sent: float) -> float:
        """What a battle with that power is worth: what is stopped and sunk, less what is lost of those who are sent."""
        win = likely_win(power + self.there + self.friends, self.theirs)
        lost = SUNK * (sent + self.there) * self.sea.sight.doctrine.caution + self.stake * bool(self.there)
        return win * (self.stake + SUNK * self.size) - (1 - win) * lost
