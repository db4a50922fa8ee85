"""What can be reached from where: bases that missions are flown from, refuges, decks ashore, ports for the way home.

Worked out once for each place of action, a battle's hex or a base under attack, and kept in the `Setting`.
"""

from __future__ import annotations

from flagplot.awaw.air_units import Arm, Unit, flying_range
from flagplot.awaw.basing import LONGEST_RANGE, UNLIMITED, capacity, distance, staging_range
from flagplot.awaw.options import Options
from flagplot.awaw.state.setting import Place, Supply
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.rules import rule

NAVAL_RANGE = flying_range(Arm.NAVAL, False, 0)
WORST_WINTER = 9
"""The winter result that keeps air units over their own hex (18.45)."""


@rule("18.51", "18.521", "22.342")
def near(places: dict[str, Place], battle: bool) -> dict[str, tuple[tuple[str, int], ...]]:
    """18.51: offensive missions are flown from fully supplied bases without oil effects, and from carriers; in a naval
    battle from carriers alone, whatever their supply (22.342)."""
    return {
        target: tuple(
            (site, distance(place.at, aim.at))
            for site, place in sorted(places.items())
            if place.side != aim.side
            and not place.box
            and (place.afloat if battle else is_fit(place))
            and distance(place.at, aim.at) <= (NAVAL_RANGE if battle else LONGEST_RANGE)
        )
        for target, aim in places.items()
        if not aim.afloat and not aim.box
    }


def is_fit(place: Place) -> bool:
    """Whether offensive missions are flown from a place."""
    return unfit(place) is None


@rule("18.51", "18.51.1")
def unfit(place: Place) -> Refusal | None:
    """18.51: offensive missions are flown from places that are fully supplied and free of oil effects."""
    if place.supply is Supply.NONE:
        return _UNSUPPLIED
    if place.supply is Supply.PARTIAL:
        return _PARTLY_SUPPLIED
    return _OIL_EFFECTS if place.oil else None


_UNSUPPLIED = Refusal("its base has no supply", "18.51")
_PARTLY_SUPPLIED = Refusal("its base is only partially supplied", "18.51.1")
_OIL_EFFECTS = Refusal("its base is subject to air oil effects", "18.51.1")


@rule("18.51", "18.533", "18.545")
def flies_missions(place: Place, which: Unit, options: Options) -> bool:
    """18.51: whether missions start from a base. The text names cities and airbases, and for naval air one-hex islands
    and carriers; ports are taken for such too, unless the players agree on the letter of it (`docs/rulings.md`)."""
    if options.ports_are_mission_bases or place.afloat or place.installations > place.ports:
        return True
    return place.island and which.is_naval


@rule("18.51.2", "18.45.3", "22.442A", "23.161")
def may_fly(place: Place, hexes: int) -> bool:
    """18.51: whether air units in a place search, cover and attack so many hexes away. From bases in partial supply,
    under oil effects or in the worst winter they do so over their own hex at most (18.45), from bases without supply
    not at all."""
    if place.supply is Supply.NONE:
        return False
    return not hexes or (is_fit(place) and place.winter < WORST_WINTER)


@rule("22.442A", "18.51.2")
def in_reach(places: dict[str, Place], battle: tuple[int, int]) -> dict[str, tuple[tuple[str, int], ...]]:
    """22.442A: the operational bases of each side from which somebody could reach the battle."""
    sides = dict.fromkeys([place.side for place in places.values()])
    return {
        side: tuple(
            (key, distance(place.at, battle))
            for key, place in sorted(places.items())
            if place.side == side and not place.afloat and out_of_reach(place, distance(place.at, battle)) is None
        )
        for side in sides
    }


@rule("22.442A", "18.49", "18.51.2", "18.45.3")
def out_of_reach(place: Place, hexes: int) -> Refusal | None:
    """22.442A: why nobody flies from a base to a battle that many hexes away."""
    if place.box:
        return _BOX
    if hexes > LONGEST_RANGE:
        return _TOO_FAR
    return None if may_fly(place, hexes) else unfit(place) or _WINTER


_BOX = Refusal("nobody flies out of a mapboard box", "18.49")
_TOO_FAR = Refusal("out of range of the battle", "22.442A")
_WINTER = Refusal("the winter keeps its air over its own hex", "18.45.3")


@rule("22.463B.2", "17.3124.4")
def decks_ashore(
    places: dict[str, Place], battle: tuple[int, int], pacific: bool
) -> dict[str, tuple[tuple[str, int], ...]]:
    """22.463B: the air bases of each side within three hexes of the battle, and the squadrons that they hold."""
    sides = dict.fromkeys([place.side for place in places.values()])
    return {
        side: tuple(
            (key, squadrons_based(place, pacific) + place.island)
            for key, place in sorted(places.items())
            if place.side == side and not place.afloat and not place.box and distance(place.at, battle) <= 3
        )
        for side in sides
    }


@rule("18.523", "18.12")
def refuges(places: dict[str, Place], pacific: bool) -> dict[str, tuple[tuple[str, int, int], ...]]:
    """18.523: bases and boxes of the same side within the longest staging range, and the squadrons they hold."""
    return {
        target: tuple(
            (site, distance(place.at, left.at), squadrons_based(place, pacific))
            for site, place in places.items()
            if place.side == left.side
            and site != target
            and not place.afloat
            and distance(place.at, left.at) <= staging_range(LONGEST_RANGE)
        )
        for target, left in places.items()
        if not left.afloat and not left.box
    }


@rule("17.21.3", "18.12", "18.12.1")
def squadrons_based(place: Place, pacific: bool) -> int:
    """The squadrons that a base holds; a mapboard box holds any number (17.21)."""
    reduced = pacific and (place.island or place.jungle)
    return 3 * (UNLIMITED if place.box else capacity(place.installations, reduced=reduced))


@rule("22.63")
def ports_from(places: dict[str, Place], battle: tuple[int, int]) -> dict[str, int]:
    """22.63: the bases of naval units, ports and boxes, and how far they are from the battle."""
    return {key: distance(place.at, battle) for key, place in places.items() if place.ports or place.box}
