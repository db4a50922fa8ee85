"""What a side may know of the state (views), and how it is drawn as text. Nothing else leaves the state."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from flagplot.awaw.air_units import Force, name_of, value
from flagplot.awaw.state import Mission, Site, State
from flagplot.kernel.plain import copy_of
from flagplot.kernel.ruleset import UMPIRE


def look(state: State, side: str) -> dict[str, Any]:
    """All that a side may know: every base and force on the map; under a TF marker only its own carriers' air."""
    setting = state.setting
    phases = setting.phases
    return {
        "title": setting.title,
        "side": side,
        "sides": {setting.attacker: setting.names[0], setting.defender: setting.names[1]},
        "attacker": setting.attacker,
        "phase": phases[min(state.phase, len(phases) - 1)],
        "over": not state.frames,
        "sites": {key: _site(state, key, side) for key in state.sites},
        "mission": _mission(state.mission) if state.mission else None,
        "announced": [_mission(sortie) for sortie in state.sorties],
        "lost": dict(sorted(state.lost.items())),
    }


def _site(state: State, key: str, side: str) -> dict[str, Any]:
    site, place = state.sites[key], state.setting.places[key]
    seen: dict[str, Any] = {
        "name": place.name,
        "side": place.side,
        "at": list(place.at),
        "kind": "carriers" if place.afloat else "box" if place.box else "base",
        "air": _force(site.air, site.aborted),
        "counteraired": site.counteraired,
    }
    if place.marker:
        seen["marker"] = place.marker
    if side in (place.side, UMPIRE):
        seen["hidden"] = _force(site.hidden, {})
        seen["patrol"] = site.patrol
        seen["patrol_limit"] = site.third
    return seen


def _force(force: Force, aborted: Force) -> list[dict[str, Any]]:
    return [
        {
            "home": which.home,
            "nation": which.nation,
            "arm": which.arm.value,
            "role": which.role.value,
            "inverted": which.inverted,
            "count": number,
            "aborted": aborted.get(which, 0),
            "text": f"{number} {name_of(which, number)}",
        }
        for which, number in force.items()
    ]


def _mission(mission: Mission) -> dict[str, Any]:
    return {
        "target": mission.target,
        "side": mission.side,
        "combat": mission.combat.value,
        "round": mission.round,
        "attackers": _force(mission.attackers, mission.aborted),
    }


def draw(seen: Mapping[str, Any]) -> str:
    """A look as plain text: the bases of each side with their air, and the mission under way."""
    lines = [f"{seen['title']}: {seen['phase']}" + (" (over)" if seen["over"] else "")]
    for side, name in seen["sides"].items():
        lines.append(f"{name}" + (" (attacking)" if side == seen["attacker"] else ""))
        lines += [line for site in seen["sites"].values() if site["side"] == side for line in _draw_site(site)]
    if mission := seen["mission"]:
        where = seen["sites"][mission["target"]]["name"]
        when = f"Over {where}, round {mission['round']}" if mission["round"] else f"Against {where}"
        lines.append(f"{when}: {_draw_air(mission['attackers'])}")
    lines += [
        f"Announced against {seen['sites'][sortie['target']]['name']}: {_draw_air(sortie['attackers'])}"
        for sortie in seen["announced"]
    ]
    return "\n".join(lines)


def _draw_site(site: Mapping[str, Any]) -> list[str]:
    marks = [f"TF marker {site['marker']}"] if "marker" in site else []
    marks += ["counteraired"] if site["counteraired"] else []
    lines = [f"  {site['name']}" + (f" [{', '.join(marks)}]" if marks else "")]
    lines += [f"    {_draw_flight(flight)}" for flight in site["air"]] or ["    no air units"]
    lines += [f"    {_draw_flight(flight)}, under the marker" for flight in site.get("hidden", ())]
    if site.get("patrol"):
        lines.append(f"    {site['patrol']} of them on combat air patrol")
    return lines


def _draw_flight(flight: Mapping[str, Any]) -> str:
    marks = ["inverted"] if flight["inverted"] else []
    marks += [f"{flight['aborted']} aborted"] if flight["aborted"] else []
    return f"{flight['text']}" + (f" ({', '.join(marks)})" if marks else "")


def _draw_air(flights: list[dict[str, Any]]) -> str:
    return "; ".join(map(_draw_flight, flights)) or "no air units"


def result(state: State) -> dict[str, Any]:
    """How it ended: what each side lost. The rules name no winner of a counterair; BRPs lost compare the two."""
    setting = state.setting
    left = dict.fromkeys(setting.worth, 0)
    for key, site in state.sites.items():
        left[setting.places[key].side] += value(site.air) + value(site.hidden)
    lost = {side: worth - left[side] for side, worth in setting.worth.items()}
    ours, theirs = lost[setting.attacker], lost[setting.defender]
    winner = None if ours == theirs else setting.attacker if ours < theirs else setting.defender
    return {
        "summary": f"{setting.names[0]} lost air worth {ours} BRPs, {setting.names[1]} {theirs} BRPs",
        "winner": winner,
        "losses": dict(sorted(state.lost.items())),
        "brps_lost": lost,
    }


def reshuffle(state: State, side: str, chance: Random) -> State:
    """The same state with other carrier air under the enemy's markers and another patrol over the enemy's carriers."""
    other = copy_of(state)
    for key, site in other.sites.items():
        place = other.setting.places[key]
        if place.side == side:
            continue
        if place.marker and not site.counteraired and site.hidden:
            site.hidden = {next(iter(site.hidden)): chance.randint(1, 9)}
        if place.afloat and other.setting.kind == "naval-battle":
            site.patrol = _another_patrol(site, chance)
    return other


def _another_patrol(site: Site, chance: Random) -> int:
    """Any patrol that fits what the enemy has seen: squadrons that are aboard and have not flown in this round."""
    aboard = sum(site.air.values())
    return chance.randint(0, min(max(0, aboard - site.flown), site.third))
