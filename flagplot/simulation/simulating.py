"""Simulating: many battles between players of the program, and their tally."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.options import describe
from flagplot.kernel.plugins import Picture, plugin
from flagplot.kernel.results import Result
from flagplot.kernel.toll import DAMAGED, SUNK
from flagplot.players import is_local_player, local_player, player_names
from flagplot.simulation.battles import Fought, Plan, toll_of
from flagplot.simulation.controls import Estimate, Sample
from flagplot.simulation.exact import Exact, exact
from flagplot.simulation.intervals import NINETY_FIVE, Share, Spread
from flagplot.simulation.starting import Start, starting
from flagplot.simulation.tallies import Tally
from flagplot.simulation.workers import Chunks, Played, Stop, WorkersLost, played_by_workers, played_here

if TYPE_CHECKING:
    from flagplot.simulation.cluster import Cluster

DEFAULT = "doctrine"

INTERRUPTED = "stopped before the end"
LOOK = 100
"""After each so many battles it is looked whether they are enough."""


@dataclass(slots=True, repr=False)
class Simulation(Result):
    """What came of many battles. The same seed gives the same figures, however many processes played them."""

    title: str
    game: str
    sides: dict[str, str]
    """The sides and their names."""
    plan: Plan
    wanted: int
    named: dict[str, list[str]]
    """By side: its named ships at the start."""
    start: Start
    tally: Tally = field(default_factory=Tally)
    sample: Sample = field(default_factory=Sample)
    """The same battles for averages without luck."""
    stopped: str = ""
    """Why there are fewer battles than wanted, if there are."""
    error: float | None = None
    """The standard error of the shares of the winners at which it is enough, if one was wanted."""

    exact: Exact | None = None
    """The battle over all dice, if it is small enough."""

    def add(self, fought: Fought) -> None:
        """One battle more; they are added in the order of their numbers."""
        self.tally.add(fought)
        self.sample.add(figures_of(fought, tuple(self.sides)), fought.luck)

    @property
    def battles(self) -> int:
        return self.tally.battles

    @property
    def options(self) -> dict[str, Any]:
        """The readings of the rules that are not the usual ones."""
        chosen = self.start.game.options
        named = {reading.name: getattr(chosen, reading.name) for reading in describe(type(chosen))}
        usual = {reading.name: reading.default for reading in describe(type(chosen))}
        return {name: value for name, value in named.items() if value != usual[name]}

    def won(self, side: str | None) -> Share:
        """How often a side, or nobody, has won."""
        return Share(self.tally.winners[side], self.battles)

    @property
    def winners(self) -> dict[str, Share]:
        """How often each side has won, by its name, and nobody; and battles that were broken off, if there are any."""
        won = {name: self.won(side) for side, name in self.sides.items()} | {"nobody": self.won(None)}
        off = {"unfinished": Share(self.tally.unended, self.battles)} if self.tally.unended else {}
        return won | off

    # --- how sure it is -----------------------------------------------------------------------------------------

    @property
    def without_luck(self) -> dict[str, Estimate]:
        """Averages from which the luck of the dice is taken out, see `flagplot.simulation.controls`: the share of each
        winner (``won SIDE``), figures (``FIGURE SIDE``), and by how much the first side has more of them
        (``FIGURE more``)."""
        return self.sample.estimates()

    @property
    def shares_without_luck(self) -> dict[str, Estimate]:
        """The shares of the winners by name."""
        found = self.without_luck
        names = {side: name for side, name in self.sides.items() if f"won {side}" in found}
        return {name: found[f"won {side}"] for side, name in names.items()}

    def greatest_error(self) -> float:
        """The greatest standard error of a winner's share. If somebody has won always or never, it is that by which
        Wilson's interval may still be off."""
        found, errors = self.without_luck, []
        for side in self.sides:
            low, high = self.won(side).interval
            sure = self.won(side).times in (0, self.battles)
            errors.append((high - low) / 2 / NINETY_FIVE if sure else found[f"won {side}"].error)
        return max(errors, default=0.0)

    @property
    def is_enough(self) -> bool:
        """Whether the wanted error is reached. It is looked at only now and then, always after the same battles, so
        the answer is the same however many processes play."""
        return self.error is not None and self.battles % LOOK == 0 and self.greatest_error() <= self.error

    @property
    def conditions(self) -> list[str]:
        """Who played, and by which readings that are not the usual ones."""
        players = ", ".join([f"{name}: {self.plan.players[side]}" for side, name in self.sides.items()])
        readings = ", ".join([f"{name}={str(value).lower()}" for name, value in self.options.items()])
        return [
            f"{_many(self.battles)} from seed {self.plan.seed}. {players}.",
            *[f"Options: {readings}."] * bool(readings),
        ]

    @property
    def cut_short(self) -> str:
        """A sentence that says so, if there are fewer battles than wanted."""
        return f"Fewer than {_many(self.wanted)}: {self.stopped}. This is the answer so far." if self.stopped else ""

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

    def __str__(self) -> str:
        return str(plugin("simulation_text")(self))

    def drawn(self, columns: int | None = None) -> Picture:
        """A chart of it; `columns` says how many panels stand beside each other."""
        picture: Picture = plugin("draw_simulation")(self, columns)
        return picture

    def _repr_svg_(self) -> str:
        return self.drawn().svg()

    def as_dict(self) -> dict[str, Any]:
        rounds = self.rounds
        return {
            "title": self.title,
            "game": self.game,
            "from": {"save": self.start.save, "answers": self.start.game.turn} if self.start.save else None,
            "options": self.options,
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
            "exact": self.exact and self.exact.as_dict(tuple(self.sides)),
            "without_luck": {name: found.as_dict() for name, found in self.without_luck.items()},
            "answers": self.answers.as_dict(),
            "sides": {side: {"name": name, **self._side(side)} for side, name in self.sides.items()},
        }

    def rows(self) -> list[dict[str, Any]]:
        """How often each side won and what it lost on average, each with its 95 % interval."""
        rows = [_row(name, "won", share.share, *share.interval) for name, share in self.winners.items()]
        for side, name in self.sides.items():
            for what, spread in [*self.figures(side).items(), *self.lost(side).items()]:
                half = NINETY_FIVE * spread.error
                rows.append(_row(name, what, spread.mean, spread.mean - half, spread.mean + half))
        return rows

    def _side(self, side: str) -> dict[str, Any]:
        return {
            "figures": {key: spread.as_dict() for key, spread in self.figures(side).items()},
            "lost": {kind: spread.as_dict() for kind, spread in self.lost(side).items()},
            "named": {
                name: {fate: self.fate(side, name, fate).as_dict() for fate in (SUNK, DAMAGED)}
                for name in self.named[side]
            },
        }


def _row(side: str, what: str, mean: float, low: float, high: float) -> dict[str, Any]:
    return {"side": side, "what": what, "mean": mean, "low": low, "high": high}


def _many(battles: int) -> str:
    return f"{battles:,} battle{'s' * (battles != 1)}"


def simulate(
    scenario: str | Path | Mapping[str, Any],
    battles: int,
    players: Mapping[str, str] | None = None,
    *,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    jobs: int = 1,
    cluster: Cluster | None = None,
    stop: Stop = lambda: False,
    told: Callable[[int], None] = lambda done: None,
    keep: Callable[[list[Fought]], None] | None = None,
    error: float | None = None,
) -> Simulation:
    """Play so many battles and count what comes of them.

    `scenario` may also be a save: then the battles are played on from the position that it has reached, with all that
    is hidden in it as it is. `players` names a player for each side; without a name it is the doctrine player.
    `options` are readings of the rules that stand before those of the scenario. They are played by so many processes
    as `jobs` says, or by a cluster (see `flagplot.simulation.cluster.joined`). `stop` is asked now and then whether to
    stop with what there is. `told` hears how many battles are done. `keep` gets the battles one by one, in order, a few
    at a time. With `error` it is over as soon as the standard error of each winner's share is at most that, and
    `battles` are the most that are played.
    """
    if battles < 1:
        raise BadValue("play at least one battle", given=battles, allowed=["1 or more"])
    if jobs < 1:
        raise BadValue("use at least one process", given=jobs, allowed=["1 or more"])
    simulation = prepared(starting(scenario, options), battles, players or {}, seed)
    simulation.error = error
    carry_out(simulation, jobs=jobs, cluster=cluster, stop=stop, told=told, keep=keep)
    return simulation


def carry_out(
    simulation: Simulation,
    *,
    jobs: int,
    cluster: Cluster | None,
    stop: Stop,
    told: Callable[[int], None],
    keep: Callable[[list[Fought]], None] | None,
) -> None:
    """Play the battles of a simulation that is prepared, after those that it has already."""
    order, enough = _Order(), simulation.is_enough
    try:
        with closing(_played(simulation, jobs, cluster, stop)) as chunks:
            while not enough and (played := next(chunks, None)) is not None:
                for battles in order.add(played):
                    enough = enough or _counted(simulation, battles, keep)
                told(simulation.battles)
    except WorkersLost as fault:
        simulation.stopped = str(fault)
    if enough:
        simulation.wanted = simulation.battles
        return
    for battles in order.rest:
        _counted(simulation, battles, keep)
    if simulation.battles < simulation.wanted and not simulation.stopped:
        simulation.stopped = INTERRUPTED


def _counted(simulation: Simulation, battles: list[Fought], keep: Callable[[list[Fought]], None] | None) -> bool:
    """Add battles up to the one with which it is enough, and say whether it is."""
    enough, added = False, 0
    for fought in battles:
        simulation.add(fought)
        added += 1
        if enough := simulation.is_enough:
            break
    if keep is not None:
        keep(battles[:added])
    return enough


def _played(simulation: Simulation, jobs: int, cluster: Cluster | None, stop: Stop) -> Generator[Played, None, None]:
    """The chunks, in the order in which they are done."""
    plan, chunks = simulation.plan, Chunks(simulation.wanted, simulation.battles)
    jobs = min(jobs, len(chunks))
    if cluster is not None:
        yield from cluster.played(plan, chunks, stop)
    elif jobs > 1:
        yield from played_by_workers([plan], chunks, jobs, stop)
    elif jobs:
        yield from played_here([plan], chunks, stop)


class _Order:
    """Puts battles in the order of their numbers, in whatever order their chunks are done."""

    def __init__(self) -> None:
        self._next = 0
        self._early: dict[int, list[Fought]] = {}

    def add(self, played: Played) -> Iterator[list[Fought]]:
        """The battles whose turn it is now."""
        self._early[played.place] = played.battles
        while self._next in self._early:
            yield self._early.pop(self._next)
            self._next += 1

    @property
    def rest(self) -> list[list[Fought]]:
        """What is left when chunks before it were never done."""
        return [battles for _, battles in sorted(self._early.items())]


def figures_of(fought: Fought, sides: tuple[str, ...]) -> dict[str, float]:
    """The figures of a battle of which averages without luck are told; in a game without figures what was lost."""
    told = {f"won {side}": float(fought.over and fought.winner == side) for side in sides}
    lost = {side: sum(toll.lost.values()) for side, toll in fought.toll.items()}
    for figure, by_side in (fought.figures or {"lost": lost}).items():
        told |= {f"{figure} {side}": float(number) for side, number in by_side.items()}
        if len(sides) == 2:
            told[f"{figure} more"] = float(by_side[sides[0]] - by_side[sides[1]])
    return told


def prepared(
    scenario: str | Path | Mapping[str, Any] | Start, battles: int, players: Mapping[str, str], seed: int
) -> Simulation:
    """A simulation before its first battle: everything that was given is checked."""
    start = scenario if isinstance(scenario, Start) else starting(scenario)
    game = start.game
    for side in players:
        if side not in game.sides:
            raise UnknownName("no such side", given=side, allowed=list(game.sides))
    who = {side: players.get(side, DEFAULT) for side in game.sides}
    for name in who.values():
        if not is_local_player(name):
            raise UnknownName("no such computer player", given=name, allowed=player_names())
        local_player(name, 0)  # its settings may be wrong
    names = game.view(game.sides[0]).names
    plan = Plan(dict(game.scenario), who, seed, start.options, start.answers)
    return Simulation(
        title=str(game.scenario.get("title", game.ruleset.title)),
        game=game.ruleset.name,
        sides={side: names.get(side, side) for side in game.sides},
        plan=plan,
        exact=exact(plan, game),
        wanted=battles,
        named={side: list(toll.named) for side, toll in toll_of(game).items()},
        start=start,
    )
