"""Whole battles over all dice: where few positions can come about, nothing has to be sampled."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from flagplot.kernel.game import Game, Player
from flagplot.kernel.plugins import imported
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Found, Limits, enumerate_ends
from flagplot.players import local_player
from flagplot.players.doctrine import DoctrinePlayer
from flagplot.simulation.battles import Plan, figures_in

A_MOMENT = Limits(ways=400, seconds=20.0)
"""How far it is followed unless somebody gives it time: this number of ways takes a small part of a second. A busy
machine must not change whether a battle is small enough, so the seconds are generous."""
TAKEN_APART = {"line-of-battle": "flagplot.odds.line_of_battle:winners"}
"""Where battles of a game are followed that are too large to be followed as one."""
Ending = tuple[str | None, tuple[tuple[str, str, int], ...]]
"""The winner, and by figure and side what the result counts."""


class Exact(NamedTuple):
    """What comes of a battle between players who always answer alike."""

    ends: Distribution[Ending]
    positions: int
    left_over: Fraction = Fraction()
    """The chance of what was not followed to the end, since there was no time."""

    def won(self, side: str | None) -> Fraction:
        """The chance that a side, or nobody, wins; it may be greater by what is left over."""
        return self.ends.chance(lambda end: end[0] == side)

    @property
    def figures(self) -> dict[tuple[str, str], Fraction]:
        """By figure and side the average; none if something is left over."""
        if self.left_over:
            return {}
        sums: dict[tuple[str, str], Fraction] = {}
        for (_, figures), chance in self.ends.chances.items():
            for figure, side, number in figures:
                sums[figure, side] = sums.get((figure, side), Fraction()) + number * chance
        return sums

    def as_dict(self, sides: tuple[str, ...]) -> dict[str, Any]:
        return {
            "positions": self.positions,
            "left_over": _told(self.left_over),
            "winners": {side or "nobody": _told(self.won(side)) for side in (*sides, None)},
            "figures": {
                side: {figure: _told(mean) for (figure, one), mean in self.figures.items() if one == side}
                for side in sides
            },
        }


def _told(number: Fraction) -> dict[str, Any]:
    return {"fraction": f"{number.numerator}/{number.denominator}", "number": float(number)}


def exact(plan: Plan, game: Game[Any], seconds: float | None = None) -> Exact | None:
    """The battle over all dice; None if it is too large for a moment, if it begins within a segment, or if somebody
    plays who does not always answer alike. With `seconds` it takes up to that long, and tells how far it came."""
    names = plan.players.values()
    if game.since_border or not all([name.partition(":")[0] in ("doctrine", "captain") for name in names]):
        return None
    players = {side: local_player(name, 0) for side, name in plan.players.items()}
    found = _found(game, players, seconds)
    drawn = any([isinstance(one, DoctrinePlayer) and one.lots.used for one in players.values()])
    if drawn or not (found.complete or (seconds is not None and found.ends.chances)):
        return None
    return Exact(found.ends, found.states, Fraction() if found.complete else found.ends.left_over)


def _found(game: Game[Any], players: Mapping[str, Player], seconds: float | None) -> Found[Ending]:
    if seconds is not None and game.ruleset.name in TAKEN_APART:
        follow = imported(TAKEN_APART[game.ruleset.name])
        won: Found[str | None] | None = follow(game.ruleset, game.border.state, players, Limits(seconds=seconds))
        if won is not None:
            return Found(won.ends.of(_won_by), won.states, won.ways, won.complete)
    ruleset, sides = game.ruleset, game.sides

    def ending(state: Any) -> Ending:
        result = ruleset.result(state)
        figures = figures_in(result, sides)
        told = [(figure, side, number) for figure, by_side in figures.items() for side, number in by_side.items()]
        return result.get("winner"), tuple(told)

    limits = A_MOMENT if seconds is None else Limits(seconds=seconds)
    return enumerate_ends(
        ruleset, game.border.state, players, ending, over=lambda state: not state.frames, limits=limits
    )


def _won_by(side: str | None) -> Ending:
    return side, ()
