"""Battles and base attacks of Line of Battle."""

from __future__ import annotations

from random import Random
from typing import Any

from flagplot.generating.sketch import SIDES, some_readings
from flagplot.line_of_battle.options import Options


def line_of_battle(chance: Random) -> dict[str, Any]:
    """A battle, or an attack on a base, with ships, carriers and land-based air."""
    options = some_readings(chance, Options)
    raid = chance.random() < 0.35
    phasing = chance.choice(SIDES)
    data: dict[str, Any] = {
        "game": "line-of-battle",
        "kind": "base-attack" if raid else "battle",
        "phasing": phasing,
        "all_sea": chance.random() < 0.6,
        "sides": [_side(chance, side, options, flies=raid and side == phasing) for side in SIDES],
        "options": options,
    }
    if raid and chance.random() < 0.5:
        data["base_attack_rounds"] = chance.randint(1, 4)
    return data


def _side(chance: Random, side: str, options: dict[str, Any], *, flies: bool) -> dict[str, Any]:
    """A faction; one that attacks a base has a carrier to attack with."""
    ships = [_ship(chance, f"{side}-{number}") for number in range(chance.randint(1, 4))]
    if flies:
        ships[0]["airstrike"] = chance.randint(2, 4)
    lbas = [_lba(chance, f"{side}-air-{number}") for number in range(chance.randint(0, 2))]
    near: dict[str, Any] = {}
    if options.get("air_base_near") == "distance":
        near = {"air_base_distance": chance.randint(0, 5)}
    elif chance.random() < 0.4:
        near = {"air_base": True}
    return {"id": side, "name": side.title(), "ships": ships, "lbas": lbas, **near}


def _ship(chance: Random, key: str) -> dict[str, Any]:
    defense = chance.randint(1, 8)
    entry: dict[str, Any] = {
        "id": key,
        "name": key.replace("-", " ").title(),
        "gunnery": chance.randint(0, 5),
        "torpedo": chance.randint(0, 3),
        "airstrike": chance.choice((0, 0, 0, 2, 4)),
        "defense": defense,
        "bonus": chance.random() < 0.2,
    }
    return entry | _weaker(chance, "damaged", ("gunnery", "torpedo"), entry)


def _lba(chance: Random, key: str) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": key,
        "name": key.replace("-", " ").title(),
        "airstrike": chance.randint(1, 4),
        "defense": chance.randint(1, 4),
    }
    return entry | _weaker(chance, "reduced", ("airstrike",), entry)


def _weaker(chance: Random, key: str, weapons: tuple[str, ...], entry: dict[str, Any]) -> dict[str, Any]:
    """LOB-23, LOB-26: a Damage Factor below the Defense Factor, and perhaps a damaged side that is not stronger."""
    if entry["defense"] < 2 or chance.random() < 0.3:
        return {}
    found: dict[str, Any] = {"damage": chance.randint(1, entry["defense"] - 1)}
    if chance.random() < 0.6:
        found[key] = {weapon: chance.randint(0, entry[weapon]) for weapon in weapons}
        if chance.random() < 0.5:
            found[key]["defense"] = chance.randint(1, entry["defense"])
    return found
