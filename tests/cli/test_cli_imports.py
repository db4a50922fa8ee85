"""The command line starts quickly because it imports little."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest


def imported_by(*command: str) -> set[str]:
    """The modules that a fresh interpreter imports for a command."""
    ran = subprocess.run([sys.executable, "-X", "importtime", *command], capture_output=True, text=True, check=True)
    lines = [line for line in ran.stderr.splitlines() if line.startswith("import time:")]
    return {line.split("|")[-1].strip() for line in lines}


def test_the_package_needs_neither_typer_nor_rich() -> None:
    modules = imported_by("-c", "import flagplot; flagplot.load")
    assert "flagplot.kernel.game" in modules
    assert not {name for name in modules if name.split(".")[0] in ("typer", "rich", "click")}
    assert not {name for name in modules if name.startswith(("flagplot.awaw", "flagplot.cli", "flagplot.register"))}


@pytest.mark.parametrize("command", ["--help", "play --help"])
def test_help_imports_no_game_and_no_drawing(command: str) -> None:
    modules = imported_by("-m", "flagplot", *command.split())
    assert "flagplot.cli.app" in modules
    assert not {name for name in modules if name.startswith(("flagplot.awaw", "flagplot.register", "flagplot.players"))}
    assert "rich.console" not in modules
    assert not {name for name in modules if name.split(".")[0] in ("fastapi", "sqlalchemy", "alembic", "uvicorn")}


@pytest.mark.parametrize(("command", "first"), [("schema", "{"), ("options", "beyond_last_row")])
def test_a_reader_that_goes_away_is_no_fault(command: str, first: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m flagplot {command} | head -n 1; echo ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    shown, code = ran.stdout.splitlines()
    assert shown.startswith(first)
    assert code in ("0", "141"), "1 would mean that the answer is no"
