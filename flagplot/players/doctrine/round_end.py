"""Segment I, between rounds and after the battle: submarines, withdrawal, and who goes home."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flagplot.awaw.views.units import ShipView
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.losses import lose
from flagplot.players.doctrine.principles import always, first, last, part, principle, says
from flagplot.players.doctrine.sight import Sight, carrier_factors, factors, guns, remembered, undamaged_factors
from flagplot.players.doctrine.target_value import gain, likely_guns, prey, prize

TORPEDO_HITS = 2
"""What a submarine that hits at all is reckoned with."""


@principle("submarines")
def submarines(sight: Sight, request: Choose[Any]) -> Any:
    """All submarines go for the found group with the most carriers, or else the largest."""
    found = [group for group in sight.theirs if group.results or group.revealed]
    best = max(found, key=prize, default=None)
    asked = best is None or str(best.number) == part(request, 2)
    return request.values[-1] if asked else request.values[0]


@principle("torpedo")
def torpedo(sight: Sight, request: Choose[Any]) -> Any:
    """A submarine attacks the ship whose loss or damage would cost the enemy most."""
    ships = [one for group in sight.theirs for one in prey(group.ships or ())]
    worth = {one.id: gain(one, TORPEDO_HITS) for one in ships if one.id in request.values}
    return max(worth, key=lambda name: worth[name], default=request.values[0])


always(last, "elsewhere", why="Destroyers that submarines sink are replaced from elsewhere, if there are any.")
AS_IT_COMES = "Which submarine attacks first, which cargo is lost, who is aboard a damaged carrier: as it comes."
always(first, "attack", "cargo", "carry", why=AS_IT_COMES)


# --- between rounds ---------------------------------------------------------------------------------------------


@principle("withdraw")
def withdraw(sight: Sight, request: Choose[Any]) -> str:
    """All withdraw when the battle is as good as lost; before that cripples alone, so that they slow nobody."""
    if len(request.verb) == 2:
        return _of_group(sight, request)
    if _is_lost(sight):
        return "all"
    return "some" if any(map(_has_cripples, sight.our_ships)) else "none"


def _is_lost(sight: Sight) -> bool:
    """Whether so little is left as the doctrine says, and the enemy is taken to have twice that; or a little more, but
    more was sunk of ours, nothing is left to strike with, and the enemy has more guns."""
    battle = sight.battle_if_any
    if battle is None:
        return False
    strength = battle.own_strength()
    share = strength.left / max(1, strength.began)
    if share > max(sight.doctrine.withdraw_below, sight.doctrine.toothless_below):
        return False
    enemy = sum([likely_guns(group) for group in sight.theirs])
    if share <= sight.doctrine.withdraw_below and 2 * strength.left < enemy:
        return True
    if share > sight.doctrine.toothless_below:
        return False
    if any([group.air and carrier_factors(group.ships) for group in sight.ours]):
        return False
    return sum([guns(group.ships) for group in sight.ours]) < enemy and _is_behind(sight)


def _is_behind(sight: Sight) -> bool:
    """Whether more factors of ours than of the enemy were sunk."""
    mine = {ship.nation for group in sight.ours for ship in group.ships}
    ours = [ship for ship in sight.battle.sunk if ship.nation in mine]
    theirs = [ship for ship in sight.battle.sunk if ship.nation not in mine]
    return factors(ours) > factors(theirs)


@remembered
def _has_cripples(ships: Sequence[ShipView]) -> int:
    return any([ship.damaged for ship in ships]) and undamaged_factors(ships) > 0


@remembered
def _damaged(ships: Sequence[ShipView]) -> tuple[str, ...]:
    return tuple([ship.id for ship in ships if ship.damaged])


def _of_group(sight: Sight, request: Choose[Any]) -> str:
    """A group with cripples sends them away if it can; all others stay."""
    if "part" not in request.values:
        return "stay"
    return "part" if _has_cripples(sight.ships_of(part(request, 1))) else "stay"


@principle("leave")
def leave(sight: Sight, request: Choose[Any]) -> Any:
    """Of a group that divides the damaged ships leave; of squadrons without a deck ordinary ones before elite ones."""
    if len(request.verb) == 2:
        return lose(sight, request)
    tag = part(request, 2)
    if ":" in tag:  # light ships
        return request.values[-1] if tag.endswith(":damaged") else request.values[0]
    return request.values[-1] if tag in _damaged(sight.ships_of(part(request, 1))) else request.values[0]


always(first, "battle", why="The battle for a sea supply line ends when one side has no sound ships.")


# --- after the battle -------------------------------------------------------------------------------------------


always(says("go-on"), "activity", why="Who may go on with what it is at sea for goes on.")
