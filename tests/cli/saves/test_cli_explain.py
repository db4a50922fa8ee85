"""`flagplot explain`, and `explain` at the keyboard: what air units may do, and the rule that closes all else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.awaw.turn.turns import base, ground, scenario

Run = Callable[..., Any]


@pytest.fixture
def turn_file(tmp_path: Path) -> Path:
    """An air turn round Malta."""
    data = scenario(
        base("sicily", "red", (0, 0), "3 germany army", "1 germany transport"),
        base("malta", "blue", (2, 0), "2 britain army", "1 britain naval"),
        units=[ground("garrison", "blue", "britain", "malta")],
    )
    path = tmp_path / "turn.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


@pytest.fixture
def save(run: Run, turn_file: Path, tmp_path: Path) -> Path:
    """A save of it in the movement phase, when red is asked for the first time."""
    path = tmp_path / "turn.jsonl"
    run("play", str(turn_file), "--player", "red=human", "--player", "blue=random", "--seed", "1", "--save", str(path))
    return path


def play(run: Run, turn_file: Path, typed: str) -> str:
    players = ("--player", "red=human", "--player", "blue=random", "--seed", "1")
    return str(run("play", str(turn_file), *players, typed=typed).out)


def test_a_person_asks_why_a_unit_may_not_fly(run: Run, turn_file: Path) -> None:
    out = play(run, turn_file, "explain Sicily\n")
    assert "sicily:germany:army: 3 German army air factors\n" in out
    assert "counterair: 3; Malta (18.511A)\n" in out
    assert "attack ships in port, bomb economic targets: only in the combat phase, still to come (18.511)\n" in out
    assert "all other missions: army air does not do this (17.23)\n" in out
    assert "all other missions: air transports only carry and supply (17.63)\n" in out


def test_of_the_enemy_a_person_reads_what_everybody_sees(run: Run, turn_file: Path) -> None:
    out = play(run, turn_file, "explain malta:britain:naval\n")
    assert "malta:britain:naval: 1 British naval air squadron (enemy: only what both sides know)\n" in out
    assert "malta:britain:army" not in out


def test_names_that_are_none_are_refused(run: Run, turn_file: Path) -> None:
    out = play(run, turn_file, "explain\nexplain atlantis\nhelp\n")
    assert "Type explain and a base, or BASE:NATION:ARM." in out
    assert "no air units of that name: “atlantis”. Use sicily" in out
    assert "explain X  in an air turn" in out


def test_other_games_say_that_they_do_not_tell(run: Run) -> None:
    out = run("play", "malta", "--player", "axis=human", "--seed", "3", typed="explain malta\n").out
    assert "only an air turn tells what its units may do, and this is not one: “malta”" in out


def test_a_save_is_explained_as_a_side_or_as_the_owner(run: Run, save: Path) -> None:
    mine = run("explain", str(save), "malta", "--as", "umpire").out
    assert mine.startswith("Player turn of Red, movement phase.\n")
    assert "defensive air support: 2; Malta (18.613)\n" in mine
    theirs = run("explain", str(save), "malta", "--as", "red").out
    assert theirs.startswith("Player turn of Red, movement phase.\n")
    assert "defensive air support: from what both sides know (18.613)\n" in theirs


def test_while_a_game_goes_on_it_is_explained_as_the_person_at_the_keyboard_knows_it(run: Run, save: Path) -> None:
    note, _, told = run("explain", str(save), "malta").out.partition("\n")
    assert note == "The game is still in progress: this is what Red knows. For more: --as red or --as blue."
    assert told == run("explain", str(save), "malta", "--as", "red").out


def test_one_json_document(run: Run, save: Path) -> None:
    told = run("explain", str(save), "sicily:germany:army", "--as", "red", "--json").json
    (unit,) = told["units"]
    assert (told["as"], told["phase"], unit["unit"]) == ("red", "movement", "sicily:germany:army")
    tasks = {task["task"]: task for task in unit["tasks"]}
    assert tasks["counterair"] == {
        "task": "counterair",
        "name": "counterair",
        "open": True,
        "number": 3,
        "text": "",
        "targets": ["Malta"],
        "rule": "18.511A",
    }


@pytest.mark.parametrize(
    ("unit", "more", "words"),
    [
        ("atlantis", (), "no air units of that name: “atlantis”"),
        ("malta", ("--as", "green"), "no such side: “green”"),
    ],
)
def test_bad_input_gets_code_2(run: Run, save: Path, unit: str, more: tuple[str, ...], words: str) -> None:
    done = run("explain", str(save), unit, *more)
    assert done.code == 2
    assert words in done.err
