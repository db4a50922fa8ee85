"""What a side sees: as the plain data that programs get, and views that a test puts together itself."""

from __future__ import annotations

from typing import Any, TypeVar

from flagplot.awaw.air_units import Arm, Role
from flagplot.awaw.ships import Kind
from flagplot.awaw.state.state import State
from flagplot.awaw.views.battle import BattleView, GroupView, OwnGroup
from flagplot.awaw.views.position import Position
from flagplot.awaw.views.units import FlightView, ShipView
from flagplot.kernel.view_types import HIDDEN, Parts, to_json

SIDES = {"red": "Red", "blue": "Blue"}
P = TypeVar("P", bound=Parts[Any])


def look(state: State, side: str) -> dict[str, Any]:
    data: dict[str, Any] = to_json(Position(state, side))
    return data


def staged(kind: type[P], /, reader: str = "red", **parts: Any) -> P:
    """A view with these parts and no others."""
    made = kind(None, reader)
    made.__dict__.update(parts)
    return made


def position(**parts: Any) -> Position:
    """What Red sees, of nothing but what is given."""
    usual: dict[str, Any] = {
        "title": "A battle", "side": "red", "sides": SIDES, "attacker": "red", "phase": "round 1", "over": False,
        "kind": "naval-battle", "sites": {}, "mission": None, "announced": (), "lost": {}, "operation": None,
        "turn": None, "battle": None, "flags": {"red": "japan", "blue": "united-states"},
    }  # fmt: skip
    return staged(Position, **usual | parts)


def battle(*groups: GroupView, **parts: Any) -> BattleView:
    """A naval battle in which Red sees these groups, and two forces of Blue wait."""
    usual: dict[str, Any] = {
        "round": 1, "segment": None, "groups": groups, "pending": {"red": (), "blue": 2}, "strength": {},
        "carrier_air": {}, "strike": None, "kamikazes": 0, "shielded": (), "dives": (), "engagements": (),
        "engagement": None, "submarines": (), "departed": (), "sunk": (), "sunk_elsewhere": (),
    }  # fmt: skip
    return staged(BattleView, **usual | parts)


def group(**more: Any) -> GroupView:
    """An active group of Red of which nothing is known."""
    usual: dict[str, Any] = {
        "side": "red", "number": 2, "status": "active", "results": 0, "attacks": 0, "told": None, "revealed": False,
        "evaded": False, "ships": HIDDEN, "cover": HIDDEN, "own": HIDDEN,
    }  # fmt: skip
    return GroupView(**usual | more)


def owned(**more: Any) -> OwnGroup:
    usual: dict[str, Any] = {
        "name": "the Striking Force", "factors": 12, "slow": False, "cargo": "", "air": (), "patrol": (),
        "patrol_limit": 0, "ready_carrier": False, "shed": (),
    }  # fmt: skip
    return OwnGroup(**usual | more)


def ship(text: str, size: int, hits: int = 0, name: str = "", count: int = 1, laden: bool = False) -> ShipView:
    """A ship of Japan; without a name light ships."""
    return ShipView(
        id=name,
        nation="japan",
        kind=Kind.CV if name else Kind.CRUISER,
        size=size,
        hits=hits,
        damaged=hits > 0 and hits == size - 1,
        laden=laden,
        empty=False,
        count=count,
        text=text,
    )


def flight(text: str) -> FlightView:
    return FlightView(
        home="", nation="japan", arm=Arm.NAVAL, role=Role.SQUADRONS, inverted=False, count=1, aborted=0, text=text
    )
