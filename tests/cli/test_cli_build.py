"""`flagplot build`: a battle from plain text."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import flagplot
from flagplot.builder import read, same

Run = Callable[..., Any]
BATTLE = """\
A carrier duel
Japan TF1: Hiryu, 4 CA, 3 DD; 3 NAS
US TF16: Hornet, 4 CA, 3 DD; 3 NAS
"""


def test_a_battle_is_shown_with_totals_and_what_was_filled_in(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(BATTLE, encoding="utf8")
    ran = run("build", "mine.txt", "--save", "mine.toml")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "A carrier duel: round 1")
    assert "10 of 25 factors" in ran.out
    assert "Japan moves (our estimate)" in ran.out
    saved = tomllib.loads((tmp_path / "mine.toml").read_text(encoding="utf8"))
    assert saved == read(BATTLE).document
    assert run("build", "mine.txt", "--save", "mine.toml").code == 2
    assert run("play", "mine.toml", "--seed", "1").code == 0


def test_problems_are_shown_under_their_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(BATTLE.replace("Hornet", "Hornett"), encoding="utf8")
    ran = run("build", "mine.txt")
    assert ran.code == 2
    told = ran.err.splitlines()
    assert told[0] == "line 3: No ship called “Hornett”. Did you mean Hornet?"
    assert told[2] == "           ^^^^^^^"
    found = run("build", "mine.txt", "--json").json
    assert found["scenario"] is None
    assert found["problems"][0]["suggestion"] == "Hornet"


def test_any_scenario_is_written_as_text_and_read_from_standard_input(run: Run) -> None:
    ran = run("build", "-", "--as", "toml", typed=run("build", "--from", "coral-sea").out)
    assert ran.code == 0
    assert same(tomllib.loads(ran.out), flagplot.read_scenario("coral-sea"))


def test_what_cannot_be_built_is_refused(run: Run) -> None:
    assert "a file of plain text" in run("build", "nowhere.txt").err
    assert "Type a force" in run("build").err
    assert "give one of them" in run("build", "-", "--from", "midway").err
    assert "Use text, toml or json" in run("build", "--from", "midway", "--as", "yaml").err
