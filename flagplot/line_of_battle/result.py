"""How a battle ended, what each faction lost, and where its units are."""

from __future__ import annotations

from typing import Any

from flagplot.line_of_battle import ending
from flagplot.line_of_battle.state import Box, State


def result(state: State) -> dict[str, Any]:
    """LOB-07: how it ended, what each faction lost, and which units are in which box for those who play on."""
    sides = state.setting.sides
    by_faction = {side: losses(state, side) for side in sides}
    return {
        "summary": f"{state.resolution.capitalize()}: {_summary(state, by_faction)}",
        "winner": ending.winner(state),
        "ended": ending.ended(state),
        "rule": "LOB-07",
        "resolution": state.resolution,
        "rounds": state.round,
        "losses": {
            f"{side}/{fate}/{what}": len(names)
            for side in sides
            for fate, what in (("sunk", "ships"), ("destroyed", "LBAs"))
            if (names := by_faction[side][fate])
        },
        "losses_by_faction": by_faction,
        "boxes": {side: boxes(state, side) for side in sides},
        "consequences": [{"text": text, "rule": rule} for side in sides for text, rule in _follows(state, side)],
    }


def losses(state: State, side: str) -> dict[str, list[str]]:
    """The units of a faction by what befell them, by name; damaged ones may be disabled as well."""
    fates: dict[str, list[str]] = {"sunk": [], "destroyed": [], "disabled": [], "damaged": []}
    for key in state.of(side):
        marker, name = state.markers[key], state.unit(key).name
        if marker.fate in fates:
            fates[marker.fate].append(name)
        if marker.damaged and marker.fate not in ("sunk", "destroyed"):
            fates["damaged"].append(name)
    return fates


def boxes(state: State, side: str) -> dict[str, list[str]]:
    """The units of a faction by box, as ids; what becomes of them later is for the campaign to say."""
    return {box.value: here for box in Box if (here := [k for k in state.of(side) if state.markers[k].box is box])}


def _summary(state: State, by_faction: dict[str, dict[str, list[str]]]) -> str:
    parts = []
    for side in state.setting.sides:
        lost = [*by_faction[side]["sunk"], *by_faction[side]["destroyed"]]
        parts.append(f"{state.name(side)} lost {', '.join(lost) or 'nothing'}")
    return "; ".join(parts)


def _follows(state: State, side: str) -> list[tuple[str, str]]:
    """Where the units of a faction are after the battle, except those that simply stand in the line."""
    lines = []
    for key in state.of(side):
        marker, unit = state.markers[key], state.unit(key)
        turned = f", {unit.word_damaged}" if marker.damaged else ""
        if marker.box is Box.DELAY:
            rule = "LOB-28" if marker.fate == "destroyed" else "LOB-27" if marker.damaged else "LOB-25"
            lines.append((f"{state.name(side)}: {unit.name} is in the Delay Box, {marker.fate}{turned}", rule))
        elif marker.damaged and marker.box in (Box.LINE, Box.RETREATED):
            lines.append((f"{state.name(side)}: {unit.name} is {unit.word_damaged}", "LOB-26"))
    return lines
