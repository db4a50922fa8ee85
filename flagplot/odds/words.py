"""The small language for forces in questions of odds, on the command line and in Python alike.

Air units: ``4 united-states naval, 3 united-states army``, each entry a number, a country and an arm (`army`, `naval`,
`elite`, `jet`, `transport`, and the bombers and interceptors of chapter 26), perhaps ``inverted`` after it. Ships:
``Enterprise, Hornet, 8 cruisers, 4 britain destroyers``: named ships by name, light ships by a number of factors, a
country if it is another than that of the ships around, and a kind. Numbers by name: ``enterprise 6, hornet 6``.

Countries may be written as in files, by name or as an adjective: ``united-states``, ``United States``, ``American``.
What cannot be read is refused with the words quoted. Whether the rules allow it is not a matter of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from functools import cache
from typing import Any, NamedTuple

from flagplot.awaw.air_units import Arm
from flagplot.awaw.options import Options
from flagplot.awaw.ships import named_ship
from flagplot.awaw.state import Research
from flagplot.awaw.tables.nations import nations
from flagplot.kernel.errors import BadValue, Fault, UnknownName
from flagplot.kernel.options import read_options

MOST = 99
"""The largest number of units in one entry, as in scenario files."""

ARMS = {arm.value: arm for arm in Arm} | {"elite": Arm.ELITE}
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


# --- air units --------------------------------------------------------------------------------------------------


class Flight(NamedTuple):
    """Identical air units: so many, of a country and arm."""

    number: int
    nation: str
    arm: Arm
    inverted: bool = False


def read_flights(text: str, what: str) -> tuple[Flight, ...]:
    """The air units of ``4 united-states naval, 3 american army inverted``; `what` says whose they are."""
    return tuple(_flight(entry, what) for entry in entries(text))


def _flight(entry: str, what: str) -> Flight:
    words = entry.casefold().split()
    inverted = words[-1] == "inverted"
    number, *country, arm = words[: len(words) - inverted] if len(words) - inverted > 1 else ("", "")
    if not country:
        example = "a number, a country and an arm, such as 6 japan elite"
        raise BadValue(f"the {what} cannot be read", given=entry, allowed=[example])
    if arm == "air" and len(country) > 1:
        *country, arm = country
    if arm == "naval" and country[-1] == "elite" and len(country) > 1:
        *country, arm = country
    if arm not in ARMS:
        raise UnknownName(f"there is no such arm of air units among the {what}", given=entry, allowed=[*ARMS])
    return Flight(whole(number, entry, what), country_of(" ".join(country), entry), ARMS[arm], inverted)


# --- ships ------------------------------------------------------------------------------------------------------


def read_ships(
    text: str, what: str, nation: str = "", hits: dict[str, int] | None = None
) -> tuple[dict[str, Any], ...]:
    """The ships of ``Enterprise, Hornet, 8 cruisers, 4 britain destroyers``, as scenario files have them: country by
    country. Numbers of light ships are factors, but damaged cruisers are counted as ships, among the cruisers. Light
    ships without a country are of the `nation` given, or of the country of the named ship before them, or of the first
    one. `hits` are those of named ships (see `read_counts`)."""
    parts: dict[str, dict[str, Any]] = {}
    last, waiting = country_of(nation, nation) if nation else "", list[tuple[str, int]]()
    fixed = bool(last)
    for entry in entries(text):
        if not re.match(r"[-+\d]", entry):
            ship = named_ship(entry)
            _contingent(parts, ship.nation)["named"].append(ship.id)
            last = last if fixed else ship.nation
        else:
            kind, number, country = _light(entry, what)
            if country or last:
                _contingent(parts, country or last)[kind] += number
            else:
                waiting.append((kind, number))
    if waiting:
        if not last:
            remedy = "say whose they are, such as 8 japan cruisers"
            raise BadValue(f"the country of the {what} is not said", given=text, allowed=[remedy])
        for kind, number in waiting:
            _contingent(parts, last)[kind] += number
    _bear(parts, hits or {}, what)
    return tuple(parts.values())


def _contingent(parts: dict[str, dict[str, Any]], country: str) -> dict[str, Any]:
    return parts.setdefault(country, {"nation": country, "named": [], **dict.fromkeys(LIGHT_KINDS.values(), 0)})


def _light(entry: str, what: str) -> tuple[str, int, str]:
    """A kind as scenario files name it, its number, and the country if it is said."""
    number, *country, kind = entry.casefold().split() if " " in entry else (entry, "")
    if country and f"{country[-1]}-{kind}".rstrip("s") + "s" in LIGHT_KINDS:
        *country, kind = [*country[:-1], f"{country[-1]}-{kind}"]
    kind = kind if kind in LIGHT_KINDS else f"{kind}s"
    if kind not in LIGHT_KINDS:
        raise UnknownName(f"there is no such kind of light ship among the {what}", given=entry, allowed=[*LIGHT_KINDS])
    return LIGHT_KINDS[kind], whole(number, entry, what), country_of(" ".join(country), entry) if country else ""


def _bear(parts: dict[str, dict[str, Any]], hits: dict[str, int], what: str) -> None:
    """Hits that named ships already have; only on ships that are there."""
    for name, number in hits.items():
        part = next((part for part in parts.values() if name in part["named"]), None)
        if part is None:
            there = [named_ship(one).name for part in parts.values() for one in part["named"]]
            raise BadValue(f"there is no such ship among the {what}", given=name, allowed=there)
        part.setdefault("hits", {})[name] = number


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
            raise BadValue(f"this is named twice among the {what}", given=entry)
        read[key] = number
    return read


# --- research and readings --------------------------------------------------------------------------------------


def read_research(text: str, sides: Mapping[str, Iterable[str]]) -> dict[str, dict[str, int]]:
    """Research results by country from ``defenders:air_defense=1, japan:air_drm=1``: before the colon a side, whose
    countries all have the result, or one of those countries."""
    known = [part.name for part in fields(Research)]
    members = {side: list(dict.fromkeys(countries)) for side, countries in sides.items()}
    read: dict[str, dict[str, int]] = {}
    for entry in entries(text):
        found = re.fullmatch(r"([^:=]+):\s*([\w-]+)\s*=\s*([-+]?\d+)", entry)
        if found is None:
            example = f"{next(iter(sides), 'side')}:air_defense=1"
            raise BadValue("this research result cannot be read", given=entry, allowed=[example])
        name = found[2].replace("-", "_")
        if name not in known:
            raise UnknownName("there is no such research result", given=entry, allowed=known)
        there = members.get(found[1].strip()) or [country_of(found[1], entry)]
        if not any(there[0] in countries for countries in members.values()):
            raise BadValue("this country takes no part", given=entry, allowed=[*members])
        for country in there:
            read.setdefault(country, {})[name] = whole(found[3], entry, "research results", least=0)
    return read


def read_readings(given: Sequence[str] | dict[str, Any]) -> tuple[Options, dict[str, Any]]:
    """The options of ``name=value`` texts (or of a dict), and those among them that differ from the usual."""
    read: dict[str, Any] = dict(given) if isinstance(given, dict) else {}
    for entry in () if isinstance(given, dict) else given:
        name, mark, value = entry.partition("=")
        if not mark:
            raise BadValue("an option is a name and a value", given=entry, allowed=["classic=true"])
        read[name.strip()] = {"true": True, "false": False}.get(value.strip(), value.strip())
    faults: list[Fault] = []
    options = read_options(Options(), read, "option", faults)
    if faults:
        shown = ", ".join(f"{name}={value}" for name, value in read.items())
        raise BadValue("; ".join(map(str, faults)), given=shown)
    usual = Options()
    return options, {name: value for name, value in read.items() if getattr(usual, name) != value}


# --- small words ------------------------------------------------------------------------------------------------


def entries(text: str) -> list[str]:
    """The entries of a text, between commas."""
    return [entry for part in text.split(",") if (entry := " ".join(part.split()))]


def whole(text: str, entry: str, what: str, least: int = 1, most: int = MOST) -> int:
    """A whole number within bounds; the whole entry is quoted if it is none."""
    if not re.fullmatch(r"[-+]?\d{1,9}", text) or not least <= int(text) <= most:
        raise BadValue(f"a number among the {what} is from {least} to {most}", given=entry)
    return int(text)


def read_whole(given: int | str | None, what: str, least: int = 0, most: int = MOST, rule: str = "") -> int:
    """A number on its own, 0 if nothing is given."""
    if given is None:
        return 0
    text = str(given).strip()
    if isinstance(given, bool) or not re.fullmatch(r"[-+]?\d{1,9}", text) or not least <= int(text) <= most:
        raise BadValue(f"the {what} should be a whole number from {least} to {most}", given=given, rule=rule)
    return int(text)


def country_of(words: str, entry: str) -> str:
    """The country of a name as files have it, a name for people or an adjective."""
    known, slug = _countries(), "-".join(words.casefold().split())
    if slug not in known:
        near = dict.fromkeys(known[one] for one in get_close_matches(slug, known, n=3))
        raise UnknownName("there is no such country", given=entry, allowed=[*(near or nations())])
    return known[slug]


@cache
def _countries() -> dict[str, str]:
    """Every way to write a country; a name in files goes before an adjective."""
    ways: dict[str, str] = {}
    for entry in nations().values():
        for way in (entry.id, entry.name, entry.adjective):
            ways.setdefault("-".join(way.casefold().split()), entry.id)
    return ways
