"""How much noise goes out of simulations with the luck of the dice, and whether their intervals hold.

Doctrine players fight each scenario many times. The ratio of variances says how many times as many battles you would
need with luck left in, for the difference of both sides' losses and for the winner. Counting luck takes time too: in
the same processor time the difference gains a little less. `--repeat N` draws N samples of
`--battles` each and counts how often their 95 % intervals contain the exact average, where the battle is small enough
to have one, or else the average of all samples.
"""

from __future__ import annotations

import argparse
from math import isfinite
from statistics import median
from time import process_time

import flagplot
from flagplot.kernel.dice import Seeded
from flagplot.kernel.playout import playout
from flagplot.players import player
from flagplot.simulation import simulate
from flagplot.simulation.controls import Watched
from flagplot.simulation.intervals import NINETY_FIVE
from flagplot.simulation.regression import Estimate

NAVAL = ("factors_sunk", "lost")
"""What a result may call what was lost."""


def difference(found: dict[str, Estimate]) -> Estimate | None:
    """The difference of factors lost, or of whatever the result counts first."""
    more = {name.removesuffix(" more"): one for name, one in found.items() if name.endswith(" more")}
    return next((more[name] for name in NAVAL if name in more), next(iter(more.values()), None))


def shown(one: Estimate | None) -> str:
    return f"{one.ratio:.2f}" if one is not None and one.error else "-"


def slower(scenario: str, battles: int = 200) -> float:
    """How many times as long a battle takes if its luck is counted: both kinds in turn, from the same seeds."""
    opening = flagplot.load(scenario, seed=0)
    opening.copy()
    spent = {True: 0.0, False: 0.0}
    for number in range(-battles // 2, battles):  # the first ones fill caches
        for counted in spent:
            players = {side: player("doctrine", place) for place, side in enumerate(opening.sides)}
            start, dice = process_time(), Seeded(number)
            playout(opening, players, Watched(dice, players) if counted else dice)
            spent[counted] += (process_time() - start) * (number >= 0)
    return spent[True] / spent[False]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--battles", type=int, default=1000, help="battles of each scenario, or of each sample (1000)")
    parser.add_argument("--repeat", type=int, default=0, help="samples for the intervals (none)")
    parser.add_argument("--seed", type=int, default=1, help="of the battles (1)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("scenarios", nargs="*", default=flagplot.scenario_names())
    wanted = parser.parse_args()
    ratios, per_second = [], []
    print(f"{'scenario':<22} {'battles':>8} {'difference of losses':>21} {'in the same time':>17} {'winner':>8}")
    for name in wanted.scenarios:
        if wanted.repeat:
            covered(name, wanted.battles, wanted.repeat, wanted.jobs)
            continue
        found = simulate(name, wanted.battles, seed=wanted.seed, jobs=wanted.jobs)
        lost = difference(found.without_luck)
        won = next((one for one in found.shares_without_luck.values() if one.error), None)
        gained = lost.ratio / slower(name) if lost is not None and lost.error else 0.0
        timed = f"{gained:.2f}" if gained else "-"
        print(f"{name:<22} {found.battles:>8,} {shown(lost):>21} {timed:>17} {shown(won):>8}", flush=True)
        if lost is not None and lost.error and isfinite(lost.ratio):
            ratios.append(lost.ratio)
            per_second.append(gained)
    if ratios:
        print(f"median of {len(ratios)} scenarios: {median(ratios):.2f}, in the same time {median(per_second):.2f}")


def covered(scenario: str, battles: int, repeat: int, jobs: int) -> None:
    """How often the intervals of samples hold the average of all."""
    opening = simulate(scenario, 1, seed=0)
    found = [difference(simulate(scenario, battles, seed=seed, jobs=jobs).without_luck) for seed in range(repeat)]
    samples = [one for one in found if one is not None]
    truth = sum([one.mean for one in samples]) / len(samples)
    if opening.exact is not None:
        first, second = opening.sides
        figures = opening.exact.figures
        truth = float(figures["factors_sunk", first] - figures["factors_sunk", second])
    held = sum([abs(one.mean - truth) <= NINETY_FIVE * one.error for one in samples])
    share = 100 * held / len(samples)
    print(f"{scenario:<22} {repeat} samples of {battles}: {share:.1f} % of the intervals hold {truth:.3f}")


if __name__ == "__main__":
    main()
