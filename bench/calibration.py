"""Whether beliefs are honest: what a side thinks 30 % likely about the enemy should be so in 30 % of the games.

Doctrine players fight battles. In each, one question of one side is picked by chance. From what that side knows states
are drawn, and of every enemy combat group that it has not seen it is counted in how many of them the group has
carriers, battleships, cargo, or a number of squadrons on patrol. The table compares these chances with the truth; below
it stands the average square of what each was off (0 is perfect, 0.25 is a coin): sharper beliefs make it smaller.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import flagplot
from flagplot.awaw.state.battle import Group
from flagplot.kernel.replaying import stand_of
from flagplot.kernel.requests import Choose
from flagplot.kernel.situations import situation_of
from flagplot.players import player
from flagplot.simulation.intervals import Share

SCENARIOS = ("first-battle", "coral-sea", "santa-cruz", "midway", "philippine-sea")
DRAWS = 40
LONGEST = 150
"""Answers within which the question is picked."""
BINS = 5


class Guess(NamedTuple):
    """How likely a side thought something, and whether it was so."""

    what: str
    chance: float
    true: bool


FACTS: dict[str, Callable[[Group], bool]] = {
    "carriers": lambda group: any([which.fast_carrier for which in group.ships]),
    "cargo": lambda group: any([which.laden for which in group.ships]),
    "battleships": lambda group: any([which.named and not which.fast_carrier for which in group.ships]),
}


def guesses(scenario: str, seed: int, draws: int = DRAWS) -> list[Guess]:
    """What a side thought at a question of one game; nothing if everything was seen."""
    chance = Random(f"{scenario}/{seed}")
    game, stop = flagplot.load(scenario, seed=seed), chance.randrange(4, LONGEST)
    players = {side: player("doctrine", 2 * seed + place) for place, side in enumerate(game.sides)}
    game.play(players, until=lambda now: now.turn >= stop and isinstance(now.pending, Choose))
    request = game.pending
    if not isinstance(request, Choose):
        return []
    situation = situation_of(game, request.side)
    if situation is None:
        return []
    drawn = [situation.beliefs.draw(Random(f"{seed}/{number}")) for number in range(draws)]
    return list(_compared(stand_of(game).state, drawn, request.side))  # they are drawn for this border


def _compared(state: Any, drawn: list[Any], side: str) -> Iterator[Guess]:
    for number, group in _groups(state, side).items():
        believed = [found[number] for one in drawn if number in (found := _groups(one, side))]
        if group.revealed or not believed:
            continue
        for what, holds in FACTS.items():
            yield Guess(what, sum([holds(one) for one in believed]) / len(believed), holds(group))
        flown = [sum(one.patrol.values()) for one in believed]
        if len(set(flown)) > 1:
            true = sum(group.patrol.values())
            yield from [Guess("patrol", flown.count(n) / len(flown), n == true) for n in set(flown) | {true}]


def _groups(state: Any, side: str) -> dict[int, Group]:
    """The enemy's combat groups by number."""
    return {group.number: group for group in state.battle.groups.values() if group.side != side and group.number}


def tell(found: list[Guess], draws: int) -> bool:
    """Print the table; whether no row is far off."""
    rows: dict[tuple[str, int], list[Guess]] = defaultdict(list)
    for one in found:
        rows[one.what, min(BINS - 1, int(one.chance * BINS))].append(one)
    print(f"{'what':<12} {'thought':>8} {'true':>8}  95 % interval     guesses")
    honest = True
    for (what, _), some in sorted(rows.items()):
        thought = sum([one.chance for one in some]) / len(some)
        share = Share(sum([one.true for one in some]), len(some))
        low, high = share.interval
        off = not low - 1 / draws <= thought <= high + 1 / draws
        honest = honest and not off
        print(f"{what:<12} {thought:8.1%} {share.share:8.1%}  {low:6.1%} to {high:6.1%} {share.of:9,}{'  off' * off}")
    for what in sorted({one.what for one in found}):
        squares = [(one.chance - one.true) ** 2 for one in found if one.what == what]
        print(f"{what:<12} {sum(squares) / len(squares):8.4f} off on average, squared")
    never = [one for one in found if one.true and not one.chance]
    print(f"true but never drawn: {len(never)} of {sum([one.true for one in found])}")
    return honest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="*", default=list(SCENARIOS))
    parser.add_argument("--games", type=int, default=1000, help="of all scenarios together (1000)")
    parser.add_argument("--draws", type=int, default=DRAWS, help=f"states drawn at each question ({DRAWS})")
    parser.add_argument("--seed", type=int, default=0, help="of the first game of each scenario (0)")
    wanted = parser.parse_args()
    each = max(1, wanted.games // len(wanted.scenarios))
    seeds = range(wanted.seed, wanted.seed + each)
    found = [guess for name in wanted.scenarios for seed in seeds for guess in guesses(name, seed, wanted.draws)]
    print(f"{each * len(wanted.scenarios):,} games of {', '.join(wanted.scenarios)}; {len(found):,} guesses")
    sys.exit(not tell(found, wanted.draws))


if __name__ == "__main__":
    main()
