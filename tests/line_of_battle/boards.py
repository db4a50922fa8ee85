"""Small boards for the tests of Line of Battle: counters in a few letters."""

from __future__ import annotations

import re
from typing import Any

FACTORS = {"G": "gunnery", "T": "torpedo", "A": "airstrike", "D": "defense"}


def _factors(text: str) -> dict[str, int]:
    """``G3 T2 D5/3``: gunnery 3, torpedo 2, defense 5, damage 3."""
    found = {FACTORS[letter]: int(number) for letter, number in re.findall(r"([GTAD])(\d+)", text)}
    damage = re.search(r"/(\d+)", text)
    return found | ({"damage": int(damage[1])} if damage else {})


def ship(key: str, text: str, back: str | None = None, **more: Any) -> dict[str, Any]:
    """A ship; `back` is its damaged side."""
    turned = {} if back is None else {"damaged": _factors(back)}
    return {"id": key, "name": key.title(), **_factors(text), **turned, **more}


def lba(key: str, text: str, back: str | None = None, **more: Any) -> dict[str, Any]:
    """An LBA; `back` is its reduced side."""
    turned = {} if back is None else {"reduced": _factors(back)}
    return {"id": key, "name": key.title(), "lba": True, **_factors(text), **turned, **more}


def board(red: list[dict[str, Any]], blue: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A battle in an All-Sea Hex; red is the phasing faction. `bases` names those that have an air base near."""
    bases = more.pop("bases", ())
    return {
        "game": "line-of-battle",
        "title": "A test",
        "phasing": "red",
        "sides": [_side("red", red, bases), _side("blue", blue, bases)],
        **more,
    }


def _side(side: str, units: list[dict[str, Any]], bases: tuple[str, ...]) -> dict[str, Any]:
    ships = [unit for unit in units if "lba" not in unit]
    lbas = [{key: value for key, value in unit.items() if key != "lba"} for unit in units if "lba" in unit]
    return {"id": side, "name": side.title(), "air_base": side in bases, "ships": ships, "lbas": lbas}
