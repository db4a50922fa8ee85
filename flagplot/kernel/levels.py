"""How much decisions matter: a player says from which level on he is asked, and his staff answers the rest."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from importlib.resources import files
from typing import TypeAlias


class Level(StrEnum):
    """How much a decision matters. Whoever is asked at one level is asked at those before it, too."""

    COMMAND = "command"
    """What an admiral decides: groups, patrols, strikes, interceptions, orders."""
    TACTICS = "tactics"
    """What a captain decides: targets within a strike, who is screened, who fires at whom."""
    ROUTINE = "routine"
    """What somebody has to write down: which of equal ships or squadrons, which deck or base to land on."""

    def asks(self, other: Level) -> bool:
        """Whether a player of this level is asked what belongs to another one."""
        return tuple(Level).index(other) <= tuple(Level).index(self)


Levels: TypeAlias = Mapping[str, Level]
"""For each kind of decision, by the first word of its options, or by that with its procedure before it."""


def read_levels(package: str, file: str = "levels.toml") -> dict[str, Level]:
    """The levels of a game, from the data file in its package."""
    data = tomllib.loads((files(package) / file).read_text(encoding="utf8"))
    return {word: level for level in Level for word in data[level.value]}


def level_of(levels: Levels, procedure: str, word: str) -> Level:
    """The level of a decision of a procedure. What nobody has marked is asked."""
    return levels.get(f"{procedure}/{word}") or levels.get(word, Level.COMMAND)
