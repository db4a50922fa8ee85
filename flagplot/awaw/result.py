"""How a game ended."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.air_units import value
from flagplot.awaw.battle.aftermath import ended_by, ended_words, ships_of_side, winner, winner_words
from flagplot.awaw.operations.records.outcome import operation_result
from flagplot.awaw.ships import described_ships, factors, undamaged_factors
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.end.outcome import turn_result
from flagplot.kernel.words import capital


def result(state: State) -> dict[str, Any]:
    """How it ended: what each side lost. The rules name no winner of a counterair; BRPs lost compare the two. Who has
    won a naval battle follows from how it ended (22.72)."""
    setting, scene = state.setting, state.scene
    if state.turn_if_any is not None:
        return turn_result(state)
    left = dict.fromkeys(setting.worth, 0)
    for key, site in state.sites.items():
        left[scene.places[key].side] += sum(
            [value(force) for force in (site.air, site.hidden, site.grounded, site.ashore) if force]
        )
    for group in (*state.battle.groups.values(), *state.battle.departed.values()):
        if group.air:
            left[group.side] += value(group.air)
    for force in state.operation.fleet.values() if state.operation_if_any is not None else ():
        left[force.side] += value(force.group.air) + value(force.grounded)
    for side in left:
        left[side] += state.kamikazes if "japan" in setting.nations[side] else 0
    lost = {side: worth - left[side] for side, worth in setting.worth.items()}
    ended = {"losses": dict(sorted(state.losses.air.items())), "brps_lost": lost}
    if state.operation_if_any is not None:
        return operation_result(state) | ended
    if scene.kind == "naval-battle":
        return _battle_result(state) | ended
    ours, theirs = lost[scene.attacker], lost[scene.defender]
    winner = None if ours == theirs else scene.attacker if ours < theirs else scene.defender
    return {
        "summary": f"{scene.names[0]} lost air worth {ours} BRPs, {scene.names[1]} {theirs} BRPs",
        "winner": winner,
        **ended,
    }


def _battle_result(state: State) -> dict[str, Any]:
    """22.72: who has won and why, what was sunk and damaged, what cargo was lost, and what follows from it (22.8)."""
    sides = state.sides
    sunk = {side: ships_of_side(state, side, state.losses.ships) for side in sides}
    ships = {side: described_ships(sunk[side].items()) for side in sides}
    ended, lines = ended_words(state), [_lost_by(state, side, ships[side]) for side in sides]
    return {
        "summary": f"{capital(winner_words(state))}: {ended}; {'; '.join(lines)}",
        "winner": winner(state),
        "ended": ended,
        "rule": ended_by(state),
        "rounds": state.battle.round,
        "factors_sunk": {side: factors(sunk[side]) for side in sides},
        "factors_damaged": {side: _damaged_factors(state, side) for side in sides},
        "ships": ships,
        "cargo_lost": {side: dict(state.losses.cargo.get(side, {})) for side in sides},
        "consequences": [
            {"side": side, "rule": number, "text": public or text}
            for side, number, text, public in state.battle.consequences
        ],
    }


def _lost_by(state: State, side: str, sunk: str) -> str:
    pools = [key for key in state.losses.air if key.split("/")[0] in state.setting.nations[side]]
    air = sum([state.losses.air[key] for key in pools])
    return f"{state.name(side)} lost {sunk} and {air} air squadrons"


def _damaged_factors(state: State, side: str) -> int:
    """The factors of a side that are afloat and damaged."""
    groups = [group for group in (*state.battle.groups.values(), *state.battle.departed.values()) if group.side == side]
    return sum([factors(group.ships) - undamaged_factors(group.ships) for group in groups])
