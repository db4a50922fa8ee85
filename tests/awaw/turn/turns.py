"""Small air turns for the tests, from a scenario made by hand: red (Japan, or Germany and Italy) has the player turn.

``turn(base("truk", "red", (0, 0), "2 japan army"), base("noumea", "blue", (3, 0), "1 united-states army"))``

The land is a block of hexes around (0, 0); the sea begins seven hexes to the north of it. `play`, `offered` and `steer`
of `tests.awaw.seas` drive what is made here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flagplot.awaw.air_units import Arm, Role, Unit, unit
from flagplot.awaw.options import Options
from flagplot.awaw.scenario import read_state
from flagplot.awaw.state.state import State

COLUMNS, ROWS, SEA_ROWS = 31, 21, 4
MIDDLE = (COLUMNS // 2, ROWS // 2)

EUROPE = {"red": ["germany", "italy"], "blue": ["britain", "united-states", "russia", "france"]}
PACIFIC = {"red": ["japan"], "blue": ["britain", "united-states", "australia", "china", "india"]}


def base(name: str, side: str, at: tuple[int, int], *air: str, **more: Any) -> dict[str, Any]:
    """A base with a city and air units: ``base("truk", "red", (0, 0), "2 japan army", "3 japan naval inverted")``;
    `cities`, `ports`, `airbases`, `island`, `supply`, `box` and all that a scenario knows may be added."""
    return {
        "id": name,
        "name": name.title(),
        "side": side,
        "at": [*at],
        "cities": 1,
        "air": [_air(a) for a in air],
    } | more


def _air(text: str) -> dict[str, Any]:
    number, nation, arm, *status = text.split()
    counted = "squadrons" if arm in ("naval", "elite-naval") else "factors"
    return {"nation": nation, "arm": arm, counted: int(number), "inverted": "inverted" in status}


def ground(name: str, side: str, nation: str, at: str, **more: Any) -> dict[str, Any]:
    """A ground unit: an infantry unit of one factor, if nothing else is said. `at` is a base or ``q,r``."""
    called = " ".join(word[:1].upper() + word[1:] for word in name.split("-"))
    plain = {"id": name, "name": called, "side": side, "nation": nation, "at": at, "kind": "infantry", "factors": 1}
    return plain | more


def small_force(
    name: str, side: str, home: str, ships: Mapping[str, Any], *, squadrons: int = 0, **more: Any
) -> dict[str, Any]:
    """A force that is no task force, with squadrons of its nation aboard:
    ``small_force("kido", "red", "kure", {"nation": "japan", "named": ["akagi"]}, squadrons=3)``."""
    plain = {"id": name, "name": name.title(), "side": side, "base": home, "task_force": False, "ships": [ships]}
    air = {"air": [{"nation": ships["nation"], "squadrons": squadrons}]} if squadrons else {}
    return plain | air | more


def scenario(
    *bases: Mapping[str, Any],
    pacific: bool = False,
    forces: Sequence[Mapping[str, Any]] = (),
    research: Mapping[str, Any] | None = None,
    coast: Sequence[Sequence[int]] = (),
    **turn: Any,
) -> dict[str, Any]:
    """The scenario as data; other words are keys of its `turn` table (`units`, `brps`, `phases`, `turns` …). Hexes of
    `coast` are land too."""
    return {
        "game": "awaw",
        "kind": "air-turn",
        "title": "An air turn",
        "attacker": "red",
        "sides": [
            {"id": side, "name": side.title(), "nations": nations}
            for side, nations in (PACIFIC if pacific else EUROPE).items()
        ],
        "map": land([*coast, *[entry["at"] for entry in bases if entry.get("ports")]], pacific=pacific),
        "research": dict(research or {}),
        "bases": [dict(entry) for entry in bases],
        "forces": [dict(entry) for entry in forces],
        "turn": {"turns": ["red"], **turn},
    }


def land(ports: Sequence[Sequence[int]], *, pacific: bool = False) -> dict[str, Any]:
    """The map: land with the sea in the north, and a coast where there are ports."""
    rows = ["~" * COLUMNS] * SEA_ROWS + ["#" * COLUMNS] * (ROWS - SEA_ROWS)
    coast = {tuple(at) for at in ports}
    drawn = [
        " " * (row % 2) + " ".join("+" if _hex(column, row) in coast else sign for column, sign in enumerate(line))
        for row, line in enumerate(rows)
    ]
    return {
        "title": "A land",
        "about": "for tests",
        "theatre": "pacific" if pacific else "europe",
        "origin": [*MIDDLE],
        "drawing": "\n".join(drawn),
    }


def _hex(column: int, row: int) -> tuple[int, int]:
    return column - row // 2 - (MIDDLE[0] - MIDDLE[1] // 2), row - MIDDLE[1]


def turn(*bases: Mapping[str, Any], options: Options | None = None, phase: str = "movement", **more: Any) -> State:
    """The state of such a scenario, in one phase of red's player turn."""
    state = read_state(scenario(*bases, **more), options or Options())
    assert state.turn_if_any is not None
    state.turn.step = phase
    state.turn.held_at_start = {key: place.side for key, place in state.scene.places.items()}
    return state


def air_at(state: State, home: str) -> dict[str, int]:
    """The air units in a base in few words: ``{"japan army": 2, "japan naval inverted": 1}``."""
    found: dict[str, int] = {}
    for which, number in state.sites[home].air.items():
        role = f" {which.role}" if which.role not in (Role.FACTORS, Role.SQUADRONS) else ""
        text = f"{which.nation} {which.arm}{role}{' inverted' if which.inverted else ''}"
        found[text] = found.get(text, 0) + number
    return found


def units_of(state: State, home: str, arm: Arm, *, inverted: bool = False) -> Unit:
    """The kind of unit of an arm that is based there."""
    return next(which for which in state.sites[home].air if which.arm is arm and which.inverted == inverted)


__all__ = ["air_at", "base", "ground", "land", "scenario", "turn", "unit", "units_of"]
