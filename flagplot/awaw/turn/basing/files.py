"""What scenario files of air turns say about bases: who controls them, airbases, neutral land, what is cut off."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.state.turn import Airbase
from flagplot.awaw.turn.basing.airbases import COUNTERS
from flagplot.kernel.rules import rule
from flagplot.kernel.shapes import Flag, Items, Named, Shape, Text, Whole

BASING: dict[str, tuple[Shape, Any]] = {
    "controllers": (Named("By base: the nation that controls it.", Text("A nation.", rule="18.142C")), {}),
    "opening": (Flag("Whether airbases are placed before the first turn, as in a campaign."), False),
    "isolated": (Items("Bases that the enemy has cut off from supply.", Text("A base.", rule="18.147")), []),
    "launched": (
        Items("Forces whose carriers are launched in this turn.", Text("A naval force.", rule="17.3122C")),
        [],
    ),
    "redeployments": (
        Named("By nation: air units that it may redeploy in a turn.", Whole("How many.", 0, 99, rule="18.72D")),
        {},
    ),
}
"""Entries of the `turn` table of a scenario."""


@rule("18.141.1")
def counters_at_start(data: dict[str, Any]) -> dict[str, Airbase]:
    """18.141: the airbases that stand as the scenario begins. Where no nation is named it is the one that controls the
    base, or the first major power of its side."""
    turn, found = data["turn"], {}
    for base in data["bases"]:
        if base["airbases"]:
            members: list[str] = next((side["nations"] for side in data["sides"] if side["id"] == base["side"]), [])
            able = [turn["controllers"].get(base["id"], ""), *members]
            major = next((country for country in able if country in COUNTERS), "")
            country = turn["airbases"].get(base["id"], major)
            if country:
                found[base["id"]] = Airbase(country)
    return dict(sorted(found.items()))
