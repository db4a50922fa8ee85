"""The environment that ./run, ./test and bench/run prepare."""

from __future__ import annotations

import subprocess
import sys
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


def found_python(system: str, named: str = "") -> str:
    """The interpreter that environments are made with on such a system, if nobody or somebody names one."""
    script = (
        f'root="{ROOT}"; . "{ROOT}/tools/environment.sh"; uname() {{ echo {system}; }};'
        f' FLAGPLOT_PYTHON="{named}"; find_python'
    )
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.strip()


def test_the_systems_own_python_comes_first() -> None:
    """It is the one built for speed. On macOS what lies there may be no Python at all, but an offer to install one."""
    new_enough = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))"
    try:
        fits = subprocess.run(["/usr/bin/python3", "-I", "-c", new_enough], capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("no /usr/bin/python3")
    if fits.returncode == 0:
        assert found_python("Linux") == "/usr/bin/python3"
    else:
        assert found_python("Linux") != "/usr/bin/python3"


def test_elsewhere_the_path_alone_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "python3.13").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert found_python("Darwin") == str(tmp_path / "python3.13")


def test_a_python_that_is_named_comes_before_all_others() -> None:
    assert found_python("Linux", sys.executable) == sys.executable
