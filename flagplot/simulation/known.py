"""Battles from what a side knows: each begins in a state that fits it, drawn by chance, and never in the true one.

Of the answers since the last border the side knows its own, the enemy's open ones and all dice; they are given again in
the drawn state, and secret ones of the enemy are given by whoever plays him. What a battle begins with follows from its
number and from what the side knows, so every process draws the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from random import Random
from typing import Any

from flagplot.kernel.dice import Keyed, Seeded
from flagplot.kernel.errors import BadValue
from flagplot.kernel.game import Game, Player
from flagplot.kernel.log import is_secret_from
from flagplot.kernel.playout import Playout, Start
from flagplot.kernel.replaying import again, asked_in, seen_by, stand_of
from flagplot.kernel.requests import Choose
from flagplot.odds.position import staff_of
from flagplot.odds.position_sampling import NothingFits
from flagplot.players import player
from flagplot.simulation.battles import MOST, Fought, kept, seed_of
from flagplot.simulation.controls import Watched
from flagplot.simulation.what_if import without

TRIES = 200
"""States that are drawn for a battle until one fits all that the side has seen."""


class KnownGame:
    """A game as a side knows it, to be played on as often as somebody likes."""

    def __init__(self, game: Game[Any], side: str, believe: str = "") -> None:
        staff, stand = staff_of(game.ruleset.name), stand_of(game)
        if staff is None:
            raise BadValue("no states can be drawn for this game", given=game.ruleset.name)
        known = staff.veiled(game, stand, side, believe)
        belief = staff.believed(known)
        self._game, self._wider = game, belief.wider if belief else ""
        self.ruleset, self.side = game.ruleset, side
        self.draw = staff.whole_worlds(known).draw
        self.seen = seen_by(stand.events, side)
        self.asked = _asked(game.pending, side)

    def fight(self, players: Mapping[str, str], seed: int, number: int) -> Fought:
        """Play one battle to its end, with players by their names."""
        own = seed_of(seed, number)
        made = {side: player(name, own + place) for place, (side, name) in enumerate(players.items())}
        played = self.begun(number, made)
        dice = Watched(Seeded(own), made)
        played.play(made, dice, most=played.turn + MOST)
        return kept(played, number, own, dice.luck)

    def fight_without(self, name: str, players: Mapping[str, str], seed: int, number: int) -> tuple[Fought, Fought]:
        """Play one battle twice with the same dice: without a ship, and as it is."""
        own = seed_of(seed, number)
        made = [{side: player(who, own + n) for n, (side, who) in enumerate(players.items())} for _ in range(2)]
        fought = []
        for played, mine in zip(self._both(name, number, made[0]), made, strict=True):
            dice = Watched(Keyed(own), mine)
            played.play(mine, dice, most=played.turn + MOST)
            fought.append(kept(played, number, own, dice.luck))
        return fought[0], fought[1]

    def _both(self, name: str, number: int, players: Mapping[str, Player]) -> tuple[Playout[Any], Playout[Any]]:
        """Where both battles begin: in the same state, but for the ship."""
        for attempt in range(TRIES):
            world = self.draw(Random(f"battle {number}/{attempt}"))
            changed = without(world, name)
            played = self._caught_up(world, players) if changed is not None else None
            other = self._caught_up(changed, players) if played is not None else None
            if played is not None and other is not None:
                return other, played
        raise NothingFits(f"what happened in this step cannot be told without {name}: ask again after it", given=name)

    def begun(self, number: int, players: Mapping[str, Player]) -> Playout[Any]:
        """Where a battle begins: as the side sees it now."""
        for attempt in range(TRIES):
            played = self._caught_up(self.draw(Random(f"battle {number}/{attempt}")), players)
            if played is not None:
                return played
        return self.wider.begun(number, players)

    @cached_property
    def wider(self) -> KnownGame:
        """The same with less believed of the enemy's forces."""
        if not self._wider:
            raise NothingFits("no arrangement fits what you have seen")
        return KnownGame(self._game, self.side, self._wider)

    def _caught_up(self, world: Any, players: Mapping[str, Player]) -> Playout[Any] | None:
        """The drawn state after all answers that the side knows; nothing if it does not fit them."""
        played = Playout(Start(self.ruleset, world))
        for one in self.seen:
            self._decide_in_secret(played, players)
            found = again(played.pending, one) if played.pending is not None else None
            if found is None:
                return None
            played.answer(found[1])
        if self.asked:
            self._decide_in_secret(played, players)
            return played if _asked(played.pending, self.side) == self.asked else None
        return played

    def _decide_in_secret(self, played: Playout[Any], players: Mapping[str, Player]) -> None:
        """Let the enemy decide until something else is to be done."""
        while isinstance(played.pending, Choose) and is_secret_from(played.pending, self.side):
            played.play(players, Seeded(0), most=played.turn + 1)


def _asked(request: object, side: str) -> tuple[Any, ...]:
    """What a side is asked; nothing if it waits."""
    if not isinstance(request, Choose) or request.side != side:
        return ()
    return asked_in(request)
