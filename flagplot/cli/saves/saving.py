"""Saves while playing: their names, and how to go on from them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from flagplot.cli.command import program
from flagplot.kernel.errors import SaveError
from flagplot.kernel.tape import secret_path


def new_save(text: str) -> Path:
    """The file that a person named for a new save."""
    path = Path(text).expanduser()
    if path.exists():
        raise SaveError(
            "a file of this name exists already",
            given=text,
            allowed=["the name of a new file", f"{program()} resume {shlex.quote(text)}"],
        )
    return path


def proposed(scenario: str) -> Path:
    """A name for a save in the working directory that no file has."""
    today = datetime.now(UTC).astimezone().date()
    stem = f"flagplot-{Path(scenario).stem}-{today}"
    names = (Path(f"{stem}{'' if number == 1 else f'-{number}'}.jsonl") for number in count(1))
    return next(path for path in names if not path.exists() and not secret_path(path).exists())


def going_on(path: Path, more: str = "") -> str:
    """The command that continues a save, with whatever else was given; who plays is remembered."""
    return f"{program()} resume {shlex.quote(str(path))}{more}"


# --- who plays --------------------------------------------------------------------------------------------------


def players_path(save: Path) -> Path:
    """The file beside a save that says who plays each side."""
    return save.with_name(f"{save.name}.players")


def remember(save: Path, who: Mapping[str, str]) -> None:
    """Keep who plays each side, for `resume`. It is a convenience: if the file cannot be written, the game goes on."""
    with suppress(OSError):
        players_path(save).write_text(json.dumps(dict(who)) + "\n", encoding="utf8")


def forget(save: Path) -> None:
    """The game is over: nobody resumes it."""
    with suppress(OSError):
        players_path(save).unlink(missing_ok=True)


def remembered(save: Path, sides: Iterable[str]) -> dict[str, str]:
    """Who played each side when the save was last played; nothing of what cannot be read."""
    try:
        told = json.loads(players_path(save).read_text(encoding="utf8"))
    except (OSError, ValueError):
        return {}
    return {side: told[side] for side in sides if isinstance(told, dict) and isinstance(told.get(side), str)}
