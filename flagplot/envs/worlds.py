"""Other battles that look the same to a side: for agents that search, which may not look at the true one."""

from __future__ import annotations

from random import Random
from typing import Any

from flagplot.kernel.errors import BadValue
from flagplot.kernel.game import Game
from flagplot.kernel.log import FORCED, is_secret_from
from flagplot.kernel.requests import Choose, Note, Roll
from flagplot.kernel.views import View

TRIES = 1000
"""Most are found in a few; where the enemy has just shown what he decided in secret, as who withdraws, few fit."""


def another(game: Game[Any], side: str, chance: Random) -> Game[Any]:
    """A copy of a game that differs from it only in what a side may not know: the enemy's hidden forces as the side may
    believe them to be, and whatever the enemy has decided in secret since. If none is found it is refused with a
    `BadValue`: the true one would tell a search everything."""
    for _ in range(TRIES):
        world = game.from_border(_drawn(game, side, chance))
        if _follow(world, game, side, chance) and _looks_like(world, game, side):
            return world
    raise BadValue("no battle was found that looks the same to this side", given=side)


def _drawn(game: Game[Any], side: str, chance: Random) -> Any:
    """A state at the last border with other secrets, if the game can tell, none that have come to light since."""
    since = getattr(game.ruleset, "reshuffle_since", None)
    if since is None:
        return game.ruleset.reshuffle(game.border.state, side, chance)
    return since(game.border.state, side, chance, game.state)


def _follow(world: Game[Any], game: Game[Any], side: str, chance: Random) -> bool:
    """Give a world the answers since the border, with other secret ones of the enemy; False if it goes another way."""
    for request, answer in game.events[game.border.logged :]:
        if isinstance(request, Note) or answer == FORCED:
            continue
        if isinstance(request, Choose) and is_secret_from(request, side):
            continue
        _decide_in_secret(world, side, chance)
        asked = world.pending
        if isinstance(request, Roll) and isinstance(asked, Roll) and asked.dice == request.dice:
            world.roll(answer)
        elif isinstance(request, Choose) and isinstance(asked, Choose):
            option = asked.find(request.option(answer).text)
            if option is None:
                return False
            world.choose(option)
        else:
            return False
    if not (isinstance(game.pending, Choose) and is_secret_from(game.pending, side)):
        _decide_in_secret(world, side, chance)
    return True


def _decide_in_secret(world: Game[Any], side: str, chance: Random) -> None:
    while isinstance(world.pending, Choose) and is_secret_from(world.pending, side):
        world.choose(world.pending.option(chance.randrange(len(world.pending))))


def _looks_like(world: Game[Any], game: Game[Any], side: str) -> bool:
    ours, theirs = game.view(side), world.view(side)
    return ours.asked == theirs.asked and ours.data == theirs.data and _log(ours) == _log(theirs)


def _log(view: View) -> list[dict[str, Any]]:
    """What a side reads; the entries themselves also hold how dice are read, which is equal only to itself."""
    return [entry.as_dict() for entry in view.log]
