"""Which air units of a side may fly one mission, base by base, and what keeps the others: the cells of a mission grid.

A plan offers those that may. What is told of the others comes from the functions that decide it, so the words cannot
drift away from the rules. A side is told of its own units alone.
"""

from __future__ import annotations

from flagplot.awaw.counterair import kept_from
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.missions.explain import verdicts_on
from flagplot.awaw.turn.missions.verdicts import Verdict, where

COUNTERAIR = "counterair"


def closed_to(state: State, side: str, task: str, aim: str = "") -> dict[str, Verdict]:
    """By base, nation and arm whether they may fly a mission or make a move, against that base or hex if one is
    chosen; empty where the game cannot tell."""
    if state.turn_if_any is None:
        return _in_air_phase(state, side, aim) if task == COUNTERAIR and state.scene.near.get(aim) else {}
    found = verdicts_on(state, side, task)
    name = _name(state, aim)
    return {unit: _against(verdict, name) for unit, verdict in found.items()}


def _against(verdict: Verdict, aim: str) -> Verdict:
    """A mission may be open, and its chosen target out of reach all the same."""
    if not verdict.open or not aim or not verdict.targets or aim in verdict.targets:
        return verdict
    return verdict._replace(open=False, text="out of range", rule="18.45")


def _name(state: State, aim: str) -> str:
    """What the verdicts call a base or a hex; nothing if it is neither."""
    if aim in state.scene.places:
        return state.place(aim).name
    numbers = aim.split(",")
    if len(numbers) == 2 and all([number.removeprefix("-").isdecimal() for number in numbers]):
        return where(state, (int(numbers[0]), int(numbers[1])))
    return ""


def _in_air_phase(state: State, side: str, target: str) -> dict[str, Verdict]:
    """18.521: an air phase has counterair missions and nothing else."""
    found: dict[str, Verdict] = {}
    for base in state.of_side(side):
        place = state.place(base)
        for which, number in state.sites[base].air.items():
            name = f"{base}:{which.nation}:{which.arm.value}"
            refusal = kept_from(state, target, which, place.afloat)
            if refusal is None:
                found[name] = Verdict(COUNTERAIR, True, "", "18.521", number)
            elif name not in found:
                found[name] = Verdict(COUNTERAIR, False, refusal.text, refusal.rule)
    return found
