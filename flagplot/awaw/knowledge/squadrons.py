"""Carrier squadrons that an enemy may have: aboard, on patrol, under TF markers in port."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb, prod
from random import Random

from flagplot.awaw.air_units import Arm, Force, Role, Unit, flying_range, unit
from flagplot.awaw.battle.air_plan import patrol_limit
from flagplot.awaw.battle.decks import in_the_air, sound_decks, squadrons_by_nation
from flagplot.awaw.counting import add, merged
from flagplot.awaw.knowledge.known import Knowledge
from flagplot.awaw.ships import FAST_CARRIERS, Fleet, named_ships
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.setting import at_sea, drm_ledger
from flagplot.awaw.state.state import State

MOST_HIDDEN = 12
"""17.312, 20.162: at most half of the 25 factors of a task force are carriers, with as many squadrons."""

Flying = tuple[tuple[Unit, int], ...]
"""Squadrons, and how many of each kind."""


def arms(country: str) -> tuple[Arm, ...]:
    """The Japanese may have elite squadrons."""
    return (Arm.NAVAL, Arm.ELITE) if country == "japan" else (Arm.NAVAL,)


def squadron(state: State, country: str, arm: Arm, home: str) -> Unit:
    setting = state.setting
    drm = drm_ledger(setting, state.place(home), country, arm).total
    return unit(country, arm, drm, flying_range(arm, setting.pacific, 0), home, Role.SQUADRONS, False)


def some_squadrons(state: State, country: str, home: str, number: int, chance: Random) -> Force:
    """So many squadrons of a nation, of whatever kinds it may have."""
    force: Force = {}
    for _ in range(number):
        add(force, squadron(state, country, chance.choice(arms(country)), home), 1)
    return force


def aloft(state: State, side: str) -> Counter[str]:
    """By nation: carrier squadrons of a side that are known to be away, in whatever role: they need decks as well."""
    away = in_the_air(state, side)
    for mission in (state.battle.mission, *state.battle.sorties):
        if mission is not None and mission.side == side:
            own = {which: number for which, number in mission.attackers.items() if which.home == at_sea(side)}
            away = merged(away, own)
    return squadrons_by_nation(away)


# --- what may fly where, with weights ---------------------------------------------------------------------------


def deck_country(fleet: Fleet) -> str:
    """The nation with the most decks in a fleet."""
    decks = sound_decks([Group("", "", fleet)])
    return max(decks, key=lambda country: decks[country]) if decks else ""


def patrols(fleet: Fleet) -> list[tuple[Arm, int]]:
    """23.33: the combat air patrols that a group with these ships may fly, from none to a third of full decks."""
    limit = patrol_limit(sum(sound_decks([Group("", "", fleet)]).values()))
    able = arms(deck_country(fleet))
    return [(Arm.NAVAL, 0), *[(arm, some) for arm in able for some in range(1, limit + 1)]]


def covers(known: Knowledge, number: int) -> list[tuple[Fraction, Flying]]:
    """22.4421: each squadron that flies cover covers one of the groups, any of them equally likely."""
    if number not in known.over or not known.cover:
        return [(Fraction(1), ())]
    kinds = []
    for which, count in known.cover.items():
        ways = [(comb(count, some) * (len(known.over) - 1) ** (count - some), some) for some in range(count + 1)]
        kinds.append([(Fraction(many, len(known.over) ** count), which, some) for many, some in ways if many])
    return [
        (
            prod([one for one, _, _ in chosen], start=Fraction(1)),
            tuple([(which, some) for _, which, some in chosen if some]),
        )
        for chosen in product(*kinds)
    ]


def under_marker(known: Knowledge, base: str) -> list[tuple[Fraction, Flying]]:
    """17.3126: what a TF marker in a port may hide."""
    able = [(Arm.NAVAL, 0, "")]
    for country in carrier_countries(known):
        for arm in arms(country):
            able += [(arm, number, country) for number in range(1, MOST_HIDDEN + 1)]
    each = Fraction(1, len(able))
    return [(each, hidden_squadrons(known, base, *one)) for one in able]


def hidden_squadrons(known: Knowledge, base: str, arm: Arm, number: int, country: str) -> Flying:
    return ((squadron(known.state, country, arm, base), number),) if number else ()


def carrier_countries(known: Knowledge) -> list[str]:
    have = {one.nation for one in named_ships().values() if one.kind in FAST_CARRIERS}
    return [country for country in known.state.setting.nations[known.enemy] if country in have] or ["britain"]


def markers(known: Knowledge) -> Sequence[str]:
    """The enemy bases in which a TF marker may hide squadrons."""
    state = known.state
    return [
        base
        for base, place in state.scene.places.items()
        if place.side == known.enemy and place.marker and not state.sites[base].counteraired
    ]
