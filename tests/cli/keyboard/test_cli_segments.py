"""The line of segments: where a naval battle stands, on the screen, in a pipe and in the view."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import flagplot
from flagplot.awaw.battle.stages import LINE, STAGES, present_stage
from flagplot.awaw.procedures import naval_battle
from flagplot.cli.keyboard.steps import line_in_words, stage_of
from flagplot.kernel.game import Game
from flagplot.kernel.procedures import Frame
from flagplot.players.random import RandomPlayer
from tests.cli.terminals import Start, any_answer

Run = Callable[..., Any]

CALLED = {
    "base-attacks": "B",
    "air-strikes": "G",
    "strike": "G",
    "fleet-combat": "H",
    "engagement": "H",
    "submarine-attacks": "I",
}
"""Procedures that are called from one lettered segment only."""


def moments(name: str, seeds: range) -> Iterator[Game[Any]]:
    """Every moment at which something is asked, in some games at random."""
    for seed in seeds:
        game = flagplot.load(name, seed=seed)
        players = {side: RandomPlayer(seed + place) for place, side in enumerate(game.sides)}
        while game.pending is not None:
            yield game
            game.play(players, until=game.turn + 1)


def test_every_segment_of_the_procedure_has_its_letter() -> None:
    assert [segment for stage in STAGES for segment in stage.segments] == list(naval_battle.segments.values())
    assert list(LINE) == [*"ABCDEFGHIW", "End"]


def test_a_segment_that_called_a_procedure_is_still_the_present_one() -> None:
    met = set()
    for game in moments("midway", range(3)):
        procedures = {frame.procedure for frame in game.state.frames} & set(CALLED)
        now = game.view("umpire").data["segment"]
        assert procedures <= {name for name, mark in CALLED.items() if mark == now["mark"]}
        met |= procedures
    assert {"base-attacks", "air-strikes", "strike", "fleet-combat"} <= met


def test_the_letters_come_in_order_and_tell_both_sides_the_same() -> None:
    before = (0, 0)
    for game in moments("coral-sea", range(1)):
        data = game.view("japan").data
        assert data["segment"] == game.view("allies").data["segment"]
        place = (data["round"], list(LINE).index(data["segment"]["mark"]))
        assert place >= before
        before = place


def test_fleet_combat_is_told_by_its_own_rule_unless_it_is_a_raid() -> None:
    for name in ("midway", "denmark-strait"):
        told = [game.view("umpire").data["segment"]["rule"] for game in moments(name, range(2)) if fights(game)]
        assert set(told) == {"22.41H"}


def fights(game: Game[Any]) -> bool:
    return any(frame.procedure == "fleet-combat" for frame in game.state.frames)


def test_a_battle_that_is_over_and_another_kind_of_game_have_none() -> None:
    assert present_stage([]) is None
    assert present_stage([Frame("air-phase", "begin")]) is None
    assert "segment" not in flagplot.load("malta", seed=1).view("axis").data
    board = flagplot.load("malta", seed=1).view("axis").board
    assert stage_of(None) == stage_of(board) == line_in_words(board) == []


def test_the_present_one_is_marked_without_colour() -> None:
    (line,) = stage_of(flagplot.load("midway", seed=1).view("japan").board)
    assert line.text.plain == "Round 1  [A] B C D E F G H I W End  combat groups (22.41A)"
    assert len(line.text.plain) < 60
    assert max(len(f"Round 9  {' '.join(LINE)}  {name} (22.4422)") for name in LINE.values()) < 64


def test_a_pipe_gets_the_line_with_the_position_and_when_it_changes(run: Run) -> None:
    players = ("--player", "japan=human", "--player", "allies=random", "--seed", "3")
    ran = run("play", "midway", *players, typed="1\n3\n1\n4\nround\n0\n0\n")
    assert "\nRound 1: [A] B C D E F G H I W End combat groups\n" in ran.out
    assert "\nRound 1: A [B] C D E F G H I W End patrol and bases\n" in ran.out
    assert "\n  B    patrol and bases (now)\n" in ran.out
    assert "\n  W    withdrawal\n" in ran.out


def test_a_game_without_a_line_says_so(run: Run) -> None:
    ran = run("play", "malta", "--player", "axis=human", "--player", "allies=random", typed="round\n")
    assert "This game has no list of steps." in ran.out


@pytest.mark.parametrize("columns", [60, 80])
def test_on_a_terminal_the_line_stands_right_above_the_question(start: Start, columns: int) -> None:
    table = start(
        "play", "midway", "--level", "step", "--seed", "3", "--player", "allies=random", rows=24, columns=columns
    )
    table.prompt()
    letters = []
    for _ in range(12):
        lines = table.screen.splitlines()
        asked = max(number for number, line in enumerate(lines) if " › " in line and "Japan" in line)
        marked = [line for line in lines[:asked] if line.startswith("Round 1  ")]
        letters += re.findall(r"\[(\w+)\]", marked[-1])
        assert max(map(len, table.fresh.splitlines())) <= columns
        if "[G]" in marked[-1] or not table.step(any_answer(table.screen)):
            break
    assert letters == sorted(letters)
    assert {"A", "B"} <= set(letters)
