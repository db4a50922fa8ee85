"""An arena: its games, and who was better."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from flagplot.kernel.errors import BadValue
from flagplot.kernel.plugins import Picture, plugin
from flagplot.kernel.results import Result
from flagplot.simulation.arena.games import GameFile, GamePlayed, game_played, games_in, lines_of, seed_in
from flagplot.simulation.arena.schedule import Fixture, Schedule, Source, scheduled
from flagplot.simulation.arena.standings import Couple, Rating, Record, ratings, record
from flagplot.simulation.workers import Stop, WorkersLost, played_by_workers, played_here


@dataclass(frozen=True, slots=True, repr=False)
class Arena(Result):
    """What came of the games of an arena. The same seed gives the same games, however many processes played them."""

    schedule: Schedule
    games: tuple[GamePlayed, ...]
    """In the order of the schedule."""
    stopped: str = ""
    """Why there are fewer games than wanted, if there are."""

    @property
    def players(self) -> tuple[str, ...]:
        return self.schedule.players

    @property
    def scenarios(self) -> tuple[str, ...]:
        return tuple([ground.name for ground in self.schedule.grounds])

    @property
    def wanted(self) -> int:
        return len(self.schedule.fixtures())

    @property
    def ratings(self) -> dict[str, Rating]:
        """The rating of each player over all scenarios."""
        return ratings(self.players, _couples(self.games))

    def record(self, player: str, against: str | None = None, scenario: str | None = None) -> Record:
        """How a player did: against all others or one of them, in all scenarios or one of them."""
        chosen = [
            game
            for game in self.games
            if player in game.fixture.players
            and (against is None or against in game.fixture.players)
            and scenario in (None, game.fixture.ground)
        ]
        return record(player, _couples(chosen))

    @property
    def without_bids(self) -> Arena:
        """The same games; the winner by the rules is ahead."""
        grounds = tuple([ground._replace(bid=None) for ground in self.schedule.grounds])
        games = tuple([game._replace(handicap=None) for game in self.games])
        return replace(self, schedule=self.schedule._replace(grounds=grounds), games=games)

    @property
    def best_first(self) -> list[str]:
        found = self.ratings
        return sorted(self.players, key=lambda player: -found[player].elo)

    # --- told -----------------------------------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        found = self.ratings
        return {
            "players": list(self.players),
            "scenarios": list(self.scenarios),
            "games": len(self.games),
            "wanted": self.wanted,
            "seed": self.schedule.seed,
            "options": dict(self.schedule.options),
            "bids": {ground.name: ground.bid._asdict() for ground in self.schedule.grounds if ground.bid} or None,
            "stopped": self.stopped or None,
            "standing": [
                {"player": player, **found[player]._asdict(), "record": self.record(player).as_dict()}
                for player in self.best_first
            ],
            "meetings": self.rows(),
        }

    def rows(self) -> list[dict[str, Any]]:
        """Every two players in each scenario and, if there are several, in all of them."""
        places: list[str | None] = [*self.scenarios, *[None] * (len(self.scenarios) > 1)]
        return [
            {"scenario": place or "all", "player": one, "against": other}
            | self.record(one, against=other, scenario=place).as_dict()
            for one, other in self.schedule.pairs
            for place in places
        ]

    def to_csv(self) -> str:
        """The rows as CSV, with a line of headings."""
        text, rows = io.StringIO(), self.rows()
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def drawn(self) -> Picture:
        picture: Picture = plugin("draw_arena")(self)
        return picture

    def _repr_svg_(self) -> str:
        return self.drawn().svg()

    def __str__(self) -> str:
        text: str = plugin("arena_text")(self)
        return text


def _couples(games: Iterable[GamePlayed]) -> list[Couple]:
    """The games by seed: two players, one seed, both ways round."""
    found: dict[tuple[str, tuple[str, ...], int], list[GamePlayed]] = {}
    for game in games:
        ground, players, number = game.fixture
        found.setdefault((ground, tuple(sorted(players)), number), []).append(game)
    return list(found.values())


# --- playing ----------------------------------------------------------------------------------------------------


def arena(
    players: Sequence[str],
    scenarios: Source | Sequence[Source],
    games: int = 100,
    *,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    bids: bool = False,
    jobs: int = 1,
    results: str | Path | None = None,
    stop: Stop = lambda: False,
    told: Callable[[int], None] = lambda done: None,
) -> Arena:
    """Let players meet: every two of them, in each scenario, each seed twice with sides changed.

    `players` are named as for `simulate`. With `bids` the side that needs it is given the bid of the scenario, and the
    margin with it says who is ahead. With `results`, a file of JSON lines, each game is written down as it is
    played, and games that are in the file already are not played again; without a seed, that of the file is used, or
    else 0. `stop` is asked now and then whether to stop with what there is; `told` hears how many games
    are done.
    """
    if jobs < 1:
        raise BadValue("use at least one process", given=jobs, allowed=["1 or more"])
    lines = [] if results is None else lines_of(results)
    if seed is None:
        seed = seed_in(lines) or 0
    wanted = scheduled(players, _listed(scenarios), games, seed, options, bids=bids)
    done = {} if results is None else games_in(lines, wanted, results)
    fixtures = [one for one in wanted.fixtures() if one not in done]
    told(len(done))
    opened: AbstractContextManager[GameFile | None] = (
        nullcontext() if results is None else GameFile.open(results, wanted)
    )
    stopped = ""
    with opened as file:
        try:
            with closing(_play(wanted, fixtures, jobs, stop)) as played:  # whatever happens, no worker is left
                for game in played:
                    done[game.fixture] = game
                    if file is not None:
                        file.write(game)
                    told(len(done))
        except WorkersLost as fault:
            stopped = str(fault)
    ordered = [done[one] for one in wanted.fixtures() if one in done]
    if len(ordered) < len(wanted.fixtures()) and not stopped:
        stopped = "stopped before the end"
    return Arena(wanted, tuple(ordered), stopped)


def _listed(scenarios: Source | Sequence[Source]) -> list[Source]:
    return [scenarios] if isinstance(scenarios, str | Path | Mapping) else list(scenarios)


def _play(schedule: Schedule, fixtures: Sequence[Fixture], jobs: int, stop: Stop) -> Generator[GamePlayed]:
    grounds = {ground.name: ground for ground in schedule.grounds}
    plans, tasks = schedule.tasks(fixtures)
    jobs = min(jobs, len(tasks))
    played = played_by_workers(plans, tasks, jobs, stop) if jobs > 1 else played_here(plans, tasks, stop)
    for chunk in played:
        fixture = fixtures[chunk.place]
        for fought in chunk.battles:
            yield game_played(grounds[fixture.ground], fixture, fought)
