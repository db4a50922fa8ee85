"""The doctrine player of Line of Battle: four principles, one for each kind of question, from the view alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View
from flagplot.line_of_battle.state import DAY, NIGHT, Box
from flagplot.line_of_battle.views import Position, UnitView
from flagplot.players.doctrine.lots import Lots
from flagplot.players.doctrine.settings import Doctrine

FACTOR = 0.1
"""What a factor of a target counts beside the unit itself: what is sunk shoots no more."""


class LineOfBattleDoctrine:
    """Plays by principles; none of them needs a draw."""

    def __init__(self, doctrine: Doctrine | None = None, lots: Lots | None = None) -> None:
        self.doctrine = doctrine or Doctrine()

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        verb = request.verb if isinstance(request.verb, str) else request.verb[0]
        principle = PRINCIPLES.get(verb)
        if principle is None or len(request.values) == 1:
            return Option(request, 0)
        return Option(request, list(request.values).index(principle(Board(view, self.doctrine), request)))


class Board:
    """One moment as the player's faction sees it."""

    def __init__(self, view: View, doctrine: Doctrine) -> None:
        self.position: Position = view.position
        self.side = view.side
        self.doctrine = doctrine

    @property
    def enemy(self) -> str:
        return next(side for side in self.position.sides if side != self.side)

    def unit(self, key: str) -> UnitView:
        return next(unit for unit in self.position.units if unit.id == key)

    def line(self, side: str) -> list[UnitView]:
        """The units of a faction that fight."""
        return [unit for unit in self.position.units if unit.side == side and unit.box is Box.LINE]

    def named(self, target: UnitView) -> int:
        """The dice of the attacks on a target that are named so far."""
        mine = [unit for unit in self.line(self.side) if unit.target == target.id and not unit.attacked]
        return sum([self.dice(unit, target) for unit in mine])

    def sinks(self, target: UnitView, dice: int) -> float:
        """The chance that so many dice sink a target."""
        return chance(dice, len(self.position.symbols.hit), target.defense - target.points)

    def dice(self, unit: UnitView, target: UnitView) -> int:
        """The dice of an attack; ships have a third of them against LBAs."""
        factors = firepower(unit, self.position.action)
        return factors // 3 if target.kind == "lba" and unit.kind == "ship" else factors


@cache
def chance(dice: int, faces: int, points: int) -> float:
    """The chance that some dice, of which so many faces hit, bring about at least these points: a die for each hit."""
    if points <= 0:
        return 1.0
    if not dice:
        return 0.0
    hit = sum([chance(dice - 1, faces, points - pips) for pips in range(1, 7)]) / 6
    return (faces * hit + (6 - faces) * chance(dice - 1, faces, points)) / 6


def firepower(unit: UnitView, action: str) -> int:
    """The factors that a unit brings to bear by day or by night."""
    return unit.airstrike + unit.torpedo if action == DAY else max(unit.gunnery, unit.torpedo)


def select(board: Board, request: Choose[Any]) -> str:
    """Take the action in which we bring more to bear than the enemy; day if it makes no difference. There is nothing to
    hide: whatever he chooses, our choice makes our action likelier."""

    def edge(action: str) -> int:
        ours, theirs = [board.line(side) for side in (board.side, board.enemy)]
        return sum([firepower(unit, action) for unit in ours]) - sum([firepower(unit, action) for unit in theirs])

    return max(map(str, request.values), key=edge)


def weapons(board: Board, request: Choose[Any]) -> str:
    """Attack with the kind of factors of which the unit has most."""
    unit = board.unit(str(request.verb[1]))
    factors = {"gunnery": unit.gunnery, "torpedo": unit.torpedo, "airstrike": unit.airstrike}
    return str(max(request.values, key=lambda kinds: sum([factors[kind] for kind in str(kinds).split("+")])))


def targets(board: Board, request: Choose[Any]) -> str:
    """Attack where the chance to sink something grows most by it, the attacks named before taken together; of targets
    alike the one with the most factors."""
    unit = board.unit(str(request.verb[1]))

    def gain(key: str) -> float:
        target = board.unit(key)
        named = board.named(target)
        grows = board.sinks(target, named + board.dice(unit, target)) - board.sinks(target, named)
        return grows * (1 + FACTOR * (target.gunnery + target.torpedo + target.airstrike))

    return str(max(request.values, key=gain))


def retreat(board: Board, request: Choose[Any]) -> str:
    """Leave when little of our strength is left and cannot sink anybody. Else stay: a retreat gives the battle away,
    and the second round may still turn it. A unit that cannot attack leaves by itself."""
    if not isinstance(request.verb, str) and not _most([board.unit(str(request.verb[1]))]):
        return "retreat"
    ours, theirs = [board.position.strength[side] for side in (board.side, board.enemy)]
    beaten = ours.left <= board.doctrine.withdraw_below * ours.began and theirs.left > ours.left
    weakest = min([unit.defense for unit in board.line(board.enemy)], default=0)
    return "retreat" if beaten and _most(board.line(board.side)) < weakest else "stay"


def _most(units: list[UnitView]) -> int:
    """The most damage points that some units can bring about together."""
    return 6 * max([sum([firepower(unit, action) for unit in units]) for action in (DAY, NIGHT)])


PRINCIPLES: dict[str, Callable[[Board, Choose[Any]], str]] = {
    "select": select,
    "weapons": weapons,
    "targets": targets,
    "retreat": retreat,
}
