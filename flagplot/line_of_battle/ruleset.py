"""Line of Battle as the kernel knows it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

from flagplot.kernel.toll import Toll
from flagplot.line_of_battle import drawing, looking, scenario
from flagplot.line_of_battle.attacks import attacks
from flagplot.line_of_battle.options import Options
from flagplot.line_of_battle.rounds import base_attack, battle
from flagplot.line_of_battle.state import State
from flagplot.line_of_battle.toll import toll


class LineOfBattle:
    """The second game: air and naval combat from one page."""

    name = scenario.NAME
    title = "Line of Battle"
    version = "line-of-battle-1"
    options = Options()
    procedures: ClassVar = {procedure.name: procedure for procedure in (battle, base_attack, attacks)}
    state_type = State

    def read(self, data: Mapping[str, Any], options: Options) -> State:
        return scenario.read_state(data, options)

    def schema(self) -> dict[str, Any]:
        return scenario.SHAPE.schema()

    def sides(self, state: State) -> tuple[str, ...]:
        return state.setting.sides

    def look(self, state: State, side: str) -> dict[str, Any]:
        return looking.look(state, side)

    def draw(self, look: Mapping[str, Any]) -> str:
        return drawing.draw(look)

    def draw_at(self, look: Mapping[str, Any], width: int) -> str:
        return drawing.draw(look, width)

    def result(self, state: State) -> dict[str, Any]:
        return looking.result(state)

    def reshuffle(self, state: State, side: str, chance: Random) -> State:
        return looking.reshuffle(state, side, chance)

    def toll(self, state: State) -> dict[str, Toll]:
        return toll(state)


LINE_OF_BATTLE = LineOfBattle()
