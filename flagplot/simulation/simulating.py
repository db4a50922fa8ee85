"""Simulating: many battles between players of the program, and their tally."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flagplot import library
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.toll import DAMAGED, SUNK
from flagplot.players import PLAYERS, player
from flagplot.simulation.battles import Fought, Plan, opening_of, toll_of
from flagplot.simulation.intervals import Share, Spread
from flagplot.simulation.tallies import Tally
from flagplot.simulation.workers import Chunks, Played, Stop, WorkersLost, played_by_workers, played_here

DEFAULT = "doctrine"

INTERRUPTED = "stopped before the end"


@dataclass(slots=True)
class Simulation:
    """What came of many battles. The same seed gives the same figures, however many processes played them."""

    title: str
    game: str
    sides: dict[str, str]
    """The sides and their names."""
    plan: Plan
    wanted: int
    named: dict[str, list[str]]
    """By side: its named ships at the start."""
    tally: Tally = field(default_factory=Tally)
    stopped: str = ""
    """Why there are fewer battles than wanted, if there are."""

    @property
    def battles(self) -> int:
        return self.tally.battles

    def won(self, side: str | None) -> Share:
        """How often a side, or nobody, has won."""
        return Share(self.tally.winners[side], self.battles)

    @property
    def endings(self) -> dict[str, Share]:
        """How the battles ended, the most frequent first."""
        ordered = sorted(self.tally.endings.items(), key=lambda entry: (-entry[1], entry[0]))
        return {ending: Share(count, self.battles) for ending, count in ordered}

    def fate(self, side: str, name: str, fate: str) -> Share:
        """How often a named ship came to this."""
        return Share(self.tally.fates[side, name, fate], self.battles)

    def lost(self, side: str) -> dict[str, Spread]:
        """What a side lost, by kind of unit."""
        return self._spreads(self.tally.lost, side)

    def figures(self, side: str) -> dict[str, Spread]:
        """What the results of the battles count for a side."""
        return self._spreads(self.tally.figures, side)

    def _spreads(self, counted: Mapping[tuple[str, str], Mapping[int, int]], side: str) -> dict[str, Spread]:
        return {key: Spread(counts, self.battles) for (one, key), counts in sorted(counted.items()) if one == side}

    @property
    def rounds(self) -> Spread | None:
        """How many rounds the battles lasted, if the game counts them."""
        return Spread(self.tally.rounds) if self.tally.rounds else None

    @property
    def answers(self) -> Spread:
        return Spread(self.tally.answers)

    def as_dict(self) -> dict[str, Any]:
        rounds = self.rounds
        return {
            "title": self.title,
            "game": self.game,
            "players": dict(self.plan.players),
            "seed": self.plan.seed,
            "wanted": self.wanted,
            "battles": self.battles,
            "complete": self.battles == self.wanted,
            "stopped": self.stopped or None,
            "not_over": self.tally.unended,
            "winners": {side: self.won(side).as_dict() for side in self.sides} | {"nobody": self.won(None).as_dict()},
            "endings": {ending: share.as_dict() for ending, share in self.endings.items()},
            "rounds": rounds and rounds.as_dict(),
            "answers": self.answers.as_dict(),
            "sides": {side: {"name": name, **self._side(side)} for side, name in self.sides.items()},
        }

    def _side(self, side: str) -> dict[str, Any]:
        return {
            "figures": {key: spread.as_dict() for key, spread in self.figures(side).items()},
            "lost": {kind: spread.as_dict() for kind, spread in self.lost(side).items()},
            "named": {
                name: {fate: self.fate(side, name, fate).as_dict() for fate in (SUNK, DAMAGED)}
                for name in self.named[side]
            },
        }


def simulate(
    scenario: str | Path | Mapping[str, Any],
    battles: int,
    players: Mapping[str, str] | None = None,
    *,
    seed: int = 0,
    jobs: int = 1,
    stop: Stop = lambda: False,
    told: Callable[[int], None] = lambda done: None,
    keep: Callable[[list[Fought]], None] | None = None,
) -> Simulation:
    """Play so many battles and count what comes of them.

    `players` names a player for each side; without a name it is the doctrine player. `stop` is asked now and then
    whether to stop with what there is. `told` hears how many battles are done. `keep` gets the battles one by one, in
    order, a few at a time.
    """
    if battles < 1:
        raise BadValue("at least one battle is to be played", given=battles, allowed=["1 or more"])
    if jobs < 1:
        raise BadValue("at least one process is to play", given=jobs, allowed=["1 or more"])
    simulation = prepared(scenario, battles, players or {}, seed)
    chunks = Chunks(battles)
    jobs = min(jobs, len(chunks))
    each = keep is not None
    order = _Order(keep or (lambda some: None))
    try:
        done: Iterator[Played] = (
            played_here(simulation.plan, chunks, stop, each=each)
            if jobs == 1
            else played_by_workers(simulation.plan, chunks, jobs, stop, each=each)
        )
        for played in done:
            simulation.tally.merge(played.tally)
            order.add(played)
            told(simulation.battles)
    except WorkersLost as fault:
        simulation.stopped = str(fault)
    order.finish()
    if simulation.battles < battles and not simulation.stopped:
        simulation.stopped = INTERRUPTED
    return simulation


class _Order:
    """Hands on battles in the order of their numbers, in whatever order their chunks are done."""

    def __init__(self, keep: Callable[[list[Fought]], None]) -> None:
        self._keep = keep
        self._next = 0
        self._early: dict[int, list[Fought]] = {}

    def add(self, played: Played) -> None:
        self._early[played.place] = played.battles
        while self._next in self._early:
            self._keep(self._early.pop(self._next))
            self._next += 1

    def finish(self) -> None:
        """What is left when chunks before it were never done."""
        for _, battles in sorted(self._early.items()):
            self._keep(battles)


def prepared(
    scenario: str | Path | Mapping[str, Any], battles: int, players: Mapping[str, str], seed: int
) -> Simulation:
    """A simulation before its first battle: everything that was given is checked."""
    data = library.read_scenario(scenario)
    game = library.load(scenario, seed=0)
    for side in players:
        if side not in game.sides:
            raise UnknownName("there is no such side", given=side, allowed=list(game.sides))
    who = {side: players.get(side, DEFAULT) for side in game.sides}
    for name in who.values():
        if name.partition(":")[0] not in PLAYERS:
            raise UnknownName("no such player can be simulated", given=name, allowed=list(PLAYERS))
        player(name, 0)  # its settings may be wrong
    plan = Plan(data, who, seed)
    game = opening_of(plan)
    names = game.view(game.sides[0]).data.get("sides", {})
    return Simulation(
        title=str(data.get("title", game.ruleset.title)),
        game=game.ruleset.name,
        sides={side: str(names.get(side, side)) for side in game.sides},
        plan=plan,
        wanted=battles,
        named={side: list(toll.named) for side, toll in toll_of(game).items()},
    )
