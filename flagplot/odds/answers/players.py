"""Those who decide in questions of the air: what the question says, and the doctrine where it says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.awaw.views.battle import StrikeView
from flagplot.awaw.views.operation import BaseStrikeView
from flagplot.awaw.views.position import MissionView
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View
from flagplot.players.doctrine import DoctrinePlayer
from flagplot.players.doctrine.principles import nearest, part


class Decided:
    """A player with some decisions made in advance, each under the verb of the questions that it answers: numbers by
    the tag of the squadrons that are asked about, or a method."""

    def __init__(self, **numbers: Mapping[str, int]) -> None:
        self.doctrine = DoctrinePlayer()
        self.numbers = numbers

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        verb = request.verb if isinstance(request.verb, str) else request.verb[0]
        decide = getattr(self, f"on_{verb}", None)
        if len(request.values) == 1 or (decide is None and verb not in self.numbers):
            return self.doctrine.choose(view, request)
        wanted = decide(view, request) if decide else self.numbers[verb].get(part(request, 1), 0)
        return Option(request, nearest(request.values, wanted))


class Aimed(Decided):
    """The attacker of a strike whose targets are given, with how many squadrons were to attack each of them."""

    def __init__(self, aims: Mapping[str, int], **numbers: Mapping[str, int]) -> None:
        super().__init__(**numbers)
        self.aims = dict(aims)

    def on_target(self, view: View, request: Choose[Any]) -> Any:
        plan = self._plan(self.flown(view))
        return next(target for target, some in plan.items() if some and target in request.values)

    def on_against(self, view: View, request: Choose[Any]) -> int:
        flown = self.flown(view)
        wanted = self._plan(flown)[part(request, 1)]
        for kind, left in _left(flown).items():
            if kind == part(request, 2):
                break
            wanted = max(0, wanted - left)
        return wanted

    def flown(self, view: View) -> StrikeView | BaseStrikeView:
        """The strike as it is seen."""
        seen: StrikeView = view.position.battle.strike
        return seen

    def _plan(self, flown: StrikeView | BaseStrikeView) -> dict[str, int]:
        return thinned(self.aims, sum([flight.count for flight in flown.attackers]))


def thinned(aims: Mapping[str, int], arrived: int) -> dict[str, int]:
    """What is left of some aims if fewer squadrons arrive: those missing are missed where most were to attack, among
    equals at the target named last."""
    plan = dict(aims)
    while sum(plan.values()) > arrived:
        most = max(plan.values())
        plan[[target for target, some in plan.items() if some == most][-1]] -= 1
    return plan


def _left(flown: StrikeView | BaseStrikeView) -> dict[str, int]:
    """The squadrons of a strike that have no target yet, kind by kind in the order in which they are asked about."""
    left = {flight.tag: flight.count for flight in flown.attackers}
    for aim in flown.aims:
        for flight in aim.squadrons:
            left[flight.tag] -= flight.count
    return left


class Pressing(Decided):
    """The attacker of a base who fights so many rounds."""

    def __init__(self, rounds: int) -> None:
        super().__init__()
        self.rounds = rounds

    def on_attacker(self, view: View, request: Choose[Any]) -> str:
        mission: MissionView = view.position.mission
        return "press-on" if mission.round < self.rounds else "break-off"
