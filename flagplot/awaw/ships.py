"""Naval units (chapter 20): what they are, how they are counted, and how much they bear.

Named ships are capital ships and fast carriers; the others are counted like air units. A `Ship` stands for one named
ship, or for any number of light ships of one nation and kind in the same condition, and a fleet says how many there are
of each. Of chapter 20 only parts could be read; what follows from other chapters is marked in `docs/rulings.md`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple, Unpack

from flagplot.awaw.tables.charts import Condition, naval_nationality
from flagplot.awaw.tables.nations import nation
from flagplot.awaw.tables.sheets import text_of
from flagplot.kernel.errors import UnknownName
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.naming import counted_once
from flagplot.kernel.rules import rule


class Kind(StrEnum):
    """20.11: the kinds of ship, in the order in which fleets list them."""

    CVB = "cvb"
    CV = "cv"
    CVL = "cvl"
    BATTLESHIP = "battleship"
    BATTLECRUISER = "battlecruiser"
    POCKET_BATTLESHIP = "pocket-battleship"
    CRUISER = "cruiser"
    CVE = "cve"
    DESTROYER = "destroyer"
    TRANSPORT = "transport"


CAPITAL: Final = frozenset({Kind.BATTLESHIP, Kind.BATTLECRUISER, Kind.POCKET_BATTLESHIP})
FAST_CARRIERS: Final = frozenset({Kind.CVL, Kind.CV, Kind.CVB})
LIGHT: Final = frozenset({Kind.CRUISER, Kind.DESTROYER, Kind.CVE, Kind.TRANSPORT})
ALWAYS_SLOW: Final = frozenset({Kind.CVE, Kind.TRANSPORT})

_RANKS: Final = {kind: chr(ord("a") + place) for place, kind in enumerate(Kind)}


class Ship:
    """A named ship, or identical light ships. Made by `ship` alone, so that equal ones are the same object."""

    __slots__ = (
        "capital",
        "damaged",
        "drm",
        "empty",
        "fast_carrier",
        "hits",
        "id",
        "kind",
        "laden",
        "light",
        "name",
        "named",
        "nation",
        "size",
        "slow",
        "special",
        "striped",
        "tag",
        "text",
        "weight",
    )

    nation: str
    kind: Kind
    id: str
    """The name of a named ship in files; light ships have none."""
    size: int
    """The factors of one (20.11): a cruiser has two, other light ships one."""
    striped: bool
    """Slow even when it is undamaged, as its counter says (20.121)."""
    drm: int
    """Its Naval Nationality DRM (22.552A)."""
    laden: bool
    """Whether it carries cargo (22.427)."""
    empty: bool
    """Whether it sails on a cargo mission without cargo: on the way to it, or after landing it (22.552B)."""
    hits: int
    """The hits that it has taken and survived (23.444)."""
    name: str
    """What people call it, or one of them."""
    named: bool
    light: bool
    fast_carrier: bool
    capital: bool
    damaged: bool
    slow: bool
    tag: str
    """What it is called in the text of an option; light ships of one tag count as one type when losses are shared."""
    special: bool
    """Whether it counts for more than its factors in air defense, or for something else (23.4211)."""
    weight: int
    """What one counts in the size of a force: its size, but transports nothing (22.421A)."""
    text: str
    """Everything about it in one word, by which fleets are kept in order: carriers first, transports last."""

    def bearing(self, hits: int) -> Ship:
        """The same ship with so many hits in all."""
        return _made(self.nation, self.kind, self.id, self.size, self.striped, self.drm, self.laden, hits, self.empty)

    def carrying(self, *, laden: bool = False, empty: bool = False) -> Ship:
        """The same ship with cargo, on its mission without cargo, or free of it."""
        return _made(self.nation, self.kind, self.id, self.size, self.striped, self.drm, laden, self.hits, empty)

    @classmethod
    def parse(cls, text: str) -> Ship:
        """The ship of a text that `str` made."""
        _, country, kind, name_id, size, speed, drm, load, hits = text.split(":")
        slow, laden, empty = speed == "striped", load == "laden", load == "empty"
        return _made(country, Kind(kind), name_id, int(size), slow, int(drm), laden, int(hits), empty)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Ship.parse({self.text!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Ship.parse, (self.text,)


def ship(
    country: str, kind: Kind, name_id: str, size: int, slow: bool, drm: int, laden: bool = False, hits: int = 0
) -> Ship:
    """The one object that stands for such ships."""
    return _made(country, kind, name_id, size, slow, drm, laden, hits, False)


@cache
@rule("T23.44-08", "T22.55-08", "22.422A", "22.421A.4.1", "23.4211A", "23.4211B")
def _made(
    country: str, kind: Kind, name_id: str, size: int, slow: bool, drm: int, laden: bool, hits: int, empty: bool
) -> Ship:
    """20.12, 20.121: what follows from the kind of a ship: striped and damaged ships, CVEs and transports are slow;
    T23.44-08: one hit short of its size damages a ship of two factors or more."""
    made = Ship()
    made.nation, made.kind, made.id, made.size = country, kind, name_id, size
    made.striped, made.drm, made.laden, made.hits, made.empty = slow, drm, laden, hits, empty
    made.named = bool(name_id)
    made.name = name_of(made)
    made.light, made.fast_carrier, made.capital = kind in LIGHT, kind in FAST_CARRIERS, kind in CAPITAL
    made.damaged = hits > 0 and hits == size - 1
    made.slow = slow or made.damaged or kind in ALWAYS_SLOW
    made.weight = 0 if kind is Kind.TRANSPORT else size
    made.special = kind in (Kind.CVE, Kind.CVB) or _five_factor(kind, size)
    made.tag = name_id or f"{country}:{kind}{':laden' * laden}{':empty' * empty}"
    made.text = (
        f"{_RANKS[kind]}{9 - size}:{country}:{kind}:{name_id}:{size}:{'striped' if slow else 'plain'}"
        f":{drm}:{'laden' if laden else 'empty' if empty else 'free'}:{hits}"
    )
    return made


@rule("T23.44-08", "T22.55-08", "T23.44-10", "T22.55-10", "23.443A.3", "23.444")
def struck(which: Ship, hits: int) -> Ship | None:
    """T23.44-08, 23.444: a ship after so many more hits, or nothing if it sinks: at as many in all as its size."""
    total = which.hits + hits
    return which.bearing(total) if total < which.size else None


Fleet = dict[Ship, int]
"""How many there are of each; never zero; in the order of the ships' texts."""


@rule("22.421A.4.1")
def factors(fleet: Fleet) -> int:
    """20.14, 22.421A: the naval factors of a fleet; transports do not count."""
    total = 0
    for which, number in fleet.items():
        total += number * which.weight
    return total


@rule("22.421A.4.1")
def undamaged_factors(fleet: Fleet) -> int:
    """22.428A, 22.451D: the naval factors of a fleet that are undamaged; transports do not count."""
    total = 0
    for which, number in fleet.items():
        if not which.damaged:
            total += number * which.weight
    return total


class DefenseCounts(NamedTuple):
    """What the ships of a fleet give to its air defense, under the names of `air_defense_level`."""

    naval_factors: int
    cves: int
    five_factor_battleships: int
    cvbs: int


@rule("23.4211A", "23.4211B", "23.4211C")
def defense_counts(fleet: Fleet) -> DefenseCounts:
    """23.4211: damaged and laden ships count in air defense, transports do not, and CVEs are counted apart."""
    naval = cves = largest = cvbs = 0
    for which, number in fleet.items():
        naval += number * which.weight
        if which.special:
            cves += number * (which.kind is Kind.CVE)
            largest += number * (which.kind is Kind.BATTLESHIP)
            cvbs += number * (which.kind is Kind.CVB)
    return DefenseCounts(naval - cves, cves, largest, cvbs)


@rule("22.422A")
def is_slow(fleet: Fleet) -> bool:
    """22.422A: one slow ship makes a fleet slow. What cargo does is a matter of the combat group (22.422B)."""
    return any([which.slow for which in fleet])


@rule("18.5521.1", "22.82C")
def bombards(which: Ship) -> bool:
    """18.5521: whether a ship is of the fleet factors that bombard a shore: no carrier, no transport, undamaged, and
    not one that carries cargo or has landed it."""
    armed = which.capital or which.kind in (Kind.CRUISER, Kind.DESTROYER)
    return armed and not which.damaged and not which.laden and not which.empty


@rule("18.5521.1")
def bombardment_factors(fleet: Fleet) -> int:
    """18.5521: the fleet factors that can bombard a shore, three for a ground factor."""
    return sum([which.size * number for which, number in fleet.items() if bombards(which)])


def carriers(fleet: Fleet) -> int:
    """22.452B: how many fast carriers there are in a fleet, damaged ones among them."""
    count = 0
    for which, number in fleet.items():
        if not which.fast_carrier:
            break  # a fleet lists its carriers first
        count += number
    return count


@rule("17.312")
def decks(fleet: Fleet) -> dict[str, tuple[int, int]]:
    """17.312: the squadrons that each nation's fast carriers base, on undamaged and on damaged decks."""
    room: dict[str, tuple[int, int]] = {}
    for which in fleet:
        if not which.fast_carrier:
            break  # a fleet lists its carriers first
        sound, damaged = room.get(which.nation, (0, 0))
        room[which.nation] = (sound, damaged + which.size) if which.damaged else (sound + which.size, damaged)
    return room


@rule("17.312")
def sound_room(fleet: Fleet) -> dict[str, int]:
    """17.312: the squadrons that each nation's undamaged fast carriers base."""
    room: dict[str, int] = {}
    for which in fleet:
        if not which.fast_carrier:
            break  # a fleet lists its carriers first
        if not which.damaged:
            room[which.nation] = room.get(which.nation, 0) + which.size
    return room


def ship_ledger(country: str, kind: Kind, size: int, **condition: Unpack[Condition]) -> Ledger:
    """22.552A: the Naval Nationality DRM of such ships, with its reasons."""
    return naval_nationality(country, kind=kind, five_factor=_five_factor(kind, size), **condition)


def _five_factor(kind: Kind, size: int) -> bool:
    return size == 5 and kind is Kind.BATTLESHIP


# --- the named ships --------------------------------------------------------------------------------------------


class NamedShip(NamedTuple):
    """A ship of the list: its name in files and for people, and what its counter says."""

    id: str
    name: str
    nation: str
    kind: Kind
    factors: int
    slow: bool


@cache
def named_ships() -> Mapping[str, NamedShip]:
    """20.111, 20.112: every capital ship and fast carrier by its name in files, nation by nation."""
    entries = csv.DictReader(text_of("ships.csv").splitlines())
    return MappingProxyType({entry["id"]: _named_ship(entry) for entry in entries})


def _named_ship(entry: Mapping[str, str]) -> NamedShip:
    return NamedShip(
        id=entry["id"],
        name=entry["name"],
        nation=entry["nation"],
        kind=Kind(entry["kind"]),
        factors=int(entry["factors"]),
        slow=entry["speed"] == "slow",
    )


def named_ship(name: str) -> NamedShip:
    """The ship of this name, as people or as files write it."""
    slug = _slug(name)
    found = named_ships().get(slug)
    if found is None:
        raise UnknownName("no such named ship", given=name, allowed=_near(slug))
    return found


def _slug(name: str) -> str:
    return "-".join(re.findall("[a-z0-9]+", name.casefold()))


def _near(slug: str) -> list[str]:
    """The names that may have been meant: those that hold what was given, then those that look like it."""
    known = named_ships()
    longer = [key for key in known if slug and f"-{slug}-" in f"-{key}-"]
    alike = get_close_matches(slug, known, n=4)
    return [known[key].name for key in dict.fromkeys(longer + alike)]


# --- words ------------------------------------------------------------------------------------------------------

NAMES = {
    Kind.CVB: "super carrier",
    Kind.CV: "fleet carrier",
    Kind.CVL: "light carrier",
    Kind.BATTLESHIP: "battleship",
    Kind.BATTLECRUISER: "battlecruiser",
    Kind.POCKET_BATTLESHIP: "pocket battleship",
    Kind.CRUISER: "cruiser",
    Kind.CVE: "escort carrier",
    Kind.DESTROYER: "destroyer factor",
    Kind.TRANSPORT: "transport",
}


@cache
def name_of(which: Ship, number: int = 1) -> str:
    """What people call a ship, or so many of them: ``Akagi``, ``Japanese cruisers``."""
    if which.named:
        listed = named_ships().get(which.id)
        return listed.name if listed else which.id.replace("-", " ").title()
    return f"{nation(which.nation).adjective} {NAMES[which.kind]}{'s' * (number != 1)}"


def described_ships(fleet: Iterable[tuple[Ship, int]]) -> str:
    """A fleet in words: ``Akagi (damaged), Kaga (1 hit), 4 Japanese cruisers (1 damaged)``. Results keep these words,
    so they stay as they are; `counted_once` says them better."""
    types: dict[str, list[tuple[Ship, int]]] = {}
    for which, number in fleet:
        types.setdefault(which.id or f"{which.nation}:{which.kind}", []).append((which, number))
    return ", ".join(map(_described_type, types.values())) or "no ships"


def _described_type(members: list[tuple[Ship, int]]) -> str:
    first = members[0][0]
    if first.named:
        state = "damaged" if first.damaged else f"{first.hits} hit{'s' * (first.hits != 1)}" if first.hits else ""
        return first.name + (f" ({state})" if state else "")
    number = sum([count for _, count in members])
    damaged = sum([count for which, count in members if which.damaged])
    laden = sum([count for which, count in members if which.laden])
    empty = sum([count for which, count in members if which.empty])
    if number in (laden, empty):
        return f"{number} {name_of(first, number)} {'with cargo' if laden else EMPTY}"
    marks = [f"{damaged} damaged"] * bool(damaged) + [f"{laden} with cargo"] * bool(laden)
    marks += [f"{empty} {EMPTY}"] * bool(empty)
    return f"{number} {name_of(first, number)}" + (f" ({', '.join(marks)})" if marks else "")


EMPTY: Final = "on cargo duty"


class Ships(tuple[tuple[Ship, int], ...]):
    """A fleet as it was at one moment, put into words only when somebody reads it: ``Ships(fleet.items())``."""

    __slots__ = ()

    def __str__(self) -> str:
        return counted_once(described_ships(self))
