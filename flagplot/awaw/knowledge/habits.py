"""What an enemy is taken to do where he decides in secret: mostly as doctrine players do, sometimes anything.

Beliefs are drawn by these weights. The tables are those of the doctrine (`flagplot.players.doctrine`), which rules know
nothing of: a test compares them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from random import Random

from flagplot.awaw.battle.groups import has_cargo
from flagplot.awaw.ships import Fleet, undamaged_factors
from flagplot.awaw.state.battle import Group

BY_THE_BOOK = 0.9
"""How often he is taken to keep to these tables; else all that he may do is as likely."""
CARRIERS: Mapping[int, int] = {5: 4, 4: 4, 6: 3, 3: 3, 2: 1, 1: 1}
CARGO: Mapping[int, int] = {6: 4, 5: 3, 4: 3, 3: 2, 2: 1, 1: 1}
GUNS: Mapping[int, int] = {1: 4, 2: 3, 3: 3, 4: 2, 5: 2, 6: 1}
"""How often which number is drawn for a group with carriers, for cargo without them, and for others."""
PATROLS: Mapping[float, int] = {1.0: 6, 0.6: 3, 0.3: 1}
"""How often which share of a full patrol is flown."""
CARRIER_ESCORT = 0.85
"""How often cargo sails with the strongest carriers."""


def carriers_in(ships: Fleet) -> int:
    """The size of the carriers in a fleet."""
    return sum([which.size * number for which, number in ships.items() if which.fast_carrier])


def number_weight(group: Group, number: int) -> float:
    """How likely a group gets its number."""
    table = CARRIERS if carriers_in(group.ships) else CARGO if has_cargo(group) else GUNS
    return BY_THE_BOOK * table.get(number, 0) / sum(table.values()) + (1 - BY_THE_BOOK) / len(table)


def order_weight(numbers: Mapping[int, Group]) -> float:
    """How likely a fleet of guns alone is numbered so: mostly in the order of its guns."""
    guns = [undamaged_factors(group.ships) for _, group in sorted(numbers.items())]
    return BY_THE_BOOK if guns == sorted(guns, reverse=True) else 1 - BY_THE_BOOK


def escort_weight(escort: Group | None, able: Sequence[Group]) -> float:
    """How likely cargo sails with each force that can escort it, or alone."""
    strongest = max(able, key=lambda one: carriers_in(one.ships), default=None)
    if strongest is None or not carriers_in(strongest.ships):
        return 1 / (len(able) + 1)
    often = BY_THE_BOOK * CARRIER_ESCORT + (1 - BY_THE_BOOK) / (len(able) + 1)
    return often if escort is strongest else (1 - often) / len(able)


def patrol(least: int, most: int, chance: Random) -> int:
    """How many squadrons of those that may fly patrol are taken to do so."""
    if chance.random() >= BY_THE_BOOK:
        return chance.randint(least, most)
    [share] = chance.choices(list(PATROLS), list(PATROLS.values()))
    return max(least, ceil(most * share))
