"""The versions of the program and of the rules of its games, which saves and pages name."""

from __future__ import annotations

from typing import NamedTuple

__version__ = "0.1.0"


class Rules(NamedTuple):
    """What is said of the rules of a game without reading them."""

    version: str
    title: str


RULES = {
    "awaw": Rules("awaw-7", "A World at War"),
    "line-of-battle": Rules("line-of-battle-1", "Line of Battle"),
}
