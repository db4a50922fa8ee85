"""The course of a battle: each side's chance to win from its first decision to its end, and the moments that turned it.

After the end everything is open, so the true positions of the replay are played on by the staff on both sides, some
dozens of times each, and who wins is counted. That is an estimate, and says by how much it may err: it tells how good a
position was for the staff, not for those who played.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Any, NamedTuple

from flagplot.kernel.dice import Seeded
from flagplot.kernel.playout import Start, playout, start_of
from flagplot.kernel.ruleset import UMPIRE
from flagplot.players import player
from flagplot.table.games.replay import Moment, Replay

POINTS = 16
"""Moments of a battle that are played on, its beginning among them."""
FEWEST = 8
"""If so few moments are worth going to, others are taken between them."""
PLAYOUTS = 100
"""How often each of them is played on at most."""
USUAL = 24
"""How often each should be played on, or rather fewer moments are."""
ENOUGH = 6
"""With fewer than so many nothing is told."""
TURNS = 3
"""Turning points that are named."""
SURE = 2.0
"""How many standard errors a change must have to be called one."""


class Point(NamedTuple):
    """A moment of a battle."""

    step: int
    """Of the umpire's replay."""
    words: tuple[str, ...]
    """What has happened since the point before it."""
    wins: dict[str, int]
    playouts: int

    def chance(self, side: str) -> float:
        return self.wins.get(side, 0) / self.playouts

    def error(self, side: str) -> float:
        """The standard error of a chance; of none or all in n about as large as of one in n. The end is certain."""
        if self.playouts == 1:
            return 0.0
        chance = min(max(self.chance(side), 1 / self.playouts), 1 - 1 / self.playouts)
        return sqrt(chance * (1 - chance) / self.playouts)


class Turn(NamedTuple):
    """A turning point: where the chance of a side changed, and by how much."""

    point: Point
    place: int
    change: float
    error: float


@dataclass(frozen=True, slots=True)
class Course:
    """All moments of a battle that were played on; the last one is its end."""

    points: tuple[Point, ...]

    @property
    def playouts(self) -> int:
        """How often each moment was played on, at least."""
        return min([point.playouts for point in self.points[:-1]], default=0)

    def is_decided_by_nobody(self, sides: Sequence[str]) -> bool:
        """Whether no side has won in any of the games that were played on."""
        return not any([point.wins.get(side) for point in self.points for side in sides])

    def error(self, side: str) -> float:
        """The largest standard error of the chances of a side."""
        return max([point.error(side) for point in self.points], default=0.0)

    def turns(self, side: str) -> list[Turn]:
        """The moments at which a side's chance changed most, in their order; none that may be noise."""
        found = []
        for place, (before, after) in enumerate(pairwise(self.points), 1):
            change = after.chance(side) - before.chance(side)
            error = sqrt(before.error(side) ** 2 + after.error(side) ** 2)
            if abs(change) >= SURE * error and change:
                found.append(Turn(after, place, change, error))
        largest = sorted(found, key=lambda turn: -abs(turn.change))[:TURNS]
        return sorted(largest, key=lambda turn: turn.place)

    def as_text(self) -> str:
        """As JSON, for the store."""
        return json.dumps([point._asdict() for point in self.points], separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> Course:
        points = [Point(**{**one, "words": tuple(one["words"])}) for one in json.loads(text)]
        return cls(tuple(points))


def course_of(texts: Sequence[str], seconds: float) -> Course | None:
    """The course of a finished game from the lines of its tape, with some seconds of work; None if that is not enough.
    Where a game takes long, fewer moments are played on, each often enough."""
    until = time.process_time() + seconds
    replay = Replay(texts[0])
    replay.goes_on_with(texts)
    last = len(replay.steps_of(UMPIRE)) - 1
    moments = [moment for moment in replay.moments(UMPIRE) if 0 < moment.step < last]
    begun = time.process_time()
    _play(start_of(replay.game_at(0)), 0)
    games = seconds / max(time.process_time() - begun, 0.001)
    most = max(FEWEST, min(POINTS, int(games / USUAL)))
    steps = chosen_steps([moment.step for moment in moments], last, most)
    starts = [start_of(replay.game_at(step)) for step in steps]
    wins = _played(starts, until)
    counted = min([sum(one.values()) for one in wins])
    end = replay.game_at(last)
    if counted < ENOUGH or end.result is None:
        return None
    words = _words(moments, [*steps, last])
    points = [
        Point(step, told, {side: n for side, n in one.items() if side}, sum(one.values()))
        for step, told, one in zip(steps, words, wins, strict=False)
    ]
    winner = end.result.get("winner")
    return Course((*points, Point(last, words[-1], {winner: 1} if winner else {}, 1)))


def chosen_steps(key: Sequence[int], last: int, most: int = POINTS) -> list[int]:
    """The steps that are played on: the beginning and those worth going to, of many some in equal distances; if
    there are few, others between them."""
    wanted = sorted({0, *[step for step in key if 0 < step < last]})
    if len(wanted) > most:
        wanted = [wanted[round(place * (len(wanted) - 1) / (most - 1))] for place in range(most)]
    while len(wanted) < min(FEWEST, last):
        gaps = [*pairwise([*wanted, last])]
        low, high = max(gaps, key=lambda gap: gap[1] - gap[0])
        if high - low < 2:
            break
        wanted = sorted([*wanted, (low + high) // 2])
    return wanted


def _played(starts: Sequence[Start[Any]], until: float) -> list[dict[str, int]]:
    """How often each side wins from each position; all of them get the same number of games, as many as there is time
    for."""
    wins: list[dict[str, int]] = [{} for _ in starts]
    for number in range(PLAYOUTS):
        for start, won in zip(starts, wins, strict=True):
            if time.process_time() > until:
                return wins
            winner = _play(start, number)
            won[winner] = won.get(winner, 0) + 1
    return wins


def _play(start: Start[Any], number: int) -> str:
    """Who wins one game from a position; nothing if nobody does."""
    sides = start.ruleset.sides(start.state)
    played = playout(start, {side: player("doctrine", number) for side in sides}, Seeded(number))
    return str((played.result or {}).get("winner") or "")


def _words(moments: Sequence[Moment], steps: Sequence[int]) -> list[tuple[str, ...]]:
    """What has happened from each step to the next; nothing before the first one."""
    told: list[tuple[str, ...]] = [()]
    for before, after in pairwise(steps):
        told.append(tuple([moment.text for moment in moments if before < moment.step <= after]))
    return told
