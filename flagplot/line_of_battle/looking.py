"""What a faction may know of the state (views), and how a battle ended. Nothing else leaves the state."""

from __future__ import annotations

from random import Random
from typing import Any

from flagplot.kernel.plain import copy_of
from flagplot.kernel.ruleset import UMPIRE
from flagplot.line_of_battle import ending
from flagplot.line_of_battle.options import faces
from flagplot.line_of_battle.state import BASE_ATTACK, DAY, NIGHT, Box, State

STEPS = {
    "1": "day or night",
    "2": "the phasing faction attacks",
    "3": "the other faction attacks",
    "4": "results take effect",
    "5": "retreat",
    "6": "resolution",
}
BASE_STEPS = {mark: name for mark, name in STEPS.items() if mark not in ("1", "5")}
RULES = {"1": "LOB-01", "2": "LOB-02", "3": "LOB-03", "4": "LOB-04", "5": "LOB-05", "6": "LOB-07"}
STEP_OF = {
    "set_up": "1",
    "phasing_selects": "1",
    "other_selects": "1",
    "day_or_night": "1",
    "phasing_attacks": "2",
    "other_attacks": "3",
    "take_effect": "4",
    "end_of_round": "4",
    "phasing_retreats": "5",
    "other_retreats": "5",
    "open_round": "2",
    "next_round": "4",
    "release": "4",
    "resolve": "6",
}


def look(state: State, side: str) -> dict[str, Any]:
    """All that a faction may know: everything but what the other has selected in secret."""
    setting = state.setting
    return {
        "game": "line-of-battle",
        "title": setting.title,
        "kind": setting.kind,
        "side": side,
        "sides": {key: setting.names[key] for key in setting.sides},
        "phasing": setting.phasing,
        "all_sea": setting.all_sea,
        "air_bases": {key: setting.air_bases[key] for key in setting.sides},
        "round": state.round,
        "rounds": setting.rounds,
        "action": state.action,
        "segment": _segment(state),
        "selected": _selected(state, side),
        "units": [_unit(state, key) for key in setting.order],
        "symbols": {
            "disabled": sorted(faces(setting.options.disabled_faces)),
            "hit": sorted(faces(setting.options.hit_faces)),
        },
        "strength": {key: strength(state, key) for key in setting.sides},
        "sunk": [_lost(state, key) for key in _gone(state) if not state.unit(key).lba],
        "lost": {f"{key}/destroyed/LBAs": n for key in setting.sides if (n := len(_destroyed(state, key)))},
        "resolution": state.resolution,
        "over": not state.frames,
    }


def _selected(state: State, side: str) -> dict[str, str]:
    """Day or night as far as a faction knows it: its own choice, the other's when both are shown."""
    hidden = {key: state.hidden[key] for key in state.hidden if side in (key, UMPIRE)}
    known = {**state.selected, **hidden}
    return {key: known[key] for key in state.setting.sides if key in known}


def _segment(state: State) -> dict[str, Any] | None:
    """The step of the page that is being played."""
    if not state.frames:
        return None
    top = state.frames[-1]
    if top.procedure == "attacks":
        mark = "2" if top.arguments[0] == state.setting.phasing else "3"
    else:
        mark = STEP_OF[top.segment]
    line = BASE_STEPS if state.setting.kind == BASE_ATTACK else STEPS
    mark = mark if mark in line else next(iter(line))
    return {"line": dict(line), "mark": mark, "name": line[mark], "rule": RULES[mark]}


def _unit(state: State, key: str) -> dict[str, Any]:
    unit, marker, factors = state.unit(key), state.markers[key], state.factors(key)
    return {
        "id": key,
        "name": unit.name,
        "side": unit.side,
        "kind": "lba" if unit.lba else "ship",
        "box": marker.box.value,
        "damaged": marker.damaged,
        "gunnery": factors.gunnery,
        "torpedo": factors.torpedo,
        "airstrike": factors.airstrike,
        "defense": factors.defense,
        "damage": factors.damage,
        "bonus": unit.bonus and state.setting.options.attack_bonus != "none",
        "points": marker.points,
        "disabled": marker.disabled,
        "weapons": marker.weapons.split("+") if marker.weapons else [],
        "target": marker.target,
        "attacked": marker.attacked,
        "fate": marker.fate,
    }


def strength(state: State, side: str) -> dict[str, int]:
    """The attack factors with which a faction began, and those of its undamaged units in the Line of Battle."""
    began = sum([state.unit(key).front.attack for key in state.of(side)])
    left = sum([state.unit(key).front.attack for key in state.line(side) if not state.markers[key].damaged])
    return {"left": left, "began": began}


def _gone(state: State) -> list[str]:
    """Units that are sunk or destroyed for good, in their order."""
    return [key for key in state.setting.order if state.markers[key].fate in ("sunk", "destroyed")]


def _destroyed(state: State, side: str) -> list[str]:
    return [key for key in _gone(state) if state.unit(key).side == side and state.unit(key).lba]


def _lost(state: State, key: str) -> dict[str, Any]:
    unit = state.unit(key)
    return {"id": key, "nation": unit.side, "text": unit.name, "hits": 0, "damaged": state.markers[key].damaged}


# --- the result -----------------------------------------------------------------------------------------------------


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


def reshuffle(state: State, side: str, chance: Random) -> State:
    """The same state with other secrets: another day or night selected by the enemy."""
    other = copy_of(state)
    for key in other.hidden:
        if key != side:
            other.hidden[key] = chance.choice((DAY, NIGHT))
    return other
