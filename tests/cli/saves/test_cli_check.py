"""`flagplot check`, and the faults of scenario files."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import flagplot

Run = Callable[..., Any]
MALTA = (resources.files("flagplot") / "scenarios" / "malta.toml").read_text(encoding="utf8")


def written(tmp_path: Path, text: str, name: str = "mine.toml") -> str:
    (tmp_path / name).write_text(text, encoding="utf8")
    return name


@pytest.mark.parametrize("name", flagplot.scenario_names())
def test_our_own_scenarios_are_sound(run: Run, name: str) -> None:
    ran = run("check", name)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"{name} is valid")
    assert run("check", name, "--json").json == {"scenario": name, "sound": True, "faults": []}


def test_a_file_is_checked_and_played(run: Run, tmp_path: Path) -> None:
    name = written(tmp_path, MALTA)
    assert run("check", name).code == 0
    assert run("play", name, "--seed", "1").code == 0


@pytest.mark.parametrize(
    ("old", "new", "place", "told"),
    [
        ('game = "awaw"', 'game = "awaw', "the file", "not TOML"),
        ('game = "awaw"', 'game = "chess"', "game", "“chess”"),
        ('nation = "germany"', 'nation = "ruritania"', "bases[0].air[0].nation", "“ruritania”"),
        ("factors = 5", "factors = -5", "bases[0].air[0].factors", "-5 is not between"),
        ("factors = 5", "factors = 55", "bases[0]", "18.12"),
        ("factors = 5", 'factors = "five"', "bases[0].air[0].factors", "“five”"),
        ('theatre = "europe"', 'theatre = "moon"', "theatre", "“moon”"),
        ('attacker = "axis"', 'attacker = "mars"', "attacker", "“mars”"),
    ],
)
def test_a_fault_is_told_with_its_place(run: Run, tmp_path: Path, old: str, new: str, place: str, told: str) -> None:
    assert old in MALTA
    name = written(tmp_path, MALTA.replace(old, new, 1))
    for command in ("check", "play"):
        ran = run(command, name)
        assert ran.code == 2
        assert not ran.out
        assert "“mine.toml” has 1 fault" in ran.err
        assert place in ran.err
        assert told in ran.err


def test_all_faults_are_told_at_once(run: Run, tmp_path: Path) -> None:
    text = MALTA.replace("factors = 5", "factors = -5", 1).replace('theatre = "europe"', 'theatre = "moon"')
    ran = run("check", written(tmp_path, text), "--json")
    assert ran.code == 2
    assert ran.json["sound"] is False
    assert [fault["place"] for fault in ran.json["faults"]] == ["theatre", "bases[0].air[0].factors"]


def test_what_is_neither_a_name_nor_a_file(run: Run) -> None:
    for command in ("check", "play"):
        ran = run(command, "atlantis")
        assert ran.code == 2
        assert "“atlantis”" in ran.err
        assert "malta" in ran.err
        ran = run(command, "atlantis.toml")
        assert ran.code == 2
        assert "“atlantis.toml”" in ran.err
