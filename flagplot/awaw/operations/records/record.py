"""What an operation leaves for its report: who set out for what, what was fought where, and what came of it.

Only what everybody may know in the end is kept here: markers, ships that were sunk, squadrons that were lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from flagplot.awaw.counting import merged
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.names import ACTIVITIES, force_name, hex_name
from flagplot.awaw.procedures import air_attack, encounter, raid, submarine_hunt, submarine_interception
from flagplot.awaw.ships import Ship, described_ships
from flagplot.awaw.state.operation import Activity, Event, Fight, Progress, Voyage
from flagplot.awaw.state.state import State

K = TypeVar("K")

SHIPS = ("sunk", "damaged")

BATTLE, AIR_ATTACK, SUBMARINES, HUNT, RAID, BASE = "battle", "air-attack", "submarines", "hunt", "raid", "base"
KINDS = {
    encounter.name: BATTLE,
    air_attack.name: AIR_ATTACK,
    submarine_interception.name: SUBMARINES,
    submarine_hunt.name: HUNT,
    raid.name: RAID,
}
"""What is fought, by the procedure that sets the scene."""


# --- what happened ----------------------------------------------------------------------------------------------


def tell(state: State, kind: str, side: str, number: str, text: str) -> None:
    """Put a line into the record."""
    state.operation.record.append(Event(state.now, kind, side, number, text))


def close_voyages(state: State) -> None:
    """At the end of a stage: what was announced in it, and who intercepted whom."""
    for voyage in state.operation.voyages.values():
        if voyage.progress is not Progress.OVER or voyage.activity is Activity.RETURN:
            continue
        if voyage.level:
            tell(state, "interception", voyage.side, "22.24A" if not voyage.arrives else "22.23", _met(state, voyage))
        else:
            tell(state, "activity", voyage.side, "22.15", _sailed(state, voyage))


def _sailed(state: State, voyage: Voyage) -> str:
    cargo = ", with cargo" if voyage.cargo else ""
    joins = state.operation.voyages.get(voyage.joins)
    what = f"joins {joins.names} for {ACTIVITIES[voyage.activity]}" if joins else ACTIVITIES[voyage.activity]
    way = f"{hex_name(state, voyage.path[0])} to {hex_name(state, voyage.path[-1])}"
    return f"{voyage.names}: {what}, {way}{cargo}"


VERBS = {1: "intercepts", 2: "counter-intercepts", 3: "counters the counter-interception by"}


def _met(state: State, voyage: Voyage) -> str:
    target = state.operation.voyages.get(voyage.target)
    whom = target.names if target else "an enemy force"
    came = "does not get there"
    if voyage.arrives:
        came = "gets there" if voyage.arrives == 1 else f"comes late, for round {voyage.arrives}"
    away = f"{len(voyage.path) - 1} hexes away"
    return f"{voyage.names} {VERBS[voyage.level]} {whom} in {hex_name(state, voyage.meet)}, {away}: {came}"


# --- fights -----------------------------------------------------------------------------------------------------


def begin_fight(state: State, at: Hex) -> None:
    """Something is fought in a hex; what was lost before it is remembered."""
    procedure, arguments = (state.frames[-1].procedure, state.frames[-1].arguments) if state.frames else ("", ())
    kind = KINDS.get(procedure, "")
    state.operation.open_fights.append(
        Fight(state.now, kind, at, _taking_part(state, kind, arguments), *_so_far(state))
    )


def begin_base_attack(state: State, side: str, base: str, by: str) -> None:
    """A base is attacked from the air; by whom: a voyage, a patrol, or land-based air."""
    names = {side: _named(state, by) or "land-based air", state.other(side): state.place(base).name}
    state.operation.open_fights.append(Fight(state.now, BASE, state.place(base).at, names, *_so_far(state)))


def name_attackers(state: State, side: str, who: str) -> None:
    """Who attacks from the air, now that it is announced."""
    operation = state.operation
    if operation.open_fights:
        operation.open_fights[-1].sides[side] = who


def _named(state: State, key: str) -> str:
    operation = state.operation
    if key in operation.voyages:
        return force_name(state, operation.voyages[key])
    return operation.fleet[key].marker if key in operation.fleet else ""


class Cost(NamedTuple):
    """What was lost and damaged up to some moment."""

    sunk: dict[Ship, int]
    damaged: dict[Ship, int]
    air: dict[str, int]
    cargo: dict[str, int]
    submarines: dict[str, int]


def _so_far(state: State) -> Cost:
    submarines = {key: flotilla.lost for key, flotilla in state.operation.flotillas.items()}
    for some in state.battle.submarines:
        submarines[some.flotilla] += some.lost
    return Cost(dict(state.losses.ships), _damaged(state), dict(state.losses.air), _cargo(state), submarines)


def _damaged(state: State) -> dict[Ship, int]:
    """The damaged ships that both sides know of."""
    operation = state.operation
    found: dict[Ship, int] = {}
    for key, force in operation.fleet.items():
        group = state.battle.groups.get(key, force.group)
        if force.seen or group.revealed or not group.task_force:
            found = merged(found, {which: number for which, number in group.ships.items() if which.damaged})
    for key, group in {**state.battle.groups, **state.battle.departed}.items():
        if group.revealed and (key not in operation.fleet or key not in state.battle.groups):
            found = merged(found, {which: number for which, number in group.ships.items() if which.damaged})
    return found


def _cargo(state: State) -> dict[str, int]:
    return {part: number for parts in state.losses.cargo.values() for part, number in parts.items()}


def _taking_part(state: State, kind: str, arguments: tuple[Any, ...]) -> dict[str, str]:
    """Who meets whom, by the markers that everybody sees."""
    operation = state.operation
    if kind == BATTLE and operation.encounter is not None:
        voyages = [operation.voyages[key] for key in operation.encounter.voyages]
        helped = [_named(state, key) or "submarines" for key in operation.encounter.supporting]
        moved = operation.voyages[operation.encounter.target].side
        return {
            side: ", ".join(
                [force_name(state, voyage) for voyage in voyages if voyage.side == side] + helped * (side == moved)
            )
            for side in state.sides
        }
    key = str(arguments[0]) if arguments else ""
    if key in operation.voyages:
        side = operation.voyages[key].side
        other = {AIR_ATTACK: "land-based air", SUBMARINES: "submarines", RAID: "those who look for it"}.get(kind, "")
        return {side: force_name(state, operation.voyages[key]), state.other(side): other}
    if key in operation.flotillas:
        side = operation.flotillas[key].side
        return {side: "submarines on patrol", state.other(side): "land-based air"}
    return {}


def end_fight(state: State) -> None:
    """It is over: what it has cost, and how a battle ended. An air attack that found nothing is not told."""
    operation = state.operation
    if not operation.open_fights:  # a test that sets its own scene
        return
    fight = operation.open_fights.pop()
    for part, now in _so_far(state)._asdict().items():
        cost = _more(now, getattr(fight, part))
        setattr(fight, part, cost)
        for outer in operation.open_fights:  # what is lost here is not lost there
            before = getattr(outer, part)
            setattr(outer, part, merged(before, cost) if part in SHIPS else _sum(before, cost))
    fight.told = tuple(state.battle.consequences)
    if state.battle.outcome is not None:
        fight.rounds, fight.rule = state.battle.round, state.battle.outcome.rule
        fight.losers, fight.reasons = state.battle.outcome.losers, state.battle.outcome.reasons
    fight.struck = bool(fight.kind != AIR_ATTACK or (operation.attack is not None and operation.attack.flown))
    operation.fights.append(fight)


def _more(now: Mapping[K, int], before: Mapping[K, int]) -> dict[K, int]:
    return {key: number - before.get(key, 0) for key, number in now.items() if number > before.get(key, 0)}


def _sum(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in (*one, *(key for key in other if key not in one))}


def of_side(state: State, ships: Mapping[Ship, int], side: str) -> str:
    """The ships of a side in words; nothing if there are none."""
    nations = state.setting.nations[side]
    own = [(which, number) for which, number in ships.items() if which.nation in nations]
    return described_ships(own) if own else ""
