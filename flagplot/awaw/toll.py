"""What a battle has cost each side: ships and air units by kind, and the fate of every named ship."""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.awaw.battle.homecoming import survivors
from flagplot.awaw.ships import NAMES, Fleet, Ship
from flagplot.awaw.state.battle import GO_ON
from flagplot.awaw.state.state import State
from flagplot.kernel.toll import DAMAGED, SUNK, Toll

ARMS = {
    "army": "army air",
    "naval": "naval air",
    "elite-naval": "elite naval air",
    "jet": "jet air",
    "transport": "air transport",
    "interceptor": "interceptor",
    "bomber": "strategic bomber",
    "pacific-bomber": "Pacific strategic bomber",
}


def toll(state: State) -> dict[str, Toll]:
    """What each side has lost so far, in a battle or a whole operation; submarines and cargo as well, which are
    counted in factors."""
    return {side: Toll(_lost(state, side), _named(state, side), _through(state, side)) for side in state.sides}


def _lost(state: State, side: str) -> dict[str, int]:
    nations, lost = state.setting.nations[side], dict[str, int]()
    for fleet in (state.losses.ships, state.losses.elsewhere):
        for which, number in fleet.items():
            if which.nation in nations:
                _count(lost, f"{NAMES[which.kind]}s", number)
    for pool, number in state.losses.air.items():
        nation, arm, role = pool.split("/")
        if nation in nations:
            _count(lost, f"{ARMS.get(arm, arm)} {role}", number)
    boats = [
        *state.battle.submarines,
        *(state.operation.flotillas.values() if state.operation_if_any is not None else ()),
    ]
    _count(lost, "submarine factors", sum([some.lost for some in boats if some.side == side]))
    _count(lost, "laden factors with their cargo", sum(state.losses.cargo.get(side, {}).values()))
    return lost


def _count(lost: dict[str, int], kind: str, number: int) -> None:
    if number:
        lost[kind] = lost.get(kind, 0) + number


def _through(state: State, side: str) -> int:
    """22.81A: the laden factors of forces that go on after a battle."""
    groups = [group for group in survivors(state, side).values() if group.bound == GO_ON]
    return sum([number for group in groups for which, number in group.ships.items() if which.laden])


def _named(state: State, side: str) -> dict[str, str]:
    fates = {which.name: DAMAGED if which.damaged else "" for which in _afloat(state, side)}
    nations = state.setting.nations[side]
    return fates | {which.name: SUNK for which in state.losses.ships if which.named and which.nation in nations}


def _afloat(state: State, side: str) -> Iterator[Ship]:
    """The named ships of a side that are not sunk: in the battle, withdrawn from it, or back in port."""
    fleets: list[Fleet] = [site.gone for site in state.sites.values()]
    groups = [*state.battle.groups.values(), *state.battle.departed.values()]
    if state.operation_if_any is not None:
        groups += [force.group for force in state.operation.fleet.values()]
    for group in groups:
        fleets += [group.ships, group.shed] if group.side == side else []
    nations = state.setting.nations[side]
    return (which for fleet in fleets for which in fleet if which.named and which.nation in nations)
