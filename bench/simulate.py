"""Simulated battles a second with one process and with two, their ratio, and where the time goes."""

from __future__ import annotations

import argparse
import time

from bench.battle import shares
from flagplot.simulation import simulate


def rate(scenario: str, battles: int, jobs: int) -> tuple[float, str]:
    """Battles a second, the start of the workers included, and the figures, which must not hang on the processes."""
    start = time.perf_counter()
    found = simulate(scenario, battles, seed=1, jobs=jobs)
    return battles / (time.perf_counter() - start), str(found.as_dict())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--battles", type=int, default=400, help="for one turn of a measurement (400)")
    parser.add_argument("--times", type=int, default=3, help="turns; both take turns, the best of each counts (3)")
    parser.add_argument("--jobs", type=int, default=2, help="processes that are compared with one (2)")
    parser.add_argument("scenario", nargs="?", default="midway")
    wanted = parser.parse_args()
    alone = together = 0.0
    figures = set()
    for _ in range(wanted.times):
        one, told = rate(wanted.scenario, wanted.battles, 1)
        many, told_by_many = rate(wanted.scenario, wanted.battles, wanted.jobs)
        alone, together = max(alone, one), max(together, many)
        figures |= {told, told_by_many}
    print(f"{wanted.scenario}, doctrine players on both sides, {wanted.battles:,} battles a turn:")
    print(f"  one process     {alone:>10,.1f} battles a second")
    print(f"  {wanted.jobs} processes     {together:>10,.1f} battles a second, {together / alone:.2f} x one")
    print(f"  the figures are {'the same' if len(figures) == 1 else 'NOT the same'}")
    print("where the time goes in one process:")
    for name, share, words in shares(wanted.scenario, 2.0):
        print(f"  {name:<12} {share:>6.1%}   {words}")


if __name__ == "__main__":
    main()
