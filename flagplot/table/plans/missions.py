"""Who may fly the missions of a plan, and what keeps the others: asked of the game at the moment of each mission.

A plan goes on to later phases, so the game is asked on a copy that has the plan's answers up to the mission. The copy
runs only what the side itself decides and what it learns nothing from, and the game tells a side of its own units.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from flagplot.kernel.game import Game
from flagplot.kernel.sheets import Sheet
from flagplot.table.plans.words import does_nothing, words_of


class Standing(NamedTuple):
    """Whether some air units may fly a mission."""

    open: bool
    number: int
    text: str
    rule: str


Standings = Mapping[str, Mapping[str, Standing]]
"""By the key of the question that begins a mission, and by base, nation and arm."""


def standings_of(game: Game[Any], side: str, sheet: Sheet) -> Standings:
    """Who may fly the missions that a plan is about; nothing if the game does not tell."""
    tell = getattr(game.ruleset, "closed", None)
    words = words_of(game.ruleset.name)
    begun = [place for place, one in enumerate(sheet.fields) if words.mission(one)]
    if tell is None or not begun:
        return {}
    copy, found = game.copy(), {}
    for place, one in enumerate(sheet.fields[: begun[-1] + 1]):
        mission = words.mission(one)
        if mission is not None:
            aim = "" if does_nothing(one) else _aim(one.key, one.chosen, counts=one.counts)
            told = tell(copy.state, side, mission.task, aim)
            found[one.key] = {unit: Standing(v.open, v.number, v.text, v.rule) for unit, v in told.items()}
        if place < begun[-1]:
            copy.choose(one.chosen)
    return found


def _aim(key: str, chosen: str, *, counts: bool) -> str:
    """The target that is chosen; where nothing is chosen before the counts, the first word of their subject."""
    return key.partition("#")[0].split(":")[1] if counts else chosen.rpartition(":")[2]
