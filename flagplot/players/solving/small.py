"""Small battles of both games that can be solved: where they end, what is worth how much, which states are alike."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from flagplot.awaw.knowledge.battle import moment_of
from flagplot.kernel.errors import BadValue
from flagplot.kernel.game import Game
from flagplot.kernel.plain_data import key_of
from flagplot.line_of_battle.state import Marker, State
from flagplot.players.search.judging import judge_of, worth
from flagplot.players.solving.tree import Rules


def rules_of(game: Game[Any]) -> Rules:
    """A battle is worth what the searching player wants of it: half who wins, half what was lost."""
    judge = judge_of(game.ruleset.name, game.state.frames[0].procedure)
    if judge is None:
        raise BadValue("nobody values battles of this kind", given=game.scenario.get("title"))
    stake, first = judge.stake(game.border.state), game.sides[0]

    def value(state: Any) -> float:
        return worth(judge, state, first, stake).value

    if game.ruleset.name == "line-of-battle":
        return Rules(value, _is_over, lambda state: not state.hidden, _alike)
    return Rules(value, _is_over, lambda state: not moment_of(state).mustered, key_of)


def _is_over(state: Any) -> bool:
    return not state.frames


def _alike(state: State) -> Hashable:
    """Line of Battle: more points than sink a unit are as good as just enough, and nobody asks later what a unit has
    fired at or who chose the day."""
    frames = tuple([(frame.procedure, frame.segment, frame.arguments) for frame in state.frames])
    chosen = (*state.hidden.items(), *(state.selected.items() if not state.action else ()))
    markers = tuple([_counts(state, key, marker) for key, marker in state.markers.items()])
    return frames, state.round, state.action, state.after, chosen, state.resolution, markers


def _counts(state: State, key: str, marker: Marker) -> tuple[Any, ...]:
    enough = state.factors(key).defense
    named = "done" if marker.attacked else (marker.weapons, marker.target)
    is_sunk = marker.points >= enough and state.setting.options.disabled_and_sunk != "saved"
    return marker.box, marker.damaged, min(marker.points, enough), marker.disabled and not is_sunk, named, marker.fate
