"""States to plan in: what orders ahead are made from owes nothing to the enemy's secrets.

The account of an operation takes two things as they are that a side does not know: which forces make up the combat
groups whose ships it has seen, or which have left, and the ways of forces that are to meet once one of them has sailed.
Here they are forgotten as well, and drawn. An order ahead whose question does not come as planned is dropped, so it is
enough if what is drawn will do for the battle, or for the voyage, that goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flagplot.awaw.counting import combined, merged
from flagplot.awaw.knowledge.known import name_of
from flagplot.awaw.knowledge.operation import OperationDraw
from flagplot.awaw.state.battle import Group


class PlanDraw(OperationDraw):
    """The secrets of the enemy in an operation, and the make-up of his combat groups that were seen."""

    def deal_forces(self, forces: Sequence[str]) -> bool:
        """Put forces behind all numbers. Those whose ships are known are recognised in groups that were seen."""
        battle, left, behind = self.state.battle, [*forces], dict[int, list[str]]()
        groups = [*battle.numbered(self.enemy), *battle.withdrawn(self.enemy).values()]
        for number in sorted({group.number for group in groups}.difference(self.known.unseen)):
            seen = [group for group in groups if group.number == number]
            keys = self.in_order([key for key in left if self._is_among(key, seen)] or left[:1])
            if not keys:
                return False
            behind[number], left = keys, [key for key in left if key not in keys]
            if name_of(self.enemy, number) in battle.groups:
                self.called_after(keys, number).parts = {key: {} for key in keys}
        if not super().deal_forces(left):
            return False
        self._name_departed(behind | {group.number: [*group.parts] for group in self.unseen()})
        return True

    def _is_among(self, key: str, seen: Sequence[Group]) -> bool:
        """Whether a force whose ships are known is part of a group: some of its named ships are in it."""
        known = {which.id for which in self.known.markers[key].ships if which.named}
        return any([which.id in known for group in seen for fleet in (group.ships, group.shed) for which in fleet])

    def _name_departed(self, behind: Mapping[int, Sequence[str]]) -> None:
        """What has left goes by the name of its group too; the first of the forces has brought all that is known."""
        battle = self.state.battle
        for name, group in battle.withdrawn(self.enemy).items():
            key = behind[group.number][0]
            before = [one for one in battle.departed if one.split("/")[0] == key]
            battle.departed[f"{key}/{len(before) + 1}" if before else key] = battle.departed.pop(name)
            group.parts = {each: {} for each in behind[group.number]}
        groups = [*battle.numbered(self.enemy), *battle.withdrawn(self.enemy).values()]
        for number, (first, *_) in behind.items():
            mine = [group for group in groups if group.number == number]
            brought = combined([group.ships for group in mine if not any(group.parts.values())])
            for group in mine:
                group.parts[first] = merged(group.parts[first], brought)
