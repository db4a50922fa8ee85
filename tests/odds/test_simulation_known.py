"""Battles from what a side knows: drawn states that fit what it has seen, and nothing of the true one."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import flagplot
from flagplot.awaw.knowledge.account import draw, knowledge_of
from flagplot.kernel.game import Game
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


@pytest.mark.parametrize("answers", [14, 25])
def test_what_a_side_may_not_know_changes_nothing(answers: int) -> None:
    """Two states that look the same to a side, with other secrets of the enemy: the same battles follow."""
    game = played("first-battle", answers)
    state = game.border.state
    for side in game.sides:
        other = draw(knowledge_of(state, side), Random(5))
        assert other != state
        twins = [game.from_border(one) for one in (state, other)]
        first, second = [[KnownGame(one, side).fight(STAFF, 1, number) for number in (1, 2)] for one in twins]
        assert first == second
