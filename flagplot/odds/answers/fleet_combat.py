"""A whole fleet combat (22.53-22.56), taken apart where the dice of one part do not touch another.

Until capital ships fire no die is rolled, so there is one state. Then all of them fire at once, each volley at a target
of its own: what becomes of a capital ship hangs on one volley alone. What follows, the fire of light ships, hangs on
capital ships only if somebody has to decide something in view of them, or if a line has to be swept away before
screened ships can be fired at. A watch is kept for both. If neither happens in any branch, each capital ship and the
light ships are followed by themselves. If it does happen, `fleet_combat_together` follows them together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.awaw.battle.gunnery import capital_fire, capital_fire_on_screened, light_fire_on_screened
from flagplot.awaw.battle.screening import joined, light_ships, line_of
from flagplot.awaw.state.battle import LIGHT_SHIPS
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Player
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View
from flagplot.odds.answers.fleet_combat_together import followed_together
from flagplot.odds.answers.following import Fought, Seen, follow, reach
from flagplot.odds.answers.losses import Toll, toll
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Found, Limits

LATER = (capital_fire_on_screened, light_fire_on_screened)
"""The segments before which it matters whether a line has been swept away."""
BLIND = frozenset({"hit", "cargo"})
"""Questions that the doctrine player answers by what is asked, without looking at the ships."""


class Entangled(Exception):
    """What follows hangs on what became of capital ships."""


def fought(before: State, players: Mapping[str, Player], limits: Limits, seen: Seen | None = None) -> Fought:
    """All that can come of a fleet combat in which nobody has fired yet."""
    aimed = before if before.frames[-1].is_at(capital_fire) else reach(before, players, capital_fire)
    try:
        return _taken_apart(before, aimed, players, limits, seen)
    except Entangled:
        return followed_together(before, aimed, players, limits, seen)


def _taken_apart(
    before: State, aimed: State, players: Mapping[str, Player], limits: Limits, seen: Seen | None
) -> Fought:
    tolls: list[Distribution[Toll]] = []
    states, volleys = 0, joined(aimed).volleys
    assert len({(volley.side, volley.target) for volley in volleys}) == len(volleys), "each has a target of its own"
    for place, volley in enumerate(volleys):
        if volley.target != LIGHT_SHIPS:
            alone = copy_of(aimed)
            joined(alone).volleys = joined(alone).volleys[place : place + 1]
            found = follow(alone, players, lambda after: toll(before, after), _has_fired, seen=seen)
            tolls.append(found.ends)
            states += found.states
    found = _light_ships(before, aimed, players, limits, seen)
    return Fought([(*tolls, found.ends)], states + found.states)


def _has_fired(after: State) -> bool:
    return not after.frames[-1].is_at(capital_fire)


def _light_ships(
    before: State, aimed: State, players: Mapping[str, Player], limits: Limits, seen: Seen | None
) -> Found[Toll]:
    """The rest of the combat, while capital ships that are fired at stay as they are."""
    rest = copy_of(aimed)
    joined(rest).volleys = [volley for volley in joined(rest).volleys if volley.target == LIGHT_SHIPS]
    struck = {volley.target for volley in joined(aimed).volleys} - {LIGHT_SHIPS}
    watched = {side: Watched(player) for side, player in players.items()} if struck else players

    def over(after: State) -> bool:
        if after.frames and after.frames[-1].is_at(*LATER):
            _check_lines(after, struck)
        return not after.frames

    return follow(rest, watched, lambda after: toll(before, after), over, limits, seen)


def _check_lines(state: State, struck: set[str]) -> None:
    """22.54G: ships that held their fire may fire at screened ships once the line before them is gone; if nothing but
    capital ships under fire stand in it, that hangs on what became of those."""
    fight = joined(state)
    for side in state.sides:
        enemy = state.other(side)
        line = line_of(state, enemy)
        unsure = line and not light_ships(line) and all([which.id in struck for which in line])
        if fight.held.get(side) and fight.screened[enemy] and unsure:
            raise Entangled


class Watched:
    """Lets a player answer, but not where the answer might hang on what became of capital ships."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.blind: frozenset[str] = BLIND | getattr(player, "blind", frozenset())

    def choose(self, view: View, request: Choose[Any]) -> Option[Any] | str:
        verb = request.verb if isinstance(request.verb, str) else request.verb[0]
        if verb not in self.blind:
            raise Entangled
        return self.player.choose(view, request)
