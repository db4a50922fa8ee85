"""The settings above a typed battle: kind, map, date, who moves and who intercepts, codebreaking, winter, house rules.

Each is a line of the text. What a control shows is read from the text, and choosing something writes its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from flagplot import library
from flagplot.awaw.mapboard.reading import maps
from flagplot.builder import Line
from flagplot.kernel.options import describe
from flagplot.kernel.words import titled
from flagplot.table.build.built import Built
from flagplot.table.build.edits import reading_word

DATES = [f"{season} {year}" for year in range(1939, 1946) for season in ("Winter", "Spring", "Summer", "Fall")]
NAVAL, RAIDERS, AIR, BASE, OPERATION, TURN, LINES = (
    "Naval battle",
    "Raider battle",
    "Air phase",
    "Base attack",
    "Operation",
    "Air turn",
    "Line of Battle",
)
KINDS = (NAVAL, RAIDERS, AIR, BASE, OPERATION, TURN, LINES)
ON_MAP = (OPERATION, TURN)
NAMES = {"air-phase": AIR, "operation": OPERATION, "air-turn": TURN}


class Setting(NamedTuple):
    """A choice above the text."""

    path: str
    title: str
    value: str
    choices: list[str]
    usual: str
    """What it is if nothing is chosen."""
    aside: bool = False
    """Whether it stands with those that few battles need."""


class HouseRule(NamedTuple):
    """A reading that may be chosen: in words, and as it stands in the text."""

    name: str
    reading: str
    words: str
    about: str = ""


def kind_of(draft: Mapping[str, Any]) -> str:
    """What is played, as people call it."""
    if draft.get("game") == "line-of-battle":
        return BASE if draft.get("kind") == "base-attack" else LINES
    return RAIDERS if draft.get("raiders") else NAMES.get(str(draft.get("kind")), NAVAL)


def settings_of(found: Built) -> list[Setting]:
    """The settings that this kind of battle has."""
    kind, draft = kind_of(found.draft), found.draft
    sides = {entry["id"]: entry["name"] for entry in draft.get("sides", ()) if "id" in entry and "name" in entry}
    told = {line.path for line in found.lines}
    return [*_main(found, kind, sides, told), *_aside(draft, kind, sides, told)]


def _main(found: Built, kind: str, sides: Mapping[str, str], told: set[str]) -> Iterator[Setting]:
    draft = found.draft
    yield Setting("kind", "Kind", "" if kind == NAVAL else kind, [*KINDS[1:]], NAVAL)
    if kind in (*ON_MAP, BASE):
        names = [_map_name(one) for one in maps()]
        chosen = draft.get("map")
        yield Setting("map", "Map", _map_name(chosen) if isinstance(chosen, str) and chosen else "", names, "none")
    elif kind != LINES:
        theatre = str(draft.get("theatre", "")).capitalize() if "theatre" in told else ""
        yield Setting("theatre", "Theatre", theatre, ["Pacific", "Europe"], "by nations")
    if kind not in (LINES, BASE):
        yield Setting("date", "Date", _typed(found.lines, found.text, "date"), DATES, "any")
    mover = str(draft.get("attacker") or draft.get("phasing") or "")
    names = [*sides.values()]
    yield Setting("attacker", "Moves", sides.get(mover, "") if "attacker" in told else "", names, "first side")
    if kind == NAVAL and len(sides) == 2:
        other = next((name for side, name in sides.items() if side != mover), "")
        yield Setting("intercepts", "Intercepts", other, names, "")
    if kind in (NAVAL, *ON_MAP):
        yield _side("codebreaking", "Codebreaking", draft, sides)


def _aside(draft: Mapping[str, Any], kind: str, sides: Mapping[str, str], told: set[str]) -> Iterator[Setting]:
    if kind in (NAVAL, *ON_MAP):
        yield _side("tactical_codebreaking", "Tactical codebreaking", draft, sides, aside=True)
        yield _side("submarine_codebreaking", "Submarine codebreaking", draft, sides, aside=True)
    if kind in (NAVAL, RAIDERS, AIR):
        winters = {entry.get("winter", 0) for entry in draft.get("bases", ())}
        value = str(max(winters, default=0)) if "winter" in told else ""
        yield Setting("winter", "Winter effect", value, [str(number) for number in range(1, 13)], "none", True)
    if kind == NAVAL:
        rounds = str(draft.get("rounds", "")) if "rounds" in told else ""
        yield Setting("rounds", "Rounds at most", rounds, [str(number) for number in range(1, 21)], "12", True)
        public = str(draft.get("public", "")).capitalize() if "public" in told else ""
        yield Setting("public", "Both know", public, ["Ships", "Navies"], "forces", True)


def _side(path: str, title: str, draft: Mapping[str, Any], sides: Mapping[str, str], *, aside: bool = False) -> Setting:
    return Setting(path, title, sides.get(str(draft.get(path)), ""), [*sides.values()], "nobody", aside)


def _map_name(name: str) -> str:
    return name.replace("-", " ").title()


def _typed(lines: tuple[Line, ...], text: str, path: str) -> str:
    """What the text says of a setting."""
    found = next((line for line in lines if line.path == path), None)
    return text.split("\n")[found.line - 1].partition(":")[2].strip() if found else ""


# --- house rules --------------------------------------------------------------------------------------------------


def house_rules(draft: Mapping[str, Any]) -> list[HouseRule]:
    """Those that differ from the standard ones."""
    chosen = draft.get("options", {})
    known = {one.name: one.about for one in _described(draft)}
    return [HouseRule(name, reading_word(value), titled(name), known.get(name, "")) for name, value in chosen.items()]


def offered_rules(draft: Mapping[str, Any]) -> list[tuple[str, list[HouseRule]]]:
    """The readings that may be chosen instead of the standard ones, each under its rule."""
    offered = []
    for one in _described(draft):
        others = [value for value in one.alternatives if (type(value), value) != (type(one.default), one.default)]
        rules = [HouseRule(one.name, reading_word(value), titled(one.name), one.about) for value in others]
        offered.append((titled(one.name), rules))
    return offered


def _described(draft: Mapping[str, Any]) -> Any:
    return describe(type(library.ruleset(str(draft.get("game", "awaw"))).options))
