"""Which decisions have odds, and how soon: games by the doctrine, asked at some of their moments."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import flagplot
from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.odds.enumerator import Limits
from flagplot.odds.position import LIMITS, position
from flagplot.odds.position_answer import SampledAnswer
from flagplot.players import player

TRIALS = 100_000
"""More than anybody has time for: what ends an answer is the time."""


@dataclass
class Asked:
    """What became of the questions of one scenario."""

    scenario: str
    seconds: list[float] = field(default_factory=list)
    trials: list[int] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    silent: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        return 1 - self.silent.total() / max(1, len(self.seconds))


def ask(game: Game[Any], asked: Asked, seconds: float) -> None:
    """Ask for the odds of the open question, with that many seconds to answer, and note how it went."""
    request = game.pending
    assert isinstance(request, Choose)
    start = time.perf_counter()
    try:
        answer = position(game, request.side, limits=Limits(LIMITS.states, seconds), trials=TRIALS)
        why = answer.why_not
    except FlagplotError as fault:
        answer, why = None, str(fault)
    asked.seconds.append(time.perf_counter() - start)
    if answer is None or not answer.options:
        asked.silent[f"{request.verb}: {why}"] += 1
        return
    sampled = [one.answer.trials for one in answer.options if isinstance(one.answer, SampledAnswer)]
    asked.kinds["sampled" if sampled else "exact"] += 1
    asked.trials += sampled


def questions(name: str, seed: int, number: int) -> list[Game[Any]]:
    """Some of the decisions of a game, at any moment of it."""
    whole = flagplot.load(name, seed=seed)
    players = {side: player("doctrine", place) for place, side in enumerate(whole.sides)}
    whole.play(players)
    turns = sorted(Random(seed).sample(range(whole.turn), min(whole.turn, number)))
    game, found = flagplot.load(name, seed=seed), []
    for turn in turns:
        game.play(players, until=turn)
        game.play(players, until=lambda here: isinstance(here.pending, Choose))
        if isinstance(game.pending, Choose):
            found.append(game.copy())
    return found


def quantile(numbers: list[float], share: float) -> float:
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=12, help="of each game (12)")
    parser.add_argument("--games", type=int, default=1, help="of each scenario (1)")
    parser.add_argument("--seconds", type=float, default=1.0, help="for an answer (1)")
    parser.add_argument("scenarios", nargs="*", default=flagplot.scenario_names())
    wanted = parser.parse_args()
    everything: list[Asked] = []
    print(
        f"{'scenario':<20} {'asked':>5} {'with odds':>9} {'exact':>6} {'median':>8} {'95 %':>8} {'fewest trials':>13}"
    )
    for name in wanted.scenarios:
        asked = Asked(name)
        for seed in range(wanted.games):
            for game in questions(name, seed, wanted.questions):
                ask(game, asked, wanted.seconds)
        everything.append(asked)
        times = f"{quantile(asked.seconds, 0.5):>7.2f}s {quantile(asked.seconds, 0.95):>7.2f}s"
        exact = asked.kinds["exact"] / max(1, asked.kinds.total())
        fewest = min(asked.trials, default=0)
        print(f"{name:<20} {len(asked.seconds):>5} {asked.share:>9.0%} {exact:>6.0%} {times} {fewest:>13}", flush=True)
        for why, number in asked.silent.items():
            print(f"    {number} without: {why}")
    seconds = [one for asked in everything for one in asked.seconds]
    silent = sum([asked.silent.total() for asked in everything])
    print(
        f"{len(seconds)} decisions: {1 - silent / max(1, len(seconds)):.1%} with odds; first answer: "
        f"median {quantile(seconds, 0.5):.2f} s, 95th percentile {quantile(seconds, 0.95):.2f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
