"""The shape of files: all faults at once, each with its place; defaults filled in; a JSON Schema from it."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.kernel.errors import Fault
from flagplot.kernel.shapes import Anything, Flag, Items, Named, Table, Text, Whole

SHIP = Table(
    "A ship", {"name": Text("its name")}, {"size": (Whole("its size", 1, 6, "20.1"), 2), "old": (Flag("old?"), False)}
)
FLEET = Table(
    "A fleet",
    {
        "title": Text("its title"),
        "side": Text("whose", "red", "blue", rule="3.1"),
        "ships": Items("its ships", SHIP, 1, 3),
    },
    {
        "speeds": (Named("speeds by name", Whole("knots", 0, 40)), {}),
        "options": (Anything("for somebody else", "object"), None),
        "crew": (Items("names", Text("a name")), []),
    },
)
GOOD: dict[str, Any] = {"title": "First", "side": "blue", "ships": [{"name": "Akagi"}]}


def check(value: Any) -> tuple[dict[str, Any], list[Fault]]:
    faults: list[Fault] = []
    return FLEET.check(value, "", faults), faults


def test_a_good_file_is_completed_by_defaults() -> None:
    read, faults = check(GOOD)
    assert faults == []
    assert read == GOOD | {
        "ships": [{"name": "Akagi", "size": 2, "old": False}],
        "speeds": {},
        "options": None,
        "crew": [],
    }


def test_all_faults_are_found_at_once_each_with_its_place() -> None:
    _, faults = check(
        {
            "side": "green",
            "ships": [{"name": 7, "size": 9}, {"size": True, "old": "yes", "colour": "grey"}, "Kaga"],
            "speeds": {"cruise": 12, "full": 99, "flank": "fast"},
            "crew": "Nagumo",
            "flag": 1,
        }
    )
    assert [str(fault) for fault in faults] == [
        "flag: no such key here; use title, side, ships, speeds, options, crew",
        "title: this is missing: its title",
        "side: “green” is not red or blue (rule 3.1)",
        "ships[0].name: “7” should be text",
        "ships[0].size: 9 is not between 1 and 6 (rule 20.1)",
        "ships[1].colour: no such key here; use name, size, old",
        "ships[1].name: this is missing: its name",
        "ships[1].size: “True” should be a whole number",
        "ships[1].old: “yes” should be true or false",
        "ships[2]: “Kaga” should be a table",
        "ships[2].name: this is missing: its name",
        "speeds.full: 99 is not between 0 and 40",
        "speeds.flank: “fast” should be a whole number",
        "crew: “Nagumo” should be a list",
    ]


def test_a_faulty_file_still_has_its_shape() -> None:
    """What cannot be read is filled in, so that whoever goes on finds the other faults too."""
    read, faults = check({"side": [], "ships": [{}], "speeds": 3})
    assert read == {
        "title": "",
        "side": "red",
        "ships": [{"name": "", "size": 2, "old": False}],
        "speeds": {},
        "options": None,
        "crew": [],
    }
    assert len(faults) == 4


@pytest.mark.parametrize("value", [None, 3, "text", [GOOD]])
def test_what_is_no_table_at_all_is_one_fault_and_the_missing_keys(value: Any) -> None:
    read, faults = check(value)
    assert faults[0].place == "the file"
    assert "should be a table" in faults[0].message
    assert [fault.place for fault in faults[1:]] == ["title", "side", "ships"]
    assert set(read) == {"title", "side", "ships", "speeds", "options", "crew"}


@pytest.mark.parametrize(("size", "good"), [(0, False), (1, True), (6, True), (7, False), (-1, False), (3.0, False)])
def test_whole_numbers_keep_within_their_bounds(size: Any, good: bool) -> None:
    faults: list[Fault] = []
    read = SHIP.check({"name": "x", "size": size}, "ship", faults)
    assert (faults == []) is good
    assert read["size"] == (size if good else 1)


@pytest.mark.parametrize(("count", "words"), [(0, "1 to 3 of these, not 0"), (3, ""), (4, "1 to 3 of these, not 4")])
def test_lists_keep_within_their_bounds(count: int, words: str) -> None:
    _, faults = check(GOOD | {"ships": [{"name": "x"}] * count})
    assert [words in fault.message for fault in faults] == [True] * bool(words)
    exact: list[Fault] = []
    Items("two of them", Text("x"), 2, 2).check(["a"], "pair", exact)
    assert str(exact[0]) == "pair: there should be 2 of these, not 1"


def test_empty_text_is_a_fault() -> None:
    assert [str(fault) for fault in check(GOOD | {"title": ""})[1]] == ["title: this must not be empty"]


def test_true_is_not_one_and_one_is_not_true() -> None:
    _, faults = check(GOOD | {"ships": [{"name": "x", "size": True}, {"name": "y", "old": 1}]})
    assert [fault.place for fault in faults] == ["ships[0].size", "ships[1].old"]


def test_a_default_is_not_shared_between_files() -> None:
    one, _ = check(GOOD)
    one["crew"].append("Nagumo")
    one["speeds"]["full"] = 30
    other, _ = check(GOOD)
    assert other["crew"] == []
    assert other["speeds"] == {}


def test_the_schema_says_the_same_in_json() -> None:
    schema = FLEET.schema()
    assert schema["required"] == ["title", "side", "ships"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["side"] == {"type": "string", "description": "whose", "enum": ["red", "blue"]}
    assert schema["properties"]["speeds"] == {
        "type": "object",
        "additionalProperties": {"type": "integer", "minimum": 0, "maximum": 40, "description": "knots"},
        "description": "speeds by name",
        "default": {},
    }
    assert schema["properties"]["options"] == {"type": "object", "description": "for somebody else"}
    ships = schema["properties"]["ships"]
    assert (ships["type"], ships["minItems"], ships["maxItems"]) == ("array", 1, 3)
    assert ships["items"]["properties"]["size"]["default"] == 2
    assert ships["items"]["properties"]["old"] == {"type": "boolean", "description": "old?", "default": False}
