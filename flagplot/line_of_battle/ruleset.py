"""Line of Battle as the kernel knows it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

from flagplot.board.model import Board
from flagplot.kernel.briefings import Guide, read_guides
from flagplot.kernel.explaining import read_helps
from flagplot.kernel.levels import read_levels
from flagplot.kernel.procedures import table
from flagplot.kernel.refusal import Reason
from flagplot.kernel.toll import Toll
from flagplot.line_of_battle import knowledge, result, scenario, text
from flagplot.line_of_battle.attacks import attacks
from flagplot.line_of_battle.board import board_of, subjects_of
from flagplot.line_of_battle.options import Options
from flagplot.line_of_battle.rounds import base_attack, battle
from flagplot.line_of_battle.state import State
from flagplot.line_of_battle.toll import toll
from flagplot.line_of_battle.views import Position
from flagplot.line_of_battle.why import reasons
from flagplot.version import RULES


class LineOfBattle:
    """The second game: air and naval combat from one page."""

    name = scenario.NAME
    version, title = RULES[name]
    options = Options()
    procedures: ClassVar = table(battle, base_attack, attacks)
    state_type = State
    levels: ClassVar = read_levels("flagplot.line_of_battle")
    helps: ClassVar = read_helps("flagplot.line_of_battle")
    guides: ClassVar = read_guides("flagplot.line_of_battle")

    def read(self, data: Mapping[str, Any], options: Options) -> State:
        return scenario.read_state(data, options)

    def schema(self) -> dict[str, Any]:
        return scenario.SHAPE.schema()

    def sides(self, state: State) -> tuple[str, ...]:
        return state.setting.sides

    def look(self, state: State, side: str) -> Position:
        return Position(state, side)

    def draw(self, look: Position) -> str:
        return text.draw(look)

    def draw_at(self, look: Position, width: int) -> str:
        return text.draw(look, width)

    def board(self, look: Position) -> Board:
        return board_of(look)

    def subjects(self, board: Board, option: str) -> tuple[str, ...]:
        return subjects_of(board, option)

    def guide(self, data: Mapping[str, Any]) -> Guide:
        """What the play of a scenario is about."""
        return self.guides[data.get("kind", "battle")]

    def result(self, state: State) -> dict[str, Any]:
        return result.result(state)

    def reshuffle(self, state: State, side: str, chance: Random) -> State:
        return knowledge.reshuffle(state, side, chance)

    def imagine(self, state: State, side: str, now: State) -> State:
        """A state that owes nothing to the enemy's secrets, only to what a side knows; always the same one."""
        return knowledge.draw(knowledge.knowledge_of(state, side), Random(0))

    def beliefs(
        self, data: Mapping[str, Any], options: Options, state: State, side: str, now: State
    ) -> knowledge.Beliefs:
        """What a faction knows at a border; everything that comes to light in a segment has been seen there."""
        return knowledge.Beliefs(knowledge.knowledge_of(state, side))

    def why(self, state: State, side: str) -> list[Reason]:
        """Why units of a faction are not offered for something."""
        return reasons(state, side)

    def toll(self, state: State) -> dict[str, Toll]:
        return toll(state)


LINE_OF_BATTLE = LineOfBattle()
