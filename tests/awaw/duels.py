"""Counterair duels for the tests: one base attacks another, with dice for the rounds of combat."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted
from flagplot.kernel.game import Game
from tests.awaw.scenes import answer, asked, base, scene, send_all

ATTACK = "counterair:aim"
NO_EFFECT, KILL_ONE, KILL_AND_ABORT = (1, 1), (3, 3), (4, 4)
"""On row 1 of the Air Combat Table: nothing, one eliminated (6), one eliminated and one aborted (8)."""


def duel(attackers: Iterable[str], defenders: Iterable[str], **more: Any) -> dict[str, Any]:
    """One red base against one blue base, within range, with a refuge for blue behind it."""
    target = more.pop("target", {})
    return scene(
        base("field", "red", (0, 0), *attackers),
        base("aim", "blue", (0, 2), *defenders, **target),
        base("haven", "blue", (0, 5), **more.pop("haven", {})),
        **more,
    )


def rolls(*faces: tuple[int, int]) -> Scripted:
    """Dice for rounds of combat: Red's and Blue's in turn."""
    return Scripted(*[(f"{('Red', 'Blue')[n % 2]}: air combat", *pair) for n, pair in enumerate(faces)])


def attack(game: Game[State], *answers: str) -> None:
    """Attack the aim of a duel with everything, then answer."""
    game.choose(ATTACK)
    send_all(game)
    answer(game, *answers)


def stay(game: Game[State]) -> None:
    """The defenders stay in their base, if they could leave it (23.46A)."""
    if game.pending is not None and "defender:stay" in asked(game):
        answer(game, "defender:stay")
