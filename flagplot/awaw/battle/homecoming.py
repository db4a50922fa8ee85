"""Orders after a naval battle (22.63, 22.81): who goes on with his activity, and who returns where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from flagplot.awaw.battle.groups import LABEL
from flagplot.awaw.operations.bases.port_room import has_room
from flagplot.awaw.state.battle import ABORT, GO_ON, ORIGIN, Group
from flagplot.awaw.state.state import State
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, capital

INTERCEPTION, COUNTER, SUPPORT = "interception", "counter-interception", "patrol-support"
"""Activities that nobody announces: who came to stop somebody on his way, who countered an interception where it took
place, and patrols that came to the aid of others."""


def survivors(state: State, side: str) -> dict[str, Group]:
    """What a side has afloat: its groups by number, then what never joined, then what withdrew."""
    battle = state.battle
    mine = [(key, group) for key, group in battle.groups.items() if group.side == side and group.ships]
    if len(mine) > 1:
        mine.sort(key=_joined_first)
    if battle.departed:
        mine += [(f"{key}/gone", group) for key, group in battle.withdrawn(side).items()]
    return dict(mine)


def _joined_first(entry: tuple[str, Group]) -> tuple[bool, int, int]:
    return not entry[1].number, entry[1].number, entry[1].place


def public_name(state: State, group: Group) -> str:
    """What everybody calls a force after the battle."""
    side = state.name(group.side)
    if not group.number:
        return f"{side}: a force that did not join"
    name = LABEL.format(group.number, side)
    return f"{name}, withdrawn in round {group.left}" if group.left else name


@rule("22.81A.2")
def has_orders(state: State, side: str) -> bool:
    """Whether a side may have something to decide, for all that everybody knows: it has forces that may go on, or ports
    to choose from. Raiders in an SW box have rules of their own (22.81A)."""
    groups = survivors(state, side).values()
    open_to_choice = any([may_go_on(state, group) for group in groups]) or (groups and ports_in_range(state, side))
    return bool(open_to_choice) and not state.scene.raiders


@rule("22.81")
def give_orders(state: State, side: str) -> Script[None]:
    """22.81: each force that may goes on or aborts, and what returns is told where to."""
    if state.scene.raiders:
        return
    ports = ports_in_range(state, side)
    for key, group in survivors(state, side).items():
        group.bound = ORIGIN
        if may_go_on(state, group):
            question = ("{}: carry on or return?", capital(_own_name(group)))
            choice: str = yield Choose(side, ("activity", key), (GO_ON, ABORT), question, _ORDERS, "22.81")
            group.bound = GO_ON if choice == GO_ON else ORIGIN
        if group.bound == ORIGIN:
            yield from _send_home(state, key, group, ports)


def _own_name(group: Group) -> str:
    return f"{group.name} (CG {group.number})" if group.number else group.name


_ORDERS: dict[str, Words] = {GO_ON: "Carry on", ABORT: "Return to base"}


@rule("22.61C", "22.81A.2", "SOP-NI-J")
def is_defeated(state: State, group: Group) -> bool:
    """22.61C: ships that withdrew are defeated however the battle ended; 22.81A: the others if their side has lost,
    groups that had to wait outside too, and all that were on their way to intercept (22.252D). Other forces that never
    joined were not in it (22.28B)."""
    battle = state.battle
    losers = battle.outcome.losers if battle.outcome else ()
    in_it = group.number or group.formed or group.side == state.scene.withholder
    return bool(group.left) or (bool(in_it) and group.side in losers)


@rule("22.81A.1", "22.81A.2", "22.81B", "22.81C", "22.28", "22.28A", "22.28B", "SOP-NI-I", "SOP-PA-E.2.b")
def may_go_on(state: State, group: Group) -> bool:
    """22.81A: a force that is not defeated may go on with its activity, or abort it; 22.81B: interceptors return,
    patrols excepted; 22.81C: who countered an interception joins the activity of those whom he protected."""
    return kept_from_going_on(state, group) is None


@rule("22.61C", "22.81A.2", "22.81B")
def kept_from_going_on(state: State, group: Group) -> Refusal | None:
    """22.81: why a force returns, whatever its owner would like."""
    if group.left:
        return _WITHDREW
    if is_defeated(state, group):
        return _DEFEATED
    return _INTERCEPTED if intercepts(state, group) and group.activity != "patrol" else None


_WITHDREW = Refusal("cannot continue: it withdrew, and counts as defeated", "22.61C")
_DEFEATED = Refusal("cannot continue: its side was defeated", "22.81A")
_INTERCEPTED = Refusal("cannot continue: it came to intercept, and returns to base", "22.81B")


@rule("22.81B", "22.161B", "22.163E")
def intercepts(state: State, group: Group) -> bool:
    """22.81B: whether a group came to intercept, and returns after it: the groups of the intercepting side, those who
    have stopped somebody on his way (22.161B), and who came too late to the aid of others."""
    if group.activity in (COUNTER, SUPPORT) and not group.number:
        return True
    return group.activity == INTERCEPTION or (not state.scene.withholder and group.side == state.scene.defender)


@rule("22.63", "22.63A", "22.63C", "22.27")
def _send_home(state: State, key: str, group: Group, ports: Mapping[str, str]) -> Script[None]:
    """22.63: a group returns to where it came from, or to a port of its side within 20 hexes of the battle, 10 in the
    Pacific. Not so after a base change or redeployment that failed (22.63A), nor if it never fought (22.27)."""
    if not group.number or (group.activity in BASE_CHANGES and is_defeated(state, group)):
        return
    if all([which.laden for which in group.ships]):
        return
    labels: dict[str, Words] = {port: ("{}", name) for port, name in _havens(state, group, ports).items()}
    question = ("Choose a port for {}", _own_name(group))
    group.bound = yield Choose(group.side, ("return", key), [*labels], question, labels, "22.63")


@rule("22.63", "22.63C")
def _havens(state: State, group: Group, ports: Mapping[str, str]) -> dict[str, str]:
    """22.63: where a group may return to: other ports in range if they have room for it, and bases that are being
    invaded only if there is no other (22.63C)."""
    invaded = state.scene.invaded
    others = {
        port: name
        for port, name in ports.items()
        if port != group.origin and kept_from_port(state, group, port) is None
    }
    return others if others and group.origin in invaded else {ORIGIN: origin_of(state, group), **others}


@rule("22.63", "22.63C")
def kept_from_port(state: State, group: Group, port: str) -> Refusal | None:
    """22.63: why a group does not return to another port of its side in range."""
    if port in state.scene.invaded:
        return _INVADED
    return None if has_room(state, port, group) else _NO_ROOM


_INVADED = Refusal("being invaded", "22.63C")
_NO_ROOM = Refusal("no room for the group", "22.63D")

BASE_CHANGES: Final = frozenset({"base-change", "redeployment"})


@rule("22.63")
def ports_in_range(state: State, side: str) -> dict[str, str]:
    """22.63: the ports of a side within 20 hexes of the battle, or 10 in the Pacific."""
    scene = state.scene
    most = 10 if state.setting.pacific else 20
    return {
        port: scene.places[port].name
        for port, hexes in sorted(scene.ports.items())
        if scene.places[port].side == side and hexes <= most
    }


def origin_of(state: State, group: Group) -> str:
    """The base that a group came from in words; groups that were put together came from several."""
    if " and " in group.origin:
        return " and ".join([name_of_base(state, part) for part in group.origin.split(" and ")])
    return name_of_base(state, group.origin) or "its base of origin"


def name_of_base(state: State, base: str) -> str:
    """The name of a base of the scenario; others are called by their names already."""
    return state.place(base).name if base in state.scene.places else base
