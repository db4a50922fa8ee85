"""Sequential halving: all options get a few playouts, then the better half as many again, until two are left.

What the doctrine would do stays to the end, as the measure of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, log2

from flagplot.players.search.judging import Worth
from flagplot.players.search.weighing import Mean

Found = dict[str, list[Worth]]
ENOUGH = 5
"""Trials in which options must have come to the same before they are taken to be the same."""
SETTLED = 12
"""Trials after which it is asked whether more of them could still change the answer, and again after as many. Before
an option is taken to be surely better there must be twice as many: it may be one that cannot be taken back."""
NEGLIGIBLE = 0.01
"""A value that is not worth more playouts."""
WORSE, BETTER, SURELY = 3.0, 4.0, 2.0
"""Standard errors by which an option is surely worse than the doctrine's, or surely better; and those within which a
negligible difference must lie."""
FIRST = 1.0
"""Standard errors by which an option may be behind the doctrine's after the first few trials to get more of them; after
that it may not be behind at all."""


def halving(
    options: Sequence[str], doctrine: str, playouts: int, play: Callable[[str, int], Worth], in_time: Callable[[], bool]
) -> Found:
    """What came of each option, trial by trial. Options that were dropped have fewer trials; all have the same ones."""
    found: Found = {option: [] for option in options}
    left = [doctrine, *[option for option in options if option != doctrine]]
    stages = max(1, ceil(log2(len(left))))
    for stage in range(stages):
        more = max(1, playouts // (stages * len(left)))
        if not _trials(left, found, more, play, in_time):
            break
        others = sorted(_hopeful(left, found, FIRST if not stage else 0.0), key=lambda option: -_mean(found[option]))
        if not others:
            break
        left = [doctrine, *(others[: max(1, len(left) // 2)] if len(left) > 2 else others)]
    return found


def _hopeful(options: Sequence[str], found: Found, errors: float) -> list[str]:
    """Those that are not behind the doctrine's, the first of them, by more than so many standard errors. Most soon are:
    without this the greater part of all playouts goes into what is not taken in the end."""
    reference = found[options[0]]
    return [one for one in options[1:] if (gain := _gain(found[one], reference)).mean >= -errors * gain.error]


def _gain(found: Sequence[Worth], reference: Sequence[Worth]) -> Mean:
    return Mean.of([a.value - b.value for a, b in zip(found, reference, strict=True)])


def _trials(
    options: Sequence[str], found: Found, more: int, play: Callable[[str, int], Worth], in_time: Callable[[], bool]
) -> bool:
    """Each option in some more trials; False if there is no more to find: the time is up, the same comes of all
    options, or it is clear which is better. A trial that has begun is finished for all."""
    begun = len(found[options[0]])
    for trial in range(begun, begun + more):
        if trial and not in_time():
            return False
        if trial == ENOUGH and _makes_no_difference(options, found):
            return False
        if trial and trial % SETTLED == 0 and _is_settled(options, found):
            return False
        for option in options:
            found[option].append(play(option, trial))
    return True


def _makes_no_difference(options: Sequence[str], found: Found) -> bool:
    """Whether the same has come of all options in every trial so far."""
    return all([found[option] == found[options[0]] for option in options])


def _is_settled(options: Sequence[str], found: Found) -> bool:
    """Whether no option can gain anything over the doctrine's, the first of them; or the only other one surely does."""
    reference = found[options[0]]
    gains = [_gain(found[one], reference) for one in options[1:]]
    if len(gains) == 1 and len(reference) > SETTLED and gains[0].mean > BETTER * gains[0].error:
        return True
    return all([mean < -WORSE * error or abs(mean) + SURELY * error < NEGLIGIBLE for mean, error in gains])


def _mean(found: Sequence[Worth]) -> float:
    return sum([one.value for one in found]) / max(1, len(found))
