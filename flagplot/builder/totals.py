"""The totals of a battle, force by force and base by base: each figure with its limit and the rule that sets it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from flagplot.awaw.air_units import Arm, Role, add, listed, room
from flagplot.awaw.basing import capacity
from flagplot.awaw.checks.kinds import ON_MAP
from flagplot.awaw.checks.places import installations
from flagplot.awaw.forces import read_force
from flagplot.awaw.operations.files import place_on_map
from flagplot.awaw.options import Options
from flagplot.awaw.scenario import SHAPE
from flagplot.awaw.ships import decks, factors
from flagplot.awaw.task_forces import LEAST, MOST, carrier_factors


class Total(NamedTuple):
    """A figure, the most that it may be, and the rule."""

    what: str
    number: int
    most: int
    rule: str

    def __str__(self) -> str:
        return f"{self.number} of {self.most} {self.what}"


class Totals(NamedTuple):
    """The figures of a force or a base."""

    path: str
    name: str
    side: str
    figures: tuple[Total, ...]


def totals(document: Mapping[str, Any]) -> tuple[Totals, ...]:
    """The totals of every force and base of a battle, as far as it can be read; of Line of Battle there are none."""
    if document.get("game") != "awaw":
        return ()
    data = SHAPE.check(document, "", [])
    if data["kind"] in ON_MAP:
        place_on_map(data, [])
    if len(data["sides"]) != 2:
        return ()
    forces = [_force(data, number, entry) for number, entry in enumerate(data["forces"])]
    return (*forces, *[_base(data, number, entry) for number, entry in enumerate(data["bases"]) if not entry["box"]])


def _force(data: dict[str, Any], number: int, entry: dict[str, Any]) -> Totals:
    """20.162, 20.162F, 17.312: factors, carriers and squadrons of a force."""
    group = read_force(entry, f"forces[{number}]", data, Options(), [])
    size = factors(group.ships)
    limit = (MOST, "20.162") if entry["task_force"] else (LEAST - 1, "22.14C")
    figures = [Total("factors", size, *limit)]
    if carriers := carrier_factors(group.ships):
        figures += [Total("carrier factors", carriers, size // 2, "20.162F")] * entry["task_force"]
        squadrons = sum(group.air.values())
        figures.append(Total("squadrons", squadrons, sum(map(sum, decks(group.ships).values())), "17.312"))
    return Totals(f"forces[{number}]", entry["name"], entry["side"], tuple(figures))


def _base(data: dict[str, Any], number: int, entry: dict[str, Any]) -> Totals:
    """18.12: the air of a base in squadrons, three to a factor, and the room for it."""
    reduced = data["theatre"] == "pacific" and (entry["island"] or entry["jungle"])
    air: dict[Any, int] = {}
    for some in entry["air"]:
        role = Role.SQUADRONS if some["squadrons"] else Role.FACTORS
        add(air, listed(some["nation"], Arm(some["arm"]), entry["id"], role), some["squadrons"] or some["factors"])
    space = 3 * capacity(installations(entry), reduced=reduced)
    spare = int(entry["island"] and any(which.is_naval for which in air))
    room_taken = Total("squadrons' room", room(air), space + spare, "18.12")
    return Totals(f"bases[{number}]", entry["name"], entry["side"], (room_taken,))
