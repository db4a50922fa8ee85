"""Every scenario that comes with Flagplot passes the conformance suite, under every reading of the rules."""

from __future__ import annotations

import pytest

import flagplot
from flagplot.awaw.options import Options
from flagplot.kernel.options import describe
from flagplot.register import find
from flagplot.testing import conform
from flagplot.testing.checks import ON_REQUEST

SCENARIOS = flagplot.scenario_names()
READINGS = [
    (option.name, other) for option in describe(Options) for other in option.alternatives if other != option.default
]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_scenario_conforms(scenario: str) -> None:
    report = conform(scenario, seeds=range(8), deep=False)
    assert report.games == 8


@pytest.mark.parametrize(("scenario", "games"), [("malta", 2), ("rabaul", 2), ("midway", 1), ("coral-sea", 1)])
def test_scenario_conforms_at_every_request(scenario: str, games: int) -> None:
    report = conform(scenario, seeds=range(4, 4 + games))
    assert report.looked == report.requests + report.games


def test_secrets_are_put_to_the_test_where_there_are_any() -> None:
    """A scenario without secrets has no pairs; one with secrets has many that really differ."""
    figures = {name: conform(name, seeds=[2], deep=False, every=4) for name in SCENARIOS}
    assert figures["malta"].pairs == figures["kursk"].pairs == figures["jets"].pairs == 0
    assert figures["rabaul"].differed > 5
    for name in ("midway", "coral-sea"):
        assert figures[name].differed > 20
        assert figures[name].unlike == 0


@pytest.mark.parametrize(("option", "reading"), READINGS, ids=[f"{name}={value}" for name, value in READINGS])
def test_readings_of_the_rules_conform(option: str, reading: str | bool) -> None:
    for scenario in ("jets", "rabaul"):
        assert conform(scenario, options={option: reading}, seeds=range(2), deep=False).games == 2
    for scenario in ("midway", "coral-sea"):
        assert conform(scenario, options={option: reading}, seeds=range(3), deep=False, every=40).games == 3


def test_every_rule_number_cited_in_play_is_in_the_register() -> None:
    cited: set[str] = set()
    for scenario in SCENARIOS:
        cited |= conform(scenario, seeds=range(100, 120), deep=False, every=1000).rules
    assert len(cited) > 10
    for number in sorted(cited):
        assert find(number)


@pytest.mark.parametrize("name", SCENARIOS)
def test_equal_states_play_alike(name: str) -> None:
    """The order in which a state's dicts were filled shows nowhere."""
    assert conform(name, seeds=range(3), deep=False, every=5, also=ON_REQUEST).games == 3
