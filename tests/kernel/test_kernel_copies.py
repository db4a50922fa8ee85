"""Copies: equal at every step of real games, independent afterwards, with other dice; and what they cost."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.kernel.dice import Committed, Seeded, Typed
from flagplot.kernel.errors import DiceError
from flagplot.kernel.game import Game
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.progress import STRIDE
from flagplot.kernel.requests import Roll, Script
from tests.kernel.toys import DUEL, SHORT, Pad, game_of, lively, named, pick, players, sandbox, snapshot, step


@pytest.mark.parametrize("scenario", SHORT)
def test_a_copy_is_equal_at_every_step(scenario: str) -> None:
    game, who = lively(scenario)
    while game.pending is not None:
        assert snapshot(game.copy()) == snapshot(game)
        step(game, who)
    assert snapshot(game.copy()) == snapshot(game)


@pytest.mark.parametrize("scenario", SHORT)
def test_copies_of_copies_play_on_as_the_game_itself_does(scenario: str) -> None:
    """At every step the game changes places with a copy of itself; the end is that of an undisturbed game."""
    game, who = lively(scenario)
    whole, others = lively(scenario)
    whole.play(others)
    while game.pending is not None:
        game = game.copy()
        step(game, who)
    assert snapshot(game) == snapshot(whole)


def test_a_copy_is_independent() -> None:
    game, who = lively("midway")
    game.play(who, until=20)
    before = snapshot(game)
    twin = game.copy()
    twin.play(players(twin, 99))
    assert twin.pending is None
    assert snapshot(game) == before
    again = game.copy()
    game.play(who)
    assert snapshot(again) == before


def test_a_copy_is_taken_in_the_middle_of_a_segment() -> None:
    game = DUEL.game()
    game.play(players(game), until=lambda game: str(game.pending) == "blue: Which?")
    game.choose("stake0:2")
    assert game.border.turn < game.turn
    twin = game.copy()
    twin.choose("stake1:1")
    assert twin.state.points == {"blue": 3}
    assert game.state.points == {"blue": 2}
    assert snapshot(game.copy()) == snapshot(game)


def test_a_copy_of_a_finished_game_is_finished() -> None:
    for dice in (Seeded(5), Committed("a secret")):
        game = DUEL.game(dice)
        game.play(players(game))
        assert snapshot(game.copy()) == snapshot(game)


def test_a_copy_takes_other_dice() -> None:
    game = DUEL.game(Seeded(1))
    game.play(players(game), until=2)
    before = snapshot(game)
    rolls = {game.copy(Seeded(seed)).roll() for seed in range(40)}
    assert len(rolls) > 15
    with pytest.raises(DiceError):
        game.copy(Typed()).roll()
    assert game.copy(Typed()).roll([1, 1]) == (1, 1)
    assert game.copy().roll() == game.copy().roll() == Seeded(1).faces(_roll(game), 0, str)
    assert snapshot(game) == before


def _roll(game: Game[Any]) -> Roll[Any]:
    assert isinstance(game.pending, Roll)
    return game.pending


def test_a_copy_with_other_dice_names_them_in_its_tape() -> None:
    game = DUEL.game(Committed("one secret"))
    game.play(players(game), until=4)
    twin = game.copy(Seeded(9))
    twin.play(players(twin))
    assert twin.tape().header["dice"] == {"kind": "seeded", "seed": 9}
    assert "secret" not in twin.tape().texts[-1]
    other = game.copy(Committed("another secret"))
    other.play(players(other))
    assert '"secret":"another secret"' in other.tape().texts[-1]
    assert other.tape().header["dice"] == Committed("another secret").header


def test_a_committed_copy_goes_on_with_its_own_tape() -> None:
    game = DUEL.game(Committed("one secret"))
    game.play(players(game), until=2)
    one, other = game.copy(), game.copy()
    assert one.roll() == other.roll()
    assert game.turn == 2
    assert len(game.tape().texts) == 3
    assert one.tape().texts == other.tape().texts


LONG = 3 * STRIDE + 8


def long_walk(state: Pad) -> Script[Next]:
    state.round += 1
    state.trail.append((yield pick("blue", "a", "b")))
    return END if state.round > LONG else named("long_walk")


def marks(game: Game[Any]) -> int:
    return len(game._checkpoints)


def test_a_game_that_is_only_played_keeps_few_checkpoints() -> None:
    game = game_of(long_walk)
    game.play(players(game))
    assert game.turn == LONG
    assert marks(game) == 1 + (LONG - 1) // STRIDE


def test_a_game_that_is_copied_keeps_one_at_every_border() -> None:
    game = game_of(long_walk)
    game.play(players(game), until=10)
    assert marks(game) == 1
    twin = game.copy()
    game.play(players(game), until=30)
    assert [mark.turn for mark in game._checkpoints] == [0, *range(11, 31)]
    twin.play(players(twin), until=STRIDE + 10)
    assert [mark.turn for mark in twin._checkpoints] == [0, STRIDE]


def test_checkpoints_that_no_take_back_can_reach_are_forgotten() -> None:
    def roll_and_walk(state: Pad) -> Script[Next]:
        state.round += 1
        yield pick("blue", "a", "b")
        yield Roll("blue", 1, "A step", sum, "1")
        return END if state.round > 50 else named("roll_and_walk")

    game = game_of(roll_and_walk)
    game.copy()
    game.play(players(game), until=60)
    assert [mark.turn for mark in game._checkpoints] == [60]


def test_a_checkpoint_is_never_changed_by_playing_on() -> None:
    game = sandbox(long_walk).game()
    game.copy()
    game.play(players(game), until=5)
    kept = [(mark, list(mark.state.trail)) for mark in game._checkpoints]
    game.copy().play(players(game, 3))
    game.play(players(game, 4))
    assert [list(mark.state.trail) for mark, _ in kept] == [trail for _, trail in kept]
