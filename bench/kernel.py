"""Requests answered a second by random players, beside random legal chess moves a second in the same run."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

import chess

import flagplot
from flagplot.kernel.dice import Seeded
from flagplot.players.random import RandomPlayer


def chess_moves(seconds: float) -> float:
    """Random legal moves a second of the PyPI package `chess`: list them, pick one, play it."""
    chance, board, moves = random.Random(1), chess.Board(), 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        for _ in range(100):
            legal = list(board.legal_moves)
            if not legal or board.is_insufficient_material() or board.halfmove_clock > 99:
                board = chess.Board()
                continue
            board.push(chance.choice(legal))
            moves += 1
    return moves / spent


def requests(scenario: str, seconds: float) -> float:
    """Requests answered a second in whole games of a scenario, both sides played at random."""
    opening, answered, seed = flagplot.load(scenario, seed=0), 0, 0
    players = {side: RandomPlayer(number) for number, side in enumerate(opening.sides)}
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        seed += 1
        game = opening.copy(Seeded(seed))
        game.play(players)
        answered += game.turn
    return answered / spent


def copies(scenario: str, seconds: float) -> float:
    """Copies a second of games at every point of play, in the middle of segments as at their borders."""
    opening = flagplot.load(scenario, seed=0)
    players = {side: RandomPlayer(number) for number, side in enumerate(opening.sides)}
    made, spent, seed = 0, 0.0, 0
    while spent < seconds:
        seed += 1
        game = opening.copy(Seeded(seed))
        while game.pending is not None:
            start = time.perf_counter()
            game.copy()
            spent += time.perf_counter() - start
            made += 1
            game.play(players, until=game.turn + 1)
    return made / spent


def best(measure: Callable[[], float], times: int) -> float:
    return max(measure() for _ in range(times))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    parser.add_argument("--times", type=int, default=3, help="the best of so many is taken")
    parser.add_argument("scenarios", nargs="*", default=flagplot.scenario_names())
    wanted = parser.parse_args()
    moves = best(lambda: chess_moves(wanted.seconds), wanted.times)
    print(f"chess            {moves:10,.0f} random moves a second")
    for name in wanted.scenarios:
        rate = best(lambda name=name: requests(name, wanted.seconds), wanted.times)  # type: ignore[misc]
        copied = best(lambda name=name: copies(name, wanted.seconds), wanted.times)  # type: ignore[misc]
        print(
            f"{name:<16} {rate:10,.0f} requests a second, {rate / moves:4.1f} times chess; "
            f"a copy costs {rate / copied:4.1f} requests"
        )


if __name__ == "__main__":
    main()
