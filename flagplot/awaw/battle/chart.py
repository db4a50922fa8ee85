"""The Naval Combat Chart: what each side may know of the combat groups, in data and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.awaw.battle.groups import is_active, is_slow_group
from flagplot.awaw.seen import flights, ships_seen
from flagplot.awaw.ships import factors
from flagplot.awaw.state import Facts, Group, State, Strike
from flagplot.kernel.ruleset import UMPIRE

# --- in data ----------------------------------------------------------------------------------------------------


def look_at_battle(state: State, side: str) -> dict[str, Any]:
    """22.423B: numbers are public; contents, patrol and cover are their owner's until search and strikes show them."""
    return {
        "round": state.round,
        "groups": [_group(state, group, side) for one in state.sides for group in state.numbered(one)],
        "pending": {one: _pending(state, one, side) for one in state.sides},
        "carrier_air": {one: _carrier_air(state, one) for one in state.sides if side in (one, UMPIRE)},
        "strike": _strike(state, state.strike) if state.strike else None,
        "sunk": ships_seen(state.sunk),
    }


def _group(state: State, group: Group, side: str) -> dict[str, Any]:
    seen: dict[str, Any] = {
        "side": group.side,
        "number": group.number,
        "status": _status(group, state.round),
        "results": group.results,
        "attacks": group.attacks,
        "told": group.facts._asdict() if group.facts else None,
        "revealed": group.revealed,
    }
    own = side in (group.side, UMPIRE)
    if own or group.revealed:
        seen["ships"] = ships_seen(group.ships)
    if own or group.uncovered:
        seen["cover"] = flights(group.cover)
    return seen | (_own(group) if own else {})


def _status(group: Group, combat_round: int) -> str:
    """Of a destroyed group a patrol and air cover may be left until they land."""
    if not group.ships:
        return "destroyed"
    return "active" if is_active(group, combat_round) else "distant"


def _own(group: Group) -> dict[str, Any]:
    return {
        "name": group.name,
        "factors": factors(group.ships),
        "slow": is_slow_group(group),
        "cargo": group.cargo,
        "air": flights(group.air),
        "patrol": flights(group.patrol),
        "patrol_limit": group.third,
        "ready_carrier": group.ready,
    }


def _pending(state: State, one: str, side: str) -> list[dict[str, Any]] | int:
    """Forces that have not joined: the enemy knows only how many there are."""
    forces = state.forces(one).values()
    waiting = [group for group in forces if not group.number]
    if side not in (one, UMPIRE):
        return len(waiting) if any([group.formed for group in forces]) else 0
    return [{**_own(group), "ships": ships_seen(group.ships), "arrives": group.arrives} for group in waiting]


def _carrier_air(state: State, side: str) -> dict[str, Any]:
    site = state.at_sea(side)
    return {
        "aboard": flights(site.air),
        "aborted": flights(site.aborted),
        "flown": flights(site.flown),
        "struck": flights(site.struck),
        "grounded": flights(site.grounded),
        "returned": flights(site.ashore),
        "returned_ships": ships_seen(site.gone),
    }


def _strike(state: State, strike: Strike) -> dict[str, Any]:
    """All of a strike is announced as it goes."""
    return {
        "side": strike.side,
        "target": state.groups[strike.target].number,
        "surprise": strike.surprise,
        "level": int(strike.level),
        "attackers": flights(strike.attackers),
        "defenders": flights(strike.defenders),
        "aims": [{"target": aim.target, "squadrons": flights(aim.squadrons)} for aim in strike.aims],
    }


# --- in words ---------------------------------------------------------------------------------------------------


def draw_battle(seen: Mapping[str, Any]) -> list[str]:
    """The chart as lines of text: the groups of each side by number, then air units and losses."""
    lines = []
    for side, name in seen["sides"].items():
        lines.append(f"{name}" + (" (moving)" if side == seen["attacker"] else " (intercepting)"))
        for group in seen["groups"]:
            if group["side"] == side:
                lines += _draw_group(group)
        lines += _draw_pending(seen["pending"][side])
        if side in seen["carrier_air"]:
            lines += _draw_carrier_air(seen["carrier_air"][side])
    if strike := seen["strike"]:
        lines.append(f"Strike on CG {strike['target']}: {draw_air(strike['attackers'])}")
    if seen["sunk"]:
        lines.append(f"Sunk: {_draw_ships(seen['sunk'])}")
    return lines


def _draw_group(group: Mapping[str, Any]) -> list[str]:
    found = group["results"]
    marks = [group["status"]] + ([f"found {found} time{'s' * (found != 1)}"] if found else [])
    marks += [f"{group['attacks']} used"] if group["attacks"] else []
    title = f"  CG {group['number']}" + (f" {group['name']}" if "name" in group else "")
    lines = [f"{title} [{', '.join(marks)}]"]
    if "ships" in group:
        lines.append(f"    {_draw_ships(group['ships'])}")
    if "name" in group:
        speed = "slow" if group["slow"] else "fast"
        lines.append(
            f"    {group['factors']} factors, {speed}" + (f", carries {group['cargo']}" if group["cargo"] else "")
        )
    elif group["told"]:
        lines.append(f"    {Facts(**group['told'])}")
    elif "ships" not in group:
        lines.append("    hidden")
    for key, words in (("air", "aboard"), ("patrol", "on combat air patrol"), ("cover", "as air cover")):
        if group.get(key):
            lines.append(f"    {draw_air(group[key])} {words}")
    return lines


def _draw_pending(pending: list[dict[str, Any]] | int) -> list[str]:
    if isinstance(pending, int):
        return [f"  {pending} more pending"] if pending else []
    lines = []
    for group in pending:
        when = f"can join in round {group['arrives']}" if group["arrives"] > 1 else "waits"
        lines.append(f"  {group['name']} [{when}]: {_draw_ships(group['ships'])}")
        if group["air"]:
            lines.append(f"    {draw_air(group['air'])} aboard")
    return lines


def _draw_carrier_air(air: Mapping[str, Any]) -> list[str]:
    words = {
        "aboard": "ready aboard",
        "aborted": "of them aborted in this round",
        "struck": "back from strikes",
        "grounded": "aboard damaged carriers",
        "returned": "returned to port",
    }
    lines = [f"  carrier air {text}: {draw_air(air[key])}" for key, text in words.items() if air[key]]
    return lines + ([f"  returned to port: {_draw_ships(air['returned_ships'])}"] if air["returned_ships"] else [])


def _draw_ships(ships: list[dict[str, Any]]) -> str:
    return ", ".join([entry["text"] for entry in ships]) or "no ships"


def draw_air(flights: list[dict[str, Any]]) -> str:
    return "; ".join([entry["text"] for entry in flights]) or "no air units"
