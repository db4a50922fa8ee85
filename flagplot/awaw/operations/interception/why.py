"""Why a side's forces are not offered for something: for people who ask, with the rule that forbids it.

Only what the side itself may know goes into the answers: its own forces, and of the enemy what everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.announcing import not_ordered
from flagplot.awaw.operations.interception.declaring import Abouts, hindrance
from flagplot.awaw.operations.interception.dice import attempts_on, dice_of, prey
from flagplot.awaw.operations.interception.hexes import open_legs
from flagplot.awaw.operations.interception.immunity import is_immune
from flagplot.awaw.operations.interception.interceptors import (
    in_range,
    is_russian,
    kept_from,
    kept_from_intercepting,
    nations_of,
    submarines_kept_from_intercepting,
    theatre,
)
from flagplot.awaw.operations.interception.sailing_together import is_known
from flagplot.awaw.operations.names import ACTIVITIES, force_name, hex_name
from flagplot.awaw.procedures import announcing
from flagplot.awaw.ships import Fleet
from flagplot.awaw.state.operation import Activity, Flotilla, NavalForce, Order, Voyage
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import MAXIMUM_RANGE, may_intercept
from flagplot.kernel.refusal import Refusal


class Reason(NamedTuple):
    """Why something is not offered."""

    about: str
    """A force of one's own, or an enemy force."""
    text: str
    rule: str


def reasons(state: State, side: str) -> list[Reason]:
    """For each force of a side why it cannot do now what it might be expected to do: to be given orders by the moving
    side, to intercept by anybody."""
    operation = state.operation
    found = [*_about_orders(state, side)] if _announcing(state) and side == state.scene.attacker else []
    targets = _targets(state, side)
    found += [*_about_targets(state, targets)]
    for key, force in operation.fleet_of(side).items():
        found += _about_force(state, key, force, targets)
    for flotilla in operation.flotillas.values():
        if flotilla.side == side:
            found += _about_flotilla(state, flotilla, targets)
    return found


# --- orders -----------------------------------------------------------------------------------------------------


def _announcing(state: State) -> bool:
    return bool(announcing.under_way(state.frames))


def _about_orders(state: State, side: str) -> Iterator[Reason]:
    """22.15: who is given no orders, and which orders are not for now."""
    operation = state.operation
    for key, force in operation.fleet_of(side).items():
        orders = operation.plan.orders.get(key, ())
        redeploys = any([order.activity is Activity.REDEPLOYMENT for order in orders])
        if not force.in_port:
            yield Reason(force.marker, "at sea already", "22.15")
        elif force.inverted and not redeploys:
            yield Reason(force.marker, "inverted: it was used up in this player turn", "22.81")
        elif not orders:
            yield Reason(force.marker, "the scenario has no activity for it", "22.15")
        for order in orders if force.in_port and (redeploys or not force.inverted) else ():
            why = not_ordered(state, force, order)
            if why:
                yield Reason(force.marker, f"{_called(state, order)}{why.text}", why.rule)
    for key, flotilla in operation.boats():
        if flotilla.side == side:
            yield from _about_patrols(state, key, flotilla)


def _called(state: State, order: Order) -> str:
    return f"{ACTIVITIES[order.activity]} ({hex_name(state, order.to)})"


def _about_patrols(state: State, key: str, flotilla: Flotilla) -> Iterator[Reason]:
    """22.913: submarines that are not sent on patrol."""
    name, orders = _name_of(state, flotilla), state.operation.plan.orders.get(key, ())
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


def _targets(state: State, side: str) -> dict[str, Voyage]:
    """The enemy's voyages that are not over, as everybody sees them."""
    operation = state.operation
    return {
        key: voyage
        for key, voyage in operation.voyages.items()
        if voyage.side != side and voyage.is_open and not voyage.flotilla and operation.sailing(voyage)
    }


def _about_targets(state: State, targets: dict[str, Voyage]) -> Iterator[Reason]:
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


def _open_targets(state: State, targets: dict[str, Voyage], *, submarines: bool) -> dict[str, Voyage]:
    return {
        key: voyage
        for key, voyage in targets.items()
        if is_known(voyage) and open_legs(state, key, submarines=submarines)
    }


def _about_force(state: State, key: str, force: NavalForce, targets: dict[str, Voyage]) -> list[Reason]:
    why = kept_from_intercepting(state, force)
    if why:
        return [Reason(force.marker, why.text, why.rule)]
    nations = nations_of(force.group.ships)
    found = []
    for name, voyage in _open_targets(state, targets, submarines=False).items():
        why = kept_from(state, force.side, force.patrol, nations, voyage, _attempts(state, name))
        why = why or _no_hex(state, name, force.at, force.group.ships, submarines=False, russian=is_russian(nations))
        why = why or _no_room_beside_others(state, key, name)
        if why:
            found.append(Reason(f"{force.marker} against {force_name(state, voyage)}", why.text, why.rule))
    return found


def _attempts(state: State, target: str) -> list[Voyage]:
    """All attempts on a voyage."""
    return [voyage for leg in open_legs(state, target, submarines=True) for voyage in attempts_on(state, target, leg)]


def _no_hex(
    state: State, key: str, start: Hex, ships: Fleet | None, *, submarines: bool, russian: bool
) -> Refusal | None:
    """Why there is no hex of a path in which it could be sent against a force: range, or too few dice."""
    board, most = state.operation.plan.board, MAXIMUM_RANGE[theatre(state)]
    hexes = [(leg, at) for leg, some in open_legs(state, key, submarines=submarines).items() for at in some]
    near = [(leg, at) for leg, at in hexes if in_range(state, start, at)]
    if not near:
        sails = [far for _, at in hexes if (far := board.sea_distance(start, at)) is not None]
        if not sails:
            return Refusal("there is no way by sea to its path", "22.23")
        return Refusal(f"its path is {min(sails)} hexes away at the nearest, and the range is {most}", "22.22")
    counts = {at: dice_of(prey(state, key, leg, at, russian=russian), ships, 1) for leg, at in near}
    if any([may_intercept(ledger) for ledger in counts.values()]):
        return None
    at, ledger = max(counts.items(), key=lambda entry: entry[1].total)
    parts = ", ".join([f"{line.amount:+d} {line.rule}" for line in ledger]) or "nothing counts for it"
    return Refusal(f"no dice in any hex; the best is {hex_name(state, at)} ({parts})", "22.24C")


def _no_room_beside_others(state: State, name: str, target: str) -> Refusal | None:
    """Why a force cannot be sent beside those that are declared already."""
    for leg in open_legs(state, target):
        for other in attempts_on(state, target, leg)[:1]:
            if not in_range(state, state.operation.fleet[name].at, other.meet):
                where = hex_name(state, other.meet)
                return Refusal(f"{where}, where others intercept, is out of its range", "22.14E")
            hindered = hindrance(state, target, leg, other.meet, name, Abouts(state, target, leg))
            if hindered:
                return hindered
    return None


def _name_of(state: State, flotilla: Flotilla) -> str:
    return f"submarines in {hex_name(state, flotilla.at)}"


def _about_flotilla(state: State, flotilla: Flotilla, targets: dict[str, Voyage]) -> list[Reason]:
    name = _name_of(state, flotilla)
    why = submarines_kept_from_intercepting(state, flotilla)
    if why:
        return [Reason(name, why.text, why.rule)]
    found = []
    for key, voyage in _open_targets(state, targets, submarines=True).items():
        of = [flotilla.nation]
        why = kept_from(state, flotilla.side, flotilla.patrol, of, voyage, _attempts(state, key))
        why = why or _no_hex(state, key, flotilla.at, None, submarines=True, russian=is_russian(of))
        if why:
            found.append(Reason(f"{name} against {force_name(state, voyage)}", why.text, why.rule))
    return found
