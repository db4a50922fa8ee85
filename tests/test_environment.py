"""The environment that ./run, ./test and bench/run prepare."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("with_python", [False, True])
def test_a_linked_environment_is_never_deleted(tmp_path: Path, with_python: bool) -> None:
    """It belongs to others too: if its packages are not those of the lock file it is used as it is, which is told."""
    shared, here = tmp_path / "shared", tmp_path / "here"
    (shared / "bin").mkdir(parents=True)
    (shared / "kept").write_text("work", encoding="utf-8")
    if with_python:
        (shared / "bin" / "python").symlink_to("/bin/true")
    here.mkdir()
    (here / ".venv").symlink_to(shared)
    script = f'root={here}; . "{ROOT}/tools/environment.sh"; prepare run'
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert ran.returncode == (0 if with_python else 2)
    assert f".venv is a link to {shared}" in ran.stderr
    assert (here / ".venv").is_symlink()
    assert (shared / "kept").read_text(encoding="utf-8") == "work"
