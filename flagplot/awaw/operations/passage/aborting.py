"""Aborting a naval activity (22.28): who may, and what follows."""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.awaw.ships import Kind
from flagplot.awaw.state.operation import Activity, NavalForce, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.rules import rule

ABORTABLE = frozenset(Activity) - {Activity.RETURN, Activity.ESCAPE, Activity.DISPLACEMENT}


@rule("22.28", "22.28A", "22.28B")
def may_abort(state: State, voyage: Voyage) -> bool:
    """22.28: only who was attacked or engaged may abort, or was to combine with somebody who has aborted or was
    eliminated after that; nobody has to."""
    return voyage.attacked and voyage.activity in ABORTABLE


@rule("22.282")
def bar_transports(state: State, voyage: Voyage, forces: Iterable[NavalForce]) -> None:
    """22.282: after forces with transports have aborted, no more transports are used for the supply zone of their
    destination in this player turn; those that are under way go on."""
    operation = state.operation
    zone = operation.plan.zones.get(voyage.base, "")
    carry = any([which.kind is Kind.TRANSPORT for force in forces for which in force.group.ships])
    if zone and carry and voyage.activity in ABORTABLE and zone not in operation.barred_zones:
        operation.barred_zones.append(zone)


@rule("22.281", "22.27", "22.26")
def inverts(state: State, voyage: Voyage, force: NavalForce) -> bool:
    """22.281: who aborts is inverted when he is home. An interceptor that was in no naval combat is not (22.27), unless
    he was damaged; by the other reading he is as all others."""
    if not voyage.level or state.setting.options.aborted_interception == "inverted":
        return True
    return any([which.damaged for which in force.group.ships])
