"""The odds of a table's question, reckoned in a process of its own from the lines of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot import library
from flagplot.kernel.saves import begin_tape, follow_line
from flagplot.odds.enumerator import Limits
from flagplot.odds.position import LIMITS, position
from flagplot.odds.position_answer import PositionAnswer

TRIALS = 120
"""Trials of each option where it cannot be exact."""


def position_odds(said: Mapping[str, Any], seconds: float) -> PositionAnswer:
    """What comes of each option of the pending question, as far as its side knows."""
    first, *rest = said["lines"]
    game = begin_tape(first, library.ruleset, None)
    for text in rest:
        follow_line(game, text)
    return position(game, str(said["side"]), limits=Limits(LIMITS.states, seconds), trials=TRIALS)
