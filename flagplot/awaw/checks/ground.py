"""The ground units of an air turn: on land that their side holds, or aboard ships that can carry them."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.battle.cargo import laden_factors, tag
from flagplot.awaw.belonging import check_nation
from flagplot.awaw.checks.places import find, find_or_base, hex_of
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.state.battle import Group
from flagplot.kernel.errors import Fault
from flagplot.kernel.rules import rule


def check_ground_units(
    data: dict[str, Any], board: Mapboard, groups: dict[str, Group], neutral: dict[Hex, str], faults: list[Fault]
) -> None:
    """Everything that is wrong with them."""
    bases = {base["id"]: base for base in data["bases"]}
    forces = {entry["id"]: entry for entry in data["forces"]}
    units, held = data["turn"]["units"], _held(data)
    for number, entry in enumerate(units):
        where, before = f"turn.units[{number}]", len(faults)
        check_nation(entry["nation"], where, entry["side"], data, faults)
        if any(entry["id"] == other["id"] for other in units[:number]):
            faults.append(Fault(f"{where}.id", f"“{entry['id']}” is used twice"))
        at = find_or_base(board, bases, entry["at"], f"{where}.at", faults)
        if len(faults) > before or bases.get(entry["at"], {}).get("box"):
            continue  # where it is nobody can say, or it is off the map
        if entry["aboard"]:
            _check_aboard(entry, at, where, board, bases, forces, faults)
        else:
            _check_ashore(entry, at, where, board, held, neutral, faults)
    for key, group in groups.items():
        _check_capacity(units, key, group, faults)


def _held(data: dict[str, Any]) -> dict[Hex, tuple[str, str]]:
    """By hex with a base: the side that holds it, and what it is called."""
    return {hex_of(base): (base["side"], base["name"]) for base in data["bases"] if not base["box"]}


@rule("18.25", "18.22")
def _check_ashore(
    entry: dict[str, Any],
    at: Hex,
    where: str,
    board: Mapboard,
    held: dict[Hex, tuple[str, str]],
    neutral: dict[Hex, str],
    faults: list[Fault],
) -> None:
    """A unit stands on land, and where it stands its side holds the hex and the bases in it (18.25)."""
    if not board.is_land(at):
        faults.append(Fault(f"{where}.at", f"{entry['at']} is open sea: only cargo is there", "22.82"))
    if at in neutral:
        faults.append(Fault(f"{where}.at", f"{entry['at']} is neutral: {neutral[at]}", "18.22"))
    side, name = held.setdefault(at, (entry["side"], entry["id"]))
    if side != entry["side"]:
        faults.append(Fault(f"{where}.at", f"{name} of the enemy is in {entry['at']}: one side holds a hex", "18.25"))


@rule("22.82A", "22.15A")
def _check_aboard(
    entry: dict[str, Any],
    at: Hex,
    where: str,
    board: Mapboard,
    bases: dict[str, Any],
    forces: dict[str, Any],
    faults: list[Fault],
) -> None:
    """22.15A: who is aboard is aboard a fleet of his side, and where that is."""
    force = forces.get(entry["aboard"])
    if force is None:
        faults.append(Fault(f"{where}.aboard", f"there is no naval force “{entry['aboard']}”", "22.15A"))
        return
    if force["side"] != entry["side"]:
        faults.append(Fault(f"{where}.aboard", f"{force['name']} is a force of the enemy", "22.15A"))
    home = bases.get(force["base"])
    there = {hex_of(home)} if home else {at}
    if force["patrol"]:
        there.add(find(board, force["patrol"], "", []) or at)
    if at not in there:
        faults.append(Fault(f"{where}.at", f"{force['name']} is in {force['base']}, not in {entry['at']}", "22.15A"))


@rule("22.82A", "22.427")
def _check_capacity(units: list[dict[str, Any]], key: str, group: Group, faults: list[Fault]) -> None:
    """22.82: a laden factor carries a ground factor; where the cargo is given in parts each unit is one of them."""
    loads, left = {tag(name): number for name, number in group.loads.items()}, laden_factors(group.ships)
    for number, entry in enumerate(units):
        if entry["aboard"] != key:
            continue
        where, needs = f"turn.units[{number}].aboard", entry["factors"]
        if loads:
            if loads.get(tag(entry["id"]), 0) < needs:
                message = f"the loads of {group.name} have no part “{entry['id']}” of {needs} or more"
                faults.append(Fault(where, message, "22.82"))
        elif not left and not laden_factors(group.ships):
            faults.append(Fault(where, f"{group.name} has no laden ships", "22.427"))
        elif needs > left:
            message = f"{group.name} has {laden_factors(group.ships)} laden factors: there is no room for {needs} more"
            faults.append(Fault(where, message, "22.82"))
        left = max(0, left - needs)
