"""Whose view of a saved game a command shows, if `--as` does not say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from flagplot import library
from flagplot.cli.output import new_console
from flagplot.cli.saves.saving import remembered
from flagplot.cli.screen import Screen
from flagplot.cli.seats import HUMAN
from flagplot.kernel.game import Game
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE


class Saved(NamedTuple):
    """A saved game, and who reads it."""

    game: Game[Any]
    notices: Sequence[str]
    """What people should be told of the save."""
    reader: str

    def screen(self) -> Screen:
        """A screen on which the notices stand first."""
        screen = Screen(new_console())
        for notice in self.notices:
            screen.say(f"Note: {notice}.")
        return screen


def read_saved(file: str, given: str | None) -> Saved:
    """A save as somebody reads it who may have said as whom."""
    game, notices = library.resume_with_notices(file, follow=False)
    return Saved(game, notices, reader_of(game, file, given))


def reader_of(game: Game[Any], file: str, given: str | None) -> str:
    """Who reads a save: as given; everything of a game that is over; of one that goes on the only person who plays it,
    else what both sides know. Nobody is shown the enemy's secrets by accident."""
    if given is not None:
        return given
    if game.pending is None:
        return UMPIRE
    people = [side for side, who in remembered(Path(file), game.sides).items() if who == HUMAN]
    return people[0] if len(people) == 1 else NEUTRAL


def reader_name(reader: str, names: dict[str, str]) -> str:
    """What people call a reader."""
    return {UMPIRE: "the umpire", NEUTRAL: "both sides"}.get(reader) or names[reader]


def say_reader(screen: Screen, game: Game[Any], reader: str, given: str | None) -> None:
    """Tell whose view is shown, if nobody asked for it and it is not everything."""
    if given is None and reader != UMPIRE:
        shown = reader_name(reader, game.view(reader).names)
        sides = " or ".join(f"--as {side}" for side in game.sides)
        screen.say(
            f"The game is still in progress: this is what {shown} know{'s' * (reader != NEUTRAL)}. For more: {sides}."
        )
