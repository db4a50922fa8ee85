"""What a side may know of an air turn: nearly everything lies open on the map; what TF markers hide is for the looks at
an operation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.awaw.operations.looking import known_as
from flagplot.awaw.operations.words import hex_name
from flagplot.awaw.reach import squadrons_based
from flagplot.awaw.seen import flights
from flagplot.awaw.tables.nations import nation
from flagplot.awaw.turn.inversion import reasons
from flagplot.awaw.turn.landing import carrier
from flagplot.awaw.turn.nations import unit_name
from flagplot.awaw.turn.outcome import points
from flagplot.awaw.turn.state import AirTransportMission, Down, Flight, GroundAttack, GroundUnit, Phase, TurnState
from flagplot.kernel.rules import rule
from flagplot.kernel.ruleset import UMPIRE


def look_at_turn(state: TurnState, side: str) -> dict[str, Any]:
    """Phase and player turn, ground units, airbases, BRPs and force pools, and why air is inverted."""
    turn = state.turn
    return {
        "stage": (state.step or BEGINNING) if state.frames else "",
        **_step(state),
        "stages": list(turn.phases),
        "player_turn": {
            "side": state.moving,
            "number": state.player_turn + 1,
            "of": len(turn.turns),
            "season": f"{turn.season} {turn.year}",
        },
        "units": {key: _ground(state, key, unit, side) for key, unit in state.units.items()},
        "airbases": {base: counter.nation for base, counter in state.airbases.items()},
        "room": {key: _room(state, key) for key, place in state.setting.places.items() if not place.afloat},
        "brps": dict(state.brps),
        "nations": {side: list(nations) for side, nations in state.setting.nations.items()},
        "force_pool": dict(state.unbuilt),
        "kamikaze_pool": {
            "ready": state.kamikazes,
            "limit": state.pool.limit,
            "unbuilt": state.pool.unbuilt,
            "used": state.pool.used,
            "growth": state.pool.growth,
            "flown": state.have_attacked,
        },
        "strategic": {front: flights(force) for front, force in state.bombers.items()},
        "inverted": [_down(one) for one in reasons(state)],
        "flights": [_flight(state, flight) for flight in state.flights],
        "absent": [_down(entry) for entry in state.absent],
        "attacks": [_attack(state, attack) for attack in state.attacks],
        "airlift": _airlift(state, state.airlift) if state.airlift else None,
        "supplied": list(state.supplied),
        "points": {side: points(state, side) for side in turn.sides},
    }


BEGINNING = "opening"
"""The name of what is before the first phase of the first player turn."""
PHASES = {
    BEGINNING: ("inverted air may be uninverted as the player turn begins", "18.71"),
    Phase.MOVEMENT: ("airbases, staging, naval activities, air transport and supply, overruns", "18.511"),
    Phase.COMBAT: ("bombing, missions, naval activities and ground attacks", "18.512"),
    Phase.EXPLOITATION: ("further ground attacks, and air that is left for them", "18.512D"),
    Phase.CONSTRUCTION: ("units and airbases are built", "17.24"),
    Phase.REDEPLOYMENT: ("air and naval units change their bases", "18.513"),
    Phase.END: ("what was used is inverted, then air is uninverted", "18.72B"),
}


def _step(state: TurnState) -> dict[str, Any]:
    """The phase that is being played, with the line of them all; in a stage of naval activities the steps of that."""
    if not state.frames or any([frame.procedure == "stage" for frame in state.frames]):
        return {}
    now = state.step or BEGINNING
    line = {phase: words for phase, (words, _) in PHASES.items() if phase in (now, Phase.END, *state.turn.phases)}
    title = f"Player turn of {state.name(state.moving)}"
    step = {"stage": str(now), "title": title, "mark": str(now), "name": "", "rule": PHASES[now][1]}
    return {"step": step | {"line": {str(phase): words for phase, words in line.items()}}}


def _room(state: TurnState, base: str) -> dict[str, int] | None:
    """18.11: the squadrons that a base holds; a mapboard box holds any number."""
    place = state.place(base)
    return (
        None if place.box else {"squadrons": squadrons_based(place, state.setting.pacific), "naval": int(place.island)}
    )


def _ground(state: TurnState, key: str, unit: GroundUnit, side: str) -> dict[str, Any]:
    by = carrier(state, key) if unit.aboard else ""
    return {
        "name": unit_name(state, key),
        "side": unit.side,
        "nation": unit.nation,
        "kind": unit.kind.value,
        "factors": unit.factors,
        "defence": unit.defence,
        "at": list(unit.at),
        "where": hex_name(state, unit.at),
        "supply": unit.supply.value,
        "travelled": unit.flown,
        "aboard": known_as(state, by, side) if by and _is_known_aboard(state, by, side) else "",
    }


@rule("22.15A")
def _is_known_aboard(state: TurnState, by: str, side: str) -> bool:
    """22.15A: what a force carries is announced with its activity; before that only its owner knows who embarks."""
    force = state.fleet.get(by)
    return force is not None and (side in (force.side, UMPIRE) or bool(force.voyage))


@rule("18.42A")
def _down(down: Down) -> dict[str, Any]:
    """18.42: inverted units lie open on the map, and everybody knows since when and until when."""
    which, number, cause, why, until = down
    return {"home": which.home, "air": flights({which: number}), "rule": cause, "why": why, "until": until.value}


def _flight(state: TurnState, flight: Flight) -> dict[str, Any]:
    return {
        "side": flight.side,
        "kind": flight.kind.value,
        "at": list(flight.at),
        "where": hex_name(state, flight.at),
        "air": flights(flight.air, flight.aborted),
    }


def _attack(state: TurnState, attack: GroundAttack) -> dict[str, Any]:
    return {
        "hexes": [list(at) for at in attack.hexes],
        "where": [hex_name(state, at) for at in attack.hexes],
        "units": list(attack.units),
        "names": [unit_name(state, key) for key in attack.units if key in state.units],
        "kind": attack.kind,
        "guns": attack.guns,
        "cves": attack.cves,
    }


def _airlift(state: TurnState, mission: AirTransportMission) -> dict[str, Any]:
    return {
        "kind": mission.kind,
        "side": mission.side,
        "path": [list(at) for at in mission.path],
        "transports": flights(mission.transports),
        "units": list(mission.units),
        "names": [unit_name(state, key) for key in mission.units if key in state.units],
        "to": mission.to,
        "intercepted": list(mission.intercepted) if mission.intercepted else None,
        "interceptors": flights(mission.interceptors, mission.aborted),
        "guards": flights(mission.guards),
        "round": mission.round,
    }


# --- as text ----------------------------------------------------------------------------------------------------


def draw_turn(seen: Mapping[str, Any]) -> list[str]:
    """Whose player turn it is, and what is on the map beside bases and ships, as lines of text."""
    turn = seen["player_turn"]
    lines = [
        f"Player turn {turn['number']} of {turn['of']}: {seen['sides'][turn['side']]}, {turn['season']}",
        "BRPs: " + (", ".join(f"{nation(key).name} {left}" for key, left in seen["brps"].items()) or "none"),
    ]
    for side, name in seen["sides"].items():
        mine = [_draw_unit(unit) for unit in seen["units"].values() if unit["side"] == side]
        lines += [f"{name} on the ground: {'; '.join(mine)}"] * bool(mine)
    lines += [
        f"Over {flight['where']}: {_air(flight['air'])}, {flight['kind'].replace('-', ' ')}"
        for flight in seen["flights"]
    ]
    lines += [f"Out when its base fell: {_air(entry['air'])}" for entry in seen["absent"]]
    if seen["kamikaze_pool"]["limit"]:
        pool = seen["kamikaze_pool"]
        lines.append(f"Kamikazes: {pool['ready']} ready, {pool['unbuilt']} to build, force pool {pool['limit']}")
    return lines


def _draw_unit(unit: Mapping[str, Any]) -> str:
    supply = "" if unit["supply"] == "full" else f", supply {unit['supply']}"
    return f"{unit['name']} ({unit['factors']}-factor {unit['kind']}, {unit['where']}{supply})"


def _air(air: list[dict[str, Any]]) -> str:
    return "; ".join(str(one["text"]) for one in air) or "no air units"
