"""Sequential halving: all options get a few playouts, then the better half as many again, until two are left.

What the doctrine would do stays to the end, as the measure of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, log2

from flagplot.players.search.judging import Worth

Found = dict[str, list[Worth]]


def halving(
    options: Sequence[str], doctrine: str, playouts: int, play: Callable[[str, int], Worth], in_time: Callable[[], bool]
) -> Found:
    """What came of each option, trial by trial. Options that were dropped have fewer trials; all have the same ones."""
    found: Found = {option: [] for option in options}
    left = [doctrine, *[option for option in options if option != doctrine]]
    stages = max(1, ceil(log2(len(left))))
    for _ in range(stages):
        more = max(1, playouts // (stages * len(left)))
        if not _trials(left, found, more, play, in_time):
            break
        if len(left) > 2:
            others = sorted(left[1:], key=lambda option: -_mean(found[option]))
            left = [doctrine, *others[: max(1, len(left) // 2)]]
    return found


def _trials(
    options: Sequence[str], found: Found, more: int, play: Callable[[str, int], Worth], in_time: Callable[[], bool]
) -> bool:
    """Each option in some more trials; False if the time was up. A trial that has begun is finished for all."""
    begun = len(found[options[0]])
    for trial in range(begun, begun + more):
        if trial and not in_time():
            return False
        for option in options:
            found[option].append(play(option, trial))
    return True


def _mean(found: Sequence[Worth]) -> float:
    return sum([one.value for one in found]) / max(1, len(found))
