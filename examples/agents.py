"""Random, doctrine and a player that searches, in one small battle. Run it from the top folder:

    PYTHONPATH=. .venv/bin/python examples/agents.py [GAMES]

Before each decision the searching player draws battles that look the same to its side, tries each option in them, and
lets the doctrine player finish. It takes the option with the best average reward, as flat Monte Carlo does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from typing import Any

from flagplot.envs import FlagplotEnv, gym_env
from flagplot.envs.battles import rewards_of
from flagplot.envs.worlds import another
from flagplot.kernel.dice import Seeded
from flagplot.players import player

SCENARIO, SIDE, OPPONENT = "force-z", "britain", "doctrine"
DRAWS = 4
"""Battles that are drawn for each decision."""

Agent = Callable[[FlagplotEnv, dict[str, Any], Random], int]


def at_random(env: FlagplotEnv, info: dict[str, Any], chance: Random) -> int:
    return chance.randrange(len(info["options"]))


def by_doctrine(env: FlagplotEnv, info: dict[str, Any], chance: Random) -> int:
    request: Any = env.game.pending
    return list(info["options"]).index(str(player("doctrine", 0).choose(info["view"], request)))


def by_search(env: FlagplotEnv, info: dict[str, Any], chance: Random) -> int:
    totals = [0.0] * len(info["options"])
    for _ in range(DRAWS):
        world, dice = another(env.game, env.side, chance), Seeded(chance.getrandbits(60))
        for action in range(len(totals)):
            game: Any = world.copy(dice)
            game.choose(game.pending.option(action))
            game.play({side: player("doctrine", 0) for side in game.sides})
            totals[action] += rewards_of(game, (env.side,), "toll")[env.side]
    return totals.index(max(totals))


def average(agent: Agent, games: int) -> float:
    """What an agent earns in a game, all of them with the same dice."""
    env, earned = gym_env(SCENARIO, side=SIDE, opponent=OPPONENT, reward="toll"), 0.0
    for seed in range(games):
        _, info = env.reset(seed=seed)
        env.game.copy()  # from now on it remembers every border between segments, from where battles are drawn
        chance, over = Random(seed), env.game.pending is None
        while not over:
            _, reward, over, _, info = env.step(agent(env, info, chance))
            earned += reward
    return earned / games


def main(games: int) -> None:
    for name, agent in {"random": at_random, "doctrine": by_doctrine, "search": by_search}.items():
        print(f"{name:<10} {average(agent, games):+.2f} units a game", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
