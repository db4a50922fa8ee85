"""Options: described for people, read with all their faults, and never guessed from the wrong type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

import flagplot
from flagplot import library
from flagplot.kernel.errors import Fault, ScenarioError
from flagplot.kernel.options import describe, read_options, reading


@dataclass(frozen=True, slots=True)
class Weather:
    """Options of no game."""

    rain: bool = reading(False, True, rules="5.1 5.2", about="Whether it may rain.")
    wind: str = reading("mild", "strong", "none", rules="6.1", about="How the wind blows.")


def read(given: dict[str, Any], base: Weather | None = None) -> tuple[Weather, list[Fault]]:
    faults: list[Fault] = []
    return read_options(base or Weather(), given, "options", faults), faults


def test_options_are_described() -> None:
    rain, wind = describe(Weather)
    assert rain.as_dict() == {
        "name": "rain",
        "default": False,
        "alternatives": [False, True],
        "rules": ["5.1", "5.2"],
        "about": "Whether it may rain.",
    }
    assert wind.alternatives == ("mild", "strong", "none")
    assert wind.default == Weather().wind == "mild"


def test_given_readings_replace_the_base() -> None:
    assert read({}) == (Weather(), [])
    assert read({"rain": True}) == (Weather(rain=True), [])
    assert read({"wind": "none"}, Weather(rain=True)) == (Weather(rain=True, wind="none"), [])
    assert read({"rain": False}, Weather(rain=True)) == (Weather(), [])


@pytest.mark.parametrize("value", ["true", "True", 1, 0, None, "", [True], "false"])
def test_what_only_looks_like_true_or_false_is_a_fault(value: Any) -> None:
    options, faults = read({"rain": value})
    assert options == Weather()
    assert faults == [Fault("options.rain", f"“{value}” is not one of false, true", "5.1 5.2")]


@pytest.mark.parametrize("value", ["Mild", "gale", 1, True, None, ["mild"], {"a": 1}])
def test_what_is_not_an_alternative_is_a_fault(value: Any) -> None:
    assert read({"wind": value})[1] == [Fault("options.wind", f"“{value}” is not one of mild, strong, none", "6.1")]


def test_all_faults_are_found_and_the_good_readings_kept() -> None:
    options, faults = read({"snow": 1, "rain": "no", "wind": "strong", "fog": 2})
    assert options == Weather(wind="strong")
    assert [fault.place for fault in faults] == ["options.snow", "options.rain", "options.fog"]
    assert faults[0].message == "no such option; use rain, wind"


def test_a_scenarios_options_are_overridden_by_the_callers() -> None:
    scenario = flagplot.read_scenario("malta") | {"options": {"classic": True, "jet_remainder": "rounded-up"}}
    assert flagplot.load(scenario, seed=1).options.classic is True
    game = flagplot.load(scenario, seed=1, options={"classic": False})
    assert (game.options.classic, game.options.jet_remainder) == (False, "rounded-up")


def test_faulty_options_are_reported_with_the_other_faults_of_a_scenario() -> None:
    scenario = flagplot.read_scenario("malta") | {"theatre": "moon"}
    with pytest.raises(ScenarioError) as refusal:
        flagplot.load(scenario, seed=1, options={"classic": "true", "snow": True})
    places = [fault.place for fault in refusal.value.faults]
    assert places[:2] == ["options.classic", "options.snow"]
    assert "theatre" in places


def test_options_that_are_no_table_are_a_fault() -> None:
    with pytest.raises(ScenarioError) as refusal:
        flagplot.load(flagplot.read_scenario("malta") | {"options": "classic"}, seed=1)
    assert refusal.value.faults[0] == Fault("options", "“classic” should be a table of options")


@pytest.mark.parametrize("name", ["awaw"])
def test_every_option_of_a_game_is_fully_described(name: str) -> None:
    for option in describe(type(library.ruleset(name).options)):
        assert len(option.alternatives) > 1
        assert len({type(value) for value in option.alternatives}) == 1
        assert option.rules
        assert option.about.endswith(".")
