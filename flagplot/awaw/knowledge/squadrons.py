"""Carrier squadrons that an enemy may have: aboard, on patrol, under TF markers in port."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from random import Random

from flagplot.awaw.air_units import Arm, Force, Role, Unit, flying_range, unit
from flagplot.awaw.battle.air_plan import patrol_limit
from flagplot.awaw.battle.decks import in_the_air, sound_decks
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


def aloft(state: State, side: str) -> Force:
    """Carrier squadrons of a side that are known to be away, in whatever role: they need decks as well."""
    away = in_the_air(state, side)
    for mission in (state.battle.mission, *state.battle.sorties):
        if mission is not None and mission.side == side:
            own = {which: number for which, number in mission.attackers.items() if which.home == at_sea(side)}
            away = merged(away, own)
    return away


# --- what may fly where, with weights ---------------------------------------------------------------------------


def deck_country(fleet: Fleet) -> str:
    """The nation with the most decks in a fleet."""
    decks = sound_decks([Group("", "", fleet)])
    return max(decks, key=lambda country: decks[country]) if decks else ""


def patrols(fleet: Fleet, listed: Mapping[str, Sequence[Arm]] | None = None) -> list[tuple[Fraction, Arm, int]]:
    """23.33: the combat air patrols that a group with these ships may fly: any number from none to a third of full
    decks is equally likely, and so are the kinds of squadrons, or those of them that a scenario has listed."""
    limit, country = patrol_limit(sum(sound_decks([Group("", "", fleet)]).values())), deck_country(fleet)
    able, each = (listed or {}).get(country) or arms(country), Fraction(1, limit + 1)
    return [(each, Arm.NAVAL, 0), *[(each / len(able), arm, some) for some in range(1, limit + 1) for arm in able]]


Covers = dict[int, Flying]
"""By combat group: the squadrons that cover it."""


def covers(known: Knowledge, numbers: Sequence[int], given: Mapping[int, int]) -> list[tuple[Fraction, Covers]]:
    """22.4421: each squadron that flies cover covers one of the groups, any of them equally likely. All that may be
    over some groups at the same time, with weights; `given` says how many are taken to be over some of them."""
    left, fixed = _assumed_covers(known, given)
    asked = [number for number in numbers if number in known.over and number not in given]
    others = len([number for number in known.over if number not in given]) - len(asked)
    found: list[tuple[Fraction, Covers]] = [(Fraction(1), fixed)]
    for which, count in left.items():
        shares = list(_shares(count, len(asked), others))
        found = [
            (weight * more, _with(over, which, dict(zip(asked, shared, strict=True))))
            for weight, over in found
            for more, shared in shares
        ]
    return found


def _assumed_covers(known: Knowledge, given: Mapping[int, int]) -> tuple[Force, Covers]:
    """Cover as it is taken to be, and what is left of it for other groups."""
    left, fixed = dict(known.cover), Covers()
    for number, wanted in given.items():
        for which in list(left):
            some = min(wanted, left[which])
            wanted -= some
            left[which] -= some
            fixed = _with(fixed, which, {number: some})
    return {which: count for which, count in left.items() if count}, fixed


def _shares(count: int, groups: int, others: int) -> Iterator[tuple[Fraction, tuple[int, ...]]]:
    """How squadrons may be shared out over some groups, and over others that nobody asks about, with weights."""
    if not groups:
        yield Fraction(1), ()
        return
    over = groups + others
    for some in range(count + 1):
        weight = Fraction(comb(count, some) * (over - 1) ** (count - some), over**count)
        if weight:
            for more, rest in _shares(count - some, groups - 1, others):
                yield weight * more, (some, *rest)


def _with(over: Covers, which: Unit, shared: Mapping[int, int]) -> Covers:
    return over | {number: (*over.get(number, ()), (which, some)) for number, some in shared.items() if some}


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
