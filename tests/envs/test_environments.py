"""The environments pass the tests of PettingZoo and Gymnasium, and tell an agent nothing that its side may not know."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import flagplot
from flagplot.envs import GYM_ID, Encoder, FlagplotAEC, FlagplotEnv, aec_env, gym_env, parallel_env
from flagplot.envs.battles import question_of, rewards_of
from flagplot.kernel.errors import BadValue, FlagplotError, IllegalAnswer, UnknownName
from flagplot.kernel.game import Game
from flagplot.kernel.log import FORCED
from flagplot.kernel.requests import Choose, Note
from flagplot.players.random import RandomPlayer
from flagplot.testing.secrecy import Pair

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # if pygame is there, it imports games in a way that it calls old itself
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

pytestmark = [
    pytest.mark.filterwarnings("ignore::UserWarning"),  # upstream would like Box spaces and agents called player_0
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
SMALL = ("first-battle", "force-z")


# --- the tests of others ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", SMALL)
def test_pettingzoo_accepts_it(scenario: str) -> None:
    api_test(aec_env(scenario), num_cycles=80)
    seed_test(partial(aec_env, scenario), num_cycles=20)


def test_pettingzoo_accepts_it_with_both_at_once() -> None:
    parallel_api_test(parallel_env("first-battle"), num_cycles=80)
    parallel_seed_test(partial(parallel_env, "first-battle"), num_cycles=20)


def test_pettingzoo_accepts_its_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(aec_env, "first-battle"))
    assert "Lantern Reef" in capsys.readouterr().out


@pytest.mark.parametrize("scenario", SMALL)
def test_gymnasium_accepts_it(scenario: str) -> None:
    check_env(gymnasium.make(f"flagplot.envs:{GYM_ID}", scenario=scenario, opponent="random").unwrapped)


# --- what agents are told ---------------------------------------------------------------------------------------


def test_an_action_is_the_place_of_an_option() -> None:
    env = FlagplotAEC("force-z")
    env.reset(seed=1)
    request = env.game.pending
    assert isinstance(request, Choose)
    info = env.infos[env.agent_selection]
    assert list(info["options"]) == [option.text for option in request.options] == ["select:day", "select:night"]
    assert info["options"][1:] == ["select:night"]
    assert str(info["view"]) == str(env.game.view(request.side))
    assert env.observe(request.side)["action_mask"].sum() == 2
    other = next(side for side in env.agents if side != request.side)
    assert not env.observe(other)["action_mask"].any()
    assert "options" not in env.infos[other]
    with pytest.raises(IllegalAnswer, match="there are 2 options"):
        env.step(2)
    env.step(1)
    assert env.game.events[-1] != (request, 0)
    assert (request, 1) in env.game.events


def test_a_question_with_too_many_options_says_what_to_do() -> None:
    env = FlagplotAEC("force-z", actions=1)
    env.reset(seed=1)
    with pytest.raises(BadValue, match="actions=2"):
        env.observe(env.agent_selection)


@pytest.mark.parametrize(
    "settings", [{"reward": "glory"}, {"side": "nobody"}, {"opponent": "nobody"}, {"render_mode": "x"}]
)
def test_wrong_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(FlagplotError):
        gym_env("force-z", **settings)


@pytest.mark.parametrize(("scenario", "stretch"), [("midway", 8), ("force-z", 1), ("coral-sea-operation", 12)])
def test_two_states_that_look_alike_to_a_side_give_it_the_same_arrays(scenario: str, stretch: int) -> None:
    compared = differed = umpire_differs = 0
    encoder = Encoder()  # remembers what it told of either state
    for seed in range(2):
        game = flagplot.load(scenario, seed=seed)
        game.copy()  # from now on every border is remembered
        players, chance = {side: RandomPlayer(seed) for side in game.sides}, Random(seed)
        while game.pending is not None and game.turn < 40:
            game.play(players, until=game.turn + stretch)
            for side in game.sides:
                for first, second in alike(game, side, chance):
                    assert seen(first, side) == seen(second, side)
                    assert seen(first, side, encoder) == seen(second, side, encoder) == seen(first, side)
                    compared += 1
                    if first.state != second.state:
                        differed += 1
                        umpire_differs += seen(first, "umpire") != seen(second, "umpire")
    assert compared > 10
    assert differed, "no pair had different secrets"
    assert umpire_differs, "no array would have shown them"


def alike(game: Game[Any], side: str, chance: Random) -> Iterator[tuple[Game[Any], Game[Any]]]:
    """Pairs of games that differ in what a side may not know, since the last border."""
    border = game.border
    other = game.ruleset.reshuffle(border.state, side, chance)
    pair = Pair(game.from_border(border.state), game.from_border(other), side, border, chance)
    since = game.events[border.logged :]
    answers = deque([event for event in since if not isinstance(event[0], Note) and event[1] != FORCED])
    while not _revealed(pair):
        yield pair.first, pair.second
        if not answers or not pair.step(answers):
            return


def _revealed(pair: Pair) -> bool:
    """Whether something hidden has come to light in one of the two: from then on they may look different."""
    events = [event for game in (pair.first, pair.second) for event in game.events[pair.border.logged :]]
    return any([isinstance(request, Note) and request.reveals for request, _ in events])


def seen(game: Game[Any], side: str, encoder: Encoder | None = None) -> tuple[bytes, bytes]:
    encoder, request = encoder or Encoder(), question_of(game, side)
    array, _ = encoder.encode(game.view(side), request)
    return array.tobytes(), encoder.mask(request).tobytes()


# --- playing ----------------------------------------------------------------------------------------------------


def play(env: FlagplotEnv, seed: int) -> float:
    observation, _ = env.reset(seed=seed)
    chance, total, over = Random(seed), 0.0, False
    while not over:
        offered = int(observation["action_mask"].sum())
        observation, reward, over, _, _ = env.step(chance.randrange(offered))
        total += reward
    return total


def test_rewards_are_the_result_or_the_toll() -> None:
    results = [play(gym_env("first-battle", opponent="random"), seed) for seed in range(4)]
    assert {*results} <= {-1.0, 0.0, 1.0}
    assert any(results)
    env = gym_env("first-battle", opponent="random", reward="toll")
    for seed in range(4):
        play_total, sunk = play(env, seed), env.game.result["factors_sunk"]  # type: ignore[index]
        assert play_total == sunk["allies"] - sunk["japan"]
        assert rewards_of(env.game, ["allies"], "toll") == {"allies": -play_total}
    assert env.step(0)[1:4] == (0.0, True, False)


@pytest.mark.parametrize(
    ("scenario", "measure"), [("malta", "brps_lost"), ("savo-island", ""), ("coral-sea-operation", "points")]
)
def test_the_toll_is_by_the_measure_of_the_rules(scenario: str, measure: str) -> None:
    game = flagplot.load(scenario, seed=1)
    game.play({side: RandomPlayer(1) for side in game.sides})
    assert game.result is not None
    ours, theirs = game.sides
    margin = rewards_of(game, [ours], "toll")[ours]
    if measure == "points":
        assert margin == game.result[measure][ours] - game.result[measure][theirs]
    elif measure:
        assert margin == game.result[measure][theirs] - game.result[measure][ours]
    else:
        assert margin == sum([len(x) for x in _lost(game, theirs)]) - sum([len(x) for x in _lost(game, ours)]) != 0


def _lost(game: Game[Any], side: str) -> list[list[str]]:
    losses = game.result["losses_by_faction"][side]  # type: ignore[index]
    return [losses["sunk"], losses["destroyed"]]


def test_what_is_no_option_changes_nothing() -> None:
    env = gym_env("force-z", opponent="random")
    first, _ = env.reset(seed=3)
    again, reward, over, _, info = env.step(60)
    assert (reward, over, info["illegal"]) == (-0.01, False, 60)
    assert np.array_equal(first["observation"], again["observation"])


def test_the_other_side_can_be_any_player() -> None:
    class First:
        def choose(self, view: Any, request: Any) -> Any:
            return request.options[0]

    env = gym_env("force-z", side="japan", opponent=First())
    _, info = env.reset(seed=3)
    assert info["view"].side == "japan"
    with pytest.raises(UnknownName):
        gym_env("force-z", opponent="nobody")


def test_many_at_once() -> None:
    envs = gymnasium.make_vec(f"flagplot.envs:{GYM_ID}", num_envs=3, scenario="force-z", opponent="random")
    observation, _ = envs.reset(seed=1)
    for _ in range(12):
        observation, *_ = envs.step(np.zeros(3, int))
    assert observation["observation"].shape == (3, Encoder().size)


def test_where_both_decide_in_secret_both_are_asked_at_once() -> None:
    env = parallel_env("force-z")
    observations, infos = env.reset(seed=1)
    assert all([one["action_mask"].sum() == 2 for one in observations.values()])
    assert [list(info["options"]) for info in infos.values()] == [["select:day", "select:night"]] * 2
    env.step({"britain": 1, "japan": 0})
    chosen = [request.option(answer).text for request, answer in env.game.events if isinstance(request, Choose)]
    assert chosen[:2] == ["select:night", "select:day"]


def test_where_one_decides_the_other_waits() -> None:
    env, chance = parallel_env("first-battle"), Random(1)
    observations, _ = env.reset(seed=1)
    alone = together = 0
    rewards: dict[str, float] = {}
    while env.agents:
        masks = {side: int(one["action_mask"].sum()) for side, one in observations.items()}
        asked = [side for side, offered in masks.items() if offered]
        alone, together = alone + (len(asked) == 1), together + (len(asked) == 2)
        observations, rewards, *_ = env.step({side: chance.randrange(offered or 1) for side, offered in masks.items()})
    assert alone
    assert together
    assert sum(rewards.values()) == 0
    assert env.game.result is not None
