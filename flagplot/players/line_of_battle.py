"""The doctrine player of Line of Battle: four principles, one for each kind of question, from the view alone."""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import Any

from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View
from flagplot.line_of_battle.state import DAY, NIGHT, Box
from flagplot.line_of_battle.views import Position, UnitView
from flagplot.players.doctrine.lots import Lots
from flagplot.players.doctrine.settings import Doctrine

DAMAGE = 3.5
"""The points of one die of damage, on average."""


class LineOfBattleDoctrine:
    """Plays by principles. Day or night, which is chosen in secret, is drawn."""

    def __init__(self, doctrine: Doctrine | None = None, lots: Lots | None = None) -> None:
        self.doctrine = doctrine or Doctrine()
        self.lots = lots or Lots()

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        verb = request.verb if isinstance(request.verb, str) else request.verb[0]
        principle = PRINCIPLES.get(verb)
        if principle is None or len(request.values) == 1:
            return Option(request, 0)
        return Option(request, list(request.values).index(principle(Board(view, self.doctrine, self.lots), request)))


class Board:
    """One moment as the player's faction sees it."""

    def __init__(self, view: View, doctrine: Doctrine, lots: Lots) -> None:
        self.position: Position = view.position
        self.side = view.side
        self.doctrine, self.lots = doctrine, lots

    @property
    def enemy(self) -> str:
        return next(side for side in self.position.sides if side != self.side)

    def unit(self, key: str) -> UnitView:
        return next(unit for unit in self.position.units if unit.id == key)

    def line(self, side: str) -> list[UnitView]:
        """The units of a faction that fight."""
        return [unit for unit in self.position.units if unit.side == side and unit.box is Box.LINE]

    def expected(self, key: str) -> float:
        """The damage points that a target has, and those that the attacks named so far will bring on average."""
        mine = [unit for unit in self.line(self.side) if unit.target == key and not unit.attacked]
        dice = sum([self.dice(unit, self.unit(key)) for unit in mine])
        return self.unit(key).points + dice * len(self.position.symbols.hit) / 6 * DAMAGE

    def dice(self, unit: UnitView, target: UnitView) -> int:
        """The dice of an attack; ships have a third of them against LBAs."""
        factors = firepower(unit, self.position.action)
        return factors // 3 if target.kind == "lba" and unit.kind == "ship" else factors


def firepower(unit: UnitView, action: str) -> int:
    """The factors that a unit brings to bear by day or by night."""
    return unit.airstrike + unit.torpedo if action == DAY else max(unit.gunnery, unit.torpedo)


def select(board: Board, request: Choose[Any]) -> str:
    """Take the action in which we bring more to bear than the enemy, the more often the greater the difference; day if
    it makes none."""

    def edge(action: str) -> int:
        ours, theirs = [board.line(side) for side in (board.side, board.enemy)]
        return sum([firepower(unit, action) for unit in ours]) - sum([firepower(unit, action) for unit in theirs])

    weights = {str(action): exp(edge(action) / EDGE) for action in request.values}
    moment = f"{board.side}/{board.position.round}/select"
    return board.lots.draw(moment, weights, max(weights, key=lambda action: weights[action]))


EDGE = 5.0
"""The factors by which one action must be better than the other to be taken nearly three times as often."""


def weapons(board: Board, request: Choose[Any]) -> str:
    """Attack with the kind of factors of which the unit has most."""
    unit = board.unit(str(request.verb[1]))
    factors = {"gunnery": unit.gunnery, "torpedo": unit.torpedo, "airstrike": unit.airstrike}
    return str(max(request.values, key=lambda kinds: sum([factors[kind] for kind in str(kinds).split("+")])))


def targets(board: Board, request: Choose[Any]) -> str:
    """Attack what loses the enemy most for the points that it takes, until it should sink; then the next."""
    unit = board.unit(str(request.verb[1]))

    def gain(key: str) -> tuple[bool, float]:
        target = board.unit(key)
        worth = 1 + target.gunnery + target.torpedo + target.airstrike
        return board.expected(key) < target.defense, worth * board.dice(unit, target) / target.defense

    return str(max(request.values, key=gain))


def retreat(board: Board, request: Choose[Any]) -> str:
    """Leave when little of our strength is left and the enemy has more; a unit that cannot attack leaves by itself."""
    ours, theirs = [board.position.strength[side] for side in (board.side, board.enemy)]
    beaten = ours.left <= board.doctrine.withdraw_below * ours.began and theirs.left > ours.left
    if not beaten and not isinstance(request.verb, str):
        unit = board.unit(str(request.verb[1]))
        beaten = not any([firepower(unit, action) for action in (DAY, NIGHT)])
    return "retreat" if beaten else "stay"


PRINCIPLES: dict[str, Callable[[Board, Choose[Any]], str]] = {
    "select": select,
    "weapons": weapons,
    "targets": targets,
    "retreat": retreat,
}
