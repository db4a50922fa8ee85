"""Simulating: many battles between players of the program, here, in several processes or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flagplot.kernel.errors import BadValue
from flagplot.simulation.battles import Fought, Plan, figures_of
from flagplot.simulation.regression import Batch, Sample
from flagplot.simulation.simulation import Simulation, prepared
from flagplot.simulation.starting import starting
from flagplot.simulation.tallies import Tally
from flagplot.simulation.workers import Chunks, Played, Stop, WorkersLost, chunks_of, played_by_workers, played_here

if TYPE_CHECKING:
    from flagplot.simulation.cluster import Cluster

Keep = Callable[[list[Fought]], None]

INTERRUPTED = "stopped before the end"
LOOK = 100
"""After each so many battles it is looked whether they are enough."""


class Run:
    """A simulation under way."""

    def __init__(self, simulation: Simulation) -> None:
        self._begun = simulation
        self._tally, self._sample = Tally(), Sample()
        self.wanted, self.stopped = simulation.wanted, ""

    def add(self, fought: Fought, batch: Batch | None = None) -> None:
        """One battle more; they are added in the order of their numbers. With the last of a batch come its sums, if
        whoever played it has made them."""
        self._tally.add(fought)
        self._sample.add(figures_of(fought, tuple(self._begun.sides)), fought.luck, batch)

    @property
    def plan(self) -> Plan:
        return self._begun.plan

    @property
    def battles(self) -> int:
        return self._tally.battles

    @property
    def found(self) -> Simulation:
        """The answer so far."""
        tally, sample = deepcopy((self._tally, self._sample))
        return replace(self._begun, tally=tally, sample=sample, wanted=self.wanted, stopped=self.stopped)

    @property
    def is_enough(self) -> bool:
        """Whether the wanted error is reached. It is looked at only now and then, always after the same battles, so
        the answer is the same however many processes play."""
        error = self._begun.error
        return error is not None and self.battles % LOOK == 0 and self.found.greatest_error() <= error


def simulate(
    scenario: str | Path | Mapping[str, Any],
    battles: int = 1000,
    players: Mapping[str, str] | None = None,
    *,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    jobs: int = 1,
    cluster: Cluster | None = None,
    stop: Stop = lambda: False,
    told: Callable[[int], None] = lambda done: None,
    keep: Keep | None = None,
    error: float | None = None,
    seconds: float | None = None,
) -> Simulation:
    """Play a number of battles and count what comes of them.

    `scenario` may also be a save: then the battles are played on from the position that it has reached, with all that
    is hidden in it as it is. `players` names a player for each side; without a name it is the doctrine player.
    `options` are readings of the rules that stand before those of the scenario. They are played by as many processes
    as `jobs` says, or by a cluster (see `flagplot.simulation.cluster.joined`). `stop` is asked now and then whether to
    stop with what there is. `told` hears how many battles are done. `keep` gets the battles one by one, in order, a few
    at a time. With `error` it stops as soon as the standard error of each winner's share is at most that, and
    `battles` are the most that are played. With `seconds` all dice are followed for up to that long before, between
    players who always answer alike: the answer's `exact`.
    """
    run = Run(prepared(starting(scenario, options), battles, players or {}, seed, error=error, seconds=seconds))
    for done in carry_out(run, jobs=jobs, cluster=cluster, stop=stop, keep=keep):
        told(done)
    return run.found


def running(
    scenario: str | Path | Mapping[str, Any],
    battles: int,
    players: Mapping[str, str] | None = None,
    *,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    jobs: int = 1,
    stop: Stop = lambda: False,
    error: float | None = None,
) -> Iterator[Simulation]:
    """The same, with the answer so far after every few battles; the last one is what `simulate` would give."""
    run = Run(prepared(starting(scenario, options), battles, players or {}, seed, error=error))
    for _ in carry_out(run, jobs=jobs, stop=stop):
        yield run.found
    yield run.found


def carry_out(
    run: Run,
    *,
    jobs: int,
    cluster: Cluster | None = None,
    stop: Stop = lambda: False,
    keep: Keep | None = None,
) -> Iterator[int]:
    """Play the battles of a run, after those that it has already, and say after every few how many are done."""
    order, enough = _Order(), run.is_enough
    try:
        left = chunks_of(run.wanted, run.battles, run.plan)
        with closing(played(run.plan, left, jobs, cluster, stop)) as chunks:
            while not enough and (done := next(chunks, None)) is not None:
                for chunk in order.add(done):
                    enough = enough or _counted(run, chunk, keep)
                yield run.battles
    except WorkersLost as fault:
        run.stopped = str(fault)
    if enough:
        run.wanted = run.battles
        return
    for chunk in order.rest:
        _counted(run, chunk, keep)
    if run.battles < run.wanted and not run.stopped:
        run.stopped = INTERRUPTED


def _counted(run: Run, chunk: Played, keep: Keep | None) -> bool:
    """Add battles up to the one with which it is enough, and say whether it is."""
    enough, added, last = False, 0, len(chunk.battles)
    for fought in chunk.battles:
        added += 1
        run.add(fought, chunk.batch if added == last else None)
        if enough := run.is_enough:
            break
    if keep is not None:
        keep(chunk.battles[:added])
    return enough


def played(plan: Plan, chunks: Chunks, jobs: int, cluster: Cluster | None, stop: Stop) -> Generator[Played, None, None]:
    """The chunks, in the order in which they are done."""
    if jobs < 1:
        raise BadValue("use at least one process", given=jobs, allowed=["1 or more"])
    jobs = min(jobs, len(chunks))
    if cluster is not None:
        yield from cluster.played(plan, chunks, stop)
    elif jobs > 1:
        yield from played_by_workers([plan], chunks, jobs, stop)
    elif jobs:
        yield from played_here([plan], chunks, stop)


def in_order(chunks: Iterator[Played]) -> Iterator[Fought]:
    """Battles one by one in the order of their numbers, as far as none is missing."""
    order = _Order()
    for done in chunks:
        for chunk in order.add(done):
            yield from chunk.battles


class _Order:
    """Puts chunks in the order of their battles, in whatever order they are done."""

    def __init__(self) -> None:
        self._next = 0
        self._early: dict[int, Played] = {}

    def add(self, played: Played) -> Iterator[Played]:
        """The chunks whose turn it is now."""
        self._early[played.place] = played
        while self._next in self._early:
            yield self._early.pop(self._next)
            self._next += 1

    @property
    def rest(self) -> list[Played]:
        """What is left when chunks before it were never done."""
        return [chunk for _, chunk in sorted(self._early.items())]
