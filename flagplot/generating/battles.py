"""Naval battles and raider battles."""

from __future__ import annotations

from random import Random
from typing import Any

from flagplot.awaw.basing import distance
from flagplot.generating.bases import base, ring
from flagplot.generating.fleets import raiders, small_force, task_force
from flagplot.generating.sketch import SIDES, Sketch, begin, heading

ACTIVITIES = ("patrol", "base-change", "redeployment", "shore-bombardment", "fast-carrier-mission")
CARGO_ACTIVITIES = ("sea-transport", "seaborne-invasion", "sea-escort", "sea-supply")
KAMIKAZE_RANGE = 4
CODES = ("codebreaking", "tactical_codebreaking", "submarine_codebreaking")


def naval_battle(chance: Random) -> dict[str, Any]:
    """A naval battle of a few rounds: carriers, land-based air, bases in reach, submarines, perhaps kamikazes."""
    sketch = begin(chance)
    kamikazes = sketch.pacific and sketch.likely(0.4)
    sketch.invoked = kamikazes
    bases = _bases(sketch)
    forces = [force for side in SIDES for force in _forces(sketch, side)]
    data = _battle(sketch, bases, forces)
    data["submarines"] = [_submarines(sketch, sketch.pick(SIDES)) for _ in range(sketch.between(0, 2))]
    data["rounds"] = sketch.between(2, 4)
    if sketch.likely(0.3):
        data["asw"] = {side: _asw(sketch) for side in SIDES}
    if sketch.likely(0.3):
        data["destroyers_elsewhere"] = {sketch.pick(SIDES): sketch.between(1, 4)}
    if sketch.likely(0.15):
        data["withholds"] = sketch.pick(SIDES)
    if kamikazes and _japan_is_near(bases):
        data["kamikazes"] = {"number": sketch.between(1, 12), "growth": sketch.between(0, 2)}
    return data


def raider_battle(chance: Random) -> dict[str, Any]:
    """22.35: raiders against what is in an SW box, with transports behind it."""
    sketch = begin(chance)
    hunters = [_hunters(sketch) for _ in range(sketch.between(1, 2))]
    groups = [raiders(sketch, sketch.attacker) for _ in range(sketch.between(1, 2))]
    sides = [*[(sketch.attacker, group) for group in groups], *[(sketch.defender, hunter) for hunter in hunters]]
    forces = [_named(side, number, entry) for number, (side, entry) in enumerate(sides)]
    data = _battle(sketch, _bases(sketch), forces) | {"raiders": True}
    for entry in forces:
        entry.pop("activity", None)
    if sketch.likely(0.8):
        data["transports"] = {"nation": sketch.nations[sketch.defender][0], "factors": sketch.between(1, 6)}
    return data


def _hunters(sketch: Sketch) -> dict[str, Any]:
    make = task_force if sketch.likely(0.5) else small_force
    return make(sketch, sketch.defender)


def _battle(sketch: Sketch, bases: list[dict[str, Any]], forces: list[dict[str, Any]]) -> dict[str, Any]:
    for entry in forces:
        homes = [one["id"] for one in bases if one["side"] == entry["side"] and one.get("ports")]
        entry["origin"] = sketch.pick([*homes, "a far port"])
    codes = {key: sketch.pick(SIDES) for key in CODES if sketch.likely(0.25)}
    theatre = "pacific" if sketch.pacific else "europe"
    return {**heading(sketch, "naval-battle"), "theatre": theatre, "bases": bases, "forces": forces, **codes}


def _bases(sketch: Sketch) -> list[dict[str, Any]]:
    """A few bases of both sides around the battle."""
    return [
        base(
            sketch,
            f"base-{number}",
            sketch.pick(SIDES),
            at,
            ports=sketch.between(0, 1),
            cities=sketch.between(0, 1),
            airbases=sketch.between(0, 1),
            island=sketch.likely(0.4),
        )
        for number, at in enumerate(ring(sketch, sketch.between(0, 4), 5))
    ]


def _japan_is_near(bases: list[dict[str, Any]]) -> bool:
    """17.462: kamikazes fly from Japanese bases within four hexes."""
    return any(
        one["side"] == SIDES[0] and distance((one["at"][0], one["at"][1]), (0, 0)) <= KAMIKAZE_RANGE for one in bases
    )


def _forces(sketch: Sketch, side: str) -> list[dict[str, Any]]:
    """One to three forces of a side; the first is there in the first round."""
    found = []
    for number in range(sketch.between(1, 3)):
        cargo = side == sketch.attacker and sketch.likely(0.3)
        make = task_force if sketch.likely(0.6) else small_force
        entry = _named(side, number, make(sketch, side, cargo=cargo))
        if number and sketch.likely(0.3):
            entry["arrives"] = sketch.between(2, 3)
        if side == sketch.attacker:
            entry["activity"] = sketch.pick(CARGO_ACTIVITIES if cargo else ACTIVITIES)
        found.append(entry)
    return found


def _named(side: str, number: int, entry: dict[str, Any]) -> dict[str, Any]:
    return {"id": f"{side}-{number}", "name": f"the {side.title()} Force {number + 1}", "side": side, **entry}


def _submarines(sketch: Sketch, side: str) -> dict[str, Any]:
    return {
        "side": side,
        "nation": sketch.nations[side][0],
        "factors": sketch.between(1, 3),
        "advanced": sketch.likely(0.2),
        "accompany": sketch.likely(0.4),
        "arrives": sketch.pick((1, 1, 2)),
    }


def _asw(sketch: Sketch) -> dict[str, int]:
    return {"factors": sketch.between(0, 8), "submarines": sketch.between(0, 8)}
