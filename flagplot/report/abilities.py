"""What air units may do and why not, from what `Game.explain` tells of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

Data = Mapping[str, Any]

LISTS = ("17.23", "17.33", "17.53", "17.63", "17.73", "17.83")
"""The lists of what each type of air unit does: what is on none of them is told last, and in one line."""


class Ability(NamedTuple):
    """Something that units may do, and how; or what they may not do, and why."""

    what: str
    words: str
    rule: str


def open_to(unit: Data) -> list[Ability]:
    """What some units may do."""
    return [Ability(one["name"], _how(one), one["rule"]) for one in (*unit["tasks"], *unit["moves"]) if one["open"]]


def closed_to(unit: Data) -> list[Ability]:
    """What they may not do; what is forbidden for the same reason is told together."""
    closed: dict[tuple[str, str], list[str]] = {}
    for one in (*unit["tasks"], *unit["moves"]):
        if not one["open"]:
            closed.setdefault((one["text"], one["rule"]), []).append(one["name"])
    ordered = sorted(closed.items(), key=lambda found: found[0][1] in LISTS)
    return [Ability(_all(kinds, rule), text, rule) for (text, rule), kinds in ordered]


def _all(kinds: list[str], rule: str) -> str:
    return "all other missions" if rule in LISTS and len(kinds) > 2 else ", ".join(kinds)


def _how(entry: Data) -> str:
    told = [str(entry["number"] or ""), entry["text"], ", ".join(entry["targets"])]
    return "; ".join(filter(None, told)) or "yes"
