"""Environment steps a second, compared with the bare engine, PettingZoo's classic games and OpenSpiel's Python games.

Every environment is played by a random agent. In the games of others it reads the mask; in ours it counts the options,
whether it observes arrays or not, so that what an agent does with an array is not measured. The engine plays the very
games that the environments play, with the same dice, the same answers and the same opponent; that is checked. Figures
are of processor time, with Python's garbage collection put off while something is measured, as `timeit` does it: it
would fall on one or the other. Compare them with each other, not with those of another machine.

Stepping may cost twice the engine, and no more: else the exit code is 1. A step of Gymnasium's form comes with an
array, so that belongs to it. In PettingZoo's AEC form an array is made when somebody asks for it: what that costs is
printed, and no fault.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable
from importlib import import_module
from itertools import count
from random import Random
from typing import Any

import pyspiel
from numpy.random import default_rng

import flagplot.envs.spiel  # noqa: F401  # registers our game
from flagplot.envs import FlagplotAEC, gym_env
from flagplot.envs.battles import Opening, roll_on
from flagplot.envs.encoding import UNITS
from flagplot.kernel.requests import Choose
from flagplot.players import local_player

Play = Callable[[int], int]
"""Plays one game from a seed, and says how many decisions it took."""
Ended = tuple[int, Any]
"""That number, and the game of Flagplot that was played."""
Game = Callable[[int], Ended]
ENGINE = "the engine alone"
SCENARIOS = ("first-battle", "midway", "malta", "savo-island", "coral-sea-operation")
CLASSIC = ("tictactoe_v3", "connect_four_v3", "go_v5", "chess_v6")
SPIEL = ("python_tic_tac_toe", "python_kuhn_poker", "python_liars_poker", "python_block_dominoes")
TWICE = 2.0
OFTEN = 50
"""Games after which garbage is collected, while nothing is measured."""


def microseconds(play: Play, seconds: float) -> float:
    """Processor time for one decision: the best of three tries."""
    play(0)
    best, seed = float("inf"), 1
    for _ in range(3):
        gc.collect()
        decisions, start = 0, time.process_time()
        while (spent := time.process_time() - start) < seconds / 3 or not decisions:
            decisions, seed = decisions + play(seed), seed + 1
        best = min(best, spent / decisions)
    return best * 1e6


def together(plays: dict[str, Game], seconds: float) -> dict[str, float]:
    """Processor time for one decision of each, all of them playing the same games with the same answers in turn."""
    spent, decisions = dict.fromkeys(plays, 0.0), 0
    for play in plays.values():
        play(0)
    for seed in count(1):
        if seed % OFTEN == 1:
            gc.collect()
        ended = {}
        for name, play in plays.items():
            start = time.process_time()
            ended[name] = play(seed)
            spent[name] += time.process_time() - start
        (alike,) = {(made, game.turn, game.rolls, str(game.result)) for made, game in ended.values()}
        decisions += alike[0]
        if min(spent.values()) > seconds and decisions:
            return {name: each / decisions * 1e6 for name, each in spent.items()}
    raise AssertionError


def engine(scenario: str) -> Game:
    """The game alone: choices of all sides are drawn and given."""
    opening = Opening(scenario)

    def play(seed: int) -> Ended:
        game, chance, decisions = opening.game(int(default_rng(seed).integers(2**62))), Random(seed).random, 0
        while isinstance(request := game.pending, Choose):
            game.choose(request.option(int(chance() * len(request))))
            roll_on(game)
            decisions += 1
        return decisions, game

    return play


def engine_alone(scenario: str) -> Game:
    """The game alone, with the random player for all sides but one, whose decisions are counted."""
    opening = Opening(scenario)
    others = opening.sides[1:]

    def play(seed: int) -> Ended:
        dice, luck = [int(number) for number in default_rng(seed).integers(2**62, size=2)]
        players = {side: local_player("random", luck) for side in others}
        game, chance, decisions = opening.game(dice), Random(seed).random, 0
        game.play(players)
        while isinstance(request := game.pending, Choose):
            game.choose(request.option(int(chance() * len(request))))
            game.play(players)
            decisions += 1
        return decisions, game

    return play


def ours_together(env: FlagplotAEC, *, observe: bool) -> Game:
    """Our AEC environment, with or without observing an array before each step."""

    def play(seed: int) -> Ended:
        env.reset(seed=seed)
        chance, decisions = Random(seed).random, 0
        while not env.terminations[env.agent_selection]:
            agent = env.agent_selection
            if observe:
                env.observe(agent)
            env.step(int(chance() * len(env.infos[agent]["options"])))
            decisions += 1
        return decisions, env.game

    return play


def agents(env: Any) -> Play:
    """A PettingZoo environment, observed before each step."""

    def play(seed: int) -> int:
        env.reset(seed=seed)
        chance, decisions = Random(seed).random, 0
        while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
            agent = env.agent_selection
            seen = env.observe(agent)
            mask = seen["action_mask"] if "action_mask" in seen else env.infos[agent]["action_mask"]
            offered = mask.nonzero()[0]
            env.step(int(offered[int(chance() * len(offered))]))
            decisions += 1
        return decisions

    return play


def alone(scenario: str, units: int) -> Game:
    """Our Gymnasium environment against the random player; with no units there is no array but that of the options."""
    env = gym_env(scenario, opponent="random", units=units)

    def play(seed: int) -> Ended:
        _, info = env.reset(seed=seed)
        chance, decisions, over = Random(seed).random, 0, env.game.pending is None
        while not over:
            _, _, over, _, info = env.step(int(chance() * len(info["options"])))
            decisions += 1
        return decisions, env.game

    return play


def tree(name: str, parameters: dict[str, Any]) -> Play:
    """A game of OpenSpiel, its chance nodes drawn with their probabilities."""
    game = pyspiel.load_game(name, parameters)

    def play(seed: int) -> int:
        state, chance, decisions = game.new_initial_state(), Random(seed), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(actions, weights)[0])
            else:
                state.apply_action(chance.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return play


def row(name: str, spent: float, base: float | None = None) -> None:
    times = f"{spent / base:6.2f} × the engine" if base else ""
    print(f"  {name:<44} {1e6 / spent:>10,.0f} a second {times}", flush=True)


def others(seconds: float) -> None:
    print("PettingZoo's classic games, observing:")
    for name in CLASSIC:
        try:
            env = import_module(f"pettingzoo.classic.{name}").env().unwrapped
        except ImportError as fault:  # some want packages of their own
            print(f"  {name:<44} not measured: {fault}")
            continue
        row(name, microseconds(agents(env), seconds))
    print("OpenSpiel's Python games:")
    for name in SPIEL:
        import_module(f"open_spiel.python.games.{name.removeprefix('python_')}")
        row(name, microseconds(tree(name, {}), seconds))


def ours(scenario: str, seconds: float) -> dict[str, float]:
    """The figures of a scenario; how many times the engine a step costs at most, and one after observing."""
    print(f"{scenario}:")
    both = together(
        {
            ENGINE: engine(scenario),
            "AEC, stepping": ours_together(FlagplotAEC(scenario), observe=False),
            "AEC, observing arrays": ours_together(FlagplotAEC(scenario), observe=True),
        },
        seconds,
    )
    one = together(
        {
            f"{ENGINE}, one side against the random player": engine_alone(scenario),
            "Gymnasium, mask and view (units=0)": alone(scenario, 0),
            "Gymnasium, arrays": alone(scenario, UNITS),
        },
        seconds,
    )
    for figures in (both, one):
        base = next(iter(figures.values()))
        for name, spent in figures.items():
            row(name, spent, None if spent is base else base)
    row("OpenSpiel", microseconds(tree("flagplot", {"scenario": scenario}), seconds), both[ENGINE])
    times = [[spent / figures[next(iter(figures))] for spent in figures.values()] for figures in (both, one)]
    (_, aec, observing), (_, without, with_array) = times
    return {"step": max(aec, without, with_array), "observing": observing}


def said(worst: dict[str, dict[str, float]], which: str) -> str:
    return ", ".join([f"{name} {times[which]:.2f}" for name, times in worst.items() if times[which] > TWICE])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="of processor time for each figure (1)")
    parser.add_argument("--scenarios", nargs="+", default=list(SCENARIOS))
    given = parser.parse_args()
    gc.disable()
    others(given.seconds)
    worst = {scenario: ours(scenario, given.seconds) for scenario in given.scenarios}
    slow, observing = said(worst, "step"), said(worst, "observing")
    print(f"A step costs more than twice the engine: {slow}" if slow else "No step costs more than twice the engine.")
    if observing:
        print(f"Observing an array before each step of the AEC form costs more than that: {observing}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
