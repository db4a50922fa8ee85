"""The small language for forces in questions of odds, on the command line and in Python alike.

Air units: ``4 united-states naval, 3 united-states army``, each entry a number, a country and an arm (`army`, `naval`,
`elite`, `jet`, `transport`, and the bombers and interceptors of chapter 26), perhaps ``inverted`` after it. How ships
are written stands in `flagplot.odds.ship_lists`.

Countries may be written as in files, by name or as an adjective: ``united-states``, ``United States``, ``American``.
What cannot be read is refused with the words quoted. Whether the rules allow it is not a matter of the language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from functools import cache
from typing import Any, NamedTuple, TypeVar

from flagplot.awaw.air_units import Arm
from flagplot.awaw.options import Options
from flagplot.awaw.state.setting import Defenses, Research
from flagplot.awaw.tables.nations import nations
from flagplot.kernel.errors import BadValue, Fault, FlagplotError, UnknownName
from flagplot.kernel.options import read_options
from flagplot.kernel.words import listing
from flagplot.odds.questions.question import MOST
from flagplot.odds.questions.shared import ATTACKERS, DEFENDERS, SIDES

T = TypeVar("T")
ARMS = {arm.value: arm for arm in Arm} | {"elite": Arm.ELITE}


# --- air units --------------------------------------------------------------------------------------------------


class Flight(NamedTuple):
    """Identical air units: so many, of a country and arm."""

    number: int
    nation: str
    arm: Arm
    inverted: bool = False


Flights = tuple[Flight, ...]


def read_flights(text: str, what: str) -> Flights:
    """The air units of ``4 united-states naval, 3 american army inverted``; `what` says whose they are."""
    return tuple(all_read(entries(text), lambda entry: _flight(entry, what)))


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
        raise UnknownName(f"no such arm of air units among the {what}", given=entry, allowed=[*ARMS])
    return Flight(whole(number, entry, what), country_of(" ".join(country), entry), ARMS[arm], inverted)


def described_flights(flights: Flights, noun: str = "") -> str:
    """Air units for people: ``6 Japanese elite and 2 Japanese army squadrons``; without a noun they may be factors."""
    told = [
        f"{one.number} {nations()[one.nation].adjective} {'elite' if one.arm is Arm.ELITE else one.arm.value}"
        + " inverted" * one.inverted
        for one in flights
    ]
    alone = sum([one.number for one in flights]) == 1
    return listing(told) + (f" {noun}{'s' * (not alone)}" if noun else "")


# --- research and readings --------------------------------------------------------------------------------------


class Result(NamedTuple):
    """A research result: of a side, whose countries all have it, or of a country."""

    who: str
    name: str
    number: int
    entry: str


Results = tuple[Result, ...]


def read_research(text: str) -> Results:
    """The research results of ``defenders:air_defense=1, japan:air_drm=1``."""
    return tuple([_result(entry) for entry in entries(text)])


def _result(entry: str) -> Result:
    found = re.fullmatch(r"([^:=]+):\s*([\w-]+)\s*=\s*([-+]?\d+)", entry)
    if found is None:
        raise BadValue("this research result cannot be read", given=entry, allowed=[f"{ATTACKERS}:air_defense=1"])
    name, known = found[2].replace("-", "_"), [part.name for part in fields(Research)]
    if name not in known:
        raise UnknownName("no such research result", given=entry, allowed=known)
    who = found[1].strip()
    country = who if who in (ATTACKERS, DEFENDERS) else country_of(who, entry)
    return Result(country, name, whole(found[3], entry, "research results", least=0), entry)


def by_country(results: Results, sides: Mapping[str, Iterable[str]]) -> dict[str, dict[str, int]]:
    """Research results of the countries that take part."""
    members = {side: list(dict.fromkeys(countries)) for side, countries in sides.items()}
    known: dict[str, dict[str, int]] = {}
    for result in results:
        there = members.get(result.who, [result.who])
        if not any(there[0] in countries for countries in members.values()):
            raise BadValue("this country takes no part", given=result.entry, allowed=[*members])
        for country in there:
            known.setdefault(country, {})[result.name] = result.number
    return known


class Readings(NamedTuple):
    """The readings of the rules that count, and those among them that differ from the usual."""

    chosen: Options
    unusual: dict[str, Any]


def read_readings(given: Sequence[str] | dict[str, Any]) -> Readings:
    """The readings of ``name=value`` texts, or of a dict."""
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
    return Readings(options, {name: value for name, value in read.items() if getattr(usual, name) != value})


# --- what belongs to one question ---------------------------------------------------------------------------------

SYMBOLS = {"city": "cities_and_ports", "cities": "cities_and_ports", "airbase": "airbases", "airbases": "airbases"}
SYMBOLS |= {"flak": "flak", "objective": "objectives", "objectives": "objectives"}
SYMBOLS |= {"anchor": "anchors", "anchors": "anchors"}
STRONG = {"fortification": 1, "fortress": 2}


def read_port(text: str) -> Defenses:
    """What stands in a port against air attacks: ``1 city, 1 airbase, 2 flak, fortress``; the port itself is there."""
    counted = Defenses(cities_and_ports=1)._asdict()
    for entry in entries(text):
        number, _, name = entry.casefold().rpartition(" ")
        if name in STRONG and number in ("", "1"):
            counted["fortification"] = STRONG[name]
        elif name in SYMBOLS:
            counted[SYMBOLS[name]] += whole(number or "1", entry, "defenses of the port")
        else:
            raise UnknownName("no such defense of a port", given=entry, allowed=[*SYMBOLS, *STRONG])
    return Defenses(**counted)


def read_groups(text: str, what: str) -> tuple[int, ...]:
    """Combat group numbers, ``1,3,5``: each from 1 to 6 and each once (22.423)."""
    words = [word for word in re.split(r"[,\s]+", text) if word]
    numbers = [int(word) for word in words if re.fullmatch("[1-6]", word)]
    if not words or len(numbers) < len(words) or len(set(numbers)) < len(numbers):
        message = f"number the {what} from 1 to 6, each once"
        raise BadValue(message, given=text, allowed=["1,3,5"], rule="22.423")
    return tuple(sorted(numbers))


def read_searchers(text: str) -> dict[str, int]:
    """The searching squadrons of ``us=3,them=6`` (22.9413)."""
    read: dict[str, int] = {}
    for entry in entries(text):
        side, _, number = entry.partition("=")
        if side.strip().casefold() not in SIDES or not number:
            raise BadValue("say whose squadrons search", given=entry, allowed=["us=3,them=6"], rule="22.9413")
        read[side.strip().casefold()] = read_whole(number, "number of searching squadrons", rule="22.9413")
    return read


# --- small words ------------------------------------------------------------------------------------------------


def entries(text: str) -> list[str]:
    """The entries of a text, between commas."""
    return [entry for part in text.split(",") if (entry := " ".join(part.split()))]


def all_read(found: Sequence[str], read: Callable[[str], T]) -> list[T]:
    """Each entry as it is read. One that cannot be is refused by itself, several are refused together."""
    values, faults = list[T](), list[FlagplotError]()
    for entry in found:
        try:
            values.append(read(entry))
        except FlagplotError as refusal:
            faults.append(refusal)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise BadValue("; ".join(map(str, faults)))
    return values


def whole(text: str, entry: str, what: str, least: int = 1, most: int = MOST) -> int:
    """A whole number within bounds; the whole entry is quoted if it is none."""
    if not re.fullmatch(r"[-+]?\d{1,9}", text) or not least <= int(text) <= most:
        raise BadValue(f"a number is from {least} to {most} ({what})", given=entry)
    return int(text)


def read_whole(given: int | str, what: str, least: int = 0, most: int = MOST, rule: str = "") -> int:
    """A number on its own."""
    text = str(given).strip()
    if isinstance(given, bool) or not re.fullmatch(r"[-+]?\d{1,9}", text) or not least <= int(text) <= most:
        raise BadValue(f"the {what} should be a whole number from {least} to {most}", given=given, rule=rule)
    return int(text)


def country_of(words: str, entry: str) -> str:
    """The country of a name as files have it, a name for people or an adjective."""
    known, slug = _countries(), "-".join(words.casefold().split())
    if slug not in known:
        near = dict.fromkeys(known[one] for one in get_close_matches(slug, known, n=3))
        raise UnknownName("no such country", given=entry, allowed=[*(near or nations())])
    return known[slug]


@cache
def _countries() -> dict[str, str]:
    """Every way to write a country; a name in files goes before an adjective."""
    ways: dict[str, str] = {}
    for entry in nations().values():
        for way in (entry.id, entry.name, entry.adjective):
            ways.setdefault("-".join(way.casefold().split()), entry.id)
    return ways
