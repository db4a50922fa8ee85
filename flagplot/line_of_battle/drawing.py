"""The board as text: the boxes of each faction, beside each other where there is room for two."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from textwrap import wrap
from typing import Any

Data = Mapping[str, Any]

NARROW = 60
"""Columns that any terminal has: so wide is the board unless somebody says that there are more."""
TWO_COLUMNS = 78

BOXES = {
    "line-of-battle": "Line of Battle",
    "disabled": "Disabled",
    "damaged": "Damaged/Reduced",
    "damaged-and-disabled": "Damaged & Disabled",
    "sunk": "Sunk/Destroyed",
    "delay": "Naval Warfare Delay",
    "out-of-play": "Out of play",
    "retreated": "Retreated",
}


def draw(seen: Data, width: int = NARROW) -> str:
    """A look as text of at most so many columns."""
    two = width >= TWO_COLUMNS
    column = (width - 2) // 2 if two else width
    first, second = [_faction(seen, side, column) for side in seen["sides"]]
    lines = [part for line in _head(seen) for part in wrap(line, width)]
    if two:
        lines += [f"{ours:<{column}}  {theirs}".rstrip() for ours, theirs in zip_longest(first, second, fillvalue="")]
    else:
        lines += [*first, *second]
    return "\n".join([*lines, *LEGEND])


LEGEND = ("G gunnery, T torpedo, A airstrike, D defense/damage", "* damaged side up, L land-based air, + attack bonus")


def _head(seen: Data) -> list[str]:
    when = f"round {seen['round']}" if seen["round"] else "before the first round"
    action = f", {seen['action']} action" if seen["action"] else ""
    over = f" (over: {seen['resolution']})" if seen["over"] else ""
    lines = [f"{seen['title']}: {when}{action}{over}"]
    near = [seen["sides"][side] for side, here in seen["air_bases"].items() if here]
    sea = "All-Sea Hex" if seen["all_sea"] else "Not an All-Sea Hex"
    lines.append(f"{sea}; air bases near: {', '.join(near) or 'none'}")
    chosen = [f"{seen['sides'][side]} {choice}" for side, choice in seen["selected"].items()]
    return [*lines, f"Selected: {', '.join(chosen)}"] if chosen and not seen["action"] else lines


def _faction(seen: Data, side: str, width: int) -> list[str]:
    phasing = " (phasing)" if side == seen["phasing"] else ""
    lines = wrap(f"{seen['sides'][side]}{phasing}", width)
    empty = []
    for box, title in BOXES.items():
        units = [unit for unit in seen["units"] if unit["side"] == side and unit["box"] == box]
        if units or box == "line-of-battle":
            lines += _box(title, [line for unit in units for line in _unit(seen, unit, width - 4)], width)
        else:
            empty.append(title)
    return lines + wrap(f"Empty: {', '.join(empty[:4])}", width) if empty else lines


def _box(title: str, lines: list[str], width: int) -> list[str]:
    inside = width - 4
    top = f"+-- {title} ".ljust(width - 1, "-") + "+"
    return [top, *[f"| {line:<{inside}} |" for line in lines or ["nobody"]], f"+{'-' * (width - 2)}+"]


def _unit(seen: Data, unit: Data, width: int) -> list[str]:
    """A counter in a line, what is noted beside it in further ones."""
    marks = "*" * unit["damaged"] + "L" * (unit["kind"] == "lba") + "+" * unit["bonus"]
    factors = " ".join(
        f"{letter}{unit[key] or '-'}" for letter, key in (("G", "gunnery"), ("T", "torpedo"), ("A", "airstrike"))
    )
    defense = f"D{unit['defense']}/{unit['damage'] or '-'}"
    printed = f"{marks:<3} {factors} {defense}"
    room = width - len(printed) - 1
    first, *rest = wrap(unit["name"], room)
    lines = [f"{first:<{room}} {printed}", *rest]
    noted = ", ".join(_noted(seen, unit))
    return [*lines, *wrap(noted, width, initial_indent="  ", subsequent_indent="  ")] if noted else lines


def _noted(seen: Data, unit: Data) -> list[str]:
    names = {other["id"]: other["name"] for other in seen["units"]}
    parts = [f"attacks {names[unit['target']]}"] if unit["target"] else []
    parts += [f"{unit['points']} points"] if unit["points"] else []
    parts += ["disabled"] if unit["disabled"] else []
    return parts + ([unit["fate"]] if unit["box"] == "delay" else [])
