"""Fleets and sides in the words of a question, and what is refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flagplot.awaw.counting import add
from flagplot.awaw.options import Options
from flagplot.awaw.ships import Fleet, Kind, named_ship, ship, ship_ledger
from flagplot.kernel.errors import BadValue
from flagplot.odds.enumerator import Limits
from flagplot.odds.questions.sea_states import SIDES
from flagplot.odds.words import read_counts, read_ships, read_whole

LIGHT = (
    ("destroyers", Kind.DESTROYER, False),
    ("laden_destroyers", Kind.DESTROYER, True),
    ("cves", Kind.CVE, False),
    ("transports", Kind.TRANSPORT, False),
    ("laden_transports", Kind.TRANSPORT, True),
)


def read_fleet(text: str, what: str, nation: str = "", hits: str = "", options: Options | None = None) -> Fleet:
    """The fleet of ``Hood, 6 cruisers, 4 destroyers``: light ships by their factors, hits as ``hood 1``."""
    fleet: Fleet = {}
    readings = options or Options()
    for part in read_ships(text, what, nation, read_counts(hits, f"hits on the {what}")):
        _add_named(fleet, part, readings)
        _add_cruisers(fleet, part, readings)
        for key, kind, laden in LIGHT:
            if part[key]:
                drm = _drm(part["nation"], kind, 1, readings)
                add(fleet, ship(part["nation"], kind, "", 1, False, drm, laden), part[key])
    if not fleet:
        raise BadValue(f"no {what} are named", given=text, allowed=["such as Hood, 6 cruisers, 4 destroyers"])
    return fleet


def _add_named(fleet: Fleet, part: dict[str, Any], options: Options) -> None:
    for name in part["named"]:
        found, hits = named_ship(name), part.get("hits", {}).get(name, 0)
        if any([which.id == found.id for which in fleet]):
            raise BadValue("a ship is named twice", given=found.name)
        if hits >= found.factors:
            message = f"{found.name} has {found.factors} factors and is sunk by so many hits"
            raise BadValue(
                message, given=f"{name} {hits}", allowed=[f"0 to {found.factors - 1} hits"], rule="T23.44-08"
            )
        drm = _drm(found.nation, found.kind, found.factors, options)
        add(fleet, ship(found.nation, found.kind, found.id, found.factors, found.slow, drm, False, hits), 1)


def _add_cruisers(fleet: Fleet, part: dict[str, Any], options: Options) -> None:
    factors, damaged, country = part["cruisers"], part["damaged_cruisers"], part["nation"]
    if factors % 2:
        allowed = [f"{factors - 1}", f"{factors + 1}"]
        raise BadValue("a cruiser has two factors", given=f"{factors} cruisers", allowed=allowed, rule="T23.44-08")
    if damaged > factors // 2:
        message = f"of {factors} cruiser factors, {factors // 2} cruisers at most are damaged"
        raise BadValue(message, given=f"{damaged} damaged-cruisers", rule="T23.44-08")
    drm = _drm(country, Kind.CRUISER, 2, options)
    for hits, number in ((0, factors // 2 - damaged), (1, damaged)):
        if number:
            add(fleet, ship(country, Kind.CRUISER, "", 2, False, drm, False, hits), number)


def _drm(country: str, kind: Kind, size: int, options: Options) -> int:
    return ship_ledger(country, kind, size, supply_and_oil=options.supply_and_oil).total


def check_apart(ours: Fleet, theirs: Fleet) -> None:
    """No named ship is on both sides."""
    for which in ours:
        if which.named and any([which.id == other.id for other in theirs]):
            raise BadValue("a ship fights on one side only", given=which.name)


def read_side(text: str, what: str) -> str:
    """``us`` or ``them``, or nobody."""
    word = text.strip().casefold()
    if word and word not in SIDES:
        raise BadValue(f"{what} is a matter of us or them", given=text, allowed=SIDES)
    return word


def read_sides(texts: Iterable[str], what: str) -> list[str]:
    return [side for text in texts for word in text.split(",") if (side := read_side(word, what))]


def read_limits(states: int | str | None, seconds: int | str | None, usual: Limits) -> Limits:
    """When a search ends that does not come to its end by itself."""
    return Limits(
        read_whole(states, "number of states", 1, 10_000_000) or usual.states,
        read_whole(seconds, "number of seconds", 1, 86_400) or usual.seconds,
    )
