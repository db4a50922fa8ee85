"""Bases and the air units in them: what stands in the hex, and no more air than it holds."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.basing import capacity
from flagplot.awaw.belonging import NO_NAVAL_AIR
from flagplot.generating.sketch import Sketch

Hex = tuple[int, int]
DAMP = {"flak": 4, "objectives": 1, "anchors": 2, "fortification": 2}


def base(sketch: Sketch, key: str, side: str, at: Hex, **facts: Any) -> dict[str, Any]:
    """A base in a hex; `ports`, `cities`, `airbases` and `island` say what is there."""
    entry: dict[str, Any] = {"id": key, "name": key.replace("-", " ").title(), "side": side, "at": [*at], **facts}
    for fact, most in DAMP.items():
        if sketch.likely(0.15):
            entry[fact] = sketch.between(0, most)
    if sketch.likely(0.1):
        entry["supply"] = sketch.pick(("partial", "none"))
    if sketch.likely(0.1):
        entry["oil"] = True
    if not sketch.pacific and sketch.likely(0.1):
        entry["winter"] = sketch.between(7, 9)
    if sketch.pacific and sketch.likely(0.3):
        entry["jungle"] = True
    if entry.get("ports") and sketch.likely(0.15):
        entry["fortified"] = True
    entry["air"] = air_units(sketch, side, _room(sketch, entry))
    return entry


def _room(sketch: Sketch, entry: dict[str, Any]) -> int:
    """18.12: the factors for which there is room."""
    installations = sum(entry.get(kind, 0) for kind in ("cities", "ports", "airbases", "artificial_ports"))
    reduced = sketch.pacific and bool(entry.get("island") or entry.get("jungle"))
    return capacity(installations, reduced=reduced)


def air_units(sketch: Sketch, side: str, room: int) -> list[dict[str, Any]]:
    """Air units of the nations of a side, up to so many factors of room."""
    room = min(room, sketch.between(0, 6))
    found: list[dict[str, Any]] = []
    while room > 0 and len(found) < 3:
        country = sketch.pick(sketch.nations[side])
        arm = sketch.pick(_arms(sketch, country))
        naval = "naval" in arm
        number = sketch.between(1, room)
        entry: dict[str, Any] = {
            "nation": country,
            "arm": arm,
            "squadrons" if naval else "factors": 3 * number if naval else number,
        }
        if naval:
            entry["squadrons"] -= sketch.between(0, 2)
        if sketch.likely(0.15):
            entry["inverted"] = True
        found.append(entry)
        room -= number
    return found


def _arms(sketch: Sketch, country: str) -> list[str]:
    """The types of air unit that a nation may have; army air is the commonest."""
    arms = ["transport"]
    if not (country == "india" and sketch.reads("classic")):
        arms += ["army", "army", "army"]
    if country not in NO_NAVAL_AIR:
        arms.append("naval")
    if country == "japan" and not sketch.invoked:
        arms.append("elite-naval")
    if sketch.research.get(country, {}).get("jets", 0) >= 9:
        arms.append("jet")
    return arms


def ring(sketch: Sketch, number: int, farthest: int) -> list[Hex]:
    """So many hexes around (0, 0), up to a distance, no two the same."""
    near = [
        (q, r)
        for q in range(-farthest, farthest + 1)
        for r in range(-farthest, farthest + 1)
        if 0 < max(abs(q), abs(r), abs(q + r)) <= farthest
    ]
    return sketch.chance.sample(near, number)
