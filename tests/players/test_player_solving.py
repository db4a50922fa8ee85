"""Small games are solved exactly, and what a player gives away in them is measured."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.kernel.errors import BadValue
from flagplot.players import player
from flagplot.players.solving.equilibrium import Response, solve, solved_value
from flagplot.players.solving.regret import Solved
from flagplot.players.solving.small import rules_of
from flagplot.players.solving.tree import Chance, Choice, End, Piece, Speller

SMALL = Path(__file__).resolve().parents[2] / "bench" / "small"
RAIDER = Path(__file__).resolve().parents[2] / "examples" / "raider.toml"


def matrix(payoffs: list[list[float]]) -> Piece:
    """Both choose at once: the second side does not know what the first has chosen."""
    rows = [
        Choice(1, "second", tuple("abc"[: len(row)]), tuple([End(one) for one in row]), (), True) for row in payoffs
    ]
    return Piece(Choice(0, "first", tuple("abc"[: len(rows)]), tuple(rows), (), True))


def test_a_secret_choice_is_solved_by_a_mix() -> None:
    piece = matrix([[2.0, -1.0], [-1.0, 0.5]])
    solve(piece)
    assert piece.value == pytest.approx(0.0, abs=1e-3)
    assert piece.mixes["first"] == pytest.approx([1 / 3, 2 / 3], abs=0.01)
    assert piece.mixes["second"] == pytest.approx([1 / 3, 2 / 3], abs=0.01)


def test_an_open_choice_is_solved_from_its_end() -> None:
    dice = Chance(((0.5, End(4.0)), (0.5, End(0.0))))
    piece = Piece(
        Choice(
            0, "one", ("roll", "stay"), (dice, Choice(1, "two", ("a", "b"), (End(3.0), End(1.0)), (), False)), (), False
        )
    )
    solve(piece)
    assert piece.value == 2.0
    assert piece.mixes == {"one": [1.0, 0.0], "two": [0.0, 1.0]}


def test_who_knows_a_mix_answers_it() -> None:
    piece = matrix([[1.0, -1.0], [-1.0, 1.0]])
    known = Response(piece.tree, 1, {"first": [0.75, 0.25]}, solved_value)
    assert known.value == pytest.approx(-0.5)
    assert known.options("second") == pytest.approx([0.5, -0.5])


@pytest.fixture(scope="module")
def duel() -> Solved:
    return Solved(flagplot.load(SMALL / "duel.toml", seed=0))


def test_in_a_duel_the_doctrine_gives_little_away_and_chance_much(duel: Solved) -> None:
    for side in (0, 1):
        assert duel.regret(partial(player, "captain"), side, 20).mean < 0.02
        assert duel.regret(partial(player, "random"), side, 20).mean > 0.02
    assert duel.exploited(partial(player, "captain"), 0, 1) < 0.02


def test_the_value_is_what_perfect_players_come_to(duel: Solved) -> None:
    """Each piece is in balance: neither side gains by another answer, and the piece is worth what its tree says."""
    for piece in duel.pieces:
        for side in (0, 1):
            assert Response(piece.tree, side, piece.mixes, solved_value).value == pytest.approx(piece.value, abs=1e-3)


def test_a_raider_is_solved_too() -> None:
    game = flagplot.load(RAIDER, seed=0)
    spelled = Speller(game, rules_of(game), solve)
    assert -1 < spelled.root.value < 1
    assert len(spelled.pieces) > 100


def test_a_state_that_a_side_cannot_know_does_not_count_as_open() -> None:
    game = flagplot.load(SMALL / "duel.toml", seed=0)
    careless: Any = rules_of(game)._replace(is_open=lambda state: True)
    with pytest.raises(BadValue, match="cannot know it"):
        Speller(game, careless, solve)
