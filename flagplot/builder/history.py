"""What history and our own orders of battle say of a date: ships in service, research, elite squadrons, places."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from flagplot import library
from flagplot.awaw.ships import Kind, named_ship
from flagplot.builder.dates import Date, read_date
from flagplot.builder.vocabulary import fold

FEATURES = ("cities", "ports", "airbases", "artificial_ports", "island", "jungle", "fortified", "fortification")
"""What a place keeps from one battle to the next."""


@cache
def in_service() -> Mapping[str, Date]:
    """By ship: year and month in which it came into service. Ships of the list that were never built are not here."""
    text = (resources.files("flagplot.builder") / "in-service.csv").read_text(encoding="utf8")
    rows = csv.DictReader(text.splitlines())
    return {row["id"]: (int(row["since"][:4]), int(row["since"][5:])) for row in rows}


def serves(ship: str, date: Date | None) -> bool:
    """Whether a ship was ever in service, or by a date if there is one."""
    since = in_service().get(ship)
    return since is not None and (date is None or since <= date)


# --- orders of battle ---------------------------------------------------------------------------------------------


class Order(NamedTuple):
    """One of our orders of battle: a scenario with a date."""

    date: Date
    name: str
    document: Mapping[str, Any]


@cache
def orders() -> Sequence[Order]:
    """The scenarios that come with Flagplot whose title tells a date, the oldest first."""
    found = [(name, library.read_scenario(name)) for name in library.scenario_names()]
    real = [(name, one) for name, one in found if one["game"] == "awaw" and "invented" not in one.get("sources", "")]
    dated = [(read_date(str(one["title"])), name, one) for name, one in real]
    return sorted([Order(date, name, one) for date, name, one in dated if date], key=lambda one: (one.date, one.name))


def _before(date: Date) -> Iterator[Order]:
    """The orders of battle up to a date, the newest first; those of the same season count."""
    year, month = date
    season_end = (year, month + 2)
    return (one for one in reversed(orders()) if one.date <= season_end)


def research_of(nation: str, date: Date) -> tuple[Mapping[str, int], str]:
    """A nation's research by a date, and the scenario that says so; nothing if none does."""
    for order in _before(date):
        if found := order.document.get("research", {}).get(nation):
            return found, order.name
    return {}, ""


def is_elite(date: Date) -> bool:
    """Whether most Japanese squadrons aboard fleet carriers were elite in the last order of battle before a date."""
    for order in _before(date):
        air = [
            some
            for force in order.document.get("forces", ())
            if any(_is_fleet_carrier(name) for part in force["ships"] for name in part.get("named", ()))
            for some in force.get("air", ())
            if some["nation"] == "japan"
        ]
        if air:
            elite: int = sum(some["squadrons"] for some in air if some.get("elite"))
            everyone: int = sum(some["squadrons"] for some in air)
            return 2 * elite > everyone
    return False


def _is_fleet_carrier(name: str) -> bool:
    ship = named_ship(name)
    return ship.kind is Kind.CV and ship.nation == "japan"


# --- places -------------------------------------------------------------------------------------------------------


@cache
def places() -> Mapping[str, Mapping[str, Any]]:
    """By folded name: a base of our orders of battle, with the nations of the side that last held it."""
    found: dict[str, Mapping[str, Any]] = {}
    for order in orders():
        nations = {side["id"]: side["nations"] for side in order.document["sides"]}
        for base in order.document.get("bases", ()):
            found[fold(base["name"])] = {**base, "nations": nations[base["side"]]}
    return found


def coordinates(names: Sequence[str]) -> Mapping[str, Sequence[int]]:
    """Where the bases of these folded names lie, in the naval battle that knows most of them."""
    best: dict[str, Sequence[int]] = {}
    for order in orders():
        if order.document["kind"] == "naval-battle":
            known = {fold(base["name"]): base["at"] for base in order.document.get("bases", ())}
            here = {name: known[name] for name in names if name in known}
            best = here if len(here) > len(best) else best
    return best
