"""Squadrons of carriers in a port that is attacked from the air (17.3126)."""

from __future__ import annotations

from flagplot.awaw.air_units import Force, Unit
from flagplot.awaw.counting import add, merged, take
from flagplot.awaw.state.state import State
from flagplot.kernel.rules import rule


def come_under_attack(state: State, base: str) -> list[tuple[str, Force]]:
    """17.3126A: a base is attacked from the air, and the squadrons of carriers in it are land-based from here on. By TF
    marker: what it hid."""
    operation = state.operation_if_any
    if operation is not None:
        operation.note_attack(base)
    site, marker = state.sites[base], state.place(base).marker
    shown = [(marker, site.hidden)] if marker else []
    for which, number in site.hidden.items():
        _stand_guard(state, which, number)
    site.hidden = {}
    return shown if operation is None else shown + _land(state, base)


def _land(state: State, base: str) -> list[tuple[str, Force]]:
    """17.3126A: squadrons of the naval forces in a port have the status of their carriers. By marker: what was
    aboard."""
    shown = []
    for _, force in state.operation.everybody():
        if not force.in_port or force.base != base or not force.group.ships:
            continue
        aboard = merged(force.group.air, force.grounded)
        if aboard or force.group.task_force:
            shown.append((force.marker, aboard))
        for which, number in aboard.items():
            _stand_guard(state, state.rebased(which, base).turned(inverted=force.inverted), number)
        force.ashore = merged(force.ashore, aboard)
        force.group.air, force.grounded = {}, {}
    return shown


@rule("17.3126E")
def _stand_guard(state: State, which: Unit, number: int) -> None:
    """17.3126E: squadrons of carriers in port defend it, and do nothing else until the naval battle is over."""
    site = state.sites[which.home]
    add(site.air, which, number)
    if state.scene.kind == "naval-battle":
        add(site.committed, which, number)
        if state.operation_if_any is not None:
            add(state.operation_if_any.on_guard, which, number)


def stand_easy(state: State) -> None:
    """17.3126C: naval combat is over: those who were on guard over their base go on as land-based air."""
    operation = state.operation
    for which, number in operation.on_guard.items():
        take(state.sites[which.home].committed, which, number)
    operation.on_guard = {}


def vacate(state: State, base: str) -> None:
    """All air units have left a base: nobody in it was aborted, is committed, was used at sea or is on guard."""
    site = state.sites[base]
    site.aborted, site.shaken, site.committed, site.used = {}, {}, {}, {}
    if operation := state.operation_if_any:
        operation.on_guard = {which: number for which, number in operation.on_guard.items() if which.home != base}
