"""Plays paired games at the web table and compares all that a reader gets: `./bench/run leaks --games 3 --seed 1`.

Two servers of the table, each with a store of its own, hold games that differ only in what a side may not know. They
are driven in step. Whatever the side, the host, a spectator or a stranger can get is compared byte by byte: pages, the
interface for programs, refusals, streams, headers and sizes, odds, downloads, webhooks and mails. Exit code 1 means a
leak.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import tempfile
import time
from collections.abc import Iterator

from tests.table.databases import REMEDY, cluster
from tests.table.paired.channels import NORMALISED
from tests.table.paired.crawling import KINDS, crawl, opened, thoroughly
from tests.table.paired.pairs import Report, Site

SHORT = 6
"""Games of *Line of Battle* are short: this number of them counts as one."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="./bench/run leaks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=2, metavar="N", help="games of each scenario (2)")
    parser.add_argument("--pairs", type=int, default=12, metavar="N", help="pairs of states of each game (12)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="the first game's number (1)")
    parser.add_argument("--store", choices=("sqlite", "postgresql"), default="sqlite", help="where tables are kept")
    parser.add_argument("scenarios", nargs="*", help="scenarios (some of every kind of play)")
    asked = parser.parse_args()
    began, all_of_it = time.monotonic(), Report()
    kinds = {"": tuple(asked.scenarios)} if asked.scenarios else KINDS
    with stores(asked.store) as addresses, opened(addresses) as site:
        for kind, scenarios in kinds.items():
            for scenario in scenarios:
                number = asked.games * (SHORT if kind == "Line of Battle" else 1)
                report = asyncio.run(games(site, scenario, asked.seed, number, asked.pairs))
                print(f"{scenario:<20} {kind:<15} {figures(report)}", flush=True)
                for leak in report.leaks:
                    print(f"\nLEAK: {leak}\n", flush=True)
                all_of_it.add(report)
    return conclusion(all_of_it, asked.store, time.monotonic() - began)


@contextlib.contextmanager
def stores(kind: str) -> Iterator[tuple[str, str]]:
    """Two empty stores."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory(prefix="flagplot-leaks-") as folder:
            yield f"sqlite:///{folder}/a.sqlite", f"sqlite:///{folder}/b.sqlite"
        return
    with cluster() as server:
        if server is None:
            raise SystemExit(f"There is no PostgreSQL here: {REMEDY}.")
        yield server.database(), server.database()


async def games(site: Site, scenario: str, seed: int, number: int, pairs: int) -> Report:
    report = Report()
    for game in range(seed, seed + number):
        report.add(await crawl(site, scenario, game, pairs, closely=lambda _: thoroughly, dear=range(0, pairs, 4)))
    return report


def figures(report: Report) -> str:
    return (
        f"{report.pairs:>3} pairs, {report.moments:>4} moments, {report.responses:>6} responses, "
        f"{report.events:>5} events, {report.calls:>3} calls, {len(report.leaks)} leaks"
    )


def conclusion(report: Report, store: str, seconds: float) -> int:
    """All figures."""
    print(f"\n{store}, the same in both worlds: {figures(report)}; {seconds:.0f} seconds")
    print(f"{report.differed:,} pairs still differed at their end; {report.secret:,} answers were given in secret")
    print(f"{report.ahead:,} plans had orders ahead")
    print(f"pairs ended because: {', '.join(f'{why} ({number})' for why, number in report.ended.most_common())}")
    print(f"{len(report.channels)} channels:")
    for channel, number in sorted(report.channels.items()):
        print(f"  {number:>6}  {channel}")
    print("not compared as it comes:", *[f"  {rule.pattern.pattern!r}: {rule.why}" for rule in NORMALISED], sep="\n")
    print(f"\nleaks found: {len(report.leaks)}")
    return 1 if report.leaks else 0


if __name__ == "__main__":
    raise SystemExit(main())
