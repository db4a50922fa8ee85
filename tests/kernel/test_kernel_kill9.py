"""A few kills of a program that saves its game; `./bench/run kill9` does a thousand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

from bench import kill9

ROOT = Path(kill9.__file__).parents[1]


def test_a_killed_program_loses_nothing(tmp_path: Path) -> None:
    command = [sys.executable, kill9.__file__, "--trials", "5", "--seed", "1942", "--folder", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("seed 1942: 5 of 5 trials")
    assert "0 corrupt, 0 lost, 0 otherwise wrong" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_the_check_finds_a_lost_answer(tmp_path: Path) -> None:
    """The bench itself is tried: a save of three answers, of which four were acknowledged."""
    trial = saved(tmp_path, answers=3)
    assert kill9.check(trial, 3).faults == []
    trial = saved(tmp_path, answers=3)
    assert kill9.kind(kill9.check(trial, 4).faults) == "lost"
    trial = saved(tmp_path, answers=3)
    assert kill9.kind(kill9.check(trial, 1).faults) == "otherwise"


def test_the_check_finds_a_corrupt_save(tmp_path: Path) -> None:
    trial = saved(tmp_path, answers=6)
    lines = trial.path.read_text(encoding="utf8").splitlines(keepends=True)
    trial.path.write_text("".join(lines[:3] + lines[4:]), encoding="utf8")
    assert kill9.kind(kill9.check(trial, 5).faults) == "corrupt"
    trial.path.unlink()
    assert kill9.kind(kill9.check(trial, 5).faults) == "lost"
    assert kill9.check(trial, -1).faults == []


def saved(folder: Path, answers: int) -> kill9.Trial:
    """A trial whose save holds some answers, as if its player had been killed then."""
    trial = kill9.draw(1, Random(7), ["midway"], folder)
    trial.path.unlink(missing_ok=True)
    game = kill9.undisturbed(trial, answers)
    game.save(trial.path)
    game.stop_saving()
    return trial
