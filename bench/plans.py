"""Whether accepted plans give the same games as single answers of the same staff, and how long plans take.

Every scenario is played twice with each seed: question by question by the doctrine player, and by confirming the sheets
that it fills in at the level at which a person decides everything. The tapes must be the same, line by line. With
`--ahead` sheets go on beyond secret decisions of the enemy, and orders ahead are given when their questions come.

At the other levels a staff stands by what its side has decided before, and so these are other games. Some games of each
scenario (`--checked`) are played at every level, and each of their tapes must be proved and lead to the same end.

Sheets are timed on the way, in milliseconds of this process, each the best of three: the longest one of each scenario,
a change of its first, middle and last decision (the slowest of them), and the slowest sheet with its length.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import flagplot
from flagplot.kernel.game import Game
from flagplot.kernel.levels import Level
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
    checked: int = 0
    """Tapes that were proved and replayed, at all levels together."""
    unsound: int = 0
    sheets: int = 0
    given: int = 0
    """Orders ahead that were given."""
    longest: Timed = field(default_factory=Timed)
    slowest: Timed = field(default_factory=Timed)


def by_answers(scenario: str, seed: int) -> list[str]:
    game = flagplot.load(scenario, seed=seed)
    game.play({side: player("doctrine", 0) for side in game.sides})
    return list(game.tape().texts)


def by_sheets(scenario: str, seed: int, found: Found, level: Level, *, ahead: bool) -> Game[Any]:
    game = flagplot.load(scenario, seed=seed)
    staffs = {side: player("doctrine", 0) for side in game.sides}
    while (request := game.pending) is not None:
        if not isinstance(request, Choose):
            game.roll()
        elif game.give_ahead():
            found.given += 1
        elif level is Level.ROUTINE:
            game.confirm(_timed(game, request.side, staffs[request.side], found, ahead=ahead))
        else:
            game.confirm(game.sheet(request.side, staff=staffs[request.side], level=level, ahead=ahead))
    return game


def is_sound(game: Game[Any]) -> bool:
    """Whether a game's tape is proved, and leads to the same end when it is played again."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        game.save(path)
        again = flagplot.resume(path, follow=False)
        proved = flagplot.verify(path)
    same = again.tape().texts == game.tape().texts and again.ending() == game.ending()
    return same and proved.sound and proved.finished and proved.proved == proved.rolls


def check(scenario: str, seed: int, found: Found, *, thorough: bool, ahead: bool) -> None:
    """Play a game both ways; a `thorough` check also plays it at the other levels, and proves all tapes."""
    game = by_sheets(scenario, seed, found, Level.ROUTINE, ahead=ahead)
    found.games += 1
    found.unlike += by_answers(scenario, seed) != list(game.tape().texts)
    if thorough:
        others = [by_sheets(scenario, seed, found, level, ahead=ahead) for level in (Level.COMMAND, Level.TACTICS)]
        found.checked += 1 + len(others)
        found.unsound += sum([not is_sound(one) for one in (game, *others)])


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
    parser.add_argument("--checked", type=int, default=5, help="how many of them are proved, at every level (5)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (1)")
    parser.add_argument("--ahead", action="store_true", help="with orders ahead")
    asked = parser.parse_args()
    everything: list[Found] = []
    print(f"{'scenario':<24}{'games':>6}{'unlike':>7}{'proved':>7}{'faulty':>7}{'sheets':>8}{'ahead':>7}", end="")
    print(f"{'longest':>9}{'ms':>7}{'change':>8}{'slowest':>9}{'fields':>7}")
    for scenario in asked.scenario:
        found = Found()
        everything.append(found)
        for place in range(asked.seeds):
            check(scenario, asked.first + place, found, thorough=place < asked.checked, ahead=asked.ahead)
        print(f"{scenario:<24}{found.games:>6}{found.unlike:>7}{found.checked:>7}{found.unsound:>7}", end="")
        print(f"{found.sheets:>8}{found.given:>7}", end="")
        print(f"{found.longest.fields:>9}{found.longest.made:>7.1f}{found.longest.changed:>8.1f}", end="")
        print(f"{found.slowest.made:>9.1f}{found.slowest.fields:>7}", flush=True)
    games, unlike = sum([one.games for one in everything]), sum([one.unlike for one in everything])
    checked, unsound = sum([one.checked for one in everything]), sum([one.unsound for one in everything])
    print(f"{games} games compared: {f'{unlike} are not the same' if unlike else 'all are the same'}.")
    print(f"{checked} tapes of all levels proved and replayed: {f'{unsound} are faulty' if unsound else 'no fault'}.")
    longest = max([one.longest for one in everything], default=Timed())
    print(f"The longest plan: {longest.fields} decisions in {longest.made:.1f} ms, a change {longest.changed:.1f} ms.")
    raise SystemExit(1 if unlike or unsound else 0)


if __name__ == "__main__":
    main()
