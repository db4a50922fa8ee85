"""The sides of a scenario file, and the short names in it."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.state import at_sea
from flagplot.awaw.tables.nations import nations
from flagplot.kernel.errors import Fault
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE


def check_sides(data: dict[str, Any], faults: list[Fault]) -> None:
    ids = [side["id"] for side in data["sides"]]
    if len(set(ids)) < len(ids) or not {UMPIRE, NEUTRAL}.isdisjoint(ids):
        faults.append(Fault("sides", "the two sides need two names of their own, and neither is umpire or neutral"))
    if data["attacker"] not in ids:
        faults.append(Fault("attacker", f"“{data['attacker']}” is not one of the sides: {', '.join(ids)}"))
    seen: dict[str, str] = {}
    for number, side in enumerate(data["sides"]):
        for country in side["nations"]:
            if country not in nations():
                faults.append(Fault(f"sides[{number}].nations", f"there is no nation “{country}”"))
            elif seen.setdefault(country, side["id"]) != side["id"]:
                faults.append(Fault(f"sides[{number}].nations", f"{country} cannot fight on both sides"))


def check_names(data: dict[str, Any], faults: list[Fault]) -> None:
    ids = [side["id"] for side in data["sides"]]
    seen = {at_sea(side) for side in ids}
    for group in ("bases", "carriers", "forces"):
        for number, entry in enumerate(data[group]):
            if entry["id"] in seen:
                faults.append(Fault(f"{group}[{number}].id", f"“{entry['id']}” is used twice"))
            seen.add(entry["id"])
            if set(entry["id"]) & set(": \t\n"):
                faults.append(Fault(f"{group}[{number}].id", f"“{entry['id']}” must not hold blanks or colons"))
            if entry["side"] not in ids:
                message = f"“{entry['side']}” is not one of the sides: {', '.join(ids)}"
                faults.append(Fault(f"{group}[{number}].side", message))
