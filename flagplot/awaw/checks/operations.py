"""The forces, submarines and supply lines of an operation: where they are and where they may go."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.belonging import check_nation
from flagplot.awaw.checks.orders import check_fitness, check_order
from flagplot.awaw.checks.places import find
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.operation import Activity
from flagplot.kernel.errors import Fault


def check_operation(data: dict[str, Any], groups: dict[str, Group], faults: list[Fault]) -> None:
    """Everything that is wrong with the forces, flotillas and orders of an operation."""
    board = data.get("board")
    if board is None:
        return
    bases = {base["id"]: base for base in data["bases"]}
    for number, entry in enumerate(data["forces"]):
        where = f"forces[{number}]"
        _check_base(entry, where, bases, faults)
        for n, order in enumerate(entry["orders"]):
            if entry["side"] != data["attacker"] and data["kind"] == "operation":
                faults.append(Fault(f"{where}.orders", "only forces of the moving side have orders", "22.15"))
                break
            check_order(data, board, bases, entry, order, f"{where}.orders[{n}]", faults)
            check_fitness(bases, groups[entry["id"]], order, f"{where}.orders[{n}]", faults)
        if entry["patrol"]:
            _check_patrol(board, entry["patrol"], f"{where}.patrol", faults)
        if entry["began_at_sea"] and not bases.get(entry["base"], {}).get("box"):
            faults.append(Fault(f"{where}.began_at_sea", "raiders that began the game at sea are in a box", "22.11A"))
    for number, entry in enumerate(data["flotillas"]):
        where = f"flotillas[{number}]"
        check_nation(entry["nation"], where, entry["side"], data, faults)
        _check_base(entry, where, bases, faults)
        if entry["id"] in groups or any(entry["id"] == other["id"] for other in data["flotillas"][:number]):
            faults.append(Fault(f"{where}.id", f"there is another “{entry['id']}”: each needs a name of its own"))
        if entry["patrol"]:
            _check_patrol(board, entry["patrol"], f"{where}.patrol", faults)
        for n, order in enumerate(entry["orders"]):
            if entry["side"] != data["attacker"] and data["kind"] == "operation":
                faults.append(Fault(f"{where}.orders", "only submarines of the moving side have orders", "22.15"))
                break
            if order["activity"] != Activity.PATROL:
                faults.append(Fault(f"{where}.orders[{n}].activity", "submarines can only be told to patrol", "22.913"))
            check_order(data, board, bases, entry, order, f"{where}.orders[{n}]", faults)
    for number, line in enumerate(data["supply_lines"]):
        _check_line(data, board, bases, line, f"supply_lines[{number}]", faults)
    for name in data["norway"]:
        find(board, name, "norway", faults)
    for key in (*data["ground"], *data["zones"]):
        if key not in bases:
            faults.append(Fault("ground" if key in data["ground"] else "zones", f"there is no base “{key}”"))


def _check_patrol(board: Mapboard, text: str, where: str, faults: list[Fault]) -> None:
    at = find(board, text, where, faults)
    if at is not None and not board.is_water(at):
        faults.append(Fault(where, f"{text} is on land", "21.41"))


def _check_line(
    data: dict[str, Any], board: Mapboard, bases: dict[str, Any], line: dict[str, Any], where: str, faults: list[Fault]
) -> None:
    """A line leads from one port of a side to another, by sea; in an operation of the side that moves."""
    ends = [bases.get(line[end]) for end in ("from", "to")]
    owner = data["attacker"] if data["kind"] == "operation" or ends[0] is None else ends[0]["side"]
    for end, base in zip(("from", "to"), ends, strict=True):
        if base is None or not base["ports"] or base["side"] != owner:
            whose = "the moving side" if data["kind"] == "operation" else "the side that traces the line"
            faults.append(Fault(f"{where}.{end}", f"“{line[end]}” is no port of {whose}", "30.37"))
            return
    start, stop = [(base["at"][0], base["at"][1]) for base in ends if base is not None]
    if board.sea_path(start, stop) is None:
        faults.append(Fault(where, f"there is no way by sea from {line['from']} to {line['to']}"))


def _check_base(entry: dict[str, Any], where: str, bases: dict[str, Any], faults: list[Fault]) -> None:
    base = bases.get(entry["base"])
    if base is None:
        faults.append(Fault(f"{where}.base", f"there is no base “{entry['base']}”", "21.11"))
    elif base["side"] != entry["side"]:
        faults.append(Fault(f"{where}.base", f"{base['name']} is held by the enemy", "21.11"))
    elif not base["ports"] and not base["box"]:
        faults.append(Fault(f"{where}.base", f"naval units base in ports, and {base['name']} has none", "21.11"))
