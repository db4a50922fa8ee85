"""Why a side's forces are not offered for something: for people who ask, with the rule that forbids it.

Only what the side itself may know goes into the answers: its own forces, and of the enemy what everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from flagplot.awaw.operations.able import (
    OFFENSIVE,
    in_range,
    is_russian,
    may_meet,
    may_sail_from,
    patrol_may_meet,
    theatre,
)
from flagplot.awaw.operations.announcing import has_a_way, may_go_there, may_order
from flagplot.awaw.operations.companions import is_known
from flagplot.awaw.operations.declaring import Abouts, hindrance
from flagplot.awaw.operations.dice import attempts_on, dice_of, prey
from flagplot.awaw.operations.immunity import is_immune
from flagplot.awaw.operations.legs import open_legs
from flagplot.awaw.operations.state import Activity, Flotilla, Hex, NavalForce, OperationState, Order, Voyage
from flagplot.awaw.operations.words import ACTIVITIES, force_name, hex_name
from flagplot.awaw.ships import Fleet, factors
from flagplot.awaw.tables.counts import MAXIMUM_RANGE, may_intercept


class Reason(NamedTuple):
    """Why something is not offered."""

    about: str
    """A force of one's own, or an enemy force."""
    text: str
    rule: str


def reasons(state: OperationState, side: str) -> list[Reason]:
    """For each force of a side why it cannot do now what it might be expected to do: to be given orders by the moving
    side, to intercept by anybody."""
    found = [*_about_orders(state, side)] if _announcing(state) and side == state.setting.attacker else []
    targets = _targets(state, side)
    found += [*_about_targets(state, targets)]
    for key, force in state.fleet_of(side).items():
        found += _about_force(state, key, force, targets)
    for flotilla in state.flotillas.values():
        if flotilla.side == side:
            found += _about_flotilla(state, flotilla, targets)
    return found


# --- orders -----------------------------------------------------------------------------------------------------


def _announcing(state: OperationState) -> bool:
    return any([frame.procedure == "announcing" for frame in state.frames])


def _about_orders(state: OperationState, side: str) -> Iterator[Reason]:
    """22.15: who is given no orders, and which orders are not for now."""
    for key, force in state.fleet_of(side).items():
        orders = state.plan.orders.get(key, ())
        redeploys = any([order.activity is Activity.REDEPLOYMENT for order in orders])
        if not force.in_port:
            yield Reason(force.marker, "at sea already", "22.15")
        elif force.inverted and not redeploys:
            yield Reason(force.marker, "inverted: it was used up in this player turn", "22.81")
        elif not orders:
            yield Reason(force.marker, "the scenario has no activity for it", "22.15")
        for order in orders if force.in_port and (redeploys or not force.inverted) else ():
            why = _not_now(state, force, order)
            if why:
                yield Reason(force.marker, f"{_called(state, order)}{why[0]}", why[1])
    for key, flotilla in state.boats():
        if flotilla.side == side:
            yield from _about_patrols(state, key, flotilla)


def _called(state: OperationState, order: Order) -> str:
    return f"{ACTIVITIES[order.activity]} ({hex_name(state, order.to)})"


def _not_now(state: OperationState, force: NavalForce, order: Order) -> tuple[str, str] | None:
    """Why a force is not offered an order: how the sentence goes on, and the rule."""
    if order.stage != state.now:
        return f" is announced in the {order.stage} stage", "22.15A"
    if force.inverted and order.activity is not Activity.REDEPLOYMENT:
        return ": it is inverted, and can only be redeployed", "22.81"
    if not may_go_there(state, force, order):
        holder = "your own side" if order.activity is Activity.INVASION else "the enemy"
        return f": {holder} holds it now", "22.15"
    if not state.may_afford(force, order.activity):
        return ": its nation has no BRP left for it", "21.411"
    if not may_order(state, force, order):
        return ": no more transports for this supply zone, since some have turned back", "22.282"
    if not has_a_way(state, force, order):
        return ": every path is too long, or leads through the target hex of another landing", "21.36"
    return None


def _about_patrols(state: OperationState, key: str, flotilla: Flotilla) -> Iterator[Reason]:
    """22.913: submarines that are not sent on patrol."""
    name, orders = _name_of(state, flotilla), state.plan.orders.get(key, ())
    if flotilla.patrol:
        yield Reason(name, "on patrol already", "22.913")
    elif not flotilla.factors:
        yield Reason(name, "none of them is uninverted and in its base", "22.92")
    elif not orders:
        yield Reason(name, "the scenario has no patrol for them", "22.913")
    for order in orders if flotilla.factors and not flotilla.patrol else ():
        if order.stage != state.now:
            yield Reason(name, f"{_called(state, order)} is announced in the {order.stage} stage", "22.15A")


# --- interception -----------------------------------------------------------------------------------------------


def _targets(state: OperationState, side: str) -> dict[str, Voyage]:
    """The enemy's voyages that are not over, as everybody sees them."""
    return {
        key: voyage
        for key, voyage in state.voyages.items()
        if voyage.side != side and voyage.is_open and not voyage.flotilla and state.sailing(voyage)
    }


def _about_targets(state: OperationState, targets: dict[str, Voyage]) -> Iterator[Reason]:
    """Enemy forces that nobody can intercept now."""
    for key, voyage in targets.items():
        name = force_name(state, voyage)
        if is_immune(state, voyage):
            yield Reason(name, "may not be intercepted at all", "22.11A")
        elif not is_known(voyage):
            yield Reason(name, "its path was not asked for, so no hex of it can be named", "22.12")
        elif not open_legs(state, key) and voyage.intercepted:
            yield Reason(name, "one attempt for each part of its path, and that was made", "22.13")
        elif not open_legs(state, key) and voyage.activity is Activity.PATROL:
            yield Reason(name, "a patrol is intercepted in the hex that it enters, when it sails", "21.416C")
        elif not open_legs(state, key):
            yield Reason(name, "has no hex before it in which it can be intercepted", "22.12B")


def _open_targets(state: OperationState, targets: dict[str, Voyage], *, submarines: bool) -> dict[str, Voyage]:
    return {
        key: voyage
        for key, voyage in targets.items()
        if is_known(voyage) and open_legs(state, key, submarines=submarines)
    }


def _about_force(state: OperationState, key: str, force: NavalForce, targets: dict[str, Voyage]) -> list[Reason]:
    plain = _never(state, force)
    if plain:
        return [Reason(force.marker, *plain)]
    nations = [which.nation for which in force.group.ships]
    found = []
    for name, voyage in _open_targets(state, targets, submarines=False).items():
        why = _not_this(state, force.side, force.patrol, nations, name, voyage)
        why = why or _no_hex(state, name, force.at, force.group.ships, submarines=False, russian=is_russian(nations))
        why = why or _no_room_beside_others(state, key, name)
        if why:
            found.append(Reason(f"{force.marker} against {force_name(state, voyage)}", *why))
    return found


def _never(state: OperationState, force: NavalForce) -> tuple[str, str] | None:
    """22.11: why a force intercepts nobody at all."""
    if force.voyage:
        voyage = state.voyages[force.voyage]
        return f"is at sea on {ACTIVITIES[voyage.activity]}, and intercepts nobody", "22.11"
    if force.patrol == OFFENSIVE:
        return "on offensive patrol it supports others, and intercepts nobody", "22.11D"
    if force.inverted:
        return "inverted: it was used up in this player turn", "22.11"
    if force.tried == state.now:
        return "has tried to intercept in this stage, and may try again in the next", "22.14A"
    if not factors(force.group.ships):
        return "has nothing but transports: no naval factors that could intercept", "22.14C"
    if not force.patrol and not may_sail_from(state, force.base):
        place = state.setting.places.get(force.base)
        where = place.name if place else force.base
        kind = "a box" if place is None or place.box else "a port that is not operational"
        return f"is in {where}, {kind}: nobody intercepts from there", "22.11B"
    return None


def _not_this(
    state: OperationState, side: str, patrol: str, nations: list[str], key: str, target: Voyage
) -> tuple[str, str] | None:
    """Why it may not intercept this force, wherever it is."""
    if patrol and not patrol_may_meet(state, target):
        return f"a defensive patrol does not intercept {ACTIVITIES[target.activity]} in this stage", "22.14F"
    if not may_meet(state, side, nations, target, ()):
        return "their nations are not at war with each other", "22.112"
    taken = [voyage for leg in open_legs(state, key, submarines=True) for voyage in attempts_on(state, key, leg)]
    if not may_meet(state, side, nations, target, taken):
        return "Russians and Western Allies do not intercept the same activity", "22.113"
    return None


def _no_hex(
    state: OperationState, key: str, start: Hex, ships: Fleet | None, *, submarines: bool, russian: bool
) -> tuple[str, str] | None:
    """Why there is no hex of a path in which it could be sent against a force: range, or too few dice."""
    board, most = state.plan.board, MAXIMUM_RANGE[theatre(state)]
    hexes = [(leg, at) for leg, some in open_legs(state, key, submarines=submarines).items() for at in some]
    near = [(leg, at) for leg, at in hexes if in_range(state, start, at)]
    if not near:
        sails = [far for _, at in hexes if (far := board.sea_distance(start, at)) is not None]
        if not sails:
            return "there is no way by sea to its path", "22.23"
        return f"its path is {min(sails)} hexes away at the nearest, and the range is {most}", "22.22"
    counts = {at: dice_of(prey(state, key, leg, at, russian=russian), ships, 1) for leg, at in near}
    if any([may_intercept(ledger) for ledger in counts.values()]):
        return None
    at, ledger = max(counts.items(), key=lambda entry: entry[1].total)
    parts = ", ".join([f"{line.amount:+d} {line.rule}" for line in ledger]) or "nothing counts for it"
    return f"no dice in any hex; the best is {hex_name(state, at)} ({parts})", "22.24C"


def _no_room_beside_others(state: OperationState, name: str, target: str) -> tuple[str, str] | None:
    """Why a force cannot be sent beside those that are declared already."""
    for leg in open_legs(state, target):
        for other in attempts_on(state, target, leg)[:1]:
            if not in_range(state, state.fleet[name].at, other.meet):
                return f"{hex_name(state, other.meet)}, where others intercept, is out of its range", "22.14E"
            number = hindrance(state, target, leg, other.meet, name, Abouts(state, target, leg))
            if number:
                return _HINDRANCES[number], number
    return None


_HINDRANCES = {
    "22.14C": "of the forces of a port that are no task forces nine factors go, and no more",
    "22.24C": "with another attempt one of them would have no dice",
}


def _name_of(state: OperationState, flotilla: Flotilla) -> str:
    return f"submarines in {hex_name(state, flotilla.at)}"


def _about_flotilla(state: OperationState, flotilla: Flotilla, targets: dict[str, Voyage]) -> list[Reason]:
    name = _name_of(state, flotilla)
    plain = _never_below(state, flotilla)
    if plain:
        return [Reason(name, *plain)]
    found = []
    for key, voyage in _open_targets(state, targets, submarines=True).items():
        of = [flotilla.nation]
        why = _not_this(state, flotilla.side, flotilla.patrol, of, key, voyage)
        why = why or _no_hex(state, key, flotilla.at, None, submarines=True, russian=is_russian(of))
        if why:
            found.append(Reason(f"{name} against {force_name(state, voyage)}", *why))
    return found


def _never_below(state: OperationState, flotilla: Flotilla) -> tuple[str, str] | None:
    if flotilla.patrol == OFFENSIVE:
        return "on offensive patrol they support others, and intercept nobody", "22.916B"
    if not flotilla.factors and flotilla.tried:
        return "have tried to intercept in this stage, and may try again in the next", "22.92"
    if not flotilla.factors:
        return "none of them is uninverted and in its base", "22.92"
    if not flotilla.patrol and not may_sail_from(state, flotilla.base, submarines=True):
        return "are in a box, or in a port that is neither operational nor fortified", "22.11B"
    return None
