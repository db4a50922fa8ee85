"""Scenarios in which every id is a nonsense word, so that an id that reaches a person can be told from a name."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

NONSENSE = re.compile(r"zq[a-j]+qz|zs[ab]sz", re.IGNORECASE)
WORDS = frozenset({"nation", "nations", "name", "title", "about", "cargo", "history", "teaches", "sources", "homes"})
"""Keys whose values are no ids: words for people, and nations."""
BY_ID = frozenset({"homes", "island_groups", "airbases", "ground", "zones", "targets", "fronts", "controllers"})
"""Tables whose keys are ids of bases or places."""
BY_SIDE = frozenset({"asw", "surprise", "destroyers_elsewhere", "orders"})
SIDES = frozenset({"side", "attacker", "turns", "owner", "phasing", "codebreaking", "strategic", "first"})


def read_files(name: str) -> dict[str, Any]:
    """A scenario of the package, with its map in it."""
    scenario = _toml("flagplot.scenarios", name)
    if isinstance(scenario.get("map"), str):
        scenario["map"] = _toml("flagplot.maps", scenario["map"])
    return scenario


def _toml(package: str, name: str) -> dict[str, Any]:
    return tomllib.loads(files(package).joinpath(f"{name}.toml").read_text(encoding="utf8"))


def disguised(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """The scenario with nonsense words for ids, wherever they stand."""
    sides = {side["id"]: f"zs{'ab'[number]}sz" for number, side in enumerate(scenario["sides"])}
    ids = {found: _nonsense(number) for number, found in enumerate(dict.fromkeys(_ids(scenario))) if found not in sides}

    def renamed(part: Any, key: str, above: str = "") -> Any:
        if isinstance(part, dict):
            others = sides if key in BY_SIDE else ids if key in BY_ID else {}
            return {
                others.get(name, name): renamed(value, name if not others else key, key) for name, value in part.items()
            }
        if isinstance(part, list):
            return [renamed(value, key, above) for value in part]
        if not isinstance(part, str) or key in WORDS:
            return part
        return (sides if key in SIDES or (above, key) == ("sides", "id") else ids).get(part, part)

    made: dict[str, Any] = renamed(dict(scenario), "")
    return made


def _ids(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from [part["id"]] if "id" in part else []
        for value in part.values():
            yield from _ids(value)
    elif isinstance(part, list):
        for value in part:
            yield from _ids(value)


def _nonsense(number: int) -> str:
    return f"zq{''.join(chr(ord('a') + int(digit)) for digit in str(number))}qz"


def sentences(thing: Any) -> Iterator[str]:
    """The texts for people in plain data; a value of one word is for programs."""
    if isinstance(thing, dict):
        for value in thing.values():
            yield from sentences(value)
    elif isinstance(thing, list | tuple):
        for value in thing:
            yield from sentences(value)
    elif isinstance(thing, str) and " " in thing:
        yield thing
