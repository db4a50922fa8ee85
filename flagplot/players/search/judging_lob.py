"""What a battle of Line of Battle is worth: units, by their factors."""

from __future__ import annotations

from flagplot.line_of_battle.ending import winner
from flagplot.line_of_battle.state import State
from flagplot.line_of_battle.toll import GONE
from flagplot.players.search.judging import Standing, value_of

DAMAGED = 0.5
"""What a damaged unit counts of one that is gone."""


class LineOfBattleJudge:
    """Ships sunk and land-based air destroyed count one each; damaged ones a half."""

    kinds = frozenset({"battle", "base-attack"})

    def unit(self, state: State) -> str:
        return "units"

    def stake(self, state: State) -> float:
        return float(len(state.markers))

    def standing(self, state: State) -> Standing:
        lost = {side: sum([_lost(state, key) for key in state.of(side)]) for side in state.setting.sides}
        over = not state.frames
        return Standing(lost, winner(state) if over else None, over)

    def round(self, state: State) -> int:
        return state.round

    def horizon(self, state: State, rounds: int | None) -> None:
        """Battles are short: they are played to their end."""

    def slowness(self, kind: str) -> float:
        return 1.0

    def outlook(self, state: State, side: str) -> float:
        """One that is broken off counts as it stands."""
        lost, _, _ = self.standing(state)
        enemy = state.setting.enemy(side)
        return value_of(0.0, lost[enemy] - lost[side], self.stake(state))


def _lost(state: State, key: str) -> float:
    marker = state.markers[key]
    return 1.0 if marker.fate in GONE else DAMAGED * marker.damaged


JUDGE = LineOfBattleJudge()
