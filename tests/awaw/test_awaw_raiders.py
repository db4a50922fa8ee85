"""22.35: raiders in an SW box."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.state import State
from flagplot.kernel.errors import ScenarioError
from flagplot.kernel.game import Game
from tests.awaw.battles import asked_now, asks, battle, fight, squadron
from tests.awaw.scenes import log, start
from tests.awaw.strikes import JAPAN, QUIET, meet, task

GERMANS: dict[str, Any] = {"nation": "germany", "task_force": False}


def strike_of_raiders(*named: str, air: int) -> Game[State]:
    """Japanese raiders with these carriers strike an American carrier and have come through."""
    raiders = squadron("raiders", "red", *named, cruisers=6, destroyers=8, air=air)
    orders = ("strike:1", f"fly:{JAPAN}:{air}")
    return meet(raiders, task(), raiders=True, search=((), ()), rolls=[QUIET], orders=orders, until=asks("target"))


@pytest.mark.rule("17.3121.1")
def test_squadrons_of_one_raiding_carrier_attack_one_target() -> None:
    game = fight(strike_of_raiders("Akagi", air=3), "target:enterprise", until=lambda game: not asks("target")(game))
    assert game.state.strike is not None
    assert [(aim.target, sum(aim.squadrons.values())) for aim in game.state.strike.aims] == [("enterprise", 3)]


@pytest.mark.rule("17.3121.1")
def test_squadrons_of_two_raiding_carriers_may_have_two_targets() -> None:
    game = fight(strike_of_raiders("Akagi", "Kaga", air=6), "target:enterprise", until=asks("against"))
    assert asked_now(game)[0] == f"against:enterprise:{JAPAN}:1"


@pytest.mark.rule("17.3121.1")
def test_others_may_split_the_squadrons_of_a_carrier() -> None:
    kaga = squadron("raiders", "red", "Akagi", cruisers=6, destroyers=8, air=3)
    orders = ("strike:1", f"fly:{JAPAN}:3", "target:enterprise")
    game = meet(kaga, task(), rolls=[QUIET], orders=orders, until=asks("against"))
    assert asked_now(game)[0] == f"against:enterprise:{JAPAN}:1"


@pytest.mark.rule("22.35")
@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"submarines": [{"side": "blue", "nation": "united-states", "factors": 1}]}, "no submarine attacks"),
        ({"transports": {"nation": "japan", "factors": 3}}, "transports"),
    ],
)
def test_faults_of_a_raider_battle(more: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        start(battle(squadron("a", "red", destroyers=10), task(), raiders=True, **more))


@pytest.mark.rule("22.35D")
def test_nobody_comes_later_to_a_raider_battle() -> None:
    with pytest.raises(ScenarioError, match="only one round"):
        start(battle(squadron("a", "red", destroyers=10), task(), task(name="late", arrives=2), raiders=True))


@pytest.mark.rule("22.35E")
def test_transports_behind_a_battle_are_for_raiders_alone() -> None:
    with pytest.raises(ScenarioError, match="raiders alone"):
        start(battle(squadron("a", "red", destroyers=10), task(), transports={"nation": "united-states", "factors": 3}))
