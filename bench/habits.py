"""Whether a player who knows the doctrine's old habits still gains by it, and the doctrine against its old self.

The old doctrine never varied: guns were always group 1, carriers group 5, patrols full, and cargo never sailed with
carriers. Who let cargo sail with carriers had the better of it. The first table shows that exploit against the old
doctrine, the second against the doctrine as it is: there the interval of the share must contain a half. The third is
the doctrine against the old one, scenario by scenario. Both keep a fleet of guns alone in its order: there only where
the order begins is drawn.
"""

from __future__ import annotations

import argparse
import os
import sys

from flagplot.cli.simulation.arena import tell
from flagplot.library import scenario_names
from flagplot.simulation.arena import arena

HABITS = "mix=no,last_strike=0,toothless_below=0"
OLD = f"doctrine:{HABITS},carrier_escort=0"
KNOWING = f"doctrine:{HABITS},carrier_escort=1"
"""The old doctrine but for one habit: its cargo always sails with carriers."""
NEW = "doctrine"
WITH_CARGO = ("first-battle", "coral-sea")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="*", default=scenario_names(), help="for the third table (all)")
    parser.add_argument("--games", type=int, default=200, help="of the exploit in all scenarios with cargo (200)")
    parser.add_argument("--each", type=int, default=40, help="of the doctrine against the old one; 0: none (40)")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    wanted = parser.parse_args()
    seed = int.from_bytes(os.urandom(4)) if wanted.seed is None else wanted.seed
    games = wanted.games // len(WITH_CARGO) // 2 * 2
    tell(arena([KNOWING, OLD], WITH_CARGO, games, seed=seed, jobs=wanted.jobs))
    found = arena([KNOWING, NEW], WITH_CARGO, games, seed=seed, jobs=wanted.jobs)
    tell(found)
    record = found.record(KNOWING)
    gains = record.low > 0.5
    print(f"who knows the old habits {'GAINS by it' if gains else 'gains nothing significant'}: {record.share:.3f}")
    if wanted.each:
        tell(arena([NEW, OLD], wanted.scenarios, wanted.each, seed=seed, jobs=wanted.jobs))
    sys.exit(gains)


if __name__ == "__main__":
    main()
