"""Air turns: an operation's map and forces, with ground units, airbases, BRPs, bombers and kamikazes beside them."""

from __future__ import annotations

from random import Random
from typing import Any

from flagplot.awaw.mapboard.hexes import hex_text
from flagplot.awaw.tables.nations import nations
from flagplot.generating.operations import guards, numbered, on_map, waiting_force
from flagplot.generating.orders import sailing_force
from flagplot.generating.seas import COAST, ROWS, Chart, columns_of, map_hexes, small_sea
from flagplot.generating.sketch import SIDES, Sketch, begin, other

PHASES = ("movement", "combat", "exploitation", "construction", "redeployment")
SEASONS = ("spring", "summer", "fall", "winter")
WAR = ("us-germany", "us-japan", "japan-west", "tension-40")
KINDS = ("infantry", "infantry", "armor", "specialized", "replacement", "partisan")
FRONT = "western"
STEP = 15


def air_turn(chance: Random) -> dict[str, Any]:
    """One or two player turns: air and sea, a front on land, landings and airdrops, construction and redeployment. In a
    third of them there are only the forces of an operation and the two phases in which they fight."""
    sketch = begin(chance)
    if sketch.likely(0.35):
        return _turn_at_sea(sketch)
    kamikazes = sketch.pacific and sketch.likely(0.4)
    sketch.invoked = kamikazes
    chart = small_sea(sketch)
    _add_transports(sketch, chart)
    forces = [sailing_force(sketch, chart, sketch.attacker) for _ in range(sketch.between(1, 3))]
    forces += [{"side": sketch.defender, **sailing_force(sketch, chart, sketch.defender)}]
    forces += [waiting_force(sketch, chart) for _ in range(sketch.between(0, 2))]
    entries = numbered(sketch, chart, [*forces, *guards(sketch, chart)])
    data = on_map(sketch, "air-turn", chart, entries)
    turns = [sketch.attacker, sketch.defender][: sketch.between(1, 2)]
    data["turn"] = {
        "turns": turns,
        "phases": [phase for phase in PHASES if phase in ("movement", "combat") or sketch.likely(0.7)],
        "year": sketch.between(1940, 1945),
        "season": sketch.pick(SEASONS),
        "opening": sketch.likely(0.2),
        "at_war": sketch.some(WAR, 4),
        "units": [*_front(sketch), *_garrisons(sketch, chart), *_paratroops(sketch, chart), *_passengers(entries)],
        "homes": {entry["id"]: _major(sketch, side) for side in SIDES for entry in chart.held(side)[:1]},
        "brps": {_major(sketch, side): sketch.between(0, 20) for side in SIDES},
        "force_pool": _force_pool(sketch),
        "sw": _bombers(sketch),
        "airbase_counters": {_major(sketch, side): 4 for side in SIDES},
        **_strategic(sketch, chart),
        **_land(sketch, chart),
    }
    if kamikazes:
        data["turn"] |= _kamikazes(sketch)
    return data


def _turn_at_sea(sketch: Sketch) -> dict[str, Any]:
    """A turn that is fought out at sea, with more forces of both sides."""
    chart = small_sea(sketch)
    forces = [sailing_force(sketch, chart, sketch.attacker) for _ in range(sketch.between(2, 4))]
    forces += [waiting_force(sketch, chart) for _ in range(sketch.between(1, 3))]
    entries = numbered(sketch, chart, [*forces, *guards(sketch, chart)])
    data = on_map(sketch, "air-turn", chart, entries)
    data["turn"] = {
        "turns": [sketch.attacker],
        "phases": ["movement", "combat"],
        "year": sketch.between(1940, 1945),
        "season": sketch.pick(SEASONS),
        "units": _passengers(entries),
        "airbase_counters": {_major(sketch, side): 4 for side in SIDES},
    }
    return data


def _major(sketch: Sketch, side: str) -> str:
    """The first major power of a side."""
    return next(country for country in sketch.nations[side] if nations()[country].major)


def _kamikazes(sketch: Sketch) -> dict[str, int]:
    """17.43: a force pool of 15 or 30, and how many of it are built."""
    limit = sketch.pick((STEP, STEP, 2 * STEP))
    built = sketch.between(3, STEP)
    return {
        "kamikaze_limit": limit,
        "kamikazes": built,
        "kamikaze_unbuilt": sketch.between(0, limit - built),
        "kamikaze_used": sketch.between(0, limit),
    }


# --- ground units -----------------------------------------------------------------------------------------------


def _unit(sketch: Sketch, key: str, side: str, at: str, **facts: Any) -> dict[str, Any]:
    entry = {"id": key, "side": side, "nation": sketch.nations[side][0], "kind": "infantry", "at": at, "factors": 1}
    return {**entry, **facts}


def _front(sketch: Sketch) -> list[dict[str, Any]]:
    """Units of the two sides face each other across the middle of the land."""
    found = []
    for side in SIDES:
        column = columns_of(side)[-1 if side == SIDES[0] else 0]
        for row in range(COAST + 1, ROWS - 1):
            if sketch.likely(0.6):
                (at,) = map_hexes(range(row, row + 1), range(column, column + 1))
                facts = {"kind": sketch.pick(KINDS), "factors": sketch.between(1, 4), "movement": sketch.between(2, 5)}
                found.append(_unit(sketch, f"{side}-army-{row}", side, hex_text(at), **facts))
    return found


def _garrisons(sketch: Sketch, chart: Chart) -> list[dict[str, Any]]:
    """Units in some bases; on islands they defend well."""
    found = []
    for side in SIDES:
        for entry in chart.held(side):
            if sketch.likely(0.5):
                strength = {"strength": sketch.between(1, 4)} if entry.get("island") else {}
                found.append(_unit(sketch, f"garrison-of-{entry['id']}", side, entry["id"], **strength))
    return found


def _paratroops(sketch: Sketch, chart: Chart) -> list[dict[str, Any]]:
    """Airborne units where there are air transports."""
    ready = [
        (side, entry)
        for side in SIDES
        for entry in chart.held(side)
        if any(u["arm"] == "transport" for u in entry["air"])
    ]
    return [
        _unit(sketch, f"paratroops-{number}", side, entry["id"], kind="airborne")
        for number, (side, entry) in enumerate(ready)
        if sketch.likely(0.6)
    ]


def _passengers(forces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A unit aboard each force that is to land somewhere and has no cargo in parts."""
    found = []
    for entry in forces:
        landing = any(order["activity"] in ("seaborne-invasion", "sea-transport") for order in entry.get("orders", []))
        if entry.get("cargo") and landing and "loads" not in entry:
            found.append(
                {
                    "id": f"division-of-{entry['id']}",
                    "side": entry["side"],
                    "nation": entry["ships"][0]["nation"],
                    "kind": "infantry",
                    "factors": 1,
                    "at": entry["base"],
                    "aboard": entry["id"],
                }
            )
    return found


# --- air --------------------------------------------------------------------------------------------------------


def _add_transports(sketch: Sketch, chart: Chart) -> None:
    """Air transports take the place of the air in a base of each side, so that there is somebody to fly airdrops."""
    for side in SIDES:
        able = [entry for entry in chart.held(side) if entry.get("airbases") or entry.get("cities")]
        if able and sketch.likely(0.6):
            sketch.pick(able)["air"] = [
                {"nation": sketch.nations[side][0], "arm": "transport", "factors": sketch.between(1, 2)},
                {"nation": sketch.nations[side][0], "arm": "army", "factors": 1},
            ]


def _land(sketch: Sketch, chart: Chart) -> dict[str, Any]:
    """What the land is like: neutral in the far south, rough here and there, under snow; who has joined of late."""
    south = [hex_text(at) for at in map_hexes(range(ROWS - 1, ROWS))]
    inland = [hex_text(at) for at in map_hexes(range(COAST + 1, ROWS - 1))]
    bases = [entry["id"] for entry in chart.held(sketch.attacker)]
    found: dict[str, Any] = {"rough": sketch.some(inland, 4), "neutral": sketch.some(south, 3)}
    found["neutral_sides"] = [[south[at], south[at + 1]] for at in sketch.some(range(len(south) - 1), 2)]
    found["winter"] = [] if sketch.pacific else sketch.some(inland, 3)
    found["gained"], found["new_minors"] = sketch.some(bases, 1), sketch.some(bases, 1)
    if sketch.pacific:
        islands = [entry for side in SIDES for entry in chart.held(side) if entry.get("island")]
        found["island_groups"] = {entry["id"]: f"the group of {entry['name']}" for entry in islands}
    if "china" in sketch.nations["allies"] and len(chart.held("allies")) > 1:
        found["hump"] = [entry["id"] for entry in chart.held("allies")[:2]]
    return found


def _force_pool(sketch: Sketch) -> dict[str, int]:
    pool = {}
    for side in SIDES:
        country = _major(sketch, side)
        pool[f"{country}/army"] = sketch.between(0, 3)
        if country not in ("russia", "france", "china"):
            pool[f"{country}/naval"] = sketch.between(0, 4)
        pool[f"{country}/transport"] = sketch.between(0, 1)
    return pool


def _bombers(sketch: Sketch) -> list[dict[str, Any]]:
    """Strategic bombers of the one side, interceptors of the other."""
    if sketch.likely(0.4):
        return []
    side = sketch.attacker
    country = _major(sketch, side)
    arm = "pacific-bomber" if sketch.pacific and country == "united-states" else "bomber"
    entries = [{"nation": country, "arm": arm, "factors": sketch.between(1, 4), "front": FRONT}]
    if sketch.likely(0.6):
        country = _major(sketch, other(side))
        entries.append({"nation": country, "arm": "interceptor", "factors": sketch.between(1, 3), "front": FRONT})
    return entries


def _strategic(sketch: Sketch, chart: Chart) -> dict[str, Any]:
    """The targets of bombers, and the front that bases lie on."""
    aims = chart.held(sketch.defender)
    return {
        "targets": {entry["id"]: f"the works at {entry['name']}" for entry in aims[:2]},
        "fronts": {entry["id"]: FRONT for side in SIDES for entry in chart.held(side)},
    }
