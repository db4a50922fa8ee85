"""The nationality charts: every country against the second copy, every modifier, every refusal."""

from __future__ import annotations

from pathlib import Path

import pytest

from flagplot.awaw.tables.charts import ARMS, KINDS, air_nationality, naval_nationality
from flagplot.awaw.tables.nations import nation, nations
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.words import say

COPY = Path(__file__).parent / "copies" / "nationality.txt"
CHARTED = [tuple(line.split()) for line in COPY.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]


def words(name: str, kind: str) -> str:
    return say(naval_nationality(name, kind=kind).lines[0].words)


@pytest.mark.rule("T19.31A", "T19.31A-01", "T19.31A-02", "T19.31A-03")
@pytest.mark.parametrize(("name", "air", "old_air", "naval"), CHARTED)
def test_air_chart(name: str, air: str, old_air: str, naval: str) -> None:
    ledger = air_nationality(name, arm="army")
    assert ledger.total == nation(name).air_drm == int(air.rstrip("?"))
    assert ("assumption" in say(ledger.lines[0].words)) == ("?" in air)
    assert nation(name).on_air_chart == ("?" not in air)


@pytest.mark.rule("T23.441A")
@pytest.mark.parametrize(("name", "air", "old_air", "naval"), CHARTED)
def test_air_chart_of_chapter_23(name: str, air: str, old_air: str, naval: str) -> None:
    ledger = air_nationality(name, arm="army", chart="23.441A")
    assert ledger.total == int(old_air.rstrip("?"))
    assert ("assumption" in say(ledger.lines[0].words)) == ("?" in old_air)


@pytest.mark.rule("T22.552A", "T22.552A-01", "T22.552A-02", "T22.552A-03", "T22.552A-04", "T23.441B")
@pytest.mark.parametrize(("name", "air", "old_air", "naval"), CHARTED)
def test_naval_chart(name: str, air: str, old_air: str, naval: str) -> None:
    ledger = naval_nationality(name, kind="cruiser")
    assert ledger.total == nation(name).naval_drm == int(naval.rstrip("?"))
    assert ("assumption" in say(ledger.lines[0].words)) == ("?" in naval)
    assert nation(name).on_naval_chart == ("?" not in naval)


@pytest.mark.rule("T19.31A-04", "T23.441A-01", "17.352A")
@pytest.mark.parametrize("chart", ["19.31A", "23.441A"])
def test_elite_japanese_naval_air(chart: str) -> None:
    assert air_nationality("japan", arm="naval", chart=chart).total == 2
    assert air_nationality("japan", arm="naval", elite=True, chart=chart).total == 3
    assert air_nationality("japan", arm="naval", elite=True, research=1, chart=chart).total == 4


@pytest.mark.rule("17.352A")
@pytest.mark.parametrize(("name", "arm"), [("japan", "army"), ("united-states", "naval"), ("britain", "naval")])
def test_nobody_else_is_elite(name: str, arm: str) -> None:
    with pytest.raises(BadValue, match="naval/japan"):
        air_nationality(name, arm=arm, elite=True)


@pytest.mark.rule("T19.31A-05", "T23.441A-02")
@pytest.mark.parametrize("chart", ["19.31A", "23.441A"])
def test_interceptors(chart: str) -> None:
    assert air_nationality("germany", arm="interceptor", chart=chart).total == 3
    assert air_nationality("italy", arm="interceptor", chart=chart).total == 2


@pytest.mark.rule("T19.31A-06")
def test_american_pacific_bombers() -> None:
    assert air_nationality("united-states", arm="pacific-bomber").total == 3
    assert air_nationality("united-states", arm="bomber").total == 2
    assert air_nationality("britain", arm="pacific-bomber").total == 2
    assert air_nationality("united-states", arm="pacific-bomber", chart="23.441A").total == 2


@pytest.mark.rule("T19.31A-07", "T23.441A-03")
@pytest.mark.parametrize("chart", ["19.31A", "23.441A"])
def test_british_naval_air(chart: str) -> None:
    assert air_nationality("britain", arm="naval", chart=chart).total == 1
    assert air_nationality("britain", arm="army", chart=chart).total == 2
    assert air_nationality("australia", arm="naval", chart=chart).total == 2


@pytest.mark.rule("T19.31A-08", "T23.441A-04")
@pytest.mark.parametrize("chart", ["19.31A", "23.441A"])
@pytest.mark.parametrize(("winter", "total"), [(0, 2), (7, 2), (8, 1), (9, 1), (12, 1)])
def test_winter(chart: str, winter: int, total: int) -> None:
    assert air_nationality("germany", arm="army", winter=winter, chart=chart).total == total


@pytest.mark.rule("T19.31A-09", "T23.441A-05")
@pytest.mark.parametrize("chart", ["19.31A", "23.441A"])
@pytest.mark.parametrize(
    ("short_supply", "oil", "counted", "total"),
    [
        (True, False, "once", 1),
        (False, True, "once", 1),
        (True, True, "once", 1),
        (True, True, "each", 0),
        (True, False, "each", 1),
        (False, False, "each", 2),
    ],
)
def test_air_supply_and_oil(chart: str, short_supply: bool, oil: bool, counted: str, total: int) -> None:
    ledger = air_nationality(
        "germany", arm="army", short_supply=short_supply, oil=oil, supply_and_oil=counted, chart=chart
    )
    assert ledger.total == total


@pytest.mark.rule("19.31A")
def test_research_raises_the_air_drm() -> None:
    ledger = air_nationality("germany", arm="army", research=2)
    assert ledger.total == 4
    assert {line.rule for line in ledger} == {"19.31A"}


@pytest.mark.parametrize("arm", [arm for arm in ARMS if arm not in ("interceptor", "naval", "pacific-bomber")])
def test_arms_without_a_modifier(arm: str) -> None:
    assert air_nationality("britain", arm=arm).total == 2


@pytest.mark.rule("T22.552A-05", "T23.441B-01", "22.552A.5.1")
def test_five_factor_battleships() -> None:
    assert naval_nationality("britain", kind="battleship", five_factor=True).total == 3
    assert naval_nationality("britain", kind="battleship").total == 2
    with pytest.raises(BadValue, match="cruiser"):
        naval_nationality("britain", kind="cruiser", five_factor=True)


@pytest.mark.rule("T22.552A-06", "T23.441B-02")
def test_german_submarines() -> None:
    assert naval_nationality("germany", kind="submarine").total == 3
    assert naval_nationality("germany", kind="cruiser").total == 2
    assert naval_nationality("united-states", kind="submarine").total == 2


@pytest.mark.rule("T22.552A-07", "T23.441B-03", "22.552A.5.2")
@pytest.mark.parametrize(
    ("name", "kind", "total"),
    [
        ("japan", "cvl", 1),
        ("united-states", "cvl", 0),
        ("japan", "cv", 1),
        ("britain", "cv", 0),
        ("germany", "cv", 0),
        ("united-states", "cve", 0),
        ("russia", "cve", -2),
    ],
)
def test_carriers_at_minus_two(name: str, kind: str, total: int) -> None:
    assert naval_nationality(name, kind=kind).total == total


@pytest.mark.rule("T22.552A-08", "T23.441B-04", "22.552A.5.2")
@pytest.mark.parametrize(
    ("name", "kind", "total"),
    [
        ("italy", "cvl", 0),
        ("germany", "cvl", 1),
        ("britain", "cvl", 1),
        ("united-states", "cvb", 1),
        ("japan", "cvb", 2),
    ],
)
def test_carriers_at_minus_one(name: str, kind: str, total: int) -> None:
    assert naval_nationality(name, kind=kind).total == total


def test_light_carriers_of_others_are_an_assumption() -> None:
    ledger = naval_nationality("france", kind="cvl")
    assert ledger.total == 0
    assert "assumption" in say(ledger.lines[1].words)
    named = naval_nationality("japan", kind="cvl")
    assert "assumption" not in say(named.lines[1].words)


@pytest.mark.rule("T22.552A-09", "T23.441B-05")
@pytest.mark.parametrize(
    ("short_supply", "oil", "counted", "total"),
    [
        (True, False, "once", 2),
        (False, True, "once", 2),
        (True, True, "once", 2),
        (True, True, "each", 1),
        (False, False, "once", 3),
    ],
)
def test_naval_supply_and_oil(short_supply: bool, oil: bool, counted: str, total: int) -> None:
    ledger = naval_nationality("japan", kind="battleship", short_supply=short_supply, oil=oil, supply_and_oil=counted)
    assert ledger.total == total


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.startswith("cv")])
def test_ships_without_a_modifier(kind: str) -> None:
    assert naval_nationality("japan", kind=kind, research=1).total == 4


def test_countries_off_the_chart_say_so() -> None:
    assert "not on the chart" in words("poland", "destroyer")
    assert "France" in words("vichy-france", "battleship")
    assert "not on the chart" not in words("greece", "cruiser")


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UnknownName, match=r"atlantis.*germany"):
        air_nationality("atlantis", arm="army")
    with pytest.raises(UnknownName, match=r"zeppelin.*army"):
        air_nationality("germany", arm="zeppelin")
    with pytest.raises(UnknownName, match=r"monitor.*battleship"):
        naval_nationality("germany", kind="monitor")
    with pytest.raises(UnknownName, match=r"23\.441A"):
        air_nationality("germany", arm="army", chart="99")
    with pytest.raises(UnknownName, match="once or each"):
        naval_nationality("germany", kind="cruiser", supply_and_oil="twice")


def test_shortages_are_told_together_or_apart() -> None:
    once = naval_nationality("japan", kind="cv", short_supply=True, oil=True)
    assert say(once.lines[-1].words) == "partial supply and naval oil effects"
    each = air_nationality("japan", arm="army", short_supply=True, oil=True, supply_and_oil="each")
    assert [say(line.words) for line in each.lines[1:]] == ["partial supply", "air oil effects"]


def test_negative_values_are_refused() -> None:
    with pytest.raises(BadValue, match="-1"):
        air_nationality("germany", arm="army", winter=-1)
    with pytest.raises(BadValue, match="-2"):
        naval_nationality("germany", kind="cruiser", research=-2)


def test_ledgers_are_kept() -> None:
    assert air_nationality("japan", arm="naval") is air_nationality("japan", arm="naval")


def test_the_major_powers() -> None:
    majors = [country.id for country in nations().values() if country.major]
    assert majors == [
        "germany",
        "italy",
        "japan",
        "britain",
        "france",
        "russia",
        "united-states",
        "china",
    ]
    assert nation("dutch-east-indies").name == "Dutch East Indies"


def test_every_country_of_the_charts_is_known() -> None:
    assert {row[0] for row in CHARTED} <= set(nations())
