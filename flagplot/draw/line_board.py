"""The Line of Battle board of a view as cards: each unit a counter, in the box where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.draw.cards import Band, Board, Card, Row, Tone
from flagplot.line_of_battle.drawing import BOXES

Data = Mapping[str, Any]

LINE = "line-of-battle"


def line_board(data: Data) -> Board:
    """Both factions, box by box; empty boxes are not shown, except the line itself."""
    bands = [band for number, side in enumerate(data["sides"]) for band in _faction(data, side, number)]
    return Board(str(data["title"]), bands, _head(data))


def _head(data: Data) -> list[str]:
    lines = [f"{data['action'].capitalize()} action"] if data["action"] else []
    near = [data["sides"][side] for side, here in data["air_bases"].items() if here]
    sea = "An All-Sea Hex" if data["all_sea"] else "Not an All-Sea Hex"
    lines.append(f"{sea}; air bases near: {', '.join(near) or 'none'}")
    chosen = [f"{data['sides'][side]}, {choice}" for side, choice in data["selected"].items()]
    return lines + ([f"Selected: {'; '.join(chosen)}"] if chosen and not data["action"] else [])


def _faction(data: Data, side: str, number: int) -> list[Band]:
    marks = ["phasing"] * (side == data["phasing"]) + ["you"] * (side == data["side"])
    name = data["sides"][side] + (f" ({', '.join(marks)})" if marks else "")
    strength = data["strength"][side]
    note = f"{strength['left']} of {strength['began']} attack factors undamaged in the line"
    mine = [unit for unit in data["units"] if unit["side"] == side]
    line = [_unit(data, unit, number) for unit in mine if unit["box"] == LINE]
    rest = [_unit(data, unit, number) for box in BOXES for unit in mine if unit["box"] == box != LINE]
    bands = [Band(f"{name}: Line of Battle", line or [Card("nobody", "", "empty", number)], note, side=number)]
    return [*bands, Band(f"{data['sides'][side]}: other boxes", rest, side=number)] if rest else bands


def _unit(data: Data, unit: Data, number: int) -> Card:
    air = unit["kind"] == "lba"
    marks = ["land-based air"] * air + ["bonus"] * unit["bonus"]
    tone: Tone = "active" if unit["box"] == LINE else "gone" if unit["box"] in ("sunk", "out-of-play") else "distant"
    card = Card(unit["name"], "", tone, number, key=f"unit-{unit['id']}", about=str(data["sides"][unit["side"]]))
    card.rows += [Row(BOXES[unit["box"]], look="faint")] if unit["box"] != LINE else []
    attack = [f"{word} {unit[key]}" for word, key in _WORDS if unit[key]]
    card.rows.append(Row(", ".join(attack) or "no attack", "plane" if air else "battleship", "strong"))
    damage = f", damage {unit['damage']}" if unit["damage"] else ""
    card.rows.append(Row(f"defense {unit['defense']}{damage}"))
    if unit["damaged"]:
        card.rows.append(Row("reduced side up" if air else "damaged side up", look="hit"))
    card.rows += [Row(mark, look="faint") for mark in marks]
    card.rows += _noted(data, unit)
    return card


_WORDS = (("gunnery", "gunnery"), ("torpedo", "torpedo"), ("airstrike", "airstrike"))


def _noted(data: Data, unit: Data) -> list[Row]:
    names = {other["id"]: other["name"] for other in data["units"]}
    rows = []
    if unit["target"]:
        weapons = f" with {' and '.join(unit['weapons'])}" if unit["weapons"] else ""
        rows.append(Row(f"attacks {names[unit['target']]}{weapons}", "eye"))
    rows += [Row(f"{unit['points']} point{'s' * (unit['points'] != 1)} of hits", look="hit")] if unit["points"] else []
    rows += [Row("disabled", look="hit")] if unit["disabled"] and unit["fate"] != "disabled" else []
    return rows + ([Row(unit["fate"], look="hit")] if unit["fate"] and unit["box"] == "delay" else [])
