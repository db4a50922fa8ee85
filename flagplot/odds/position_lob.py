"""The odds of positions of *Line of Battle*: one attack, and the selection of Day or Night Action.

All dice of an attack are its own, so the attack of the unit that is asked about is followed and no other. Nothing is
secret in this game but what the enemy has selected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from flagplot.kernel.errors import BadValue
from flagplot.kernel.requests import Choose
from flagplot.line_of_battle.attacks import attacks
from flagplot.line_of_battle.knowledge import UNKNOWN, fill, knowledge_of
from flagplot.line_of_battle.results import verdict
from flagplot.line_of_battle.rounds import day_or_night, other_selects, phasing_selects
from flagplot.line_of_battle.state import DAY, NIGHT, State
from flagplot.odds.position_replay import Stand
from flagplot.odds.position_staff import Horizon, Missing, Staff, Told, Worlds

SELECTING = (phasing_selects, other_selects, day_or_night)
SELECTED = "selected"
WIDE = (
    "No single procedure decides this: the outcome depends on the rest of the battle. "
    "The command simulate plays whole battles between computer players."
)


class Officer(Staff):
    """The odds officer of *Line of Battle*."""

    def horizon(self, state: State, request: Choose[Any], side: str) -> Horizon | str:
        top = state.frames[-1]
        if top.is_at(*SELECTING):
            return Horizon("the selection", "LOB-09", lambda after: not after.frames[-1].is_at(*SELECTING))
        if top.procedure != attacks.name or not isinstance(request.verb, tuple):
            return WIDE
        key = request.verb[1]
        return Horizon("the attack of the unit", "LOB-21", lambda after: after.markers[key].attacked, narrow=_alone)

    def veiled(self, stand: Stand, side: str) -> State:
        return knowledge_of(stand.state, side)

    def missing(self, known: State, side: str, answers: Sequence[str]) -> list[Missing]:
        if UNKNOWN not in known.hidden.values():
            return []
        return [Missing(SELECTED, "the enemy's choice: day and night count as equally likely")]

    def assumed(self, known: State, side: str, given: Mapping[str, str], missing: Sequence[Missing]) -> list[str]:
        chosen = given.get(SELECTED, "").casefold()
        if SELECTED in given and chosen not in (DAY, NIGHT):
            raise BadValue("the enemy selects Day or Night", given=given[SELECTED], allowed=[DAY, NIGHT], rule="LOB-09")
        return [chosen] if chosen else [DAY, NIGHT]

    def worlds(self, known: State, side: str, answers: Sequence[str], assumed: list[str]) -> Worlds:
        able = assumed if UNKNOWN in known.hidden.values() else [UNKNOWN]
        listed = [(Fraction(1, len(able)), fill(known, one)) for one in able]

        def draw(chance: Random) -> State:
            return chance.choice(listed)[1]

        return Worlds(listed, draw)

    def tell(self, before: State, side: str, *, names: bool) -> Callable[[State], Told]:
        if before.frames[-1].is_at(*SELECTING):
            return _action
        return lambda after: _struck(before, after, side)

    def policies(self, known: State, side: str, horizon: Horizon) -> list[str]:
        return ["only this attack counts; others on the same target come on top"] * bool(horizon.narrow)


def _alone(state: State, own: Sequence[str], request: Choose[Any]) -> None:
    """Only the unit that is asked about attacks."""
    key = request.verb[1]
    for other, marker in state.markers.items():
        if other != key and not marker.attacked:
            marker.target = ""


def _action(after: State) -> Told:
    return (("The action", f"{after.action}, then {after.after}" if after.after else after.action),)


def _struck(before: State, after: State, side: str) -> Told:
    """What an attack has done to its target, together with what is noted there already, even if it missed."""
    options = before.setting.options
    points = disabled = 0
    found = "unhurt"
    for key in before.of(side):
        target = after.markers[key].target
        if target and after.markers[key].attacked and not before.markers[key].attacked:
            was, now = before.markers[target], after.markers[target]
            points, disabled = now.points - was.points, int(now.disabled and not was.disabled)
            found = verdict(after.unit(target), now.damaged, now.points, options)
    return ("Points of damage", points), ("Newly disabled", disabled), ("Result of the damage", found)


STAFF = Officer()
