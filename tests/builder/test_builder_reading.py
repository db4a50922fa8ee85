"""Plain text to scenarios: whatever players type is read, or told what is wrong with it."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flagplot
from flagplot.builder import BuildError, read, same, to_toml, write
from flagplot.generating import KINDS

BATTLE = """\
Japan TF1: Akagi, Kaga, Hiryu, Soryu, Haruna, Kirishima, 6 CA, 1 DD; 12 elite NAS
Midway base: 1 US AAF, 1 NAS
US TF16: Enterprise, Hornet, 8 CA, 3 DD; 6 NAS
"""


def test_lines_as_players_write_them_are_a_battle() -> None:
    reading = read(BATTLE)
    assert not reading.problems
    assert reading.document is not None
    first, second = reading.document["forces"]
    assert first["id"] == "tf-1"
    assert first["name"] == "Task Force 1"
    assert first["air"] == [{"nation": "japan", "squadrons": 12, "elite": True}]
    assert second["ships"] == [
        {"nation": "united-states", "named": ["Enterprise", "Hornet"], "cruisers": 8, "destroyers": 3}
    ]
    (base,) = reading.document["bases"]
    assert base["side"] == "united-states"
    assert [one["arm"] for one in base["air"]] == ["army", "naval"]
    assert [(line.side, line.path) for line in reading.lines] == [
        ("japan", "forces[0]"),
        ("united-states", "bases[0]"),
        ("united-states", "forces[1]"),
    ]


def test_a_battle_that_is_built_can_be_played() -> None:
    game = flagplot.load(flagplot.build(BATTLE), seed=1)
    assert game.pending is not None


def test_everything_wrong_is_told_at_its_place_with_what_to_type() -> None:
    reading = read(BATTLE.replace("Hornet", "Hornett").replace("8 CA", "8 CAA").replace("Midway", "Misway"))
    told = [(one.line, one.column, one.length, one.suggestion) for one in reading.problems]
    assert told == [(3, 22, 7, "Hornet"), (3, 33, 3, "CA")]
    assert reading.document is None
    with pytest.raises(BuildError) as refused:
        flagplot.build(reading.text)
    assert "line 3, column 22" in str(refused.value)


def test_limits_are_those_of_the_rules_and_name_them() -> None:
    (problem,) = read(BATTLE.replace("6 CA", "8 CA")).problems
    assert (problem.line, problem.rule) == (1, "20.162")
    assert "27" in problem.message
    (odd,) = read(BATTLE.replace("8 CA", "7 CA")).problems
    assert (odd.line, odd.column, odd.length) == (3, 30, 4)


def test_factors_and_counters_are_told_apart() -> None:
    for words in (
        "8 CA",
        "CA8",
        "4 cruisers",
        "four cruisers",
        "4 CA counters",
        "8 cruiser factors",
        "8 factors of CA",
    ):
        document = read(BATTLE.replace("8 CA", words)).document
        assert document is not None, words
        assert document["forces"][1]["ships"][0]["cruisers"] == 8, words


@pytest.mark.parametrize("scenario", flagplot.scenario_names())
def test_the_text_of_every_scenario_is_the_same_scenario(scenario: str) -> None:
    document = flagplot.read_scenario(scenario)
    reading = read(write(document))
    assert reading.document is not None, reading.problems
    assert same(reading.document, document)


@pytest.mark.parametrize("kind", KINDS)
def test_the_text_of_a_generated_scenario_is_the_same_scenario(kind: str) -> None:
    for number in range(4):
        document = flagplot.read_scenario(f"generated:{kind}:{number}")
        reading = read(write(document))
        assert reading.problems == ()
        assert same(reading.draft, document)


def test_toml_of_a_document_is_read_back_as_it_was() -> None:
    for scenario in flagplot.scenario_names():
        document = flagplot.read_scenario(scenario)
        assert tomllib.loads(to_toml(document)) == document, scenario


WORDS = """Japan US TF1 : , ; Akagi # = ( ) | Set: forces[0] sides . { } [0] true Side: Research: Moves: at from cargo
base island Date: 1942 - – é Kamikazes: Kind: operation Map: coral-sea submarines: and laden ² ٣ ASW: Options: order: 0
Theatre: 99999999999999999999 6 CA 12 elite NAS 1,0 hits Game: line of battle"""
PARTS = st.sampled_from([*WORDS.split(), "\n", "\n  ", "\t", '"', "\x00", "\ud800"])


@settings(max_examples=60)
@given(st.one_of(st.text(), st.lists(PARTS, max_size=25).map(" ".join)))
def test_no_text_breaks_it(text: str) -> None:
    reading = read(text)
    assert (reading.document is None) == bool(reading.problems)
    lines = text.split("\n")
    places = [(one.line, one.column) for one in reading.problems] + [(one.line, one.column) for one in reading.notes]
    assert all(1 <= line <= len(lines) and column >= 1 for line, column in places)


def test_both_sides_may_have_a_force_of_the_same_name() -> None:
    reading = read("Japan TF1: Akagi, Kaga; 4 NAS\nUS TF1: Hornet, 2 CA; 2 NAS")
    assert not reading.problems
    assert reading.document is not None
    named = [(force["id"], force["name"]) for force in reading.document["forces"]]
    assert named == [("tf-1", "Task Force 1"), ("tf-1-united-states", "Task Force 1")]
    again = read(write(reading.document)).document
    assert again is not None
    assert same(again, reading.document)


def test_one_side_cannot_use_a_name_twice() -> None:
    (problem,) = read("Japan TF1: Akagi; 2 NAS\nJapan TF1: Kaga; 2 NAS\nUS TF1: Hornet; 2 NAS").problems
    assert "is used twice" in problem.message
