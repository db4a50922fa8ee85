"""Requests answered a second by random players, beside random legal chess moves a second in the same run.

Seconds are of the processor, so that what else the machine does hardly counts.

``midway/air`` is the first half of two rounds of that battle, segments A to G, without what comes after the landing."""

from __future__ import annotations

import argparse
import gc
import random
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any, ClassVar

import chess

import flagplot
from flagplot.awaw.battle.air_plan import remember_aborts
from flagplot.awaw.battle.rounds import combat_groups, landing
from flagplot.awaw.procedures import naval_battle
from flagplot.awaw.ruleset import AWorldAtWar
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Seeded
from flagplot.kernel.game import Game
from flagplot.kernel.procedures import END, Next, Procedure
from flagplot.players.random import RandomPlayer

AIR = "/air"
ROUNDS = 2


def opening_of(scenario: str) -> Game[Any]:
    """The game that is copied and played: a scenario, or only the air rounds of a battle."""
    opening = flagplot.load(scenario.removesuffix(AIR), seed=0)
    if not scenario.endswith(AIR):
        return opening
    rules: Any = AirRounds()
    return Game(rules, opening.scenario, opening.options, rules.read(opening.scenario, opening.options), opening.dice)


def _air_rounds() -> Procedure:
    """The segments of a naval battle up to the landing, and then the next round."""
    rounds = Procedure(naval_battle.name, naval_battle.rule, naval_battle.title)
    for segment in naval_battle.segments.values():
        rounds.segment(segment.rule, segment.title)(segment)
        if segment is landing:
            break
    rounds.segment("22.411B", "The end of the round")(close_air_round)
    return rounds


def close_air_round(state: State) -> Next:
    """Another round if both sides still have ships, until the last."""
    remember_aborts(state)
    state.battle.end_round()
    state.battle.phase += 1
    here = {group.side for group in state.battle.groups.values() if group.number}
    return combat_groups if state.battle.phase < ROUNDS and len(here) == 2 else END


class AirRounds(AWorldAtWar):
    """The rules without fleets, submarines, withdrawal and what follows from a battle."""

    procedures: ClassVar = {**AWorldAtWar.procedures, naval_battle.name: _air_rounds()}


def chess_moves(seconds: float, *, to_the_end: bool = False) -> float:
    """Random legal moves a second of the PyPI package `chess`: list them, pick one, play it.

    A bare run of moves only looks whether there is a move left. `to_the_end` plays whole games as the package's own
    documentation does, asking `is_game_over` before each move; our games always end by their rules.
    """
    chance, board, moves = random.Random(1), chess.Board(), 0
    start = process_time()
    while (spent := process_time() - start) < seconds:
        for _ in range(50):
            if to_the_end and board.is_game_over():
                board = chess.Board()
            legal = list(board.legal_moves)
            if not legal or len(board.move_stack) > 300:
                board = chess.Board()
                continue
            board.push(chance.choice(legal))
            moves += 1
    return moves / spent


def requests(scenario: str, seconds: float) -> float:
    """Requests answered a second in whole games of a scenario, both sides played at random."""
    opening, answered, seed = opening_of(scenario), 0, 0
    players = {side: RandomPlayer(number) for number, side in enumerate(opening.sides)}
    start = process_time()
    while (spent := process_time() - start) < seconds:
        seed += 1
        game = opening.copy(Seeded(seed))
        game.play(players)
        answered += game.turn
    return answered / spent


def copies(scenario: str, seconds: float) -> float:
    """Copies a second of games at every point of play, in the middle of segments as at their borders."""
    opening = opening_of(scenario)
    players = {side: RandomPlayer(number) for number, side in enumerate(opening.sides)}
    made, spent, seed = 0, 0.0, 0
    while spent < seconds:
        seed += 1
        game = opening.copy(Seeded(seed))
        while game.pending is not None:
            start = process_time()
            game.copy()
            spent += process_time() - start
            made += 1
            game.play(players, until=game.turn + 1)
    return made / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.4, help="for one turn of a measurement")
    parser.add_argument(
        "--times", type=int, default=8, help="turns; all measurements take turns, the best of each counts"
    )
    parser.add_argument("scenarios", nargs="*", default=[*flagplot.scenario_names(), "midway" + AIR])
    wanted = parser.parse_args()
    measures: dict[str, Callable[[float], float]] = {
        "bare moves": chess_moves,
        "whole games": partial(chess_moves, to_the_end=True),
    }
    measures |= {f"play {name}": partial(requests, name) for name in wanted.scenarios}
    measures |= {f"copy {name}": partial(copies, name) for name in wanted.scenarios}
    best = dict.fromkeys(measures, 0.0)
    gc.collect()
    gc.disable()  # while something is measured, as `timeit` does it
    for _ in range(wanted.times):
        for key, measure in measures.items():
            best[key] = max(best[key], measure(wanted.seconds))
            gc.collect()
    bare, whole = best["bare moves"], best["whole games"]
    print(f"chess, random legal moves a second: {bare:,.0f} bare, {whole:,.0f} in whole games")
    print(f"{'scenario':<16} {'requests/s':>11} {'x bare':>7} {'x whole':>8}   a copy costs")
    for name in wanted.scenarios:
        rate, copied = best[f"play {name}"], best[f"copy {name}"]
        print(f"{name:<16} {rate:>11,.0f} {rate / bare:>7.2f} {rate / whole:>8.2f}   {rate / copied:.1f} requests")


if __name__ == "__main__":
    main()
