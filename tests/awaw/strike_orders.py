"""What players say in the tests of air strikes: who flies, who is engaged, what is attacked."""

from __future__ import annotations

JAPAN = "red-at-sea:japan:naval:squadrons"
ELITE = "red-at-sea:japan:elite-naval:squadrons"
AMERICA = "blue-at-sea:united-states:naval:squadrons"
ISLE = "isle:united-states:naval:squadrons"
"""How the carrier air of both sides, and American naval air on an island, is called in orders."""


def fly(number: int, tag: str = JAPAN) -> str:
    return f"fly:{tag}:{number}"


def patrol(number: int, group: int = 1, tag: str = AMERICA) -> str:
    return f"patrol:{group}:{tag}:{number}"


def cover(number: int, group: int = 1, tag: str = ISLE) -> str:
    return f"cover:{group}:{tag}:{number}"


def engage(number: int, tag: str = AMERICA) -> str:
    return f"engage:{tag}:{number}"


STRIKE_WITH_ONE, STRIKE_WITH_SIX = ("strike:1", fly(1)), ("strike:1", fly(6))
ENTERPRISE, LIGHT = "target:enterprise", "target:light-ships"
