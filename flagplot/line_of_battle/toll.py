"""What a battle has cost each faction."""

from __future__ import annotations

from flagplot.kernel.toll import DAMAGED, SUNK, Toll
from flagplot.line_of_battle.state import State

GONE = ("sunk", "destroyed")


def toll(state: State) -> dict[str, Toll]:
    """What each faction has lost: ships sunk and LBAs destroyed for good, and the fate of every unit by name."""
    return {side: Toll(_lost(state, side), _named(state, side)) for side in state.setting.sides}


def _lost(state: State, side: str) -> dict[str, int]:
    gone = [state.unit(key) for key in state.of(side) if state.markers[key].fate in GONE]
    lost = {"ships": sum([not unit.lba for unit in gone]), "LBAs": sum([unit.lba for unit in gone])}
    return {kind: number for kind, number in lost.items() if number}


def _named(state: State, side: str) -> dict[str, str]:
    return {state.unit(key).name: _fate(state, key) for key in state.of(side)}


def _fate(state: State, key: str) -> str:
    marker = state.markers[key]
    return SUNK if marker.fate in GONE else DAMAGED if marker.damaged else ""
