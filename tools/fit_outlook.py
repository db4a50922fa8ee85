"""Fits the model of how a naval battle will end (`flagplot/players/search/outlook.toml`) to battles played out.

    .venv/bin/python -m tools.fit_outlook --battles 200 --write

Battles of several scenarios are played with the habits that playouts have. Where a round ends, what the model looks at
is noted; at the end, what the battle was worth. Half of the battles are fitted, by least squares; how much of the value
of the other half the model explains is printed.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import flagplot
from flagplot.kernel.dice import Seeded
from flagplot.kernel.playout import Start, playout, start_of
from flagplot.players.search.habits import enemy_of
from flagplot.players.search.judging import worth
from flagplot.players.search.judging_awaw import JUDGE
from flagplot.players.search.outlook import FILE, NAMES, features

SCENARIOS = ("first-battle", "coral-sea", "cape-matapan", "midway", "santa-cruz", "surigao-strait", "malta-convoy")
PLACE = Path(__file__).parent.parent / "flagplot" / "players" / "search" / FILE
RIDGE = 1.0
"""Keeps weights small that the battles say little about."""
HEAD = """# What the model of the outlook weighs each share with, by kind of battle. Written by tools/fit_outlook.py.
# {rounds} rounds of {battles} battles; of the value of those that were not fitted it explains {explained:.0%}.

[naval-battle]
"""


class Noted(NamedTuple):
    """What was seen at the end of a round, and what the battle was worth in the end."""

    seen: tuple[float, ...]
    value: float


def noted(start: Start[Any], number: int) -> list[Noted]:
    """One battle."""
    side = start.ruleset.sides(start.state)[0]
    stake = JUDGE.stake(start.state)
    seen: list[tuple[float, ...]] = []
    rounds = [1]

    def note(state: Any) -> bool:
        if state.battle.round > rounds[-1]:
            rounds.append(state.battle.round)
            lost = JUDGE.standing(state).lost
            seen.append(features(state, side, lost[state.other(side)] - lost[side], stake))
        return False

    players = {one: enemy_of(place, number) for place, one in enumerate(start.ruleset.sides(start.state))}
    played = playout(start, players, Seeded(number), stop=note)
    value = worth(JUDGE, played.state, side, stake).value
    return [Noted(one, value) for one in seen]


def fitted(rounds: Sequence[Noted]) -> list[float]:
    """The weights by least squares: the normal equations, solved by elimination."""
    size = len(NAMES)
    rows = [
        [sum([one.seen[i] * one.seen[j] for one in rounds]) + RIDGE * (i == j) for j in range(size)]
        + [sum([one.seen[i] * one.value for one in rounds])]
        for i in range(size)
    ]
    for place in range(size):
        best = max(range(place, size), key=lambda row: abs(rows[row][place]))
        rows[place], rows[best] = rows[best], rows[place]
        rows[place] = [value / rows[place][place] for value in rows[place]]
        for other in range(size):
            if other != place:
                part = rows[other][place]
                rows[other] = [value - part * same for value, same in zip(rows[other], rows[place], strict=True)]
    return [row[-1] for row in rows]


def explained(rounds: Sequence[Noted], weights: Sequence[float]) -> float:
    """The share of the variance that the model explains."""
    left = sum([(one.value - sum([w * x for w, x in zip(weights, one.seen, strict=True)])) ** 2 for one in rounds])
    mean = sum([one.value for one in rounds]) / len(rounds)
    return 1 - left / sum([(one.value - mean) ** 2 for one in rounds])


def main() -> None:
    reader = ArgumentParser(description=__doc__)
    reader.add_argument("--battles", type=int, default=100, help="battles of each scenario")
    reader.add_argument("--write", action="store_true", help="write the data file")
    given = reader.parse_args()
    halves: tuple[list[Noted], list[Noted]] = ([], [])
    for name in SCENARIOS:
        start = start_of(flagplot.load(name, seed=0))
        for number in range(given.battles):
            halves[number % 2].extend(noted(start, number))
    weights = fitted(halves[0])
    share = explained(halves[1], weights)
    lines = [f"{name} = {weight:.3f}" for name, weight in zip(NAMES, weights, strict=True)]
    head = HEAD.format(rounds=sum(map(len, halves)), battles=given.battles * len(SCENARIOS), explained=share)
    print(head + "\n".join(lines))
    if given.write:
        PLACE.write_text(head + "\n".join(lines) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
