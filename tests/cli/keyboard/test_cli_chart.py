"""The Naval Combat Chart on the screen: what a side sees of its own groups and of the enemy's."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

import flagplot
from flagplot.cli.keyboard.position import picture
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Roll


def drawn(game: Game[Any], side: str, width: int) -> str:
    console = Console(width=width, file=io.StringIO(), force_terminal=False, highlight=False, markup=False)
    console.print(picture(game.view(side), console))
    file = console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


def played(until: str, *orders: str) -> Game[Any]:
    """Midway with as little as possible done on both sides, but for some orders, up to a question of this verb."""
    game = flagplot.load("midway", seed=3)
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            game.roll([number % 6 + 1 for number in range(game.pending.dice)])
            continue
        offered = [option.text for option in game.pending.options]
        if offered[0].startswith(until):
            return game
        wanted = [text for text in offered if text in orders]
        game.choose(wanted[0] if wanted else offered[0])
    raise AssertionError(f"never asked: {until}")


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_side_sees_its_own_groups_and_of_the_enemy_only_the_numbers(width: int) -> None:
    text = drawn(played("patrol"), "japan", width)
    assert "◇ CG 1 the Midway Invasion" in text
    assert "Akagi" in text
    assert "the Guard Force [can join in" in text
    assert "◇ CG 2 [distant]" in text
    for secret in ("Enterprise", "Yorktown", "Task Force"):
        assert secret not in text
    assert max(map(len, text.splitlines())) <= width


def test_the_enemy_sees_none_of_it() -> None:
    text = drawn(played("patrol"), "allies", 100)
    assert "Enterprise" in text
    assert "1 more pending" in text
    for secret in ("Akagi", "Zuiho", "Invasion", "Guard", "elite"):
        assert secret not in text


def test_a_found_group_shows_what_was_told_and_how_often_it_was_found() -> None:
    text = " ".join(drawn(played("strike"), "allies", 130).split())
    assert "◆ CG 1 [active, found]" in text
    assert "ten or more factors, 1 fast carrier, slow, with cargo" in text
    assert "Kongo" not in text


def test_the_strike_under_way_and_the_carrier_air_are_shown() -> None:
    game = played("target", "strike:1")
    assert isinstance(game.pending, Choose)
    side = game.pending.side
    text = " ".join(drawn(game, side, 110).split())
    assert "Strike on CG 1: " in text
    assert "Carrier air" in text
    assert "ready aboard" in text
