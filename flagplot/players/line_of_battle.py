"""The doctrine player of Line of Battle: four principles, one for each kind of question, from the view alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View
from flagplot.line_of_battle.state import BASE_ATTACK, DAY, NIGHT, Box
from flagplot.line_of_battle.views import Position, UnitView
from flagplot.players.doctrine.lots import Lots
from flagplot.players.doctrine.settings import Doctrine

DAMAGED = 0.2
"""What damage counts of sinking: a damaged unit is easier to sink in the next round."""
SILENCED = 0.1
"""What each factor counts that will not fire at us in the next round, its unit being sunk or disabled."""
CLEARED = 2.0
"""What it counts to drive the whole enemy line away, which wins the battle: as much as two units sunk."""


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
        self.units: dict[str, UnitView] = {unit.id: unit for unit in self.position.units}

    @property
    def enemy(self) -> str:
        return next(side for side in self.position.sides if side != self.side)

    def line(self, side: str) -> list[UnitView]:
        """The units of a faction that fight."""
        return [unit for unit in self.units.values() if unit.side == side and unit.box is Box.LINE]

    def named(self) -> dict[str, int]:
        """The dice of the attacks that are named so far, by target."""
        dice = dict.fromkeys(self.units, 0)
        for unit in self.line(self.side):
            if unit.target and not unit.attacked:
                dice[unit.target] += self.dice(unit, self.units[unit.target])
        return dice

    def dice(self, unit: UnitView, target: UnitView) -> int:
        """The dice of an attack; ships have a third of them against LBAs."""
        factors = firepower(unit, self.position.action)
        return factors // 3 if target.kind == "lba" and unit.kind == "ship" else factors

    def reaches(self, points: int, dice: int) -> float:
        """The chance that some dice bring about at least these points."""
        return chance(dice, len(self.position.symbols.hit), 0, points)

    def leaves(self, target: UnitView, dice: int) -> float:
        """The chance that a target which this many dice are rolled at is not in the next round: sunk or disabled. LBAs
        are not disabled, and who is disabled in a base attack fights on."""
        symbols, stays = self.position.symbols, target.kind == "lba" or self.position.kind == BASE_ATTACK
        disabling = 0 if stays else len({*symbols.disabled} - {*symbols.hit})
        return chance(dice, len(symbols.hit), disabling, to_sink(target))

    def others_leave(self) -> dict[str, float]:
        """For each enemy the chance that all the others leave, if our dice are spread evenly, in this round and those
        that may follow."""
        enemies = self.line(self.enemy)
        ours = sum([firepower(unit, self.position.action) for unit in self.line(self.side)])
        each = round(ours * (self.position.rounds - self.position.round + 1) / len(enemies))
        leave = {unit.id: self.leaves(unit, each) for unit in enemies}
        return {key: prod([leave[other] for other in leave if other != key]) for key in leave}


@cache
def chance(dice: int, hits: int, disables: int, points: int) -> float:
    """The chance that the dice score at least these points, or that one of them disables. Of a die's faces some hit and
    some disable; each hit rolls a die for its points."""
    if points <= 0:
        return 1.0
    if not dice:
        return 0.0
    hit = sum([chance(dice - 1, hits, disables, points - pips) for pips in range(1, 7)]) / 6
    nothing = chance(dice - 1, hits, disables, points)
    return (hits * hit + disables + (6 - hits - disables) * nothing) / 6


def to_sink(target: UnitView) -> int:
    """The points that sink a target in this round; one that is damaged sinks if it is damaged again."""
    least = min(target.defense, target.damage) if target.damaged and target.damage else target.defense
    return least - target.points


def firepower(unit: UnitView, action: str) -> int:
    """The factors that a unit brings to bear by day or by night."""
    return unit.airstrike + unit.torpedo if action == DAY else max(unit.gunnery, unit.torpedo)


def usual_fire(unit: UnitView) -> float:
    """The factors that a unit brings to bear on average: nobody knows whether it will be day or night."""
    return (firepower(unit, DAY) + firepower(unit, NIGHT)) / 2


def select(board: Board, request: Choose[Any]) -> str:
    """Take the action in which we bring more to bear than the enemy; day if it makes no difference. There is nothing to
    hide: whatever he chooses, our choice makes our action likelier."""

    def edge(action: str) -> int:
        ours, theirs = [board.line(side) for side in (board.side, board.enemy)]
        return sum([firepower(unit, action) for unit in ours]) - sum([firepower(unit, action) for unit in theirs])

    return max(map(str, request.values), key=edge)


def weapons(board: Board, request: Choose[Any]) -> str:
    """Attack with the kind of factors of which the unit has most."""
    unit = board.units[str(request.verb[1])]
    factors = {"gunnery": unit.gunnery, "torpedo": unit.torpedo, "airstrike": unit.airstrike}
    return str(max(request.values, key=lambda kinds: sum([factors[kind] for kind in str(kinds).split("+")])))


def targets(board: Board, request: Choose[Any]) -> str:
    """Attack where most is gained by it, the attacks named before taken together: units sunk and damaged, guns that are
    silent in the next round, and the chance to drive the whole line away."""
    unit = board.units[str(request.verb[1])]
    named, others = board.named(), board.others_leave()
    last = board.position.round >= board.position.rounds

    def worth(target: UnitView, dice: int) -> float:
        sunk = board.reaches(to_sink(target), dice)
        gone = CLEARED * others[target.id] + (0.0 if last else SILENCED * usual_fire(target))
        found = gone * board.leaves(target, dice)
        if target.damaged:
            return found + (1 - DAMAGED) * sunk
        hurt = board.reaches(target.damage - target.points, dice) if target.damage else sunk
        return found + sunk + DAMAGED * (hurt - sunk)

    def gain(key: str) -> float:
        target = board.units[key]
        return worth(target, named[key] + board.dice(unit, target)) - worth(target, named[key])

    return str(max(request.values, key=gain))


def retreat(board: Board, request: Choose[Any]) -> str:
    """Leave when little of our strength is left and cannot sink anybody. Else stay: a retreat gives the battle away,
    and the second round may still turn it. A unit that cannot attack leaves by itself."""
    if not isinstance(request.verb, str) and not _most([board.units[str(request.verb[1])]]):
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
