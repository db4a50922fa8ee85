"""Players that look at nothing answer at once: the game is the one that they would play answer by answer."""

from __future__ import annotations

from typing import Any

import pytest

import flagplot
from flagplot.kernel.dice import Committed, Dice, Seeded
from flagplot.kernel.game import Blind, Game
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View
from flagplot.players.random import RandomPlayer
from tests.kernel.toys import players, snapshot, step


class Seeing(RandomPlayer):
    """Picks at random, and looks first."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.asked: list[Any] = []

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        assert view.asked is not None  # of this moment: a view that is out of date refuses
        self.asked.append(view.asked["options"])
        return super().choose(view, request)


class First(Blind):
    """Always the first option."""

    def pick(self, request: Choose[Any]) -> int:
        return 0


@pytest.mark.parametrize("dice", [Seeded(5), Committed("secret")])
@pytest.mark.parametrize("scenario", ["midway", "malta", "force-z"])
def test_whole_games_are_those_of_single_answers(scenario: str, dice: Dice) -> None:
    opening = flagplot.load(scenario, dice=dice)
    whole, single = opening.copy(), opening.copy()
    whole.play(players(whole, 3))
    who = players(single, 3)
    while single.pending is not None:
        step(single, who)
    assert snapshot(whole) == snapshot(single)
    assert whole.tape().texts == single.tape().texts


def test_who_looks_is_shown_each_of_his_questions() -> None:
    opening = flagplot.load("midway", seed=0)
    blind, seen = opening.copy(), opening.copy()
    blind.play(players(blind, 1))
    who = {side: Seeing(1 + number) for number, side in enumerate(seen.sides)}
    seen.play(who)
    assert snapshot(seen) == snapshot(blind)
    assert sum(len(player.asked) for player in who.values()) == _choices(seen)


def test_one_who_looks_may_play_against_one_who_does_not() -> None:
    game = flagplot.load("midway", seed=0)
    japan, allies = game.sides
    seeing = Seeing(1)
    game.play({japan: seeing, allies: First()})
    assert game.pending is None
    assert len(seeing.asked) == _choices(game, japan) > 0


def test_nobody_picks_once_play_has_stopped() -> None:
    game = flagplot.load("midway", seed=0)
    japan, allies = game.sides
    game.play({japan: First()})
    assert isinstance(game.pending, Choose)
    assert game.pending.side == allies
    turn = game.turn
    game.choose(game.pending.options[0])
    assert game.turn == turn + 1
    assert game.copy().turn == turn + 1


def _choices(game: Game[Any], side: str = "") -> int:
    tape = game.tape().texts
    return sum('"choose"' in text and f'"side":"{side}' in text for text in tape)
