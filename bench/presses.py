"""How many presses a player needs who accepts the plans of his staff, compared with the questions of the rules.

Every scenario is played with both sides confirming their sheets as the staff has filled them in. For each side: the
questions that the rules asked, the sheets, and at each level the sheets that leave this player something to decide; all
others pass without a press. Results need none either: they are shown with the next sheet.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from statistics import mean

import flagplot
from flagplot.kernel.levels import Level
from flagplot.kernel.requests import Choose
from flagplot.players import player

NAMES = {Level.COMMAND: "flag", Level.TACTICS: "captain", Level.ROUTINE: "everything"}


@dataclass
class Counted:
    """What one side was asked in one game."""

    questions: int = 0
    sheets: int = 0
    presses: int = 0


def play(scenario: str, seed: int, level: Level) -> dict[str, Counted]:
    """One game of accepted sheets at a level."""
    game = flagplot.load(scenario, seed=seed)
    staffs = {side: player("doctrine", 0) for side in game.sides}
    counted = {side: Counted() for side in game.sides}
    while (request := game.pending) is not None:
        if not isinstance(request, Choose):
            game.roll()
            continue
        side = request.side
        sheet = game.sheet(side, staff=staffs[side], level=level)
        counted[side].questions += len(sheet)
        counted[side].sheets += 1
        counted[side].presses += bool(sheet.open_to())
        game.confirm(sheet)
    return counted


def main() -> None:
    parser = argparse.ArgumentParser(prog="./bench/run presses", description=__doc__)
    parser.add_argument("scenario", nargs="*", default=flagplot.scenario_names(), help="some scenarios (all)")
    parser.add_argument("--games", type=int, default=3, help="games of each, with other dice (3)")
    parser.add_argument("--seed", type=int, default=1, help="the first seed (1)")
    asked = parser.parse_args()
    print(f"{'scenario':<24}{'side':<12}{'questions':>10}{'sheets':>8}" + "".join(f"{NAMES[one]:>12}" for one in Level))
    shares: dict[Level, list[float]] = {level: [] for level in Level}
    for scenario in asked.scenario:
        seeds = range(asked.seed, asked.seed + asked.games)
        games = {level: [play(scenario, seed, level) for seed in seeds] for level in Level}
        asked_in_all = sum([one.questions for game in games[Level.ROUTINE] for one in game.values()])
        for level in Level:
            pressed = sum([one.presses for game in games[level] for one in game.values()])
            shares[level] += [pressed / asked_in_all] if asked_in_all else []
        for side in games[Level.ROUTINE][0]:
            told = [game[side] for game in games[Level.ROUTINE]]
            questions, sheets = mean([one.questions for one in told]), mean([one.sheets for one in told])
            presses = {level: mean([game[side].presses for game in games[level]]) for level in Level}
            cells = "".join(f"{presses[level]:>12.1f}" for level in Level)
            print(f"{scenario:<24}{side:<12}{questions:>10.1f}{sheets:>8.1f}{cells}", flush=True)
    print("\nPresses for each question of the rules, on average over scenarios:")
    print("  ".join(f"{NAMES[level]} {mean(shares[level]):.0%}" for level in Level if shares[level]))


if __name__ == "__main__":
    main()
