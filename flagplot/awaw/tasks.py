"""What the orders of a side's forces are worth, for its briefing."""

from __future__ import annotations

from flagplot.awaw.operations.names import ACTIVITIES, hex_name
from flagplot.awaw.views.position import Position
from flagplot.kernel.briefings import Task
from flagplot.kernel.view_types import Hidden
from flagplot.kernel.words import capital


def tasks(look: Position) -> tuple[Task, ...]:
    """The orders that earn points, of the reader's own forces: nobody else's are in his view."""
    if look.operation is None:
        return ()
    found = [
        Task(f"{capital(force.own.name)}: {ACTIVITIES[order.activity]}, {hex_name(look.now, order.to)}", order.worth)
        for force in look.operation.forces.values()
        if not isinstance(force.own, Hidden)
        for order in force.own.orders
        if order.worth and look.reader == force.side
    ]
    return tuple(dict.fromkeys(found))
