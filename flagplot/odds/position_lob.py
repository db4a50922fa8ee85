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
from flagplot.kernel.game import Game
from flagplot.kernel.replaying import Stand
from flagplot.kernel.requests import Choose
from flagplot.line_of_battle.attacks import attacks
from flagplot.line_of_battle.ending import winner
from flagplot.line_of_battle.knowledge import UNKNOWN, draw, fill, knowledge_of
from flagplot.line_of_battle.results import DAMAGED, SUNK, verdict
from flagplot.line_of_battle.rounds import day_or_night, other_selects, phasing_selects
from flagplot.line_of_battle.state import DAY, NIGHT, State
from flagplot.line_of_battle.units import Unit
from flagplot.odds.position_staff import WINNER, Horizon, Missing, Staff, Told, Worlds

SELECTING = (phasing_selects, other_selects, day_or_night)
SELECTED = "selected"


class Officer(Staff):
    """The odds officer of *Line of Battle*."""

    def horizon(self, state: State, request: Choose[Any], side: str) -> Horizon | None:
        top = state.frames[-1]
        if top.is_at(*SELECTING):
            return Horizon("the selection", "LOB-09", lambda after: not after.frames[-1].is_at(*SELECTING))
        if top.procedure != attacks.name or not isinstance(request.verb, tuple):
            return None
        key = request.verb[1]
        return Horizon("the attack of the unit", "LOB-21", lambda after: after.markers[key].attacked, narrow=_alone)

    def wide(self, state: State, side: str) -> list[Horizon]:
        return [Horizon("the battle", "LOB-07", lambda after: not after.frames, tell=_whole_battle)]

    def veiled(self, game: Game[Any], stand: Stand, side: str, believe: str) -> State:
        if believe:
            raise BadValue("nothing to believe here: all units lie open", given=believe)
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

        def drawn(chance: Random) -> State:
            return chance.choice(listed)[1]

        return Worlds(listed, drawn)

    def whole_worlds(self, known: State) -> Worlds:
        return Worlds(None, lambda chance: draw(known, chance), key="whole")

    def tell(self, before: State, side: str, *, names: bool) -> Callable[[State], Told]:
        if before.frames[-1].is_at(*SELECTING):
            return _action
        return lambda after: _struck(before, after, side)

    def policies(self, known: State, side: str, horizon: Horizon) -> list[str]:
        return ["this attack alone; later ones on the same target add to it"] * bool(horizon.narrow)


def _alone(state: State, own: Sequence[str], request: Choose[Any]) -> None:
    """Only the unit that is asked about attacks."""
    key = request.verb[1]
    for other, marker in state.markers.items():
        if other != key and not marker.attacked:
            marker.target = ""


def _whole_battle(before: State, side: str) -> Callable[[State], Told]:
    """What each faction has lost since, the enemy first, and who has won."""
    sides = [*[one for one in before.setting.sides if one != side], side]

    def counts(state: State) -> dict[str, int]:
        found: dict[str, int] = {}
        for one in sides:
            fates = [state.markers[key].fate for key in state.of(one)]
            found[f"{state.name(one)}: ships sunk"] = fates.count("sunk")
            found[f"{state.name(one)}: LBAs destroyed"] = fates.count("destroyed")
            found[f"{state.name(one)}: units damaged"] = sum([state.markers[key].damaged for key in state.of(one)])
        return found

    began = counts(before)

    def sum_up(after: State) -> Told:
        told = [(title, number - began[title]) for title, number in counts(after).items()]
        won = winner(after)
        return (*told, (WINNER, after.name(won) if won else "nobody"))

    return sum_up


def _action(after: State) -> Told:
    return (("The action", f"{after.action}, then {after.after}" if after.after else after.action),)


def _in_words(unit: Unit, found: str) -> str:
    """Ships are sunk or damaged; land-based air is destroyed or reduced."""
    return {SUNK: unit.word_sunk, DAMAGED: unit.word_damaged}.get(found, found)


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
            found = _in_words(after.unit(target), verdict(after.unit(target), now.damaged, now.points, options))
    return ("Points of damage", points), ("Newly disabled", disabled), ("Result of the damage", found)


STAFF = Officer()
