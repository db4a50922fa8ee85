"""Attacks on bases from the air, and those who may leave them."""

from __future__ import annotations

from math import ceil
from typing import Any

from flagplot.awaw.mapboard.hexes import distance
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.principles import part, principle
from flagplot.players.doctrine.sea import HIDDEN, Hex, Sea, hex_of
from flagplot.players.doctrine.sight import Seen, Sight, air_strength, factors, squadrons
from flagplot.players.doctrine.striking import all_of_them

NONE, LAND = "none", "land"
FEW = 3
"""Fewer squadrons than these attack no base."""
EVEN = 1.0
"""For ships in port defending air may be so many times those who fly."""
NEAR = 4
"""Hexes within which the air of a base threatens ships at sea."""


@principle("base-attack")
def attack(sight: Sight, request: Choose[Any]) -> str:
    """The base with the most ships that can be had; without ships in port one whose air threatens ours at sea, with the
    odds of the doctrine. Aircraft that are needed at sea stay at home."""
    sea, by = Sea(sight), part(request, 1)
    worth = {base: _worth(sea, base, by) for base in request.values if base != NONE}
    best = max(worth, key=lambda base: worth[base], default=NONE)
    return best if worth.get(best, 0.0) > 0 else NONE


def _worth(sea: Sea, base: str, by: str) -> float:
    """What an attack on a base is worth: the ships in port, or else the air there."""
    ours, theirs = _able(sea, base, by), _defenders(sea, base)
    ships = _ships_in(sea, base) if _may_attack_ships(sea, by) else 0.0
    if ours < FEW or (by == LAND and _is_needed(sea)):
        return 0.0
    if ships and ours >= EVEN * theirs:
        return ships
    odds = sea.sight.doctrine.counterair_odds * (1 if by == LAND else DEARER)
    theirs += UNSEEN * len([force for force in sea.in_port(base) if "ships" not in force])
    return theirs / 10 if 0 < theirs * odds <= ours and _threatens(sea, base) else 0.0


UNSEEN = 4
"""Squadrons that may be aboard a task force in port that nobody has seen."""
DEARER = 2
"""Carriers need their squadrons for the enemy's: they attack air alone only with so many times the odds."""


def _may_attack_ships(sea: Sea, by: str) -> bool:
    """23.61: on its way to its hex a patrol attacks air alone, and so does land-based air before the combat stage and
    while the counterair missions of that stage are flown (23.51)."""
    if by == LAND:
        return bool(sea.sight.data.get("stage") == "combat" and not sea.sight.data["counterair_first"])
    return by not in sea.voyages or bool(sea.voyages[by]["progress"] == "arrived")


def _defenders(sea: Sea, base: str) -> int:
    """The air that would defend a base, in squadrons: in a further attack those fight again whom the last one has
    aborted (23.412A)."""
    flights = sea.sites[base]["air"]
    if base in sea.sight.data.get("attacked", ()):
        flights = [{**flight, "inverted": False} for flight in flights]
    return air_strength(flights)


def _able(sea: Sea, base: str, by: str) -> int:
    """What could fly against a base, in squadrons."""
    if by == LAND:
        return air_strength(sea.flying(sea.side, hex_of(sea.sites[base]["at"])))
    return sum([_aboard(force) for force in carriers(sea, by)])


def carriers(sea: Sea, by: str) -> list[Seen]:
    """The forces whose carriers attack: those of a voyage, or those on patrol in one hex."""
    if by in sea.voyages:
        return sea.sailing(by)
    one = sea.forces.get(by)
    if one is None:
        return []
    return [
        force
        for force in sea.forces.values()
        if force["side"] == sea.side and force["patrol"] == one["patrol"] and force["at"] == one["at"]
    ]


def _aboard(force: Seen) -> int:
    return squadrons(force.get("air", ()))


def _ships_in(sea: Sea, base: str) -> float:
    """The factors in a port that can be hit; a marker that nobody has seen through counts as a task force."""
    return sum([factors(force["ships"]) if "ships" in force else HIDDEN for force in sea.in_port(base)])


def _is_needed(sea: Sea) -> bool:
    """Whether ships of ours are about to sail, whom aircraft could cover, or enemies whom they could attack."""
    return any([voyage["progress"] in ("announced", "under way") for voyage in sea.voyages.values()])


def _threatens(sea: Sea, base: str) -> bool:
    """Whether the air of a base reaches a force of ours at sea or the way that it goes."""
    at = hex_of(sea.sites[base]["at"])
    ours = [key for key, voyage in sea.voyages.items() if voyage["side"] == sea.side and voyage["progress"] != "over"]
    hexes: list[Hex] = [hex_ for key in ours for hex_ in sea.path(key)]
    hexes += [hex_of(force["at"]) for force in sea.forces.values() if force["side"] == sea.side and force["patrol"]]
    return any([distance(at, hex_) <= NEAR for hex_ in hexes])


@principle("another")
def another(sight: Sight, request: Choose[Any]) -> str:
    """Another sortie is flown as long as the attack would be begun now."""
    flown: Seen = sight.data["base_strike"]
    sea = Sea(sight)
    by = _who_attacks(sea)
    ours, theirs = _able(sea, flown["base"], by), _defenders(sea, flown["base"])
    worth = _ships_in(sea, flown["base"]) and ours >= FEW and ours >= EVEN * theirs
    return "again" if worth else "done"


def _who_attacks(sea: Sea) -> str:
    """Whose squadrons fly in the attack that is under way: those of the carriers that are at sea for it, or land-based
    air."""
    out = [(key, voyage) for key, voyage in sea.voyages.items() if voyage["side"] == sea.side]
    for key, voyage in out:
        if voyage["activity"] == "patrol" and voyage["progress"] in ("under way", "arrived"):
            return key
        if voyage["activity"] == "fast-carrier-mission" and voyage["progress"] == "arrived":
            return key
    patrols = [key for key, force in sea.forces.items() if force["side"] == sea.side and force["patrol"] == "offensive"]
    return next((key for key in patrols if _aboard(sea.forces[key])), LAND)


# --- with what --------------------------------------------------------------------------------------------------


@principle("fly")
def fly(sight: Sight, request: Choose[Any]) -> Any:
    """Against ships, at sea and in port, everything flies; against the air of a base so many times that as the doctrine
    says."""
    flown = sight.data.get("base_strike") if sight.on_map else None
    if flown is None:
        return all_of_them(sight, request)
    sea = Sea(sight)
    most: int = request.values[-1]
    by = _who_attacks(sea)
    if _ships_in(sea, flown["base"]) and _may_attack_ships(sea, by):
        return most
    ours = _able(sea, flown["base"], by)
    wanted = sight.doctrine.counterair_odds * _defenders(sea, flown["base"])
    return most if not ours else ceil(most * min(1.0, wanted / ours))


@principle("share")
def share(sight: Sight, request: Choose[Any]) -> int:
    """As many counterair as the defenders are, but no more than half: ships that are not attacked at once may be gone
    after the round."""
    flown: Seen = sight.data["base_strike"]
    ours = air_strength(flown["counterair"])
    theirs = _defenders(Sea(sight), flown["base"])
    most: int = request.values[-1]
    return ceil(most * min(HALF, theirs / ours)) if ours else 0


HALF = 0.5


# --- those who are attacked -------------------------------------------------------------------------------------


@principle("escape")
def escape(sight: Sight, request: Choose[Any]) -> Any:
    """Ships leave a port that is attacked if nobody can wait for them on the way; from a port that only could be
    attacked they go if the air there is too weak to protect them."""
    sea, key = Sea(sight), part(request, 1)
    force = sea.forces[key]
    if any(
        [sea.power([one]) > sea.power([force]) for one in sea.free(sight.enemy).values() if _is_near(sea, one, force)]
    ):
        return "stay"
    attacked = force["base"] in sight.data.get("attacked", ())
    return request.values[1] if attacked or sea.air_in(force["base"]) < FEW else "stay"


def _is_near(sea: Sea, one: Seen, other: Seen) -> bool:
    return sea.sails(hex_of(one["at"]), hex_of(other["at"])) <= 2 * NEAR


@principle("flee-from")
def flee_from(sight: Sight, request: Choose[Any]) -> str:
    """Air units stay: whoever flees is inverted."""
    return "stay"


@principle("embark")
def embark(sight: Sight, request: Choose[Any]) -> Any:
    """Carriers go to sea with their squadrons."""
    return request.values[0]
