"""Whole battles a second of the processor, doctrine players on both sides, and where the time goes, beside chess."""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from time import process_time
from typing import Any, NamedTuple

import flagplot
from bench.kernel import chess_moves
from flagplot.kernel.dice import Seeded
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.view_types import Parts, part
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
    start = process_time()
    while (spent := process_time() - start) < seconds or not spent:
        played += 1
        game = opening.copy(Seeded(played))
        game.play(players)
        answered += game.turn
    return Rate(played / spent, answered / spent)


# --- where the time goes ----------------------------------------------------------------------------------------


class Watch:
    """A doctrine player that counts how long it takes to choose, and to make the parts of views that it reads."""

    def __init__(self) -> None:
        self.player = DoctrinePlayer()
        self.choosing = self.looking = 0.0
        self.choices = self.parts = 0
        self._making = False

    def timed(self, make: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The same, with its time counted; a part that is made for another counts with it."""

        def make_and_time(parts: Any) -> Any:
            if self._making:
                return make(parts)
            self._making, start = True, process_time()
            try:
                return make(parts)
            finally:
                self.looking += process_time() - start
                self.parts += 1
                self._making = False

        return make_and_time

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        start = process_time()
        option = self.player.choose(view, request)
        self.choosing += process_time() - start
        self.choices += 1
        return option


@contextmanager
def every_part_timed(watch: Watch) -> Iterator[None]:
    """While it lasts the watch counts the time in which parts of views are made."""
    kinds = [Parts, *Parts.__subclasses__()]
    parts = [value for kind in kinds for value in vars(kind).values() if isinstance(value, part)]
    makers = [one.make for one in parts]
    for one in parts:
        one.make = watch.timed(one.make)
    try:
        yield
    finally:
        for one, make in zip(parts, makers, strict=True):
            one.make = make


def shares(scenario: str, seconds: float) -> list[tuple[str, float, str]]:
    """The parts of the time that go to the rules, to looking at the view, and to the players."""
    opening, seed = flagplot.load(scenario, seed=0), 0
    watch = Watch()
    players = dict.fromkeys(opening.sides, watch)
    spent, answered = 0.0, 0
    while spent < seconds or not spent:
        seed += 1
        game = opening.copy(Seeded(seed))
        start = process_time()
        with every_part_timed(watch):
            game.play(players)
        spent += process_time() - start
        answered += game.turn
    looking, choosing = watch.looking, watch.choosing - watch.looking
    return [
        ("the rules", (spent - watch.choosing) / spent, f"{answered / seed:.0f} requests a battle, dice among them"),
        (
            "the views",
            looking / spent,
            f"{watch.parts / seed:.0f} parts a battle, {1e6 * looking / max(1, watch.parts):.0f} µs each",
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
