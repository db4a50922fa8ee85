"""Many pairs of many games, and what they came to."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import inf
from random import Random
from time import monotonic

from tests.table.paired.channels import unclassified
from tests.table.paired.pairs import Depth, Leak, Pair, Report, Site, Start, starts
from tests.table.paired.worlds import paired_play

KINDS = {
    "battle": ("surigao-strait", "first-battle", "coral-sea"),
    "operation": ("coral-sea-operation", "rendezvous"),
    "air turn": ("malta-turn", "solomons-turn"),
    "Line of Battle": ("savo-island", "force-z"),
}
"""Scenarios of every kind of play."""
LONGEST = 12
"""Moments of a pair at most."""
ANSWERS = 200
"""Answers of a game from whose borders pairs begin."""


@contextlib.contextmanager
def opened(addresses: tuple[str, str]) -> Iterator[Site]:
    """Two worlds on two stores. Every route of the server is known to the crawler, or it does not begin."""
    with paired_play():
        site = Site.open(addresses)
        try:
            unknown = unclassified(site.routes)
            if unknown:
                raise AssertionError(f"say in tests/table/paired/channels.py how these are asked: {', '.join(unknown)}")
            yield site
        finally:
            site.close()


async def crawl(
    site: Site,
    scenario: str,
    seed: int,
    pairs: int,
    *,
    closely: Callable[[int], Depth],
    dear: Sequence[int] = (),
    longest: int = LONGEST,
    plans: bool = True,
    only: str = "",
    until: float = inf,
) -> Report:
    """Play pairs from borders of one game of a scenario, spread over the whole of it. `closely` says for each pair how
    closely its moments are looked at, `dear` for which of them odds are asked for, `only` how the paths end that are
    asked for. No pair begins after the monotonic time `until`."""
    report = Report()
    found = _starts(scenario, seed)
    chance = Random(f"borders {scenario} {seed}")
    for number, start in enumerate(sorted(chance.sample(range(len(found)), min(pairs, len(found))))):
        if monotonic() >= until:
            break
        chosen = Random(f"{scenario} {seed} {number}").randrange(10**6)
        pair = Pair(site, found[start], chosen, report, dear=number in dear, still=not number, plans=plans, only=only)
        try:
            await pair.play(longest, closely(number))
        except Leak as leak:
            report.leaks.append(f"{scenario}, game {seed}, pair {number}: {leak}")
    return report


@lru_cache(maxsize=8)
def _starts(scenario: str, seed: int) -> list[Start]:
    return list(starts(scenario, seed, ANSWERS))


def often(_: int) -> str:
    """The pages and interfaces that players use all the time."""
    return "often"


def thoroughly(moment: int) -> str:
    """Everything at first and now and then, otherwise what is used all the time."""
    return "often" if moment % 4 else "all"
