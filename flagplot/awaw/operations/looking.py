"""What a side may know of an operation: markers on the map; what they hide only their owner and who has seen it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from flagplot.awaw.operations.harbours import harbour, in_port
from flagplot.awaw.operations.outcome import seen_fight
from flagplot.awaw.operations.sortie import look_at_sortie
from flagplot.awaw.operations.state import BaseStrike, Flotilla, OperationState, Voyage
from flagplot.awaw.operations.steps import draw_step, present_step
from flagplot.awaw.operations.words import ACTIVITIES, hex_name
from flagplot.awaw.seen import flights, ships_seen
from flagplot.awaw.ships import factors
from flagplot.awaw.state import Dive
from flagplot.kernel.rules import rule
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE


def look_at_operation(state: OperationState, side: str) -> dict[str, Any]:
    """All that a side may know of the map: where markers are, what is announced, and of forces what it has seen."""
    plan = state.plan
    return {
        "map": plan.board.name,
        "stage": state.now if state.frames else "",
        "stages": list(plan.stages),
        "step": present_step(state),
        **_behind_the_curtain(state, side),
        "fighting": _fighting(state),
        "record": [event._asdict() for event in state.record],
        "fights": [seen_fight(state, fight) for fight in state.fights if fight.struck],
        "done": dict(state.done),
        "points": {one: _points(state, one) for one in state.sides},
        "sunk": ships_seen(state.sunk),
        "sunk_elsewhere": ships_seen(state.sunk_elsewhere),
        "destroyers_elsewhere": dict(state.destroyers_elsewhere),
        "attacked": sorted(state.attacked) if state.attacked_in == state.stage else [],
        "counterair_first": state.counterair_first,
        "base_strike": _base_strike(state, state.base_strike) if state.base_strike else None,
        "kamikazes": state.kamikazes,
        "port_dives": [_port_dive(state, dive) for dive in state.port_dives],
        "sortie": look_at_sortie(state),
    }


def _points(state: OperationState, side: str) -> int:
    """What a side has so far: its activities, and the enemy's factors that are sunk."""
    nations = state.setting.nations[state.other(side)]
    sunk = {which: number for which, number in state.sunk.items() if which.nation in nations}
    return state.done.get(side, 0) + factors(sunk)


def _fighting(state: OperationState) -> dict[str, Any] | None:
    """What is being fought, where on the map, and by whom, as everybody sees."""
    if not state.open_fights:
        return None
    fight = state.open_fights[-1]
    return {"kind": fight.kind, "at": list(fight.at), "where": hex_name(state, fight.at), "sides": dict(fight.sides)}


@rule("23.411", "23.424#2")
def _base_strike(state: OperationState, raid: BaseStrike) -> dict[str, Any]:
    """23.411: all of an attack on a base is announced as it goes; the ships in port once somebody got through."""
    seen: dict[str, Any] = {
        "side": raid.mission.side,
        "base": raid.mission.target,
        "sortie": raid.sortie,
        "counterair": flights(raid.mission.attackers),
        "attackers": flights(raid.strike.attackers),
        "aims": [{"target": aim.target, "squadrons": flights(aim.squadrons)} for aim in raid.strike.aims],
    }
    return seen | _in_sight(state, raid.mission.target)


def _in_sight(state: OperationState, base: str) -> dict[str, Any]:
    """The ships in a port under attack, if all of them are known."""
    forces = in_port(state, base).values()
    known = all([force.seen or not force.group.task_force for force in forces])
    return {"ships": ships_seen(harbour(state, base).ships)} if known else {}


@rule("17.461")
def _port_dive(state: OperationState, dive: Dive) -> dict[str, Any]:
    """17.461: kamikazes stand where both sides see them."""
    return {
        "side": dive.side,
        "base": dive.target,
        "kamikazes": dive.number,
        "diverted": dive.diverted,
        "defenders": flights(dive.defenders),
        "aims": dict(sorted(dive.aims.items())),
    } | _in_sight(state, dive.target)


def _markers(state: OperationState, side: str) -> dict[str, Any]:
    return {
        "forces": {known_as(state, key, side): _force(state, key, side) for key in state.fleet},
        "flotillas": {key: _flotilla(state, flotilla) for key, flotilla in state.flotillas.items()},
        "voyages": {key: _voyage(state, voyage, side) for key, voyage in state.voyages.items()},
    }


def known_as(state: OperationState, key: str, side: str) -> str:
    """20.164: what a side calls a force: its owner by its name in the scenario, which may tell what it is, all others
    by its marker."""
    force = state.fleet.get(key)
    return key if force is None or side in (force.side, UMPIRE) else force.marker


def lower_curtain(state: OperationState, side: str) -> None:
    """A side begins to decide in secret about its forces on the map: its enemy goes on seeing what he sees now."""
    enemy = state.other(side)
    state.curtain = json.dumps({"side": enemy, **_markers(state, enemy)}, sort_keys=True)


def raise_curtain(state: OperationState) -> None:
    """It is decided, and told."""
    state.curtain = ""


def _behind_the_curtain(state: OperationState, side: str) -> dict[str, Any]:
    if state.curtain:
        before: dict[str, Any] = json.loads(state.curtain)
        watching = before.pop("side")
        if watching == side:
            return before
        if side == NEUTRAL:
            return _half_hidden(before, _markers(state, NEUTRAL), watching)
    return _markers(state, side)


def _half_hidden(before: dict[str, Any], now: dict[str, Any], watching: str) -> dict[str, Any]:
    """What a neutral sees while one side decides in secret: of that side what its enemy, who is `watching`, saw before;
    of the enemy what lies open now."""
    return {
        kind: {key: entry for key, entry in before[kind].items() if entry["side"] != watching}
        | {key: entry for key, entry in now[kind].items() if entry["side"] == watching}
        for kind in now
    }


def _force(state: OperationState, key: str, side: str) -> dict[str, Any]:
    """20.164: a TF marker hides what it stands for; naval units without one lie open. What is in a battle is on the
    chart."""
    force = state.fleet[key]
    group = state.groups.get(key, force.group)
    seen: dict[str, Any] = {
        "marker": force.marker,
        "side": force.side,
        "task_force": force.group.task_force,
        "base": force.base,
        "at": list(force.at),
        "where": hex_name(state, force.at),
        "voyage": force.voyage,
        "patrol": force.patrol,
        "inverted": force.inverted,
    }
    own = side in (force.side, UMPIRE)
    if own or (key not in state.groups and (force.seen or not force.group.task_force)):
        seen["ships"] = ships_seen(group.ships)
    if own:
        seen |= {"name": group.name, "factors": factors(group.ships), "air": flights(group.air), "cargo": group.cargo}
        seen["grounded"] = flights(force.grounded)
        seen["orders"] = _orders(state, key)
    if force.sunk_in_port:
        seen["sunk_in_port"] = ships_seen(force.sunk_in_port)
    return seen


def _orders(state: OperationState, key: str) -> list[dict[str, Any]]:
    """What a force may be told to do, and what that counts: its owner knows it."""
    return [
        {
            "number": number,
            "activity": order.activity.value,
            "stage": order.stage,
            "to": list(order.to),
            "base": order.base,
            "worth": order.worth,
        }
        for number, order in enumerate(state.plan.orders.get(key, ()))
    ]


def _flotilla(state: OperationState, flotilla: Flotilla) -> dict[str, Any]:
    return {
        "side": flotilla.side,
        "nation": flotilla.nation,
        "base": flotilla.base,
        "at": list(flotilla.at),
        "where": hex_name(state, flotilla.at),
        "factors": flotilla.factors,
        "away": flotilla.away,
        "tried": flotilla.tried,
        "inverted": flotilla.inverted,
        "patrol": flotilla.patrol,
        "lost": flotilla.lost,
    }


@rule("22.12", "SOP-NI-B")
def _voyage(state: OperationState, voyage: Voyage, side: str) -> dict[str, Any]:
    """22.12: the enemy knows the path of a force from the moment that he asked for it, that of an interception at
    once."""
    seen: dict[str, Any] = {
        "side": voyage.side,
        "activity": voyage.activity.value,
        "what": ACTIVITIES[voyage.activity],
        "forces": [known_as(state, key, side) for key in voyage.forces],
        "base": voyage.base,
        "at": list(voyage.at),
        "where": hex_name(state, voyage.at),
        "names": voyage.names,
        "progress": voyage.progress.value,
        "cargo": voyage.cargo,
        "joins": voyage.joins,
        "level": voyage.level,
        "target": voyage.target,
        "flotilla": voyage.flotilla,
        "arrives": voyage.arrives,
    }
    if voyage.level:
        seen |= {"meet": list(voyage.meet), "meets": hex_name(state, voyage.meet), "reached": voyage.reached}
    known = voyage.shown or voyage.level or side in (voyage.side, UMPIRE)
    if known or not voyage.joins:  # where others are to meet it is told with the path
        seen |= {"destination": list(voyage.path[-1]), "bound": hex_name(state, voyage.path[-1])}
    if known:
        seen["path"] = [list(at) for at in voyage.path]
    return seen


def draw_operation(seen: Mapping[str, Any]) -> list[str]:
    """The map's forces as lines of text."""
    lines = draw_step(seen["step"])
    for side, name in seen["sides"].items():
        lines.append(name)
        lines += [_draw_force(force, seen) for force in seen["forces"].values() if force["side"] == side]
        lines += [_draw_flotilla(flotilla) for flotilla in seen["flotillas"].values() if flotilla["side"] == side]
    if seen["kamikazes"]:
        lines.append(f"Kamikazes that have not flown: {seen['kamikazes']}")
    return lines


def _draw_force(force: Mapping[str, Any], seen: Mapping[str, Any]) -> str:
    voyage = seen["voyages"].get(force["voyage"])
    doing = f" on {voyage['what']}" if voyage else f" on {force['patrol']} patrol" if force["patrol"] else ""
    marks = " (inverted)" if force["inverted"] else ""
    ships = f": {', '.join(ship['text'] for ship in force['ships'])}" if "ships" in force else ""
    return f"  {force['marker']} in {force['where']}{doing}{marks}{ships}"


def _draw_flotilla(flotilla: Mapping[str, Any]) -> str:
    doing = f" on {flotilla['patrol']} patrol" if flotilla["patrol"] else ""
    return f"  submarines in {flotilla['where']}{doing}: {flotilla['factors']}"
