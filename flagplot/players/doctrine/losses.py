"""Losses and decks: who goes first, and who finds room."""

from __future__ import annotations

from typing import Any

from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.principles import part, principle
from flagplot.players.doctrine.sight import Sight

ROLES = ("search", "cover", "attack")
"""Army squadrons from the least to the most useful."""
LIGHT_KINDS = ("transport", "cve", "destroyer", "cruiser")


@principle("first")
def first(sight: Sight, request: Choose[Any]) -> Any:
    """Of equal types the worse is lost: searchers before fighters and bombers, army air before naval air, low DRMs."""
    return min(request.values, key=_quality)


def _quality(key: Any) -> tuple[int, int]:
    if isinstance(key, tuple):
        _, arm, drm = key
        return drm, str(arm).endswith("naval")
    role = str(key)
    return (ROLES.index(role) if role in ROLES else 0), 0


@principle("lose", "abort", "aboard", "down")
def lose(sight: Sight, request: Choose[Any]) -> Any:
    """Inverted units are lost before those that can fly, ordinary squadrons before elite ones."""
    if isinstance(request.values[0], tuple):
        return min(request.values, key=lambda value: value[-1] != "inverted")
    return request.values[0] if ":elite-naval:" in ":".join(map(str, request.verb)) else request.values[-1]


@principle("hit")
def hit(sight: Sight, request: Choose[Any]) -> Any:
    """Light ships without cargo are lost before those with it, and small ones before large ones; of ships alike those
    on cargo duty, which hamper the others."""
    return min(request.values, key=_light_value)


def _light_value(key: Any) -> tuple[bool, int, bool]:
    parts = str(key).split(":")
    kind = parts[1] if len(parts) > 1 else ""
    return parts[-1] == "laden", LIGHT_KINDS.index(kind) if kind in LIGHT_KINDS else 0, parts[-1] != "empty"


@principle("ashore")
def ashore(sight: Sight, request: Choose[Any]) -> int:
    """Patrols land on their carriers; ashore only those for whom there is no deck left."""
    battle = sight.battle
    aboard, aloft = battle.own_squadrons()
    return max(0, aboard + (aloft or request.values[-1]) - sum(battle.own_decks().values()))


@principle("land")
def land(sight: Sight, request: Choose[Any]) -> Any:
    """Squadrons go aboard the carriers that are still distant, as many as there is room."""
    group = sight.group(part(request, 1))
    return request.values[-1] if group is not None and group.number > sight.battle.round else request.values[0]
