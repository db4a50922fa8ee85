"""Operations on a small map, and attacks on bases from the sea."""

from __future__ import annotations

from random import Random
from typing import Any

from flagplot.generating.fleets import berths, small_force, task_force
from flagplot.generating.orders import open_water, sailing_force
from flagplot.generating.seas import BOX, Chart, coastal, small_sea
from flagplot.generating.sketch import SIDES, Sketch, begin, heading

STAGES = ("movement", "combat", "redeployment")
CODES = ("strategic", "codebreaking", "tactical_codebreaking", "submarine_codebreaking")


def operation(chance: Random) -> dict[str, Any]:
    """Forces of the moving side with orders, forces and patrols of the other, submarines, supply lines, a box, perhaps
    kamikazes."""
    sketch = begin(chance)
    sketch.invoked = sketch.pacific and sketch.likely(0.4)
    chart = small_sea(sketch)
    forces = [sailing_force(sketch, chart, sketch.attacker) for _ in range(sketch.between(2, 4))]
    forces += [waiting_force(sketch, chart) for _ in range(sketch.between(1, 3))]
    forces += guards(sketch, chart)
    stages = sorted(sketch.chance.sample(STAGES, sketch.between(1, 3)), key=STAGES.index)
    return {**on_map(sketch, "operation", chart, numbered(sketch, chart, forces)), "stages": stages}


def base_attack(chance: Random) -> dict[str, Any]:
    """Carriers on patrol or on a mission within reach of a base in which ships lie."""
    sketch = begin(chance)
    while not _has_carriers(sketch):
        sketch = begin(chance)
    sketch.invoked = sketch.pacific and sketch.likely(0.4)
    chart = small_sea(sketch)
    near = _waters_near(sketch, chart)
    forces = [_carriers(sketch, chart, near) for _ in range(2)]
    forces += [{**waiting_force(sketch, chart), "patrol": ""} for _ in range(sketch.between(1, 3))]
    return {**on_map(sketch, "operation", chart, numbered(sketch, chart, forces)), "stages": ["movement", "combat"]}


def _has_carriers(sketch: Sketch) -> bool:
    """Whether the moving side's first nation has fast carriers."""
    return sketch.nations[sketch.attacker][0] in ("germany", "italy", "japan", "britain", "united-states")


def _carriers(sketch: Sketch, chart: Chart, near: list[str]) -> dict[str, Any]:
    """A task force that may patrol off an enemy base, or fly a mission from there."""
    entry = task_force(sketch, sketch.attacker, escorts=False)
    orders = [
        {"activity": activity, "to": sketch.pick(near), "worth": 2} for activity in ("patrol", "fast-carrier-mission")
    ]
    return {"side": sketch.attacker, "base": sketch.pick(chart.ports(sketch.attacker))["id"], **entry, "orders": orders}


def _waters_near(sketch: Sketch, chart: Chart) -> list[str]:
    """Open sea beside the enemy's bases."""
    aims = [(entry["at"][0], entry["at"][1]) for entry in coastal(chart, sketch.attacker)]
    return [
        f"{q},{r}" for q, r in chart.sea if any(max(abs(q - x), abs(r - y), abs(q + r - x - y)) <= 2 for x, y in aims)
    ]


def waiting_force(sketch: Sketch, chart: Chart) -> dict[str, Any]:
    """A force of the other side in port or on patrol."""
    side = sketch.defender
    entry = task_force(sketch, side, escorts=False) if sketch.likely(0.6) else small_force(sketch, side)
    entry = {"side": side, "base": sketch.pick(chart.ports(side))["id"], **entry}
    return entry | ({"patrol": open_water(sketch, chart)} if sketch.likely(0.3) else {})


def guards(sketch: Sketch, chart: Chart) -> list[dict[str, Any]]:
    """Ships in the box, against raiders."""
    if chart.box(sketch.defender) is None:
        return []
    return [{"side": sketch.defender, "base": BOX, **task_force(sketch, sketch.defender)}]


def numbered(sketch: Sketch, chart: Chart, forces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The forces for which their ports have room, with ids and names."""
    found = []
    berthed = [entry for entry in forces if chart.has_room(entry["base"], berths(entry))]
    for number, entry in enumerate(berthed):
        side = entry.get("side", sketch.attacker)
        about = {"id": f"force-{number}", "name": f"Force {number + 1}", "side": side}
        found.append({**about, **{key: value for key, value in entry.items() if value != ""}})
    return found


def on_map(sketch: Sketch, kind: str, chart: Chart, forces: list[dict[str, Any]]) -> dict[str, Any]:
    """The parts that operations and air turns have in common."""
    tracing = SIDES if kind == "air-turn" else (sketch.attacker,)
    flotillas = [_flotilla(sketch, chart, number) for number in range(sketch.between(0, 4))]
    data = {
        **heading(sketch, kind),
        "map": chart.data(sketch.pacific),
        "bases": chart.bases,
        "forces": forces,
        "flotillas": [boats for boats in flotillas if chart.has_room(boats["base"], boats["factors"])],
        "supply_lines": [line for side in tracing for line in _supply_lines(sketch, chart, side)],
        **{key: sketch.pick(SIDES) for key in CODES if sketch.likely(0.25)},
    }
    if chart.box(sketch.defender) is not None:
        data["transports"] = {"nation": sketch.nations[sketch.defender][0], "factors": sketch.between(1, 6)}
        data["hunting"] = sketch.between(0, 3)
    if {"britain", "france"} <= {*sketch.nations["allies"]}:
        data["cooperation"] = sketch.likely(0.5)
    if sketch.invoked and kind == "operation":
        data["kamikazes"] = {"number": sketch.between(1, 20), "growth": sketch.between(0, 2)}
    if sketch.likely(0.4):
        data["asw"] = {side: {"factors": sketch.between(0, 8), "submarines": sketch.between(0, 8)} for side in SIDES}
    if sketch.likely(0.3):
        data["destroyers_elsewhere"] = {sketch.pick(SIDES): sketch.between(1, 4)}
    if sketch.likely(0.3):
        data["zones"] = {entry["id"]: sketch.pick(("north", "south")) for entry in chart.held(sketch.attacker)}
    return data


def _flotilla(sketch: Sketch, chart: Chart, number: int) -> dict[str, Any]:
    """Submarines in port or on patrol; those of the moving side may be sent out."""
    side = sketch.pick(SIDES)
    entry: dict[str, Any] = {
        "id": f"boats-{number}",
        "side": side,
        "nation": sketch.pick(sketch.nations[side]),
        "factors": sketch.between(1, 3),
        "base": sketch.pick(chart.ports(side))["id"],
    }
    if sketch.likely(0.2):
        entry["advanced"] = True
    if sketch.likely(0.4):
        entry["patrol"] = open_water(sketch, chart)
    elif side == sketch.attacker:
        entry["orders"] = [{"activity": "patrol", "to": open_water(sketch, chart)} for _ in range(2)]
    return entry


def _supply_lines(sketch: Sketch, chart: Chart, side: str) -> list[dict[str, Any]]:
    """Lines between ports of a side."""
    ports = [entry["id"] for entry in chart.ports(side)]
    if len(ports) < 2 or sketch.likely(0.4):
        return []
    start, end = sketch.chance.sample(ports, 2)
    return [{"from": start, "to": end, "worth": 1} | ({"stage": sketch.pick(STAGES)} if sketch.likely(0.5) else {})]
