"""At sea on the map: air attacks hex by hex and the cover against them, whether to go on, and raiders."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.mapboard.hexes import distance
from flagplot.awaw.state.operation import Progress
from flagplot.awaw.views.units import Hex, ShipView
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.principles import always, first, last, offers, part, principle
from flagplot.players.doctrine.sea import CARGO, Sea, has_cargo
from flagplot.players.doctrine.sight import Sight, factors, is_carrier, undamaged_factors
from flagplot.players.doctrine.target_value import at_stake

YES, NO = "yes", "no"
OUTNUMBERED = 2.0
"""Strikes do not fly against so many times their own number of fighters, for a caution of one."""

REACH = 4
"""17.462: how far kamikazes fly."""


# --- land-based air ---------------------------------------------------------------------------------------------


@principle("sortie")
def sortie(sight: Sight, request: Choose[Any]) -> str:
    """Who can search and strike attacks in every hex: it costs nothing but losses. Not against fighters ashore that are
    far too many; but kamikazes do not mind them."""
    sea = Sea(sight)
    at = sea.voyages[part(request, 1)].at
    return YES if _can_strike(sea, at) or _can_dive(sea, at) else NO


def _can_dive(sea: Sea, at: Hex) -> bool:
    """Whether kamikazes have not flown in this turn, and somebody could find the force for them."""
    turn = sea.sight.position.turn
    if turn is None or "japan" not in turn.nations[sea.side]:
        return False
    if not turn.kamikaze_pool.ready or turn.kamikaze_pool.flown:
        return False
    bases = [site for site in sea.sites.values() if site.side == sea.side and site.kind == "base"]
    return sea.searchers(sea.side, at) > 0 and any([distance(base.at, at) <= REACH for base in bases])


def _can_strike(sea: Sea, at: Hex) -> bool:
    searchers, strikers = sea.searchers(sea.side, at), sea.strikers(sea.side, at)
    against = sea.coverers(sea.sight.enemy, at) * sea.sight.doctrine.caution
    return searchers > 0 and strikers > 0 and against <= OUTNUMBERED * strikers


@principle("hunt")
def hunt(sight: Sight, request: Choose[Any]) -> str:
    """Submarines on patrol are attacked from the air only if no ships of ours need the aircraft: they are used up."""
    sea = Sea(sight)
    at = sea.flotillas[part(request, 1)].at
    ours = [voyage for voyage in sea.voyages.values() if voyage.side == sea.side]
    at_sea = any([voyage.progress is not Progress.OVER for voyage in ours])
    return YES if not at_sea and _can_strike(sea, at) else NO


def _of_sortie(request: Choose[Any]) -> bool:
    return isinstance(request.verb, tuple) and len(request.verb) == 2


COVERED = "Outside naval combat all that can cover a force that is attacked do: they are back before the next hex."
always(last, "cover", when=_of_sortie, why=COVERED)


@principle("larger-share")
def larger_share(sight: Sight, request: Choose[Any]) -> Any:
    """The dearest group has the larger share of the cover."""
    return max(request.values, key=lambda value: at_stake(sight.group(value)))


# --- going on ---------------------------------------------------------------------------------------------------


@principle("abort", when=offers("go-on"))
def abort(sight: Sight, request: Choose[Any]) -> str:
    """A force goes on as long as it can do what it came for: with cargo while some of it is left, to intercept while it
    is fit to meet its enemy, else while most of it is sound."""
    sea, key = Sea(sight), part(request, 1)
    voyage, forces = sea.voyages[key], sea.sailing(key)
    if voyage.activity in CARGO and voyage.cargo:
        return "go-on" if any(map(has_cargo, forces)) else "abort"
    if voyage.level and voyage.target in sea.voyages:
        theirs = sea.power(sea.sailing(voyage.target))
        return "go-on" if sea.power(forces) >= sight.doctrine.caution * theirs / 2 else "abort"
    left, whole = [sum([count(force.ships or ()) for force in forces]) for count in (undamaged_factors, factors)]
    return "go-on" if 2 * left >= whole else "abort"


always(last, "send-home", why="Damaged ships return as soon as they may: they slow the others, and are lost easily.")
always(first, "accompany", why="Nobody escorts them: the others are needed where they are bound for.")


# --- raiders ----------------------------------------------------------------------------------------------------


@principle("hunter")
def hunter(sight: Sight, request: Choose[Any]) -> Any:
    """The largest ship meets the raiders; a carrier only if there is nothing else."""
    ships = _named_ships(sight)
    return max(request.values, key=lambda tag: _hunting_value(ships.get(tag)))


def _named_ships(sight: Sight) -> dict[str, ShipView]:
    forces = sight.operation.forces.values()
    return {ship.id: ship for force in forces for ship in force.ships or () if ship.id}


def _hunting_value(ship: ShipView | None) -> int:
    return 0 if ship is None else -1 if is_carrier(ship) else ship.size


# --- in port ----------------------------------------------------------------------------------------------------


def _are_ships(request: Choose[Any]) -> bool:
    return isinstance(request.verb, tuple) and all(["/" in str(value) for value in request.values])


@principle("surplus", when=_are_ships)
def too_many(sight: Sight, request: Choose[Any]) -> Any:
    """Of ships for which a port has no room damaged ones are given up first, then light ones, then the smallest."""
    ships = _named_ships(sight)
    return min(request.values, key=lambda text: _kept_longest(str(text), ships))


def _kept_longest(text: str, ships: dict[str, ShipView]) -> tuple[bool, int]:
    """Whether a ship is sound, and its size; ships without a name count least."""
    _, tag, *damaged = text.split("/")
    return not damaged, ships[tag].size if tag in ships else 0
