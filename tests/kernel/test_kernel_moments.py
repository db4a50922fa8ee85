"""The number of a moment: it never comes back to a side that is asked, and tells it nothing of the other's secrets."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from flagplot.kernel.dice import Typed
from flagplot.kernel.errors import StaleAnswer, UndoRefused, UnknownName
from flagplot.kernel.game import Game
from flagplot.kernel.procedures import Next
from flagplot.kernel.requests import Choose, Roll, Script
from tests.kernel.toys import DUEL, SCENARIOS, Pad, game_of, lively, pick, throw


def answering(game: Game[Any]) -> tuple[str, ...]:
    """Who may name the moment of the pending request: who is asked, or everybody if dice are to be rolled."""
    if isinstance(game.pending, Choose):
        return game.pending.side, "umpire"
    return (*game.sides, "umpire")


def wander(game: Game[Any], chance: Random, steps: int, back: float) -> int:
    """Answer and take back at random, whosever choice it was; moments may only grow. Counts the take-backs."""
    last: dict[str, int] = {}
    taken = 0
    for _ in range(steps):
        for reader in answering(game):
            assert game.view(reader).moment > last.get(reader, -1)
            last[reader] = game.view(reader).moment
        if chance.random() < back:
            try:
                game.undo()
            except UndoRefused:
                continue_with(game, chance)
            else:
                taken += 1
        else:
            continue_with(game, chance)
        if game.pending is None:
            break
    return taken


def continue_with(game: Game[Any], chance: Random) -> None:
    if isinstance(game.pending, Choose):
        game.choose(game.pending.option(chance.randrange(len(game.pending))))
    elif isinstance(game.pending, Roll):
        game.roll()


@pytest.mark.parametrize("seed", range(30))
def test_moments_never_come_back_to_those_who_may_answer(seed: int) -> None:
    assert wander(DUEL.game(), Random(seed), 60, back=0.45) > 0


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_moments_of_real_games_never_come_back(scenario: str) -> None:
    assert sum(wander(lively(scenario)[0], Random(seed), 60, back=0.45) for seed in range(3)) > 5


def test_moments_never_come_back_when_each_waits_for_the_other() -> None:
    """Every order of questions to two sides, and of take-backs that lead back over them, a roll among them too."""

    def script(state: Pad) -> Script[Next]:
        for side in ("blue", "red", "red", "blue", "blue", "red"):
            value = yield pick(side, 0, 1, secret=f"{side} decides")
            if value:
                yield pick("red" if side == "blue" else "blue", 2, 3)
        yield throw()
        return None

    assert sum(wander(game_of(script), Random(seed), 80, back=0.49) for seed in range(40)) > 500


def secret_questions(state: Pad) -> Script[Next]:
    """Red chooses, and then blue is asked in secret as often as it likes."""
    yield pick("red", "a", "b")
    while (yield pick("blue", "more", "enough", secret="blue plans")) == "more":
        state.points["blue"] = state.points.get("blue", 0) + 1
    yield pick("red", "c", "d")
    yield throw("red")
    return None


def after(*answers: str) -> Game[Pad]:
    game = game_of(secret_questions, dice=Typed())
    for answer in answers:
        game.undo() if answer == "undo" else game.choose(f"pick:{answer}")
    return game


def test_a_sides_moment_does_not_tell_how_often_the_other_was_asked() -> None:
    few, many = after("a", "enough"), after("a", "more", "more", "more", "enough")
    for game in (few, many):
        assert str(game.pending) == "red: Which?"
    assert few.view("red").moment == many.view("red").moment
    assert few.view("blue").moment < many.view("blue").moment
    assert few.view("umpire").moment < many.view("umpire").moment


def test_a_sides_moment_does_not_tell_that_the_other_thought_again_in_secret() -> None:
    plain, again = after("a", "more"), after("a", "more", "more", "undo", "more", "undo")
    assert plain.view("red").moment == again.view("red").moment
    assert plain.view("blue").moment < again.view("blue").moment


def test_a_question_that_was_taken_back_from_a_side_has_another_moment_when_it_is_asked_again() -> None:
    """Blue, who decided in secret, takes it back while red is already asked, and decides again."""
    game = after("a", "enough")
    meant_for = game.view("red").moment
    game.undo("blue")
    game.choose("pick:enough")
    with pytest.raises(StaleAnswer, match=f"this answer is for question {meant_for}, but red is at question"):
        game.choose("pick:c", at=meant_for)
    game.choose("pick:c", at=game.view("red").moment)
    assert game.turn == 3


def test_a_roll_that_was_taken_back_has_another_moment_for_everybody() -> None:
    game = after("a", "enough", "c")
    meant_for = [game.view(side).moment for side in ("blue", "red", "umpire")]
    game.undo("red")
    game.choose("pick:d")
    for moment in meant_for:
        with pytest.raises(StaleAnswer):
            game.roll([1, 2], at=moment)
    game.roll([1, 2], at=game.view("blue").moment)
    assert game.pending is None


def test_no_two_readers_have_the_same_moments() -> None:
    game = after("a", "more", "more", "undo")
    readers = ("blue", "red", "umpire")
    assert [game.moment_of(reader) % 3 for reader in readers] == [0, 1, 2]
    assert [game.view(reader).moment for reader in readers] == [game.moment_of(reader) for reader in readers]
    assert game.moment == game.moment_of("umpire")


def test_a_copy_has_the_moments_of_the_game() -> None:
    game = after("a", "more", "undo", "enough", "undo", "more", "enough")
    for reader in ("blue", "red", "umpire"):
        assert game.copy().moment_of(reader) == game.moment_of(reader)


def test_nobody_else_has_moments() -> None:
    with pytest.raises(UnknownName):
        DUEL.game().moment_of("green")
