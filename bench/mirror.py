"""The doctrine player against random ones in mirrored battles: each seed is played twice, with sides changed."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import sqrt
from typing import Any

import flagplot
from flagplot.kernel.dice import Seeded
from flagplot.kernel.game import Game, Player
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View
from flagplot.players import player
from flagplot.players.random import RandomPlayer

Z = 1.96
"""For an interval of 95%."""


class Steadfast(RandomPlayer):
    """A random player that never withdraws from a battle: a random one often loses by that alone."""

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        return Option(request, 0) if request.verb == "withdraw" else super().choose(view, request)


def opponent(name: str, seed: int) -> Player:
    return Steadfast(seed) if name == "steadfast" else player(name, seed)


@dataclass
class Score:
    """How the battles of one scenario ended, as the doctrine player counts."""

    won: int = 0
    lost: int = 0
    undecided: int = 0
    sunk: int = 0
    """Naval factors of the enemy sunk, less own ones; without ships BRPs of air."""
    requests: int = 0

    @property
    def battles(self) -> int:
        return self.won + self.lost + self.undecided

    @property
    def share(self) -> float:
        """The share of the battles that was won; one without a winner counts half."""
        return (self.won + self.undecided / 2) / self.battles

    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval of the share."""
        n, p = self.battles, self.share
        middle, spread = p + Z * Z / (2 * n), Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
        return (middle - spread) / (1 + Z * Z / n), (middle + spread) / (1 + Z * Z / n)

    def count(self, result: dict[str, Any] | None, us: str, them: str) -> None:
        """Add the end of one battle."""
        assert result is not None
        winner = result["winner"]
        self.won += winner == us
        self.lost += winner == them
        self.undecided += winner is None
        losses = result.get("factors_sunk") or result["brps_lost"]
        self.sunk += losses[them] - losses[us]


def play(opening: Game[Any], seeds: range, who: str, against: str) -> Score:
    """Battles of one scenario, each seed from both sides."""
    score = Score()
    for seed in seeds:
        for us, them in (opening.sides, opening.sides[::-1]):
            game = opening.copy(Seeded(seed))
            game.play({us: player(who, seed), them: opponent(against, seed)})
            score.requests += game.turn
            score.count(game.result, us, them)
    return score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--battles", type=int, default=200, help="for each scenario; half of them from each side")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--scenarios", nargs="*", help="the naval battles unless something else is said")
    parser.add_argument("--player", default="doctrine", help="for example doctrine:withdraw_below=0.3")
    parser.add_argument(
        "--against", nargs="*", default=["random", "steadfast"], help="players; steadfast is random too"
    )
    wanted = parser.parse_args()
    openings = {name: flagplot.load(name, seed=0) for name in wanted.scenarios or flagplot.scenario_names()}
    if not wanted.scenarios:
        openings = {name: game for name, game in openings.items() if game.scenario.get("kind") == "naval-battle"}
    seeds = range(wanted.seed, wanted.seed + max(1, wanted.battles // 2))
    for against in wanted.against:
        report(openings, seeds, wanted.player, against)


def report(openings: dict[str, Game[Any]], seeds: range, who: str, against: str) -> None:
    """A table of all scenarios, printed line by line."""
    about = " (random, but never withdraws)" if against == "steadfast" else ""
    print(f"{who} against {against}{about}")
    print(f"{'scenario':<20} {'battles':>7} {'won':>5} {'lost':>5} {'none':>5} {'share':>6}   95% interval     sunk")
    for name, opening in openings.items():
        score = play(opening, seeds, who, against)
        low, high = score.interval()
        print(
            f"{name:<20} {score.battles:>7} {score.won:>5} {score.lost:>5} {score.undecided:>5} {score.share:>6.1%}   "
            f"{low:>5.1%} to {high:>6.1%} {score.sunk / score.battles:>+7.1f}",
            flush=True,
        )
    print(
        "share: of battles won, one without a winner counts half; sunk: enemy naval factors less own ones, on average\n"
    )


if __name__ == "__main__":
    main()
