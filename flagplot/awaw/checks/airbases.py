"""Who controls the bases of an air turn, and whose airbases stand in them."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.tables.nations import nations
from flagplot.awaw.turn.basing.airbases import ALEUTIANS, COUNTERS, EUROPE, PACIFIC
from flagplot.awaw.turn.basing.files import counters_at_start
from flagplot.awaw.turn.nations import faction_among
from flagplot.kernel.errors import Fault
from flagplot.kernel.rules import rule


def check_basing(data: dict[str, Any], faults: list[Fault]) -> None:
    """Everything that is wrong with these."""
    turn, bases = data["turn"], {base["id"]: base for base in data["bases"]}
    for base, country in turn["controllers"].items():
        where = f"turn.controllers.{base}"
        if base not in bases:
            faults.append(Fault(where, f"there is no base “{base}”"))
        elif not _fights_there(country, bases[base], data):
            faults.append(Fault(where, f"“{country}” does not fight on the side that holds {base}", "18.142C"))
    for base in turn["isolated"]:
        if base not in bases:
            faults.append(Fault("turn.isolated", f"there is no base “{base}”", "18.147"))
    for force in turn["launched"]:
        if all(force != entry["id"] for entry in data["forces"]):
            faults.append(Fault("turn.launched", f"there is no naval force “{force}”", "17.3122C"))
    for country in turn["redeployments"]:
        if country not in nations():
            faults.append(Fault("turn.redeployments", f"there is no nation “{country}”"))
    _check_airbases(data, bases, faults)
    _check_island_groups(data, faults)


def _fights_there(country: str, base: dict[str, Any], data: dict[str, Any]) -> bool:
    """Whether a nation fights on the side that holds a base."""
    return any(country in side["nations"] for side in data["sides"] if side["id"] == base["side"])


@rule("18.14", "18.141.1", "18.142D")
def _check_airbases(data: dict[str, Any], bases: dict[str, Any], faults: list[Fault]) -> None:
    """18.141: airbases stand at the start where the scenario says; no nation has more than its counters (18.14)."""
    turn, theatre = data["turn"], PACIFIC if data["theatre"] == "pacific" else EUROPE
    for base, country in turn["airbases"].items():
        where = f"turn.airbases.{base}"
        if base in bases and not bases[base]["airbases"]:
            faults.append(Fault(where, f"{base} has no airbase: it needs airbases = 1", "18.141"))
        if country not in COUNTERS:
            faults.append(Fault(where, f"“{country}” has no airbase counters; major powers have", "18.14"))
        elif base in bases and not _fights_there(country, bases[base], data):
            faults.append(Fault(where, f"“{country}” does not fight on the side that holds {base}", "18.142C"))
    standing = counters_at_start(data).values()
    for country in COUNTERS:
        number = [counter.nation for counter in standing].count(country)
        most = COUNTERS[country][theatre] + turn["airbase_counters"].get(country, 0)
        if number > most:
            faults.append(Fault("turn.airbases", f"{country} has {number} airbases, and {most} counters", "18.14"))


@rule("18.142E")
def _check_island_groups(data: dict[str, Any], faults: list[Fault]) -> None:
    """18.142E: an alliance faction has one airbase in each Pacific island group, and none in the Aleutians."""
    turn = data["turn"]
    seen: dict[tuple[str, str], str] = {}
    if data["theatre"] != "pacific":
        return
    members = {side["id"]: side["nations"] for side in data["sides"]}
    for base, counter in counters_at_start(data).items():
        group, where = turn["island_groups"].get(base, ""), f"turn.island_groups.{base}"
        if not group:
            continue
        if ALEUTIANS in group.casefold():
            faults.append(Fault(where, "there are no airbases in the Aleutians", "18.142E"))
        first = seen.setdefault((group, faction_among(counter.nation, turn["factions"], members)), base)
        if first != base:
            message = f"{first} in {group} has an airbase: an alliance faction has one in an island group"
            faults.append(Fault(where, message, "18.142E"))
