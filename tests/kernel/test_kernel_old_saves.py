"""Saves of every version of the rules stay readable: whole under the rules that are here, else chain and dice.

`tests/saves/VERSION/` keeps finished games of each version for ever. When the rules change, the saves of the old
version stay as they are, and some of the new one are added.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import flagplot
from flagplot import library
from flagplot.cli.app import app
from flagplot.kernel.errors import OldRules
from flagplot.kernel.tape import seal
from flagplot.players import player

SAVES = sorted((Path(__file__).resolve().parents[1] / "saves").glob("*/*.jsonl"))
NOW = {library.ruleset(name).version for name in library.RULESETS}


def test_every_version_that_is_here_has_saves() -> None:
    assert {path.parent.name for path in SAVES} >= NOW


@pytest.mark.parametrize("path", SAVES, ids=[f"{path.parent.name}/{path.stem}" for path in SAVES])
def test_a_kept_save_is_proved(path: Path) -> None:
    found = flagplot.verify(path)
    assert found.problems == []
    assert found.proved == found.rolls > 5
    assert found.result
    assert found.old_rules == ("" if path.parent.name in NOW else path.parent.name)


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """As it would be under rules that nobody has any more. (Seeded dice do not hang on the lines before them.)"""
    game = flagplot.load("savo-island", seed=3)
    path = tmp_path / "older.jsonl"
    game.save(path)
    game.play({side: player("doctrine", 1) for side in game.sides})
    game.stop_saving()
    return rechained(path)


def rechained(path: Path) -> Path:
    """The same lines with another version in the header, sealed again."""
    bodies = [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]
    bodies[0]["rules"] = "line-of-battle-0"
    head, lines = "", []
    for body in bodies:
        bare = {key: value for key, value in body.items() if key != "hash"}
        text, head = seal({**bare, "prev": head} if "prev" in bare else bare)
        lines.append(text)
    path.write_text("\n".join(lines) + "\n", encoding="utf8")
    return path


def test_under_other_rules_chain_and_dice_are_proved_and_no_more_is_claimed(older: Path) -> None:
    found = flagplot.verify(older)
    assert found.problems == []
    assert found.proved == found.rolls > 5
    assert not found.whole
    assert found.as_dict()["sound"] is False
    assert found.proved_in_words == {
        "chain": "proved",
        "answers": "not proved",
        "dice": "proved",
        "result": "not proved",
    }
    assert "proved in part" in found.headline("older")
    with pytest.raises(OldRules, match=r"this version has line-of-battle-1: it can only be replayed and verified$"):
        flagplot.resume(older)


def test_under_other_rules_it_is_shown_as_it_was_written(older: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command, code in (("replay", 0), ("verify", 1)):
        with pytest.raises(SystemExit) as left:
            app(args=[command, str(older)], prog_name="flagplot")
        assert left.value.code == code
    shown = capsys.readouterr().out
    assert "Played under rules line-of-battle-0" in shown
    assert "Game over: " in shown
    assert "cannot be checked with this version" in shown


def test_a_running_game_under_other_rules_keeps_its_secrets(older: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = older.read_text(encoding="utf8").splitlines()
    older.write_text("\n".join(lines[:9]) + "\n", encoding="utf8")
    with pytest.raises(SystemExit) as left:
        app(args=["replay", str(older)], prog_name="flagplot")
    assert left.value.code == 2
    assert "›" not in capsys.readouterr().out
    with pytest.raises(SystemExit):
        app(args=["replay", str(older), "--as", "umpire"], prog_name="flagplot")
    assert "The game was not over." in capsys.readouterr().out
