"""Segment H: who seeks fleet combat, who evades it, who is screened, and who fires at whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flagplot.awaw.views.battle import FleetView, VolleyView
from flagplot.awaw.views.units import Ships, ShipView
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.principles import always, first, part, principle
from flagplot.players.doctrine.sight import (
    Sight,
    carrier_factors,
    factors,
    guns,
    is_carrier,
    is_light,
    remembered,
    remembered_pair,
)
from flagplot.players.doctrine.target_value import (
    LIGHT_SHIPS,
    UNKNOWN,
    Prey,
    gain,
    gunfire_worth,
    likely_guns,
    naval_drm,
    prey,
    prize,
)

NONE = "none"


@principle("seek")
def seek(sight: Sight, request: Choose[Any]) -> str:
    """A free group seeks carriers first, then cargo, then the weakest: whom its guns can meet with caution."""
    ours = sight.group(part(request, 1))
    if ours is None:
        return NONE
    most = guns(ours.ships) / _caution(sight, ours)
    found = [group for value in request.values if (group := sight.target(value)) is not None]
    weaker = [group for group in found if likely_guns(group) <= most]
    best = max(weaker, key=lambda group: (*prize(group)[:2], -likely_guns(group)), default=None)
    return NONE if best is None else str(best.number)


def _caution(sight: Sight, group: FleetView) -> float:
    """The ratio of guns from which a group fights: with carriers to lose, twice that of others."""
    caution = sight.doctrine.caution
    return max(0.01, 2 * caution if carrier_factors(group.ships) else caution)


@principle("meet")
def meet(sight: Sight, request: Choose[Any]) -> str:
    """A group that is sought evades a seeker whom its guns cannot meet; it is slower to if it must abandon cripples,
    and does not if the battle were lost by that."""
    ours = sight.group(part(request, 1))
    if ours is None or _would_be_flight(sight, ours):
        return "fight"
    strongest = max([guns(group.ships) for group in sight.theirs if group.ships], default=UNKNOWN)
    needed = _caution(sight, ours) * strongest
    if any([ship.damaged for ship in ours.ships]):
        needed /= 2
    return "fight" if guns(ours.ships) >= needed else "evade"


def _would_be_flight(sight: Sight, group: FleetView) -> bool:
    """22.71B: whether the battle would be lost: no carrier can fly, and every other group has evaded already."""
    flying = any([one.air and carrier_factors(one.ships) for one in sight.ours])
    return not flying and all([one.evaded for one in sight.ours if one.number != group.number])


always(first, "withhold", why="Nothing is withheld: who fights, fights with all.")


@principle("screen")
def screen(sight: Sight, request: Choose[Any]) -> Any:
    """Carriers and cripples are screened by the rules; besides them only ships that one hit would cripple, while two
    capital ships stand in the line for each."""
    if len(request.values) < BEHIND:
        return request.values[0]
    names = [value for value in request.values if value != NONE and ":" not in str(value)]
    if len(names) < BEHIND:
        return request.values[0]
    line = [ship for ships in sight.our_ships for ship in ships if ship.id in names]
    hurt = [ship for ship in line if ship.hits and ship.size - ship.hits == 2]
    return hurt[0].id if BEHIND * len(hurt) <= len(line) and hurt else NONE


BEHIND = 3
"""Capital ships of which one may be screened."""


# --- fire -------------------------------------------------------------------------------------------------------


@principle("fire", "answer")
def fire(sight: Sight, request: Choose[Any]) -> Any:
    """A capital ship that may choose fires where it adds most by the printed table. It holds its fire only for carriers
    behind a line that is about to be swept away."""
    targets, fight = request.values, Fight(sight)
    if len(targets) == 2 and HOLD in targets and not fight.carriers_behind:
        return targets[0]
    ship = next((ship for ship in fight.ours if ship.id == part(request, 1)), None)
    if ship is None:
        return request.values[0]
    if HOLD in targets:
        if fight.about_to_sweep:
            return HOLD
        if len(targets) == 2:
            return targets[0]
    return fight.best_target(targets, ship)


@principle("aim")
def aim(sight: Sight, request: Choose[Any]) -> Any:
    """Surplus light ships fire together where that adds most; with enough of them, and no more, on each target."""
    fight = Fight(sight)
    if isinstance(request.values[0], int):
        return fight.enough(part(request, 1), part(request, 2))
    if HOLD in request.values and request.values[0] != HOLD and fight.about_to_sweep:
        return HOLD
    return fight.best_target(request.values)


always(first, "rank", why="Of equal ships it does not matter which comes first.")


HOLD = "hold"
RATIO = 3
"""22.54D: so many light factors pair off with one of the enemy."""
SWEPT = 5
"""A line with a fifth of our guns is taken to be swept away."""
WELL_HIT = 0.9
"""Fire is enough when it is worth this share of all that could be had."""


class Fight:
    """The fleet combat under way, as both sides see it once they have shown their ships."""

    __slots__ = ("_fight", "_our_line", "_our_screened", "_ours", "_sight", "_their_line", "screened")

    def __init__(self, sight: Sight) -> None:
        fight = sight.battle.engagement
        assert fight is not None
        self._sight, self._fight = sight, fight
        screened = fight.screened or {}
        self._our_screened: Ships = screened.get(sight.side, ())
        self.screened: Ships = screened.get(sight.enemy, ())
        self._ours: Ships | None = None
        self._our_line: Ships | None = None
        self._their_line: Ships | None = None

    def _number(self, *, ours: bool) -> int:
        """The group of ours that fights, or that of the enemy."""
        agreed = self._fight.agreed
        moves = self._sight.position.attacker == self._sight.side
        return agreed.moving if moves == ours else agreed.intercepting

    @property
    def ours(self) -> Ships:
        if self._ours is None:
            self._ours = self._sight.ships_of(self._number(ours=True))
        return self._ours

    @property
    def their_line(self) -> Ships:
        if self._their_line is None:
            group = self._sight.target(self._number(ours=False))
            self._their_line = _without((group.ships or ()) if group else (), self.screened)
        return self._their_line

    @property
    def volleys(self) -> list[VolleyView]:
        """Those of ours that are agreed on."""
        return [volley for volley in self._fight.volleys or () if volley.side == self._sight.side]

    @property
    def our_line(self) -> Ships:
        if self._our_line is None:
            self._our_line = _without(self.ours, self._our_screened)
        return self._our_line

    @property
    def carriers_behind(self) -> bool:
        """Whether the enemy screens carriers, sound or not."""
        return any([is_carrier(ship) for ship in self.screened])

    @property
    def about_to_sweep(self) -> bool:
        """Whether there are carriers to be had, and hardly anything before them. If nothing is, why hold fire?"""
        if not self.carriers_behind:
            return False
        theirs = self.their_line
        return bool(theirs) and SWEPT * guns(theirs) <= guns(self.our_line)

    @property
    def free_light_ships(self) -> Ships:
        """The light ships that may choose: those beyond three times the enemy's, or all that held their fire."""
        theirs = self.their_line
        return _beyond(_light(self.our_line), _light(theirs)) if theirs else _light(self.our_line)

    def best_target(self, names: Sequence[Any], ship: ShipView | None = None) -> Any:
        """Where the fire of a ship, or that of the light ships that may choose, adds most to what is already fired
        there; among equals the first."""
        if len(names) == 2 and names[1] == HOLD:
            return names[0]
        targets = [one for one in prey(self._targets) if one.id in names]
        if len(targets) < 2:
            return targets[0].id if targets else names[0]
        firing = self.free_light_ships if ship is None else [ship]
        fired, more, drm = self._fired(firing), factors(firing), min(map(naval_drm, firing), default=0)
        worth = [_added(one, fired.get(one.id, ()), more, drm) for one in targets]
        return targets[worth.index(max(worth))].id

    @property
    def _targets(self) -> Ships:
        return self.their_line or self.screened

    def _fired(self, firing: Sequence[ShipView]) -> dict[str, list[ShipView]]:
        """Our ships that fire at each target already, but for some; light ships that must do so among them."""
        names = [ship.id for ship in firing if ship.id]
        fired: dict[str, list[ShipView]] = {}
        for volley in self.volleys:
            fired.setdefault(volley.target, []).extend([ship for ship in volley.ships if ship.id not in names])
        if firing and not names and self.their_line:
            fired.setdefault(LIGHT_SHIPS, []).extend(_without(_light(self.our_line), tuple(firing)))
        return fired

    def enough(self, name: str, tag: str) -> int:
        """How many light ships of a kind a target needs."""
        target = next((one for one in prey(self._targets) if one.id == name), None)
        ship = next((one for one in self.our_line if not one.id and one.tag == tag), None)
        if target is None or ship is None:
            return 0
        drm, already = naval_drm(ship), factors(self._fired(()).get(name, ()))
        most = gain(target, target.size)
        enough = (some for some in range(1, MOST) if gunfire_worth(target, some, drm) >= WELL_HIT * most)
        return -((already - next(enough, MOST)) // ship.size)


MOST = 40


def _added(target: Prey, others: Sequence[ShipView], more: int, drm: int) -> float:
    """What this many factors with this DRM add to the fire of others at a target."""
    if not others:
        return gunfire_worth(target, more, drm)
    drm, before = min(drm, *map(naval_drm, others)), factors(others)
    return gunfire_worth(target, before + more, drm) - gunfire_worth(target, before, drm)


@remembered
def _light(ships: Sequence[ShipView]) -> Ships:
    return tuple([ship for ship in ships if is_light(ship) and not ship.damaged])


@remembered_pair
def _beyond(ours: Ships, theirs: Ships) -> Ships:
    """Our surplus light ships, once those that must pair off with the enemy's have done so."""
    surplus = factors(ours) - RATIO * factors(theirs)
    free: list[ShipView] = []
    for ship in ours:
        count = min(ship.count, max(0, surplus) // ship.size)
        surplus -= count * ship.size
        free += [ship.but(count=count)] * bool(count)
    return tuple(free)


def _without(ships: Ships, some: Ships) -> Ships:
    """Ships less some of them."""
    return _less(ships, some) if some else ships


@remembered_pair
def _less(ships: Ships, some: Ships) -> Ships:
    gone, left = {(ship.tag, ship.hits): ship.count for ship in some}, []
    for ship in ships:
        fewer = gone.get((ship.tag, ship.hits), 0)
        if not fewer:
            left.append(ship)
        elif ship.count > fewer:
            left.append(ship.but(count=ship.count - fewer))
    return tuple(left)
