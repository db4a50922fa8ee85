"""Where battles begin: at the start of a scenario, or at the position that a save has reached."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from flagplot import library
from flagplot.kernel.dice import Typed
from flagplot.kernel.errors import BadValue
from flagplot.kernel.game import Game
from flagplot.kernel.plain_data import to_plain
from flagplot.kernel.save_lines import kind_of

SAVE = b'{"flagplot":'
"""How the header of every save begins."""
ANSWERS = ("side", "choose", "roll", "undo", "consent")
"""The keys of a save's line that say what was answered."""
KINDS = ("choice", "roll", "undo")


class Start(NamedTuple):
    """Where battles begin."""

    game: Game[Any]
    """The game at that point; nobody plays on with it."""
    options: Mapping[str, Any]
    """Readings that stand before those of the scenario."""
    answers: Sequence[Mapping[str, Any]] = ()
    save: str = ""
    """The file of a save, if it is one."""
    notices: Sequence[str] = ()
    """What people should be told of the save."""


def starting(source: str | Path | Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Start:
    """The start that is meant by a scenario's name, file or data, or by a save."""
    if isinstance(source, Mapping) or not is_save(source):
        return Start(library.load(source, seed=0, options=options), options or {})
    if options:
        raise BadValue(
            "a save keeps its house rules",
            given=", ".join(f"{name}={str(value).lower()}" for name, value in options.items()),
            allowed=["options only with a scenario"],
        )
    return _reached(Path(source))


def is_save(source: str | Path) -> bool:
    """Whether this is the file of a save: by its name, or else by how it begins."""
    path = Path(source)
    if path.suffix == ".jsonl":
        return True
    try:
        with path.open("rb") as file:
            return file.read(len(SAVE)) == SAVE
    except (OSError, ValueError):
        return False


def _reached(path: Path) -> Start:
    """The position of a save, which stays as it is."""
    game, notices = library.resume_with_notices(path, follow=False)
    if game.pending is None:
        raise BadValue(
            "this game is over: nothing is left to play",
            given=path,
            allowed=["a save of an unfinished game", "a scenario"],
        )
    bodies = [json.loads(text) for text in game.tape().texts[1:]]
    answers = [{key: body[key] for key in ANSWERS if key in body} for body in bodies if kind_of(body) in KINDS]
    without_secret = game.copy(Typed())
    return Start(without_secret, to_plain(game.options), answers, str(path), notices)
