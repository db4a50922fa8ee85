"""The tables as the command line shows them, and the data files behind them."""

from __future__ import annotations

import re

import pytest

from flagplot.awaw.tables.catalogue import NAMES, TABLES, look_up, table
from flagplot.awaw.tables.nations import nations
from flagplot.awaw.tables.sheets import Sheet, sheet
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.register import register

SHEETS = (*NAMES, "air-nationality-23")
WITHOUT_LEVEL = ("submarine-attack", "search", "interception", "air-nationality", "naval-nationality")
WITHOUT_ROLL = ("search", "surprise", "interception", "air-nationality", "naval-nationality")


def cited(printed: Sheet) -> set[str]:
    """Every id of the register that a data file names."""
    lists = [printed.register, *(line.register for line in printed.lines)]
    lists += [*(limit.register for limit in printed.limits), *(base.register for base in printed.bases)]
    extra = [printed.extra.get("advanced"), printed.extra.get("others"), *printed.extra.get("effect", [])]
    lists += [tuple(entry["register"]) for entry in extra if entry]
    return {name for names in lists for name in names}


def test_the_names_of_the_tables() -> None:
    assert tuple(TABLES) == NAMES
    assert len(TABLES) == 9
    with pytest.raises(UnknownName, match=r"weather.*air-combat.*naval-nationality"):
        table("weather")
    with pytest.raises(KeyError):
        TABLES["weather"]


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_table_is_rectangular_text(name: str) -> None:
    printed = table(name)
    assert printed.name == name
    assert printed.rule in register()
    assert printed.rows
    for row in printed.rows:
        assert len(row) == len(printed.headings)
        assert all(isinstance(cell, str) for cell in row)


def test_a_printed_row() -> None:
    assert " ".join(TABLES["air-combat"].rows[2]) == "3 1/0 1/0 1/1 1/1 1/2 1/2 1/3 1/3 2/2 2/3 2/4"
    assert TABLES["naval-attack"].rows[0][:3] == ("", "1", "0")
    assert TABLES["search"].rows[0] == ("+1", "land-based squadrons on search", "3", "22.451A")
    assert ("7+", TABLES["surprise"].rows[6][1]) == TABLES["surprise"].rows[6][:2]


@pytest.mark.parametrize(
    ("name", "level", "roll", "by", "result", "used"),
    [
        ("air-combat", 23, 7, None, "8/10", ("20", "3")),
        ("air-combat", "3", "12", None, "2/4", ("3",)),
        ("air-combat", "1", " 2 ", None, "0", ("1",)),
        ("air-defense", 13, 7, None, "3/4", ("10", "3")),
        ("naval-attack", 23, 7, None, "13", ("20", "3")),
        ("naval-attack", 23, 7, "air", "13", ("20", "3")),
        ("naval-attack", 23, 7, "fleet", "5", ("22-24",)),
        ("naval-attack", 64, 12, "fleet", "16", ("58-60", "4")),
        ("submarine-attack", None, "2", None, "*", ()),
        ("submarine-attack", None, 9, None, "3", ()),
    ],
)
def test_look_ups(
    name: str, level: int | str | None, roll: int | str, by: str | None, result: str, used: tuple[str, ...]
) -> None:
    found = look_up(name, level=level, roll=roll, by=by)
    assert (found.table, found.result, found.rows_used) == (name, result, used)
    assert found.explanation


def test_a_look_up_explains_itself() -> None:
    assert look_up("air-combat", level=23, roll=14).explanation == (
        "a modified roll of 14 reads column 12+",
        "row 20, column 12+: 9/9",
        "row 3, column 12+: 2/4",
        "together 11/13",
    )
    assert look_up("air-combat", level=20, roll=7).explanation == ("row 20, column 7: 7/8",)
    assert look_up("submarine-attack", roll=-1).explanation == (
        "a modified roll of -1 reads column 2",
        "column 2: the attacking submarine factor is lost",
    )


def test_a_surprise_level_tells_all_its_effects() -> None:
    found = look_up("surprise", level=5)
    assert [line.split(":")[0] for line in found.explanation] == ["level 1", "level 2", "level 3", "level 5"]
    assert [look_up("surprise", level=level).rows_used for level in (4, 5, 6, 9)] == [("4",), ("5",), ("6",), ("7+",)]
    assert "three" in look_up("surprise", level=6).result


@pytest.mark.parametrize("level", [0, -1, "0", "three", "", "2.5", "1_0", "²", 10_001, "99999999999"])
def test_bad_levels(level: int | str) -> None:
    with pytest.raises(BadValue, match=re.escape(f"“{level}”")) as refusal:
        look_up("air-combat", level=level, roll=7)
    assert refusal.value.allowed


@pytest.mark.parametrize("roll", ["seven", "7.5", "", 10**6])
def test_bad_rolls(roll: int | str) -> None:
    with pytest.raises(BadValue, match=re.escape(f"“{roll}”")) as refusal:
        look_up("air-combat", level=3, roll=roll)
    assert refusal.value.allowed


def test_missing_levels_and_rolls() -> None:
    with pytest.raises(BadValue, match="level"):
        look_up("air-combat", roll=7)
    with pytest.raises(BadValue, match="roll"):
        look_up("air-defense", level=7)
    with pytest.raises(BadValue, match="roll"):
        look_up("submarine-attack")
    with pytest.raises(BadValue, match="search"):
        look_up("search")


@pytest.mark.parametrize("name", WITHOUT_LEVEL)
def test_tables_without_levels(name: str) -> None:
    with pytest.raises(BadValue, match="“4”"):
        look_up(name, level=4)


@pytest.mark.parametrize("name", WITHOUT_ROLL)
def test_tables_without_rolls(name: str) -> None:
    with pytest.raises(BadValue, match="“4”"):
        look_up(name, roll=4)


def test_attackers_of_the_wrong_kind() -> None:
    with pytest.raises(BadValue, match=r"submarines.*air or fleet"):
        look_up("naval-attack", level=3, roll=7, by="submarines")
    with pytest.raises(BadValue, match="fleet"):
        look_up("air-combat", level=3, roll=7, by="fleet")


@pytest.mark.parametrize("name", SHEETS)
def test_data_files_name_rules_of_the_register(name: str) -> None:
    printed = sheet(name)
    assert cited(printed) <= set(register())
    assert {line.rule for line in printed.lines} <= set(register())
    assert {limit.rule for limit in printed.limits} <= set(register())
    assert len({line.key for line in printed.lines}) == len(printed.lines)


def test_every_modifier_line_of_the_register_is_in_a_data_file() -> None:
    prefixes = tuple(name for sheet_name in SHEETS for name in sheet(sheet_name).register)
    kinds = ("modifier", "definition")
    wanted = {
        row.id
        for row in register().values()
        if row.kind in kinds and row.id.startswith(prefixes) and not row.id.startswith("T22.21-13")
    }
    named = {name for sheet_name in SHEETS for name in cited(sheet(sheet_name))}
    assert len(wanted) > 80
    assert wanted - named == {"T22.552A-11"}  # the defender's part of an air attack: T22.55-02


def test_charts_name_known_countries() -> None:
    for name in ("air-nationality", "air-nationality-23", "naval-nationality"):
        for entry in sheet(name).bases:
            assert set(entry.nations) <= set(nations())


def test_missing_lines_and_limits_of_a_sheet() -> None:
    assert sheet("search").modifier("weather") is None
    assert sheet("submarine-attack").limit("overall").most == 4
