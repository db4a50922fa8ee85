"""Plays paired games at the web table and compares all that a reader gets: `./bench/run leaks --moments 30 --seed 1`.

Two servers of the table, each with a store of its own, hold games that differ only in what a side may not know. They
are driven in step. Whatever the side, the host, a spectator or a stranger can get is compared byte by byte: pages, the
interface for programs, refusals, streams, headers and sizes, odds, downloads, webhooks and mails. At some moments all
of that is asked for, five hundred requests; at the others what players use all the time. Most pairs last for two or
three moments, so a run that asks for everything at the beginning of each sees few. Exit code 1 means a leak, or too few
moments of a kind of play.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, cycle

from tests.table.databases import REMEDY, cluster
from tests.table.paired.channels import NORMALISED
from tests.table.paired.crawling import KINDS, crawl, often, opened, thoroughly
from tests.table.paired.pairs import Depth, Report, Site

STORES = ("sqlite", "postgresql")
PAIRS = 6
"""Pairs of each game; at the first everything is asked for, odds too."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="./bench/run leaks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--moments", type=int, default=30, metavar="N", help="moments of each kind of play on each database (30)"
    )
    parser.add_argument(
        "--minutes", type=float, default=6.0, metavar="N", help="for each database at most; too few moments fail (6)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="the first game's number (1)")
    parser.add_argument("--store", choices=(*STORES, "both"), default="both", help="where tables are kept (both)")
    parser.add_argument("scenarios", nargs="*", help="scenarios (some of every kind of play)")
    asked = parser.parse_args()
    kinds = {"chosen": tuple(asked.scenarios)} if asked.scenarios else KINDS
    wanted = STORES if asked.store == "both" else (asked.store,)
    found = {store: crawled(store, kinds, asked.moments, asked.minutes, asked.seed) for store in wanted}
    return conclusion(found, asked.moments)


def crawled(
    store: str, kinds: Mapping[str, Sequence[str]], moments: int, minutes: float, seed: int
) -> dict[str, Report]:
    """What was compared of each kind of play. Each has its share of the time that is left."""
    until, found = time.monotonic() + 60 * minutes, dict[str, Report]()
    with stores(store) as addresses, opened(addresses) as site:
        for place, (kind, scenarios) in enumerate(kinds.items()):
            now = time.monotonic()
            share = max(0.0, until - now) / (len(kinds) - place)
            found[kind] = asyncio.run(enough(site, scenarios, seed, moments, now + share))
            print(f"{store:<10} {kind:<15} {figures(found[kind])}, {time.monotonic() - now:.0f} seconds", flush=True)
            for leak in found[kind].leaks:
                print(f"\nLEAK: {leak}\n", flush=True)
    return found


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


async def enough(site: Site, scenarios: Sequence[str], seed: int, moments: int, until: float) -> Report:
    """Play games of the scenarios in turn until there are enough moments, or the time is up."""
    report = Report()
    for scenario, number in zip(cycle(scenarios), count(), strict=False):
        game = seed + number // len(scenarios)
        report.add(await crawl(site, scenario, game, PAIRS, closely=closely, dear=(0,), until=until))
        if report.moments >= moments or time.monotonic() >= until:
            break
    return report


def closely(pair: int) -> Depth:
    """Everything in the first pair of a game, what is used all the time in the others."""
    return often if pair else thoroughly


def figures(report: Report) -> str:
    return (
        f"{report.moments:>4} moments ({report.everything} with everything), {report.pairs:>3} pairs, "
        f"{report.responses:>6} responses, {report.events:>5} events, {report.calls:>3} calls, "
        f"{len(report.leaks)} leaks"
    )


def conclusion(found: Mapping[str, Mapping[str, Report]], moments: int) -> int:
    """All figures, and whether they are good."""
    whole = Report()
    for kinds in found.values():
        for report in kinds.values():
            whole.add(report)
    print(f"\nthe same in both worlds: {figures(whole)}")
    print(f"{whole.differed:,} pairs still differed at their end; {whole.secret:,} answers were given in secret")
    print(f"{whole.ahead:,} plans had orders ahead, which were given at {whole.given:,} moments")
    print(f"pairs ended because: {', '.join(f'{why} ({number})' for why, number in whole.ended.most_common())}")
    print(f"{len(whole.channels)} channels:")
    for channel, number in sorted(whole.channels.items()):
        print(f"  {number:>6}  {channel}")
    print("not compared as it comes:", *[f"  {rule.pattern.pattern!r}: {rule.why}" for rule in NORMALISED], sep="\n")
    print("\nmoments of each kind of play:")
    for store, kinds in found.items():
        print(f"  {store:<10} " + ", ".join([f"{kind} {report.moments}" for kind, report in kinds.items()]))
    few = [
        f"{kind} on {store}: {report.moments} of {moments}"
        for store, kinds in found.items()
        for kind, report in kinds.items()
        if report.moments < moments
    ]
    if few:
        print(f"FAILED, too few moments in the time: {'; '.join(few)}")
    print(f"leaks found: {len(whole.leaks)}")
    return 1 if whole.leaks or few else 0


if __name__ == "__main__":
    raise SystemExit(main())
