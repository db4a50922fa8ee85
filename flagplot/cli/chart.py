"""The Naval Combat Chart for people: the combat groups of a side, as a view may know them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from flagplot.cli.screen import FAINT, STRONG, Line

Data = Mapping[str, Any]

FOUND, UNSEEN = "◆", "◇"


def chart_of(data: Data, side: str, style: str) -> list[Line]:
    """The groups of a side in the order of their numbers, those that wait, and its carrier air."""
    if "groups" not in data:
        return []
    lines = [line for group in data["groups"] if group["side"] == side for line in _group(group, style)]
    lines += _pending(data["pending"][side])
    return lines + _carrier_air(data["carrier_air"].get(side, {}), style)


def _group(group: Data, style: str) -> list[Line]:
    found = group["results"]
    marks = [group["status"]]
    if found:
        marks.append(f"found {found}×, {group['attacks']} used" if group["attacks"] else f"found {found}×")
    sign = FOUND if found else UNSEEN
    name = f" {group['name']}" if "name" in group else ""
    lines = [Line(Text.assemble((f"{sign} CG {group['number']}", style), f"{name} [{', '.join(marks)}]"), hang=2)]
    lines += [_ships(group["ships"])] if "ships" in group else []
    return lines + [_line(text) for text in _about(group)]


def _about(group: Data) -> list[Text]:
    """What else is known of a group: its owner knows all, the enemy what he was told."""
    told = group.get("told")
    if "name" in group:
        words = [f"{group['factors']} factors, {_speed(group['slow'])}"]
        words += [f"carries {group['cargo']}"] if group["cargo"] else []
    elif told:
        size = "fewer than ten factors" if told["small"] else "ten factors or more"
        words = [
            size,
            f"fast carriers {told['carriers']}",
            _speed(told["slow"]),
            "cargo" if told["cargo"] else "no cargo",
        ]
    else:
        words = [] if "ships" in group else ["hidden"]
    lines = [Text(", ".join(words), FAINT)] if words else []
    for key, doing in (("air", "aboard"), ("patrol", "on combat air patrol"), ("cover", "as air cover")):
        lines += [Text(f"{flight['text']} {doing}") for flight in group.get(key, ())]
    return lines


def _speed(slow: bool) -> str:
    return "slow" if slow else "fast"


def _ships(ships: list[Data]) -> Line:
    """Ships in a row; those that are hit stand out."""
    parts = [Text(ship["text"], STRONG if ship["damaged"] else "") for ship in ships]
    return _line(Text(", ").join(parts))


def _pending(pending: list[Data] | int) -> list[Line]:
    if isinstance(pending, int):
        return [_line(Text(f"{pending} more not yet in the battle", FAINT))] if pending else []
    lines = []
    for group in pending:
        when = f"can join in round {group['arrives']}" if group["arrives"] > 1 else "waits"
        lines += [Line(Text(f"{UNSEEN} {group['name']} [{when}]"), hang=2), _ships(group["ships"])]
        lines += [_line(text) for text in _about(group)]
    return lines


CARRIER_AIR = {
    "aboard": "ready on the carriers",
    "aborted": "of them aborted in this round",
    "struck": "back from strikes",
    "grounded": "aboard damaged carriers",
    "returned": "returned to port",
}


def _carrier_air(air: Data, style: str) -> list[Line]:
    """Squadrons that belong to no group just now: in a round the carrier air of a side is one force."""
    lines = [
        _line(Text(f"{flight['text']} {doing}")) for key, doing in CARRIER_AIR.items() for flight in air.get(key, ())
    ]
    lines += [_line(Text(f"{ship['text']} returned to port")) for ship in air.get("returned_ships", ())]
    return [Line(Text("Carrier air", style)), *lines] if lines else []


def _line(text: Text) -> Line:
    return Line(text, 2, 2)


def strike_of(data: Data) -> list[Line]:
    """The strike under way."""
    strike = data.get("strike")
    if not strike:
        return []
    head = f"{'Surprise strike' if strike['surprise'] else 'Strike'} on CG {strike['target']}: "
    engaged = f"; engaged by {_air(strike['defenders'])}" if strike["defenders"] else ""
    return [Line(Text.assemble((head, STRONG), f"{_air(strike['attackers'])}{engaged}"))]


def _air(flights: list[Data]) -> str:
    return "; ".join(flight["text"] for flight in flights) or "no air units"
