"""Where things are: hexes in scenario files, by name or by coordinates, and what stands in a base."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.kernel.errors import Fault, UnknownName
from flagplot.kernel.rules import rule


def hex_of(entry: dict[str, Any]) -> Hex:
    """The hex of a base, a fleet or a battle; (0, 0) where none is given."""
    column, row = entry["at"] if len(entry["at"]) == 2 else (0, 0)
    return column, row


@rule("17.21", "18.12")
def installations(base: dict[str, Any]) -> int:
    """18.12: what bases air units in a hex: cities, ports, an airbase, an artificial port."""
    count: int = base["cities"] + base["ports"] + base["airbases"] + base["artificial_ports"]
    return count


def find(board: Mapboard, text: str, where: str, faults: list[Fault]) -> Hex | None:
    try:
        box = next((box for box in board.boxes if box.id == text), None)
        return box.edges[0] if box else board.find(text)
    except UnknownName as unknown:
        faults.append(Fault(where, str(unknown)))
        return None


def destination(board: Mapboard, bases: dict[str, Any], text: str, where: str, faults: list[Fault]) -> Hex | None:
    if text in bases:
        at = bases[text]["at"]
        return at[0], at[1]
    return find(board, text, f"{where}.to", faults)


def find_or_base(board: Mapboard, bases: dict[str, Any], text: str, where: str, faults: list[Fault]) -> Hex:
    if text in bases:
        at = bases[text]["at"]
        return at[0], at[1]
    try:
        return board.find(text)
    except UnknownName as unknown:
        faults.append(Fault(where, str(unknown)))
        return 0, 0
