"""Every scenario to its end, many times, with random and with doctrine players on both sides: are there faults?"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial

import flagplot
from flagplot.kernel.dice import Seeded
from flagplot.players import player

MOST = 20_000
"""Answers after which a battle is taken to be endless."""


@dataclass
class Played:
    """What became of the battles of one scenario with one kind of player."""

    scenario: str
    who: str
    winners: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    longest: int = 0
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0


def play(case: tuple[str, str], battles: int) -> Played:
    """So many battles of a scenario, both sides played by the same kind of player."""
    scenario, who = case
    played, opening = Played(scenario, who), flagplot.load(scenario, seed=0)
    start = time.perf_counter()
    for seed in range(battles):
        game = opening.copy(Seeded(seed))
        try:
            game.play({side: player(who, 2 * seed + place) for place, side in enumerate(game.sides)}, until=MOST)
        except Exception as fault:  # whatever it is, it is told with its seed
            played.faults.append(f"{scenario}, {who}, seed {seed}: {type(fault).__name__}: {fault}")
            continue
        played.answers += game.turn
        played.longest = max(played.longest, game.turn)
        if game.result is None:
            played.faults.append(f"{scenario}, {who}, seed {seed}: not over after {MOST:,} answers")
        else:
            played.winners[game.result["winner"] or "nobody"] += 1
    played.seconds = time.perf_counter() - start
    return played


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--battles", type=int, default=1000, help="of each scenario with each kind of player (1000)")
    parser.add_argument("--players", nargs="+", default=["random", "doctrine"])
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("scenarios", nargs="*", default=flagplot.scenario_names())
    wanted = parser.parse_args()
    cases = [(scenario, who) for scenario in wanted.scenarios for who in wanted.players]
    faults = []
    print(f"{'scenario':<16} {'players':<9} {'answers':>8} {'longest':>8} {'a second':>9}   winners")
    with ProcessPoolExecutor(wanted.jobs) as pool:
        for played in pool.map(partial(play, battles=wanted.battles), cases):
            mean, rate = played.answers / wanted.battles, wanted.battles / played.seconds
            shares = ", ".join(f"{name} {number}" for name, number in played.winners.most_common())
            line = f"{played.scenario:<16} {played.who:<9} {mean:>8.0f} {played.longest:>8,} {rate:>9.0f}   {shares}"
            print(line, flush=True)
            faults += played.faults
    for fault in faults[:20]:
        print(fault, file=sys.stderr)
    print(f"{wanted.battles:,} battles each: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
