"""Saves while playing: their names, and how to go on from them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from flagplot.kernel.errors import SaveError
from flagplot.kernel.tape import secret_path


def new_save(text: str) -> Path:
    """The file that a person named for a new save."""
    path = Path(text).expanduser()
    if path.exists():
        raise SaveError(
            "there is a file of this name already; it is left as it is",
            given=text,
            allowed=["the name of a new file", f"flagplot resume {shlex.quote(text)}"],
        )
    return path


def proposed(scenario: str) -> Path:
    """A name for a save in the working directory that no file has."""
    today = datetime.now(UTC).astimezone().date()
    stem = f"flagplot-{Path(scenario).stem}-{today}"
    names = (Path(f"{stem}{'' if number == 1 else f'-{number}'}.jsonl") for number in count(1))
    return next(path for path in names if not path.exists() and not secret_path(path).exists())


def going_on(path: Path, who: Mapping[str, str], more: str = "") -> str:
    """The command that goes on from a save with the same players, and whatever else was given."""
    players = "".join(f" --player {shlex.quote(f'{side}={name}')}" for side, name in who.items())
    return f"flagplot resume {shlex.quote(str(path))}{players}{more}"
