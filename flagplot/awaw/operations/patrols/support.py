"""Support by offensive patrols (22.163, 21.4182): no dice; the nearer they are the sooner they join."""

from __future__ import annotations

from flagplot.awaw.battle.withdrawal import LADEN, parcels
from flagplot.awaw.operations.interception.regrouping import divide, pick_ships
from flagplot.awaw.operations.interception.sailing_together import may_cooperate, nations
from flagplot.awaw.operations.names import factors_long, hexes_long
from flagplot.awaw.operations.patrols.submarine_patrols import divide_flotilla
from flagplot.awaw.ships import Fleet
from flagplot.awaw.state.operation import Encounter
from flagplot.awaw.state.state import State
from flagplot.kernel.requests import Choose, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words

OFFENSIVE = "offensive"
AT_ONCE = 3
"""Hexes within which a patrol joins in the first round (22.163B)."""


@rule("22.163B", "22.163C", "T22.21-14")
def support_round(hexes: int, *, pacific: bool) -> int:
    """22.163: within three hexes a patrol joins in the first round; beyond, one round later for every four hexes begun,
    two in the Pacific."""
    return max(1, 2 + (hexes - AT_ONCE - 1) // (2 if pacific else 4))


@rule("22.163", "22.163A", "22.11D", "SOP-NI-F.2.a", "SOP-PA-E.2", "22.916B", "22.33", "22.141E")
def offer_support(state: State, meeting: Encounter) -> Script[None]:
    """22.163: patrols of the side that was intercepted, submarines too, may come to its aid in the interception hex and
    nowhere else; each is asked, and all of it or a part may go (21.4182A). British and French ones that do not
    cooperate give no help (22.141E)."""
    operation = state.operation
    target = operation.voyages[meeting.target]
    side, friends = target.side, nations(state, target)
    for key, (name, at) in _patrols(state, side, friends).items():
        sails = operation.plan.board.sea_distance(at, meeting.at)
        if sails is None:
            continue
        joins = support_round(sails, pacific=state.setting.pacific)
        question = ("Send {} ({} away, joins in round {})?", name, hexes_long(sails), joins)
        values = (STAY, GO, PART) if _may_divide(state, key) else (STAY, GO)
        chosen: str = yield Choose(side, ("support", key), values, question, _ANSWERS, "22.163")
        going = key if chosen == GO else (yield from _detach(state, key)) if chosen == PART else ""
        if going:
            meeting.supporting[going] = joins
            words = ("{}: a patrol sails to support, joining in round {}", state.name(side), joins)
            yield disclosed(words, "22.163", side)


STAY, GO, PART = "stay", "go", "part"
_ANSWERS: dict[str, Words] = {
    STAY: "Stay in its patrol hex",
    GO: "Send it",
    PART: "Send part of it",
}


@rule("SOP-PA-E.2")
def _may_divide(state: State, key: str) -> bool:
    """21.4182A: whether a part of a patrol may go, as far as everybody can tell: nobody knows how many ships a task
    force has."""
    if state.setting.options.patrol_support != "any-part":
        return False
    operation = state.operation
    if key in operation.flotillas:
        return operation.flotillas[key].factors > 1
    force = operation.fleet[key]
    return (force.group.task_force and not force.seen) or sum(force.group.ships.values()) > 1


@rule("SOP-PA-E.2", "SOP-PA-E.2.b")
def _detach(state: State, key: str) -> Script[str]:
    """21.4182: some ships of a patrol, or some submarines, go; the others stay in the patrol hex. The key of those that
    go, or nothing if the owner sends none after all."""
    operation = state.operation
    if key in operation.flotillas:
        flotilla = operation.flotillas[key]
        counts = range(1, flotilla.factors)
        number: int = yield Choose(
            flotilla.side, ("factors", key), counts, "Send how many factors?", factors_long, "22.163"
        )
        return divide_flotilla(state, key, number)
    force = operation.fleet[key]
    some = [parcel for parcel in parcels(force.group) if parcel.tag != LADEN]
    script = pick_ships(force, ("dispatch", key), some, sum(force.group.ships.values()), _DISPATCH, "22.163")
    words = ("{}: choosing ships of {} to send", state.name(force.side), force.marker)
    ships: Fleet = yield from secretly(force.side, words, script, "22.163", anyway=force.group.task_force)
    if not ships or ships == force.group.ships:
        return key if ships else ""
    name = divide(state, key, ships)
    part = operation.fleet[name]
    part.patrol, part.inverted, part.group.activity = force.patrol, force.inverted, force.group.activity
    operation.struck += [name] * (key in operation.struck)
    operation.tasks |= {name: operation.tasks[key]} if key in operation.tasks else {}
    return name


_DISPATCH = ("{}: send {}?", "{}: send how many of {} {}?", "Stay", "Send")


def _patrols(state: State, side: str, friends: set[str]) -> dict[str, tuple[str, tuple[int, int]]]:
    """The offensive patrols of a side that act together with ships of some nations, and where they are."""
    operation = state.operation
    forces = {
        key: (force.marker, force.at)
        for key, force in operation.fleet_of(side).items()
        if force.patrol == OFFENSIVE
        and force.tried != state.now
        and may_cooperate(state, friends | {which.nation for which in force.group.ships})
    }
    submarines = {
        key: (f"the submarines in {operation.plan.board.name_of(flotilla.at)}", flotilla.at)
        for key, flotilla in operation.boats()
        if flotilla.side == side
        and flotilla.patrol == OFFENSIVE
        and flotilla.factors
        and may_cooperate(state, friends | {flotilla.nation})
    }
    return forces | submarines
