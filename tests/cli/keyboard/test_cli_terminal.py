"""Playing at a real terminal: two people at one keyboard, undo, saving, stopping, going on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flagplot.cli.screen import CLEAR_ALL
from tests.cli.terminals import PROJECT, Start, any_answer

HIDDEN_AT_RABAUL = "6 Japanese elite naval air squadrons"
HIDDEN_AT_TRUK = "◌ 2 Japanese naval air squadrons"


def test_two_people_play_a_whole_game(start: Start, tmp_path: Path) -> None:
    table = start("play", "rabaul", "--level", "step", "--seed", "3")
    table.prompt()
    assert table.screen == "Hand over to The Allies; press Enter "
    allies = table.answer("")
    assert "Choose a base to attack" in allies
    assert "TF marker TF 5" in table.screen
    assert HIDDEN_AT_RABAUL not in table.screen
    assert "◌" not in table.screen.replace("◌ hidden from the enemy", "")

    for typed in ("counterair:rabaul", "with:carriers", "5"):
        table.answer(typed)
    assert "Taken back." in table.answer("undo")
    assert "18.521  " in table.answer("?")
    assert "Rabaul (18.521)" in table.answer("log")
    assert "Saved in mine.jsonl" in table.answer("save mine.jsonl")
    assert HIDDEN_AT_RABAUL not in table.written
    table.answer("5")
    shown = table.answer("8")
    assert f"TF 5 in Rabaul: {HIDDEN_AT_RABAUL} aboard (18.521C)" in shown
    assert HIDDEN_AT_TRUK not in table.written

    assert table.answer("inverted:leave").strip().endswith("Hand over to Japan; press Enter")
    assert table.screen == "Hand over to Japan; press Enter "
    japan = table.answer("")
    assert HIDDEN_AT_TRUK in japan
    assert "⚀" in japan or ": air combat over" in japan
    assert "Too late to take back" in table.answer("undo")
    table.answer("quit now")
    farewell = table.last("quit")
    assert "flagplot resume mine.jsonl" in farewell
    assert table.process.returncode == 0

    again = start("resume", "mine.jsonl", "--level", "step", "--player", "allies=human", "--player", "japan=human")
    again.prompt()
    seen = {"allies": "", "japan": ""}
    sitting = ""
    while True:
        if again.screen.endswith("press Enter "):
            sitting = "japan" if again.screen == "Hand over to Japan; press Enter " else "allies"
        else:
            seen[sitting] += again.screen
        if not again.step(any_answer(again.screen)):
            break
    again.end()
    assert again.process.returncode == 0
    assert "flagplot verify mine.jsonl" in again.fresh
    assert HIDDEN_AT_TRUK in seen["japan"]
    assert HIDDEN_AT_TRUK not in seen["allies"]
    verdict = subprocess.run(
        [sys.executable, "-m", "flagplot", "verify", str(tmp_path / "mine.jsonl")],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(PROJECT)},
    )  # fmt: skip
    assert verdict.returncode == 0, verdict.stdout


def test_an_answer_is_taken_back_before_the_other_sits_down(start: Start) -> None:
    table = start("play", "midway", "--level", "step", "--seed", "1")
    table.prompt()
    for typed in ("", "1", "3", "1"):
        table.answer(typed)
    assert "Hand over to United States" in table.answer("4")
    for typed in ("", "1"):
        table.answer(typed)
    assert "Hand over to Japan" in table.answer("2")
    for typed in ("", "2"):
        table.answer(typed)
    assert "Hand over to United States" in table.answer("1")
    back = table.answer("undo")
    assert "› CAP over the Midway Invasion Force: how many of 2 Japanese naval air squadrons?" in back
    table.answer("0")
    table.answer("")
    assert "Japan: assigning combat air patrol" in table.answer("log")
    assert "Invasion Force" not in table.screen
    assert "on combat air patrol" not in table.screen


def test_one_human_hands_nothing_over(start: Start) -> None:
    table = start("play", "malta", "--level", "step", "--seed", "1", "--player", "allies=random")
    assert "Choose a base to attack" in table.prompt()
    assert CLEAR_ALL not in table.written


def test_ctrl_c_saves_and_says_how_to_go_on(start: Start, tmp_path: Path) -> None:
    players = ("--player", "allies=random")
    table = start("play", "malta", "--level", "step", *players, columns=70, by_itself=True)
    table.prompt()
    table.answer("1")
    table.mark = len(table.written)
    time.sleep(0.05)
    table.process.send_signal(signal.SIGINT)
    farewell = table.end()
    assert table.process.returncode == 130
    [save] = tmp_path.glob("flagplot-malta-*.jsonl")
    assert f"Game saved in {save.name}" in " ".join(farewell.split())
    assert f"flagplot resume {save.name}" in farewell


def test_the_menu(start: Start) -> None:
    table = start("play")
    menu = table.prompt()
    assert "What do you want to play?" in menu
    assert "Air phases" in menu
    assert "“99” is not in the list. Type 1 to 6, a name, or quit." in table.answer("99")
    assert "Malta, spring 1942" in table.answer("5")
    assert "Who plays The Axis?" in table.answer("malta")
    assert "Who plays The Allies?" in table.answer("1")
    assert "Choose a base to attack" in table.answer("random")
    assert "Nothing to save" in table.last("quit")
    assert table.process.returncode == 0


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_position_fits_the_screen(start: Start, columns: int) -> None:
    table = start("play", "rabaul", "--level", "step", "--seed", "3", "--player", "japan=random", columns=columns)
    lines = table.prompt().splitlines()
    assert max(map(len, lines)) <= columns
    beside = [line for line in lines if "The Allies" in line and "Japan" in line]
    assert bool(beside) == (columns >= 78)


def test_without_colour_the_signs_remain(start: Start) -> None:
    table = start("play", "rabaul", "--level", "step", "--player", "japan=random", NO_COLOR="1")
    table.prompt()
    assert not re.search(r"\x1b\[[0-9;]*(3[0-8]|4[0-8])[;m]", table.written)
    assert "○ 1 Japanese army air factor, inverted" in table.fresh
    coloured = start("play", "rabaul", "--level", "step", "--player", "japan=random")
    coloured.prompt()
    assert "\x1b[1;38;" in coloured.written
