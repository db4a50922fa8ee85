"""What a side may know of the state (views), and how it is drawn as text. Nothing else leaves the state."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from flagplot.awaw.air_units import value
from flagplot.awaw.battle.aftermath import ended_by, ended_words, winner, winner_words
from flagplot.awaw.battle.chart import draw_battle, look_at_battle
from flagplot.awaw.battle.shuffling import reshuffle_battle
from flagplot.awaw.battle.stages import of_battle
from flagplot.awaw.counting import merged
from flagplot.awaw.operations.looking import draw_operation, look_at_operation
from flagplot.awaw.operations.outcome import operation_result
from flagplot.awaw.operations.shuffling import reshuffle_operation
from flagplot.awaw.operations.state import OperationState
from flagplot.awaw.seen import flights
from flagplot.awaw.ships import Fleet, described_ships, factors, undamaged_factors
from flagplot.awaw.state import Mission, State
from flagplot.awaw.turn.looking import draw_turn, look_at_turn
from flagplot.awaw.turn.outcome import turn_result
from flagplot.awaw.turn.state import TurnState
from flagplot.kernel.plain import copy_of
from flagplot.kernel.ruleset import UMPIRE

SENDING = "search_squadrons"


def look(state: State, side: str) -> dict[str, Any]:
    """All that a side may know: every base and force on the map; under a TF marker only its own carriers' air; of a
    naval battle what the Naval Combat Chart shows it."""
    setting = state.setting
    phases = setting.phases
    seen = {
        "title": setting.title,
        "side": side,
        "sides": {setting.attacker: setting.names[0], setting.defender: setting.names[1]},
        "attacker": setting.attacker,
        "phase": phases[min(state.phase, len(phases) - 1)],
        "over": not state.frames,
        "kind": setting.kind,
        "sites": {key: _site(state, key, side) for key in _on_the_map(state)},
        "mission": _mission(state.mission) if state.mission else None,
        "announced": [_mission(sortie) for sortie in state.sorties],
        "lost": dict(sorted(state.lost.items())),
    }
    if isinstance(state, OperationState):
        seen |= look_at_operation(state, side)
    if isinstance(state, TurnState):
        seen |= look_at_turn(state, side)
    return seen | look_at_battle(state, side) if setting.kind == "naval-battle" else seen


def _on_the_map(state: State) -> list[str]:
    """The bases, and in an air phase the carriers at sea; in a naval battle ships are on the chart."""
    air_phase = state.setting.kind == "air-phase"
    return [key for key, place in state.setting.places.items() if air_phase or not place.afloat]


def _site(state: State, key: str, side: str) -> dict[str, Any]:
    site, place = state.sites[key], state.setting.places[key]
    unseen = site.searching if _is_sending(state) and side not in (place.side, UMPIRE) else {}
    seen: dict[str, Any] = {
        "name": place.name,
        "side": place.side,
        "at": list(place.at),
        "kind": "carriers" if place.afloat else "box" if place.box else "base",
        "air": flights(merged(site.air, unseen), site.aborted),
        "searching": flights({} if unseen else site.searching),
        "struck": flights(site.struck),
        "counteraired": site.counteraired,
    }
    if place.marker:
        seen["marker"] = place.marker
    if side in (place.side, UMPIRE):
        seen["hidden"] = flights(site.hidden)
    return seen


def _is_sending(state: State) -> bool:
    """22.4422: whether squadrons are being sent out to search: nobody sees the enemy's before both have chosen."""
    frames = of_battle(state.frames)
    return bool(frames) and frames[0].segment == SENDING


def _mission(mission: Mission) -> dict[str, Any]:
    return {
        "target": mission.target,
        "side": mission.side,
        "combat": mission.combat.value,
        "round": mission.round,
        "attackers": flights(mission.attackers, mission.aborted),
    }


def draw(seen: Mapping[str, Any]) -> str:
    """A look as plain text: the bases of each side with their air, and the mission under way."""
    lines = [f"{seen['title']}: {seen.get('stage', seen['phase'])}" + (" (over)" if seen["over"] else "")]
    if "player_turn" in seen:
        lines += draw_turn(seen)
    if "forces" in seen:
        lines += draw_operation(seen)
    if seen["kind"] == "naval-battle":
        lines += draw_battle(seen)
        lines.append("Bases")
        lines += [line for site in seen["sites"].values() for line in _draw_site(site)]
        return "\n".join(lines + _draw_missions(seen))
    for side, name in seen["sides"].items():
        lines.append(f"{name}" + (" (attacking)" if side == seen["attacker"] else ""))
        lines += [line for site in seen["sites"].values() if site["side"] == side for line in _draw_site(site)]
    return "\n".join(lines + _draw_missions(seen))


def _draw_missions(seen: Mapping[str, Any]) -> list[str]:
    lines = []
    if mission := seen["mission"]:
        where = seen["sites"][mission["target"]]["name"]
        when = f"Over {where}, round {mission['round']}" if mission["round"] else f"Against {where}"
        lines.append(f"{when}: {_draw_air(mission['attackers'])}")
    lines += [
        f"Announced against {seen['sites'][sortie['target']]['name']}: {_draw_air(sortie['attackers'])}"
        for sortie in seen["announced"]
    ]
    return lines


def _draw_site(site: Mapping[str, Any]) -> list[str]:
    marks = [f"TF marker {site['marker']}"] if "marker" in site else []
    marks += ["counteraired"] if site["counteraired"] else []
    lines = [f"  {site['name']}" + (f" [{', '.join(marks)}]" if marks else "")]
    lines += [f"    {_draw_flight(flight)}" for flight in site["air"]] or ["    no air units"]
    lines += [f"    {_draw_flight(flight)}, under the marker" for flight in site.get("hidden", ())]
    lines += [f"    {_draw_flight(flight)}, searching" for flight in site["searching"]]
    lines += [f"    {_draw_flight(flight)}, back from a strike" for flight in site["struck"]]
    return lines


def _draw_flight(flight: Mapping[str, Any]) -> str:
    marks = ["inverted"] if flight["inverted"] else []
    marks += [f"{flight['aborted']} aborted"] if flight["aborted"] else []
    return f"{flight['text']}" + (f" ({', '.join(marks)})" if marks else "")


def _draw_air(flights: list[dict[str, Any]]) -> str:
    return "; ".join(map(_draw_flight, flights)) or "no air units"


def result(state: State) -> dict[str, Any]:
    """How it ended: what each side lost. The rules name no winner of a counterair; BRPs lost compare the two. Who has
    won a naval battle follows from how it ended (22.72)."""
    setting = state.setting
    if isinstance(state, TurnState):
        return turn_result(state)
    left = dict.fromkeys(setting.worth, 0)
    for key, site in state.sites.items():
        left[setting.places[key].side] += sum(
            [value(force) for force in (site.air, site.hidden, site.grounded, site.ashore)]
        )
    for group in (*state.groups.values(), *state.departed.values()):
        left[group.side] += value(group.air)
    for force in state.fleet.values() if isinstance(state, OperationState) else ():
        left[force.side] += value(force.group.air) + value(force.grounded)
    for side in left:
        left[side] += state.kamikazes if "japan" in setting.nations[side] else 0
    lost = {side: worth - left[side] for side, worth in setting.worth.items()}
    ended = {"losses": dict(sorted(state.lost.items())), "brps_lost": lost}
    if isinstance(state, OperationState):
        return operation_result(state) | ended
    if setting.kind == "naval-battle":
        return _battle_result(state) | ended
    ours, theirs = lost[setting.attacker], lost[setting.defender]
    winner = None if ours == theirs else setting.attacker if ours < theirs else setting.defender
    return {
        "summary": f"{setting.names[0]} lost air worth {ours} BRPs, {setting.names[1]} {theirs} BRPs",
        "winner": winner,
        **ended,
    }


def _battle_result(state: State) -> dict[str, Any]:
    """22.72: who has won and why, what was sunk and damaged, what cargo was lost, and what follows from it (22.8)."""
    sides = state.sides
    sunk = {side: _of_side(state, side, state.sunk) for side in sides}
    lines = [_lost_by(state, side, sunk[side]) for side in sides]
    return {
        "summary": f"{_capital(winner_words(state))}: {ended_words(state)}; {'; '.join(lines)}",
        "winner": winner(state),
        "ended": ended_words(state),
        "rule": ended_by(state),
        "rounds": state.round,
        "factors_sunk": {side: factors(sunk[side]) for side in sides},
        "factors_damaged": {side: _damaged_factors(state, side) for side in sides},
        "ships": {side: described_ships(sunk[side].items()) for side in sides},
        "cargo_lost": {side: dict(state.cargo_lost.get(side, {})) for side in sides},
        "consequences": [
            {"side": side, "rule": number, "text": public or text} for side, number, text, public in state.consequences
        ],
    }


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _of_side(state: State, side: str, fleet: Fleet) -> Fleet:
    return {which: number for which, number in fleet.items() if which.nation in state.setting.nations[side]}


def _lost_by(state: State, side: str, sunk: Fleet) -> str:
    pools = [key for key in state.lost if key.split("/")[0] in state.setting.nations[side]]
    air = sum([state.lost[key] for key in pools])
    return f"{state.name(side)} lost {described_ships(sunk.items())} and {air} air squadrons"


def _damaged_factors(state: State, side: str) -> int:
    """The factors of a side that are afloat and damaged."""
    groups = [group for group in (*state.groups.values(), *state.departed.values()) if group.side == side]
    return sum([factors(group.ships) - undamaged_factors(group.ships) for group in groups])


def reshuffle(state: State, side: str, chance: Random) -> State:
    """The same state with other secrets: other carrier air under the enemy's markers, other combat groups."""
    other = copy_of(state)
    for key, site in other.sites.items():
        place = other.setting.places[key]
        if place.side != side and place.marker and not site.counteraired and site.hidden:
            site.hidden = {next(iter(site.hidden)): chance.randint(1, 9)}
    if isinstance(other, OperationState):
        reshuffle_operation(other, side, chance)
    elif other.setting.kind == "naval-battle":
        reshuffle_battle(other, side, chance)
    return other
