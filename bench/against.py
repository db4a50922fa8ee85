"""Speed of this tree beside an older commit: both take turns in one run, so a slowdown shows whatever the machine does.

`./bench/run against COMMIT NAME…` builds the tree of the commit in a folder of its own and measures both with the same
program. A NAME is a measurement (battle, playout, kernel, copy), with a scenario or without: `battle:midway`; kernel
and copy also measure the air rounds of a battle alone, as `./bench/run kernel` does: `kernel:midway/air`. In each turn
one tree works for some seconds of the processor, and then the other does the same pieces of work; who comes first
changes from turn to turn. What is told is the median of the turns' ratios, with the least and the greatest: above 1
this tree is quicker. Exit code 1 means that some ratio is below `--least`.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench._against_measures import AIR, MEASURES
from bench._same_trees import ROOT, BadInput, Workers, commit_of, finished, worktree

PROGRAM = Path(__file__).with_name("_against_measures.py")
USUAL = ("midway", "coral-sea", "santa-cruz", "philippine-sea")


class Wanted(NamedTuple):
    """A measurement of a scenario."""

    name: str
    scenario: str

    def __str__(self) -> str:
        return f"{self.name}:{self.scenario}"


class Turn(NamedTuple):
    """What both trees took for the same pieces of work, and how many units that was in each."""

    before: float
    now: float
    units_before: int
    units_now: int

    @property
    def ratio(self) -> float:
        """How many times as many units this tree does in a second."""
        return (self.units_now / self.now) / (self.units_before / self.before)


def read_names(names: Sequence[str], scenarios: Sequence[str]) -> list[Wanted]:
    """What the names ask for; a measurement without a scenario is made of the usual ones."""
    wanted: list[Wanted] = []
    for name in names:
        measure, _, scenario = name.partition(":")
        if measure not in MEASURES:
            raise BadInput(f"there is no measurement “{measure}”; there are {', '.join(MEASURES)}")
        whole = scenario.removesuffix(AIR) if MEASURES[measure].of_air else scenario
        if scenario and whole not in scenarios:
            raise BadInput(f"there is no scenario “{scenario}” in both trees; there are {', '.join(scenarios)}")
        wanted += [Wanted(measure, one) for one in ([scenario] if scenario else USUAL)]
    return wanted


def take_turn(wanted: Wanted, first: Workers, second: Workers, seconds: float) -> tuple[tuple[float, int], ...]:
    """One tree works for some seconds, the other does the same; the seconds and units of each."""
    task = {"name": wanted.name, "scenario": wanted.scenario}
    led = first.tell({**task, "pieces": 0, "seconds": seconds})
    followed = second.tell({**task, "pieces": led["pieces"], "seconds": 0})
    return (led["seconds"], led["units"]), (followed["seconds"], followed["units"])


def measured(wanted: Wanted, old: Workers, new: Workers, turns: int, seconds: float) -> list[Turn]:
    taken = []
    for number in range(turns):
        if number % 2:
            now, before = take_turn(wanted, new, old, seconds)
        else:
            before, now = take_turn(wanted, old, new, seconds)
        taken.append(Turn(before[0], now[0], before[1], now[1]))
    return taken


def told(wanted: Wanted, turns: Sequence[Turn]) -> str:
    """A line of the table."""
    before = sum([turn.units_before for turn in turns]) / sum([turn.before for turn in turns])
    now = sum([turn.units_now for turn in turns]) / sum([turn.now for turn in turns])
    ratios = [turn.ratio for turn in turns]
    changed = "" if all([turn.units_before == turn.units_now for turn in turns]) else "   other games than before"
    return (
        f"{wanted!s:<24} {MEASURES[wanted.name].unit:>9} {before:>10,.1f} {now:>10,.1f} "
        f"{median(ratios):>7.2f} {f'{min(ratios):.2f}-{max(ratios):.2f}':>12}{changed}"
    )


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./bench/run against", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("commit", help="the older commit")
    parser.add_argument(
        "names", nargs="+", metavar="NAME", help=f"{', '.join(MEASURES)}; with a scenario: battle:midway"
    )
    parser.add_argument("--turns", type=int, default=6, help="turns of each measurement (6)")
    parser.add_argument("--seconds", type=float, default=0.5, help="seconds of the processor for one turn (0.5)")
    parser.add_argument("--least", type=float, default=0.0, help="the ratio that each measurement must reach (0)")
    return parser.parse_args(arguments)


def run(wanted: argparse.Namespace, closing: contextlib.ExitStack) -> int:
    if wanted.turns < 1 or wanted.seconds <= 0:
        raise BadInput("take at least one turn, of more than no seconds")
    commit = commit_of(wanted.commit)
    old = closing.enter_context(Workers(closing.enter_context(worktree(commit)), 1, PROGRAM))
    new = closing.enter_context(Workers(ROOT, 1, PROGRAM))
    names = read_names(wanted.names, [name for name in new.scenarios if name in old.scenarios])
    print(
        f"per second of the processor, {commit[:7]} and this tree in turn, {wanted.turns} turns of {wanted.seconds:g} s"
    )
    print(f"{'':<24} {'':>9} {'before':>10} {'now':>10} {'ratio':>7} {'range':>12}")
    slow = 0
    for name in names:
        turns = measured(name, old, new, wanted.turns, wanted.seconds)
        print(told(name, turns), flush=True)
        slow += median([turn.ratio for turn in turns]) < wanted.least
    return 1 if slow else 0


def main(arguments: Sequence[str] | None = None) -> int:
    return finished(partial(run, parsed(arguments)))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the old tree is removed then too
    sys.exit(main())
