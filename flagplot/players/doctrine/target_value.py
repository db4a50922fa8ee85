"""What attacks are worth by the printed tables. The view names nations and kinds, so the printed charts give the DRMs;
what research and supply change is not reckoned with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from flagplot.awaw.air_units import NAVAL_ARMS, Arm
from flagplot.awaw.ships import Kind, ship_ledger
from flagplot.awaw.tables.charts import air_nationality
from flagplot.awaw.tables.grids import naval_attack_by_air_row, naval_attack_by_fleet_row
from flagplot.awaw.views.battle import EnemyView, FleetView
from flagplot.awaw.views.units import FlightView, ShipView
from flagplot.kernel.view_types import HIDDEN
from flagplot.players.doctrine.sight import carrier_factors, factors, guns, is_carrier, is_light, remembered

CARRIER, CAPITAL, LIGHT_FACTOR = 3.0, 1.0, 0.8
"""What a factor of a fast carrier, of a capital ship and of light ships is worth to the enemy."""
OUT_OF_ACTION = 0.6
"""The share of a ship's worth that is gone when it is damaged."""
NEARER = 0.1
"""The share of a factor's worth that a hit without effect is taken to bring nearer."""


TYPICAL_CARRIER, UNKNOWN, SMALL, LARGE = 3, 12, 6, 18
"""Factors that are taken to be in a fast carrier, and in a group of which nothing, or only its size, is known."""


# --- groups -----------------------------------------------------------------------------------------------------


def likely_guns(group: EnemyView) -> int:
    """The guns of an enemy group, as far as they are known."""
    if group.ships is not HIDDEN:
        return guns(group.ships)
    if group.told is None:
        return UNKNOWN
    return SMALL if group.told.small else max(SMALL, LARGE - TYPICAL_CARRIER * group.told.carriers)


class Prize(NamedTuple):
    """What there is to be had in a combat group; the first counts most."""

    carriers: int
    cargo: bool
    factors: int


def prize(group: EnemyView) -> Prize:
    """The factors of its sound carriers, whether it carries cargo, and all its factors, as far as they are known."""
    if group.ships is not HIDDEN:
        cargo = any([ship.laden for ship in group.ships])
        return Prize(carrier_factors(group.ships), cargo, factors(group.ships))
    told = group.told
    if told is None:
        return Prize(0, False, UNKNOWN)
    return Prize(told.carriers * TYPICAL_CARRIER, told.cargo, SMALL if told.small else LARGE)


def at_stake(group: FleetView | None) -> Prize:
    """What there is to be lost in a group of ours."""
    if group is None:
        return Prize(0, False, 0)
    return Prize(carrier_factors(group.ships), bool(group.cargo), factors(group.ships))


# --- targets ----------------------------------------------------------------------------------------------------


class Prey(NamedTuple):
    """A target as far as its worth goes: a named ship, or all light ships together with no name and no size."""

    id: str
    worth: float
    size: int
    hits: int
    drm: int


LIGHT_SHIPS = "light-ships"


@remembered
def prey(ships: Sequence[ShipView]) -> tuple[Prey, ...]:
    """The targets that some ships are to a strike: each named ship, and the light ships as one."""
    found, light = [], []
    for ship in ships:
        if is_light(ship):
            light.append(ship)
        else:
            worth = CARRIER if is_carrier(ship) else CAPITAL
            found.append(Prey(ship.id, worth, ship.size, ship.hits, naval_drm(ship)))
    if light:
        size = sum([ship.size * ship.count for ship in light])
        found.append(Prey(LIGHT_SHIPS, LIGHT_FACTOR, size, 0, min(map(naval_drm, light))))
    return tuple(found)


def naval_drm(ship: ShipView) -> int:
    return _naval_drm(ship.nation, ship.kind, ship.size)


@lru_cache(maxsize=1024)
def _naval_drm(nation: str, kind: Kind, size: int) -> int:
    return ship_ledger(nation, kind, size).total


def air_drm(flight: FlightView) -> int:
    """The DRM of squadrons against ships at sea, with the +1 of naval air."""
    return _air_drm(flight.nation, flight.arm)


def kamikaze_drm() -> int:
    """17.464, 17.47H: that of elite Japanese naval air; how often their pool has grown the view does not say."""
    return _air_drm("japan", Arm.ELITE)


@lru_cache(maxsize=256)
def _air_drm(nation: str, arm: Arm) -> int:
    elite = arm is Arm.ELITE
    drm = air_nationality(nation, arm=Arm.NAVAL if elite else arm, elite=elite).total
    return drm + (arm in NAVAL_ARMS)


# --- the printed table ------------------------------------------------------------------------------------------


def expected_worth(target: Prey, row: tuple[int, ...], modifier: int) -> float:
    """What an attack on a target is worth on average, read in a row of the Naval Attack Table."""
    name, worth, size, hits, _ = target  # which ship it is makes no odds
    return _expected_worth(name == LIGHT_SHIPS, worth, size, hits, row, modifier)


@lru_cache(maxsize=65_536)
def _expected_worth(light: bool, each: float, size: int, before: int, row: tuple[int, ...], modifier: int) -> float:
    target = Prey(LIGHT_SHIPS if light else "", each, size, before, 0)
    worth = 0.0
    for roll in range(2, 13):
        hits = row[min(max(roll + modifier, 2), 12) - 2]
        if hits:
            worth += (6 - abs(roll - 7)) * gain(target, hits)
    return worth / 36


def gain(target: Prey, hits: int) -> float:
    if target.id == LIGHT_SHIPS:
        return target.worth * min(hits, target.size)
    before, after = target.hits, target.hits + hits
    was_out = before > 0 and before == target.size - 1
    if after >= target.size:
        return target.worth * target.size * (1 - OUT_OF_ACTION if was_out else 1.0)
    if after == target.size - 1:
        return target.worth * target.size * OUT_OF_ACTION
    return target.worth * NEARER * hits


Shares = tuple[float, tuple[int, ...]]
"""What a plan is worth, and how many attack each target."""


@lru_cache(maxsize=65_536)
def air_attack_plan(targets: tuple[Prey, ...], squadrons: int, drm: int) -> tuple[int, ...]:
    """How many of so many squadrons attack each target, so that all together is worth most."""
    best: list[Shares] = [(0.0, ()), *[(-1.0, ())] * squadrons]
    for target in targets:
        gains = [0.0] + [
            expected_worth(target, naval_attack_by_air_row(some), drm - target.drm) for some in range(1, squadrons + 1)
        ]
        best = [_shared(best, gains, all_in) for all_in in range(squadrons + 1)]
    return best[squadrons][1]


def _shared(best: Sequence[Shares], gains: Sequence[float], squadrons: int) -> Shares:
    """The best way to share these squadrons between this target and those before it, which `best` has solved."""
    most, here = -1.0, 0
    for some in range(squadrons + 1):
        before = best[squadrons - some][0]
        if before >= 0 and before + gains[some] > most:
            most, here = before + gains[some], some
    return most, (*best[squadrons - here][1], here)


@lru_cache(maxsize=65_536)
def gunfire_worth(target: Prey, factors: int, drm: int) -> float:
    """What the fire of so many fleet factors at a target is worth."""
    return expected_worth(target, naval_attack_by_fleet_row(factors), drm - target.drm) if factors else 0.0
