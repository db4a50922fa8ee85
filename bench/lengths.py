"""How long the battles take, from counted games: writes `minutes` into the briefing of each scenario.

Both sides accept the plans of their staff, and are asked what a captain is asked. A player reads his briefing, confirms
his plans and watches all rolls; the seconds below say how long that takes him. They are a guess at a reader's pace, so
pages say “about”.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from statistics import mean

import flagplot
from flagplot.kernel.levels import Level
from flagplot.kernel.requests import Choose
from flagplot.players import player

FOLDER = Path(flagplot.__file__).parent / "scenarios"
BRIEFING, A_PLAN, A_ROLL = 60, 20, 3
"""Seconds: for the briefing, for a plan that is read, changed and confirmed, for dice and what comes of them."""


def play(scenario: str, seed: int) -> tuple[float, int]:
    """A game of accepted plans: those that one side had to look at, and all rolls."""
    game = flagplot.load(scenario, seed=seed)
    staff = player("doctrine", 0)
    plans = rolls = 0
    while (request := game.pending) is not None:
        if not isinstance(request, Choose):
            game.roll()
            rolls += 1
            continue
        sheet = game.sheet(request.side, staff=staff, level=Level.TACTICS)
        plans += bool(sheet.open_to())
        game.confirm(sheet)
    return plans / len(game.sides), rolls


def minutes(plans: float, rolls: float) -> int:
    """To the next 5 minutes; above an hour to the next 15."""
    whole = (BRIEFING + A_PLAN * plans + A_ROLL * rolls) / 60
    step = 5 if whole <= 60 else 15
    return max(step, round(whole / step) * step)


def main() -> None:
    parser = argparse.ArgumentParser(prog="./bench/run lengths", description=__doc__)
    parser.add_argument("scenario", nargs="*", default=flagplot.scenario_names(), help="some scenarios (all)")
    parser.add_argument("--games", type=int, default=3, help="games of each, with other dice (3)")
    parser.add_argument("--write", action="store_true", help="write the minutes into the scenario files")
    asked = parser.parse_args()
    for scenario in asked.scenario:
        games = [play(scenario, seed) for seed in range(1, asked.games + 1)]
        plans, rolls = (mean(column) for column in zip(*games, strict=True))
        print(f"{scenario:<24}{plans:>8.1f} plans{rolls:>8.1f} rolls{minutes(plans, rolls):>6} minutes", flush=True)
        if asked.write:
            path = FOLDER / f"{scenario}.toml"
            text = re.sub(r"(?m)^minutes = \d+\n", "", path.read_text(encoding="utf8"))
            line = f"minutes = {minutes(plans, rolls)}\n"
            path.write_text(re.sub(r"(?m)^(difficulty = \d\n)", rf"\g<1>{line}", text), encoding="utf8")


if __name__ == "__main__":
    main()
