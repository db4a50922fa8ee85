"""How much noise goes out of simulations with the luck of the dice, and whether their intervals hold.

Doctrine players fight each scenario many times. The ratio of variances says how many times as many battles you would
need with luck left in, for the difference of both sides' losses and for the winner. `--repeat N` draws N samples of
`--battles` each and counts how often their 95 % intervals contain the exact average, where the battle is small enough
to have one, or else the average of all samples.
"""

from __future__ import annotations

import argparse
from math import isfinite
from statistics import median

import flagplot
from flagplot.simulation import simulate
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


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--battles", type=int, default=1000, help="battles of each scenario, or of each sample (1000)")
    parser.add_argument("--repeat", type=int, default=0, help="samples for the intervals (none)")
    parser.add_argument("--seed", type=int, default=1, help="of the battles (1)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("scenarios", nargs="*", default=flagplot.scenario_names())
    wanted = parser.parse_args()
    ratios = []
    print(f"{'scenario':<22} {'battles':>8} {'difference of losses':>21} {'winner':>8}")
    for name in wanted.scenarios:
        if wanted.repeat:
            covered(name, wanted.battles, wanted.repeat, wanted.jobs)
            continue
        found = simulate(name, wanted.battles, seed=wanted.seed, jobs=wanted.jobs)
        lost = difference(found.without_luck)
        won = next((one for one in found.shares_without_luck.values() if one.error), None)
        print(f"{name:<22} {found.battles:>8,} {shown(lost):>21} {shown(won):>8}", flush=True)
        if lost is not None and lost.error and isfinite(lost.ratio):
            ratios.append(lost.ratio)
    if ratios:
        print(f"median of {len(ratios)} scenarios: {median(ratios):.2f}")


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
