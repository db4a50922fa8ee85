"""What `./bench/run against` measures, and the process that measures it with the package of one tree.

As a program, ``python -P bench/_against_measures.py`` with PYTHONPATH set to a tree, it reads tasks, one a line, and
answers each with a line. It measures older trees too, so it asks for what only newer ones have before it uses it. All
times are of the processor: they hang least on what else the machine does.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from itertools import count, islice
from typing import Any, NamedTuple

import flagplot
from flagplot.kernel.dice import Seeded
from flagplot.players import player
from flagplot.players.random import RandomPlayer

playout: Any = None
with suppress(ImportError):  # an older tree has none
    playout = import_module("flagplot.kernel.playout").playout

Turns = Iterator[int]
"""Goes on by one piece of work each time; what it gives is how many units that was."""


AIR = "/air"


class Measure(NamedTuple):
    """Something whose speed is measured."""

    unit: str
    work: Callable[[str], Turns]
    of_air: bool = False
    """Whether it can be measured of the air rounds of a battle alone, ``midway/air``."""


def opening_of(scenario: str) -> Any:
    """The game that is copied and played. What the air rounds of a battle are, each tree's own `bench/kernel.py` says:
    they are put together from its segments."""
    return import_module("bench.kernel").opening_of(scenario) if AIR in scenario else flagplot.load(scenario, seed=0)


def battles(scenario: str) -> Turns:
    """Whole battles of doctrine players, as `flagplot simulate` plays them."""
    from flagplot.simulation.battles import Plan, fight, opening_of

    game = flagplot.load(scenario, seed=0)
    plan = Plan(dict(game.scenario), dict.fromkeys(game.sides, "doctrine"), 1)
    opening = opening_of(plan)
    for number in count(1):
        fight(plan, opening, number)
        yield 1


def playouts(scenario: str) -> Turns:
    """Doctrine players play on to the end from positions in the middle of a battle, as somebody does who searches."""
    opening = flagplot.load(scenario, seed=0)
    players = {side: player("doctrine", 0) for side in opening.sides}
    for seed in count(1):
        game = opening.copy(Seeded(seed))
        game.play(players, until=MIDDLE)
        for number in range(PLAYOUTS):
            dice = Seeded(1000 * seed + number)
            if playout is None:
                twin = game.copy(dice)
                twin.play(players)
                twin.ruleset.result(twin.state)
            else:
                end = playout(game, players, dice)
                game.ruleset.result(end.state)
            yield 1


MIDDLE, PLAYOUTS = 40, 20
"""Answers after which playouts begin, and how many of them begin at the same position."""


def requests(scenario: str) -> Turns:
    """Requests answered in whole games of random players, as `./bench/run kernel` counts them."""
    opening = opening_of(scenario)
    players = {side: RandomPlayer(number) for number, side in enumerate(opening.sides)}
    for seed in count(1):
        game = opening.copy(Seeded(seed))
        game.play(players)
        yield game.turn


def copies(scenario: str) -> Turns:
    """Copies of games at every point of play."""
    opening = opening_of(scenario)
    players = {side: RandomPlayer(number) for number, side in enumerate(opening.sides)}
    for seed in count(1):
        game = opening.copy(Seeded(seed))
        while game.pending is not None:
            game.copy()
            game.play(players, until=game.turn + 1)
            yield 1


MEASURES = {
    "battle": Measure("battles", battles),
    "playout": Measure("playouts", playouts),
    "kernel": Measure("requests", requests, of_air=True),
    "copy": Measure("copies", copies, of_air=True),
}


class Runner:
    """Goes on with measurements where it stopped, so that both trees do the same pieces of work."""

    def __init__(self) -> None:
        self._under_way: dict[tuple[str, str], Turns] = {}

    def run(self, name: str, scenario: str, pieces: int, seconds: float) -> dict[str, Any]:
        """Do that many pieces, or for 0 as many as fit into the seconds: how many, their units, and the time."""
        work = self._under_way.get((name, scenario))
        if work is None:
            work = self._under_way[name, scenario] = MEASURES[name].work(scenario)
            next(work)  # the first fills caches
        gc.collect()
        gc.disable()  # while something is measured, as `timeit` does it
        done = units = 0
        start = time.process_time()
        try:
            for units_now in islice(work, pieces or None):
                done, units = done + 1, units + units_now
                if not pieces and time.process_time() - start >= seconds:
                    break
            return {"pieces": done, "units": units, "seconds": time.process_time() - start}
        finally:
            gc.enable()


def main() -> None:
    print(json.dumps({"package": flagplot.__file__, "scenarios": flagplot.scenario_names()}), flush=True)
    runner = Runner()
    for line in sys.stdin:
        print(json.dumps(runner.run(**json.loads(line))), flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
