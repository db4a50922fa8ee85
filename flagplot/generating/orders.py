"""What naval forces may be told to do, and the forces that fit it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flagplot.awaw.mapboard.hexes import hex_text
from flagplot.generating.fleets import destroyers, raiders, small_force, task_force
from flagplot.generating.seas import BOX, Chart, coastal
from flagplot.generating.sketch import Sketch, other

Order = dict[str, Any]
MOVES = {"base-change": "movement", "redeployment": "redeployment", "displacement": "movement"}
CARGO = {"sea-transport": "movement", "sea-supply": "redeployment", "sea-escort": "redeployment"}


def sailing_force(sketch: Sketch, chart: Chart, side: str) -> dict[str, Any]:
    """A force of a side in one of its ports, with one to three orders that it could carry out."""
    home = sketch.pick(chart.ports(side))
    boxes = [_asw] * (chart.box(side) is not None) + [_raiders] * 3 * (chart.box(other(side)) is not None)
    make = sketch.pick([_warships, _warships, _cargo, _landing, *boxes])
    entry = make(sketch, chart, side, home["id"])
    return {"base": home["id"], **entry}


def _warships(sketch: Sketch, chart: Chart, side: str, home: str) -> dict[str, Any]:
    """Warships that patrol, bombard, launch their squadrons, or go to another port."""
    entry = task_force(sketch, side) if sketch.likely(0.7) else small_force(sketch, side)
    able: list[Callable[[], Order | None]] = [
        lambda: _patrol(sketch, chart, entry),
        lambda: {"activity": "fast-carrier-mission", "to": open_water(sketch, chart), "worth": 1},
        lambda: _bombardment(sketch, chart, side),
        lambda: _to_port(sketch, chart, side, home, sketch.pick([*MOVES])),
    ]
    return _with_orders(entry, [make() for make in sketch.chance.sample(able, sketch.between(1, 3))])


def _cargo(sketch: Sketch, chart: Chart, side: str, home: str) -> dict[str, Any]:
    """Cargo, or empty ships that may take some aboard, for another port of the side."""
    laden = sketch.likely(0.7)
    entry = task_force(sketch, side, cargo=laden) if sketch.likely(0.3) else small_force(sketch, side, cargo=laden)
    activity = sketch.pick([*CARGO])
    return _with_orders(entry, [_to_port(sketch, chart, side, home, activity)])


def _landing(sketch: Sketch, chart: Chart, side: str, home: str) -> dict[str, Any]:
    """An invasion of an enemy base."""
    entry = task_force(sketch, side, cargo=True) if sketch.likely(0.6) else small_force(sketch, side, cargo=True)
    aims = coastal(chart, side)
    if not aims:
        return entry
    return _with_orders(entry, [{"activity": "seaborne-invasion", "to": sketch.pick(aims)["id"], "worth": 5}])


def _raiders(sketch: Sketch, chart: Chart, side: str, home: str) -> dict[str, Any]:
    """Raiders for a box of the enemy."""
    return _with_orders(raiders(sketch, side), [{"activity": "raid", "to": BOX, "worth": 2}])


def _asw(sketch: Sketch, chart: Chart, side: str, home: str) -> dict[str, Any]:
    """Destroyers for a box of their own."""
    return _with_orders(destroyers(sketch, side), [{"activity": "asw-deployment", "to": BOX}])


def _with_orders(entry: dict[str, Any], orders: list[Order | None]) -> dict[str, Any]:
    given = [order for order in orders if order is not None]
    return {**entry, "orders": given} if given else entry


def _patrol(sketch: Sketch, chart: Chart, entry: dict[str, Any]) -> Order | None:
    """20.42: escort carriers do not patrol."""
    if any(part.get("cves") for part in entry["ships"]):
        return None
    return {"activity": "patrol", "to": open_water(sketch, chart)}


def _bombardment(sketch: Sketch, chart: Chart, side: str) -> Order | None:
    aims = coastal(chart, side)
    return {"activity": "shore-bombardment", "to": sketch.pick(aims)["id"], "worth": 1} if aims else None


def _to_port(sketch: Sketch, chart: Chart, side: str, home: str, activity: str) -> Order | None:
    """To another port of the side, in the usual stage or with that stage written down."""
    aims = [entry["id"] for entry in chart.ports(side) if entry["id"] != home]
    if not aims:
        return None
    order: Order = {"activity": activity, "to": sketch.pick(aims), "worth": sketch.between(0, 3)}
    return order | ({"stage": {**MOVES, **CARGO}[activity]} if sketch.likely(0.3) else {})


def open_water(sketch: Sketch, chart: Chart) -> str:
    """A hex of the open sea."""
    return hex_text(sketch.pick(chart.sea))
