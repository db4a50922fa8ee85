"""`play`, `steer` and `offered` of `tests.awaw.seas` for air turns, and scripts that ask nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.procedures import Frame, Procedure
from flagplot.kernel.requests import Choose, Note, Script
from tests.awaw import seas
from tests.awaw.seas import offered as offered

__all__ = ["offered", "play", "run", "script", "steer", "wander"]


def play(state: State, start: Frame | Procedure, *procedures: Procedure, **more: Any) -> Game[Any]:
    """A game of an air turn that begins with a procedure."""
    return seas.play(state, start, *procedures, **more)


def steer(game: Game[Any], *orders: str) -> Game[Any]:
    """Go on to the end, with these orders and else the least answer."""
    return seas.steer(game, *orders)


def wander(game: Game[Any], answers: Sequence[int]) -> None:
    """Give these answers, as far as there are questions, by their number among the options; then go on to the end."""
    for answer in answers:
        if game.pending is None:
            return
        texts = offered(game)
        game.choose(texts[answer % len(texts)])
    steer(game)


def run(steps: Script[Any]) -> list[str]:
    """Run a script in which there is nothing to choose: the rules of its notes."""
    rules: list[str] = []
    answer = None
    while True:
        try:
            step = steps.send(answer)
        except StopIteration:
            return rules
        answer = None
        if isinstance(step, Note):
            rules.append(step.rule)
        else:
            assert isinstance(step, Choose)
            (answer,) = step.values


def script(name: str, steps: Any) -> Procedure:
    """A procedure of one segment, from a function that makes a script of the state."""
    procedure = Procedure(name, "18", "A script")

    def only(state: State) -> Script[None]:
        yield from steps(state)

    procedure.segment("18", "A script")(only)
    return procedure
