"""The forces, bases and counters of a typed battle as trays: their counters, their limits, and what a click changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from flagplot.awaw.board.units import air_of, ships_of
from flagplot.awaw.forces import ACTIVITIES, read_force
from flagplot.awaw.options import Options
from flagplot.awaw.ships import is_slow
from flagplot.awaw.state.battle import Group
from flagplot.awaw.views.units import flights, ships_seen
from flagplot.board.model import Counter, Silhouette
from flagplot.builder import Reading, Total, totals
from flagplot.builder.lines import FACTORS
from flagplot.builder.writing import completed
from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.words import plural

NAVAL = "naval-battle"
STEPS = {"cruisers": 2, "damaged_cruisers": 1}
"""By how much a stepper changes the factors of light ships; others by one."""
LIGHT = {
    "cruisers": "cruiser factors",
    "destroyers": "destroyer factors",
    "laden_destroyers": "laden destroyer factors",
    "cves": "escort carriers",
    "transports": "transports",
    "laden_transports": "laden transports",
}
Meters = Mapping[str, tuple[Total, ...]]
"""The totals of forces and bases, by their places in the scenario."""


class Part(NamedTuple):
    """A number of a force that a stepper changes, or a named ship that can be taken out."""

    path: str
    """Where it stands in the scenario: ``forces[0].ships[0].cruisers``."""
    name: str
    number: int
    step: int = 1
    """0 for a ship with a name."""
    least: int = 0


class Pick(NamedTuple):
    """One of some words that a force has."""

    path: str
    name: str
    value: str
    choices: tuple[str, ...]


class Tray(NamedTuple):
    """A force or a base."""

    path: str
    line: int
    title: str
    aside: str
    where: str
    counters: tuple[Counter, ...]
    parts: tuple[Part, ...]
    meters: tuple[Total, ...] = ()
    """Its totals beside their limits."""
    picks: tuple[Pick, ...] = ()


class Side(NamedTuple):
    """All that a side has."""

    id: str
    name: str
    nation: str
    total: str
    trays: tuple[Tray, ...]


def sides_of(reading: Reading) -> Iterator[Side]:
    """Both sides, as far as the text says what they have."""
    draft = reading.draft
    at = {line.path: line.line for line in reading.lines if line.path}
    meters = {one.path: one.figures for one in totals(draft)}
    for number, entry in enumerate(draft.get("sides", ())):
        side = entry["id"]
        nation = next(iter(entry.get("nations", ())), side)
        if draft.get("game", "awaw") != "awaw":
            trays = [*_lines(entry, number, nation)]
            yield Side(side, entry["name"], nation, _counted(trays), tuple(trays))
            continue
        trays = [
            *_forces(draft, side, at, meters),
            *_carriers(draft, side, at),
            *_bases(draft, side, at, meters),
            *_submarines(draft, side, at),
        ]
        yield Side(side, entry["name"], nation, _total(trays), tuple(trays))


def _forces(draft: Mapping[str, Any], side: str, at: Mapping[str, int], meters: Meters) -> Iterator[Tray]:
    data = completed(draft)
    for number, entry in enumerate(draft.get("forces", ())):
        if entry.get("side") == side:
            path = f"forces[{number}]"
            group = _group(data, number)
            yield Tray(
                path,
                at.get(path, 0),
                entry.get("name", "").removeprefix("the "),
                _aside(entry, group),
                _place(draft, entry),
                (*ships_of(ships_seen(group.ships)), *air_of(flights(group.air))) if group else (),
                tuple(_parts(entry, path)),
                meters.get(path, ()),
                tuple(_picks(draft, entry, path)),
            )


def _place(draft: Mapping[str, Any], entry: Mapping[str, Any]) -> str:
    """Where a force is, or comes from."""
    home = str(entry.get("base") or entry.get("origin") or "")
    name = next((str(base["name"]) for base in draft.get("bases", ()) if base["id"] == home), home)
    return f"at sea, {entry['patrol']}" if entry.get("patrol") else name


def _picks(draft: Mapping[str, Any], entry: Mapping[str, Any], path: str) -> Iterator[Pick]:
    """22.552B: what a force of a battle is at sea for."""
    if draft.get("kind", NAVAL) == NAVAL:
        words = tuple([one.replace("-", " ") for one in ACTIVITIES])
        yield Pick(f"{path}.activity", "At sea for", entry.get("activity", "").replace("-", " "), words)


def _group(data: dict[str, Any], number: int) -> Group | None:
    try:
        return read_force(data["forces"][number], "", data, Options(), [])
    except (FlagplotError, LookupError, TypeError):  # half a line: what is wrong with it stands among the problems
        return None


def _aside(entry: Mapping[str, Any], group: Group | None) -> str:
    squadrons = sum([some.get("squadrons", 0) for some in entry.get("air", ())])
    told = [plural(squadrons, "squadron")] if squadrons else []
    told += ["slow"] if group and is_slow(group.ships) else []
    told += [entry["activity"].replace("-", " ")] if entry.get("activity") else []
    told += [f"carries {entry['cargo']}"] if entry.get("cargo") else []
    told += [f"from round {entry['arrives']} on"] if entry.get("arrives", 1) > 1 else []
    return ", ".join(told)


def _parts(entry: Mapping[str, Any], path: str) -> Iterator[Part]:
    for number, part in enumerate(entry.get("ships", ())):
        at = f"{path}.ships[{number}]"
        yield from [Part(f"{at}.named[{place}]", name, 1, 0) for place, name in enumerate(part.get("named", ()))]
        for key, words in LIGHT.items():
            if part.get(key):
                yield Part(f"{at}.{key}", words, part[key], STEPS.get(key, 1))
    for number, some in enumerate(entry.get("air", ())):
        key = "factors" if "factors" in some else "squadrons"
        arm = "elite squadrons" if some.get("elite") else "army air factors" if key == "factors" else "squadrons"
        yield Part(f"{path}.air[{number}].{key}", arm, some.get(key, 0))
    if "arrives" in entry:
        yield Part(f"{path}.arrives", "arrives in round", entry["arrives"], least=1)
    if under := entry.get("task_force") if isinstance(entry.get("task_force"), dict) else None:
        yield from _deck(under, f"{path}.task_force")


def _deck(entry: Mapping[str, Any], path: str) -> Iterator[Part]:
    """Carriers by name, and the squadrons aboard."""
    yield from [Part(f"{path}.ships[{place}]", ship["name"], 1, 0) for place, ship in enumerate(entry["ships"])]
    yield Part(f"{path}.squadrons", "elite squadrons" if entry.get("elite") else "squadrons", entry["squadrons"])


def _carriers(draft: Mapping[str, Any], side: str, at: Mapping[str, int]) -> Iterator[Tray]:
    """Carriers at sea in an air phase."""
    for number, entry in enumerate(draft.get("carriers", ())):
        if entry.get("side") == side:
            path, nation = f"carriers[{number}]", entry["nation"]
            ships = [_carrier(ship, nation) for ship in entry["ships"]]
            air = Counter(
                text=plural(entry["squadrons"], "squadron"),
                silhouette="plane",
                label="Elite" if entry.get("elite") else "Naval",
                nation=nation,
                count=entry["squadrons"],
            )
            counters = (*ships, *[air] * bool(entry["squadrons"]))
            yield Tray(path, at.get(path, 0), entry["name"], "at sea", _hex(entry), counters, tuple(_deck(entry, path)))


def _carrier(ship: Mapping[str, Any], nation: str) -> Counter:
    size = ship["size"]
    return Counter(
        text=f"{ship['name']}, carrier, {plural(size, 'factor')}",
        silhouette="carrier",
        label=ship["name"],
        nation=nation,
        factors=size,
        size=size,
    )


def _hex(entry: Mapping[str, Any]) -> str:
    at = entry.get("at")
    return f"hex {at[0]},{at[1]}" if isinstance(at, list) and len(at) == 2 else ""


def _bases(draft: Mapping[str, Any], side: str, at: Mapping[str, int], meters: Meters) -> Iterator[Tray]:
    for number, entry in enumerate(draft.get("bases", ())):
        if entry.get("side") == side:
            path = f"bases[{number}]"
            counters = [_flight(some) for some in entry.get("air", ())]
            parts, name = tuple(_parts(entry, path)), entry.get("name", "")
            yield Tray(path, at.get(path, 0), name, "base", _hex(entry), tuple(counters), parts, meters.get(path, ()))


def _flight(some: Mapping[str, Any]) -> Counter:
    number = some.get("factors") or some.get("squadrons", 0)
    arm = {"army": "Army", "elite-naval": "Elite"}.get(some.get("arm", ""), str(some.get("arm", "naval")).capitalize())
    words = f"{number} {arm.lower()} air"
    return Counter(text=words, silhouette="plane", label=arm, nation=some.get("nation", ""), count=number)


def _submarines(draft: Mapping[str, Any], side: str, at: Mapping[str, int]) -> Iterator[Tray]:
    for group in ("submarines", "flotillas"):
        for number, entry in enumerate(draft.get(group, ())):
            if entry.get("side") == side:
                path, many = f"{group}[{number}]", entry.get("factors", 0)
                counter = Counter(
                    text=plural(many, "submarine factor"),
                    silhouette="submarine",
                    label="Subs",
                    nation=entry.get("nation", ""),
                    factors=many,
                )
                parts = [Part(f"{path}.factors", "submarine factors", many, least=1)]
                yield Tray(path, at.get(path, 0), "Submarines", "", _place(draft, entry), (counter,), tuple(parts))


# --- Line of Battle -----------------------------------------------------------------------------------------------


def _lines(side: Mapping[str, Any], number: int, nation: str) -> Iterator[Tray]:
    """The ships and the aircraft of a side, whose factors are stepped."""
    for group, title in (("ships", "Ships"), ("lbas", "Aircraft")):
        entries = side.get(group, ())
        counters = tuple([_unit(entry, group, nation) for entry in entries])
        parts = [
            Part(f"sides[{number}].{group}[{place}].{key}", f"{entry['name']}: {key}", entry[key], least=_least(key))
            for place, entry in enumerate(entries)
            for key in FACTORS
            if key in entry
        ]
        if entries:
            yield Tray(f"{side['id']}-{group}", 0, title, plural(len(entries), "counter"), "", counters, tuple(parts))


def _least(key: str) -> int:
    """Everybody has a defense factor (LOB-18)."""
    return int(key in ("defense", "damage"))


def _unit(entry: Mapping[str, Any], group: str, nation: str) -> Counter:
    weapons = [(key, entry[key]) for key in ("gunnery", "torpedo", "airstrike") if entry.get(key)]
    kind: Silhouette = "plane" if group == "lbas" else "carrier" if entry.get("airstrike") else "cruiser"
    facts = tuple([f"{key} {factor}" for key, factor in weapons])
    return Counter(
        text=", ".join([entry["name"], *facts, f"defense {entry.get('defense', 0)}"]),
        silhouette=kind,
        label=entry["name"],
        nation=nation,
        value="·".join([str(factor) for _, factor in weapons]),
        factors=sum([factor for _, factor in weapons]),
    )


def _counted(trays: list[Tray]) -> str:
    return plural(sum([len(tray.counters) for tray in trays]), "counter") if trays else "nothing yet"


# --- totals -------------------------------------------------------------------------------------------------------


def _total(trays: list[Tray]) -> str:
    counters = [one for tray in trays for one in tray.counters]
    size = sum([one.factors for one in counters if one.silhouette not in ("plane", "submarine")])
    air = sum([one.count for one in counters if one.silhouette == "plane"])
    told = [plural(size, "factor")] * bool(size) + [plural(air, "air unit")] * bool(air)
    return " · ".join(told) or "nothing yet"
