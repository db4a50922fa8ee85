"""What players give away in small battles that are solved exactly: guns, a patrol, an engagement, three against two.

Each battle in `bench/small` is spelled out by the rules' own scripts and solved on what each side knows (CFR+).
*regret* is what a player gives away in a game against a perfect enemy: at each of its choices, how much its answer is
worse than the best one. *exploited* is what an enemy gains who knows the player's mixes by heart; for that every
question of the battle is put to the player, so it is measured only for players who answer at once. Both are shares of
the range between the best and the worst ending.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from pathlib import Path

import flagplot
from flagplot.players import needs_no_past, player
from flagplot.players.solving.regret import Solved

SMALL = Path(__file__).parent / "small"
WANTED = 0.02


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("battles", nargs="*", default=sorted([path.stem for path in SMALL.glob("*.toml")]))
    parser.add_argument("--players", nargs="+", default=["captain", "commodore"])
    parser.add_argument("--games", type=int, default=100, help="on each side (100)")
    parser.add_argument("--seeds", type=int, default=100, help="how often a secret choice is asked for its mix (100)")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    worst: dict[str, float] = {}
    print(f"{'battle':<16} {'side':<10} {'player':<12} {'regret':>16}  {'exploited':>9}")
    for name in wanted.battles:
        begun = time.monotonic()
        solved = Solved(flagplot.load(SMALL / f"{name}.toml", seed=0))
        taken = time.monotonic() - begun
        print(f"{name}: {solved.value:+.4f} for {solved.sides[0]}, range {solved.range:.2f}; {taken:.0f} s", flush=True)
        for one in wanted.players:
            for side in (0, 1):
                found = solved.regret(partial(player, one), side, wanted.games, wanted.seed)
                at_once = needs_no_past(one)
                against = (
                    f"{solved.exploited(partial(player, one), side, wanted.seeds):9.2%}" if at_once else "        -"
                )
                error = 1.96 * found.error
                print(
                    f"{name:<16} {solved.sides[side]:<10} {one:<12} {found.mean:7.2%} ± {error:6.2%}  {against}",
                    flush=True,
                )
                worst[one] = max(worst.get(one, 0.0), found.mean)
    for one, share in worst.items():
        print(f"{one}: at most {share:.2%}, wanted below {WANTED:.0%}: {'yes' if share < WANTED else 'NO'}")
    sys.exit(any([share >= WANTED for share in worst.values()]))


if __name__ == "__main__":
    main()
