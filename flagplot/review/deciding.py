"""What each decision of a side was worth when it was made: its own answer against the best of the others.

The game is played again, answer by answer. At each decision that has odds these are worked out from what the side knew
at that moment; nothing that was revealed or rolled later goes into them. What comes of an answer is counted in naval
factors, so that a strike can be compared with a gunfight.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any, NamedTuple

from flagplot.kernel.explaining import verb_of
from flagplot.kernel.game import Game
from flagplot.kernel.log import FORCED
from flagplot.kernel.requests import Choose, Note, Roll
from flagplot.kernel.words import sentence
from flagplot.library import load
from flagplot.odds.answer import Answer
from flagplot.odds.enumerator import Limits
from flagplot.odds.position import LIMITS, can_be_asked, position
from flagplot.odds.position_answer import SampledPart

WEIGHTS = {
    "factors sunk": 1.0,
    "transports sunk": 1.0,
    "submarine factors lost": 1.0,
    "factors newly damaged": 0.5,
    "air units lost": 0.5,
    "ships sunk": 1.0,
    "LBAs destroyed": 1.0,
    "units damaged": 0.5,
}
"""What a loss counts, by the end of its title; the last three are those of Line of Battle."""
COUNTED = "a factor sunk counts 1, a factor damaged or an air unit lost counts a half"
SECONDS, TRIALS = 1.5, 80
"""What the odds of one decision may cost."""
MANY = 10_000
"""Trials of a decision that is played on; the time ends them before."""


class Worth(NamedTuple):
    """What comes of an answer on average: the enemy's losses less one's own; and the standard error of that."""

    factors: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision, and what it was worth."""

    number: int
    """Its place among all answers and rolls of the game."""
    kind: str
    """The verb of its question."""
    where: str
    """``Round 2, air strikes``."""
    question: str
    rule: str
    chosen: str
    other: str
    """The best of the other answers."""
    worth: Worth
    other_worth: Worth

    @property
    def swing(self) -> float:
        """What was gained by it, or if negative what it cost."""
        return self.worth.factors - self.other_worth.factors

    @property
    def error(self) -> float:
        return sqrt(self.worth.error**2 + self.other_worth.error**2)

    @property
    def is_sure(self) -> bool:
        """Whether the difference is more than chance can explain, and worth telling."""
        return abs(self.swing) > max(2 * self.error, 0.05)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"swing": self.swing, "error": self.error}


class Step(NamedTuple):
    """A moment before a decision of a side, and what the side answered."""

    number: int
    game: Game[Any]
    chosen: str


def steps(game: Game[Any], side: str) -> Iterator[Step]:
    """The game again, stopped before each decision of a side; what was taken back is left out. The game of a step goes
    on when the next one is asked for."""
    again = load(game.scenario, seed=0, options=asdict(game.options))
    for number, (request, answer) in enumerate(game.events):
        if isinstance(request, Note) or answer == FORCED:
            continue
        if isinstance(request, Roll):
            again.roll(answer)
            continue
        chosen = request.option(answer).text
        if request.side == side and len(request.values) > 1:
            yield Step(number, again, chosen)
        again.choose(chosen)


def judged(step: Step, side: str, seconds: float = SECONDS, *, wide: float = 0.0) -> Decision | None:
    """What a decision was worth; None if it has no odds. What no single procedure decides is played on to its end,
    which takes time: `wide` seconds are given to each of these, and without any they are left out."""
    game, request = step.game, step.game.pending
    if not isinstance(request, Choose):
        return None
    narrow = can_be_asked(game, side)
    if not narrow and not wide:
        return None
    limits = Limits(LIMITS.states, seconds if narrow else wide)
    found = position(game, side, limits=limits, trials=TRIALS if narrow else MANY)
    names = game.view(side).names
    worth = {one.text: worth_of(one.answer, names, side) for one in found.options}
    others = [text for text in worth if text != step.chosen]
    if step.chosen not in worth or not others:
        return None
    labels = {one.text: one.label for one in found.options}
    other = max(others, key=lambda text: worth[text].factors)
    return Decision(
        step.number,
        verb_of(request),
        _where(game, side),
        sentence(request.question),
        request.rules[0] if request.rules else "",
        labels[step.chosen],
        labels[other],
        worth[step.chosen],
        worth[other],
    )


def worth_of(answer: Answer, names: Mapping[str, str], side: str) -> Worth:
    """What comes of an answer, in factors."""
    total = variance = 0.0
    own = names[side].casefold()
    for part in answer.parts:
        name, _, what = part.title.rpartition(": ")
        if what in WEIGHTS:
            weight = -WEIGHTS[what] if name.casefold() == own else WEIGHTS[what]
            total += weight * float(part.mean)
            if isinstance(part, SampledPart):
                variance += (weight * part.error) ** 2
    return Worth(total, sqrt(variance))


def _where(game: Game[Any], side: str) -> str:
    board = game.view(side).board
    lines = board.steps if board else ()
    return ", ".join([words for one in lines for words in (one.title, one.label) if words])


class Judged(NamedTuple):
    """A part of a review."""

    decisions: tuple[Decision, ...]
    seen: int
    """Decisions of the side that were looked at so far."""
    of: int
    """All of its decisions."""


def judged_from(game: Game[Any], side: str, first: int, seconds: float) -> Judged:
    """Its decisions from the `first` on, as many as the time allows; at least one."""
    start, found, seen = time.monotonic(), list[Decision](), 0
    for seen, step in enumerate(steps(game, side), start=1):
        if seen <= first:
            continue
        one = judged(step, side, min(SECONDS, seconds / 2))
        found += [one] if one else []
        if time.monotonic() - start > seconds / 2:
            break
    total = len([1 for request, answer in game.events if _is_decision(request, answer, side)])
    return Judged(tuple(found), seen, total)


def _is_decision(request: object, answer: object, side: str) -> bool:
    return isinstance(request, Choose) and request.side == side and answer != FORCED and len(request.values) > 1
