"""`flagplot review`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import flagplot
from flagplot.drills import begun, drill

Run = Callable[..., Any]


def test_a_battle_is_reviewed_for_both_sides_or_one(run: Run, tmp_path: Path) -> None:
    game = begun(drill("cap"))
    game.choose("engage:japan-at-sea:japan:naval:squadrons:0")
    save = tmp_path / "cap.jsonl"
    game.save(save)
    out = run("review", str(save), "--as", "japan").out
    assert "Engage the strike" in out
    assert "Japan chose “None”. “2” was worth" in out
    assert "(exact)" in out
    assert "The dice were" in out
    found = json.loads(run("review", str(save), "--as", "japan", "--json").out)
    assert found["decisions"]["japan"][0]["chosen"] == "None"


def test_a_running_game_asks_whose_decisions(run: Run, tmp_path: Path) -> None:
    save = tmp_path / "game.jsonl"
    flagplot.load("first-battle", seed=3).save(save)
    ran = run("review", str(save))
    assert (ran.code, "--as" in ran.err) == (2, True)
    quiet = run("review", str(save), "--as", "japan").out
    assert "No decision stands out" in quiet
