"""The sides of a scenario file, the nations in it, and the short names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flagplot.awaw.state.setting import at_sea
from flagplot.awaw.tables.nations import nations
from flagplot.kernel.errors import Fault
from flagplot.kernel.rules import rule
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


@rule("22.112")
def check_nations(data: dict[str, Any], faults: list[Fault]) -> None:
    """Research is that of a nation, and so are those who are not at war (22.112)."""
    for country in data["research"]:
        if country not in nations():
            faults.append(Fault(f"research.{country}", f"there is no nation “{country}”"))
    for number, pair in enumerate(data["at_peace"]):
        for country in pair:
            if country not in nations():
                faults.append(Fault(f"at_peace[{number}]", f"there is no nation “{country}”", "22.112"))


def check_names(data: dict[str, Any], faults: list[Fault]) -> None:
    """Short names are words of the tape: they hold neither blanks nor colons, and each place and force has its own."""
    ids = [side["id"] for side in data["sides"]]
    seen = {at_sea(side) for side in ids}
    for where, entry in _named(data):
        if set(entry["id"]) & set(": \t\n"):
            faults.append(Fault(f"{where}.id", f"“{entry['id']}” must not hold blanks or colons"))
        if where.startswith(("bases", "carriers", "forces")):
            if entry["id"] in seen:
                faults.append(Fault(f"{where}.id", f"“{entry['id']}” is used twice"))
            seen.add(entry["id"])
        if entry.get("side", ids[0]) not in ids:
            faults.append(Fault(f"{where}.side", f"“{entry['side']}” is not one of the sides: {', '.join(ids)}"))


def _named(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Everything that has a short name, and where it stands."""
    for group in ("sides", "bases", "carriers", "forces", "flotillas"):
        for number, entry in enumerate(data[group]):
            yield f"{group}[{number}]", entry
    for number, entry in enumerate(data["turn"].get("units", [])):
        yield f"turn.units[{number}]", entry
