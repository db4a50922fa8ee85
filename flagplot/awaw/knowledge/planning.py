"""States to plan in: what orders ahead are made from owes nothing to the enemy's secrets.

The account of an operation takes two things as they are that a side does not know: which forces make up the combat
groups whose ships it has seen, or which have left, and the ways of forces that are to meet once one of them has sailed.
Here they are forgotten as well, and drawn. An order ahead whose question does not come as planned is dropped, so it is
enough if what is drawn will do for the battle, or for the voyage, that goes on.
"""

from __future__ import annotations

from collections.abc import Sequence

from flagplot.awaw.knowledge.fleets import Told
from flagplot.awaw.knowledge.operation import OperationDraw, together
from flagplot.awaw.state.battle import Group


class PlanDraw(OperationDraw):
    """The secrets of the enemy in an operation, and the make-up of his combat groups that were seen."""

    def deal_forces(self, forces: Sequence[str]) -> bool:
        """Put forces behind all numbers. Those whose ships are known are recognised in groups that were seen."""
        battle, left = self.state.battle, [*forces]
        gone = [*battle.withdrawn(self.enemy).values()]
        numbers = {group.number for group in (*battle.numbered(self.enemy), *gone)}
        for number in sorted(numbers.difference(self.known.unseen)):
            seen = [group for group in (*battle.numbered(self.enemy), *gone) if group.number == number]
            keys = self.in_order([key for key in left if self._is_among(key, seen)] or left[:1])
            if not keys:
                return False
            left = [key for key in left if key not in keys]
            self._attach(keys, number)
        return super().deal_forces(left)

    def _is_among(self, key: str, seen: Sequence[Group]) -> bool:
        """Whether a force whose ships are known is part of a group: some of its named ships are in it."""
        known = {which.id for which in self.known.markers[key].ships if which.named}
        return any([which.id in known for group in seen for fleet in (group.ships, group.shed) for which in fleet])

    def _attach(self, keys: list[str], number: int) -> None:
        """Some forces are a group that was seen, and what has left of it."""
        battle, first = self.state.battle, self.state.operation.fleet[keys[0]]
        here = any([group.number == number for group in battle.numbered(self.enemy)])
        left = [name for name, group in battle.withdrawn(self.enemy).items() if group.number == number]
        groups = [self.called_after(keys, number)] if here else []
        for place, name in enumerate(left):
            group = battle.departed.pop(name)
            battle.departed[f"{keys[0]}/{place + 1}" if place else keys[0]] = group
            group.place, group.origin = first.group.place, first.base
            groups.append(group)
        brought = together([group.ships for group in groups])
        for group in groups:
            group.parts = {key: dict(brought) if key == keys[0] else {} for key in keys}

    def draw_departed(self) -> None:
        for group in self.state.battle.withdrawn(self.enemy).values():
            if not group.revealed:
                group.ships = self.fleet(Told()) or {}
                self.taken |= {which.id for which in group.ships if which.named}
        super().draw_departed()
