"""A battle that somebody types: what was read of it, force by force, with its totals and their limits.

All of it is made from the text, in one of the desk's processes (`Calculator.ask_built`): the text comes from strangers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from flagplot import library
from flagplot.awaw.board.units import air_of, ships_of
from flagplot.awaw.forces import read_force
from flagplot.awaw.options import Options
from flagplot.awaw.ships import is_slow
from flagplot.awaw.state.battle import Group
from flagplot.awaw.views.units import flights, ships_seen
from flagplot.board.model import Counter, Stack
from flagplot.briefing.briefing import brief
from flagplot.builder import Line, Note, Problem, Reading, Total, read, to_toml, totals
from flagplot.builder.writing import completed
from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.words import plural
from flagplot.table.build_edits import changed

NAVAL = "naval-battle"
TRIED = 3
"""Ships of a side that are tried for one that might stay away."""
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


class Tray(NamedTuple):
    """A force or a base."""

    path: str
    line: int
    title: str
    aside: str
    where: str
    counters: tuple[Counter, ...]
    parts: tuple[Part, ...]
    meters: tuple[Total, ...]
    """Its totals beside their limits."""


class Side(NamedTuple):
    """All that a side has."""

    id: str
    name: str
    nation: str
    total: str
    trays: tuple[Tray, ...]
    stacks: tuple[Stack, ...] = ()
    """Of kinds of battles whose forces are shown as they are at the table."""


@dataclass(frozen=True, slots=True)
class Built:
    """A text as it was read, and what came of it."""

    text: str
    title: str
    kind: str
    problems: tuple[Problem, ...]
    notes: tuple[Note, ...]
    lines: tuple[Line, ...]
    sides: tuple[Side, ...]
    document: Mapping[str, Any] | None
    """The scenario, if nothing is wrong; or as it will be if every suggestion is taken."""
    toml: str
    """The scenario file, if nothing is wrong."""
    ifs: tuple[tuple[str, str], ...] = ()
    """Ships that might stay away, and the text without each."""

    @property
    def ready(self) -> bool:
        return bool(self.toml)

    @property
    def estimates(self) -> list[Note]:
        return [note for note in self.notes if note.estimate]


def built(text: str) -> Built:
    """What a text says."""
    reading = read(text)
    draft, sides = reading.draft, tuple(_sides(reading))
    document = reading.document or read(corrected(text, reading.problems)).document
    return Built(
        text,
        str(draft.get("title", "")),
        str(draft.get("kind", NAVAL)),
        reading.problems,
        reading.notes,
        reading.lines,
        sides,
        document,
        to_toml(reading.document) if reading.document is not None else "",
        tuple(_ifs(text, sides)) if reading.document is not None else (),
    )


def _ifs(text: str, sides: tuple[Side, ...]) -> Iterator[tuple[str, str]]:
    """The largest carrier of each side, or its largest ship, if the battle can be fought without her."""
    for side in sides:
        sizes = {one.label: (one.silhouette == "carrier", one.factors) for tray in side.trays for one in tray.counters}
        ships = [part for tray in side.trays for part in tray.parts if not part.step and part.name in sizes]
        best = sorted(ships, key=lambda part: sizes[part.name], reverse=True)[:TRIED]
        without = [(part.name, changed(text, {}, part.path)) for part in best]
        yield from [one for one in without if read(one[1]).document is not None][:1]


def corrected(text: str, problems: tuple[Problem, ...]) -> str:
    """The text with every suggestion taken."""
    lines = text.split("\n")
    for one in sorted(problems, reverse=True):
        if one.suggestion and one.line <= len(lines):
            line, begin = lines[one.line - 1], one.column - 1
            lines[one.line - 1] = line[:begin] + one.suggestion + line[begin + one.length :]
    return "\n".join(lines)


# --- forces -------------------------------------------------------------------------------------------------------


def _sides(reading: Reading) -> Iterator[Side]:
    draft = reading.draft
    if draft.get("game", "awaw") != "awaw" or draft.get("kind", NAVAL) != NAVAL:
        yield from _as_at_the_table(reading)
        return
    meters = {one.path: one.figures for one in totals(draft)}
    at = {line.path: line.line for line in reading.lines if line.path}
    for entry in draft.get("sides", ()):
        side = entry["id"]
        trays = [*_forces(draft, side, at, meters), *_bases(draft, side, at, meters), *_submarines(draft, side, at)]
        nation = next(iter(entry.get("nations", ())), side)
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
                entry.get("origin", ""),
                (*ships_of(ships_seen(group.ships)), *air_of(flights(group.air))) if group else (),
                tuple(_parts(entry, path)),
                meters.get(path, ()),
            )


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


def _bases(draft: Mapping[str, Any], side: str, at: Mapping[str, int], meters: Meters) -> Iterator[Tray]:
    for number, entry in enumerate(draft.get("bases", ())):
        if entry.get("side") == side:
            path = f"bases[{number}]"
            counters = [_flight(some) for some in entry.get("air", ())]
            hex_ = entry.get("at")
            where = f"hex {hex_[0]},{hex_[1]}" if isinstance(hex_, list) and len(hex_) == 2 else ""
            parts = tuple(_parts(entry, path))
            name = entry.get("name", "")
            yield Tray(path, at.get(path, 0), name, "base", where, tuple(counters), parts, meters.get(path, ()))


def _flight(some: Mapping[str, Any]) -> Counter:
    number = some.get("factors") or some.get("squadrons", 0)
    arm = {"army": "Army", "elite-naval": "Elite"}.get(some.get("arm", ""), str(some.get("arm", "naval")).capitalize())
    words = f"{number} {arm.lower()} air"
    return Counter(text=words, silhouette="plane", label=arm, nation=some.get("nation", ""), count=number)


def _submarines(draft: Mapping[str, Any], side: str, at: Mapping[str, int]) -> Iterator[Tray]:
    for number, entry in enumerate(draft.get("submarines", ())):
        if entry.get("side") == side:
            path, many = f"submarines[{number}]", entry.get("factors", 0)
            counter = Counter(
                text=plural(many, "submarine factor"),
                silhouette="submarine",
                label="Subs",
                nation=entry.get("nation", ""),
                factors=many,
            )
            parts = (Part(f"{path}.factors", "submarine factors", many),)
            yield Tray(path, at.get(path, 0), "Submarines", "", entry.get("origin", ""), (counter,), parts, ())


def _total(trays: list[Tray]) -> str:
    counters = [one for tray in trays for one in tray.counters]
    size = sum([one.factors for one in counters if one.silhouette not in ("plane", "submarine")])
    air = sum([one.count for one in counters if one.silhouette == "plane"])
    told = [plural(size, "factor")] * bool(size) + [plural(air, "air unit")] * bool(air)
    return " · ".join(told) or "nothing yet"


def _as_at_the_table(reading: Reading) -> Iterator[Side]:
    """The forces of other kinds of battles, as soon as nothing is wrong."""
    if reading.document is None:
        for entry in reading.draft.get("sides", ()):
            nation = next(iter(entry.get("nations", ())), entry["id"])
            yield Side(entry["id"], entry["name"], nation, "shown when nothing is wrong", ())
        return
    for camp in brief(library.load(reading.document, seed=0), UMPIRE).camps:
        total = plural(camp.factors, "factor") if camp.factors else ""
        yield Side(camp.side, camp.name, camp.nation, total, (), camp.stacks)
