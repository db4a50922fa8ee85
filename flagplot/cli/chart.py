"""The Naval Combat Chart for people: the combat groups of a side, as a view may know them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from flagplot.cli.screen import FAINT, STRONG, TIE, Line

Data = Mapping[str, Any]

FOUND, UNSEEN, GONE = "◆", "◇", "←"

UNBROKEN = 30
"""So long may the name of a ship be to stand on one line, on the narrowest screen."""


def chart_of(data: Data, side: str, style: str) -> list[Line]:
    """The groups of a side in the order of their numbers, those that wait, and its carrier air."""
    if "groups" not in data:
        return []
    lines = _all_of(data, side, style)
    return lines or [_line(Text("nothing seen yet", FAINT))]


def _all_of(data: Data, side: str, style: str) -> list[Line]:
    lines = _strength(data.get("strength", {}).get(side))
    lines += [line for group in data["groups"] if group["side"] == side for line in _group(group, style)]
    lines += _pending(data["pending"][side])
    lines += [line for group in data.get("departed", ()) if group["side"] == side for line in _departed(group)]
    lines += _carrier_air(data["carrier_air"].get(side, {}), style)
    return lines + _submarines([some for some in data.get("submarines", ()) if some["side"] == side], style)


def _strength(strength: Data | None) -> list[Line]:
    if not strength:
        return []
    return [Line(Text(f"{strength['left']} of {strength['began']} factors undamaged and here", FAINT))]


def _group(group: Data, style: str) -> list[Line]:
    found = group["results"]
    marks = [group["status"]]
    if found:
        marks.append(f"found {found}×, {group['attacks']} used" if group["attacks"] else f"found {found}×")
    marks += ["evaded"] if group.get("evaded") else []
    sign = FOUND if found else UNSEEN
    name = f" {group['name']}" if "name" in group else ""
    told = ", ".join(mark.replace(" ", TIE) for mark in marks)
    lines = [Line(Text.assemble((f"{sign} CG {group['number']}", style), f"{name} [{told}]"), hang=2)]
    lines += [_ships(group["ships"])] if "ships" in group else []
    lines += [_ships(group["shed"], "left behind: ")] if group.get("shed") else []
    return lines + [_line(text) for text in _about(group)]


def _about(group: Data) -> list[Text]:
    """What else is known of a group: its owner knows all, the enemy what he was told."""
    told = group.get("told")
    if "name" in group:
        words = [f"{group['factors']} factors, {_speed(group['slow'])}"]
        words += [f"carries {group['cargo']}"] if group["cargo"] else []
    elif "ships" in group:
        words = []
    else:
        words = _told(told) if told else ["hidden"]
    lines = [Text(", ".join(words), FAINT)] if words else []
    for key, doing in (("air", "aboard"), ("patrol", "on combat air patrol"), ("cover", "as air cover")):
        lines += [Text(f"{flight['text']} {doing}") for flight in group.get(key, ())]
    return lines


def _told(told: Data) -> list[str]:
    """What the owner of a found group had to tell."""
    size = "fewer than ten factors" if told["small"] else "ten factors or more"
    number = told["carriers"]
    carriers = f"{number or 'no'} fast carrier{'s' * (number > 1)}"
    return [size, carriers, _speed(told["slow"]), "cargo" if told["cargo"] else "no cargo"]


def _speed(slow: bool) -> str:
    return "slow" if slow else "fast"


def _ships(ships: list[Data], before: str = "") -> Line:
    """Ships in a row; those that are hit stand out."""
    parts = [Text(ship_in_words(ship), STRONG if ship["damaged"] else "") for ship in ships]
    return _line(Text.assemble(before, Text(", ").join(parts)))


def ship_in_words(ship: Data) -> str:
    """``Akagi 3/3``, ``Kaga 1/3 damaged``: the hits that sink it and those it was built to bear; light ships are
    counted, ``4 Japanese cruisers``, ``1 Japanese cruiser damaged``."""
    text = str(ship["text"]).partition(" (")[0]
    if ship["id"]:
        text += f"{TIE}{ship['size'] - ship['hits']}/{ship['size']}"
    else:
        text = text.replace(" ", TIE, 1)
    text = f"{text}{TIE}damaged" if ship["damaged"] else text
    return text.replace(" ", TIE) if len(text) <= UNBROKEN else text


def _pending(pending: list[Data] | int) -> list[Line]:
    if isinstance(pending, int):
        return [_line(Text(f"{pending} more not yet in the battle", FAINT))] if pending else []
    lines = []
    for group in pending:
        when = f"can join in round {group['arrives']}" if group["arrives"] > 1 else "waits"
        lines += [Line(Text(f"{UNSEEN} {group['name']} [{when}]"), hang=2), _ships(group["ships"])]
        lines += [_line(text) for text in _about(group)]
    return lines


def _departed(group: Data) -> list[Line]:
    """A group, or a part of one, that has left the battle."""
    name = f" {group['name']}" if "name" in group else ""
    lines = [Line(Text(f"{GONE} CG {group['number']}{name} [withdrawn after round {group['round']}]"), hang=2)]
    lines += [_ships(group["ships"])] if group.get("ships") else []
    return lines + [_line(Text(f"{flight['text']} aboard")) for flight in group.get("air", ())]


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


def _submarines(flotillas: list[Data], style: str) -> list[Line]:
    """Submarine factors: those that can still attack, those that have attacked, and those that are lost."""
    words = (("factors", "ready"), ("spent", "spent"), ("lost", "lost"))
    lines = []
    for some in flotillas:
        counts = [f"{some[key]} {doing}" for key, doing in words if some.get(key)]
        marks = ["advanced"] * bool(some.get("advanced")) + ["with a force"] * bool(some.get("accompany"))
        marks += [f"from round {some['arrives']}"] if some.get("arrives", 1) > 1 else []
        lines.append(_line(Text(", ".join([*counts, *marks]) or "none left")))
    return [Line(Text("Submarine factors", style)), *lines] if lines else []


def _line(text: Text) -> Line:
    return Line(text, 2, 2)


def ships_in_words(ships: list[Data]) -> str:
    return ", ".join(map(ship_in_words, ships)) or "no ships"


def air_in_words(flights: list[Data]) -> str:
    return "; ".join(flight["text"] for flight in flights) or "no air units"
