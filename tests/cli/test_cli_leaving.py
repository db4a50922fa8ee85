"""Small things on which a first evening depends: commands that work as printed, who plays after a pause, whose view a
command shows, a save under the name that was meant, and the import that the guide shows."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import flagplot

Run = Callable[..., Any]
AGAINST = ("--player", "japan=human", "--player", "allies=doctrine", "--seed", "3")


def left(run: Run, *more: str, typed: str = "1\n\nquit\n") -> Any:
    """A battle against the program, left after a first answer."""
    return run("play", "first-battle", *AGAINST, *more, typed=typed)


def test_the_command_that_is_printed_continues_the_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGPLOT_COMMAND", "./run")
    printed = re.search(r"^  \./run (resume .*)$", left(run).out, re.MULTILINE)
    assert printed, "it is the program that was started, not one that may not be installed"
    again = run(*shlex.split(printed[1]), typed="quit\n")
    assert again.code == 0
    assert "Choose a combat group number" in again.out, "it goes on after the first answer"


def test_resume_remembers_who_plays_each_side(run: Run, tmp_path: Path) -> None:
    left(run, "--save", "game.jsonl")
    told = json.loads((tmp_path / "game.jsonl.players").read_text(encoding="utf8"))
    assert told == {"japan": "human", "allies": "doctrine"}
    out = run("resume", "game.jsonl", typed="quit\n").out
    assert "Choose a combat group number" in out, "the person is asked, in a pipe too"


@pytest.mark.parametrize("command", ["replay", "report"])
def test_a_running_game_does_not_show_the_enemys_secrets_unless_asked_to(run: Run, command: str) -> None:
    game = flagplot.load("first-battle", seed=3)
    while game.turn < 4:
        game.choose(game.pending.options[0])  # type: ignore[union-attr]
    game.save("game.jsonl")
    secret = "number for the Hornet Group"
    assert secret not in run(command, "game.jsonl").out, "nobody is known to play: only what both sides know"
    Path("game.jsonl.players").write_text('{"japan": "human", "allies": "doctrine"}', encoding="utf8")
    shown = run(command, "game.jsonl").out
    assert secret not in shown
    assert "Japan" in shown
    if command == "replay":
        assert secret in run(command, "game.jsonl", "--as", "umpire").out


def test_a_name_that_is_hardly_meant_as_one_is_asked_about(run: Run, tmp_path: Path) -> None:
    out = left(run, typed="1\n\nquit\nno\nn\n-\n").out
    assert "Save to a new file called “no”? y or n" in out
    assert "Game not saved." in out
    assert not list(tmp_path.iterdir())
    left(run, typed="1\n\nquit\nno\ny\n")
    assert (tmp_path / "no").exists(), "who means it has it"


def test_odds_can_be_imported_as_the_guide_shows() -> None:
    odds = import_module("flagplot.odds")
    assert callable(odds.strike)
    assert callable(flagplot.odds.strike)
    found = odds.search(groups="2", dice="3")
    assert str(found) == str(flagplot.odds.search(groups="2", dice="3"))
