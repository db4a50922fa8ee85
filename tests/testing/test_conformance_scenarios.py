"""Every scenario that comes with Flagplot passes the conformance suite, under every reading of the rules."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

import flagplot
from flagplot.awaw.options import Options
from flagplot.kernel.options import describe
from flagplot.library import read_scenario
from flagplot.players.random import RandomPlayer
from flagplot.register import find
from flagplot.testing import Report, conform, set_up
from flagplot.testing.checks import ON_REQUEST
from flagplot.testing.conforming import open_trial
from flagplot.testing.secrecy import secrets_stay_secret

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
    games, every = (2, 120) if scenario in LONG else (4, 40)
    report = conform(scenario, seeds=range(games), deep=False, every=every, also=ON_REQUEST)
    assert report.games == games
    assert len(report.rules) > 2
    for number in sorted(report.rules - UNREAD):
        assert find(number)


CLOSELY = [("malta", 2), ("rabaul", 2), ("first-battle", 1), ("coral-sea", 1)]


@pytest.mark.parametrize(("scenario", "games"), CLOSELY)
def test_scenario_conforms_at_every_request(scenario: str, games: int) -> None:
    report = conform(scenario, seeds=range(4, 4 + games))
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


READ_IN = {"jets": 10, "rabaul": 20, "midway": 80, "coral-sea": 80, "kamikaze-turn": 80}
"""The scenarios of which each reading is tried, and how closely they are looked at."""


@pytest.mark.parametrize("scenario", READ_IN)
def test_the_ordinary_readings_conform(scenario: str) -> None:
    assert conform(scenario, seeds=[2], deep=False, every=READ_IN[scenario]).games == 1


@pytest.mark.parametrize(("option", "reading"), READINGS, ids=[f"{name}={value}" for name, value in READINGS])
def test_readings_of_the_rules_conform(option: str, reading: str | bool) -> None:
    """A game in which the reading makes no difference is the one that the test above has looked at."""
    for scenario, every in READ_IN.items():
        if game_as_told(scenario, option, reading) != game_as_told(scenario):
            assert conform(scenario, options={option: reading}, seeds=[2], deep=False, every=every).games == 1


@cache
def game_as_told(scenario: str, option: str = "", reading: str | bool = "") -> int:
    """All that is asked, offered, rolled and told in a random game, as a number to compare."""
    game = flagplot.load(scenario, seed=2, options={option: reading} if option else {})
    players, told = {side: RandomPlayer(2) for side in game.sides}, []
    while (request := game.pending) is not None:
        told.append(str(request))
        told += [f"{one.text} {one.label}" for one in request.options] if isinstance(request, flagplot.Choose) else []
        game.play(players, until=game.turn + 1)
    told += [str(entry) for side in game.sides for entry in game.log(side)]
    return hash("\n".join(told))
