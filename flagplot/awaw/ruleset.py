"""A World at War as the kernel knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from flagplot.awaw import result, scenario
from flagplot.awaw.board.answers_on_map import map_answers, threats_on
from flagplot.awaw.board.boards import board_of
from flagplot.awaw.board.subjects import subjects_of
from flagplot.awaw.board.text import draw
from flagplot.awaw.knowledge import account
from flagplot.awaw.knowledge.paths import seen_so_far
from flagplot.awaw.knowledge.public import Belief, public_of
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.options import Options
from flagplot.awaw.sequence import PROCEDURES
from flagplot.awaw.state.save_form import save_form
from flagplot.awaw.state.state import State
from flagplot.awaw.tasks import tasks
from flagplot.awaw.toll import toll
from flagplot.awaw.turn.missions.closed import closed_to
from flagplot.awaw.turn.missions.explain import explain, owner_of
from flagplot.awaw.turn.missions.verdicts import Verdict
from flagplot.awaw.views.battle import BattleView
from flagplot.awaw.views.position import Position
from flagplot.awaw.why import reasons
from flagplot.board.model import Board, MapAnswer, Threat
from flagplot.kernel.briefings import Guide, Task, read_guides
from flagplot.kernel.errors import UnknownName
from flagplot.kernel.explaining import read_helps
from flagplot.kernel.levels import read_levels
from flagplot.kernel.refusal import Reason
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.toll import Toll
from flagplot.version import RULES


class AWorldAtWar:
    """The first game: chapters 17-19, 22 and 23 as far as they are built."""

    name = "awaw"
    version, title = RULES[name]
    options = Options()
    procedures: ClassVar = PROCEDURES
    state_type = State
    levels: ClassVar = read_levels("flagplot.awaw")
    helps: ClassVar = read_helps("flagplot.awaw")
    guides: ClassVar = read_guides("flagplot.awaw")
    silences: ClassVar = {"22.524": "the enemy hears of ships that were shed when they leave, at the end of the round"}
    """Secret notes that leave no trace for the other side, and why."""

    def read(self, data: Mapping[str, Any], options: Options) -> State:
        return scenario.read_state(data, options)

    def schema(self) -> dict[str, Any]:
        return scenario.SHAPE.schema()

    def sides(self, state: State) -> tuple[str, ...]:
        if state.turn_if_any is not None:
            return state.turn.plan.sides  # whose player turn it is changes
        return state.scene.attacker, state.scene.defender

    def look(self, state: State, side: str) -> Position:
        return Position(state, side)

    def close_up(self, state: State, side: str) -> BattleView | None:
        """The naval battle alone, for players who look at nothing else."""
        return BattleView(state, side) if state.scene.kind == "naval-battle" else None

    def draw(self, look: Position) -> str:
        return draw(look)

    def board(self, look: Position) -> Board:
        return board_of(look)

    def is_moot(self, look: Position, side: str, word: str) -> bool:
        """Whether nothing depends on a decision any more: the rules ask who withdraws (22.61) even after the enemy has
        left or was sunk, and then the battle is over (22.71)."""
        enemy = next(other for other in look.sides if other != side)
        seen = look.battle.groups_of(enemy) if word == "withdraw" and look.battle else None
        return seen is not None and all([group.status == "destroyed" for group in seen])

    def map_answers(
        self, look: Position, chart: Mapboard, offered: Sequence[tuple[str, str]], chosen: Mapping[str, str] | None
    ) -> tuple[MapAnswer, ...]:
        return map_answers(look, chart, offered, chosen)

    def threats_on(
        self, look: Position, chart: Mapboard, option: str, path: Sequence[Hex], order: str
    ) -> tuple[Threat, ...]:
        return threats_on(look, chart, option, path, order)

    def subjects(self, board: Board, option: str) -> tuple[str, ...]:
        return subjects_of(board, option)

    def guide(self, data: Mapping[str, Any]) -> Guide:
        """What the play of a scenario is about."""
        raiders = data["kind"] == "naval-battle" and data.get("raiders")
        return self.guides["raider-battle" if raiders else data["kind"]]

    def tasks(self, look: Position) -> tuple[Task, ...]:
        return tasks(look)

    def result(self, state: State) -> dict[str, Any]:
        return result.result(state)

    def save_form(self, state: State) -> dict[str, Any]:
        return save_form(state)

    def reshuffle(self, state: State, side: str, chance: Random) -> State:
        return account.reshuffle(state, side, chance)

    def reshuffle_since(self, state: State, side: str, chance: Random, now: State) -> State:
        """The same at a border, where what has come to light up to now is no secret; never the truth for want of
        another."""
        return account.redrawn(state, side, chance, now)

    def sight(self, state: State, side: str) -> object:
        """How far paths of the enemy that are secret have shown themselves (22.12)."""
        return seen_so_far(state, side) if state.operation_if_any is not None else None

    def imagine(self, state: State, side: str, now: State) -> State | None:
        """A state that owes nothing to the enemy's secrets, only to what a side knows; always the same one."""
        return account.imagine(state, side, now)

    def beliefs(
        self,
        data: Mapping[str, Any],
        options: Options,
        state: State,
        side: str,
        now: State,
        believe: str = "",
        *,
        planning: bool = True,
    ) -> account.Beliefs:
        """What a side knows at a border, and in the segment up to `now`, with what it believes of unseen forces: what
        the scenario says is public, unless something else is believed. For `planning` nothing of
        the enemy's is taken as it is."""
        opening = self.read(data, options)
        public = public_of(opening, state.other(side), believe or data.get("public", Belief.FORCES))
        return account.Beliefs(account.knowledge_of(state, side, now, planning=planning), public)

    def toll(self, state: State) -> dict[str, Toll]:
        return toll(state)

    def why(self, state: State, side: str) -> list[Reason] | None:
        """Why forces of a side are not offered for something."""
        return reasons(state, side)

    def explain(self, state: State, unit: str, side: str | None = None) -> dict[str, Any]:
        """What air units may do, and why not, in an air turn: as a side may know it, or else as their owner does."""
        if state.turn_if_any is None:
            raise UnknownName("only an air turn tells what its units may do, and this is not one", given=unit)
        reader = owner_of(state, unit) if side in (None, UMPIRE) else str(side)
        return explain(state, reader, unit)

    def closed(self, state: State, side: str, task: str, aim: str = "") -> dict[str, Verdict]:
        """Which air units of a side may fly a mission, and what keeps the others."""
        return closed_to(state, side, task, aim)


AWAW = AWorldAtWar()
