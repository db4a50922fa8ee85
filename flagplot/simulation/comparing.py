"""Comparing: the same battles twice, with something changed, and with the same dice (common random numbers).

Battles are played in pairs. Both of a pair have the same dice wherever the same side rolls for the same rule, and their
players the same seed. So what differs is what the change brings about. Most of the luck of the dice is in both and
falls out; what is left of it is taken out by regression, as in every simulation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from copy import deepcopy
from pathlib import Path
from typing import Any

from flagplot.kernel.errors import BadValue
from flagplot.kernel.toll import SUNK
from flagplot.simulation import simulating
from flagplot.simulation.battles import Fought, figures_of
from flagplot.simulation.comparison import Comparison
from flagplot.simulation.regression import Sample
from flagplot.simulation.simulating import INTERRUPTED, Run, in_order, played
from flagplot.simulation.simulation import Simulation, prepared
from flagplot.simulation.starting import Start, starting
from flagplot.simulation.workers import Stop, WorkersLost, chunks_of

Source = str | Path | Mapping[str, Any]


def compare(
    first: Source,
    second: Source | None = None,
    battles: int = 1000,
    *,
    players: Mapping[str, str] | None = None,
    second_players: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
    second_options: Mapping[str, Any] | None = None,
    seed: int = 0,
    jobs: int = 1,
    stop: Stop = lambda: False,
    told: Callable[[int], None] = lambda done: None,
    error: float | None = None,
) -> Comparison:
    """Play a number of battles of both, pair by pair with the same dice, and work out the difference.

    `second` may be another scenario or save with the same sides, or None: then it is the first one again, with other
    players or house rules. `second_players` and `second_options` name only what is different in the second. With
    `error` it stops as soon as the standard error of the difference of each winner's share is at most that.
    """
    pairs = Pairs(*_both(first, second, battles, players, second_players, options, second_options, seed), error=error)
    for done in pairs.carry_out(jobs, stop):
        told(done)
    return pairs.found


def comparing(
    first: Source,
    second: Source | None = None,
    battles: int = 1000,
    *,
    players: Mapping[str, str] | None = None,
    second_players: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
    second_options: Mapping[str, Any] | None = None,
    seed: int = 0,
    jobs: int = 1,
    stop: Stop = lambda: False,
    error: float | None = None,
) -> Iterator[Comparison]:
    """The same, with the answer so far after every few pairs; the last one is what `compare` would give."""
    pairs = Pairs(*_both(first, second, battles, players, second_players, options, second_options, seed), error=error)
    for _ in pairs.carry_out(jobs, stop):
        yield pairs.found
    yield pairs.found


def _both(
    first: Source,
    second: Source | None,
    battles: int,
    players: Mapping[str, str] | None,
    second_players: Mapping[str, str] | None,
    options: Mapping[str, Any] | None,
    second_options: Mapping[str, Any] | None,
    seed: int,
) -> tuple[Simulation, Simulation]:
    """Both simulations before their first battle."""
    other = first if second is None else second
    return both(
        starting(first, options),
        starting(other, {**(options or {}), **(second_options or {})}),
        battles,
        players or {},
        {**(players or {}), **(second_players or {})},
        seed,
    )


def both(
    first: Start,
    second: Start,
    battles: int,
    players: Mapping[str, str],
    second_players: Mapping[str, str],
    seed: int,
) -> tuple[Simulation, Simulation]:
    """Two simulations that can be compared, before their first battle."""
    one = prepared(first, battles, players, seed, paired=True)
    other = prepared(second, battles, second_players, seed, paired=True)
    if (one.game, set(one.sides)) != (other.game, set(other.sides)):
        raise BadValue(
            f"“{one.title}” and “{other.title}” have different sides, so they cannot be compared",
            given=", ".join(other.sides),
            allowed=[", ".join(one.sides)],
        )
    return one, other


class Pairs:
    """A comparison under way."""

    def __init__(self, first: Simulation, second: Simulation, *, error: float | None = None) -> None:
        self._runs = Run(first), Run(second)
        self._sides = tuple(first.sides)
        self._ships = {side: [name for name in first.named[side] if name in second.named[side]] for side in first.sides}
        self._sample = Sample()
        self._error = error

    @property
    def found(self) -> Comparison:
        """The answer so far."""
        first, second = self._runs
        return Comparison(first.found, second.found, deepcopy(self._sample))

    def carry_out(self, jobs: int = 1, stop: Stop = lambda: False) -> Iterator[int]:
        """Play the pairs, and say after every few how many are done. Half of the processes play each of both."""
        first, second = self._runs
        chunks = chunks_of(first.wanted, 0, first.plan, second.plan)
        often = len(chunks[0].numbers)
        shares = (1, 1) if jobs == 1 else ((jobs + 1) // 2, jobs // 2)
        try:
            with (
                closing(played(first.plan, chunks, shares[0], None, stop)) as ours,
                closing(played(second.plan, chunks, shares[1], None, stop)) as theirs,
            ):
                for one, other in zip(in_order(ours), in_order(theirs), strict=False):
                    self.add(one, other)
                    if self._is_enough():
                        first.wanted = second.wanted = self._sample.battles
                        break
                    if self._sample.battles % often == 0:
                        yield self._sample.battles
        except WorkersLost as fault:
            first.stopped = second.stopped = str(fault)
        if self._sample.battles < first.wanted and not first.stopped:
            first.stopped = second.stopped = INTERRUPTED

    def _is_enough(self) -> bool:
        """Whether the wanted error is reached, looked at now and then."""
        if self._error is None or self._sample.battles % simulating.LOOK:
            return False
        return self.found.greatest_error() <= self._error

    def add(self, first: Fought, second: Fought) -> None:
        """One pair more; they are added in the order of their numbers."""
        for run, fought in zip(self._runs, (first, second), strict=True):
            run.add(fought)
        self._sample.add_change(self._figures(first), first.luck, self._figures(second), second.luck)

    def _figures(self, fought: Fought) -> dict[str, float]:
        fates = {
            f"sunk {side} {name}": float(fought.toll[side].named.get(name) == SUNK)
            for side, names in self._ships.items()
            for name in names
        }
        return figures_of(fought, self._sides) | fates
