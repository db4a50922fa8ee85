"""What a state is worth to a side, by the measures of each game: how it stands, and how it may go on.

About half of the value is who wins, half what was lost: many battles have no winner, and who counts losses alone leaves
when he is ahead. A battle that is followed for some rounds only is valued where it stops by a small linear model,
fitted to finished battles (`outlook.toml`, written by `tools/fit_outlook.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import tanh
from typing import Any, NamedTuple, Protocol

from flagplot.kernel.plugins import imported

JUDGES = {
    "awaw": "flagplot.players.search.judging_awaw:JUDGE",
    "line-of-battle": "flagplot.players.search.judging_lob:JUDGE",
}
"""Who values the states of each game; imported when somebody asks."""
WINNER, MARGIN = 0.5, 0.5
"""How the value is made up."""
POINTS = "points"
"""The unit where a side gains something, rather than the other losing it."""
DECISIVE = 0.15
"""A margin of this share of all that can be lost is a clear success; twice as much is little more."""


class Standing(NamedTuple):
    """How a battle stands."""

    lost: Mapping[str, float]
    """What each side has lost, in the unit of the game."""
    winner: str | None
    over: bool


class Horizon(NamedTuple):
    """How far a playout goes."""

    name: str
    """``the end of round 2``."""
    over: Callable[[Any], bool]
    """Whether a state is there, or beyond it."""


class Judge(Protocol):
    """Values the states of one game."""

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of play that it values."""
        ...

    def unit(self, state: Any) -> str:
        """What losses are counted in: ``factors``."""
        ...

    def stake(self, state: Any) -> float:
        """All that can be lost, both sides together, in the same unit."""
        ...

    def standing(self, state: Any) -> Standing: ...

    def round(self, state: Any) -> int:
        """The round that is being fought; 0 where there are none."""
        ...

    def horizon(self, state: Any, rounds: int | None) -> Horizon | None:
        """Where a playout from this state stops: a battle `rounds` after the current one, if a number is given; None:
        at the end."""
        ...

    def slowness(self, kind: str) -> float:
        """How many times longer a playout takes than in a battle."""
        ...

    def outlook(self, state: Any, side: str) -> float:
        """The value that a battle which is not over will probably have in the end."""
        ...


class Worth(NamedTuple):
    """What came of a trial."""

    value: float
    """From -1 to 1."""
    own: float
    """What the side lost in all."""
    enemy: float
    won: float
    """1 if the side has won, -1 if the enemy has."""


def judge_of(game: str, kind: str) -> Judge | None:
    """Who values the states of a kind of play, if anybody does."""
    found: Judge | None = imported(JUDGES[game]) if game in JUDGES else None
    return found if found is not None and kind in found.kinds else None


def value_of(won: float, margin: float, stake: float) -> float:
    """The value of an ending: who won, and what the enemy lost more, of all that was at stake."""
    return WINNER * won + MARGIN * tanh(margin / max(1.0, DECISIVE * stake))


def worth(judge: Judge, state: Any, side: str, stake: float) -> Worth:
    """What a state is worth to a side, at the end of a trial."""
    lost, winner, over = judge.standing(state)
    own, enemy = lost[side], sum([number for one, number in lost.items() if one != side])
    won = 0.0 if winner is None else 1.0 if winner == side else -1.0
    value = value_of(won, enemy - own, stake) if over else judge.outlook(state, side)
    return Worth(value, own, enemy, won)
