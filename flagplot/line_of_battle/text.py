"""The board as text: the boxes of each faction, beside each other where there is room for two."""

from __future__ import annotations

from itertools import zip_longest
from textwrap import wrap

from flagplot.line_of_battle.board import BOXES, heading, noted, of_box, setting
from flagplot.line_of_battle.state import Box
from flagplot.line_of_battle.views import Position, UnitView

NARROW = 60
"""Columns that any terminal has: so wide is the board unless somebody says that there are more."""
TWO_COLUMNS = 78


def draw(seen: Position, width: int = NARROW) -> str:
    """A look as text of at most so many columns."""
    two = width >= TWO_COLUMNS
    column = (width - 2) // 2 if two else width
    first, second = [_faction(seen, side, column) for side in seen.sides]
    lines = [part for line in (heading(seen), *setting(seen)) for part in wrap(line, width)]
    if two:
        lines += [f"{ours:<{column}}  {theirs}".rstrip() for ours, theirs in zip_longest(first, second, fillvalue="")]
    else:
        lines += [*first, *second]
    return "\n".join([*lines, *LEGEND])


LEGEND = ("G gunnery, T torpedo, A airstrike, D defense/damage", "* damaged side up, L land-based air, + attack bonus")


def _faction(seen: Position, side: str, width: int) -> list[str]:
    phasing = " (attacker)" if side == seen.phasing else ""
    lines = wrap(f"{seen.sides[side]}{phasing}", width)
    empty = []
    for box, title in BOXES.items():
        units = of_box(seen, side, box)
        if units or box is Box.LINE:
            lines += _box(title, [line for unit in units for line in _unit(seen, unit, width - 4)], width)
        else:
            empty.append(title)
    return lines + wrap(f"Empty: {', '.join(empty[:4])}", width) if empty else lines


def _box(title: str, lines: list[str], width: int) -> list[str]:
    inside = width - 4
    top = f"+-- {title} ".ljust(width - 1, "-") + "+"
    return [top, *[f"| {line:<{inside}} |" for line in lines or ["nobody"]], f"+{'-' * (width - 2)}+"]


def _unit(seen: Position, unit: UnitView, width: int) -> list[str]:
    """A counter in a line, what is noted beside it in further ones."""
    marks = "*" * unit.damaged + "L" * (unit.kind == "lba") + "+" * unit.bonus
    weapons = (("G", unit.gunnery), ("T", unit.torpedo), ("A", unit.airstrike))
    factors = " ".join([f"{letter}{factor or '-'}" for letter, factor in weapons])
    defense = f"D{unit.defense}/{unit.damage or '-'}"
    printed = f"{marks:<3} {factors} {defense}"
    room = width - len(printed) - 1
    first, *rest = wrap(unit.name, room)
    lines = [f"{first:<{room}} {printed}", *rest]
    beside = ", ".join([note.text for note in noted(seen, unit)])
    return [*lines, *wrap(beside, width, initial_indent="  ", subsequent_indent="  ")] if beside else lines
