"""Whether accepted plans give the same games as single answers of the same staff, and how long plans take.

Every scenario is played twice with each seed: question by question by the doctrine player, and by confirming the sheets
that it fills in at the level at which a person decides everything. The tapes must be the same, line by line. With
`--ahead` sheets go on beyond secret decisions of the enemy, and orders ahead are given when their questions come.

Sheets are timed on the way, in milliseconds of this process, each the best of three: the longest one of each scenario,
a change of its first, middle and last decision (the slowest of them), and the slowest sheet with its length.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import flagplot
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.kernel.sheets import Field, Sheet
from flagplot.players import player


class Timed(NamedTuple):
    """A sheet: its fields, and the milliseconds that it and a change of it took."""

    fields: int = 0
    made: float = 0.0
    changed: float = 0.0


@dataclass(slots=True)
class Found:
    """What was seen of the sheets of a scenario."""

    games: int = 0
    unlike: int = 0
    sheets: int = 0
    given: int = 0
    """Orders ahead that were given."""
    longest: Timed = field(default_factory=Timed)
    slowest: Timed = field(default_factory=Timed)


def by_answers(scenario: str, seed: int) -> list[str]:
    game = flagplot.load(scenario, seed=seed)
    game.play({side: player("doctrine", 0) for side in game.sides})
    return list(game.tape().texts)


def by_sheets(scenario: str, seed: int, found: Found, *, ahead: bool) -> list[str]:
    game = flagplot.load(scenario, seed=seed)
    staffs = {side: player("doctrine", 0) for side in game.sides}
    while (request := game.pending) is not None:
        if not isinstance(request, Choose):
            game.roll()
        elif game.give_ahead():
            found.given += 1
        else:
            game.confirm(_timed(game, request.side, staffs[request.side], found, ahead=ahead))
    return list(game.tape().texts)


def _timed(game: Game[Any], side: str, staff: Any, found: Found, *, ahead: bool) -> Sheet:
    def make() -> Sheet:
        return game.sheet(side, staff=staff, ahead=ahead)

    began = time.process_time()
    sheet = make()
    spent = (time.process_time() - began) * 1000
    found.sheets += 1
    if len(sheet) > found.longest.fields:
        found.longest = Timed(len(sheet), _best(make), max([_changed(sheet, one) for one in _some(sheet)], default=0.0))
    if spent > found.slowest.made and (again := min(spent, _best(make))) > found.slowest.made:
        found.slowest = Timed(len(sheet), again)
    return sheet


def _some(sheet: Sheet) -> list[Field]:
    """The first decision of a sheet that leaves a choice, the middle one and the last."""
    able = [one for one in sheet if len(one.offers) > 1]
    return [able[place] for place in sorted({0, len(able) // 2, len(able) - 1})] if able else []


def _changed(sheet: Sheet, one: Field) -> float:
    """How long another value in a field takes."""
    other = next(offer.text for offer in one.offers if offer.text != one.chosen)
    return _best(lambda: sheet.set(one.key, other))


def _best(deed: Callable[[], object]) -> float:
    taken = []
    for _ in range(3):
        began = time.process_time()
        deed()
        taken.append((time.process_time() - began) * 1000)
    return min(taken)


def main() -> None:
    parser = argparse.ArgumentParser(prog="./bench/run plans", description=__doc__)
    parser.add_argument("scenario", nargs="*", default=flagplot.scenario_names(), help="some scenarios (all)")
    parser.add_argument("--seeds", type=int, default=50, help="games of each, with other dice (50)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (1)")
    parser.add_argument("--ahead", action="store_true", help="with orders ahead")
    asked = parser.parse_args()
    everything: dict[str, Found] = {}
    print(f"{'scenario':<24}{'games':>6}{'unlike':>7}{'sheets':>8}{'ahead':>7}", end="")
    print(f"{'longest':>9}{'ms':>7}{'change':>8}{'slowest':>9}{'fields':>7}")
    for scenario in asked.scenario:
        found = everything[scenario] = Found()
        for seed in range(asked.first, asked.first + asked.seeds):
            found.unlike += by_answers(scenario, seed) != by_sheets(scenario, seed, found, ahead=asked.ahead)
            found.games += 1
        print(f"{scenario:<24}{found.games:>6}{found.unlike:>7}{found.sheets:>8}{found.given:>7}", end="")
        print(f"{found.longest.fields:>9}{found.longest.made:>7.1f}{found.longest.changed:>8.1f}", end="")
        print(f"{found.slowest.made:>9.1f}{found.slowest.fields:>7}", flush=True)
    games, unlike = sum([one.games for one in everything.values()]), sum([one.unlike for one in everything.values()])
    print(f"{games} games compared: {'all are the same' if not unlike else f'{unlike} are not the same'}.")
    raise SystemExit(1 if unlike else 0)


if __name__ == "__main__":
    main()
