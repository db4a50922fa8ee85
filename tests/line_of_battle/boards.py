"""Small boards for the tests of Line of Battle: counters in a few letters, scripted dice, answers in a row."""

from __future__ import annotations

import re
from typing import Any

import flagplot
from flagplot.kernel.dice import Dice, Scripted
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Roll
from flagplot.line_of_battle.state import State

FACTORS = {"G": "gunnery", "T": "torpedo", "A": "airstrike", "D": "defense"}


def _factors(text: str) -> dict[str, int]:
    """``G3 T2 D5/3``: gunnery 3, torpedo 2, defense 5, damage 3."""
    found = {FACTORS[letter]: int(number) for letter, number in re.findall(r"([GTAD])(\d+)", text)}
    damage = re.search(r"/(\d+)", text)
    return found | ({"damage": int(damage[1])} if damage else {})


def ship(key: str, text: str, back: str | None = None, **more: Any) -> dict[str, Any]:
    """A ship; `back` is its damaged side."""
    turned = {} if back is None else {"damaged": _factors(back)}
    return {"id": key, "name": key.title(), **_factors(text), **turned, **more}


def lba(key: str, text: str, back: str | None = None, **more: Any) -> dict[str, Any]:
    """An LBA; `back` is its reduced side."""
    turned = {} if back is None else {"reduced": _factors(back)}
    return {"id": key, "name": key.title(), "lba": True, **_factors(text), **turned, **more}


def board(red: list[dict[str, Any]], blue: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A battle in an All-Sea Hex; red is the phasing faction. `bases` names those that have an air base near."""
    bases = more.pop("bases", ())
    return {
        "game": "line-of-battle",
        "title": "A test",
        "phasing": "red",
        "sides": [_side("red", red, bases), _side("blue", blue, bases)],
        **more,
    }


def _side(side: str, units: list[dict[str, Any]], bases: tuple[str, ...]) -> dict[str, Any]:
    ships = [unit for unit in units if "lba" not in unit]
    lbas = [{key: value for key, value in unit.items() if key != "lba"} for unit in units if "lba" in unit]
    return {"id": side, "name": side.title(), "air_base": side in bases, "ships": ships, "lbas": lbas}


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
