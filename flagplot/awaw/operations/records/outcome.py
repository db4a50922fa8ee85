"""How an operation ended: points, battles and attacks, cargo, and how each force came home."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.battle.aftermath import endings_in_words, ships_of_side
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.operations.records.points import operation_points
from flagplot.awaw.operations.records.record import BATTLE, RAID, of_side
from flagplot.awaw.ships import described_ships, factors, undamaged_factors
from flagplot.awaw.state.operation import Fight, NavalForce
from flagplot.awaw.state.state import State
from flagplot.awaw.views.units import ships_seen
from flagplot.kernel.view_types import Seen, to_json


def operation_result(state: State) -> dict[str, Any]:
    """What was achieved, in the points of its orders and of the factors that were sunk, and all that led to it."""
    operation = state.operation
    sides = state.sides
    sunk = {side: ships_of_side(state, side, state.losses.ships) for side in sides}
    points = {side: operation_points(state, side) for side in sides}
    one, other = sides
    winner = None if points[one] == points[other] else max(points, key=lambda side: points[side])
    lines = [
        f"{state.name(side)} has {_many(points[side], 'point')} and lost {described_ships(sunk[side].items())}"
        for side in sides
    ]
    fought = [fight for fight in operation.fights if fight.struck]
    return {
        "summary": "; ".join(lines),
        "winner": winner,
        "points": points,
        "points_for_activities": {side: operation.done.get(side, 0) for side in sides},
        "points_for_ships_sunk": {side: factors(sunk[state.other(side)]) for side in sides},
        "rounds": sum([fight.rounds for fight in fought]),
        "battles_won": {side: sum([_winner(state, fight) == side for fight in fought]) for side in sides},
        "factors_sunk": {side: factors(sunk[side]) for side in sides},
        "factors_damaged": {side: _damaged(state, side) for side in sides},
        "ships": {side: described_ships(sunk[side].items()) for side in sides},
        "cargo_landed": {side: dict(operation.landed.get(side, {})) for side in sides},
        "cargo_factors_landed": {side: sum(operation.landed.get(side, {}).values()) for side in sides},
        "cargo_lost": {side: dict(state.losses.cargo.get(side, {})) for side in sides},
        "record": [event._asdict() for event in operation.record],
        "fights": [described_fight(state, fight) for fight in fought],
        "home": [_home(state, key, force) for key, force in operation.everybody()],
    }


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _damaged(state: State, side: str) -> int:
    """The factors of a side that are afloat and damaged."""
    fleets = [force.group.ships for force in state.operation.fleet.values() if force.side == side]
    return sum([factors(fleet) - undamaged_factors(fleet) for fleet in fleets])


# --- fights -----------------------------------------------------------------------------------------------------


class FightView(Seen):
    """A battle or an attack as everybody may know it: where, who, how it ended, and what it cost."""

    stage: str
    kind: str
    at: Hex
    where: str
    sides: dict[str, str]
    rounds: int
    winner: str | None
    ended: str
    rule: str
    sunk: dict[str, str]
    damaged: dict[str, str]
    air: dict[str, dict[str, int]]
    cargo: dict[str, int]
    submarines: dict[str, int]


def described_fight(state: State, fight: Fight) -> dict[str, Any]:
    """The same with what followed."""
    consequences = [{"side": side, "rule": number, "text": public or text} for side, number, text, public in fight.told]
    return {**to_json(seen_fight(state, fight)), "consequences": consequences}


def seen_fight(state: State, fight: Fight) -> FightView:
    nations = state.setting.nations
    return FightView(
        stage=fight.stage,
        kind=fight.kind,
        at=fight.at,
        where=hex_name(state, fight.at),
        sides=dict(fight.sides),
        rounds=fight.rounds,
        winner=_winner(state, fight),
        ended=_ended(state, fight),
        rule=fight.rule,
        sunk={side: of_side(state, fight.sunk, side) for side in state.sides},
        damaged={side: of_side(state, fight.damaged, side) for side in state.sides},
        air={
            side: {pool: number for pool, number in fight.air.items() if pool.split("/")[0] in nations[side]}
            for side in state.sides
        },
        cargo=dict(fight.cargo),
        submarines={side: _submarines(state, fight, side) for side in state.sides},
    )


def _winner(state: State, fight: Fight) -> str | None:
    """22.72: the side that has not lost, if the other has."""
    if fight.kind not in (BATTLE, RAID) or len(fight.losers) != 1:
        return None
    return state.other(fight.losers[0])


def _ended(state: State, fight: Fight) -> str:
    return endings_in_words(state, fight.rule, fight.losers, fight.reasons) if fight.rule else ""


def _submarines(state: State, fight: Fight, side: str) -> int:
    return sum([number for key, number in fight.submarines.items() if state.operation.flotillas[key].side == side])


# --- home -------------------------------------------------------------------------------------------------------


def _home(state: State, key: str, force: NavalForce) -> dict[str, Any]:
    """Where a force is in the end, and how; its ships only if the enemy has seen them."""
    place = state.scene.places.get(force.base)
    open_ = force.seen or not force.group.task_force
    return {
        "force": key,
        "side": force.side,
        "marker": force.marker,
        "base": place.name if place else force.base,
        "inverted": force.inverted,
        "ships": to_json(ships_seen(force.group.ships)) if open_ else None,
        "sunk_in_port": to_json(ships_seen(force.sunk_in_port)),
    }
