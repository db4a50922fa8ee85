"""Ships in the words of a question: ``Hood, 6 cruisers, 4 britain destroyers``, and numbers by name: ``hood 1``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from flagplot.awaw.counting import add
from flagplot.awaw.options import Options
from flagplot.awaw.ships import Fleet, Kind, NamedShip, named_ship, ship, ship_ledger
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.odds.words import all_read, country_of, entries, whole

LIGHT_KINDS = {
    "cruisers": "cruisers",
    "damaged-cruisers": "damaged_cruisers",
    "destroyers": "destroyers",
    "laden-destroyers": "laden_destroyers",
    "cves": "cves",
    "transports": "transports",
    "laden-transports": "laden_transports",
}
"""The kinds of light ship, and their keys in scenario files."""
SINGLE_FACTORS = (
    ("destroyers", Kind.DESTROYER, False),
    ("laden_destroyers", Kind.DESTROYER, True),
    ("cves", Kind.CVE, False),
    ("transports", Kind.TRANSPORT, False),
    ("laden_transports", Kind.TRANSPORT, True),
)
FACTORS = re.compile(r" factors?$")
"""Light ships may be written as what they are counted by: ``8 cruiser factors`` are four cruisers."""
Contingent = dict[str, Any]
"""The ships of one country, as scenario files have them."""


class LightShips(NamedTuple):
    """Light ships of a kind by factors, but damaged cruisers are counted as ships, among the cruisers."""

    kind: str
    number: int
    nation: str
    """The country, if it is said."""


@dataclass(frozen=True, slots=True)
class ShipList:
    """Ships as somebody wrote them."""

    text: str
    what: str
    ships: tuple[NamedShip | LightShips, ...]

    def __bool__(self) -> bool:
        return bool(self.ships)

    def contingents(self, nation: str = "", hits: Mapping[str, int] | None = None) -> tuple[Contingent, ...]:
        """The ships country by country. Light ships without a country are of the `nation` given, or of the country of
        the named ship before them, or of the first one. `hits` are those of named ships (see `read_counts`)."""
        parts: dict[str, Contingent] = {}
        last, waiting = nation, list[LightShips]()
        for one in self.ships:
            if isinstance(one, NamedShip):
                _contingent(parts, one.nation)["named"].append(one.id)
                last = nation or one.nation
            elif one.nation or last:
                _contingent(parts, one.nation or last)[one.kind] += one.number
            else:
                waiting.append(one)
        if waiting and not last:
            remedy = "8 japan cruiser factors"
            raise BadValue(f"say whose light ships these are ({self.what})", given=self.text, allowed=[remedy])
        for one in waiting:
            _contingent(parts, last)[one.kind] += one.number
        _bear(parts, hits or {}, self.what)
        return tuple(parts.values())

    def fleet(self, nation: str = "", hits: Mapping[str, int] | None = None, options: Options | None = None) -> Fleet:
        """The same as the rules have them."""
        fleet: Fleet = {}
        readings = options or Options()
        for part in self.contingents(nation, hits):
            _add_named(fleet, part, readings)
            _add_cruisers(fleet, part, readings)
            for key, kind, laden in SINGLE_FACTORS:
                if part[key]:
                    drm = _drm(part["nation"], kind, 1, readings)
                    add(fleet, ship(part["nation"], kind, "", 1, False, drm, laden), part[key])
        if not fleet:
            allowed = ["Hood, 6 cruiser factors, 4 destroyer factors"]
            raise BadValue(f"no ships are given ({self.what})", given=self.text, allowed=allowed)
        return fleet


# --- reading ----------------------------------------------------------------------------------------------------


def read_ships(text: str, what: str) -> ShipList:
    """The ships of ``Enterprise, Hornet, 8 cruisers, 4 britain destroyers``; `what` says whose they are."""
    return ShipList(text, what, tuple(all_read(entries(text), lambda entry: _ship(entry, what))))


def _ship(entry: str, what: str) -> NamedShip | LightShips:
    return _light(entry, what) if re.match(r"[-+\d]", entry) else named_ship(entry)


def read_fleet(text: str, what: str, nation: str = "", options: Options | None = None) -> Fleet:
    """The fleet of such a text."""
    return read_ships(text, what).fleet(nation, options=options)


def _light(entry: str, what: str) -> LightShips:
    words = FACTORS.sub("", entry.casefold())
    number, *country, kind = words.split() if " " in words else (words, "")
    if country and f"{country[-1]}-{kind}".rstrip("s") + "s" in LIGHT_KINDS:
        *country, kind = [*country[:-1], f"{country[-1]}-{kind}"]
    kind = kind if kind in LIGHT_KINDS else f"{kind}s"
    if kind not in LIGHT_KINDS:
        raise UnknownName(f"no such kind of light ship ({what})", given=entry, allowed=[*LIGHT_KINDS])
    nation = country_of(" ".join(country), entry) if country else ""
    return LightShips(LIGHT_KINDS[kind], whole(number, entry, what), nation)


def read_counts(text: str, what: str, others: Sequence[str] = ()) -> dict[str, int]:
    """The numbers of ``enterprise 6, hornet 6``, under the names that files have; 0 where none is given. Beside named
    ships some `others` may be named, such as ``light-ships``."""
    read: dict[str, int] = {}
    for entry in entries(text):
        found = re.fullmatch(r"(.*?)(?:\s+|\s*=\s*)([-+]?\d+)", entry)
        name, number = (found[1], whole(found[2], entry, what)) if found else (entry, 0)
        slug = "-".join(name.casefold().split())
        key = slug if slug in others else named_ship(name).id
        if key in read:
            raise BadValue(f"this ship is named twice ({what})", given=entry)
        read[key] = number
    return read


# --- ships together ---------------------------------------------------------------------------------------------


def _contingent(parts: dict[str, Contingent], country: str) -> Contingent:
    return parts.setdefault(country, {"nation": country, "named": [], **dict.fromkeys(LIGHT_KINDS.values(), 0)})


def _bear(parts: dict[str, Contingent], hits: Mapping[str, int], what: str) -> None:
    """Hits that named ships already have; only on ships that are there."""
    for name, number in hits.items():
        part = next((part for part in parts.values() if name in part["named"]), None)
        if part is None:
            there = [named_ship(one).name for part in parts.values() for one in part["named"]]
            raise BadValue(f"no such ship ({what})", given=name, allowed=there)
        part.setdefault("hits", {})[name] = number


def _add_named(fleet: Fleet, part: Contingent, options: Options) -> None:
    for name in part["named"]:
        found, hits = named_ship(name), part.get("hits", {}).get(name, 0)
        if any([which.id == found.id for which in fleet]):
            raise BadValue("a ship is named twice", given=found.name)
        if hits >= found.factors:
            message = f"{found.name} has {found.factors} factors and that many hits sink it"
            raise BadValue(
                message, given=f"{name} {hits}", allowed=[f"0 to {found.factors - 1} hits"], rule="T23.44-08"
            )
        drm = _drm(found.nation, found.kind, found.factors, options)
        add(fleet, ship(found.nation, found.kind, found.id, found.factors, found.slow, drm, False, hits), 1)


def _add_cruisers(fleet: Fleet, part: Contingent, options: Options) -> None:
    factors, damaged, country = part["cruisers"], part["damaged_cruisers"], part["nation"]
    if factors % 2:
        allowed = [f"{factors - 1}", f"{factors + 1}"]
        raise BadValue(
            "a cruiser has two factors", given=f"{factors} cruiser factors", allowed=allowed, rule="T23.44-08"
        )
    if damaged > factors // 2:
        message = f"of {factors} cruiser factors, {factors // 2} cruisers at most are damaged"
        raise BadValue(message, given=f"{damaged} damaged-cruisers", rule="T23.44-08")
    drm = _drm(country, Kind.CRUISER, 2, options)
    for hits, number in ((0, factors // 2 - damaged), (1, damaged)):
        if number:
            add(fleet, ship(country, Kind.CRUISER, "", 2, False, drm, False, hits), number)


def _drm(country: str, kind: Kind, size: int, options: Options) -> int:
    return ship_ledger(country, kind, size, supply_and_oil=options.supply_and_oil).total
