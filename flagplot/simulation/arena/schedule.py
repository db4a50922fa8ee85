"""Who meets whom, where and how often: every two players, in each scenario, on both sides with the same seeds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, NamedTuple

from flagplot import library
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.plain_data import to_plain
from flagplot.players import is_local_player, local_player, player_names
from flagplot.simulation.battles import Plan
from flagplot.simulation.bids import Bid, bid_of
from flagplot.simulation.starting import is_save
from flagplot.simulation.workers import Task
from flagplot.version import __version__

Source = str | Path | Mapping[str, Any]
MOST_GAMES = 1_000_000


class Ground(NamedTuple):
    """A scenario in which players meet."""

    name: str
    scenario: Mapping[str, Any]
    sides: tuple[str, str]
    digest: str
    """Of the scenario, its readings and the version of the program: games of another one are not counted with these."""
    bid: Bid | None = None
    """What makes it even, if that counts in who is ahead."""

    @property
    def handicap(self) -> int | None:
        """What the first side is given beforehand: below 0 if the second one is; None if no bid counts."""
        if self.bid is None:
            return None
        return self.bid.amount if self.bid.side == self.sides[0] else -self.bid.amount


class Fixture(NamedTuple):
    """One game: where, who plays the first side and who the second, and which of their games it is."""

    ground: str
    players: tuple[str, str]
    number: int


class Schedule(NamedTuple):
    """All games of an arena."""

    players: tuple[str, ...]
    grounds: tuple[Ground, ...]
    games: int
    """Of every two players in each scenario, both ways round taken together."""
    seed: int
    options: Mapping[str, Any]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return list(combinations(self.players, 2))

    def fixtures(self) -> list[Fixture]:
        """Game by game, so that an arena that is stopped has played about as often everywhere."""
        return [
            Fixture(ground.name, seated, number)
            for number in range(1, self.games // 2 + 1)
            for ground in self.grounds
            for pair in self.pairs
            for seated in (pair, pair[::-1])
        ]

    def tasks(self, fixtures: Sequence[Fixture]) -> tuple[list[Plan], list[Task]]:
        """What processes must know to play these games."""
        places: dict[tuple[str, tuple[str, str]], int] = {}
        plans: list[Plan] = []
        for ground in self.grounds:
            for seated in permutations(self.players, 2):
                places[ground.name, seated] = len(plans)
                who = dict(zip(ground.sides, seated, strict=True))
                plans.append(Plan(ground.scenario, who, self.seed, self.options))
        return plans, [Task(range(one.number, one.number + 1), places[one[:2]]) for one in fixtures]


def scheduled(
    players: Sequence[str],
    scenarios: Sequence[Source],
    games: int,
    seed: int,
    options: Mapping[str, Any] | None,
    *,
    bids: bool = False,
) -> Schedule:
    """The games that were asked for; whatever is wrong is refused before the first is played."""
    _check_players(players)
    _check_games(games)
    if not scenarios:
        raise BadValue("an arena needs a scenario", given="none", allowed=["first-battle", "a file"])
    grounds = [ground_of(source, options or {}) for source in scenarios]
    for place, ground in enumerate(grounds):
        if ground.name in [other.name for other in grounds[:place]]:
            raise BadValue("this scenario is there twice", given=ground.name, allowed=["each scenario once"])
    if bids:
        grounds = [evened(ground) for ground in grounds]
    return Schedule(tuple(players), tuple(grounds), games, seed, options or {})


def evened(ground: Ground) -> Ground:
    """A scenario with the bid that makes it even."""
    bid = bid_of(ground.name)
    if bid is None:
        raise BadValue("this scenario has no measured bid", given=ground.name, allowed=["one that scenarios lists"])
    return ground._replace(bid=bid)


def _check_players(players: Sequence[str]) -> None:
    for place, name in enumerate(players):
        if not is_local_player(name):
            raise UnknownName("no such computer player", given=name, allowed=player_names())
        if name in players[:place]:
            raise BadValue("this player is there twice", given=name, allowed=["each player once"])
        local_player(name, 0)  # its settings may be wrong
    if len(players) < 2:
        raise BadValue("an arena needs two players or more", given=", ".join(players), allowed=["random doctrine"])


def _check_games(games: int) -> None:
    if games % 2:
        allowed = [str(games + 1), "an even number"]
        raise BadValue("each seed is played twice, with sides changed, so games are even", given=games, allowed=allowed)
    if not 2 <= games <= MOST_GAMES:
        raise BadValue(f"play 2 to {MOST_GAMES:,} games", given=games, allowed=["an even number such as 100"])


def ground_of(source: Source, options: Mapping[str, Any]) -> Ground:
    """A scenario by name, from a file, or as data; two sides must be in it."""
    if not isinstance(source, Mapping) and is_save(source):
        raise BadValue("an arena begins at the start of a scenario, not at a save", given=source, allowed=["midway"])
    game = library.load(source, seed=0, options=options)
    name = str(game.scenario["title"]) if isinstance(source, Mapping) else str(source)
    if len(game.sides) != 2:
        raise BadValue("an arena needs a scenario with two sides", given=name)
    text = json.dumps([game.scenario, to_plain(game.options), __version__, game.ruleset.version], sort_keys=True)
    digest = blake2b(text.encode(), digest_size=8).hexdigest()
    return Ground(name, dict(game.scenario), (game.sides[0], game.sides[1]), digest)
