"""What forces on the map are called: task force markers, and parts of forces that go on by themselves (20.16)."""

from __future__ import annotations

from flagplot.awaw.ships import factors
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.operation import NavalForce
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import LEAST
from flagplot.kernel.rules import rule


def part_of(state: State, force: NavalForce, group: Group) -> NavalForce:
    """Some ships of a force, which are a force of their own from here on; without the name of a task force if they are
    none."""
    if force.group.task_force and not group.task_force:
        name = marker(state, force.side, task_force=False)
    else:
        taken = {other.marker for other in state.operation.fleet.values()}
        name = next(name for n in range(2, 99) if (name := f"{force.marker}/{n}") not in taken)
    part = NavalForce(group, force.base, force.at, name, force.voyage, force.patrol, force.inverted, force.tried)
    part.seen, part.began_at_sea, part.with_cargo = force.seen, force.began_at_sea, force.with_cargo
    return part


def marker(state: State, side: str, *, task_force: bool) -> str:
    """A marker that nobody has: the next number of its kind."""
    taken = {force.marker for force in state.operation.fleet.values()}
    kind = "TF" if task_force else "group"
    return next(name for n in range(1, 999) if (name := f"{kind} {n} ({state.name(side)})") not in taken)


@rule("22.14C")
def strike_marker(state: State, force: NavalForce) -> None:
    """20.163: in port a task force of fewer than ten factors has no marker any more: its ships lie open. At sea it
    keeps it."""
    group = force.group
    if group.task_force and group.ships and factors(group.ships) < LEAST:
        group.task_force, force.marker = False, marker(state, group.side, task_force=False)


def new_key(state: State, key: str) -> str:
    """A key for a part of a force."""
    whole = key.split("/")[0]
    return next(name for n in range(2, 99) if (name := f"{whole}-{n}") not in state.operation.fleet)
