"""How strong the opponent is: against a captain and against random play, scenario by scenario.

Three kinds of tables: the first player against the second in each scenario; the first against a random player that
never withdraws; and each level against a captain. Each says what is wanted and whether it is reached.
Who is ahead is counted after the bid that makes a scenario even, and by the rules without it. Games are mirrored and
seeded; with `--results` a later run goes on where this one was stopped.
"""

from __future__ import annotations

import argparse
import os
import sys
from itertools import pairwise

from flagplot.cli.simulation.arena import tell
from flagplot.players import is_player
from flagplot.simulation.arena import Arena, arena

SCENARIOS = (
    "first-battle",
    "coral-sea",
    "santa-cruz",
    "midway",
    "philippine-sea",
    "cape-matapan",
    "kursk",
    "rabaul",
    "savo-island",
    "ceylon-raid",
)
CAPTAIN = "captain"
LEVELS = ("ensign", CAPTAIN, "commodore", "admiral")
OVERALL, EACH, RANDOM = 0.70, 0.50, 0.97
"""The shares of decided games that are wanted: of all scenarios, of each, and against random play."""


def verdict(words: str, share: float, wanted: float) -> str:
    return f"{words}: {100 * share:.1f} %, wanted {100 * wanted:.0f} %: {'yes' if share >= wanted else 'NO'}"


def pairs(found: Arena, player: str) -> str:
    """How often a player did better with both sides: where one side nearly always wins, shares say little."""
    low, high = found.record(player).pairs_interval
    return f"better with both sides: {100 * found.record(player).pairs:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def by_the_rules(found: Arena, player: str) -> str:
    """The share without bids: who won or, with no winner, lost less. Where one side nearly always wins it stays at a
    half whoever plays."""
    record = found.without_bids.record(player)
    return f"without bids: {100 * record.share:.1f} % ({100 * record.low:.1f} to {100 * record.high:.1f})"


def judged(found: Arena) -> None:
    """Whether the first player is ahead as often as wanted, after bids."""
    one, other = found.players
    print(verdict("over all scenarios, after bids", found.record(one).share, OVERALL))
    print(by_the_rules(found, one))
    print(pairs(found, one))
    shares = {place: found.record(one, other, place).share for place in found.scenarios}
    behind = [place for place, share in shares.items() if share <= EACH]
    print(f"above {100 * EACH:.0f} % in {len(shares) - len(behind)} of {len(shares)} scenarios", *behind)


def judged_levels(levels: dict[str, tuple[float, float, float]]) -> None:
    """Whether the levels, weakest first, are ordered by strength, with intervals that do not overlap."""
    print("against a captain, after bids:")
    for level, (share, low, high) in levels.items():
        print(f"  {level:<24} {100 * share:5.1f} % ({100 * low:.1f} to {100 * high:.1f})")
    for weaker, stronger in pairwise(levels):
        apart = levels[stronger][1] > levels[weaker][2]
        print(f"{stronger} is stronger than {weaker}: {'yes' if apart else 'not shown'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="*", default=list(SCENARIOS))
    parser.add_argument("--games", type=int, default=100, help="of each two players in each scenario (100)")
    parser.add_argument("--players", nargs=2, default=["admiral", CAPTAIN], metavar="A B")
    parser.add_argument("--levels", nargs="*", default=list(LEVELS), help="weakest first; none: leave it out")
    parser.add_argument("--random", type=int, default=None, help="games against random play; 0: none; default: --games")
    parser.add_argument("--seed", type=int, default=None, help="default: that of the file of results, or a new one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--results", default=None, metavar="FILE.jsonl")
    wanted = parser.parse_args()
    seed = int.from_bytes(os.urandom(4)) if wanted.seed is None and wanted.results is None else wanted.seed
    unknown = [name for name in (*wanted.players, *wanted.levels) if not is_player(name)]
    if unknown:
        sys.exit(f"there is no player {unknown[0]}")

    def meet(players: list[str], games: int) -> Arena:
        found = arena(players, wanted.scenarios, games, seed=seed, bids=True, jobs=wanted.jobs, results=wanted.results)
        tell(found)
        return found

    judged(meet(wanted.players, wanted.games))
    against_random = wanted.games if wanted.random is None else wanted.random
    if against_random:
        found = meet([wanted.players[0], "random:stay"], against_random)
        print(verdict("against random play, after bids", found.record(wanted.players[0]).share, RANDOM))
        print(by_the_rules(found, wanted.players[0]))
        print(pairs(found, wanted.players[0]))
    levels = {CAPTAIN: (0.5, 0.5, 0.5)}
    for level in wanted.levels:
        if level != CAPTAIN:
            record = meet([level, CAPTAIN], wanted.games).record(level)
            levels[level] = record.share, record.low, record.high
    if wanted.levels:
        judged_levels({level: levels[level] for level in wanted.levels})


if __name__ == "__main__":
    main()
