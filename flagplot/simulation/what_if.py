"""What if a ship were not there: a state of a running game without her."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.ships import decks
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.kernel.plain_data import copy_of


def without(world: Any, name: str) -> Any | None:
    """A state without a named ship; nothing if she is not in it, or sails alone. Squadrons for which her force has no
    deck left go with her (17.312)."""
    if not isinstance(world, State):
        return None
    changed = copy_of(world)
    for group in changed.battle.groups.values():
        which = next((one for one in group.ships if one.named and one.name == name), None)
        if which is not None and len(group.ships) > 1:
            del group.ships[which]
            _land_elsewhere(group)
            return changed
    return None


def _land_elsewhere(group: Group) -> None:
    too_many = sum(group.air.values()) - sum(map(sum, decks(group.ships).values()))
    for which in [*group.air]:
        gone = min(max(0, too_many), group.air[which])
        too_many -= gone
        group.air[which] -= gone
        if not group.air[which]:
            del group.air[which]
