"""Scenario files: every fault is found, at once, with its place and its rule; basing by 18.1."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.awaw.air_units import Arm, flying_range, value
from flagplot.awaw.basing import capacity, distance, holds, staging_range
from flagplot.kernel.errors import ScenarioError, UnknownName
from flagplot.players.random import RandomPlayer
from tests.awaw.scenes import base, duel, fleet, force, scene, start


def faults(scenario: dict[str, Any], **options: Any) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        flagplot.load(scenario, seed=1, options=options)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize("name", flagplot.scenario_names())
def test_every_scenario_that_comes_along_is_sound_and_says_what_it_is(name: str) -> None:
    game = flagplot.load(name, seed=1)
    assert game.pending is not None
    for key in ("about", "history", "teaches", "sources"):
        assert len(game.scenario[key]) > 20
    assert "estimate" in game.scenario["sources"] or "ours" in game.scenario["sources"]


def test_all_faults_at_once_each_with_its_place() -> None:
    bad = duel(["3 germany army"], ["1 britain army"])
    bad["theater"] = bad.pop("theatre")
    bad["bases"][0]["air"][0]["factors"] = -3
    bad["bases"][1]["air"][0]["nation"] = "atlantis"
    bad["bases"][1]["side"] = "green"
    bad["bases"][2]["id"] = "field"
    found = faults(bad)
    for part in (
        "theater: there is no such key",
        "theatre: this is missing",
        "bases[0].air[0].factors: -3 is not between 1 and 99",
        "bases[1].air[0].nation: there is no nation “atlantis”",
        "bases[1].side: “green” is not one of the sides: red, blue",
        "bases[2].id: “field” is used twice",
    ):
        assert any(line.startswith(part) for line in found), (part, found)


@pytest.mark.rule("18.11", "18.12")
def test_an_overfilled_base_is_refused() -> None:
    assert faults(duel(["11 germany army"], [])) == [
        "bases[0]: air units worth 33 squadrons are based here, but only 10 factors fit (rule 18.12)"
    ]
    assert start(duel(["10 germany army"], ["1 britain army"])).pending is not None


@pytest.mark.rule("18.11", "17.141B")
@pytest.mark.parametrize(
    ("words", "fits"),
    [
        (("4 germany army 2", "3 germany naval 2"), True),
        (("3 germany army 2", "6 germany naval 2"), True),
        (("15 germany naval 2",), True),
        (("4 germany army 2", "4 germany naval 2"), False),
        (("16 germany naval 2",), False),
    ],
)
def test_printed_examples_of_five_factors_of_room(words: tuple[str, ...], fits: bool) -> None:
    assert holds(force(*words), 5, island=False) == fits


@pytest.mark.rule("18.12", "17.21", "17.21.2", "17.21.1")
@pytest.mark.parametrize(("installations", "usual", "reduced"), [(1, 5, 3), (2, 10, 6), (3, 15, 9)])
def test_printed_examples_of_capacity(installations: int, usual: int, reduced: int) -> None:
    assert capacity(installations, reduced=False) == usual
    assert capacity(installations, reduced=True) == reduced


@pytest.mark.rule("18.12.1", "17.21.1")
@pytest.mark.parametrize(
    ("theatre", "land", "most"), [("pacific", "jungle", 3), ("pacific", "island", 3), ("europe", "jungle", 5)]
)
def test_pacific_jungle_and_islands_hold_less(theatre: str, land: str, most: int) -> None:
    places = duel(["1 germany army"], [f"{most} britain army"], target={"airbases": 1, land: True}, theatre=theatre)
    assert start(places).state is not None
    places["bases"][1]["air"][0]["factors"] += 1
    assert "18.12" in faults(places)[0]


@pytest.mark.rule("18.13", "17.311")
def test_a_one_hex_island_holds_one_naval_squadron_more() -> None:
    """Five factors and one naval squadron beside one airbase; ten and one beside two installations."""
    assert holds(force("5 britain army 2", "1 britain naval 1"), 5, island=True)
    assert not holds(force("5 britain army 2", "2 britain naval 1"), 5, island=True)
    assert not holds(force("6 britain army 2"), 5, island=True)
    assert holds(force("10 britain army 2", "1 britain naval 1"), 10, island=True)


@pytest.mark.rule("17.312", "17.312.1")
def test_carriers_base_their_size_in_squadrons() -> None:
    bad = scene(fleet("force", "red", (0, 0), "japan", 3), base("aim", "blue", (0, 2)))
    bad["carriers"][0]["squadrons"] = 4
    assert faults(bad) == [
        "carriers[0].squadrons: 4 squadrons are more than the 3 that these carriers base (rule 17.312)"
    ]


@pytest.mark.rule("17.352", "17.353D")
def test_who_has_naval_air_and_who_has_elite_naval_air() -> None:
    assert "only Japan has elite naval air" in faults(duel(["1 germany elite-naval"], []))[0]
    assert "russia never builds naval air (rule 17.353D)" in faults(duel([], ["1 russia naval"]))[0]


@pytest.mark.rule("17.54.1")
def test_jets_need_research() -> None:
    assert "jets need a research result of 9; germany has 0 (rule 17.54)" in faults(duel(["1 germany jet"], []))[0]


def test_units_are_counted_as_the_rules_count_them() -> None:
    bad = duel(["1 germany army"], [])
    bad["bases"][0]["air"][0] = {"nation": "germany", "arm": "naval", "factors": 2}
    assert "naval air is counted in squadrons alone (rule 17.141A)" in faults(bad)[0]


def test_a_nation_fights_on_its_own_side_alone() -> None:
    assert "italy does not fight on the side of blue" in faults(duel([], ["1 italy army"]))[0]
    bad = duel([], [])
    bad["sides"][1]["nations"] = ["italy"]
    assert any("italy cannot fight on both sides" in line for line in faults(bad))


def test_options_of_a_scenario_are_checked_with_the_rest() -> None:
    bad = duel(["99 germany army"], [], options={"classic": "yes", "nonsense": 1})
    found = faults(bad)
    assert any("options.classic: “yes” is not one of false, true (rule 19.31A#classic)" in line for line in found)
    assert any(line.startswith("options.nonsense: there is no such option") for line in found)
    assert any("18.12" in line for line in found)


def test_toml_that_is_none_and_names_that_are_none(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("game = awaw", encoding="utf8")
    with pytest.raises(ScenarioError, match=r"this is not TOML: .*line 1"):
        flagplot.load(broken)
    with pytest.raises(UnknownName, match=r"“jutland”.*malta"):
        flagplot.load("jutland")


def test_a_scenario_is_not_changed_by_playing_it() -> None:
    scenario = duel(["1 germany army"], ["1 britain army"])
    before = copy.deepcopy(scenario)
    start(scenario).choose("counterair:aim")
    assert scenario == before


@pytest.mark.rule("18.21")
def test_staging_is_twice_the_range_and_distance_is_in_hexes() -> None:
    assert staging_range(4) == 8
    assert [distance((0, 0), at) for at in ((0, 3), (2, -2), (-1, 3), (2, 2))] == [3, 2, 3, 4]


@pytest.mark.rule("17.62", "18.31D")
@pytest.mark.parametrize(("pacific", "hexes"), [(False, 4), (True, 3)])
def test_range_of_air_transports(pacific: bool, hexes: int) -> None:
    assert flying_range(Arm.TRANSPORT, pacific, 0) == hexes


@pytest.mark.rule("17.141A")
def test_a_factor_is_worth_three_squadrons_in_brps() -> None:
    """One factor lost is three BRPs; a naval squadron is one."""
    assert value(force("2 britain army 2", "3 britain naval 1")) == 9
    game = flagplot.load("malta", seed=3)
    game.play({side: RandomPlayer(3) for side in game.sides})
    assert game.result is not None
    lost = sum(number * 3 for key, number in game.result["losses"].items() if key.endswith("factors"))
    assert sum(game.result["brps_lost"].values()) == lost
