"""Whole battles over all dice: where few positions can come about, nothing has to be sampled."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from flagplot.kernel.game import Game
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Limits, enumerate_ends
from flagplot.players import local_player
from flagplot.players.doctrine import DoctrinePlayer
from flagplot.simulation.battles import Plan, figures_in

A_MOMENT = Limits(ways=400, seconds=20.0)
"""How far it is followed: so many ways through segments take a small part of a second. Whether a battle is small enough
must not hang on how busy a machine is, so the seconds are many."""
Ending = tuple[str | None, tuple[tuple[str, str, int], ...]]
"""The winner, and by figure and side what the result counts."""


class Exact(NamedTuple):
    """What comes of a battle between players who always answer alike."""

    ends: Distribution[Ending]
    positions: int

    def won(self, side: str | None) -> Fraction:
        """The chance that a side, or nobody, wins."""
        return self.ends.chance(lambda end: end[0] == side)

    @property
    def figures(self) -> dict[tuple[str, str], Fraction]:
        """By figure and side the average."""
        sums: dict[tuple[str, str], Fraction] = {}
        for (_, figures), chance in self.ends.chances.items():
            for figure, side, number in figures:
                sums[figure, side] = sums.get((figure, side), Fraction()) + number * chance
        return sums

    def as_dict(self, sides: tuple[str, ...]) -> dict[str, Any]:
        return {
            "positions": self.positions,
            "winners": {side or "nobody": _told(self.won(side)) for side in (*sides, None)},
            "figures": {
                side: {figure: _told(mean) for (figure, one), mean in self.figures.items() if one == side}
                for side in sides
            },
        }


def _told(number: Fraction) -> dict[str, Any]:
    return {"fraction": f"{number.numerator}/{number.denominator}", "number": float(number)}


def exact(plan: Plan, game: Game[Any]) -> Exact | None:
    """The battle over all dice; None if it is too large for a moment, if it begins within a segment, or if somebody
    plays who does not always answer alike."""
    names = plan.players.values()
    if game.since_border or not all([name.partition(":")[0] in ("doctrine", "captain") for name in names]):
        return None
    ruleset, sides = game.ruleset, game.sides
    players = {side: local_player(name, 0) for side, name in plan.players.items()}

    def ending(state: Any) -> Ending:
        result = ruleset.result(state)
        figures = figures_in(result, sides)
        told = [(figure, side, number) for figure, by_side in figures.items() for side, number in by_side.items()]
        return result.get("winner"), tuple(told)

    found = enumerate_ends(
        ruleset, game.border.state, players, ending, over=lambda state: not state.frames, limits=A_MOMENT
    )
    drawn = any([isinstance(one, DoctrinePlayer) and one.lots.used for one in players.values()])
    return Exact(found.ends, found.states) if found.complete and not drawn else None
