"""Why the program decided as it did: a past decision, thought about again from what its side knew then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.kernel.words import sentence
from flagplot.players.search.hints import hint
from flagplot.players.search.thought import Thought
from flagplot.review.deciding import Step, steps


class Past(NamedTuple):
    """A decision of a finished game."""

    number: int
    """Its place among the decisions of its side, counted from 1."""
    question: str
    answer: str


def decisions(game: Game[Any], side: str) -> list[Past]:
    """All decisions of a side that left a choice."""
    return [_past(number, step) for number, step in enumerate(steps(game, side), 1)]


def _past(number: int, step: Step) -> Past:
    request = step.game.pending
    assert isinstance(request, Choose)
    option = request.find(step.chosen)
    return Past(number, sentence(request.question), option.label if option else step.chosen)


def reason(game: Game[Any], side: str, number: int, *, rank: str, seed: int = 0) -> Thought | None:
    """Its table of options. With the rank and seed that the program played with it is the one that it had."""
    step = next(_at(game, side, number), None)
    return hint(step.game, side, rank=rank, seed=seed) if step else None


def _at(game: Game[Any], side: str, number: int) -> Iterator[Step]:
    return (step for place, step in enumerate(steps(game, side), 1) if place == number)
