"""Bases and the hexes that they lie in: one side in a hex, one airbase, no more ships than its ports hold."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.checks.kinds import ON_MAP
from flagplot.awaw.checks.places import hex_of
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.bases.port_room import PORT_FACTORS, size
from flagplot.awaw.state.battle import Group
from flagplot.kernel.errors import Fault
from flagplot.kernel.rules import rule


@rule("18.142D", "18.25")
def check_hexes(data: dict[str, Any], faults: list[Fault]) -> None:
    """18.25: a base falls with its hex, so that a hex has one side; 18.142D: and no more than one airbase."""
    seen: dict[Hex, tuple[int, dict[str, Any]]] = {}
    for number, base in enumerate(data["bases"]):
        if base["box"] or len(base["at"]) != 2 or any(fault.place.startswith(f"bases[{number}]") for fault in faults):
            continue
        _, first = seen.setdefault(hex_of(base), (number, base))
        if first is base:
            continue
        if first["side"] != base["side"]:
            message = f"{first['name']} of the enemy lies in the same hex"
            faults.append(Fault(f"bases[{number}]", message, "18.25"))
        if first["airbases"] and base["airbases"]:
            message = f"{first['name']} in the same hex has an airbase: there is one in a hex at most"
            faults.append(Fault(f"bases[{number}].airbases", message, "18.142D"))


@rule("22.63D")
def check_berths(data: dict[str, Any], groups: dict[str, Group], faults: list[Fault]) -> None:
    """21.11, 22.63D: each port holds 50 naval factors, submarines and transports among them."""
    for number, base in enumerate(data["bases"]):
        most = PORT_FACTORS * base["ports"]
        lying = _in_port(data, groups, base)
        if base["ports"] and not base["box"] and lying > most:
            message = f"{lying} naval factors lie in {base['name']}, and it holds {most}"
            faults.append(Fault(f"bases[{number}]", message, "22.63D"))


def _in_port(data: dict[str, Any], groups: dict[str, Group], base: dict[str, Any]) -> int:
    if data["kind"] not in ON_MAP:
        carriers: list[dict[str, int]] = base["task_force"]["ships"] if base["task_force"] else []
        return sum(which["size"] for which in carriers)
    here = [entry for entry in data["forces"] if entry["base"] == base["id"] and not entry["patrol"]]
    boats = [entry for entry in data["flotillas"] if entry["base"] == base["id"] and not entry["patrol"]]
    factors: list[int] = [entry["factors"] for entry in boats]
    return sum([size(groups[entry["id"]].ships) for entry in here]) + sum(factors)
