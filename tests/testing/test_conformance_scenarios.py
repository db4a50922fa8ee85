"""Every scenario that comes with Flagplot passes the conformance suite, under every reading of the rules."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import flagplot
from flagplot.awaw.options import Options
from flagplot.kernel.options import describe
from flagplot.library import read_scenario
from flagplot.register import find
from flagplot.testing import Report, conform, set_up
from flagplot.testing.checks import ON_REQUEST
from flagplot.testing.conforming import open_trial
from flagplot.testing.secrecy import secrets_stay_secret
from tests.testing.as_told import as_told

SCENARIOS = flagplot.scenario_names()
OPERATIONS = [name for name in SCENARIOS if read_scenario(name)["kind"] in ("operation", "air-turn")]
"""Long games of several battles: fewer of them are played, and looked at less often."""
LONG = [*OPERATIONS, "philippine-sea"]
READINGS = [
    (option.name, other) for option in describe(Options) for other in option.alternatives if other != option.default
]


UNREAD = {"21.5342"}
"""Of raids only the table could be read (`docs/rulings.md`): the rules around it are in no register."""


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_scenario_conforms(scenario: str) -> None:
    """The order in which a state's dicts were filled shows nowhere, too; and every rule that is cited in play is in the
    register."""
    every = 120 if scenario in LONG else 40
    report = conform(scenario, seeds=range(2), deep=False, every=every, also=ON_REQUEST)
    assert report.games == 2
    assert len(report.rules) > 2
    for number in sorted(report.rules - UNREAD):
        assert find(number)


@pytest.mark.parametrize("scenario", ["malta", "rabaul", "first-battle"])
def test_scenario_conforms_at_every_request(scenario: str) -> None:
    report = conform(scenario, seeds=[4])
    assert report.looked == report.requests + report.games


@pytest.mark.parametrize("name", ["malta", "kursk", "jets", "rabaul", "midway", "coral-sea"])
def test_secrets_are_put_to_the_test_where_there_are_any(name: str, tmp_path: Path) -> None:
    """A scenario without secrets has no pairs; one with secrets has many that really differ. Few are given up, because
    the enemy openly did what he could not do with other secrets: he struck with squadrons that nobody knew of, say."""
    report = paired(name, 2, 0.25, tmp_path)
    if name in ("malta", "kursk", "jets"):
        assert report.pairs == 0
    elif name == "rabaul":
        assert report.differed > 5
    else:
        assert report.differed > 20
        assert report.unlike <= 0.05 * report.pairs


def paired(name: str, seed: int, share: float, folder: Path) -> Report:
    """A game in which secrets are exchanged for others at so many of its moments."""
    report, chance = Report(), Random(name)
    trial = open_trial(set_up(name), seed, report, folder)
    while True:
        if chance.random() < share:
            assert list(secrets_stay_secret(trial)) == []
        if trial.game.pending is None:
            return report
        trial.answer()


@pytest.mark.parametrize("name", [name for name in OPERATIONS if read_scenario(name).get("forces")])
def test_secrets_of_operations_are_put_to_the_test(name: str, tmp_path: Path) -> None:
    """At one moment in a few of a game: on the map, in battles, under attack from the air and from below."""
    report = paired(name, 11, 0.15, tmp_path)
    assert report.differed > 3
    assert report.differed > 0.9 * report.pairs


WHERE: dict[tuple[str, str | bool], tuple[str, int]] = {
    ("beyond_last_row", "separate-rolls"): ("kursk", 0),
    ("inverted_air", "always-engaged"): ("kursk", 0),
    ("transports_targeted", "always"): ("kursk", 0),
    ("transport_losses", "all-inverted"): ("malta-turn", 4),
    ("air_chart", "23.441A"): ("first-battle", 0),
    ("classic", True): ("kamikaze-turn", 0),
    ("bombing_remnant", "lower-drm"): ("rhine-turn", 3),
    ("carrier_counterair", "many-rounds"): ("okinawa", 0),
    ("defenders_leave", "if-attackers-survive"): ("malta-convoy", 0),
    ("patrol_chosen", "after-counterair"): ("okinawa", 0),
    ("counterair_nas_may_strike", False): ("philippine-sea", 0),
    ("defenders_engage", "no-more-than-attackers"): ("norwegian-sortie", 0),
    ("kamikaze_aborts", "ignored"): ("okinawa", 5),
    ("kamikazes_at_sea", "drm-only"): ("okinawa", 5),
    ("one_factor_losses", "owner"): ("malta-convoy", 1),
    ("cargo_hits", "cargo-last"): ("malta-convoy", 1),
    ("damaged_cruiser_first", False): ("cape-matapan", 0),
    ("returning_escort", "cargo-dice"): ("malta-landing", 5),
    ("counterair_from_base_hex", False): ("coral-sea-operation", 5),
    ("patrol_cost", "one-a-force"): ("kamikaze-turn", 0),
    ("ports_are_mission_bases", False): ("malta-landing", 0),
    ("counter_interception_cost", "none"): ("rhine-turn", 0),
    ("captured_supply", "at-once"): ("rhine-turn", 0),
    ("air_redeployment", "one-flight"): ("kamikaze-turn", 0),
    ("late_air_support", "army-air"): ("malta-turn", 1),
}
"""By reading, a scenario and a seed of a random game in which it makes a difference. Those that are missing turn up too
rarely in such games: only the tests of their rules hold them."""


@pytest.mark.parametrize(("option", "reading"), WHERE, ids=[f"{name}={value}" for name, value in WHERE])
def test_readings_of_the_rules_conform(option: str, reading: str | bool) -> None:
    """In a game in which the reading makes a difference."""
    scenario, seed = WHERE[option, reading]
    assert as_told(scenario, seed, {option: reading}) != as_told(scenario, seed)
    assert conform(scenario, options={option: reading}, seeds=[seed], deep=False, every=80).games == 1


def test_every_reading_is_still_there() -> None:
    assert set(WHERE) <= set(READINGS)
