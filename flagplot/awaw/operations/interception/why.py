"""Why a side's forces are not offered for something: for people who ask, with the rule that forbids it.

Only what the side itself may know goes into the answers: its own forces, and of the enemy what everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.announcing import no_orders, no_patrol, not_ordered, of_another_stage
from flagplot.awaw.operations.interception.declaring import Abouts, hindrance, no_hex
from flagplot.awaw.operations.interception.dice import attempts_on
from flagplot.awaw.operations.interception.hexes import open_legs, out_of_bounds
from flagplot.awaw.operations.interception.interceptors import (
    kept_from,
    kept_from_intercepting,
    nations_of,
    submarines_kept_from_intercepting,
)
from flagplot.awaw.operations.names import ACTIVITIES, force_name, hex_name
from flagplot.awaw.procedures import announcing
from flagplot.awaw.state.operation import Flotilla, NavalForce, Order, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.refusal import Reason, Refusal


def reasons(state: State, side: str) -> list[Reason]:
    """For each force of a side why it cannot do now what it might be expected to do: to be given orders, if the moving
    side announces, otherwise to intercept."""
    if announcing.under_way(state.frames):
        return [*_about_orders(state, side)] if side == state.scene.attacker else []
    operation, targets = state.operation, _targets(state, side)
    found = [*_about_targets(state, targets)]
    for key, force in operation.fleet_of(side).items():
        found += _about_force(state, key, force, targets)
    for flotilla in operation.flotillas.values():
        if flotilla.side == side:
            found += _about_flotilla(state, flotilla, targets)
    return found


# --- orders -----------------------------------------------------------------------------------------------------


def _about_orders(state: State, side: str) -> Iterator[Reason]:
    """22.15: who is given no orders, and which orders are not for now."""
    for key, force in state.operation.fleet_of(side).items():
        why = no_orders(state, key, force)
        if why:
            yield Reason(force.marker, why.text, why.rule)
            continue
        for order in state.operation.plan.orders.get(key, ()):
            why = not_ordered(state, force, order)
            if why:
                yield Reason(force.marker, f"{_called(state, order)}{why.text}", why.rule)
    for key, flotilla in state.operation.boats():
        if flotilla.side == side:
            yield from _about_patrols(state, key, flotilla)


def _called(state: State, order: Order) -> str:
    return f"{ACTIVITIES[order.activity]} ({hex_name(state, order.to)})"


def _about_patrols(state: State, key: str, flotilla: Flotilla) -> Iterator[Reason]:
    """22.913: submarines that are not sent on patrol."""
    name, orders, why = _name_of(state, flotilla), state.operation.plan.orders.get(key, ()), no_patrol(flotilla)
    if why:
        yield Reason(name, why.text, why.rule)
        return
    if not orders:
        yield Reason(name, "the scenario has no patrol for them", "22.913")
    for order in orders:
        late = of_another_stage(state, order)
        if late:
            yield Reason(name, f"{_called(state, order)}{late.text}", late.rule)


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
        why = out_of_bounds(state, key)
        if why:
            yield Reason(force_name(state, voyage), why.text, why.rule)


def _open_targets(state: State, targets: dict[str, Voyage], *, submarines: bool) -> dict[str, Voyage]:
    return {key: one for key, one in targets.items() if not out_of_bounds(state, key, submarines=submarines)}


def _about_force(state: State, key: str, force: NavalForce, targets: dict[str, Voyage]) -> list[Reason]:
    why = kept_from_intercepting(state, force)
    if why:
        return [Reason(force.marker, why.text, why.rule)]
    nations = nations_of(force.group.ships)
    found = []
    for name, voyage in _open_targets(state, targets, submarines=False).items():
        why = kept_from(state, force.side, force.patrol, nations, voyage, _attempts(state, name))
        why = why or no_hex(state, force.at, force.group.ships, _hexes(state, name), nations)
        why = why or _no_room_beside_others(state, key, name)
        if why:
            found.append(Reason(f"{force.marker} against {force_name(state, voyage)}", why.text, why.rule))
    return found


def _attempts(state: State, target: str) -> list[Voyage]:
    """All attempts on a voyage."""
    return [voyage for leg in open_legs(state, target, submarines=True) for voyage in attempts_on(state, target, leg)]


def _hexes(state: State, key: str, *, submarines: bool = False) -> dict[Hex, Abouts]:
    """The hexes in which a voyage may be intercepted, and what counts there."""
    legs = open_legs(state, key, submarines=submarines)
    abouts = {leg: Abouts(state, key, leg) for leg in legs}
    return {at: abouts[leg] for leg, hexes in legs.items() for at in hexes}


def _no_room_beside_others(state: State, name: str, target: str) -> Refusal | None:
    """Why a force cannot be sent beside those that are declared already."""
    for leg in open_legs(state, target):
        for other in attempts_on(state, target, leg)[:1]:
            if why := hindrance(state, target, leg, other.meet, name, Abouts(state, target, leg)):
                return why
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
        why = why or no_hex(state, flotilla.at, None, _hexes(state, key, submarines=True), of)
        if why:
            found.append(Reason(f"{name} against {force_name(state, voyage)}", why.text, why.rule))
    return found
