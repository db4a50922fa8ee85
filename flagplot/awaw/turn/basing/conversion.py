"""Factors and squadrons in the course of a turn (23.13-23.15): when air is broken down and put together again, and how
the force pools stay right."""

from __future__ import annotations

from collections import Counter

from flagplot.awaw.air_units import NAMES, Arm, Unit, take
from flagplot.awaw.conversion import beyond_pool, factors_from
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.nations import nation
from flagplot.awaw.turn.marks import clip
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

CONVERTED = (Arm.ARMY.value, Arm.JET.value, Arm.TRANSPORT.value)
"""The arms that are built in factors and can be broken down (23.13, 23.17, 23.18)."""


# --- the construction phase -------------------------------------------------------------------------------------


@rule("23.141", "23.141B", "23.142B", "23.142C", "23.17", "23.18")
def convert_unbuilt(state: State, side: str) -> Script[None]:
    """23.141B: in their owner's construction phase every three unbuilt squadrons make a factor that can be built. Two
    that are left over make one too, and a squadron in play is removed for it; a single one waits. Then no more factors
    are in play and unbuilt than the force pool holds (23.142C)."""
    turn = state.turn
    for key in _pools_of(state, side):
        if _waiting(key) not in turn.unbuilt:
            continue
        squadrons = turn.unbuilt.pop(_waiting(key))
        made = factors_from(squadrons)
        if squadrons > 3 * made:
            turn.unbuilt[_waiting(key)] = squadrons - 3 * made
        if not made:
            continue
        turn.unbuilt[key] = turn.unbuilt.get(key, 0) + made
        yield Note(("{}: {} unbuilt squadrons become {} {}", _name(key), squadrons, made, _factors(made)), "23.141B")
        if squadrons < 3 * made:
            yield from _third_squadron(state, side, key)
        yield from _trim(state, key, turn.unbuilt[key])


@rule("23.141B")
def _third_squadron(state: State, side: str, key: str) -> Script[None]:
    """23.141B: the third squadron of a factor that two unbuilt ones make is removed from play, wherever the owner
    likes; nothing, if all that are in play have been put together."""
    found = {
        f"{which.home}:{which.role.value}{':inverted' * which.inverted}": which
        for base in state.of_side(side)
        for which in state.sites[base].air
        if _key(which) == key and not which.is_factor
    }
    if not found:
        return
    labels: dict[str, Words] = {
        text: ("1 {} of {}{}", which.name, state.place(which.home).name, ", inverted" * which.inverted)
        for text, which in found.items()
    }
    question = ("{}: remove which squadron to complete a factor?", _name(key))
    chosen: str = yield Choose(side, ("third", key), [*found], question, labels, "23.141B")
    which = found[chosen]
    site = state.sites[which.home]
    take(site.air, which, 1)
    there = Counter(site.air)[which]
    for part in (site.used, site.committed, site.aborted):
        if which in part and part[which] > there:
            take(part, which, 1)
    clip(state)
    yield Note(("1 {} removed from {}", which.name, state.place(which.home).name), "23.141B")


# --- the end of a player turn -----------------------------------------------------------------------------------


@rule("19.52", "19.65C", "23.141C", "23.142B", "23.142C", "23.143", "23.143.EX1")
def settle_pools(state: State) -> Script[None]:
    """23.142B: all squadrons on the board are put together (23.141C). First those that are unbuilt make factors; then
    what is in play above the force pool is removed (23.142C). What is neither in play nor was lost as a squadron can be
    built again (23.143)."""
    turn = state.turn
    for key, factors in sorted(turn.pools.items()):
        squadrons = turn.unbuilt.pop(_waiting(key), 0)
        unbuilt = min(factors, turn.unbuilt.pop(key, 0) + factors_from(squadrons))
        yield from _trim(state, key, unbuilt)
        rest = factors - in_play(state, key)
        if rest > 0:
            turn.unbuilt[key] = rest
    clip(state)


@rule("23.142C")
def _trim(state: State, key: str, unbuilt: int) -> Script[None]:
    """23.142C: factors in play that the force pool does not hold beside those that are unbuilt are removed."""
    for _ in range(beyond_pool(in_play(state, key), unbuilt, state.turn.pools[key])):
        yield from _remove(state, key)
    clip(state)


@rule("23.142C")
def _remove(state: State, key: str) -> Script[None]:
    """23.142C: a factor above the force pool is removed, from a base of the owner's choice; inverted ones first."""
    homes: dict[str, Unit] = {}
    order = [base for side in state.scene.held for base in state.of_side(side)]
    for base in sorted(state.sites, key=lambda base: (order.index(base) if base in order else len(order), base)):
        found = [which for which in state.sites[base].air if _key(which) == key and which.is_factor]
        if found:
            homes[base] = min(found, key=lambda which: (not which.inverted, which.text))
    if not homes:
        return
    labels: dict[str, Words] = {home: ("Remove one from {}", state.place(home).name) for home in homes}
    question = ("{}: force pool exceeded. Remove one where?", _name(key))
    side = state.place(next(iter(homes))).side
    home: str = yield Choose(side, ("remove", key), [*homes], question, labels, "23.142C")
    take(state.sites[home].air, homes[home], 1)
    yield Note(("1 {} removed from {}", homes[home].name, state.place(home).name), "23.142C")


# --- counting ---------------------------------------------------------------------------------------------------


def in_play(state: State, key: str) -> int:
    """The factors of a nation and arm that are in play: in bases, out over a hex, or on an air transport mission."""
    turn = state.turn
    forces = [site.air for site in state.sites.values()] + [flight.air for flight in turn.flights]
    lift = turn.airlift
    if lift is not None:
        forces += [lift.transports, lift.interceptors, lift.guards]
    return sum(
        [number for force in forces for which, number in force.items() if which.is_factor and _key(which) == key]
    )


def _key(which: Unit) -> str:
    return f"{which.nation}/{which.arm}"


def _waiting(key: str) -> str:
    """Under what unbuilt squadrons of a nation and arm are counted, until they make factors."""
    return f"{key}/squadrons"


def _pools_of(state: State, side: str) -> list[str]:
    return [key for key in sorted(state.turn.pools) if key.partition("/")[0] in state.setting.nations[side]]


def _name(key: str) -> str:
    country, _, arm = key.partition("/")
    return f"{nation(country).adjective} {NAMES[Arm(arm)]}"


def _factors(number: int) -> str:
    return f"factor{'s' * (number != 1)}"
