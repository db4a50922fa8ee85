"""The Air and Naval Nationality Charts: a ledger for each kind of unit of each country."""

from __future__ import annotations

from typing import Final, TypedDict, Unpack

from flagplot.awaw.tables.count_table import remembered
from flagplot.awaw.tables.nations import Nation, base, nation
from flagplot.awaw.tables.sheets import Modifier, Sheet, sheet
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.ledger import Ledger, Line
from flagplot.kernel.rules import rule

ARMS: Final = ("army", "naval", "jet", "transport", "interceptor", "bomber", "pacific-bomber")
KINDS: Final = (
    "battleship",
    "battlecruiser",
    "pocket-battleship",
    "cruiser",
    "destroyer",
    "cvl",
    "cv",
    "cvb",
    "cve",
    "transport",
    "submarine",
)
AIR_CHARTS: Final = {"19.31A": "air-nationality", "23.441A": "air-nationality-23"}
SUPPLY_AND_OIL: Final = ("once", "each")


class Condition(TypedDict, total=False):
    """What else changes the DRM of a nation's units; `supply_and_oil` says whether partial supply and oil effects
    together count once or each."""

    short_supply: bool
    oil: bool
    research: int
    supply_and_oil: str


@rule(
    "19.31A",
    "17.352A",
    "T19.31A",
    "T19.31A-01",
    "T19.31A-02",
    "T19.31A-03",
    "T19.31A-04",
    "T19.31A-05",
    "T19.31A-06",
    "T19.31A-07",
    "T19.31A-08",
    "T19.31A-09",
    "T23.441A",
    "T23.441A-01",
    "T23.441A-02",
    "T23.441A-03",
    "T23.441A-04",
    "T23.441A-05",
)
@remembered
def air_nationality(
    name: str, *, arm: str, elite: bool = False, winter: int = 0, chart: str = "19.31A", **condition: Unpack[Condition]
) -> Ledger:
    """19.31A: the Air Nationality DRM of one arm, by the chart of chapter 19 or the older one of 23."""
    country = nation(name)
    _known(arm, ARMS, "no such arm of the air forces")
    printed = sheet(AIR_CHARTS[_known(chart, tuple(AIR_CHARTS), "no such Air Nationality Chart")])
    _checked_elite(printed, elite, arm, name)
    lines = [_base_line(printed, country, "Air")]
    lines += [_line(modifier) for modifier in _for(printed, arm, name) if modifier.key != "elite" or elite]
    lines += _counted(printed, "winter", _natural(winter, "a winter effect"))
    lines += _lines_of(printed, "air oil effects", condition)
    return Ledger(lines)


@rule(
    "22.552A.5.1",
    "22.552A.5.2",
    "T22.552A",
    "T22.552A-01",
    "T22.552A-02",
    "T22.552A-03",
    "T22.552A-04",
    "T22.552A-05",
    "T22.552A-06",
    "T22.552A-07",
    "T22.552A-08",
    "T22.552A-09",
    "T23.441B",
    "T23.441B-01",
    "T23.441B-02",
    "T23.441B-03",
    "T23.441B-04",
    "T23.441B-05",
)
@remembered
def naval_nationality(name: str, *, kind: str, five_factor: bool = False, **condition: Unpack[Condition]) -> Ledger:
    """22.552A: the Naval Nationality DRM of one kind of ship."""
    country = nation(name)
    _known(kind, KINDS, "no such kind of ship")
    if five_factor and kind != "battleship":
        raise BadValue("five factors matter for battleships alone", given=kind, allowed=("battleship",), rule="22.552A")
    printed = sheet("naval-nationality")
    applying = _for(printed, kind, name) or _for(printed, kind, "other")
    lines = [_base_line(printed, country, "Naval"), *map(_line, applying)]
    lines += _counted(printed, "five-factor", int(five_factor))
    lines += _lines_of(printed, "naval oil effects", condition)
    return Ledger(lines)


def _base_line(printed: Sheet, country: Nation, what: str) -> Line:
    """The DRM that the chart prints for a country, or 0 with the reason why."""
    title = f"{what} Nationality DRM of {{}}"
    entry = base(printed.name, country.id)
    if entry is not None and not entry.assumed:
        return Line(entry.drm, (title, country.name), printed.rule)
    if entry is not None:
        return Line(entry.drm, (title + ": {}", country.name, entry.assumed), printed.rule)
    others = printed.extra.get("others")
    if others is not None and not country.major:
        return Line(others["drm"], (title + ": {}", country.name, others["words"]), printed.rule)
    return Line(0, (title + ": not on the chart, 0 is an assumption", country.name), printed.rule)


def _for(printed: Sheet, kind: str, name: str) -> list[Modifier]:
    """The modifiers that the chart prints for a kind of unit, of all countries or of this one."""
    return [line for line in printed.lines if kind in line.of or f"{kind}/{name}" in line.of]


def _line(modifier: Modifier) -> Line:
    return Line(modifier.amount, modifier.words, modifier.rule)


def _counted(printed: Sheet, key: str, count: int) -> list[Line]:
    modifier = printed.modifier(key)
    line = modifier.line({key.replace("-", "_"): count}) if modifier else None
    return [line] if line else []


def _lines_of(printed: Sheet, oil_words: str, condition: Condition) -> list[Line]:
    """The penalty for partial supply and for oil effects, one for both together or one for each; then research."""
    lines = _shortages(printed, oil_words, condition)
    return lines + _counted(printed, "research", _natural(condition.get("research", 0), "a number of research results"))


def _shortages(printed: Sheet, oil_words: str, condition: Condition) -> list[Line]:
    together = condition.get("supply_and_oil", "once")
    _known(together, SUPPLY_AND_OIL, "partial supply and oil effects together count once or each")
    reasons = ["partial supply"] * condition.get("short_supply", False) + [oil_words] * condition.get("oil", False)
    modifier = printed.modifier("supply-or-oil")
    if modifier is None or not reasons:
        return []
    if together == "once":
        reasons = [" and ".join(reasons)]
    return [Line(modifier.amount, reason, modifier.rule) for reason in reasons]


def _checked_elite(printed: Sheet, elite: bool, arm: str, name: str) -> None:
    modifier = printed.modifier("elite")
    if elite and modifier is not None and f"{arm}/{name}" not in modifier.of:
        raise BadValue(
            "no elite air units of this country and arm", given=f"{arm}/{name}", allowed=modifier.of, rule="17.352"
        )


def _known(given: str, allowed: tuple[str, ...], message: str) -> str:
    if given not in allowed:
        raise UnknownName(message, given=given, allowed=allowed)
    return given


def _natural(given: int, what: str) -> int:
    if given < 0:
        raise BadValue(f"{what} is not negative", given=given, allowed=("0 or more",))
    return given
