"""Who fires at whom in a fleet combat (22.54A-B, D-E, G): ranks, pairs, and the targets of ships that are free."""

from __future__ import annotations

from collections.abc import Sequence

from flagplot.awaw.battle.screening import capital_ships, fit_for_the_line, joined, light_ships, line_of
from flagplot.awaw.counting import add, merged, take
from flagplot.awaw.ships import Fleet, Ship, Ships, factors
from flagplot.awaw.state.battle import LIGHT_SHIPS, Volley
from flagplot.awaw.state.state import State
from flagplot.kernel.requests import Choose, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, how_many, plural

HOLD = "hold"
RATIO = 3
"""22.54D: so many light factors pair off with one of the enemy."""


def fire_at(volleys: list[Volley], side: str, target: str, which: Ship, number: int = 1) -> None:
    """22.55: ships join the fire of their side on a target."""
    for volley in volleys:
        if (volley.side, volley.target) == (side, target):
            add(volley.ships, which, number)
            return
    volleys.append(Volley(side, target, {which: number}))


def hold_fire(state: State, side: str, which: Ship, number: int = 1) -> None:
    """22.54B, E: ships wait for screened targets."""
    held = joined(state).held.setdefault(side, {})
    held[which.tag] = held.get(which.tag, 0) + number


# --- capital ships ----------------------------------------------------------------------------------------------


@rule("22.54A.1", "22.54A.1.1", "22.54A.1.2", "22.54A.1.3", "22.54A.1.4", "SOP-NC-I.H.3")
def rank(which: Ship) -> tuple[int, bool, int, int]:
    """22.54A: larger ships come first, then faster ones, then those with fewer hits, then those with a higher DRM."""
    return -which.size, which.slow, which.hits, -which.drm


@rule("22.54A.1", "SOP-NC-I.H.3")
def ranked(side: str, ships: Sequence[Ship], places: int) -> Script[list[Ship]]:
    """22.54A: the first so many of some ships by rank; among equals the owner chooses."""
    left = sorted(ships, key=rank)
    chosen: list[Ship] = []
    while len(chosen) < places:
        equals = {which.id: which for which in left if rank(which) == rank(left[0])}
        names: dict[str, Words] = {key: which.name for key, which in equals.items()}
        question: Words = ("Choose ship {} of the line", len(chosen) + 1) if chosen else "Which ship leads the line?"
        best = equals[(yield Choose(side, "rank", [*equals], question, names, "22.54A"))]
        chosen.append(best)
        left.remove(best)
    return chosen


@rule("22.54B", "22.54B.1", "22.54B.2", "22.54B.3", "SOP-NC-I.H.5", "SOP-NC-I.H.5.a", "SOP-NC-I.H.5.b")
@rule("SOP-NC-I.H.5.c")
def aim_surplus(state: State, side: str, which: Ship) -> Script[None]:
    """22.54B: a surplus capital ship joins in firing at a capital ship, fires at the light ships, or holds its fire."""
    line = line_of(state, state.other(side))
    labels = _targets(capital_ships(line), line)
    rules = {key: "22.54B.2" if key == LIGHT_SHIPS else "22.54B.1" for key in labels} | {HOLD: "22.54B.3"}
    labels[HOLD] = "Hold fire for screened ships"
    question = ("{} has no opponent. Choose a target", which.name)
    target: str = yield Choose(side, ("fire", which.id), [*labels], question, labels, rules)
    if target == HOLD:
        hold_fire(state, side, which)
    else:
        fire_at(joined(state).volleys, side, target, which)


def _targets(named: Sequence[Ship], fleet: Fleet) -> dict[str, Words]:
    """Named ships one by one, and the light ships of a fleet as one target, if there are any."""
    labels: dict[str, Words] = {which.id: which.name for which in named}
    return labels | ({LIGHT_SHIPS: "light ships"} if light_ships(fleet) else {})


@rule("22.54C.1")
def answer(volley: Volley, attackers: Sequence[Ship]) -> Script[None]:
    """22.54C: a capital ship at which capital ships fire must fire at one of them."""
    (which,) = volley.ships
    names: dict[str, Words] = {enemy.id: enemy.name for enemy in attackers}
    keys = [volley.target, *[key for key in names if key != volley.target]]
    question = ("{} faces several ships. Choose a target", which.name)
    volley.target = yield Choose(volley.side, ("answer", which.id), keys, question, names, "22.54C.1")


# --- light ships ------------------------------------------------------------------------------------------------


@rule("22.54D", "22.54D.1", "22.54D.2", "22.552A.4", "SOP-NC-I.H.7", "SOP-NC-I.H.7.a")
def surplus_factors(ours: Fleet, theirs: Fleet) -> int:
    """22.54D: light factors beyond three times the enemy's are surplus, if there are any; CVEs count as destroyers
    do."""
    return factors(ours) - RATIO * factors(theirs)


@rule("22.54E", "22.54E.1", "22.54E.2", "22.54E.2.1", "22.54E.2.2", "22.54E.3", "SOP-NC-I.H.7.b")
@rule("SOP-NC-I.H.7.b.i", "SOP-NC-I.H.7.b.ii", "SOP-NC-I.H.7.b.ii.a", "SOP-NC-I.H.7.b.ii.b")
@rule("SOP-NC-I.H.7.b.iii")
def aim_light_surplus(state: State, side: str, left: Fleet, surplus: int) -> Script[None]:
    """22.54E: whole ships of a surplus fire at capital ships or hold their fire; the rest joins in firing at the light
    ships, or holds its fire if there are none. `left` are all the light ships; those who do something else are taken
    out of it.

    Of several capital ships all but the last must be fired at by as many factors as they have.
    """
    if surplus <= 0:
        return
    line = line_of(state, state.other(side))
    capital = {which.id: which for which in capital_ships(line)}
    rest = LIGHT_SHIPS if light_ships(line) else HOLD
    targets = [*capital, HOLD] if rest == LIGHT_SHIPS else [*capital]
    labels = _HOLD_OR_JOIN | {key: which.name for key, which in capital.items()}
    rules = dict.fromkeys(capital, "22.54E.2") | {LIGHT_SHIPS: "22.54E.1", HOLD: "22.54E.3"}
    while targets and any([which.size <= surplus for which in left]):
        question = ("{}. Choose a target", plural(surplus, "surplus light factor"))
        target: str = yield Choose(side, "aim", [rest, *targets], question, labels, rules)
        if target == rest:
            return
        some = yield from _some(side, target, labels[target], left, surplus, "22.54E")
        surplus -= factors(some)
        for which, number in some.items():
            take(left, which, number)
            if target == HOLD:
                hold_fire(state, side, which, number)
            else:
                fire_at(joined(state).volleys, side, target, which, number)
        full = target == HOLD or factors(some) >= capital[target].size
        targets = [key for key in targets if key != target and (full or key == HOLD)]


_HOLD_OR_JOIN: dict[str, Words] = {LIGHT_SHIPS: "light ships, with the others", HOLD: "Hold fire"}


def _some(side: str, target: str, name: Words, left: Fleet, room: int, number: str) -> Script[Fleet]:
    """At least one of the light ships that are left, and no more factors than there is room for: how many of each."""
    some: Fleet = {}
    able = [which for which in left if which.size <= room]
    for which in able:
        least = 1 if which is able[-1] and not some else 0
        values = range(least, min(left[which], room // which.size) + 1)
        question: Words = ("Fire at {} with how many of {}?", name, Ships([(which, left[which])]))
        if target == HOLD:
            question = ("Hold fire with how many of {}?", Ships([(which, left[which])]))
        count: int = yield Choose(side, ("aim", target, which.tag), values, question, how_many, number)
        if count:
            some[which] = count
            room -= count * which.size
    return some


# --- screened ships ---------------------------------------------------------------------------------------------


@rule("22.54G", "22.54G.1", "22.531C.3.2", "SOP-NC-I.H.9")
def is_bare(state: State, side: str) -> bool:
    """22.54G: screened ships may be fired at only if all others of their group are sunk, but for cruisers that capital
    fire has damaged; those are screened by now."""
    return bool(joined(state).screened[side]) and not line_of(state, side)


@rule("22.54G", "22.54B.3", "22.54E.3", "22.531C.3.1")
def held_back(state: State, side: str) -> Fleet:
    """22.54G: the ships of a side that held their fire and still can: not those damaged since. Of light ships those are
    left that the owner would rather keep (20.551)."""
    held = joined(state).held.get(side)
    if not held:
        return {}
    able = {which: min(number, held.get(which.tag, 0)) for which, number in line_of(state, side).items()}
    return {which: number for which, number in able.items() if number and not which.damaged}


@rule("22.54G.2", "22.54G.3", "SOP-NC-I.H.9.a", "SOP-NC-I.H.9.b", "SOP-NC-I.H.10.a")
def aim_at_screened(state: State, side: str, ships: Sequence[Ship]) -> Script[list[Volley]]:
    """22.54G: capital ships that held their fire choose among screened ships: named ones one by one, light ships
    together. Nobody has to fire."""
    volleys: list[Volley] = []
    labels = _screened(state, side)
    targets = [key for key in labels if key != HOLD]
    for which in ships:
        question = ("Choose a screened target for {}", which.name)
        target: str = yield Choose(side, ("fire", which.id), [*targets, HOLD], question, labels, "22.54G")
        if target != HOLD:
            fire_at(volleys, side, target, which)
            del joined(state).held[side][which.tag]
    return volleys


def _screened(state: State, side: str) -> dict[str, Words]:
    screened = joined(state).screened[state.other(side)]
    labels = _targets([which for which in screened if which.named], screened)
    return labels | {HOLD: "Hold fire"}


@rule("22.54G.2", "22.54G.3", "SOP-NC-I.H.9.a", "SOP-NC-I.H.9.b", "SOP-NC-I.H.10.b")
def aim_light_at_screened(state: State, side: str, left: Fleet) -> Script[list[Volley]]:
    """22.54G: then light ships that held theirs choose, and may divide their fire, or go on holding it."""
    volleys: list[Volley] = []
    labels, held = _screened(state, side), joined(state).held[side]
    targets = [key for key in labels if key != HOLD]
    while left and targets:
        question = ("Choose a screened target for {}", Ships(left.items()))
        target: str = yield Choose(side, "aim", [*targets, HOLD], question, labels, "22.54G")
        if target == HOLD:
            break
        targets = [key for key in targets if key != target]
        some = dict(left)
        if targets:
            some = yield from _some(side, target, labels[target], left, factors(left), "22.54G")
        for which, number in some.items():
            take(left, which, number)
            held[which.tag] -= number
            fire_at(volleys, side, target, which, number)
    return volleys


@rule("22.35E")
def unengaged(state: State, side: str) -> Fleet:
    """22.35E: undamaged capital and light ships of a side that have not fought: screened ones, and those that held
    their fire and found no target."""
    screened = joined(state).screened[side]
    return merged({which: screened[which] for which in fit_for_the_line(screened)}, held_back(state, side))
