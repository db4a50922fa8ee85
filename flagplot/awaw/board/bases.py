"""Bases, mapboard boxes and carrier forces with their air units, and the missions against them."""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.awaw.board.units import air_of
from flagplot.awaw.views.position import MissionView, Position, SiteView
from flagplot.board.model import Item, News, Note, Place, Stack, StackKind

KINDS: dict[str, StackKind] = {"base": "base", "box": "box", "carriers": "carriers"}


def base_places(seen: Position, called: dict[str, str]) -> list[Place]:
    """The bases of each side; an air phase has nothing else, so there each side's are a place of their own."""
    alone = seen.kind == "air-phase"
    return [
        Place(
            kind="bases",
            title=called[side] if alone else "Bases",
            side=side if alone else "",
            stacks=tuple([base(key, site) for key, site in seen.sites.items() if site.side == side]),
        )
        for side in seen.sides
    ]


def base(key: str, site: SiteView, *more: Item, unit: str = "") -> Stack:
    """A base with its air units, and what they do."""
    marks = [Note(site.marker, words=f"TF marker {site.marker}")] if site.marker else []
    marks += [Note("attacked")] if site.counteraired else []
    items = (
        *air_of(site.air),
        *air_of(site.hidden or (), "under the marker", secret=True),
        *air_of(site.searching, "searching", idle=True),
        *air_of(site.struck, "back from a strike", idle=True),
    )
    return Stack(
        kind=KINDS[site.kind],
        title=site.name,
        side=site.side,
        subject=f"base:{key}",
        marks=tuple(marks),
        items=(*items, *more),
        unit=unit,
    )


def mission_news(seen: Position) -> Iterator[News]:
    """The mission under way and those that are announced."""
    if seen.mission and seen.mission.attackers:
        mission, where = seen.mission, seen.sites[seen.mission.target].name
        yield _mission(seen, mission, f"Over {where}, round {mission.round}" if mission.round else f"Against {where}")
    for sortie in seen.announced:
        if sortie.attackers:
            yield _mission(seen, sortie, f"Announced against {seen.sites[sortie.target].name}")


def _mission(seen: Position, mission: MissionView, who: str) -> News:
    attackers = air_of(mission.attackers, sites=seen.sites)
    return News(topic="mission", who=f"{who}: ", counters=attackers, side=mission.side)
