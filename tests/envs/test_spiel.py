"""Battles as games of OpenSpiel pass its own tests, and its algorithms run on a small one."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")

import numpy as np  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts  # noqa: E402

import flagplot  # noqa: E402
from flagplot.awaw.knowledge.account import Beliefs  # noqa: E402
from flagplot.envs.spiel import outcomes  # noqa: E402
from flagplot.envs.worlds import _drawn, another  # noqa: E402
from flagplot.kernel.errors import BadValue  # noqa: E402
from flagplot.kernel.requests import Choose, Roll  # noqa: E402
from flagplot.players import player  # noqa: E402
from flagplot.players.random import RandomPlayer  # noqa: E402

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


def test_ismcts_searches_states_that_look_alike() -> None:
    state = pyspiel.load_game("flagplot", {"scenario": "force-z"}).new_initial_state()
    state.apply_action(1)  # Britain chose night in secret
    drawn = [state.resample_from_infostate(1, Random(seed).random) for seed in range(8)]
    assert {one.information_state_string(1) for one in drawn} == {state.information_state_string(1)}
    assert len({one.information_state_string(0) for one in drawn}) == 2
    chance: Any = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    bot = ismcts.ISMCTSBot(
        game=state.get_game(), evaluator=evaluator, uct_c=1.0, max_simulations=4, random_state=chance
    )
    assert bot.step(state) in state.legal_actions() == [0, 1]


def test_another_battle_differs_only_in_secrets() -> None:
    game = flagplot.load("first-battle", seed=1)
    game.copy()  # from now on every border is remembered
    game.play({side: RandomPlayer(3) for side in game.sides}, until=14)
    found = 0
    while isinstance(game.pending, Choose) and found < 3:
        side = game.pending.side
        other = another(game, side, Random(found))
        assert other.view(side).as_dict() == game.view(side).as_dict()
        found += other.state != game.state
        game.play({side: RandomPlayer(1) for side in game.sides}, until=game.turn + 3)
    assert found


def test_another_battle_is_found_after_dice_were_rolled() -> None:
    """Rolls are read by functions that are equal only to themselves; what a side reads of them is the same."""
    game = flagplot.load("midway", seed=1)
    game.copy()
    players = {side: player("doctrine", 0) for side in game.sides}

    def rolled(game: Any) -> bool:
        since = [request for request, _ in game.events[game.border.logged :]]
        return isinstance(game.pending, Choose) and any([isinstance(request, Roll) for request in since])

    game.play(players, until=rolled)
    assert isinstance(game.pending, Choose)
    side = game.pending.side
    assert another(game, side, Random(1)).view(side).as_dict() == game.view(side).as_dict()


def test_what_came_to_light_since_the_segment_began_is_no_secret() -> None:
    game = flagplot.load("midway", seed=0)
    game.copy()
    players = {side: player("doctrine", 0) for side in game.sides}

    def came_to_light(game: Any) -> list[str]:
        if not isinstance(game.pending, Choose):
            return []
        before, now = game.border.state.battle.groups, game.state.battle.groups
        theirs = [key for key, group in now.items() if key in before and group.side != game.pending.side]
        return [key for key in theirs if now[key].revealed and not before[key].revealed]

    game.play(players, until=lambda game: bool(came_to_light(game)))
    assert isinstance(game.pending, Choose)
    (key,) = came_to_light(game)
    for seed in range(4):
        drawn = _drawn(game, game.pending.side, Random(seed))
        assert drawn.battle.groups[key].ships == game.border.state.battle.groups[key].ships


@pytest.mark.parametrize("scenario", ["first-battle", "coral-sea-operation"])
def test_if_nothing_fits_a_search_is_refused_and_not_shown_the_truth(
    scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = pyspiel.load_game("flagplot", {"scenario": scenario}).new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)
    state.resample_from_infostate(state.current_player(), Random(1).random)
    monkeypatch.setattr(Beliefs, "_drawn", lambda beliefs, chance: None)
    with pytest.raises(BadValue, match="no state was found that fits"):
        another(state.battle, state.battle.sides[state.current_player()], Random(1))
    with pytest.raises(BadValue, match="no state was found that fits"):
        state.resample_from_infostate(state.current_player(), Random(1).random)


def test_the_example_of_three_agents_runs(capsys: pytest.CaptureFixture[str]) -> None:
    source = (Path(RAIDER).parent / "agents.py").read_text(encoding="utf8")
    assert len(source.splitlines()) < 100
    names: dict[str, Any] = {"__name__": "agents"}
    exec(compile(source, "examples/agents.py", "exec"), names)
    names["main"](1)
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["random", "doctrine", "search"]
