"""What is being fought in a naval battle: strikes, kamikazes and fleet combats, as a view may know them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from flagplot.cli.chart import air_in_words, ships_in_words
from flagplot.cli.screen import STRONG, Line

Data = Mapping[str, Any]


def under_way(data: Data) -> list[Line]:
    """All that is under way or agreed on. A view that has none of it shows nothing."""
    return [*_strike(data), *_kamikazes(data), *_engagement(data), *_agreed(data), *_shielded(data)]


def _strike(data: Data) -> list[Line]:
    strike = data.get("strike")
    if not strike:
        return []
    head = f"{'Surprise strike' if strike['surprise'] else 'Strike'} on CG {strike['target']}: "
    return [_told(head, f"{air_in_words(strike['attackers'])}{_engaged(strike)}")]


def _engaged(attack: Data) -> str:
    return f"; engaged by {air_in_words(attack['defenders'])}" if attack.get("defenders") else ""


def _kamikazes(data: Data) -> list[Line]:
    lines = []
    for dive in data.get("dives", ()):
        aims = [f"{number} at {_target(data, target)}" for target, number in dive.get("aims", {}).items()]
        parts = [f"{dive['kamikazes']}", *aims, *[f"{dive['diverted']} diverted"] * bool(dive.get("diverted"))]
        lines.append(_told(f"Kamikazes against CG {dive['target']}: ", f"{', '.join(parts)}{_engaged(dive)}"))
    left = data.get("kamikazes")
    return [*lines, _told("Kamikazes that have not flown: ", str(left))] if left else lines


def _engagement(data: Data) -> list[Line]:
    """The fleet combat that is fought: who is screened and who fires at whom, once that is open."""
    fight = data.get("engagement")
    if not fight:
        return []
    names, lines = data["sides"], [_told("Fleet combat: ", _pair(data, fight))]
    for side, ships in fight.get("screened", {}).items():
        if ships:
            lines.append(_told(f"{names.get(side, side)} screens ", ships_in_words(ships), 2))
    for volley in fight.get("volleys", ()):
        who = f"{names.get(volley['side'], volley['side'])} fires at {_target(data, volley['target'])}: "
        lines.append(_told(who, ships_in_words(volley["ships"]), 2))
    return lines


def _agreed(data: Data) -> list[Line]:
    return [_told("To be fought: ", _pair(data, agreed)) for agreed in data.get("engagements", ())]


def _shielded(data: Data) -> list[Line]:
    """Transports that raiders are kept from."""
    ships = data.get("shielded")
    return [_told("Transports behind the escort: ", ships_in_words(ships))] if ships else []


def _pair(data: Data, fight: Data) -> str:
    moving, intercepting = data["sides"].values()
    return f"CG {fight['moving']} ({moving}) against CG {fight['intercepting']} ({intercepting})"


def _target(data: Data, key: str) -> str:
    """What people call a target: the name of a ship that is seen, or the light ships."""
    for group in data.get("groups", ()):
        for ship in group.get("ships", ()):
            if ship["id"] == key:
                return str(ship["text"]).partition(" (")[0]
    return f"the {key.replace('-', ' ')}" if key == "light-ships" else key


def _told(head: str, words: str, indent: int = 0) -> Line:
    return Line(Text.assemble((head, STRONG), words), indent)
