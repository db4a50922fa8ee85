"""Battles as games of OpenSpiel pass its own tests, and its algorithms run on a small one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")

import numpy as np  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts  # noqa: E402

import flagplot  # noqa: E402
from flagplot.envs.spiel import outcomes  # noqa: E402
from flagplot.kernel.requests import Choose, Roll  # noqa: E402

RAIDER = str(Path(__file__).resolve().parents[2] / "examples" / "raider.toml")


@pytest.mark.parametrize("scenario", ["force-z", "denmark-strait", RAIDER])
def test_openspiel_accepts_it(scenario: str) -> None:
    game = pyspiel.load_game("flagplot", {"scenario": scenario})
    pyspiel.random_sim_test(game, num_sims=1, serialize=scenario == RAIDER, verbose=False)


def test_chance_has_the_exact_probabilities() -> None:
    game = flagplot.load("malta", seed=1)
    while not isinstance(game.pending, Roll):
        assert isinstance(game.pending, Choose)
        game.choose(game.pending.options[0])
    roll = game.pending
    found = {roll.reads(faces): ways for faces, ways in outcomes(roll)}
    assert found == roll.outcomes()
    assert sum(found.values()) == 6**roll.dice


def test_a_player_is_told_no_more_than_his_view() -> None:
    state = pyspiel.load_game("flagplot", {"scenario": "force-z"}).new_initial_state()
    assert state.current_player() == 0
    day, night = state.child(0), state.child(1)
    assert state.action_to_string(0, 1) == "select:night"
    assert day.information_state_string(1) == night.information_state_string(1)
    assert day.information_state_string(0) != night.information_state_string(0)
    assert "log" in json.loads(day.information_state_string(0))
    assert day.history() == [0]
    assert state.history() == []


def test_cfr_comes_nearer_to_an_equilibrium() -> None:
    game = pyspiel.load_game("flagplot", {"scenario": RAIDER, "reward": "toll"})
    solver = cfr.CFRPlusSolver(game)
    before = exploitability.nash_conv(game, solver.average_policy())
    for _ in range(2):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < before


def test_ismcts_finds_a_move() -> None:
    state = pyspiel.load_game("flagplot", {"scenario": RAIDER}).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    chance: Any = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=state.get_game(),
        evaluator=mcts.RandomRolloutEvaluator(1, chance),
        uct_c=1.0,
        max_simulations=4,
        random_state=chance,
    )
    assert bot.step(state) in state.legal_actions()
