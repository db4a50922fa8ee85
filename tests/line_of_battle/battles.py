"""Battles for the tests of Line of Battle: scripted dice, answers in a row, what is asked and seen."""

from __future__ import annotations

from typing import Any

import flagplot
from flagplot.kernel.dice import Dice, Scripted
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Roll
from flagplot.line_of_battle.state import State


def start(scenario: dict[str, Any], dice: Dice | None = None, **options: Any) -> Game[State]:
    return flagplot.load(scenario, dice=dice, seed=None if dice else 1, options=options)


def answer(game: Game[State], *texts: str) -> None:
    """Roll whatever is to be rolled and give the answers in a row; then roll on until something is asked."""
    for text in texts:
        roll_on(game)
        game.choose(text)
    roll_on(game)


def roll_on(game: Game[State]) -> None:
    while isinstance(game.pending, Roll):
        game.roll()


def by_day(*texts: str) -> tuple[str, ...]:
    """Both want a day action, so nobody rolls for it."""
    return "select:day", "select:day", *texts


def by_night(*texts: str) -> tuple[str, ...]:
    return "select:night", "select:night", *texts


def fight(scenario: dict[str, Any], rolls: list[tuple[str | int, ...]], *texts: str, **options: Any) -> Game[State]:
    """A game with these rolls, all of which must be used up by the time that the answers have been given."""
    with Scripted(*rolls) as dice:
        game = start(scenario, dice, **options)
        answer(game, *texts)
    return game


def seen(game: Game[State], key: str) -> dict[str, Any]:
    """A unit as the umpire sees it."""
    found: dict[str, Any] = next(unit for unit in game.view("umpire").data["units"] if unit["id"] == key)
    return found


def box(game: Game[State], key: str) -> str:
    return str(seen(game, key)["box"])


def offered(game: Game[State]) -> list[str]:
    assert isinstance(game.pending, Choose), game.pending
    return [option.text for option in game.pending.options]


def log(game: Game[State], reader: str = "umpire") -> str:
    return "\n".join(map(str, game.log(reader)))


def result(game: Game[State]) -> dict[str, Any]:
    found = game.result
    assert found is not None, game.pending
    return found
