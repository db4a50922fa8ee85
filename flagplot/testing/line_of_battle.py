"""Laws of Line of Battle: what must be true of every state of a battle, given its opening.

They are held against what the umpire sees. Every unit is in one box from first to last; a counter that was turned over
stays so; nobody comes back from the Delay Box, from out of play or from a retreat (disabled ships do, for a second
round, under the option that lets them); LBAs are never disabled and never leave play; and there are no more rounds than
the page allows.
"""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.kernel.ruleset import UMPIRE
from flagplot.line_of_battle.state import Box, State
from flagplot.line_of_battle.views import Position, UnitView

GONE = (Box.DELAY, Box.OUT, Box.RETREATED)
BETWEEN = (Box.DISABLED, Box.DAMAGED, Box.BOTH, Box.SUNK)
"""Boxes that hold somebody only between step 4 and the end of the round."""
SHIPS_ONLY = (Box.DISABLED, Box.BOTH, Box.OUT)


class LineOfBattleLaws:
    """The laws of one battle."""

    def __init__(self, opening: State) -> None:
        self.rejoin = opening.setting.options.delay_box == "rejoin"
        self.resolutions = {"stalemate", "success", "repulsion"}
        if opening.setting.options.after_retreat == "no-resolution":
            self.resolutions.add("no resolution")
        self.units = {unit.id: unit.side for unit in Position(opening, UMPIRE).units}

    def always(self, state: State) -> Iterator[str]:
        """The same units as at the opening, with sensible numbers, in boxes that are theirs."""
        seen = Position(state, UMPIRE)
        if {unit.id: unit.side for unit in seen.units} != self.units:
            yield "not the units of the opening"
        if not 0 <= seen.round <= seen.rounds:
            yield f"round {seen.round} of {seen.rounds}"
        for unit in seen.units:
            yield from self._unit(unit)

    def _unit(self, unit: UnitView) -> Iterator[str]:
        if unit.points < 0 or min(unit.gunnery, unit.torpedo, unit.airstrike) < 0:
            yield f"a negative number: {unit}"
        if unit.kind == "lba" and (unit.box in SHIPS_ONLY or unit.disabled):
            yield f"an LBA that is disabled or out of play: {unit}"
        if unit.box in GONE and (unit.points or unit.disabled or unit.target):
            yield f"something is noted beside a unit that has left: {unit}"
        if unit.target and self.units[unit.target] == unit.side:
            yield f"attacks its own side: {unit}"
        if (unit.box in GONE) != bool(unit.fate):
            yield f"a unit that has left without a reason, or stays with one: {unit}"

    def step(self, before: State, after: State) -> Iterator[str]:
        was, now = Position(before, UMPIRE), Position(after, UMPIRE)
        yield from self.always(after)
        for old, new in zip(was.units, now.units, strict=True):
            if old.damaged and not new.damaged:
                yield f"{new.id} is whole again"
            returns = self.rejoin and old.fate == "disabled" and was.round < now.round
            if old.box in GONE and new.box is not (Box.LINE if returns else old.box):
                yield f"{new.id} came back from {old.box.value} to {new.box.value}"
        if now.over:
            yield from self._end(now)

    def _end(self, now: Position) -> Iterator[str]:
        """At the end the boxes of the round are empty, nothing is noted, and there is a resolution."""
        if now.resolution not in self.resolutions:
            yield f"the end without a resolution: {now.resolution!r}"
        for unit in now.units:
            if unit.box in BETWEEN or unit.target or unit.disabled:
                yield f"not put away at the end: {unit}"
