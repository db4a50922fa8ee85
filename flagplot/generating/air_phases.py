"""Air phases: counterair between bases, and by carriers at sea."""

from __future__ import annotations

from random import Random
from typing import Any

from flagplot.awaw.ships import FAST_CARRIERS
from flagplot.generating.bases import Hex, base, ring
from flagplot.generating.sketch import SIDES, Sketch, begin, heading

PHASES = (["movement"], ["combat"], ["movement", "combat"])


def air_phase(chance: Random) -> dict[str, Any]:
    """Bases of both sides within each other's reach, carriers off the coast and in port."""
    sketch = begin(chance)
    places = ring(sketch, sketch.between(4, 7), 3)
    return {
        **heading(sketch, "air-phase"),
        "theatre": "pacific" if sketch.pacific else "europe",
        "phases": sketch.pick(PHASES),
        "carriers": [_carriers(sketch, number, at) for number, at in enumerate(places[4:]) if _navy(sketch)],
        "bases": [_base(sketch, number, at) for number, at in enumerate(places[:4])],
    }


def _base(sketch: Sketch, number: int, at: Hex) -> dict[str, Any]:
    """Bases of the two sides in turn, so that each has two."""
    side = SIDES[number % 2]
    facts = {"ports": sketch.between(0, 1), "cities": sketch.between(0, 1), "island": sketch.likely(0.3)}
    entry = base(sketch, f"base-{number}", side, at, airbases=1, **facts)
    if side == sketch.defender and entry["ports"] and _carrier_nations(sketch, side) and sketch.likely(0.5):
        entry["task_force"] = {"marker": "TF 1", **_ships(sketch, sketch.pick(_carrier_nations(sketch, side)))}
    return entry


def _navy(sketch: Sketch) -> bool:
    return bool(_carrier_nations(sketch, sketch.attacker))


def _carrier_nations(sketch: Sketch, side: str) -> list[str]:
    """The nations of a side that have fast carriers."""
    return [
        country
        for country in sketch.nations[side]
        if any(found.kind in FAST_CARRIERS for found in sketch.named.get(country, []))
    ]


def _carriers(sketch: Sketch, number: int, at: Hex) -> dict[str, Any]:
    country = sketch.pick(_carrier_nations(sketch, sketch.attacker))
    about = {"id": f"fleet-{number}", "name": f"Fleet {number + 1}", "side": sketch.attacker, "at": [*at]}
    return {**about, **_ships(sketch, country)}


def _ships(sketch: Sketch, country: str) -> dict[str, Any]:
    free = [found for found in sketch.named[country] if found.kind in FAST_CARRIERS]
    chosen = free[: sketch.between(1, 2)]
    for found in chosen:
        sketch.named[country].remove(found)
    decks = sum(found.factors for found in chosen)
    return {
        "nation": country,
        "ships": [{"name": found.name, "size": found.factors} for found in chosen],
        "squadrons": sketch.between(decks // 2, decks),
        "elite": country == "japan" and sketch.likely(0.5),
    }
