"""Regrouping in port (22.14B): task forces may be put together anew just before they intercept."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

from flagplot.awaw.air_units import Force, add, take
from flagplot.awaw.battle.withdrawal import Parcel
from flagplot.awaw.counting import in_order, merged
from flagplot.awaw.operations.interception.interceptors import is_free, is_russian
from flagplot.awaw.operations.interception.sailing_together import may_cooperate
from flagplot.awaw.operations.markers import marker, new_key, strike_marker
from flagplot.awaw.options import Options
from flagplot.awaw.ships import Fleet, Ship, decks, factors
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.operation import NavalForce
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import LEAST, carrier_factors, fast_fleet_factors, small_force_faults, task_force_faults
from flagplot.kernel.requests import Choose, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, count_or_not

JOIN, HALVE, SPEED = "join", "halve", "by-speed"
DONE = ("done",)
MOST_STEPS = 4
"""How often the forces of one port are regrouped in a row."""
Step = tuple[str, ...]


@rule("22.14B.2")
def regroup(state: State, side: str, bases: Iterable[str]) -> Script[None]:
    """22.14B: port by port, forces that are free may be put together or divided, into task forces and smaller forces
    that are legal. To be run in secret."""
    for base in bases:
        for _ in range(MOST_STEPS):
            steps = possible_steps(state, side, base)
            if not steps:
                break
            labels: dict[Step, Words] = {DONE: "Keep them as they are", **steps}
            question = ("Regroup the forces in {}?", state.place(base).name)
            chosen: Step = yield Choose(side, ("regroup", base), [*labels], question, labels, "22.14B")
            if chosen == DONE:
                break
            _take_step(state, chosen)


def possible_steps(state: State, side: str, base: str) -> dict[Step, Words]:
    """What can be done with the forces of a port: two become one task force; one is divided evenly, or its slow ships
    from the fast ones."""
    here = {
        key: force
        for key, force in state.operation.fleet_of(side).items()
        if force.base == base and force.in_port and is_free(state, force) and not force.group.cargo
    }
    steps: dict[Step, Words] = {}
    for (one, first), (other, second) in combinations(here.items(), 2):
        if _may_join(state, first, second):
            steps[JOIN, one, other] = ("Combine {} and {} into one task force", first.marker, second.marker)
    for key, force in here.items():
        if force.grounded:
            continue
        evenly, fast_from_slow = _ways_to_split(tuple(force.group.ships.items()), state.setting.options)
        if evenly:
            steps[HALVE, key] = ("Split {} into two task forces", force.marker)
        if fast_from_slow:
            steps[SPEED, key] = ("Split fast and slow ships of {}", force.marker)
    return steps


def _may_join(state: State, one: NavalForce, other: NavalForce) -> bool:
    ships = merged(one.group.ships, other.group.ships)
    of = {which.nation for which in ships}
    allied = may_cooperate(state, of) and not (is_russian(of) and len(of) > 1)
    return allied and not task_force_faults(ships, state.setting.options)


@lru_cache(maxsize=4096)  # asked of every force in port whenever somebody might intercept
def _ways_to_split(ships: tuple[tuple[Ship, int], ...], options: Options) -> tuple[bool, bool]:
    """Whether a fleet can be split evenly, and whether its fast ships can leave the slow ones."""
    fleet = dict(ships)
    return _sound(options, halves(fleet), both=True), _sound(options, by_speed(fleet), both=False)


def _sound(options: Options, parts: tuple[Fleet, Fleet], *, both: bool) -> bool:
    """Whether both parts may sail: as task forces, or else one of them as a smaller force."""
    if not all(parts):
        return False
    kinds = [not task_force_faults(part, options) for part in parts]
    small = [factors(part) > 0 and not small_force_faults(part, options) for part in parts]
    if both:
        return all(kinds)
    return all([kind or little for kind, little in zip(kinds, small, strict=True)])


def halves(fleet: Fleet) -> tuple[Fleet, Fleet]:
    """A fleet in two parts as even as may be: first the carriers are shared out, then their escort, then the rest."""
    parts: tuple[Fleet, Fleet] = ({}, {})
    ships = [which for which, number in fleet.items() for _ in range(number)]
    carriers = [which for which in ships if which.fast_carrier]
    fast = [which for which in ships if not which.fast_carrier and not which.slow]
    rest = [which for which in ships if not which.fast_carrier and which.slow]
    for which in carriers:
        add(min(parts, key=carrier_factors), which, 1)
    for which in fast:
        add(max(parts, key=lambda part: (carrier_factors(part) - fast_fleet_factors(part), -factors(part))), which, 1)
    for which in rest:
        add(min(parts, key=factors), which, 1)
    return in_order(parts[0]), in_order(parts[1])


def by_speed(fleet: Fleet) -> tuple[Fleet, Fleet]:
    """The fast ships of a fleet, and the slow ones."""
    fast = {which: number for which, number in fleet.items() if not which.slow}
    return fast, {which: number for which, number in fleet.items() if which.slow}


def forces_by_port(state: State, side: str) -> dict[str, list[tuple[str, str, bool]]]:
    """What everybody sees of the forces of a side port by port, those that are about to sail among them: their markers,
    and whether they were seen."""
    ports: dict[str, list[tuple[str, str, bool]]] = {base: [] for base in state.of_side(side)}
    for key, force in state.operation.fleet_of(side).items():
        if force.at == state.place(force.base).at:
            ports[force.base].append((key, force.marker, force.seen))
    return ports


# --- doing it ---------------------------------------------------------------------------------------------------


def _take_step(state: State, step: Step) -> None:
    kind, key, *others = step
    if kind == JOIN:
        join(state, key, others[0])
    else:
        force = state.operation.fleet[key]
        divide(state, key, (halves if kind == HALVE else by_speed)(force.group.ships)[1])
        strike_marker(state, force)


@rule("22.14B.2", "17.3126C.2")
def join(state: State, one: str, other: str) -> None:
    """Two forces of a port become one task force, under the marker of one that has been a task force."""
    operation = state.operation
    if operation.fleet[other].group.task_force and not operation.fleet[one].group.task_force:
        one, other = other, one
    force, gone = operation.fleet[one], operation.fleet.pop(other)
    group = force.group
    group.ships = merged(group.ships, gone.group.ships)
    group.air = merged(group.air, gone.group.air)
    force.grounded = merged(force.grounded, gone.grounded)
    force.ashore = merged(force.ashore, gone.ashore)
    force.sunk_in_port = merged(force.sunk_in_port, gone.sunk_in_port)
    force.seen = force.seen and gone.seen
    if not group.task_force:
        group.task_force, force.marker = True, marker(state, group.side, task_force=True)


@rule("22.14B.2", "17.3121", "17.3124.5", "17.3126C.2")
def divide(state: State, key: str, leaving: Fleet) -> str:
    """Some ships of a force become a force of their own, with their squadrons, those ashore among them (17.3126C), and
    those aboard damaged carriers with their carriers (17.3124); the key of the new one."""
    operation = state.operation
    force = operation.fleet[key]
    group = force.group
    for which, number in leaving.items():
        take(group.ships, which, number)
    part = Group(group.side, f"{group.name}, part", dict(leaving), factors(leaving) >= LEAST, place=group.place)
    grounded = _beyond(force.grounded, {country: lamed for country, (_, lamed) in decks(group.ships).items()})
    for squadron, number in grounded.items():
        take(force.grounded, squadron, number)
    part.air = _air_that_leaves(group.air, group.ships, force.grounded)
    for squadron, number in part.air.items():
        take(group.air, squadron, number)
    group.origin = part.origin = force.base
    name = new_key(state, key)
    label = marker(state, group.side, task_force=part.task_force)
    ashore = _air_that_leaves(force.ashore, group.ships, merged(group.air, force.grounded))
    for squadron, number in ashore.items():
        take(force.ashore, squadron, number)
    operation.fleet[name] = NavalForce(
        part, force.base, force.at, label, tried=force.tried, seen=force.seen, grounded=grounded, ashore=ashore
    )
    return name


def pick_ships(
    force: NavalForce,
    verb: tuple[str, str],
    some: Iterable[Parcel],
    most: int,
    asked: tuple[str, str, str, str],
    number: str,
) -> Script[Fleet]:
    """How many ships of each kind leave a force, at most `most` altogether. `asked`: the questions about one ship and
    about several, and the two answers about one. To be run in secret."""
    chosen: Fleet = {}
    for parcel in some:
        tag, ship, there = parcel
        able = range(min(there, most) + 1)
        one, several, no, yes = asked
        group = force.group.name
        question, labels = count_or_not(there, (several, group, there, parcel), (one, group, parcel), no, yes)
        count: int = yield Choose(force.side, (*verb, tag), able, question, labels, number)
        most -= count
        if count:
            chosen = merged(chosen, dict.fromkeys(ship, count))
    return chosen


def _air_that_leaves(air: Force, staying: Fleet, aboard: Force) -> Force:
    """The squadrons for which the carriers that stay have no room beside those aboard."""
    room = {country: sum(both) for country, both in decks(staying).items()}
    for which, number in aboard.items():
        room[which.nation] = room.get(which.nation, 0) - number
    return _beyond(air, room)


def _beyond(air: Force, room: dict[str, int]) -> Force:
    """The squadrons of each nation for which there is no such room."""
    leaving: Force = {}
    for which, number in air.items():
        some = min(number, max(0, room.get(which.nation, 0)))
        room[which.nation] = room.get(which.nation, 0) - some
        if number > some:
            leaving[which] = number - some
    return leaving
