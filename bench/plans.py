"""Whether accepted plans give the same games as single answers of the same staff, and how long plans take.

Every scenario is played twice with each seed: question by question by the doctrine player, and by confirming the sheets
that it fills in at the level at which a person decides everything. The tapes must be the same, line by line. Sheets are
timed on the way: the longest of each scenario, and a change in its middle.
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

import flagplot
from flagplot.kernel.requests import Choose
from flagplot.kernel.sheets import Sheet
from flagplot.players import player


class Played(NamedTuple):
    """A game of accepted sheets."""

    texts: list[str]
    longest: int
    """Fields of its longest sheet."""
    made: float
    """Milliseconds that it took."""
    changed: float
    """Milliseconds for the same sheet with another value in its middle, if one is offered."""


def by_answers(scenario: str, seed: int) -> list[str]:
    game = flagplot.load(scenario, seed=seed)
    game.play({side: player("doctrine", 0) for side in game.sides})
    return list(game.tape().texts)


def by_sheets(scenario: str, seed: int) -> Played:
    game = flagplot.load(scenario, seed=seed)
    staffs = {side: player("doctrine", 0) for side in game.sides}
    longest, made, changed = 0, 0.0, 0.0
    while (request := game.pending) is not None:
        if not isinstance(request, Choose):
            game.roll()
            continue
        began = time.perf_counter()
        sheet = game.sheet(request.side, staff=staffs[request.side])
        spent = (time.perf_counter() - began) * 1000
        if len(sheet) > longest:
            longest, made, changed = len(sheet), spent, _changed(sheet)
        game.confirm(sheet)
    return Played(list(game.tape().texts), longest, made, changed)


def _changed(sheet: Sheet) -> float:
    """How long another value in the middle of a sheet takes."""
    open_fields = [one for one in sheet if len(one.offers) > 1]
    if not open_fields:
        return 0.0
    one = open_fields[len(open_fields) // 2]
    other = next(offer.text for offer in one.offers if offer.text != one.chosen)
    began = time.perf_counter()
    sheet.set(one.key, other)
    return (time.perf_counter() - began) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(prog="./bench/run plans", description=__doc__)
    parser.add_argument("scenario", nargs="*", default=flagplot.scenario_names(), help="some scenarios (all)")
    parser.add_argument("--seeds", type=int, default=50, help="games of each, with other dice (50)")
    asked = parser.parse_args()
    unlike = 0
    print(f"{'scenario':<24}{'games':>6}{'unlike':>8}{'longest sheet':>15}{'ms':>8}{'a change, ms':>14}")
    for scenario in asked.scenario:
        played = [(by_answers(scenario, seed), by_sheets(scenario, seed)) for seed in range(1, asked.seeds + 1)]
        wrong = sum([texts != sheets.texts for texts, sheets in played])
        most = max([sheets for _, sheets in played], key=lambda sheets: sheets.longest)
        unlike += wrong
        print(
            f"{scenario:<24}{len(played):>6}{wrong:>8}{most.longest:>15}{most.made:>8.1f}{most.changed:>14.1f}",
            flush=True,
        )
    print("All games are the same." if not unlike else f"{unlike} games are not the same.")
    raise SystemExit(1 if unlike else 0)


if __name__ == "__main__":
    main()
