"""Environment steps a second, compared with the bare engine, PettingZoo's classic games and OpenSpiel's Python games.

Every environment is played by the same random agent, which reads the mask. Figures are of processor time, so that
a busy machine does not change them much; compare them with each other, not with those of another machine.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any

import pyspiel

import flagplot
import flagplot.envs.spiel  # registers our game
from flagplot.envs import FlagplotAEC, gym_env
from flagplot.kernel.dice import Seeded
from flagplot.kernel.requests import Choose

Play = Callable[[int], int]
"""Plays one game from a seed, and says how many decisions it took."""
SCENARIOS = ("first-battle", "midway", "malta", "savo-island", "coral-sea-operation")
CLASSIC = ("tictactoe_v3", "connect_four_v3", "go_v5", "chess_v6")
SPIEL = ("python_tic_tac_toe", "python_kuhn_poker", "python_liars_poker", "python_block_dominoes")
TWICE = 2.0


def microseconds(play: Play, seconds: float) -> float:
    """Processor time for one decision: the best of three tries."""
    play(0)
    best, seed = float("inf"), 1
    for _ in range(3):
        decisions, start = 0, time.process_time()
        while (spent := time.process_time() - start) < seconds / 3 or not decisions:
            decisions, seed = decisions + play(seed), seed + 1
        best = min(best, spent / decisions)
    return best * 1e6


def engine(scenario: str, side: str | None = None) -> Play:
    """The game alone, with the same random choices; counted are those of all sides, or of one."""
    opening = flagplot.load(scenario, seed=0)

    def play(seed: int) -> int:
        game, chance, decisions = opening.copy(Seeded(seed)), Random(seed).random, 0
        while (request := game.pending) is not None:
            if isinstance(request, Choose):
                decisions += side in (None, request.side)
                game.choose(request.option(int(chance() * len(request))))
            else:
                game.roll()
        return decisions

    return play


def agents(env: Any, *, observe: bool) -> Play:
    """A PettingZoo environment; without observing, the agents of ours count the texts of their options."""

    def play(seed: int) -> int:
        env.reset(seed=seed)
        chance, decisions = Random(seed).random, 0
        while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
            agent = env.agent_selection
            if observe:
                seen = env.observe(agent)
                mask = seen["action_mask"] if "action_mask" in seen else env.infos[agent]["action_mask"]
                offered = mask.nonzero()[0]
                action = int(offered[int(chance() * len(offered))])
            else:
                action = int(chance() * len(env.infos[agent]["options"]))
            env.step(action)
            decisions += 1
        return decisions

    return play


def alone(scenario: str, units: int) -> Play:
    """Our Gymnasium environment against the random player; without arrays the agent counts the texts of its options."""
    env = gym_env(scenario, opponent="random", units=units)

    def play(seed: int) -> int:
        seen, info = env.reset(seed=seed)
        chance, decisions, over = Random(seed).random, 0, env.game.pending is None
        while not over:
            offered = int(seen["action_mask"].sum()) if units else len(info["options"])
            seen, _, over, _, info = env.step(int(chance() * offered))
            decisions += 1
        return max(decisions, 1)

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
        row(name, microseconds(agents(env, observe=True), seconds))
    print("OpenSpiel's Python games:")
    for name in SPIEL:
        import_module(f"open_spiel.python.games.{name.removeprefix('python_')}")
        row(name, microseconds(tree(name, {}), seconds))


def ours(scenario: str, seconds: float) -> float:
    """The figures of a scenario; how many times the engine a step costs."""
    print(f"{scenario}:")
    base = microseconds(engine(scenario), seconds)
    row("the engine alone", base)
    step = microseconds(agents(FlagplotAEC(scenario), observe=False), seconds)
    row("AEC, stepping", step, base)
    row("AEC, observing arrays", microseconds(agents(FlagplotAEC(scenario), observe=True), seconds), base)
    row("OpenSpiel", microseconds(tree("flagplot", {"scenario": scenario}), seconds), base)
    one = microseconds(engine(scenario, flagplot.load(scenario, seed=0).sides[0]), seconds)
    row("the engine alone, decisions of one side", one)
    gym = microseconds(alone(scenario, 0), seconds)
    row("Gymnasium, mask and view (units=0)", gym, one)
    row("Gymnasium, arrays", microseconds(alone(scenario, 192), seconds), one)
    return max(step / base, gym / one)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="of processor time for each figure (1)")
    parser.add_argument("--scenarios", nargs="+", default=list(SCENARIOS))
    given = parser.parse_args()
    others(given.seconds)
    worst = {scenario: ours(scenario, given.seconds) for scenario in given.scenarios}
    slow = {name: times for name, times in worst.items() if times > TWICE}
    said = ", ".join([f"{name} {times:.2f}" for name, times in slow.items()])
    print(f"A step costs more than twice the engine: {said}" if slow else "No step costs more than twice the engine.")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
