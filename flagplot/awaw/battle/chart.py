"""The Naval Combat Chart: what each side may know of the combat groups, in data and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.awaw.battle.groups import is_active, is_slow_group
from flagplot.awaw.battle.stages import draw_stage, present_stage
from flagplot.awaw.seen import flights, ships_seen
from flagplot.awaw.ships import factors, undamaged_factors
from flagplot.awaw.state import Dive, Engagement, Facts, Group, State, Strike, Submarines
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.rules import rule
from flagplot.kernel.ruleset import UMPIRE

# --- in data ----------------------------------------------------------------------------------------------------


def look_at_battle(state: State, side: str) -> dict[str, Any]:
    """22.423B: numbers are public; contents, patrol and cover are their owner's until search and strikes show them."""
    return {
        "round": state.round,
        "segment": present_stage(state.frames),
        "groups": [_group(state, group, side) for one in state.sides for group in state.numbered(one)],
        "pending": {one: _pending(state, one, side) for one in state.sides},
        "strength": {one: _strength(state, one) for one in state.sides if side in (one, UMPIRE)},
        "carrier_air": {one: _carrier_air(state, one) for one in state.sides if side in (one, UMPIRE)},
        "strike": _strike(state, state.strike) if state.strike else None,
        "kamikazes": state.kamikazes,
        "shielded": ships_seen(state.shielded),
        "dives": [_dive(state, dive) for dive in state.dives],
        "engagements": [_agreed(state, agreed) for agreed in state.engagements],
        "engagement": _fought(state, state.engagement) if state.engagement else None,
        "submarines": [_flotilla(flotilla) for flotilla in state.submarines],
        "destroyers_elsewhere": dict(state.destroyers_elsewhere),
        "departed": [_departed(state, group, side) for one in state.sides for group in state.withdrawn(one).values()],
        "outcome": _outcome(state, side) if state.outcome else None,
        "sunk": ships_seen(state.sunk),
        "sunk_elsewhere": ships_seen(state.sunk_elsewhere),
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
        "evaded": group.evaded,
    }
    own = side in (group.side, UMPIRE)
    if own or group.revealed:
        seen["ships"] = ships_seen(group.ships)
    if own or group.uncovered:
        seen["cover"] = flights(group.cover)
    return seen | (_own(group) if own else {})


def _status(group: Group, combat_round: int) -> str:
    """Of a destroyed group a patrol and air cover may be left until they land."""
    if not group.is_left:
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
        "shed": ships_seen(group.shed),
    }


def _pending(state: State, one: str, side: str) -> list[dict[str, Any]] | int:
    """Forces that have not joined: the enemy knows only how many there are."""
    forces = state.forces(one).values()
    waiting = [group for group in forces if not group.number]
    if side not in (one, UMPIRE):
        return len(waiting) if any([group.formed for group in forces]) else 0
    return [{**_own(group), "ships": ships_seen(group.ships), "arrives": group.arrives} for group in waiting]


def _departed(state: State, group: Group, side: str) -> dict[str, Any]:
    """22.61: what withdrew: the enemy knows its number, and the ships if he has seen them."""
    seen: dict[str, Any] = {"side": group.side, "number": group.number, "round": group.left, "revealed": group.revealed}
    own = side in (group.side, UMPIRE)
    if own or group.revealed:
        seen["ships"] = ships_seen(group.ships)
    return seen | ({"name": group.name, "cargo": group.cargo, "air": flights(group.air)} if own else {})


def _outcome(state: State, side: str) -> dict[str, Any]:
    """22.72: how the battle ended, and what follows from it, as the side may read it."""
    assert state.outcome
    return {
        "rule": state.outcome.rule,
        "losers": list(state.outcome.losers),
        "consequences": [
            {"side": one, "rule": number, "text": public if public and side not in (one, UMPIRE) else text}
            for one, number, text, public in state.consequences
        ],
    }


def _strength(state: State, side: str) -> dict[str, int]:
    """The factors of a side that are undamaged and in the battle, or may still join it, and all that it brought."""
    groups = [group for group in state.groups.values() if group.side == side]
    left = sum([undamaged_factors(group.ships) for group in groups])
    gone = state.withdrawn(side).values()
    brought = sum([factors(group.ships) + factors(group.shed) for group in (*groups, *gone)])
    lost = {which: number for which, number in state.sunk.items() if which.nation in state.setting.nations[side]}
    return {"left": left, "began": brought + factors(state.at_sea(side).gone) + factors(lost)}


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


def _agreed(state: State, agreed: Engagement) -> dict[str, Any]:
    """22.521: who meets whom is open, by the numbers of the groups."""
    moving, intercepting = state.groups[agreed.moving], state.groups[agreed.intercepting]
    return {"moving": moving.number, "intercepting": intercepting.number, "seeker": agreed.seeker}


def _fought(state: State, fight: Engagement) -> dict[str, Any]:
    """22.531: who is screened is a secret until both sides show their ships; then all is open."""
    seen = {**_agreed(state, fight), "revealed": fight.revealed}
    if not fight.revealed:
        return seen
    return seen | {
        "screened": {side: ships_seen(ships) for side, ships in fight.screened.items()},
        "volleys": [
            {"side": volley.side, "target": volley.target, "ships": ships_seen(volley.ships)}
            for volley in fight.volleys
        ],
        "held": {side: dict(held) for side, held in fight.held.items()},
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


def _flotilla(flotilla: Submarines) -> dict[str, Any]:
    """Submarines are public: they have shown themselves by intercepting, or came with a force that did."""
    return {
        "side": flotilla.side,
        "nation": flotilla.nation,
        "factors": flotilla.factors,
        "spent": flotilla.spent,
        "lost": flotilla.lost,
        "advanced": flotilla.advanced,
        "accompany": flotilla.accompany,
        "arrives": flotilla.arrives,
    }


@rule("17.461")
def _dive(state: State, dive: Dive) -> dict[str, Any]:
    """17.461: kamikazes stand where both sides see them, those that have not flown and those that attack."""
    return {
        "side": dive.side,
        "target": state.groups[dive.target].number,
        "kamikazes": dive.number,
        "diverted": dive.diverted,
        "defenders": flights(dive.defenders),
        "aims": dict(sorted(dive.aims.items())),
    }


# --- in words ---------------------------------------------------------------------------------------------------


def draw_battle(seen: Mapping[str, Any]) -> list[str]:
    """The chart as lines of text: the groups of each side by number, then air units and losses."""
    lines = draw_stage(seen)
    for side, name in seen["sides"].items():
        lines.append(f"{name}" + (" (moving)" if side == seen["attacker"] else " (intercepting)"))
        for group in seen["groups"]:
            if group["side"] == side:
                lines += _draw_group(group)
        lines += _draw_pending(seen["pending"][side])
        lines += [_draw_departed(group) for group in seen["departed"] if group["side"] == side]
        if side in seen["carrier_air"]:
            lines += _draw_carrier_air(seen["carrier_air"][side])
        lines += [_draw_flotilla(entry) for entry in seen["submarines"] if entry["side"] == side]
    if strike := seen["strike"]:
        lines.append(f"Strike on CG {strike['target']}: {draw_air(strike['attackers'])}")
    lines += [_draw_dive(dive) for dive in seen["dives"]]
    if seen["kamikazes"]:
        lines.append(f"Kamikazes that have not flown: {seen['kamikazes']}")
    if fight := seen["engagement"]:
        lines += _draw_fight(fight, seen["sides"])
    for agreed in seen["engagements"]:
        lines.append(f"To be fought: CG {agreed['moving']} (moving) against CG {agreed['intercepting']} (intercepting)")
    if seen["sunk"]:
        lines.append(f"Sunk: {_draw_ships(seen['sunk'])}")
    if seen["shielded"]:
        lines.append(f"Behind the battle: {_draw_ships(seen['shielded'])}")
    if seen["sunk_elsewhere"]:
        lines.append(f"Sunk elsewhere: {_draw_ships(seen['sunk_elsewhere'])}")
    return lines


def _draw_departed(group: Mapping[str, Any]) -> str:
    ships = f": {_draw_ships(group['ships'])}" if "ships" in group else ""
    air = f" with {draw_air(group['air'])}" if group.get("air") else ""
    name = f" {group['name']}" if "name" in group else ""
    return f"  CG {group['number']}{name} [withdrawn after round {group['round']}]{ships}{air}"


def _draw_dive(dive: Mapping[str, Any]) -> str:
    diverted = f", {dive['diverted']} diverted" if dive["diverted"] else ""
    return f"Kamikazes against CG {dive['target']}: {dive['kamikazes']}{diverted}"


def _draw_group(group: Mapping[str, Any]) -> list[str]:
    found = group["results"]
    marks = [group["status"]] + ([f"found {found} time{'s' * (found != 1)}"] if found else [])
    marks += [f"{group['attacks']} used"] if group["attacks"] else []
    marks += ["evaded"] if group["evaded"] else []
    title = f"  CG {group['number']}" + (f" {group['name']}" if "name" in group else "")
    lines = [f"{title} [{', '.join(marks)}]"]
    if "ships" in group:
        lines.append(f"    {_draw_ships(group['ships'])}")
    if "name" in group:
        speed = "slow" if group["slow"] else "fast"
        lines.append(
            f"    {group['factors']} factors, {speed}" + (f", carries {group['cargo']}" if group["cargo"] else "")
        )
        lines += [f"    left behind: {_draw_ships(group['shed'])}"] if group["shed"] else []
    elif group["told"]:
        lines.append(f"    {Facts(**group['told'])}")
    elif "ships" not in group:
        lines.append("    hidden")
    for key, words in (("air", "aboard"), ("patrol", "on combat air patrol"), ("cover", "as air cover")):
        if group.get(key):
            lines.append(f"    {draw_air(group[key])} {words}")
    return lines


def _draw_fight(fight: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    lines = [f"Fleet combat: CG {fight['moving']} (moving) against CG {fight['intercepting']} (intercepting)"]
    for side, ships in fight.get("screened", {}).items():
        if ships:
            lines.append(f"  screened, {names[side]}: {_draw_ships(ships)}")
    for volley in fight.get("volleys", ()):
        lines.append(f"  {_draw_ships(volley['ships'])}: fire on {volley['target']}")
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


def _draw_flotilla(entry: Mapping[str, Any]) -> str:
    marks = [f"{entry[key]} {words}" for key, words in (("spent", "attacked"), ("lost", "lost")) if entry[key]]
    country, kind = nation(entry["nation"]).adjective, "advanced submarines" if entry["advanced"] else "submarines"
    return f"  {country} {kind}: {', '.join([str(entry['factors']) + ' ready', *marks])}"


def _draw_ships(ships: list[dict[str, Any]]) -> str:
    return ", ".join([entry["text"] for entry in ships]) or "no ships"


def draw_air(flights: list[dict[str, Any]]) -> str:
    return "; ".join([entry["text"] for entry in flights]) or "no air units"
