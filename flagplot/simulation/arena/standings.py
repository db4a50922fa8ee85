"""How good players are: shares with intervals, margins, and ratings by the formula of Elo.

Two games of one seed, with sides changed, are not independent of each other. So shares are told with the interval of as
many independent games as vary as much (never more than there are, never fewer than half), and ratings are told with the
spread of ratings of mirrored pairs that are drawn again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log10, sqrt
from random import Random
from typing import Any, NamedTuple

from flagplot.simulation.arena.games import SIDES, GamePlayed
from flagplot.simulation.intervals import NINETY_FIVE, wilson, wilson_of

Couple = Sequence[GamePlayed]
"""The two games of one seed, or the one of them that is played so far."""
DRAWS = 200
"""Times that pairs of games are drawn again for the intervals of ratings."""
STEPS = 200
"""Steps of the rating of several players; fewer if it stands still before."""
ENOUGH = 1e-6
"""A rating stands still if no strength changes by more than this part in a step."""
SCALE = 400
MIXED = "mixed units"
"""The unit of margins that count different things."""


class Record(NamedTuple):
    """How a player did in some games."""

    games: int
    won: int
    """Games that it has won by the rules."""
    lost: int
    ahead: int
    """Games that it has won, or in which it came out ahead though nobody has won."""
    behind: int
    share: float
    """The share of games in which it was ahead, among those in which somebody was."""
    low: float
    high: float
    margin: float
    """By how much it came out ahead on average."""
    margin_error: float
    unit: str
    pairs_won: int
    """Seeds of which it did better on the same two sides: it won more of the two games or, if both won as many, had
    the greater margin. In a battle that one side nearly always wins, this alone tells players apart."""
    pairs_lost: int

    @property
    def pairs(self) -> float:
        """The share of pairs that it won, among those that somebody won."""
        decided = self.pairs_won + self.pairs_lost
        return self.pairs_won / decided if decided else 0.5

    @property
    def pairs_interval(self) -> tuple[float, float]:
        """95 % for that share: pairs do not depend on each other."""
        return wilson(self.pairs_won, self.pairs_won + self.pairs_lost)

    @property
    def level(self) -> int:
        """Games in which nobody was ahead."""
        return self.games - self.ahead - self.behind

    @property
    def undecided(self) -> int:
        """Games that nobody has won by the rules."""
        return self.games - self.won - self.lost

    def as_dict(self) -> dict[str, Any]:
        low, high = self.pairs_interval
        shares = {"pairs": self.pairs, "pairs_low": low, "pairs_high": high}
        return {**self._asdict(), **shares, "level": self.level, "no_winner": self.undecided}


def record(player: str, couples: Sequence[Couple]) -> Record:
    """How a player did."""
    games = [game for couple in couples for game in couple]
    ahead = sum([game.ahead(player) > 0 for game in games])
    behind = sum([game.ahead(player) < 0 for game in games])
    low, high = share_interval(player, couples)
    mean, error = mean_and_error([[float(game.margin_of(player)) for game in couple] for couple in couples])
    units = {game.unit for game in games}
    better = [better_of(player, couple) for couple in couples if len(couple) == SIDES]
    return Record(
        games=len(games),
        won=sum([game.result(player) > 0 for game in games]),
        lost=sum([game.result(player) < 0 for game in games]),
        ahead=ahead,
        behind=behind,
        share=ahead / (ahead + behind) if ahead + behind else 0.5,
        low=low,
        high=high,
        margin=mean,
        margin_error=error,
        unit=units.pop() if len(units) == 1 else MIXED,
        pairs_won=sum([one > 0 for one in better]),
        pairs_lost=sum([one < 0 for one in better]),
    )


def better_of(player: str, couple: Couple) -> int:
    """1 if a player did better in the two games of a seed, -1 if the other did, 0 if neither."""
    results = sum([game.result(player) for game in couple])
    margins = sum([game.margin_of(player) for game in couple])
    decided = results or margins
    return (decided > 0) - (decided < 0)


def share_interval(player: str, couples: Sequence[Couple]) -> tuple[float, float]:
    """95 % for the share of decided games in which a player was ahead."""
    decided = [[float(game.ahead(player) > 0) for game in couple if game.ahead(player)] for couple in couples]
    games = sum([len(couple) for couple in decided])
    if not games:
        return 0.0, 1.0
    share, error = mean_and_error([couple for couple in decided if couple])
    alone = share * (1 - share)
    like = alone / error**2 if error and alone else games
    return wilson_of(share, min(games, max(games / 2, like)))


def mean_and_error(couples: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The mean of numbers that come in couples, and its standard error: those of a couple may depend on each other."""
    games = sum([len(couple) for couple in couples])
    if not games:
        return 0.0, 0.0
    mean = sum([sum(couple) for couple in couples]) / games
    if len(couples) < 2:
        return mean, 0.0
    squares = sum([(sum(couple) - mean * len(couple)) ** 2 for couple in couples])
    return mean, sqrt(squares * len(couples) / (len(couples) - 1)) / games


# --- ratings ----------------------------------------------------------------------------------------------------


class Rating(NamedTuple):
    """A player's rating, and between which ones it lies with 95 %. Of all players together the mean is 0."""

    elo: float
    low: float | None
    """Not known after a single seed."""
    high: float | None


def ratings(players: Sequence[str], couples: Sequence[Couple], seed: int = 0) -> dict[str, Rating]:
    """The ratings by which the results are most likely. Every two players that have met are taken to have drawn one
    game more: else who has won all of them would be infinitely strong."""
    found = _elo(players, couples)
    chance, drawn = Random(seed), {player: list[float]() for player in players}
    for _ in range(DRAWS if len(couples) > 1 else 0):
        for player, elo in _elo(players, chance.choices(couples, k=len(couples))).items():
            drawn[player].append(elo)
    return {player: Rating(found[player], *_within(found[player], drawn[player])) for player in players}


def _within(elo: float, drawn: list[float]) -> tuple[float | None, float | None]:
    """95 % around a rating, by the spread of those that were drawn."""
    if not drawn:
        return None, None
    mean = sum(drawn) / len(drawn)
    half = NINETY_FIVE * sqrt(sum([(one - mean) ** 2 for one in drawn]) / len(drawn))
    return elo - half, elo + half


def _elo(players: Sequence[str], couples: Sequence[Couple]) -> dict[str, float]:
    points = _points(couples)
    won = dict.fromkeys(players, 0.0)
    for (one, _), number in points.items():
        won[one] += number
    strength = dict.fromkeys(players, 1.0)
    for _ in range(STEPS):
        moved = 0.0
        for one in players:
            weight = sum(
                [
                    (points[one, other] + points[other, one]) / (strength[one] + strength[other])
                    for other in players
                    if (one, other) in points
                ]
            )
            before = strength[one]
            strength[one] = won[one] / weight if weight else 1.0
            moved = max(moved, abs(strength[one] / before - 1))
        if moved < ENOUGH:
            break
    elo = {player: SCALE * log10(strength[player]) for player in players}
    mean = sum(elo.values()) / len(elo)
    return {player: one - mean for player, one in elo.items()}


def _points(couples: Sequence[Couple]) -> dict[tuple[str, str], float]:
    """How many points one player made against another: 1 for a game in which it was ahead, a half if nobody was, and
    a half for the game that both are taken to have drawn."""
    points: dict[tuple[str, str], float] = {}
    for couple in couples:
        for game in couple:
            one, other = game.fixture.players
            for me, them in ((one, other), (other, one)):
                points[me, them] = points.get((me, them), 0.5) + (game.ahead(me) + 1) / 2
    return points
