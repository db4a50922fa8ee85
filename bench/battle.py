"""Whole battles a second with doctrine players on both sides, and where the time goes, beside chess moves."""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import flagplot
from bench.kernel import chess_moves
from flagplot.kernel.dice import Seeded
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View
from flagplot.players.doctrine import DoctrinePlayer


class Rate(NamedTuple):
    """What was played in a second."""

    battles: float
    requests: float


def battles(scenario: str, seconds: float) -> Rate:
    """Whole battles and requests answered a second."""
    opening, answered, played = flagplot.load(scenario, seed=0), 0, 0
    players = {side: DoctrinePlayer() for side in opening.sides}
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        played += 1
        game = opening.copy(Seeded(played))
        game.play(players)
        answered += game.turn
    return Rate(played / spent, answered / spent)


# --- where the time goes ----------------------------------------------------------------------------------------


class Watched(View):
    """A view that counts how long it takes to look at it."""

    __slots__ = ("watch",)

    def __init__(self, view: View, watch: Watch) -> None:
        super().__init__(view._game, view.side)
        self.watch = watch

    @property
    def data(self) -> dict[str, Any]:
        start = time.perf_counter()
        seen = super().data
        self.watch.looking += time.perf_counter() - start
        self.watch.looks += 1
        return seen


class Watch:
    """A doctrine player that counts how long it takes to choose."""

    def __init__(self) -> None:
        self.player = DoctrinePlayer()
        self.choosing = self.looking = 0.0
        self.choices = self.looks = 0

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        watched = Watched(view, self)
        start = time.perf_counter()
        option = self.player.choose(watched, request)
        self.choosing += time.perf_counter() - start
        self.choices += 1
        return option


def shares(scenario: str, seconds: float) -> list[tuple[str, float, str]]:
    """The parts of the time that go to the rules, to looking at the view, and to the players."""
    opening, seed = flagplot.load(scenario, seed=0), 0
    watch = Watch()
    players = dict.fromkeys(opening.sides, watch)
    spent, answered = 0.0, 0
    while spent < seconds:
        seed += 1
        game = opening.copy(Seeded(seed))
        start = time.perf_counter()
        game.play(players)
        spent += time.perf_counter() - start
        answered += game.turn
    looking, choosing = watch.looking, watch.choosing - watch.looking
    return [
        ("the rules", (spent - watch.choosing) / spent, f"{answered / seed:.0f} requests a battle, dice among them"),
        (
            "the views",
            looking / spent,
            f"{watch.looks / seed:.0f} looks a battle, {1e6 * looking / watch.looks:.0f} µs each",
        ),
        ("the players", choosing / spent, f"{watch.choices / seed:.0f} choices a battle"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.5, help="for one turn of a measurement")
    parser.add_argument("--times", type=int, default=8, help="turns; both measurements take turns, the best counts")
    parser.add_argument("scenario", nargs="?", default="midway")
    wanted = parser.parse_args()
    moves: Callable[[float], float] = partial(chess_moves, to_the_end=True)
    chess, best = 0.0, Rate(0, 0)
    gc.collect()
    gc.disable()  # while something is measured, as `timeit` does it
    for _ in range(wanted.times):
        chess = max(chess, moves(wanted.seconds))
        best = max(best, battles(wanted.scenario, wanted.seconds))
        gc.collect()
    parts = shares(wanted.scenario, wanted.seconds * wanted.times / 4)
    print(f"chess, random legal moves a second in whole games: {chess:,.0f}")
    print(f"{wanted.scenario}, doctrine players on both sides, one process:")
    print(f"  battles a second   {best.battles:>10,.1f}   one in {chess / best.battles:,.0f} chess moves")
    print(f"  requests a second  {best.requests:>10,.0f}   {best.requests / chess:.2f} x chess moves")
    print("where the time goes:")
    for name, share, words in parts:
        print(f"  {name:<12} {share:>6.1%}   {words}")


if __name__ == "__main__":
    main()
