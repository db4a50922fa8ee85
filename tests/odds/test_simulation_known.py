"""Battles from what a side knows: drawn states that fit what it has seen, and nothing of the true one."""

from __future__ import annotations

from typing import Any

import pytest

import flagplot
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.players import player
from flagplot.simulation.known import KnownGame

STAFF = {"japan": "doctrine", "allies": "doctrine"}


def played(name: str, answers: int, seed: int = 3) -> Game[Any]:
    game = flagplot.load(name, seed=seed)
    game.play({side: player("doctrine", 1) for side in game.sides}, until=answers)
    return game


@pytest.mark.parametrize("answers", [0, 7, 12, 25])
@pytest.mark.parametrize("side", ["japan", "allies"])
def test_a_game_is_played_on_from_any_moment_by_what_a_side_knows(answers: int, side: str) -> None:
    game = played("first-battle", answers)
    known = KnownGame(game, side)
    fought = known.fight(STAFF, 1, 1)
    assert fought.over
    assert fought == KnownGame(game, side).fight(STAFF, 1, 1), "the number says which battle it is"
    begun = known.begun(2, {one: player(who, 0) for one, who in STAFF.items()})
    request = game.pending
    if request is not None and request.side == side:
        assert str(begun.pending) == str(request), "it begins where the side is asked"


def test_secret_answers_of_the_enemy_change_nothing() -> None:
    """Japan groups its ships in secret; what the Allies are told of the battle does not follow from how."""
    found = []
    for option in (0, -1):
        game = flagplot.load("first-battle", seed=1)
        while isinstance(game.pending, Choose) and game.pending.side == "japan":
            game.choose(game.pending.options[option])
        found.append([KnownGame(game, "allies").fight(STAFF, 1, number) for number in (1, 2, 3)])
    assert found[0] == found[1]
