"""The countries of the game, under stable names, with their values on the two nationality charts."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from flagplot.awaw.tables.sheets import Base, sheet, text_of
from flagplot.kernel.errors import UnknownName


class Nation(NamedTuple):
    """A country: its name in files, for people, and as an adjective, and what the charts say of it."""

    id: str
    name: str
    adjective: str
    major: bool
    air_drm: int
    on_air_chart: bool
    naval_drm: int
    on_naval_chart: bool


@cache
def nations() -> Mapping[str, Nation]:
    """Every country by its name in files, the major powers first."""
    entries = csv.DictReader(text_of("nations.csv").splitlines())
    return MappingProxyType({entry["id"]: _nation(entry) for entry in entries})


def nation(name: str) -> Nation:
    """The country of this name."""
    found = nations().get(name)
    if found is None:
        raise UnknownName("no such country", given=name, allowed=tuple(nations()))
    return found


def base(chart: str, name: str) -> Base | None:
    """19.31A, 22.552A: the line of a chart that names this country, if one does."""
    return next((entry for entry in sheet(chart).bases if name in entry.nations), None)


def _nation(entry: Mapping[str, str]) -> Nation:
    major = entry["standing"] == "major"
    air, naval = base("air-nationality", entry["id"]), base("naval-nationality", entry["id"])
    return Nation(
        id=entry["id"],
        name=entry["name"],
        adjective=entry["adjective"],
        major=major,
        air_drm=air.drm if air else 0,
        on_air_chart=air is not None or not major,
        naval_drm=naval.drm if naval else 0,
        on_naval_chart=naval is not None and not naval.assumed,
    )
